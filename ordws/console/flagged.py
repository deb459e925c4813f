"""The page of flagged families: all of them are in, unless members object to one.

An objection is a vote, blind like any other. What the page lists depends on the state at midnight and on the member's
own votes, so that it does not tell how others have voted since.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, current_member
from ordws.console.state import ConsoleState, console_state
from ordws.curation.ballot import Ballot
from ordws.curation.family import Candidate
from ordws.curation.lease import Lease
from ordws.frame.application import allow

pages: Final = Blueprint("flagged", __name__)

_MARKS: Final = ("offensive", "vulgar")


@pages.get("/flagged")
@allow(*VOTERS)
def index() -> str:
    """List the flagged families on which the member may vote, those whose words people write most often first."""
    with console_state().reading() as ledger:
        listed = find_listed(console_state())
        evidence = ledger.evidence(listed)
    labels = {base: tell_labels(evidence[base]) for base in listed}
    return render_template("flagged.html", listed=listed, evidence=evidence, labels=labels)


@pages.post("/flagged")
@allow(*VOTERS)
def object_to() -> Response:
    """Take the member's votes against the families that are marked; one that is not listed any more is passed over."""
    state, name = console_state(), current_member().name
    for base in dict.fromkeys(request.form.getlist("family")):
        with state.appending([base]) as ledger:
            if base in find_listed(state):
                ballot = Ballot(str(uuid.uuid4()), base, name, "out", (), "", state.timestamp())
                ledger.cast({"vote": ballot}, ballot.at, panel=state.panel_size(base))
    return redirect("/flagged", 303)


def find_listed(state: ConsoleState) -> list[str]:
    """Return the flagged families that were open at midnight, or are new since, and on which the member may vote."""
    member, now = current_member(), state.clock()
    listed = [
        base
        for base, family_state in state.family_states.items()
        if family_state.standing == "flagged"
        and state.midnight_states.get(base, family_state).is_open
        and state.queue.can_answer(
            member.name,
            Lease("", base, family_state.round.number, "vote", now),
            now,
            is_chair=member.role == "chair",
        )
    ]
    return sorted(listed, key=lambda base: (-state.everyday_use.get(base, 0.0), base))


def tell_labels(candidates: tuple[Candidate, ...]) -> str:
    """Return what the dictionaries label a family: vulgar (some senses) in GCIDE."""
    found: Mapping[str, None] = dict.fromkeys(
        f"{label} in {witness.title}"
        for each in candidates
        for witness in each.witnesses
        for label in witness.labels
        if label.startswith(_MARKS)
    )
    return ", ".join(found)
