"""Premium squares of other boards, by the names that records give them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ordws.rules.layout import STANDARD, STANDARD_ROWS, WITH_WINGS, Layout


class Known(NamedTuple):
    """A layout and what records call it; the first name is the one we say."""

    names: tuple[str, ...]
    layout: Layout


def find_layout(name: str) -> Known | None:
    """The layout of this name, however it is spaced and capitalized."""
    return _BY_NAME.get(_plain(name))


def _mirrored(quarter: str) -> Layout:
    """The layout whose upper left quarter, middle row and column included, is drawn."""
    rows = [row + row[-2::-1] for row in quarter.split()]
    return Layout.drawn(rows + rows[-2::-1])


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_SUPER: Final = _mirrored("""
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
_CROSSPLAY: Final = _mirrored("""
    "..=...'
    .-....".
    ....'...
    =..'...-
    ..'.."..
    ...."..'
    ."......
    '..-.'..
""")
_FRIENDS: Final = _mirrored("""
    ...=..".
    ..'..-..
    .'..'...
    =.."...-
    ..'...'.
    .-..."..
    "...'...
    ...-....
""")
_LEXULOUS: Final = _mirrored("""
    =..'...=
    ..-...'.
    .-..."..
    ....-...
    ...-....
    .."...'.
    .'...'..
    =......-
""")
_WORDFEUD: Final = _mirrored("""
    "...=..'
    .'..."..
    ..-...'.
    ..."...-
    =...-.'.
    ."..."..
    ..'.'...
    '..-....
""")
_DUEL: Final = _mirrored("""
    =...'.
    .-...'
    ..-...
    ..."..
    '...'.
    .'...-
""")
_WITHOUT_CENTRE: Final = Layout.drawn([*STANDARD_ROWS[:7], "=..'.......'..=", *STANDARD_ROWS[8:]])
_BARE: Final = Layout.drawn(["." * 15] * 15)

KNOWN: Final = (
    Known(("CrosswordGame", "standard15", "standard", "classic"), STANDARD),
    Known(("CrosswordGame with wings", "scrabble-i", "dover"), WITH_WINGS),
    Known(("CrosswordGameGmo",), _WITHOUT_CENTRE),
    Known(("SuperCrosswordGame", "super", "standard21"), _SUPER),
    Known(("CrossplayGame", "Crossplay"), _CROSSPLAY),
    Known(("WorldWildlifeFund", "Words With Friends", "WWF"), _FRIENDS),
    Known(("Lexulous",), _LEXULOUS),
    Known(("Wordfeud",), _WORDFEUD),
    Known(("ScrabbleDuel", "duel"), _DUEL),
    Known(("without premium squares", "none"), _BARE),
)
"""By other programs' own names."""

_BY_NAME: Final = {_plain(name): known for known in KNOWN for name in known.names}
