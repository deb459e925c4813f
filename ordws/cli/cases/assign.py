"""`ordws cases assign`: the only step that looks at accounts, and so needs the extra `curate`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import click

from ordws.cases.commands import assign_reviewers
from ordws.cli import instance_option
from ordws.cli.cases.keeper import by_option, open_keeper
from ordws.console.accounts import make_accounts
from ordws.errors import BadInput
from ordws.instance import Instance


@click.command("assign")
@click.argument("case")
@click.argument("reviewers", nargs=-1, required=True)
@by_option
@instance_option
def assign_command(case: str, reviewers: tuple[str, ...], keeper: str | None, instance: str | None) -> None:
    """Assign REVIEWERS, by the names of their accounts: as many as the panel of three lacks.

    \b
    Example:
      ordws cases assign 2026-1 Rita Rob Rose
    """
    with open_keeper(instance, keeper) as kept:
        names = _find_reviewers(kept.instance, reviewers)
        kept.take(case, lambda state: assign_reviewers(state, names, kept.now))


def _find_reviewers(instance: Instance, names: Sequence[str]) -> list[str]:
    """Return these names as their accounts have them; raise BadInput for an account of another role."""
    with closing(make_accounts(instance.reviewers, instance.reviewers_key)) as accounts:
        members = [accounts.find_member(name) for name in names]
    for member in members:
        if member.role != "reviewer":
            raise BadInput(f'"{member.name}" is a {member.role}, not a reviewer')
    return [member.name for member in members]
