"""Discussions: a contested family is talked over with all reasons shown, and then voted on blind once more."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, current_member
from ordws.console.state import console_state
from ordws.curation.voting_rounds import FamilyState
from ordws.frame.application import allow

pages: Final = Blueprint("discussion", __name__)


@pages.get("/discussions")
@allow("keeper", *VOTERS)
def index() -> str:
    """List the families under discussion; for chair and keepers also those that wait for one."""
    with console_state().reading():
        contested = [each for each in console_state().family_states.values() if each.is_contested]
    discussed = sorted([each.base for each in contested if each.is_discussed])
    waiting = sorted([each.base for each in contested if not each.is_discussed])
    is_curator = current_member().role == "curator"
    return render_template("discussions.html", discussed=discussed, waiting=None if is_curator else waiting)


@pages.get("/discussions/<base>")
@allow("keeper", *VOTERS)
def show(base: str) -> str:
    """Show a contested family with the votes and reasons of its first round, and the comments on it.

    It can be read in the second round too. It shows no names of voters or commenters: an argument reveals its
    author's vote, and the author will vote again.
    """
    with console_state().reading() as ledger:
        family_state = console_state().family_states.get(base)
        if family_state is None or not family_state.round.is_second:
            family_state = _find_contested(base)
        first_round = (
            ledger.ballots_before(base, family_state.round.after_link)
            if family_state.round.is_second
            else family_state.ballots
        )
        candidates, derivations = ledger.evidence([base])[base], console_state().derivations[base]
    # Sorted by content, so that the order of the votes does not reveal their voters.
    votes = sorted(first_round, key=lambda ballot: (ballot.vote, ballot.reason))
    return render_template(
        "discussion.html", family_state=family_state, candidates=candidates, derivations=derivations, votes=votes
    )


@pages.post("/discussions/<base>/open")
@allow("chair")
def begin(base: str) -> Response:
    """Open the discussion of a contested family."""
    with console_state().appending([base]) as ledger:
        ledger.open_discussion(base, current_member().name, console_state().timestamp())
    return _redirect_to_discussion(base)


@pages.post("/discussions/<base>/say")
@allow(*VOTERS)
def say(base: str) -> Response:
    """Add a comment to a discussion; a curator who is recused may only read."""
    with console_state().appending([base]) as ledger:
        if current_member().name in _find_contested(base).recused:
            abort(403)
        ledger.add_comment(base, current_member().name, request.form.get("text", ""), console_state().timestamp())
    return _redirect_to_discussion(base)


@pages.post("/discussions/<base>/vote")
@allow("chair")
def vote_again(base: str) -> Response:
    """End a discussion and open a second blind round, in which all but the chair vote."""
    with console_state().appending([base]) as ledger:
        ledger.open_second_vote(base, current_member().name, console_state().timestamp())
    return redirect("/discussions", 303)


def _find_contested(base: str) -> FamilyState:
    """Return a contested family; 404 where there is none, or for a curator before the chair opens its discussion."""
    family_state = console_state().family_states.get(base)
    if (
        family_state is None
        or not family_state.is_contested
        or not (family_state.is_discussed or current_member().role != "curator")
    ):
        abort(404)
    return family_state


def _redirect_to_discussion(base: str) -> Response:
    return redirect(f"/discussions/{base}", 303)
