"""The pictures in tests/vectors/pictures; run as a program, it draws them anew."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ordws.pictures import svg, terminal
from ordws.pictures.slip import render_slip
from ordws.rules.board import board_from_rows, empty_board
from ordws.rules.layout import STANDARD, WITH_WINGS
from ordws.rules.ruleset import RULE_SETS

KEPT = Path(__file__).parent.parent / "vectors" / "pictures"

UNREPENTANT = board_from_rows(
    [
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
        ".....Q.........",
        ".....u.........",
        ".....A.........",
        "...UNREPENTaNT.",
        ".....T.........",
        ".....Z.........",
        "...............",
        "...............",
        "...............",
        "...............",
    ]
)
PLAYED = {
    "title": "9D UN(REPENT)aNT scores 103",
    "last": [(8, 3), (8, 4), (8, 11), (8, 12), (8, 13)],
    "stretched": [(8, column) for column in range(5, 11)],
}

EVENTFUL = board_from_rows(
    [
        ".....................",
        ".....................",
        ".....................",
        ".....................",
        ".....................",
        ".....................",
        ".....................",
        "...............F.....",
        "..........W....R.....",
        "..........A....I.....",
        "..........X..EVENTFUL",
        "..........E....N.....",
        "..........DECKEd.....",
        "...............L.....",
        "...............Y.....",
        ".....................",
        ".....................",
        ".....................",
        ".....................",
        ".....................",
        ".....................",
    ]
)
ENDED = {
    "title": "Round 3",
    "players": [("Anna <the> \u201cgreat\u201d & Bo", 412), ("Cy", 389), ("D\u00f6rte", -12)],
    "last": [(10, 18), (10, 19), (10, 20)],
    "stretched": [(10, column) for column in range(13, 18)],
}


def shown(text: Text, *, colour: bool) -> str:
    """Return what a terminal of 80 columns receives."""
    console = Console(
        file=io.StringIO(), width=80, force_terminal=colour, color_system="truecolor" if colour else None, _environ={}
    )
    console.print(text, soft_wrap=True)
    return console.file.getvalue()


def in_terminal(*, colour: bool) -> dict[str, Callable[[], str]]:
    return {
        "position-15": lambda: shown(
            terminal.draw_board(STANDARD, UNREPENTANT, colour=colour, **PLAYED), colour=colour
        ),
        "empty-15": lambda: shown(
            terminal.draw_board(STANDARD, empty_board(15), title="Position", colour=colour), colour=colour
        ),
    }


CASES: dict[str, Callable[[], str]] = {
    "position-15.svg": lambda: svg.draw_board(STANDARD, UNREPENTANT, **PLAYED),
    "game-21.svg": lambda: svg.draw_board(WITH_WINGS, EVENTFUL, **ENDED),
    "empty-15.svg": lambda: svg.draw_board(STANDARD, empty_board(15), title="Position"),
    **{f"{name}.txt": draw for name, draw in in_terminal(colour=False).items()},
    **{f"{name}.ansi": draw for name, draw in in_terminal(colour=True).items()},
    **{f"slip-{rules.id}.txt": lambda rules=rules: render_slip(rules) for rules in RULE_SETS.values()},
}

if __name__ == "__main__":
    for name, draw in CASES.items():
        (KEPT / name).write_text(draw(), "utf-8")
