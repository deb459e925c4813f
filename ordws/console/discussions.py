"""Discussions: what is contested, talked over with reasons shown, and then voted on blind once more."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import ALL_ROLES, VOTERS, allow, current_member
from ordws.console.state import console_state
from ordws.curation.voting_rounds import FamilyState

pages: Final = Blueprint("discussion", __name__)


@pages.get("/discussions")
@allow(*ALL_ROLES)
def index() -> str:
    """What is being discussed; for chair and keeper also what waits for it."""
    with console_state().reading():
        contested = [matter for matter in console_state().matters.values() if matter.is_contested]
    open_ones = sorted([each.base for each in contested if each.is_discussed])
    waiting = sorted([each.base for each in contested if not each.is_discussed])
    leads = current_member().role != "curator"
    return render_template("discussions.html", discussed=open_ones, waiting=waiting if leads else None)


@pages.get("/discussions/<base>")
@allow(*ALL_ROLES)
def show(base: str) -> str:
    """A contested family with the votes and reasons of its round, and what was said; to read in the second round too.

    No names, neither of voters nor of who said what: whoever argues says how he voted, and will vote again.
    """
    with console_state().reading() as ledger:
        matter = console_state().matters.get(base)
        if matter is None or not matter.round.is_second:
            matter = _find_contested(base)
        first = ledger.ballots_before(base, matter.round.after_link) if matter.round.is_second else matter.ballots
        candidates, derivations = ledger.evidence([base])[base], console_state().derivations[base]
    votes = sorted(first, key=lambda ballot: (ballot.vote, ballot.reason))
    return render_template(
        "discussion.html", matter=matter, candidates=candidates, derivations=derivations, votes=votes
    )


@pages.post("/discussions/<base>/open")
@allow("chair")
def begin(base: str) -> Response:
    """Put a contested family up for discussion."""
    with console_state().appending([base]) as ledger:
        ledger.open_discussion(base, current_member().name, console_state().timestamp())
    return _redirect_to_discussion(base)


@pages.post("/discussions/<base>/say")
@allow(*VOTERS)
def say(base: str) -> Response:
    """Add to a discussion."""
    with console_state().appending([base]) as ledger:
        if current_member().name in _find_contested(base).recused:
            abort(403)
        ledger.add_comment(base, current_member().name, request.form.get("text", ""), console_state().timestamp())
    return _redirect_to_discussion(base)


@pages.post("/discussions/<base>/vote")
@allow("chair")
def vote_again(base: str) -> Response:
    """End a discussion: everybody but the chair votes once more, blind."""
    with console_state().appending([base]) as ledger:
        ledger.open_second_vote(base, current_member().name, console_state().timestamp())
    return redirect("/discussions", 303)


def _find_contested(base: str) -> FamilyState:
    """A family that is contested; a curator's page shows none before the chair has opened its discussion."""
    matter = console_state().matters.get(base)
    if matter is None or not matter.is_contested or not (matter.is_discussed or current_member().role != "curator"):
        abort(404)
    return matter


def _redirect_to_discussion(base: str) -> Response:
    return redirect(f"/discussions/{base}", 303)
