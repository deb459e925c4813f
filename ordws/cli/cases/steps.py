"""The steps of a case and of its entry in the register, from `ordws cases leave` to `update`."""

from __future__ import annotations

import click

from ordws.api.settings import read_settings
from ordws.cases.commands import (
    FIRST_FINDINGS,
    LATER_FINDINGS,
    answer,
    appeal,
    decide,
    drop,
    give_opinion,
    leave_panel,
    mark_under_age,
    publish,
    review_entry,
    strike_entry,
)
from ordws.cases.facts import Finding, ReviewerFinding
from ordws.cli import instance_option
from ordws.cli.cases.keeper import Keeper, as_keeper, open_keeper, text_option
from ordws.retention import DAY


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


@click.command("publish")
@click.argument("case")
@as_keeper
def publish_command(kept: Keeper, case: str) -> None:
    """Enter a decision in the register, once no appeal can come any more. Nobody under age is entered.

    \b
    Example:
      ordws cases publish 2026-1
    """
    kept.update()  # so that nobody is named who is under age in an event since
    kept.take(case, lambda state: publish(state, kept.now))


@click.command("review")
@click.argument("case")
@click.option("--note", default="", metavar="TEXT", help="A note that stands beside the entry from now on.")
@as_keeper
def review_command(kept: Keeper, case: str, note: str) -> None:
    """Record that somebody looked at an entry again and that it stays. Due every three years.

    \b
    Example:
      ordws cases review 2026-1
    """
    kept.take(case, lambda state: review_entry(state, note, kept.now))


@click.command("strike")
@click.argument("case")
@text_option
@as_keeper
def strike_command(kept: Keeper, case: str, text: str) -> None:
    """Take an entry out of the register for good; the text is the reasons.

    \b
    Example:
      ordws cases strike 2026-1 --text "A fault of the program was found."
    """
    kept.take(case, lambda state: strike_entry(state, text, kept.now))


@click.command("minor")
@click.argument("case")
@text_option
@as_keeper
def minor_command(kept: Keeper, case: str, text: str) -> None:
    """Mark the player of a case as under age, at any time: no entry is published, and one that stands is withdrawn.

    The text is the reasons. An entrant who is marked as under age in an event of the case is marked here by themselves.

    \b
    Example:
      ordws cases minor 2026-1 --text "The club has shown the date of birth."
    """
    kept.take(case, lambda state: mark_under_age(state, text))


@click.command("update")
@instance_option
def update_command(instance: str | None) -> None:
    """Hold and let go prizes, write the register, and erase old exhibits; for a timer, each hour.

    A case whose player is under age in one of its events since then is marked so, and has no entry any more.

    The register, public/register.json, has version (1), made, entries (pseudonym, offence, first_game, last_game,
    decided, published, looked_at, note), years with the counts of steps, and head, the last link of the chain.

    \b
    Example:
      ordws cases update
    """
    with open_keeper(instance) as kept:
        days = read_settings(kept.instance.settings).retention.case_exhibits_days
        if erased := kept.files.erase_old(kept.name, kept.now, days * DAY):
            click.echo(f"ordws: the exhibits of cases without an entry were erased: {erased} cases", err=True)
        kept.update()
