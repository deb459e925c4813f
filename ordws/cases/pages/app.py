"""The reviewers' pages as a Flask application, with accounts of its own (docs/fairplay.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from flask import Blueprint, Flask, abort
from werkzeug.wrappers import Response

from ordws.cases.pages import player_pages, review_pages
from ordws.cases.pages.case_view import ReviewState
from ordws.console import account_pages, account_requests
from ordws.console.application import AccountSite, make_application
from ordws.frame.application import allow

_GROUPS: Final = (account_pages.pages, review_pages.pages, player_pages.pages)
REVIEWERS: Final = AccountSite(
    title="Cases",
    cookie="ordws-cases",
    home={"keeper": "/cases", "reviewer": "/cases"},
    navigation={
        "keeper": (("/cases", "Cases"), ("/members", "Members")),
        "reviewer": (("/cases", "Cases"),),
    },
    declaration=(
        "You will be shown what a program found in the games of a player. Before the player is heard you will say"
        " whether there is a case to answer; with the answer, whether it is established beyond a reasonable doubt that"
        " the player had help, or quit games. The program decides nothing.",
        "Once a year each of us declares:",
    ),
    statements=(
        "I judge only what is in the file, and apart from the others.",
        "I tell nobody what I have read in a file, nor that there is one.",
        "I look up no player, and ask nobody who a player might be.",
        "Where I know or guess the player, or gain by the decision, I leave the case.",
    ),
    name_hint="Name that keepers see",
    add_command="ordws accounts add NAME --of cases --role keeper",
)
"""The reviewers' pages: a keeper keeps the files and writes decisions, a reviewer gives opinions."""


def create_review_app(state: ReviewState, *, origin: str = "http://localhost:8011") -> Flask:
    """Return the reviewers' pages as a WSGI application; `origin` is how browsers reach them."""
    return make_application(state, REVIEWERS, _GROUPS, origin=origin)


def create_rehearsal_app(state: ReviewState, seats: Mapping[str, str], *, origin: str) -> Flask:
    """Return the pages of a rehearsal, in which a link signs in: `seats` has the name of each by its token."""
    seating = Blueprint("rehearsal", __name__)

    @seating.get("/as/<token>")
    @allow()
    def sit(token: str) -> Response:
        if token not in seats:
            abort(404)
        return account_requests.sign_in(seats[token])

    note = "This is a rehearsal: the player, games, words and case are made up, and nothing of it is kept."
    site = replace(REVIEWERS, title="Rehearsal", cookie="ordws-rehearsal", note=note)
    return make_application(state, site, [*_GROUPS, seating], origin=origin)
