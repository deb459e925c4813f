"""Options as text: `premium=add` makes another rule set (docs/rules.md 11).

In the browser, ordws/web/pages/static/rules.js applies options that were parsed here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, get_type_hints

from ordws.rules.layout import LARGEST_SIDE, MARKS, STANDARD_ROWS, Layout
from ordws.rules.published_lists import DISALLOWED_LISTS, TWO_LETTER_LISTS, read_words
from ordws.rules.ruleset import RULE_SETS, MinimumLength, OptionInfo, RuleSet, UnplayedReward
from ordws.rules.tiles import TILE_SETS, TileSet

OptionValues: TypeAlias = Mapping[str, object]
"""The values of options by name: text, number, bool or None; a list of rows for a layout, a dict for a bonus table."""

OPTION_INFO: Final[dict[str, OptionInfo]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(RuleSet, include_extras=True).items()
    if hasattr(hint, "__metadata__")
} | {"board": OptionInfo("squares a side: the layout alone, or with wings of three rows (docs/rules.md 2.4)")}
"""Every option by name. `board` is a part of the layout, the others are fields of RuleSet."""

WORD_LISTS: Final = {"allow": (21, 50), "strike": (21, 50), "twos": (2, 200)}
"""The options that are lists of words: the letters that a word may have, and the words that a list may."""

WINGS: Final = 3
"""The rows of wings that a board may have on each side."""

_LONGEST_SHOWN: Final = 40
_MOST_FAULTS: Final = 5
"""The faults that an error tells: more would make a reply many times as long as its request."""

_CHOICES: Final[dict[str, Mapping[str, Any]]] = {
    "two_letter_words": TWO_LETTER_LISTS,
    "disallowed_words": DISALLOWED_LISTS,
    "tiles": TILE_SETS,
}
_SHORTEST: Final = {MinimumLength.NONE: 2, MinimumLength.MAIN3: 3, MinimumLength.ANY3: 3}
_BOOLEANS: Final = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


class BadOption(ValueError):
    """Options that do not exist or have a bad value; the message names the first faults and the values there are."""


class Option(NamedTuple):
    """An option of a rule set: its value, the values that it may have, and its purpose."""

    name: str
    value: str
    values: str
    description: str


def with_options(rules: RuleSet, options: OptionValues) -> RuleSet:
    """Return the rule set with some options changed; raises BadOption, naming the first faults."""
    if not options:
        return rules
    if len(options) > len(OPTION_INFO):
        raise BadOption(f"{len(options)} options were given, there are {len(OPTION_INFO)}")
    faults = []
    if unknown := [name for name in options if name not in OPTION_INFO]:
        shown = " or ".join([f'"{_truncate(name)}"' for name in unknown[:_MOST_FAULTS]])
        faults.append(f"there is no option {shown}, but {', '.join(sorted(OPTION_INFO))}")
    changes: dict[str, Any] = {}
    # In the order of OPTION_INFO, so that faults do not depend on the order in which options were given.
    for name in [name for name in OPTION_INFO if name in options]:
        try:
            given = options[name]
            if name in WORD_LISTS and isinstance(given, list):
                given = ",".join([str(word) for word in given]) or None
            changes[name] = _parse_option(rules, name, _value_text(given))
        except ValueError as err:
            faults.append(f"option {name}: {err}")
    faults += _find_conflicts(rules, changes, options.keys() - changes.keys())
    if faults:
        raise BadOption("; ".join(faults[:_MOST_FAULTS]))
    if "layout" in changes or "board" in changes:
        layout: Layout = changes.get("layout", rules.layout)
        side = changes.pop("board", len(layout.rows) + 2 * rules.layout.wings)
        changes["layout"] = layout.with_wings((side - len(layout.rows)) // 2)
    return replace(rules, **changes)


def list_options(rules: RuleSet) -> list[Option]:
    """Return all options with their values in a rule set."""
    return [
        Option(name, option_text(rules, name), _allowed_values(rules, name), info.description)
        for name, info in OPTION_INFO.items()
    ]


def changed_options(rules: RuleSet) -> dict[str, str]:
    """Return the options whose values differ from those of the original rule set with the same id."""
    return dict(_changed_options(rules))


# A game says them with every standing, and finding them takes as long as judging a play.
@lru_cache(maxsize=256)
def _changed_options(rules: RuleSet) -> Mapping[str, str]:
    base = RULE_SETS[rules.id]
    changed = {name: value for name in OPTION_INFO if (value := option_text(rules, name)) != option_text(base, name)}
    if rules.layout.wings != base.layout.wings:
        # A smaller layout with wings may have as many squares a side as the base without, so that no text differs.
        changed["board"] = option_text(rules, "board")
    return changed


def option_text(rules: RuleSet, name: str) -> str:
    """Return the value of an option as text, which `with_options` reads back."""
    return _value_text(rules.layout.side if name == "board" else getattr(rules, name))


def _value_text(value: object) -> str:
    """Return a value as text: that of a RuleSet's field, or one that a program passes for it."""
    match value:
        case bool():
            return "on" if value else "off"
        case None:
            return "none"
        case Enum():
            return str(value.value)
        case TileSet():
            return value.name
        case Layout():
            return "standard" if value.rows == STANDARD_ROWS else "/".join(value.rows)
        case list():
            return "/".join([str(row) for row in value])
        case frozenset():
            return ",".join(sorted(value)) or "none"
        case dict():
            return ",".join([f"{n}:{points}" for n, points in value.items()]) or "none"
        case tuple():
            # The last entry counts even if it is 0: it holds for larger plays too.
            last = len(value) - 1
            return ",".join([f"{n}:{points}" for n, points in enumerate(value) if points or n == last]) or "none"
        case _:
            return str(value)


def _find_conflicts(rules: RuleSet, changes: dict[str, Any], refused: Set[str]) -> list[str]:
    """Return the faults of options that are valid alone but not together, unless one of them was refused already."""
    faults = []
    allowed, struck = [changes.get(name, getattr(rules, name)) for name in ("allow", "strike")]
    if (both := allowed & struck) and not refused & {"allow", "strike"}:
        faults.append(f'option strike: "{min(both)}" is among the words of the option allow too')
    tiles: TileSet = changes.get("tiles", rules.tiles)
    scoop = changes.get("scoop", rules.scoop)
    if scoop > tiles.total and not refused & {"tiles", "scoop"}:
        faults.append(f"option scoop: {scoop} tiles cannot be drawn from the {tiles.total} of {tiles.name}")
    size, least = changes.get("rack_size", rules.rack_size), _SHORTEST[changes.get("minimum", rules.minimum)]
    if size < least and not refused & {"rack_size", "minimum"}:
        faults.append(f"option rack_size: a first play has {least} letters at least, {size} could not make one")
    layout, board = changes.get("layout", rules.layout), changes.get("board")
    n, wings, sides = len(layout.rows), rules.layout.wings, _board_sides(layout)
    if refused & {"layout", "board"}:
        return faults
    if board is None and (rows := n + 2 * wings) > LARGEST_SIDE:
        faults.append(
            f"option layout: {n} rows and wings of {wings} on each side make {rows}, {LARGEST_SIDE} are the most"
        )
    if board is not None and board not in sides:
        faults.append(f'option board: "{board}" is none of {_join_choices(sides)}')
    return faults


def _truncate(text: str) -> str:
    """Return a given text as short as an error may repeat it."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _parse_option(rules: RuleSet, name: str, text: str) -> object:
    """Return the value of an option from its text; raises ValueError naming the values there are."""
    if name in _CHOICES:
        choice = _one_of(text, _CHOICES[name])
        return TILE_SETS[choice] if name == "tiles" else choice
    if name == "layout":
        return Layout.from_rows(STANDARD_ROWS if text == "standard" else text.split("/"))
    if name in WORD_LISTS:
        return read_words(text, *WORD_LISTS[name])
    if name in ("big_play", "stretch"):
        # Points by number of tiles, as 5:10,6:30, or none.
        points: dict[int, int] = {}
        for pair in text.split(",") if text != "none" else ():
            n, colon, points_text = pair.partition(":")
            are_numbers = n.isascii() and n.isdigit() and points_text.isascii() and points_text.isdigit()
            if not (colon and are_numbers and len(pair) < 8):
                raise ValueError(f'"{_truncate(pair)}" is not of the form TILES:POINTS, as in 5:10,6:30; or none')
            if not 1 <= int(n) <= 21 or int(n) in points:
                raise ValueError(f'"{_truncate(pair)}" does not name 1 to 21 tiles, each number once')
            points[int(n)] = int(points_text)
        return tuple([points.get(count, 0) for count in range(max(points, default=-1) + 1)])
    if name == "unplayed_reward" and text in (rewards := {member.value: member for member in UnplayedReward}):
        return rewards[text]
    value = None if name in ("board", "unplayed_reward") else getattr(rules, name)
    match value:
        case bool():
            return _BOOLEANS[_one_of(text.lower(), _BOOLEANS)]
        case Enum():
            kind = type(value)
            return kind(_one_of(text, [member.value for member in kind]))
        case _:
            # `board` has no largest value of its own: which sides there are depends on the layout.
            _, least, most = OPTION_INFO[name]
            # `isdigit` also accepts the digits of other scripts, and superscripts, for which `int` raises.
            if not (text.isascii() and text.isdigit() and len(text) < 7 and least <= int(text) <= (most or 99)):
                others = ", score or face" if name == "unplayed_reward" else ""
                raise ValueError(f'"{_truncate(text)}" is no number from {least} to {most or 99}{others}')
            return int(text)


def _one_of(text: str, choices: Collection[str]) -> str:
    if text not in choices:
        raise ValueError(f'"{_truncate(text)}" is none of {_join_choices(choices)}')
    return text


def _join_choices(choices: Collection[object]) -> str:
    return ", ".join([str(choice) for choice in choices])


def _board_sides(layout: Layout) -> list[int]:
    """Return the sides that a board with this layout may have: without wings, and with them where there is room."""
    inner = len(layout.rows)
    return [side for side in (inner, inner + 2 * WINGS) if side <= LARGEST_SIDE]


def _allowed_values(rules: RuleSet, name: str) -> str:
    """Return the values that an option may have, as people read them."""
    match name:
        case "two_letter_words" | "disallowed_words" | "tiles":
            return " | ".join(_CHOICES[name])
        case "layout":
            return f"standard | rows of {' '.join(MARKS)} joined by /"
        case "big_play" | "stretch":
            return "none | TILES:POINTS,..."
        case "allow" | "strike" | "twos":
            longest, most = WORD_LISTS[name]
            return f"none | WORD,... of {'2' if longest == 2 else f'2 to {longest}'} letters, at most {most} words"
        case "board":
            return " | ".join([str(side) for side in _board_sides(rules.layout)])
        case "unplayed_reward":
            return "score | face | 1 to 500"
    match getattr(rules, name):
        case bool():
            return "on | off"
        case Enum() as value:
            return " | ".join([str(member.value) for member in type(value)])
        case _:
            return f"{OPTION_INFO[name].minimum} to {OPTION_INFO[name].maximum}"
