"""`ordws curators`: the accounts that may sign in to the console."""

from __future__ import annotations

import json
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from ordws.cli import instance_option
from ordws.cli.output import format_utc

if TYPE_CHECKING:
    from ordws.console.access import Role
    from ordws.console.accounts import Accounts

_url_option = click.option(
    "--url",
    metavar="URL",
    help="The console's address in browsers [default: that at which ordws curate last ran, or http://localhost:8010].",
)


@click.group("curators")
def command() -> None:
    """Manage the accounts of the curators' console.

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
def add(name: str, role: Role, url: str | None, instance: str | None) -> None:
    """Invite NAME, and show a link that works once, within seven days.

    NAME is shown on ballots. Nobody else can have it later, not even when the account has ended.

    \b
    Example:
      ordws curators add Ada --role keeper
    """
    from ordws.console.invitations import invite

    with closing(_open_accounts(instance)) as accounts:
        token = invite(accounts, name, role, None, int(time.time()))
    _print_link(name, url, instance, token)


@command.command("invite")
@click.argument("name")
@_url_option
@instance_option
def invite_again(name: str, url: str | None, instance: str | None) -> None:
    """Show another link for NAME, who lost the first or cannot sign in any more.

    When the link is used, the passkeys and the password that NAME had stop working.

    \b
    Example:
      ordws curators invite Ada
    """
    from ordws.console.invitations import invite_again

    with closing(_open_accounts(instance)) as accounts:
        token = invite_again(accounts, name, None, int(time.time()))
    _print_link(name, url, instance, token)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def list_accounts(as_json: bool, instance: str | None) -> None:
    """Show all accounts, also those that have ended, and the open invitations.

    \b
    Example:
      ordws curators list --json
    """
    from ordws.console.invitations import pending

    now = int(time.time())
    rows: list[dict[str, Any]] = []
    with closing(_open_accounts(instance)) as accounts:
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
        for invitation in pending(accounts, now):
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


@command.command("unlock")
@click.argument("name")
@instance_option
def unlock(name: str, instance: str | None) -> None:
    """Let NAME try a password again at once, after too many wrong ones.

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
    """End the account of NAME for good, at once; the ballots stay, and nobody else can have the name.

    If NAME was invited and has not signed in yet, the link becomes void, and the name is free again.

    \b
    Example:
      ordws curators end Ada
    """
    from ordws.console.invitations import pending, withdraw

    with closing(_open_accounts(instance)) as accounts:
        now = int(time.time())
        # Somebody who was only invited has no account that could end.
        if name in [invitation.name for invitation in pending(accounts, now)]:
            withdraw(accounts, name, now)
        else:
            accounts.end_account(accounts.find_member(name).name, now)


def _open_accounts(instance: str | None) -> Accounts:
    from ordws.console.accounts import open_accounts
    from ordws.instance import Instance

    return open_accounts(Instance.locate(instance))


def _print_link(name: str, url: str | None, instance: str | None, token: str) -> None:
    """Print a link alone on standard output, so that a script can take it, and the rest on standard error."""
    from ordws.instance import Instance

    address = Instance.locate(instance).console_address
    url = url or (address.read_text("utf-8") if address.exists() else "http://localhost:8010")
    click.echo(f'ordws: the link for "{name}" is shown only this once; it works once, within seven days', err=True)
    click.echo(f"{url.rstrip('/')}/invitation/{token}")
