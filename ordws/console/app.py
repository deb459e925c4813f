"""The curators' console as a Flask application: its groups of pages, and what each role finds there."""

from __future__ import annotations

from typing import Final

from flask import Flask

from ordws.console import account_pages, cards, class_pages, keeper_home, nominations, progress, voter_pages
from ordws.console.access import STATEMENTS
from ordws.console.application import AccountSite, make_application
from ordws.console.state import ConsoleState

PAGE_GROUPS: Final = (account_pages, cards, voter_pages, class_pages, progress, nominations, keeper_home)
_VOTERS_PAGES: Final = (
    ("/queue", "Queue"),
    ("/flagged", "Flagged"),
    ("/discussions", "Discussions"),
    ("/history", "My votes"),
)
_OVERVIEW_PAGES: Final = (("/progress", "Progress"), ("/classes", "Classes"))
CONSOLE: Final = AccountSite(
    title="Console",
    cookie="ordws-console",
    home={"keeper": "/keeping", "chair": "/queue", "curator": "/queue"},
    navigation={
        "curator": _VOTERS_PAGES,
        "chair": (*_VOTERS_PAGES, *_OVERVIEW_PAGES),
        "keeper": (
            ("/discussions", "Discussions"),
            *_OVERVIEW_PAGES,
            ("/keeping", "Keeping"),
            ("/members", "Members"),
        ),
    },
    declaration=(
        "For one word family after another you will be asked whether it belongs in an ordinary college dictionary, not"
        " whether you like it, use it or would play it.",
        "Words are decided here by people who gain nothing by them. Once a year each of us declares:",
    ),
    statements=STATEMENTS,
    name_hint="Name shown on ballots",
    add_command="ordws accounts add NAME --role keeper",
)


def create_app(state: ConsoleState, *, origin: str = "http://localhost:8010", sources: str | None = None) -> Flask:
    """Return the console as a WSGI application.

    `origin` is how browsers reach it, `sources` the folder of the dictionaries that editions are built from.
    """
    return make_application(state, CONSOLE, [group.pages for group in PAGE_GROUPS], origin=origin, SOURCES=sources)
