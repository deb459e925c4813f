"""`ordws cases assign`, `leave`, `opinion`, `notice`, `answer`, `decide`, `appeal` and `drop`."""

from __future__ import annotations

import secrets

import click

from ordws.cases.codes import draw_code
from ordws.cases.commands import answer, appeal, decide, drop, give_notice, give_opinion, leave_panel
from ordws.cases.facts import Finding
from ordws.cases.figures import read_figures
from ordws.cases.notice import KEPT_CODE, write_notice
from ordws.cli import instance_option
from ordws.cli.cases.keeper import by_option, open_keeper, pages_address, read_text, text_options

_finding_argument = click.argument("finding", type=click.Choice(["established", "not-established"]))


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
@_finding_argument
@text_options
@by_option
@instance_option
def opinion_command(
    case: str,
    reviewer: str,
    finding: Finding,
    text: str | None,
    file: str | None,
    keeper: str | None,
    instance: str | None,
) -> None:
    """Key in an opinion that REVIEWER gave on paper; the text is the reasons.

    \b
    Example:
      ordws cases opinion 2026-1 Rita not-established --text "Five games of twelve are in band 1."
    """
    reasons = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: give_opinion(state, reviewer, finding, reasons, kept.now))


@click.command("notice")
@click.argument("case")
@click.option("--url", metavar="URL", help="The player's page in browsers [default: where ordws cases serve last ran].")
@by_option
@instance_option
def notice_command(case: str, url: str | None, keeper: str | None, instance: str | None) -> None:
    """Give the player notice: print the letter, with a code that is shown only this once. 14 days run from now.

    \b
    Example:
      ordws cases notice 2026-1 > letter.txt
    """
    with open_keeper(instance, keeper) as kept:
        state = kept.files.find(case)
        pseudonym = kept.files.subject(state).pseudonym
        newest = [each.digest for each in state.exhibits if each.kind == "figures"][-1]
        figures = read_figures(kept.files.exhibit(newest))
        address = f"{url or pages_address(kept.instance)}/answer"
        code = draw_code(secrets.randbelow)
        kept_letter = write_notice(state, pseudonym, figures, address, KEPT_CODE, kept.now)
        kept.take(case, lambda now: give_notice(now, kept_letter, kept.files.digest_code(code), kept.now))
    click.echo(write_notice(state, pseudonym, figures, address, code, kept.now), nl=False)


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
@_finding_argument
@text_options
@by_option
@instance_option
def decide_command(
    case: str, finding: Finding, text: str | None, file: str | None, keeper: str | None, instance: str | None
) -> None:
    """Write the decision of a case, or of its appeal; the text is the reasons, which the player reads.

    \b
    Example:
      ordws cases decide 2026-1 established --file reasons.txt
    """
    reasons = read_text(text, file)
    with open_keeper(instance, keeper) as kept:
        kept.take(case, lambda state: decide(state, kept.name, finding, reasons, kept.now))


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
