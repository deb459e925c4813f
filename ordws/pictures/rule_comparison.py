"""Rule sets side by side: one row for each rule, computed from the options of each set (docs/rules.md 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from ordws.pictures.clock_text import write_minutes
from ordws.pictures.tile_sheet import make_tile_sheet
from ordws.rules.ruleset import (
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
)
from ordws.rules.rulesets import RULE_SETS, published_word_lists

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
