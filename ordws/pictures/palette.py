"""The colours of a board, by what they colour. No colour carries a meaning alone: labels and marks say the same."""

from __future__ import annotations

from typing import Final, NamedTuple


class ThemeColour(NamedTuple):
    """One colour on a light page, and on a dark one."""

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
"""What a square multiplies, as `Layout.premium` tells it, and how it is labelled."""

BACKGROUNDS: Final = {
    "paper": ThemeColour("#ffffff", "#14181b"),
    "plain": ThemeColour("#dde4e1", "#2b3236"),
    "wing": ThemeColour("#f0f3f1", "#1d2225"),
    "2l": ThemeColour("#a3d3ee", "#1f4d66"),
    "2w": ThemeColour("#ec9f68", "#8f4e20"),
    "3l": ThemeColour("#2474b3", "#7db9e0"),
    "3w": ThemeColour("#b3391c", "#e58a6a"),
    "4l": ThemeColour("#1f4e85", "#cfe6f5"),
    "4w": ThemeColour("#5e1426", "#f6c5b4"),
    "tile": ThemeColour("#fdf1cd", "#ecdcb0"),
}
"""Two hues, blue for letters and orange for words, which colour-blind people tell apart; each grade is darker than
the one before (lighter, on a dark page), so that a print in grey still tells them apart."""

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
"""What is written on each ground."""

TILE_EDGE: Final = ThemeColour("#a58643", "#7a642f")
LAST_PLAY: Final = ThemeColour("#7b1fa2", "#d48cf0")
STRETCHED_LINE: Final = ThemeColour("#00705a", "#00614e")
"""The edge of a tile, the outline of the last play, and the line under what was stretched."""


def style_sheet() -> str:
    """The colours as variables that a page may set, `--ordws-tile` and so on, dark on a dark screen, light in print.

    A program that knows no variables passes it over and takes the colour that each shape bears.
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
