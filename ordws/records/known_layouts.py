"""The premium squares of other boards, by the names that records give them (docs/reference/records.md)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ordws.rules.layout import STANDARD, STANDARD_ROWS, WITH_WINGS, Layout


class KnownLayout(NamedTuple):
    """A layout and its names in records; findings use the first."""

    names: tuple[str, ...]
    layout: Layout


def find_layout(name: str) -> KnownLayout | None:
    """Return the layout of this name in any spacing and case, None if there is none."""
    return _BY_NAME.get(_normalize_name(name))


def _layout_from_quarter(quarter: str) -> Layout:
    """Return the layout whose upper left quarter is drawn, with its middle row and column."""
    rows = [row + row[-2::-1] for row in quarter.split()]
    return Layout.from_rows(rows + rows[-2::-1])


def _normalize_name(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_SUPER: Final = _layout_from_quarter("""
    ~..'...=..'
    .-.."...-..
    ..-..^...-.
    '..=..'...=
    ."..-..."..
    ..^..-...'.
    ...'..-...'
    =......-...
    .-.."..."..
    ..-..'...'.
    '..=..'...-
""")
_CROSSPLAY: Final = _layout_from_quarter("""
    "..=...'
    .-....".
    ....'...
    =..'...-
    ..'.."..
    ...."..'
    ."......
    '..-.'..
""")
_FRIENDS: Final = _layout_from_quarter("""
    ...=..".
    ..'..-..
    .'..'...
    =.."...-
    ..'...'.
    .-..."..
    "...'...
    ...-....
""")
_LEXULOUS: Final = _layout_from_quarter("""
    =..'...=
    ..-...'.
    .-..."..
    ....-...
    ...-....
    .."...'.
    .'...'..
    =......-
""")
_WORDFEUD: Final = _layout_from_quarter("""
    "...=..'
    .'..."..
    ..-...'.
    ..."...-
    =...-.'.
    ."..."..
    ..'.'...
    '..-....
""")
_DUEL: Final = _layout_from_quarter("""
    =...'.
    .-...'
    ..-...
    ..."..
    '...'.
    .'...-
""")
_WITHOUT_CENTRE: Final = Layout.from_rows([*STANDARD_ROWS[:7], "=..'.......'..=", *STANDARD_ROWS[8:]])
_BARE: Final = Layout.from_rows(["." * 15] * 15)

KNOWN_LAYOUTS: Final = (
    KnownLayout(("CrosswordGame", "standard15", "standard", "classic"), STANDARD),
    KnownLayout(("CrosswordGame with wings", "scrabble-i", "dover"), WITH_WINGS),
    KnownLayout(("CrosswordGameGmo",), _WITHOUT_CENTRE),
    KnownLayout(("SuperCrosswordGame", "super", "standard21"), _SUPER),
    KnownLayout(("CrossplayGame", "Crossplay"), _CROSSPLAY),
    KnownLayout(("WorldWildlifeFund", "Words With Friends", "WWF"), _FRIENDS),
    KnownLayout(("Lexulous",), _LEXULOUS),
    KnownLayout(("Wordfeud",), _WORDFEUD),
    KnownLayout(("ScrabbleDuel", "duel"), _DUEL),
    KnownLayout(("without premium squares", "none"), _BARE),
)
"""Layouts under the names that other programs give them, our own after those."""

_BY_NAME: Final = {_normalize_name(name): known for known in KNOWN_LAYOUTS for name in known.names}
