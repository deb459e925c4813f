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
from ordws.cli import instance_option
from ordws.cli.cases.keeper import by_option, open_keeper, read_text, text_options


@click.command("leave")
@click.argument("case")
@click.argument("reviewer")
@by_option
@instance_option
def leave_command(case: str, reviewer: str, keeper: str | None, instance: str | None) -> None:
    """Take REVIEWER off the panel of a case, before an opinion of theirs.

    \b
    Example:
      ordws cases leave 2026-1 Rob
    """
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: leave_panel(state, reviewer, kept.now))


@click.command("opinion")
@click.argument("case")
@click.argument("reviewer")
@click.argument("finding", type=click.Choice([*FIRST_FINDINGS, *LATER_FINDINGS]))
@text_options
@by_option
@instance_option
def opinion_command(
    case: str,
    reviewer: str,
    finding: ReviewerFinding,
    text: str | None,
    file: str | None,
    keeper: str | None,
    instance: str | None,
) -> None:
    """Key in an opinion that REVIEWER gave on paper; the text is the reasons.

    Before the notice the question is whether there is a case to answer, later whether the pattern is established.

    \b
    Example:
      ordws cases opinion 2026-1 Rita no-case-to-answer --text "Most best plays were easy to see."
    """
    reasons = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: give_opinion(state, reviewer, finding, reasons, kept.now))


@click.command("answer")
@click.argument("case")
@text_options
@by_option
@instance_option
def answer_command(case: str, text: str | None, file: str | None, keeper: str | None, instance: str | None) -> None:
    """Key in the player's answer that came on paper, within 14 days of the notice.

    \b
    Example:
      ordws cases answer 2026-1 --file answer.txt
    """
    answered = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: answer(state, answered, kept.now))


@click.command("decide")
@click.argument("case")
@click.argument("finding", type=click.Choice(LATER_FINDINGS))
@text_options
@click.option("--changed", default="", metavar="TEXT", help="What the answer, or the appeal, changed.")
@by_option
@instance_option
def decide_command(
    case: str,
    finding: Finding,
    text: str | None,
    file: str | None,
    changed: str,
    keeper: str | None,
    instance: str | None,
) -> None:
    """Write the decision of a case, or of its appeal, as the three who decide hold it; the text is the reasons.

    The player reads the whole: the finding, the reasons, what the answer changed, and the consequence, which follows
    from the steps of the case.

    \b
    Example:
      ordws cases decide 2026-1 established --file reasons.txt --changed "Nothing: it names no game."
    """
    reasons = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: decide(state, kept.name, finding, reasons, kept.now, changed=changed))


@click.command("appeal")
@click.argument("case")
@click.option("--late", is_flag=True, help="Admit an appeal after its 30 days, for something new.")
@text_options
@by_option
@instance_option
def appeal_command(
    case: str, late: bool, text: str | None, file: str | None, keeper: str | None, instance: str | None
) -> None:
    """Key in the player's appeal that came on paper, within 30 days of the decision, or admit a late one.

    \b
    Example:
      ordws cases appeal 2026-1 --file appeal.txt
    """
    reasons = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: appeal(state, reasons, kept.now, is_late=late))


@click.command("drop")
@click.argument("case")
@text_options
@by_option
@instance_option
def drop_command(case: str, text: str | None, file: str | None, keeper: str | None, instance: str | None) -> None:
    """Close a case before its decision, as one that should not have been opened; the text is the reasons.

    \b
    Example:
      ordws cases drop 2026-1 --text "The honest forms are not calibrated."
    """
    reasons = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: drop(state, reasons, kept.now))
