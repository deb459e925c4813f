"""`ordws tournament bind`: a pairing is played as a sealed game that there is, or at a table station."""

from __future__ import annotations

from pathlib import Path

import click

from ordws.cli.tournament.event import EventSender, director_options, file_argument
from ordws.errors import BadInput


@click.command("bind")
@file_argument
@click.argument("number", type=int, metavar="ROUND")
@click.argument("table", type=int)
@click.option(
    "--game", "sealed_game", default="", metavar="ID", help="The id of a sealed game, or of a station's game."
)
@click.option("--device", default="", metavar="NAME", help="The table for which the station's device was paired.")
@click.option("--second", is_flag=True, help="The second game of a round with two.")
@director_options
def bind(
    file: Path,
    number: int,
    table: int,
    sealed_game: str,
    device: str,
    second: bool,
    sender: EventSender,
) -> None:
    """Let the game at TABLE of ROUND report itself: as the sealed game --game, or at the station --device.

    A station shows the round, the table and the players' names, and its finished game is the result; it may be
    without a connection meanwhile. A sealed game counts when it is over and its players have the names of the two
    entrants. The desk, or `ordws tournament online`, tells the station and reads the results.

    \b
    Example:
      ordws tournament bind club.event 1 3 --device "Table 3"
      ordws tournament bind club.event 1 4 --game 39ac7eedab3f5807b971fa43ab2a0017
    """
    from ordws.tournament.commands import Bind

    if bool(sealed_game) == bool(device):
        raise BadInput("name one place: --game ID or --device NAME")
    if sealed_game and not (len(sealed_game) == 32 and set(sealed_game) <= set("0123456789abcdef")):
        raise BadInput(f'"{sealed_game}" is no id of a game: it has 32 digits and letters a to f')
    command = Bind(
        round=number,
        table=table,
        game=2 if second else 1,
        sealed_game=sealed_game,
        device=device,
        expected=sender.expected,
    )
    sender.change(file, lambda _: [command])
