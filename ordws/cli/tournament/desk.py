"""`ordws tournament desk`: the director's desk and the players' pages, in a process of their own."""

from __future__ import annotations

import json
from ipaddress import ip_address
from pathlib import Path
from socket import socket
from urllib.parse import urlsplit

import click

from ordws.cli import instance_option
from ordws.cli.listening import listener_url, parse_host_and_port, parse_metrics
from ordws.cli.tournament.event import json_option
from ordws.desk.desk_key import DeskKey, own_key_path, players_key_path
from ordws.desk.events import Events
from ordws.desk.process import DeskSettings, serve
from ordws.instance import Instance
from ordws.listeners import reachable_host, resolve_address
from ordws.metrics_server import listen_for_metrics
from ordws.row_cipher import open_key
from ordws.server import harden
from ordws.tournament.store import EventFile


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
@click.option(
    "--metrics",
    metavar="HOST:PORT|off",
    default="off",
    show_default=True,
    help="Where Prometheus finds /metrics, on this host's loopback.",
)
@instance_option
@json_option
def desk(
    file: Path | None,
    bind: str,
    origin: str | None,
    behind_proxy: bool,
    service: str | None,
    key_file: Path | None,
    metrics: str,
    instance: str | None,
    as_json: bool,
) -> None:
    """Run the director's desk until SIGTERM, for one FILE or for all events of the installation.

    For a file no network is needed and no key: the desk prints a link by which its directors sign in. With
    --bind 0.0.0.0:8020 the phones of a hall reach it too. Without a file it serves the folder of events of the
    installation; there --service names the word judge whose operators may direct. With --key-file it plays the on-line
    rounds there too. With --json the addresses are printed as an object, on one line, before it serves.

    The object has desk (its address), sign_in (the directors' link, null with --service), players (the address of
    each event's pages, by the event's name in addresses) and metrics (an address, or null).

    \b
    Example:
      ordws tournament desk club.event
      ordws tournament desk --bind 127.0.0.1:8020 --service http://127.0.0.1:8000 --behind-proxy
    """
    if key_file:
        check_key_file(key_file, service)
    host, port = parse_host_and_port(bind, "--bind")
    harden()
    installation = Instance.locate(instance)
    events = file or installation.tournaments
    key_path = own_key_path("desk") if file else installation.desk_key
    sessions = key_path.with_name("desk.sessions") if file else installation.desk_sessions
    if file:
        # A file that does not open is reported here, since the server would restart its worker again and again.
        EventFile.open(file).close()
    key = DeskKey.open(key_path)
    players_key = players_key_path(events, installation) if key_file else None
    if players_key:
        open_key(players_key)
    address, port = resolve_address(host, port)
    shown = reachable_host(address)
    url = (origin or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}").rstrip("/")
    metrics_address = parse_metrics(metrics)
    listener = listen_for_metrics(*metrics_address) if metrics_address else None
    ids = [event.id for event in Events(events).all()]
    print_addresses(url, "" if service else key.director_key, ids, listener, as_json=as_json)
    # A desk that this machine alone sees answers under its own names alone.
    is_seen = behind_proxy or not ip_address(address).is_loopback
    hosts = frozenset[str]() if is_seen else frozenset(("localhost", address, urlsplit(url).hostname or ""))
    is_secure, judge = url.startswith("https://"), service or ""
    settings = DeskSettings(events, key_path, sessions, players_key, judge, key_file, is_secure, behind_proxy, hosts)
    serve(settings, address, port, listener)


def check_key_file(path: Path, service: str | None) -> None:
    """Raise an error before anything is served where a key is of no use, or the file holds none."""
    # The desk of an event in person needs no client of the service.
    from ordws.desk.operators import read_key

    if not service:
        raise click.UsageError("--key-file is for on-line rounds, and they are played at --service URL")
    read_key(path)


def print_addresses(url: str, key: str, events: list[str], listener: socket | None, *, as_json: bool) -> None:
    """Print where directors, who sign in by `key`, the players of the events and collectors of metrics find a desk."""
    desk, sign_in = f"{url}/desk", f"{url}/desk/sign-in#key={key}" if key else None
    players = {event: f"{url}/tournament/{event}" for event in events}
    metrics = f"{listener_url(listener)}/metrics" if listener else None
    if as_json:
        click.echo(json.dumps({"desk": desk, "sign_in": sign_in, "players": players, "metrics": metrics}))
        return
    if sign_in:
        click.echo(f"ordws: directors sign in by {sign_in}", err=True)
        click.echo(f"ordws: once signed in, they find the desk at {desk}", err=True)
    else:
        click.echo(f"ordws: directors sign in with the key of an operator at {desk}", err=True)
    for address in players.values():
        click.echo(f"ordws: players see their tables and the standings at {address}", err=True)
    if metrics:
        click.echo(f"ordws: metrics are at {metrics}", err=True)
