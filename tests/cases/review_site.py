"""The reviewers' pages, served over HTTP to Chromium windows of reviewers, keepers and players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from browser_windows import BrowserWindows
from case_steps import NOON
from jinja2 import StrictUndefined
from playwright.sync_api import Page
from threaded_server import served_in_thread

from ordws.cases.pages.app import REVIEWERS, create_review_app
from ordws.cases.pages.case_view import ReviewState, open_review_state
from ordws.console.access import Role
from ordws.instance import Instance


@dataclass
class SetClock:
    """A clock that a test sets."""

    now: int = NOON

    def __call__(self) -> int:
        return self.now


@dataclass
class ReviewSite(BrowserWindows):
    """The reviewers' pages of an installation, which browsers can reach."""

    instance: Any = None
    state: Any = None
    clock: Any = None

    def signed_in(self, name: str, role: Role = "reviewer", **options: Any) -> Page:
        """Open a window of a member who has declared, in a browser of its own."""
        accounts = self.state.accounts
        if name not in {member.name for member in accounts.active_members()}:
            accounts.add_member(name, role, self.clock.now)
        accounts.record_declaration(name, self.clock.now, REVIEWERS.statements)
        page = self.window(**options)
        cookie, _ = accounts.begin_session(name, self.clock.now)
        page.context.add_cookies([{"name": REVIEWERS.cookie, "value": cookie, "url": self.url, "httpOnly": True}])
        return page


@contextmanager
def serve_reviewers(instance: Instance, chromium: Any, clock: SetClock) -> Iterator[ReviewSite]:
    """Serve the reviewers' pages of an installation; a complaint of a window fails at the end."""
    with closing(open_review_state(instance, clock)) as state:
        with serve_state(state, chromium, clock, instance) as site:
            yield site
        site.check()


@contextmanager
def serve_state(state: ReviewState, chromium: Any, clock: SetClock, instance: Instance) -> Iterator[ReviewSite]:
    app = create_review_app(state)
    app.jinja_env.undefined = StrictUndefined
    with served_in_thread(app) as port:
        app.config["ORIGIN"] = f"http://localhost:{port}"
        site = ReviewSite(app.config["ORIGIN"], chromium, instance=instance, state=state, clock=clock)
        with closing(site):
            yield site
