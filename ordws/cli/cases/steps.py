"""`ordws cases leave`, `opinion`, `answer`, `decide`, `appeal` and `drop`."""

from __future__ import annotations

import click

from ordws.cases.commands import (
    FIRST_FINDINGS,
    LATER_FINDINGS,
    answer,
    appeal,
    decide,
    drop,
    give_opinion,
    leave_panel,
)
from ordws.cases.facts import Finding, ReviewerFinding
from ordws.cli.cases.keeper import Keeper, as_keeper, text_option


@click.command("leave")
@click.argument("case")
@click.argument("reviewer")
@as_keeper
def leave_command(kept: Keeper, case: str, reviewer: str) -> None:
    """Take REVIEWER off the panel of a case, before an opinion of theirs.

    \b
    Example:
      ordws cases leave 2026-1 Rob
    """
    kept.take(case, lambda state: leave_panel(state, reviewer, kept.now))


@click.command("opinion")
@click.argument("case")
@click.argument("reviewer")
@click.argument("finding", type=click.Choice([*FIRST_FINDINGS, *LATER_FINDINGS]))
@text_option
@as_keeper
def opinion_command(kept: Keeper, case: str, reviewer: str, finding: ReviewerFinding, text: str) -> None:
    """Key in an opinion that REVIEWER gave on paper; the text is the reasons.

    Before the notice the question is whether there is a case to answer, later whether the pattern is established.

    \b
    Example:
      ordws cases opinion 2026-1 Rita no-case-to-answer --text "Most best plays were easy to see."
    """
    kept.take(case, lambda state: give_opinion(state, reviewer, finding, text, kept.now))


@click.command("answer")
@click.argument("case")
@text_option
@as_keeper
def answer_command(kept: Keeper, case: str, text: str) -> None:
    """Key in the player's answer that came on paper, within 14 days of the notice.

    \b
    Example:
      ordws cases answer 2026-1 --file answer.txt
    """
    kept.take(case, lambda state: answer(state, text, kept.now))


@click.command("decide")
@click.argument("case")
@click.argument("finding", type=click.Choice(LATER_FINDINGS))
@text_option
@click.option("--changed", default="", metavar="TEXT", help="What the answer, or the appeal, changed.")
@as_keeper
def decide_command(kept: Keeper, case: str, finding: Finding, text: str, changed: str) -> None:
    """Write the decision of a case, or of its appeal, as the three who decide hold it; the text is the reasons.

    The player reads the whole: the finding, the reasons, what the answer changed, and the consequence, which follows
    from the steps of the case.

    \b
    Example:
      ordws cases decide 2026-1 established --file reasons.txt --changed "Nothing: it names no game."
    """
    kept.take(case, lambda state: decide(state, kept.name, finding, text, kept.now, changed=changed))


@click.command("appeal")
@click.argument("case")
@click.option("--late", is_flag=True, help="Admit an appeal after its 30 days, for something new.")
@text_option
@as_keeper
def appeal_command(kept: Keeper, case: str, late: bool, text: str) -> None:
    """Key in the player's appeal that came on paper, within 30 days of the decision, or admit a late one.

    \b
    Example:
      ordws cases appeal 2026-1 --file appeal.txt
    """
    kept.take(case, lambda state: appeal(state, text, kept.now, is_late=late))


@click.command("drop")
@click.argument("case")
@text_option
@as_keeper
def drop_command(kept: Keeper, case: str, text: str) -> None:
    """Close a case before its decision, as one that should not have been opened; the text is the reasons.

    \b
    Example:
      ordws cases drop 2026-1 --text "The honest forms are not calibrated."
    """
    kept.take(case, lambda state: drop(state, text, kept.now))
