"""`ordws cases serve`: the pages for reviewers and players, with a process and a port of their own."""

from __future__ import annotations

from functools import partial

import click
from flask import Flask

from ordws.atomic_files import write_atomically
from ordws.cases.pages.app import create_review_app
from ordws.cases.pages.state import open_review_state
from ordws.cli import instance_option
from ordws.cli.listening import parse_host_and_port
from ordws.frame.process import Proxy, serve, system_clock
from ordws.instance import Instance
from ordws.listeners import resolve_address
from ordws.server import harden


@click.command("serve")
@click.option("--bind", metavar="HOST:PORT", default="127.0.0.1:8011", show_default=True, help="Where to listen.")
@click.option("--origin", metavar="URL", help="Their address in browsers [default: http://localhost:PORT].")
@click.option("--behind-proxy", is_flag=True, help="One proxy is in front, and adds callers to X-Forwarded-For.")
@instance_option
def serve_command(bind: str, origin: str | None, behind_proxy: bool, instance: str | None) -> None:
    """Run the pages for reviewers and players until SIGTERM.

    Reviewers elsewhere reach them through an HTTPS proxy. Give the proxy's address with --origin, since passkeys are
    bound to it, and add --behind-proxy. `ordws accounts add NAME --of cases` makes the first account.

    \b
    Example:
      ordws cases serve --bind 127.0.0.1:8011
    """
    host, port = parse_host_and_port(bind, "--bind")
    harden()
    located = Instance.locate(instance)
    # Files that do not open are reported here, since the server would restart its worker again and again.
    open_review_state(located, system_clock).close()
    address, port = resolve_address(host, port)
    url = (origin or f"http://localhost:{port}").rstrip("/")
    write_atomically(located.reviewers_address, url.encode())
    click.echo(f"ordws: the reviewers' pages are at {url}", err=True)
    opened = partial(open_pages, located, url)
    serve(opened, "the reviewers' pages", address, port, proxy=Proxy() if behind_proxy else None)


def open_pages(instance: Instance, origin: str) -> Flask:
    """Return the reviewers' pages of an installation, over its case files and the system's clock."""
    return create_review_app(open_review_state(instance, system_clock), origin=origin)
