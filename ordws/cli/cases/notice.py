"""`ordws cases notice`: the letter to the player, which needs a rate of false flags and a page that they can reach."""

from __future__ import annotations

import click

from ordws.cases.commands import give_notice
from ordws.cases.figures import Figures, read_figures
from ordws.cases.letters import KEPT_CODE, NoticeParts, write_notice
from ordws.cases.records import read_record
from ordws.cases.state import CaseState
from ordws.cli.cases.keeper import Keeper, as_keeper, find_rehearsal, pages_address
from ordws.errors import BadInput
from ordws.fairplay.false_flags import RaisedFlag, rate_in_words, read_false_flags
from ordws.frame.tokens import new_code
from ordws.instance import Instance
from ordws.listeners import is_loopback


@click.command("notice")
@click.argument("case")
@click.option(
    "--contact", required=True, metavar="TEXT", help="Whom the player may ask: a name, and an address or a telephone."
)
@click.option("--url", metavar="URL", help="The player's page in browsers [default: where ordws cases serve last ran].")
@as_keeper
def notice_command(kept: Keeper, case: str, contact: str, url: str | None) -> None:
    """Give the player notice: print the letter, with a code that is shown only this once. 14 days run from now.

    The letter says how often honest players are flagged. Where no figure holds for the honest forms in force, and
    where the player's page is on this machine alone, no notice goes out.

    \b
    Example:
      ordws cases notice 2026-1 --contact "Kay, fair@example.org" > letter.txt
    """
    state = kept.files.find(case)
    parts = _gather(kept, state, url or pages_address(kept.instance), contact)
    code = new_code()
    kept_letter = write_notice(state, parts, KEPT_CODE, kept.now)
    kept.take(case, lambda now: give_notice(now, kept_letter, kept.files.digest_code(code), kept.now))
    click.echo(write_notice(state, parts, code, kept.now), nl=False)


def _gather(keeper: Keeper, state: CaseState, url: str, contact: str) -> NoticeParts:
    """Return the parts of the letter; raise BadInput where one that the player needs is missing."""
    if is_loopback(url) and find_rehearsal() is None:
        raise BadInput(f'"{url}" is on this machine alone, and the player cannot answer there', hint="--url URL")
    if not contact.strip():
        raise BadInput("the letter needs somebody whom the player may ask", hint="--contact TEXT")
    files = keeper.files
    newest = [each.digest for each in state.exhibits if each.kind == "figures"][-1]
    figures = read_figures(files.exhibit(newest))
    return NoticeParts(
        pseudonym=files.subject(state).pseudonym,
        figures=figures,
        records=[read_record(files.exhibit(each.digest)) for each in state.exhibits if each.kind == "record"],
        rate=_find_rate(keeper.instance, figures),
        address=f"{url.rstrip('/')}/answer",
        contact=contact.strip(),
    )


def _find_rate(instance: Instance, figures: Figures) -> str:
    """Return the rate of false flags behind the figures of a case; raise BadInput where none holds here."""
    # Needs numpy, which a host that only reads flags may lack.
    from ordws.fairplay.forms import read_forms

    flag = RaisedFlag(figures.kind, figures.forms, figures.flag_turns, figures.threshold)
    forms = read_forms(instance.fairplay_forms)
    return rate_in_words(flag, read_false_flags(instance.fairplay_false_flags), forms.version)
