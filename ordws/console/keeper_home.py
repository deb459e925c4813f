"""The keepers' home page: the progress of curation, their open tasks, and links to all their pages."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from flask import Blueprint, render_template

from ordws.console import edition_pages, import_export, nomination_inbox, overrides
from ordws.console.edition_pages import find_current_edition, find_rollback
from ordws.console.nominations import pending_nominations
from ordws.console.state import console_state, eligible_voters
from ordws.frame.application import allow

pages: Final = Blueprint("keeping", __name__)
for group in (nomination_inbox, overrides, import_export, edition_pages):
    pages.register_blueprint(group.pages)


class CurationProgress(NamedTuple):
    """The number of families in each state; it reveals nothing of the votes on open ones."""

    open: int
    decided_in: int
    decided_out: int
    contested: int
    """Families that wait for a discussion, or are under one."""
    again: int
    """Open families that were decided before."""
    alone: int
    """Open families on which all who may vote have voted: they wait for another curator."""


@pages.get("/keeping")
@allow("keeper")
def index() -> str:
    """Show the keepers' home page."""
    state, edition = console_state(), find_current_edition(console_state().instance)
    voters, counts = state.accounts.voters(), Counter[str]()
    with state.reading() as ledger:
        nominations, overrides = len(pending_nominations().update(ledger)), len(ledger.overrides())
        links, rollback = ledger.last_link_number(), find_rollback(ledger, edition)
        family_states = list(state.family_states.values())
    for each in family_states:
        if each.is_open or each.decision is None:
            counts["open"] += 1
            counts["again"] += each.is_open and each.decision is not None
            counts["alone"] += each.is_open and bool(voters) and eligible_voters(voters, each) <= each.voters
        elif each.is_contested:
            counts["contested"] += 1
        elif each.decision.outcome == "contested":  # split after a second vote too: the standing decides
            counts["in" if each.standing == "flagged" else "out"] += 1
        else:
            counts[each.decision.outcome] += 1
    progress = CurationProgress(
        counts["open"], counts["in"], counts["out"], counts["contested"], counts["again"], counts["alone"]
    )
    return render_template(
        "keeping.html",
        progress=progress,
        waiting=nominations,
        overrides=overrides,
        links=links,
        edition=edition,
        rollback=rollback,
    )
