"""`ordws board`: a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from ordws.cli.output_file import write_output_file
from ordws.cli.rules_option import read_rules, rules_options

if TYPE_CHECKING:
    from ordws.pictures.alt_text import Squares
    from ordws.rules.board import Board
    from ordws.rules.ruleset import RuleSet

_RULES_BY_SIDE: Final = {15: "scrabble-o", 21: "scrabble-i"}
"""By which rules a position is drawn when none are named: the same game on either board."""

_STANDARD_OUTPUT: Final = Path("-")


@click.command("board")
@click.option("--position", metavar="CGP", required=True, help="Rows joined by /, digits for runs of empty squares.")
@click.option("--move", metavar="PLAY", help='A play to lay down and outline, as "8D STAiNER"; swaps first, as "=H8".')
@rules_options
@click.option(
    "--svg",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write an SVG file instead; - for standard output.",
)
def command(position: str, move: str | None, rules: str | None, options: tuple[str, ...], svg: Path | None) -> None:
    """Draw a position of 15 or 21 rows in the terminal, or as SVG.

    Without --rules it is scrabble-o for 15 rows and scrabble-i for 21.

    \b
    Example:
      ordws board --position 15/15/15/15/15/15/15/15/5HEAT6/15/15/15/15/15/15 --move "9D RE...."
    """
    from ordws.pictures import svg as drawing
    from ordws.records.cgp import read_cgp

    board = read_cgp(position).board
    ruled = read_rules(_RULES_BY_SIDE[board.side] if rules is None else rules, options)
    _check_side(ruled, board)
    shown = _MarkedBoard(board, "Position") if move is None else _lay_play(ruled, board, move)
    if svg is None:
        _print_board(ruled, shown)
        return
    text = drawing.draw_position(
        ruled.layout, shown.board, title=shown.title, last=shown.last, stretched=shown.stretched
    )
    if svg == _STANDARD_OUTPUT:
        click.echo(text, nl=False)
    else:
        write_output_file(svg, text.encode())


class _MarkedBoard(NamedTuple):
    """A board with what is marked on it."""

    board: Board
    title: str
    last: Squares = ()
    stretched: Squares = ()


def _check_side(rules: RuleSet, board: Board) -> None:
    from ordws.errors import BadInput

    side = rules.layout.side
    if side != board.side:
        raise BadInput(f"the position has {board.side} rows, the board of {rules.id} has {side}")


def _lay_play(rules: RuleSet, board: Board, text: str) -> _MarkedBoard:
    """The board after a play that fits; raises BadInput with what is wrong with it."""
    from ordws.errors import BadInput
    from ordws.records.move_notation import read_move_with_swaps, write_move
    from ordws.rules.fault import Illegal
    from ordws.rules.judge import judge
    from ordws.rules.move import Play
    from ordws.rules.receipt import build_receipt
    from ordws.rules.swap import swap

    swaps, play = read_move_with_swaps(text)
    if not isinstance(play, Play):
        raise BadInput(f'"{text}" is no play, and only a play can be outlined')
    for square in swaps:
        swapped = swap(rules, board, None, *square)
        if isinstance(swapped, Illegal):
            raise BadInput(f'illegal play "{text}": {swapped.message}')
        board, _ = swapped
    ruling = judge(rules, board, play)
    if isinstance(ruling, Illegal):
        raise BadInput(f'illegal play "{write_move(play)}": {ruling.message}')
    title = f"{write_move(play)} scores {ruling.score} ({rules.id})"
    return _MarkedBoard(
        board.with_letters(ruling.tiles), title, ruling.new_squares, build_receipt(ruling).bonus.squares
    )


def _print_board(rules: RuleSet, marked: _MarkedBoard) -> None:
    from rich.console import Console

    from ordws.pictures.terminal import draw_position

    console = Console()
    colour = console.color_system is not None and not console.no_color
    drawn = draw_position(
        rules.layout, marked.board, title=marked.title, last=marked.last, stretched=marked.stretched, colour=colour
    )
    console.print(drawn, soft_wrap=True)
