"""`ordws tournament desk`: the director's desk and the players' pages, in a process of their own."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import click

from ordws.cli import instance_option
from ordws.cli.serve import parse_host_and_port


@click.command("desk")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--bind", metavar="HOST:PORT", default="127.0.0.1:8020", show_default=True, help="Where to listen.")
@click.option("--origin", metavar="URL", help="The desk's address in browsers [default: http://HOST:PORT].")
@click.option("--behind-proxy", is_flag=True, help="One proxy is in front, and adds X-Forwarded-For, -Proto and -Host.")
@click.option(
    "--service",
    metavar="URL",
    help="The word judge whose operators may direct, and on which on-line rounds are played.",
)
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help="A file with the key of an operator with the scope tournament, by which on-line rounds are played.",
)
@instance_option
def desk(
    file: Path | None,
    bind: str,
    origin: str | None,
    behind_proxy: bool,
    service: str | None,
    key_file: Path | None,
    instance: str | None,
) -> None:
    """Run the director's desk until SIGTERM, for one FILE or for all events of the installation.

    For a file no network is needed and no key: the desk prints a link by which its directors sign in. With
    --bind 0.0.0.0:8020 the phones of a hall reach it too. Without a file it serves the folder of events of the
    installation; there --service names the word judge whose operators may direct. With --key-file it plays the on-line
    rounds there too.

    \b
    Example:
      ordws tournament desk club.event
      ordws tournament desk --bind 127.0.0.1:8020 --service http://127.0.0.1:8000 --behind-proxy
    """
    from ordws.desk.desk_key import DeskKey
    from ordws.desk.events import Events
    from ordws.desk.players_key import open_players_key, players_key_path
    from ordws.desk.process import DeskSettings, own_key_path, serve
    from ordws.instance import Instance
    from ordws.listeners import reachable_host, resolve_address
    from ordws.server import harden
    from ordws.tournament.store import EventFile

    if key_file:
        from ordws.desk.operators import read_key

        if not service:
            raise click.UsageError("--key-file is for on-line rounds, and they are played at --service URL")
        read_key(key_file)
    host, port = parse_host_and_port(bind, "--bind")
    harden()
    installation = Instance.locate(instance)
    events = file or installation.tournaments
    key_path = own_key_path() if file else installation.desk_key
    if file:
        # A file that does not open is reported here, since the server would restart its worker again and again.
        EventFile.open(file).close()
    key = DeskKey.open(key_path)
    players_key = players_key_path(events, installation) if key_file else None
    if players_key:
        open_players_key(players_key)
    address, port = resolve_address(host, port)
    shown = reachable_host(address)
    url = (origin or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}").rstrip("/")
    click.echo(f"ordws: the desk is at {url}/desk", err=True)
    if not service:
        click.echo(f"ordws: directors sign in by {url}/desk/sign-in#key={key.director_key}", err=True)
    for event in Events(events).all():
        click.echo(f"ordws: players are at {url}/tournament/{event.id}", err=True)
    is_secure = url.startswith("https://")
    hosts: set[str] = set()
    if ip_address(address).is_loopback and not behind_proxy:
        hosts = {"localhost", address, urlsplit(url).hostname or ""}
    settings = DeskSettings(
        events, key_path, players_key, service or "", key_file, is_secure, behind_proxy, frozenset(hosts)
    )
    serve(settings, address, port)
