"""The colours of a board, by what they colour. No colour carries a meaning alone: labels and marks say the same."""

from __future__ import annotations

from typing import Final, NamedTuple


class Tone(NamedTuple):
    """One colour on a light page, and on a dark one."""

    light: str
    dark: str


PREMIUMS: Final = {
    (2, 1): "2l",
    (3, 1): "3l",
    (4, 1): "4l",
    (1, 2): "2w",
    (1, 3): "3w",
    (1, 4): "4w",
}
"""What a square multiplies, as `Layout.premium` tells it, and how it is labelled."""

GROUNDS: Final = {
    "paper": Tone("#ffffff", "#14181b"),
    "plain": Tone("#dde4e1", "#2b3236"),
    "wing": Tone("#f0f3f1", "#1d2225"),
    "2l": Tone("#a3d3ee", "#1f4d66"),
    "2w": Tone("#ec9f68", "#8f4e20"),
    "3l": Tone("#2474b3", "#7db9e0"),
    "3w": Tone("#b3391c", "#e58a6a"),
    "4l": Tone("#1f4e85", "#cfe6f5"),
    "4w": Tone("#5e1426", "#f6c5b4"),
    "tile": Tone("#fdf1cd", "#ecdcb0"),
}
"""Two hues, blue for letters and orange for words, which colour-blind people tell apart; each grade is darker than
the one before (lighter, on a dark page), so that a print in grey still tells them apart."""

INKS: Final = {
    "paper": Tone("#22282c", "#e4e8ea"),
    "plain": Tone("#22282c", "#e4e8ea"),
    "wing": Tone("#22282c", "#e4e8ea"),
    "2l": Tone("#10202b", "#ffffff"),
    "2w": Tone("#2b1405", "#ffffff"),
    "3l": Tone("#ffffff", "#10202b"),
    "3w": Tone("#ffffff", "#2b1405"),
    "4l": Tone("#ffffff", "#10202b"),
    "4w": Tone("#ffffff", "#2b1405"),
    "tile": Tone("#1b1712", "#1b1712"),
}
"""What is written on each ground."""

RIM: Final = Tone("#a58643", "#7a642f")
LAST: Final = Tone("#7b1fa2", "#d48cf0")
STRETCHED: Final = Tone("#00705a", "#00614e")
"""The edge of a tile, the outline of the last play, and the line under what was stretched."""


def style_sheet() -> str:
    """The colours as variables that a page may set, `--ordws-tile` and so on, dark on a dark screen, light in print.

    A program that knows no variables passes it over and takes the colour that each shape bears.
    """
    light = "".join([f"{name}:{tone.light};" for name, tone in _VARIABLES.items()])
    dark = "".join([f"{name}:{tone.dark};" for name, tone in _VARIABLES.items()])
    shapes = [f".ordws-board .g-{kind}{{fill:var(--ordws-{kind})}}" for kind in GROUNDS]
    shapes += [f".ordws-board .i-{kind}{{fill:var(--ordws-on-{kind})}}" for kind in INKS]
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
    **{f"--ordws-{kind}": tone for kind, tone in GROUNDS.items()},
    **{f"--ordws-on-{kind}": tone for kind, tone in INKS.items()},
    "--ordws-rim": RIM,
    "--ordws-last": LAST,
    "--ordws-stretched": STRETCHED,
}
