"""Discussions: what is contested, talked over with reasons shown, and then voted on blind once more."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import EVERYBODY, VOTERS, allow, me
from ordws.console.room import room
from ordws.curation.rounds import Matter

pages: Final = Blueprint("discussion", __name__)


@pages.get("/discussions")
@allow(*EVERYBODY)
def index() -> str:
    """What is being discussed; for chair and keeper also what waits for it."""
    with room().reading():
        contested = [matter for matter in room().matters.values() if matter.is_contested]
    open_ones = sorted([each.base for each in contested if each.is_discussed])
    waiting = sorted([each.base for each in contested if not each.is_discussed])
    leads = me().role != "curator"
    return render_template("discussions.html", discussed=open_ones, waiting=waiting if leads else None)


@pages.get("/discussions/<base>")
@allow(*EVERYBODY)
def show(base: str) -> str:
    """A contested family with the votes and reasons of its round, and what was said; to read in the second round too.

    No names, neither of voters nor of who said what: whoever argues says how he voted, and will vote again.
    """
    with room().reading() as ledger:
        matter = room().matters.get(base)
        if matter is None or not matter.round.is_second:
            matter = _contested(base)
        first = ledger.ballots_before(base, matter.round.since) if matter.round.is_second else matter.ballots
        candidates, derivations = ledger.evidence([base])[base], room().derivations[base]
    votes = sorted(first, key=lambda ballot: (ballot.vote, ballot.reason))
    return render_template(
        "discussion.html", matter=matter, candidates=candidates, derivations=derivations, votes=votes
    )


@pages.post("/discussions/<base>/open")
@allow("chair")
def begin(base: str) -> Response:
    """Put a contested family up for discussion."""
    with room().changing([base]) as ledger:
        ledger.open_discussion(base, me().name, room().stamp())
    return _back(base)


@pages.post("/discussions/<base>/say")
@allow(*VOTERS)
def say(base: str) -> Response:
    """Add to a discussion."""
    with room().changing([base]) as ledger:
        if me().name in _contested(base).recused:
            abort(403)
        ledger.say(base, me().name, request.form.get("text", ""), room().stamp())
    return _back(base)


@pages.post("/discussions/<base>/vote")
@allow("chair")
def vote_again(base: str) -> Response:
    """End a discussion: everybody but the chair votes once more, blind."""
    with room().changing([base]) as ledger:
        ledger.vote_again(base, me().name, room().stamp())
    return redirect("/discussions", 303)


def _contested(base: str) -> Matter:
    """A family that is contested; a curator's page shows none before the chair has opened its discussion."""
    matter = room().matters.get(base)
    if matter is None or not matter.is_contested or not (matter.is_discussed or me().role != "curator"):
        abort(404)
    return matter


def _back(base: str) -> Response:
    return redirect(f"/discussions/{base}", 303)
