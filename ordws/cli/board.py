"""`ordws board`: a drawing of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from rich.console import Console

from ordws.cli import write_output_file
from ordws.cli.rules_option import RULES_BY_SIDE, read_rules, rules_options
from ordws.errors import BadInput
from ordws.pictures.alt_text import Squares
from ordws.pictures.svg import draw_board as draw_svg
from ordws.pictures.terminal import draw_board as draw_terminal
from ordws.records.notation import read_cgp, read_move_with_swaps, write_move
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Play
from ordws.rules.receipt import build_receipt
from ordws.rules.swap import swap

_STANDARD_OUTPUT: Final = Path("-")


@click.command("board")
@click.option("--position", metavar="CGP", required=True, help="Rows joined by /, digits for runs of empty squares.")
@click.option("--move", metavar="PLAY", help='A play to place and outline, as "8D STAiNER"; swaps first, as "=H8".')
@rules_options
@click.option(
    "--svg",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write an SVG file instead; - for standard output.",
)
def command(position: str, move: str | None, rules: str | None, options: tuple[str, ...], svg: Path | None) -> None:
    """Draw a position in the terminal, or as SVG.

    Without --rules it is scrabble-o for 15 rows and scrabble-i for 21.

    \b
    Example:
      ordws board --position 15/15/15/15/15/15/15/15/5HEAT6/15/15/15/15/15/15 --move "9D RE...."
    """
    board = read_cgp(position).board
    rule_set = read_rules(RULES_BY_SIDE[board.side] if rules is None else rules, options)
    layout = rule_set.layout
    if layout.side != board.side:
        raise BadInput(f"the position has {board.side} rows, the board of {rule_set.id} has {layout.side}")
    title = "Position"
    last: Squares = ()
    stretched: Squares = ()
    if move is not None:
        swaps, play = read_move_with_swaps(move)
        if not isinstance(play, Play):
            raise BadInput(f'"{move}" is no play, and only a play can be outlined')
        for square in swaps:
            swapped = swap(rule_set, board, None, *square)
            if isinstance(swapped, Illegal):
                raise BadInput(f'illegal play "{move}": {swapped.message}')
            board, _ = swapped
        ruling = judge(rule_set, board, play)
        if isinstance(ruling, Illegal):
            raise BadInput(f'illegal play "{write_move(play)}": {ruling.message}')
        board = board.with_letters(ruling.tiles)
        title = f"{write_move(play)} scores {ruling.score} ({rule_set.id})"
        last, stretched = ruling.new_squares, build_receipt(ruling).bonus.squares
    if svg is None:
        console = Console()
        colour = console.color_system is not None and not console.no_color
        text = draw_terminal(layout, board, title=title, last=last, stretched=stretched, colour=colour)
        # Rich would break the lines of a board that is wider than the terminal.
        console.print(text, soft_wrap=True)
        return
    picture = draw_svg(layout, board, title=title, last=last, stretched=stretched)
    if svg == _STANDARD_OUTPUT:
        click.echo(picture, nl=False)
    else:
        write_output_file(svg, picture.encode())
