"""All that the page of a rule set shows, in plain words and pictures, and all rule sets side by side.

The facts in its notes are those of the rule books (docs/rules.md 6.6, 6.7), the wording is this project's. The
comparison has a row for each rule, computed from the options of each set (docs/rules.md 1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from textwrap import fill
from typing import Final, NamedTuple

from ordws.pictures.example_boards import DrawnExample, examples_for
from ordws.pictures.rule_chapters import RuleChapter, describe_rules
from ordws.pictures.slip import make_tile_sheet, write_minutes
from ordws.rules.options import Option, changed_options, list_options
from ordws.rules.ruleset import (
    RULE_SETS,
    Challenge,
    CheckOspd,
    Clock,
    EndRule,
    LateBadPlay,
    MinimumLength,
    Offensive,
    Overdraw,
    Premium,
    RuleSet,
    Ties,
    UnplayedTiles,
    Wings,
    published_word_lists,
)

_NEW: Final = "not in the dictionary's older edition"
_ONE_BOOK: Final = "missing from a second dictionary"
_SPELLING: Final = "rejected by a spell checker"

DISQUALIFIED_REASONS: Final[dict[str, str]] = {
    "AA": f"a Hawaiian word; {_NEW}; {_SPELLING}",
    "AE": f"a Scots word; {_NEW}; {_SPELLING}",
    "JO": f"a Scots word, which dictionaries took in for the game's sake; {_NEW}; {_SPELLING}",
    "PE": f"a Hebrew letter; {_SPELLING}",
    "QI": f"a Chinese word; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "SI": f"a French name of a note; {_ONE_BOOK}; {_SPELLING}",
    "WO": f"an old way to misspell WOE; {_ONE_BOOK}; {_SPELLING}",
    "ZA": f"a clipping that the director finds silly; {_NEW}; {_SPELLING}",
    "AZO": "retired: seen on too many boards",
    "DEX": f"slang; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "DIS": f"from one dialect of American English; {_NEW}; {_SPELLING}",
    "HOS": f"from one dialect of American English; {_NEW}; {_SPELLING}",
    "IGG": f"from one dialect of American English; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "JEE": f"an exclamation with an odd spelling; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "MEM": "a Hebrew letter",
    "POO": f"vulgar, and not even in the older OSPD; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "QOPH": "a Hebrew letter",
    "SUQ": f"another spelling of SOUK; {_NEW}; {_SPELLING}",
    "TAV": "a Hebrew letter",
    "VAU": "a Hebrew letter",
    "VAV": "a Hebrew letter",
    "WAW": "a Hebrew letter",
    "ZAG": f"half of ZIGZAG; {_NEW}; {_SPELLING}",
    "ZIG": f"half of ZIGZAG; {_NEW}; {_SPELLING}",
    "ZEP": f"a sandwich of one region; {_NEW}; {_ONE_BOOK}; {_SPELLING}",
    "ZOA": "retired: seen on too many boards",
}
"""The reason for each of `DOVER_DISQUALIFIED`. A club may take any of them back with the option `allow`."""


class WordGroup(NamedTuple):
    """Some words of a list that are easily remembered together."""

    name: str
    words: tuple[str, ...]
    """In alphabetical order."""


_GROUPS: Final = (
    ("names of our letters", "AR EF EL EM EN EX"),
    ("Greek letters", "MU NU PI XI"),
    ("notes of the scale, beside DO and SO", "FA LA MI RE TI"),
    ("sounds that people make", "AH AW EH ER HA HO OH OW SH UH UM YO"),
    ("long words cut short: abdominal, agriculture, bisexual, education", "AB AG BI ED"),
    (
        "rare: a sloth (AI), some 500 metres in China (LI), a bone or mouth (OS), thanks (TA), an old DO (UT)",
        "AI LI OS TA UT",
    ),
    ("rarer: TI by another name (SI), an old WOE (WO)", "SI WO"),
    ("letters, too: the Hebrew FE and PE, and XU, which is money", "FE PE XU"),
    ("sounds without a vowel", "HM MM"),
    ("new finds: a life force (QI), a pizza (ZA), half of OP ART (OP)", "OP QI ZA"),
    ("from Scots, Yiddish and other tongues", "AA AE BA DE ET JO KA KI NA NE OD OE OI OM OY UN YA"),
    ("others that only the regular game has", "AL BO ES MO"),
)


def group_two_letter_words(twos: frozenset[str]) -> list[WordGroup]:
    """Return two-letter words in groups: first those that everybody knows, then those to learn; no word twice."""
    groups = [WordGroup(name, tuple([word for word in text.split() if word in twos])) for name, text in _GROUPS]
    learnt = {word for _, words in groups for word in words}
    return [group for group in (WordGroup("everyday words", tuple(sorted(twos - learnt))), *groups) if group.words]


WIDTH: Final = 100
"""The columns of the rules as text."""


class RulePage(NamedTuple):
    """A rule set as its page shows it; with options its page has another address."""

    id: str
    title: str
    changed: dict[str, str]
    """The options whose values differ from those of the rule set."""
    chapters: list[RuleChapter]
    examples: list[DrawnExample]
    groups: list[WordGroup]
    """The two-letter words."""
    reasons: dict[str, str]
    """Words that a club's director has struck out, and why."""
    options: list[Option]


def describe_page(rules: RuleSet) -> RulePage:
    """Return the page of a rule set with the options that it has."""
    lists = published_word_lists(rules)
    return RulePage(
        id=rules.id,
        title=rules.title,
        changed=changed_options(rules),
        chapters=describe_rules(rules),
        examples=examples_for(rules),
        groups=group_two_letter_words(lists.twos),
        reasons={word: reason for word, reason in DISQUALIFIED_REASONS.items() if word in lists.struck},
        options=list_options(rules),
    )


def render_chapters(rules: RuleSet) -> str:
    """Return the rules in plain words as text, with the tables of bonuses."""
    parts = []
    for chapter in describe_rules(rules):
        paragraphs = [*chapter.paragraphs]
        for table in chapter.tables:
            points = ", ".join([f"{n} tiles {each}" if n > 1 else f"{n} tile {each}" for n, each in table.points])
            paragraphs.append(f"{table.title}: {points}. {table.note}")
        lines = [fill(each, WIDTH, initial_indent="  ", subsequent_indent="  ") for each in paragraphs]
        parts.append("\n".join([chapter.title, *lines]))
    return "\n\n".join(parts)


def render_lists(rules: RuleSet) -> str:
    """Return the published lists as text: the two-letter words in groups, the words that are out, and reasons."""
    lists = published_word_lists(rules)
    parts = [f"{len(lists.twos)} two-letter words:"]
    for name, words in group_two_letter_words(lists.twos):
        parts.append(fill(f"{name} ({len(words)}): {' '.join(words)}", WIDTH, subsequent_indent="    "))
    if lists.struck:
        parts += ["", f"{len(lists.struck)} disallowed words:", fill(" ".join(sorted(lists.struck)), WIDTH)]
    reasons = [f"{word:5} {reason}" for word, reason in DISQUALIFIED_REASONS.items() if word in lists.struck]
    if reasons:
        parts += ["", "struck out by the club's director:", *reasons]
    return "\n".join(parts)


_MINIMUM: Final = {
    MinimumLength.NONE: "2 letters",
    MinimumLength.MAIN3: "main word of 3 letters",
    MinimumLength.ANY3: "one new word of 3 letters",
}
_WINGS: Final = {
    Wings.ANYWHERE: "anywhere",
    Wings.MAIN_WORD: "main word reaches the inner board",
    Wings.NEW_TILE: "a new tile on the inner board",
}
_CHALLENGE: Final = {
    Challenge.NONE: "comes off at once",
    Challenge.VOID: "cannot be played",
    Challenge.SINGLE: "stays unless challenged; a failed challenge is free",
    Challenge.DOUBLE: "stays unless challenged; a failed challenge costs a turn",
    Challenge.FIVE: "stays unless challenged; a failed challenge gives 5 points a word",
    Challenge.TEN: "stays unless challenged; a failed challenge gives 10 points",
    Challenge.TRIPLE: "stays unless challenged; who is wrong loses the game",
}
_CHECK: Final = {
    CheckOspd.NONE: "no",
    CheckOspd.OFFICIAL: "yes; if not found, it costs the play's value",
    CheckOspd.DOVER: "yes, word by word; if not found, it costs the word's face value",
}
_LATE: Final = {
    LateBadPlay.STANDS: "stands",
    LateBadPlay.UNTIL_NEXT_TURN: "undone until the next turn is over",
    LateBadPlay.ALWAYS: "always undone",
}


def _count_tiles(rules: RuleSet) -> str:
    sheet = make_tile_sheet(rules)
    return f"{sheet.scoop} of {sheet.total}" if sheet.scoop < sheet.total else str(sheet.total)


def _list_bonuses(points: tuple[int, ...]) -> str:
    """Return bonuses by tiles, such as `5: 10, 6: 30, 7: 50`."""
    return ", ".join([f"{n}: {each}" for n, each in enumerate(points) if each]) or "no"


def _describe_clock(rules: RuleSet) -> str:
    time = write_minutes(rules.clock_seconds)
    if rules.clock is Clock.NONE or not rules.clock_seconds:
        return "as agreed" if rules.clock is Clock.TOTAL else "not limited"
    over = f", then {rules.overtime_points} points a minute" if rules.clock is Clock.OVERTIME else ""
    return f"{time} {'a turn' if rules.clock is Clock.TURN else 'each'}{over}"


COMPARED_RULES: Final[tuple[tuple[str, Callable[[RuleSet], str]], ...]] = (
    ("board", lambda rules: f"{rules.layout.side} by {rules.layout.side}"),
    ("where a play may go", lambda rules: _WINGS[rules.wings] if rules.layout.wings else "anywhere"),
    ("tiles", _count_tiles),
    ("blanks", lambda rules: f"{make_tile_sheet(rules).blanks} of the {make_tile_sheet(rules).total}"),
    ("rack", lambda rules: f"{rules.rack_size} tiles"),
    ("players", lambda rules: "2" if rules.most_players == 2 else f"2 to {rules.most_players}"),
    ("shortest play", lambda rules: _MINIMUM[rules.minimum]),
    ("big play", lambda rules: _list_bonuses(rules.big_play)),
    ("stretch", lambda rules: _list_bonuses(rules.stretch)),
    ("swap for the blank", lambda rules: "yes" if rules.swap else "no"),
    ("several word squares", lambda rules: "add" if rules.premium is Premium.ADD else "multiply"),
    ("small word point cap", lambda rules: "on" if rules.small_word_cap else "off"),
    ("a bad word", lambda rules: _CHALLENGE[rules.challenge]),
    ("check the OSPD", lambda rules: _CHECK[rules.check_ospd]),
    ("two-letter words", lambda rules: str(len(published_word_lists(rules).twos))),
    ("words that are out", lambda rules: str(len(published_word_lists(rules).struck | rules.strike) or "none")),
    ("offensive words", lambda rules: "out" if rules.offensive is Offensive.DISALLOWED else "not told apart"),
    ("exchange", lambda rules: f"with {rules.exchange_min} tiles in the bag"),
    (
        "end without going out",
        lambda rules: {
            EndRule.SCORELESS: f"{rules.scoreless_turns} turns without a new tile",
            EndRule.CYCLE_PLUS_ONE: "a round and a turn without a new tile, bag low",
            EndRule.CYCLE: "a round without a new tile, bag empty",
        }[rules.end],
    ),
    (
        "unplayed tiles, two players",
        lambda rules: (
            "twice to the one who is out" if rules.unplayed_tiles is UnplayedTiles.DOUBLE else "change owners"
        ),
    ),
    ("final racks", lambda rules: "shown, of two players" if rules.expose_final_rack else "hidden"),
    ("unplayed tiles round", lambda rules: "yes" if rules.unplayed_tiles_round else "no"),
    ("time", _describe_clock),
    (
        "too many tiles drawn",
        lambda rules: "all are shown" if rules.overdraw is Overdraw.ALL_EXPOSED else "two more are shown",
    ),
    ("a bad play noticed late", lambda rules: _LATE[rules.late_bad_play]),
    ("a tie", lambda rules: "remains" if rules.ties is Ties.TIE else "by the scores before unplayed tiles"),
)
"""Each rule with what a rule set has for it, in a few words."""


def compare_rule_sets(compared: Collection[RuleSet] = RULE_SETS.values()) -> list[tuple[str, tuple[str, ...]]]:
    """Return the rules, each with its values in the order of the rule sets."""
    return [(rule, tuple([summarize(rules) for rules in compared])) for rule, summarize in COMPARED_RULES]


def render_comparison(compared: Collection[RuleSet] = RULE_SETS.values()) -> str:
    """Return the comparison as text: each rule, and under it a line for each rule set."""
    width = max([len(rules.id) for rules in compared])
    lines = []
    for rule, values in compare_rule_sets(compared):
        lines.append(rule)
        lines += [f"    {rules.id:{width}}  {value}" for rules, value in zip(compared, values, strict=True)]
    return "\n".join(lines)
