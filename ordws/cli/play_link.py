"""`ordws play-link`: the links with which guests open games on the page /play."""

from __future__ import annotations

import json
import re
import time
from contextlib import closing
from typing import Final

import click

from ordws.api.services import open_play_links
from ordws.cli import instance_option
from ordws.errors import Missing
from ordws.identity.play_links import MAX_GAMES, play_address
from ordws.instance import Instance
from ordws.listeners import is_loopback

LOCAL_ADDRESS: Final = "http://127.0.0.1:8000"
"""The address at which `ordws serve` answers where nothing else is asked."""

_ADDRESS: Final = re.compile(r"https?://[0-9A-Za-z.\-:\[\]]+/?", re.ASCII)


def _read_address(_ctx: click.Context, _parameter: click.Parameter, value: str) -> str:
    if not _ADDRESS.fullmatch(value):
        raise click.BadParameter(f'"{value}" is not an address such as https://ordws.example')
    return value


@click.command("play-link")
@click.option(
    "--address",
    metavar="URL",
    default=LOCAL_ADDRESS,
    show_default=True,
    callback=_read_address,
    help="The service as guests reach it.",
)
@click.option("--name", metavar="NAME", help="Make a link with games of its own, as for a club, and name it.")
@click.option("--games", metavar="N", type=int, help=f"The games a day of the named link, 1 to {MAX_GAMES}.")
@click.option("--withdraw", is_flag=True, help="End all play links, or that of --name, at once and in every process.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
def command(
    address: str, name: str | None, games: int | None, withdraw: bool, as_json: bool, instance: str | None
) -> None:
    """Make a play link and show it: whoever has it opens games on /play without a key.

    Games of links without a name share the guests' budget; a named link has games a day of its own, in any number from
    one address (ordws guard policy shows both). A link works until it is withdrawn; games that it opened go on.

    The link stands alone on the last line, once; the register keeps keyed digests of 64 at most. A name has 1 to 64
    printable characters, and needs --games. The JSON has link, name and games, or how many were withdrawn.

    \b
    Example:
      ordws play-link --address https://ordws.example
      ordws play-link --address https://ordws.example --name "Tuesday club" --games 40
      ordws play-link --withdraw --name "Tuesday club"
    """
    if games is not None and (name is None or withdraw):
        raise click.UsageError("--games goes with --name, which names the link that has them")
    if name is not None and games is None and not withdraw:
        raise click.UsageError("--name goes with --games, the number of games a day of the link")
    with closing(open_play_links(Instance.locate(instance))) as links:
        if withdraw:
            count = links.withdraw(name)
            if name is not None and not count:
                raise Missing(f"there is no play link {json.dumps(name)}", hint="ordws status lists them")
            said = f"{count} play {'link was' if count == 1 else 'links were'} withdrawn"
            click.echo(json.dumps({"withdrawn": count}) if as_json else said)
            return
        now = int(time.time())
        is_local = name is None and is_loopback(address) and links.find_local() is None
        token = links.add_local(now) if is_local else links.add(now, name=name, games=games or 0)
    shown = "again by ordws serve, on this machine" if is_local else "only this once"
    click.echo(f"ordws: the play link is shown {shown}", err=True)
    if is_loopback(address):
        click.echo(
            "ordws: warning: this address works on this machine alone; --address names the one of guests", err=True
        )
    link = play_address(address, token)
    click.echo(json.dumps({"link": link, "name": name, "games": games}) if as_json else link)
