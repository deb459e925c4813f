"""`ordws curate`: the server of the curators' console, with a process and a port of its own."""

from __future__ import annotations

from functools import partial

import click
from flask import Flask

from ordws.atomic_files import write_atomically
from ordws.cli import instance_option
from ordws.cli.curation import open_ledger
from ordws.cli.listening import parse_host_and_port
from ordws.console.state import open_console_state
from ordws.frame.process import Proxy, serve, system_clock
from ordws.instance import Instance
from ordws.listeners import resolve_address
from ordws.server import harden


@click.command("curate")
@click.option("--bind", metavar="HOST:PORT", default="127.0.0.1:8010", show_default=True, help="Where to listen.")
@click.option("--origin", metavar="URL", help="The console's address in browsers [default: http://localhost:PORT].")
@click.option("--sources", metavar="DIR", help="Dictionaries to seal from [default: $ORDWS_SOURCES, else ./sources].")
@click.option("--behind-proxy", is_flag=True, help="One proxy is in front, and adds callers to X-Forwarded-For.")
@instance_option
def command(bind: str, origin: str | None, sources: str | None, behind_proxy: bool, instance: str | None) -> None:
    """Run the curators' console until SIGTERM.

    It runs where editions are built, never on a host that serves them. Curators elsewhere reach it through an HTTPS
    proxy. Give the proxy's address with --origin, since passkeys are bound to it, and add --behind-proxy, since
    otherwise all curators count as one caller. `ordws accounts add` makes the first account.

    Under another name of the same machine, such as 127.0.0.1, pages lead to the address of --origin.

    \b
    Example:
      ordws curate --bind 127.0.0.1:8010
    """
    host, port = parse_host_and_port(bind, "--bind")
    harden()
    installation = Instance.locate(instance)
    # A ledger that does not open is reported here, since the server would restart its worker again and again.
    open_ledger(installation).close()
    address, port = resolve_address(host, port)
    url = (origin or f"http://localhost:{port}").rstrip("/")
    write_atomically(installation.console_address, url.encode())
    click.echo(f"ordws: the console is at {url}", err=True)
    opened = partial(open_console, installation, url, sources)
    serve(opened, "the console", address, port, proxy=Proxy() if behind_proxy else None)


def open_console(instance: Instance, origin: str, sources: str | None) -> Flask:
    """Return the console of an installation, over its ledger and the system's clock."""
    from ordws.console.app import create_app  # in the worker alone: the main process only waits

    state = open_console_state(instance, open_ledger(instance), system_clock)
    return create_app(state, origin=origin, sources=sources)
