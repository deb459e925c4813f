"""`ordws moves`: all plays of a rack on a position, over a list of words that the caller brings."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ordws.cli.rules_option import RULES_BY_SIDE, read_rules, rules_options
from ordws.errors import BadInput
from ordws.lexicon.own_reference import read_list_file
from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate
from ordws.records.cgp import read_cgp
from ordws.records.move_notation import MoveWithSwaps, write_move_with_swaps


@click.command("moves")
@rules_options
@click.option(
    "--words",
    "file",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The list: a word a line, and after a space anything; lines with # say nothing.",
)
@click.option("--position", metavar="CGP", required=True, help="The position, at least its rows.")
@click.option("--rack", metavar="TILES", help="The rack, in capitals, ? for a blank; without it that of the position.")
@click.option("--best", "most", metavar="N", type=click.IntRange(1), help="Print so many moves at most.")
@click.option("--json", "as_json", is_flag=True, help="Print an object a move.")
def command(
    rules: str | None,
    options: tuple[str, ...],
    file: Path,
    position: str,
    rack: str | None,
    most: int | None,
    as_json: bool,
) -> None:
    """List all plays of a rack on a position, the best first.

    The list in FILE alone decides which words are good, those of two letters too; the installation's word set is never
    asked. Under rules with swaps for the blank, the plays after every choice of swaps are listed as well, as
    "=H8 8D STAiNER". Without --rules it is scrabble-o for 15 rows and scrabble-i for 21.

    The JSON has move, score and words, the main word first.

    \b
    Example:
      ordws moves --rules classic --words words.txt --rack AEINST? --best 5 \\
        --position 15/15/15/15/15/15/15/5HEART5/15/15/15/15/15/15/15
    """
    read = read_cgp(position)
    if rack is None:
        if not read.racks:
            raise click.UsageError("--rack is needed, since the position has none")
        rack = read.racks[0]
    rule_set = read_rules(rules or RULES_BY_SIDE[read.board.side], options)
    graph = Graph.from_words(read_list_file(file, "words")[0].words)
    try:
        moves = generate(rule_set, graph, read.board, rack)
    except ValueError as error:
        raise BadInput(str(error)) from error
    for number in range(len(moves) if most is None else min(most, len(moves))):
        play, score, swaps = moves[number]
        move, words = write_move_with_swaps(MoveWithSwaps(swaps, play)), moves.ruling(number).words
        if as_json:
            click.echo(json.dumps({"move": move, "score": score, "words": words}))
        else:
            click.echo(f"{score:4}  {move}  {' '.join(words)}")
