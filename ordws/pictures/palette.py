"""The colours of a board. No colour carries a meaning alone: labels and marks say the same.

For the browser, ordws/web/pages/static/board.css has the same colours.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class ThemeColour(NamedTuple):
    """A colour on a light page and its counterpart on a dark one."""

    light: str
    dark: str


PREMIUM_LABELS: Final = {
    (2, 1): "2l",
    (3, 1): "3l",
    (4, 1): "4l",
    (1, 2): "2w",
    (1, 3): "3w",
    (1, 4): "4w",
}
"""The label of a premium square by its factors, letter and word, as `Layout.premium` returns them."""

BACKGROUNDS: Final = {
    "paper": ThemeColour("#ffffff", "#14181b"),
    "plain": ThemeColour("#dde4e1", "#333d43"),
    "wing": ThemeColour("#f0f3f1", "#1d2225"),
    "2l": ThemeColour("#a3d3ee", "#1f4d66"),
    "2w": ThemeColour("#ec9f68", "#8f4e20"),
    "3l": ThemeColour("#2474b3", "#7db9e0"),
    "3w": ThemeColour("#b3391c", "#e58a6a"),
    "4l": ThemeColour("#1f4e85", "#cfe6f5"),
    "4w": ThemeColour("#5e1426", "#f6c5b4"),
    "tile": ThemeColour("#fdf1cd", "#ecdcb0"),
}
"""The fill of each kind of square and of a tile.

Letter squares are blue and word squares orange, which colour-blind people tell apart. A larger factor is darker, on a
dark page lighter, so that a print in grey still tells them apart.
"""

FOREGROUNDS: Final = {
    "paper": ThemeColour("#22282c", "#e4e8ea"),
    "plain": ThemeColour("#22282c", "#e4e8ea"),
    "wing": ThemeColour("#22282c", "#e4e8ea"),
    "2l": ThemeColour("#10202b", "#ffffff"),
    "2w": ThemeColour("#2b1405", "#ffffff"),
    "3l": ThemeColour("#ffffff", "#10202b"),
    "3w": ThemeColour("#ffffff", "#2b1405"),
    "4l": ThemeColour("#ffffff", "#10202b"),
    "4w": ThemeColour("#ffffff", "#2b1405"),
    "tile": ThemeColour("#1b1712", "#1b1712"),
}
"""The colour of text and signs on each background."""

TILE_EDGE: Final = ThemeColour("#a58643", "#7a642f")
LAST_PLAY: Final = ThemeColour("#7b1fa2", "#d48cf0")
"""The outline of the last play, and the lines of charts."""

STRETCHED_LINE: Final = ThemeColour("#00705a", "#00614e")
"""The line under the run that was stretched."""


def style_sheet() -> str:
    """Return a style element with the colours as variables that a page may set, such as `--ordws-tile`.

    They are dark on a dark screen and light in print. A program that does not support variables ignores the rules and
    uses the colour that each shape has as an attribute.
    """
    light = "".join([f"{name}:{tone.light};" for name, tone in _VARIABLES.items()])
    dark = "".join([f"{name}:{tone.dark};" for name, tone in _VARIABLES.items()])
    shapes = [f".ordws-board .g-{kind}{{fill:var(--ordws-{kind})}}" for kind in BACKGROUNDS]
    shapes += [f".ordws-board .i-{kind}{{fill:var(--ordws-on-{kind})}}" for kind in FOREGROUNDS]
    shapes += [f".ordws-board .s-{kind}{{stroke:var(--ordws-{kind})}}" for kind in ("rim", "last", "stretched")]
    return "\n".join(
        [
            "<style>",
            f":where(.ordws-board){{{light}}}",
            f"@media screen and (prefers-color-scheme:dark){{:where(.ordws-board){{{dark}}}}}",
            "@supports (fill:var(--ordws-paper)){",
            ".ordws-board{max-width:100%;height:auto;print-color-adjust:exact;-webkit-print-color-adjust:exact}",
            *shapes,
            "}",
            "</style>",
        ]
    )


_VARIABLES: Final = {
    **{f"--ordws-{kind}": tone for kind, tone in BACKGROUNDS.items()},
    **{f"--ordws-on-{kind}": tone for kind, tone in FOREGROUNDS.items()},
    "--ordws-rim": TILE_EDGE,
    "--ordws-last": LAST_PLAY,
    "--ordws-stretched": STRETCHED_LINE,
}
