"""Options as text: `premium=add` makes another rule set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias, get_type_hints

from ordws.rules.layout import LARGEST_SIDE, MARKS, STANDARD_ROWS, Layout
from ordws.rules.published_lists import DISALLOWED_LISTS, TWO_LETTER_LISTS
from ordws.rules.ruleset import MinimumLength, OptionInfo, RuleSet
from ordws.rules.rulesets import RULE_SETS
from ordws.rules.tiles import TILE_SETS, TileSet

OptionValues: TypeAlias = Mapping[str, object]
"""By name: a text, number, truth value or None; a list of rows for a layout, points by tiles for a bonus."""

OPTION_INFO: Final[dict[str, OptionInfo]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(RuleSet, include_extras=True).items()
    if hasattr(hint, "__metadata__")
} | {"board": OptionInfo("squares a side: the layout alone, or with wings of three rows (RULES 2.4)")}
"""Every option there is. `board` is a part of the layout, the others are fields of RuleSet."""

_WINGS: Final = 3
_LONGEST_SHOWN: Final = 40
_CHOICES: Final[dict[str, Mapping[str, Any]]] = {
    "two_letter_words": TWO_LETTER_LISTS,
    "disallowed_words": DISALLOWED_LISTS,
    "tiles": TILE_SETS,
}
_SHORTEST: Final = {MinimumLength.NONE: 2, MinimumLength.MAIN3: 3, MinimumLength.ANY3: 3}
_BOOLEANS: Final = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


class BadOption(ValueError):
    """Options that do not exist or do not take what was given; names all of them and what there is."""


class Option(NamedTuple):
    """An option of a rule set: what it is set to, what it may be set to, and what it is for."""

    name: str
    value: str
    values: str
    description: str


def with_options(rules: RuleSet, options: OptionValues) -> RuleSet:
    """The rule set with some options set otherwise; raises BadOption, naming all that is wrong."""
    faults = [
        f'there is no option "{_truncate(name)}", but {", ".join(sorted(OPTION_INFO))}'
        for name in options
        if name not in OPTION_INFO
    ]
    changes: dict[str, Any] = {}
    for name in [name for name in OPTION_INFO if name in options]:
        try:
            changes[name] = _parse_option(rules, name, _value_text(options[name]))
        except ValueError as err:
            faults.append(f"option {name}: {err}")
    faults += _find_conflicts(rules, changes, options)
    if faults:
        raise BadOption("; ".join(faults))
    return _apply_changes(rules, changes)


def list_options(rules: RuleSet) -> list[Option]:
    """All options as they are set."""
    return [
        Option(name, option_text(rules, name), _allowed_values(rules, name), about.description)
        for name, about in OPTION_INFO.items()
    ]


def changed_options(rules: RuleSet) -> dict[str, str]:
    """The options that are set otherwise than in the rule set of that name."""
    base = RULE_SETS[rules.id]
    varied = {name: value for name in OPTION_INFO if (value := option_text(rules, name)) != option_text(base, name)}
    if rules.layout.wings != base.layout.wings:
        varied["board"] = option_text(rules, "board")  # a smaller layout with wings may be as large as the base without
    return varied


def option_text(rules: RuleSet, name: str) -> str:
    """An option's value as text, which reads back the same."""
    value = rules.layout.side if name == "board" else getattr(rules, name)
    match value:
        case bool():
            return "on" if value else "off"
        case Enum():
            return str(value.value)
        case TileSet():
            return value.name
        case Layout():
            return "standard" if value.rows == STANDARD_ROWS else "/".join(value.rows)
        case tuple():
            last = len(value) - 1
            return ",".join([f"{n}:{points}" for n, points in enumerate(value) if points or n == last]) or "none"
        case _:
            return str(value)


def _apply_changes(rules: RuleSet, changes: dict[str, Any]) -> RuleSet:
    layout: Layout = changes.get("layout", rules.layout)
    if "layout" in changes or "board" in changes:
        side = changes.pop("board", len(layout.rows) + 2 * rules.layout.wings)
        changes["layout"] = layout.with_wings((side - len(layout.rows)) // 2)
    return replace(rules, **changes)


def _find_conflicts(rules: RuleSet, changes: dict[str, Any], options: OptionValues) -> list[str]:
    """What each option takes and two of them together do not, where both could be read."""
    faults = []
    refused = options.keys() - changes.keys()
    tiles: TileSet = changes.get("tiles", rules.tiles)
    scoop = changes.get("scoop", rules.scoop)
    if scoop > tiles.total and not refused & {"tiles", "scoop"}:
        faults.append(f"option scoop: {scoop} tiles cannot be drawn from the {tiles.total} of {tiles.name}")
    size, least = changes.get("rack_size", rules.rack_size), _SHORTEST[changes.get("minimum", rules.minimum)]
    if size < least and not refused & {"rack_size", "minimum"}:
        faults.append(f"option rack_size: a first play has {least} letters at least, {size} could not make one")
    if not refused & {"layout", "board"}:
        faults += _find_board_faults(changes.get("layout", rules.layout), changes.get("board"), rules.layout.wings)
    return faults


def _find_board_faults(layout: Layout, board: int | None, wings: int) -> list[str]:
    """What is wrong with the size of a board, said or following from its layout and the wings of the rule set."""
    sides, n = _board_sides(layout), len(layout.rows)
    if board is None and n + 2 * wings > LARGEST_SIDE:
        rows = n + 2 * wings
        return [f"option layout: {n} rows and wings of {wings} on each side make {rows}, {LARGEST_SIDE} are the most"]
    if board is not None and board not in sides:
        return [f'option board: "{board}" is none of {_join_choices(sides)}']
    return []


def _truncate(text: str) -> str:
    """What was given, as an error repeats it."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _value_text(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case list():
            return "/".join([str(row) for row in value])
        case dict():
            return ",".join([f"{n}:{points}" for n, points in value.items()]) or "none"
        case None:
            return "none"
        case _:
            return str(value)


def _parse_option(rules: RuleSet, name: str, text: str) -> object:
    """An option's value from its text; raises ValueError saying what exists."""
    if name in _CHOICES:
        named = _one_of(text, _CHOICES[name])
        return TILE_SETS[named] if name == "tiles" else named
    if name == "layout":
        return Layout.from_rows(STANDARD_ROWS if text == "standard" else text.split("/"))
    if name in ("big_play", "stretch"):
        return _parse_bonus_table(text)
    value = None if name == "board" else getattr(rules, name)
    match value:
        case bool():
            return _BOOLEANS[_one_of(text.lower(), _BOOLEANS)]
        case Enum():
            kind = type(value)
            return kind(_one_of(text, [member.value for member in kind]))
        case _:
            return _parse_number(text, OPTION_INFO[name])


def _one_of(text: str, known: Any) -> str:
    if text not in known:
        raise ValueError(f'"{_truncate(text)}" is none of {_join_choices(known)}')
    return text


def _join_choices(known: Any) -> str:
    return ", ".join([str(each) for each in known])


def _parse_number(text: str, info: OptionInfo) -> int:
    most = info.maximum or 99
    if not (text.isascii() and text.isdigit() and len(text) < 7 and info.minimum <= int(text) <= most):
        raise ValueError(f'"{_truncate(text)}" is no number from {info.minimum} to {most}')
    return int(text)


def _parse_bonus_table(text: str) -> tuple[int, ...]:
    """Points by tiles, as `5:10,6:30`; `none` for no bonus."""
    if text == "none":
        return ()
    points: dict[int, int] = {}
    for pair in text.split(","):
        n, colon, value = pair.partition(":")
        if not (colon and n.isascii() and n.isdigit() and value.isascii() and value.isdigit() and len(pair) < 8):
            raise ValueError(f'"{_truncate(pair)}" is not of the form TILES:POINTS, as in 5:10,6:30; or none')
        if not 1 <= int(n) <= 21 or int(n) in points:
            raise ValueError(f'"{_truncate(pair)}" does not name 1 to 21 tiles, each number once')
        points[int(n)] = int(value)
    return tuple([points.get(n, 0) for n in range(max(points) + 1)])


def _board_sides(layout: Layout) -> list[int]:
    inner = len(layout.rows)
    return [side for side in (inner, inner + 2 * _WINGS) if side <= LARGEST_SIDE]


def _allowed_values(rules: RuleSet, name: str) -> str:
    """What an option may be set to, for people."""
    if name in _CHOICES:
        return " | ".join(_CHOICES[name])
    if name == "layout":
        return f"standard | rows of {' '.join(MARKS)} joined by /"
    if name in ("big_play", "stretch"):
        return "none | TILES:POINTS,..."
    if name == "board":
        return " | ".join([str(side) for side in _board_sides(rules.layout)])
    value = getattr(rules, name)
    match value:
        case bool():
            return "on | off"
        case Enum():
            return " | ".join([str(member.value) for member in type(value)])
        case _:
            return f"{OPTION_INFO[name].minimum} to {OPTION_INFO[name].maximum}"
