"""`ordws cases assign` and `serve`: the reviewers of a case, and the pages for them and for players.

Both look at accounts, and so need the extra `curate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from random import SystemRandom

import click
from flask import Flask

from ordws.atomic_files import write_atomically
from ordws.cases.commands import CaseStep, assign_reviewers, panel_gap
from ordws.cases.pages.app import create_review_app
from ordws.cases.pages.case_view import open_review_state
from ordws.cases.state import CaseState
from ordws.cli import instance_option
from ordws.cli.cases.keeper import Keeper, as_keeper
from ordws.cli.listening import parse_host_and_port
from ordws.console.accounts import Accounts, fold_member_name, make_accounts
from ordws.console.credentials import pending_invitations
from ordws.errors import BadInput, Missing
from ordws.frame.process import Proxy, serve, system_clock
from ordws.instance import Instance
from ordws.listeners import resolve_address
from ordws.server import harden


@click.command("assign")
@click.argument("case")
@click.argument("reviewers", nargs=-1, required=True)
@as_keeper
def assign_command(kept: Keeper, case: str, reviewers: tuple[str, ...]) -> None:
    """Assign REVIEWERS, by the names of their accounts: as many as the panel of three lacks.

    Three read the evidence. When the time to answer is over, name one who has not read it: the other two who decide
    are drawn by lot from these three. An appeal takes three others.

    \b
    Example:
      ordws cases assign 2026-1 Rita Rob Rose
      ordws cases assign 2026-1 Ruth
    """
    names = _find_reviewers(kept.instance, reviewers, kept.now)
    lot = SystemRandom()

    def assign(state: CaseState) -> CaseStep:
        gap = panel_gap(state)
        return assign_reviewers(state, names, lot.sample(gap.readers, gap.drawn), kept.now)

    state = kept.take(case, assign)
    click.echo(f"case {case}: the panel is {', '.join(state.panel)}", err=True)


def _find_reviewers(instance: Instance, names: Sequence[str], now: int) -> list[str]:
    """Return these names as their accounts have them; raise where one is no reviewer, or not yet."""
    with closing(make_accounts(instance.reviewers, instance.reviewers_key)) as accounts:
        return [_find_reviewer(accounts, name, now) for name in names]


def _find_reviewer(accounts: Accounts, name: str, now: int) -> str:
    try:
        member = accounts.find_member(name)
    except Missing:
        invited = [each.name for each in pending_invitations(accounts, now)]
        if fold_member_name(name) not in map(fold_member_name, invited):
            raise Missing(f'nobody called "{name}" is known here', hint="ordws accounts add NAME --of cases") from None
        raise BadInput(
            f'"{name}" is invited, and has not used the link yet',
            hint="wait until they have, or ordws accounts invite NAME --of cases for another link",
        ) from None
    if member.role != "reviewer":
        raise BadInput(f'"{member.name}" is a {member.role}, not a reviewer')
    return member.name


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
