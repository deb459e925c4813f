"""`ordws curate` and `accounts`: the curators' console, and who may sign in to it or to the reviewers' pages."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from flask import Flask

from ordws.atomic_files import write_atomically
from ordws.cli import format_utc, instance_option
from ordws.cli.curation import open_ledger
from ordws.cli.listening import parse_host_and_port
from ordws.console.access import Role
from ordws.console.accounts import Accounts, make_accounts, open_accounts
from ordws.console.credentials import invite as make_invitation
from ordws.console.credentials import invite_again, pending_invitations, withdraw_invitation
from ordws.console.state import open_console_state
from ordws.errors import BadInput
from ordws.frame.process import Proxy, serve, system_clock
from ordws.instance import Instance
from ordws.listeners import resolve_address
from ordws.server import harden

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class _Place:
    """The pages that an account is for: its roles, the first for who is given none, and where the pages last ran."""

    roles: tuple[Role, ...]
    open: Callable[[Instance], Accounts]
    find_address: Callable[[Instance], Path]
    default_address: str


_PLACES: Final = {
    "console": _Place(
        ("curator", "chair", "keeper"), open_accounts, lambda here: here.console_address, "http://localhost:8010"
    ),
    "cases": _Place(
        ("reviewer", "keeper"),
        lambda here: make_accounts(here.reviewers, here.reviewers_key),
        lambda here: here.reviewers_address,
        "http://localhost:8011",
    ),
}

_url_option = click.option(
    "--url", metavar="URL", help="The pages' address in browsers [default: where they last ran]."
)


def _of_option(function: F) -> F:
    """Add `--of console|cases`, passed to the command as `of`, and `--instance`."""
    option = click.option(
        "--of",
        type=click.Choice([*_PLACES]),
        default="console",
        show_default=True,
        help="The curators' console, or the pages of case files.",
    )
    return instance_option(option(function))


@click.group("accounts")
def accounts_group() -> None:
    """Manage the accounts of the curators' console, and with --of cases those of the reviewers' pages.

    \b
    Example:
      ordws accounts add Ada --role keeper
      ordws accounts add Rita --of cases
    """


@accounts_group.command("add")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["curator", "chair", "reviewer", "keeper"]),
    help="A curator votes, a chair leads discussions and votes, a keeper runs the installation. Of cases a reviewer"
    " gives opinions, and a keeper keeps the files and writes decisions. [default: curator, of cases reviewer]",
)
@_url_option
@_of_option
def add(name: str, role: Role | None, url: str | None, of: str, instance: str | None) -> None:
    """Invite NAME, and show a link that works once, within seven days.

    NAME is shown on ballots and opinions. Nobody else can have it later, not even when the account has ended.

    \b
    Example:
      ordws accounts add Ada --role keeper
      ordws accounts add Rita --of cases
    """
    roles = _PLACES[of].roles
    if role is not None and role not in roles:
        raise BadInput(f'"{role}" is no role of {of}', hint=f"--role {', '.join(roles)}")
    with closing(_open_accounts(of, instance)) as accounts:
        token = make_invitation(accounts, name, role or roles[0], None, int(time.time()))
    _print_link(name, url, of, instance, token)


@accounts_group.command("invite")
@click.argument("name")
@_url_option
@_of_option
def invite(name: str, url: str | None, of: str, instance: str | None) -> None:
    """Show another link for NAME, who lost the first or cannot sign in any more.

    When the link is used, the passkeys and the password that NAME had stop working.

    \b
    Example:
      ordws accounts invite Ada
    """
    with closing(_open_accounts(of, instance)) as accounts:
        token = invite_again(accounts, name, None, int(time.time()))
    _print_link(name, url, of, instance, token)


@accounts_group.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@_of_option
def list_accounts(as_json: bool, of: str, instance: str | None) -> None:
    """Show all accounts, also those that have ended, and the open invitations.

    \b
    Example:
      ordws accounts list --json
    """
    now = int(time.time())
    rows: list[dict[str, Any]] = []
    with closing(_open_accounts(of, instance)) as accounts:
        for account in accounts.all_accounts():
            member = account.member
            rows.append(
                {
                    "name": member.name,
                    "role": member.role,
                    "since": format_utc(account.since),
                    "ended": format_utc(account.ended),
                    "declared": format_utc(member.declared_at),
                    "passkeys": account.passkeys,
                    "password": account.has_password,
                    "locked_until": format_utc(account.locked_until) if account.locked_until > now else None,
                }
            )
        for invitation in pending_invitations(accounts, now):
            rows.append(
                {"name": invitation.name, "role": invitation.role, "invited_until": format_utc(invitation.ends)}
            )
    for row in rows:
        if as_json:
            click.echo(json.dumps(row))
            continue
        parts = [row["name"], row["role"]]
        for field in ("since", "ended", "declared", "locked_until", "invited_until"):
            if row.get(field):
                parts.append(f"{field.replace('_', ' ')} {row[field]}")
        if "passkeys" in row and row["ended"] is None:
            parts.append(f"{row['passkeys']} passkeys" + (", password and code" if row["password"] else ""))
        click.echo("  ".join(parts))


@accounts_group.command("unlock")
@click.argument("name")
@_of_option
def unlock(name: str, of: str, instance: str | None) -> None:
    """Let NAME try a password again at once, after too many wrong ones.

    \b
    Example:
      ordws accounts unlock Ada
    """
    with closing(_open_accounts(of, instance)) as accounts:
        accounts.unlock(accounts.find_member(name).name)


@accounts_group.command("sign-out")
@click.argument("name")
@_of_option
def sign_out(name: str, of: str, instance: str | None) -> None:
    """End all sessions of NAME.

    \b
    Example:
      ordws accounts sign-out Ada
    """
    with closing(_open_accounts(of, instance)) as accounts:
        accounts.end_sessions(accounts.find_member(name).name)


@accounts_group.command("end")
@click.argument("name")
@_of_option
def end(name: str, of: str, instance: str | None) -> None:
    """End the account of NAME for good, at once; ballots and opinions stay, and nobody else can have the name.

    If NAME was invited and has not signed in yet, the link becomes void, and the name is free again.

    \b
    Example:
      ordws accounts end Ada
    """
    with closing(_open_accounts(of, instance)) as accounts:
        now = int(time.time())
        # Somebody who was only invited has no account that could end.
        if name in [invitation.name for invitation in pending_invitations(accounts, now)]:
            withdraw_invitation(accounts, name, now)
        else:
            accounts.end_account(accounts.find_member(name).name, now)


def _open_accounts(of: str, instance: str | None) -> Accounts:
    return _PLACES[of].open(Instance.locate(instance))


def _print_link(name: str, url: str | None, of: str, instance: str | None, token: str) -> None:
    """Print a link alone on standard output, so that a script can take it, and the rest on standard error."""
    address = _PLACES[of].find_address(Instance.locate(instance))
    url = url or (address.read_text("utf-8") if address.exists() else _PLACES[of].default_address)
    click.echo(f'ordws: the link for "{name}" is shown only this once; it works once, within seven days', err=True)
    click.echo(f"{url.rstrip('/')}/invitation/{token}")


@click.command("curate")
@click.option("--bind", metavar="HOST:PORT", default="127.0.0.1:8010", show_default=True, help="Where to listen.")
@click.option("--origin", metavar="URL", help="The console's address in browsers [default: http://localhost:PORT].")
@click.option("--sources", metavar="DIR", help="Dictionaries to seal from [default: $ORDWS_SOURCES, else ./sources].")
@click.option("--behind-proxy", is_flag=True, help="One proxy is in front, and adds callers to X-Forwarded-For.")
@instance_option
def curate(bind: str, origin: str | None, sources: str | None, behind_proxy: bool, instance: str | None) -> None:
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
