"""The reviewers' pages as a Flask application, with accounts of its own (docs/fairplay.md)."""

from __future__ import annotations

from typing import Final

from flask import Flask

from ordws.cases.pages import player_pages, review_pages
from ordws.cases.pages.state import ReviewState
from ordws.console import sign_in
from ordws.console.application import AccountSite, make_application

REVIEWERS: Final = AccountSite(
    title="Cases",
    cookie="ordws-cases",
    home={"keeper": "/cases", "reviewer": "/cases"},
    navigation={
        "keeper": (("/cases", "Cases"), ("/members", "Members")),
        "reviewer": (("/cases", "Cases"),),
    },
    declaration=(
        "You will be shown what a program found in the games of a player, and you will say whether that establishes"
        " beyond a reasonable doubt that the player had help, or quit games. The program decides nothing.",
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
    groups = [sign_in.pages, review_pages.pages, player_pages.pages]
    return make_application(state, REVIEWERS, groups, origin=origin)
