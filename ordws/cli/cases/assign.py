"""`ordws cases assign`: the only step that looks at accounts, and so needs the extra `curate`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from random import SystemRandom

import click

from ordws.cases.commands import CaseStep, assign_reviewers, panel_gap
from ordws.cases.state import CaseState
from ordws.cli.cases.keeper import Keeper, as_keeper
from ordws.console.accounts import Accounts, make_accounts
from ordws.console.invitations import pending
from ordws.console.member_names import fold_member_name
from ordws.errors import BadInput, Missing
from ordws.instance import Instance


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
        invited = [each.name for each in pending(accounts, now)]
        if fold_member_name(name) not in map(fold_member_name, invited):
            raise Missing(f'nobody called "{name}" is known here', hint="ordws accounts add NAME --of cases") from None
        raise BadInput(
            f'"{name}" is invited, and has not used the link yet',
            hint="wait until they have, or ordws accounts invite NAME --of cases for another link",
        ) from None
    if member.role != "reviewer":
        raise BadInput(f'"{member.name}" is a {member.role}, not a reviewer')
    return member.name
