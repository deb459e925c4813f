"""`ordws cases reviewers`: the accounts that may sign in to the reviewers' pages."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option
from ordws.cli.output import format_utc

if TYPE_CHECKING:
    from ordws.console.access import Role
    from ordws.console.accounts import Accounts
    from ordws.instance import Instance

_url_option = click.option(
    "--url", metavar="URL", help="The pages' address in browsers [default: where ordws cases serve last ran]."
)


@click.group("reviewers")
def reviewers_command() -> None:
    """Manage the accounts of reviewers and keepers of cases.

    \b
    Example:
      ordws cases reviewers add Rita
    """


@reviewers_command.command("add")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["keeper", "reviewer"]),
    default="reviewer",
    show_default=True,
    help="A keeper keeps the files and writes decisions, a reviewer gives opinions.",
)
@_url_option
@instance_option
def add(name: str, role: Role, url: str | None, instance: str | None) -> None:
    """Invite NAME, and show a link that works once, within seven days.

    \b
    Example:
      ordws cases reviewers add Rita
    """
    from ordws.console.invitations import invite

    located = _locate(instance)
    with closing(_open_accounts(located)) as accounts:
        token = invite(accounts, name, role, None, int(time.time()))
    _print_link(located, name, url, token)


@reviewers_command.command("invite")
@click.argument("name")
@_url_option
@instance_option
def invite_again(name: str, url: str | None, instance: str | None) -> None:
    """Show another link for NAME, who lost the first or cannot sign in any more.

    \b
    Example:
      ordws cases reviewers invite Rita
    """
    from ordws.console.invitations import invite_again

    located = _locate(instance)
    with closing(_open_accounts(located)) as accounts:
        token = invite_again(accounts, name, None, int(time.time()))
    _print_link(located, name, url, token)


@reviewers_command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def list_accounts(as_json: bool, instance: str | None) -> None:
    """Show all accounts, also those that have ended.

    \b
    Example:
      ordws cases reviewers list
    """
    with closing(_open_accounts(_locate(instance))) as accounts:
        for account in accounts.all_accounts():
            row = {
                "name": account.member.name,
                "role": account.member.role,
                "since": format_utc(account.since),
                "ended": format_utc(account.ended),
                "declared": format_utc(account.member.declared_at),
            }
            words = [
                f"{name} {value}" if name in ("since", "ended", "declared") else value
                for name, value in row.items()
                if value
            ]
            click.echo(json.dumps(row) if as_json else "  ".join([str(word) for word in words]))


@reviewers_command.command("unlock")
@click.argument("name")
@instance_option
def unlock(name: str, instance: str | None) -> None:
    """Let NAME try a password again at once, after too many wrong ones.

    \b
    Example:
      ordws cases reviewers unlock Rita
    """
    with closing(_open_accounts(_locate(instance))) as accounts:
        accounts.unlock(accounts.find_member(name).name)


@reviewers_command.command("sign-out")
@click.argument("name")
@instance_option
def sign_out(name: str, instance: str | None) -> None:
    """End all sessions of NAME.

    \b
    Example:
      ordws cases reviewers sign-out Rita
    """
    with closing(_open_accounts(_locate(instance))) as accounts:
        accounts.end_sessions(accounts.find_member(name).name)


@reviewers_command.command("end")
@click.argument("name")
@instance_option
def end(name: str, instance: str | None) -> None:
    """End the account of NAME for good; the opinions stay, and nobody else can have the name.

    \b
    Example:
      ordws cases reviewers end Rita
    """
    with closing(_open_accounts(_locate(instance))) as accounts:
        accounts.end_account(accounts.find_member(name).name, int(time.time()))


def check_reviewers(instance: Instance, names: Sequence[str]) -> list[str]:
    """Return these names as their accounts have them; raise BadInput for an account of another role."""
    from ordws.errors import BadInput

    with closing(_open_accounts(instance)) as accounts:
        members = [accounts.find_member(name) for name in names]
    for member in members:
        if member.role != "reviewer":
            raise BadInput(f'"{member.name}" is a {member.role}, not a reviewer')
    return [member.name for member in members]


def pages_address(instance: Instance) -> str:
    """Return the address in browsers at which the reviewers' pages last ran."""
    address = instance.reviewers_address
    return address.read_text("utf-8").rstrip("/") if address.exists() else "http://localhost:8011"


def _locate(instance: str | None) -> Instance:
    from ordws.instance import Instance

    return Instance.locate(instance)


def _open_accounts(instance: Instance) -> Accounts:
    from ordws.console.accounts import make_accounts

    return make_accounts(instance.reviewers, instance.reviewers_key)


def _print_link(instance: Instance, name: str, url: str | None, token: str) -> None:
    """Print a link alone on standard output, so that a script can take it, and the rest on standard error."""
    click.echo(f'ordws: the link for "{name}" is shown only this once; it works once, within seven days', err=True)
    click.echo(f"{(url or pages_address(instance)).rstrip('/')}/invitation/{token}")
