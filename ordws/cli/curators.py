"""`ordws curators`: who may sign in to the console."""

from __future__ import annotations

import json
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from ordws.cli import instance_option

if TYPE_CHECKING:
    from ordws.console.access import Role
    from ordws.console.accounts import Accounts, MemberAccount

_url_option = click.option(
    "--url", metavar="URL", default="http://localhost:8010", show_default=True, help="Where browsers reach the console."
)


@click.group("curators")
def command() -> None:
    """Keep the accounts of the curators' console.

    \b
    Example:
      ordws curators add Ada --role keeper
    """


@command.command("add")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["keeper", "chair", "curator"]),
    default="curator",
    show_default=True,
    help="A keeper runs the installation, a chair leads discussions and votes, a curator votes.",
)
@_url_option
@instance_option
def add(name: str, role: Role, url: str, instance: str | None) -> None:
    """Invite NAME, and show the link to come in by: it is good once, and for seven days.

    NAME is what the ballots will bear. It is never given again, not even when the account has ended.

    \b
    Example:
      ordws curators add Ada --role keeper
    """
    from ordws.console.invitations import invite

    with closing(_open_accounts(instance)) as accounts:
        token = invite(accounts, name, role, None, int(time.time()))
    _print_link(name, url, token)


@command.command("invite")
@click.argument("name")
@_url_option
@instance_option
def invite_again(name: str, url: str, instance: str | None) -> None:
    """Show another link for NAME, whose first was lost, or who cannot sign in any more.

    When it is used, what let NAME in before stops working.

    \b
    Example:
      ordws curators invite Ada
    """
    from ordws.console.invitations import invite_again

    with closing(_open_accounts(instance)) as accounts:
        token = invite_again(accounts, name, None, int(time.time()))
    _print_link(name, url, token)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def list_accounts(as_json: bool, instance: str | None) -> None:
    """Show all accounts, also those that have ended, and who is invited.

    \b
    Example:
      ordws curators list --json
    """
    from ordws.console.invitations import pending

    now = int(time.time())
    with closing(_open_accounts(instance)) as accounts:
        rows = [_account_row(account, now) for account in accounts.all_accounts()]
        rows += [
            {"name": each.name, "role": each.role, "invited_until": _utc(each.ends)} for each in pending(accounts, now)
        ]
    for row in rows:
        click.echo(json.dumps(row) if as_json else _describe_account(row))


@command.command("unlock")
@click.argument("name")
@instance_option
def unlock(name: str, instance: str | None) -> None:
    """Let NAME try a password again at once, after too many that did not fit.

    \b
    Example:
      ordws curators unlock Ada
    """
    with closing(_open_accounts(instance)) as accounts:
        accounts.unlock(accounts.find_member(name).name)


@command.command("sign-out")
@click.argument("name")
@instance_option
def sign_out(name: str, instance: str | None) -> None:
    """End all sessions of NAME.

    \b
    Example:
      ordws curators sign-out Ada
    """
    with closing(_open_accounts(instance)) as accounts:
        accounts.end_sessions(accounts.find_member(name).name)


@command.command("end")
@click.argument("name")
@instance_option
def end(name: str, instance: str | None) -> None:
    """End the account of NAME, for ever and at once; the ballots stay, and the name is not given again.

    Of somebody who was invited and has not come yet, the link is void, and the name is free.

    \b
    Example:
      ordws curators end Ada
    """
    from ordws.console.invitations import pending, withdraw

    with closing(_open_accounts(instance)) as accounts:
        now = int(time.time())
        if name in [each.name for each in pending(accounts, now)]:
            withdraw(accounts, name, now)
        else:
            accounts.end_account(accounts.find_member(name).name, now)


def _open_accounts(instance: str | None) -> Accounts:
    from ordws.console.accounts import open_accounts
    from ordws.instance import Instance

    return open_accounts(Instance.locate(instance))


def _print_link(name: str, url: str, token: str) -> None:
    """The link stands alone on standard output, so that a script can take it."""
    click.echo(f'ordws: the link for "{name}" is shown this once; it is good once, and for seven days', err=True)
    click.echo(f"{url.rstrip('/')}/invitation/{token}")


def _account_row(account: MemberAccount, now: int) -> dict[str, Any]:
    member = account.member
    return {
        "name": member.name,
        "role": member.role,
        "since": _utc(account.since),
        "ended": _utc(account.ended),
        "declared": _utc(member.declared_at),
        "passkeys": account.passkeys,
        "password": account.has_password,
        "locked_until": _utc(account.locked_until) if account.locked_until > now else None,
    }


def _describe_account(row: dict[str, Any]) -> str:
    parts = [row["name"], row["role"]]
    events = {"since": "since", "ended": "ended", "declared": "declared", "locked_until": "locked until"}
    parts += [f"{says} {row[event]}" for event, says in events.items() if row.get(event)]
    if "invited_until" in row:
        return "  ".join([*parts, f"invited until {row['invited_until']}"])
    if row["ended"] is None:
        parts.append(f"{row['passkeys']} passkeys" + (", password and code" if row["password"] else ""))
    return "  ".join(parts)


def _utc(moment: int | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
