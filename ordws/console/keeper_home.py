"""The keepers' home: how far curation has come, what waits for them, and the way to all that they do."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from flask import Blueprint, render_template

from ordws.console import edition_pages, import_export, nomination_inbox, overrides
from ordws.console.access import allow
from ordws.console.current_edition import find_current_edition, find_rollback
from ordws.console.nominations import pending_nominations as nominations
from ordws.console.state import ConsoleState, console_state, eligible_voters
from ordws.curation.voting_rounds import FamilyState

pages: Final = Blueprint("keeping", __name__)
for group in (nomination_inbox, overrides, import_export, edition_pages):
    pages.register_blueprint(group.pages)


class CurationProgress(NamedTuple):
    """Families by where they stand; nothing of votes on those that are open."""

    open: int
    decided_in: int
    decided_out: int
    contested: int
    """Waiting for a discussion, or in one."""
    again: int
    """Of the open ones, those that were decided before."""
    alone: int
    """Of the open ones, those on which everybody who may vote has: they wait for another curator."""


@pages.get("/keeping")
@allow("keeper")
def index() -> str:
    """The keepers' home."""
    here, edition = console_state(), find_current_edition(console_state().instance)
    with here.reading() as ledger:
        waiting, held, links = len(nominations().update(ledger)), len(ledger.overrides()), ledger.last_link_number()
        taken_back = find_rollback(ledger, edition)
    return render_template(
        "keeping.html",
        progress=curation_progress(here),
        waiting=waiting,
        overrides=held,
        links=links,
        edition=edition,
        taken_back=taken_back,
    )


def curation_progress(state: ConsoleState) -> CurationProgress:
    """How far curation has come."""
    with state.reading():
        matters = list(state.matters.values())
    counts = Counter([_outcome(matter) for matter in matters])
    again = sum([matter.is_open and matter.decision is not None for matter in matters])
    voters = state.accounts.voters()
    alone = sum(
        [matter.is_open and bool(voters) and eligible_voters(voters, matter) <= matter.voters for matter in matters]
    )
    return CurationProgress(counts["open"], counts["in"], counts["out"], counts["contested"], again, alone)


def _outcome(matter: FamilyState) -> str:
    """A family that is still split after a second vote stays as its standing says."""
    if matter.is_open or matter.decision is None:
        return "open"
    if matter.is_contested:
        return "contested"
    if matter.decision.outcome == "contested":
        return "in" if matter.standing == "flagged" else "out"
    return matter.decision.outcome
