"""The reviewers' pages, served over HTTP to Chromium windows of reviewers, keepers and players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from browser_windows import BrowserWindows
from case_steps import NOON
from jinja2 import StrictUndefined
from playwright.sync_api import Page
from threaded_server import kept_by_browsers, served_in_thread

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
    app: Any = None

    def signed_in(self, name: str, role: Role = "reviewer", **options: Any) -> Page:
        """Open a window of a member who has declared, in a browser of its own."""
        page = self.plain_window(**options)
        cookie = self.begin_session(name, role)
        page.context.add_cookies([{"name": REVIEWERS.cookie, "value": cookie, "url": self.url, "httpOnly": True}])
        return page

    def begin_session(self, name: str, role: Role) -> str:
        """Return the cookie of a member, who is made where there is none of that name."""
        accounts = self.state.accounts
        if name not in {member.name for member in accounts.active_members()}:
            accounts.add_member(name, role, self.clock.now)
        accounts.record_declaration(name, self.clock.now, REVIEWERS.statements)
        cookie: str = accounts.begin_session(name, self.clock.now)[0]
        return cookie

    def requests_of(self, name: str = "", role: Role = "reviewer") -> Requests:
        """Return the requests of a member, or of somebody who is not signed in."""
        client = self.app.test_client()
        if name:
            client.set_cookie(REVIEWERS.cookie, self.begin_session(name, role), domain="localhost")
        return Requests(client, self.url)


@dataclass
class Requests:
    """The requests of a browser, where no script of a page is looked at."""

    client: Any
    origin: str
    status: int = 0
    text: str = ""

    def get(self, path: str) -> str:
        """Open a page, and return it without the token of its forms."""
        return self._show(self.client.get(path, base_url=self.origin))

    def send(self, path: str, **fields: str) -> str:
        """Send a form of the page that is open, and return the page that follows."""
        csrf = re.findall('name="csrf" value="([^"]*)"', self.text)[:1]
        sent = {"csrf": csrf[0], **fields} if csrf else fields
        headers = {"Origin": self.origin}
        return self._show(
            self.client.post(path, data=sent, base_url=self.origin, headers=headers, follow_redirects=True)
        )

    def _show(self, reply: Any) -> str:
        self.status, self.text = reply.status_code, reply.text
        return re.sub(r'name="csrf" (value|content)="[^"]*"', "", self.text)


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
    with served_in_thread(kept_by_browsers(app)) as port:
        app.config["ORIGIN"] = f"http://localhost:{port}"
        site = ReviewSite(app.config["ORIGIN"], chromium, instance=instance, state=state, clock=clock, app=app)
        with closing(site):
            yield site
