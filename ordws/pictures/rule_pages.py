"""All that the page of a rule set shows, in plain words and pictures.

The facts in its notes are those of the rule books (docs/rules.md 6.6, 6.7), the wording is this project's.
"""

from __future__ import annotations

from textwrap import fill
from typing import Final, NamedTuple

from ordws.pictures.rule_chapters import RuleChapter, describe_rules
from ordws.pictures.rule_examples import DrawnExample, examples_for
from ordws.rules.options import Option, changed_options, list_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists

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
