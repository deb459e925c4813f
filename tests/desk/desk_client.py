"""A director or a player without a browser: the requests that the pages' scripts send."""

from __future__ import annotations

import re
from typing import Any

from desk_events import KEY, TestDesk, TestEvent
from flask import Flask
from werkzeug.test import TestResponse

from ordws.desk.app import create_app

JSON = {"Accept": "application/json"}


class DeskClient:
    """A browser's requests on a desk, with its cookies."""

    def __init__(self, desk: TestDesk, app: Flask | None = None) -> None:
        self.desk = desk
        self.http = (app or create_app(desk.desk)).test_client()
        self.csrf = ""

    def sign_in(self, name: str = "Dora", key: str | None = None) -> TestResponse:
        reply = self.http.post("/desk/sign-in", data={"name": name, "key": key or KEY.director_key, "csrf": self.csrf})
        if reply.status_code == 303:
            self.csrf = self.find_csrf()
        return reply

    def enter_code(self, event: TestEvent, code: str, **headers: str) -> TestResponse:
        """Sign in as a player."""
        data = {"code": code, "csrf": self.csrf}
        reply = self.http.post(f"/tournament/{event.id}/sign-in", data=data, headers=headers)
        self.csrf = self.find_csrf()
        return reply

    def find_csrf(self) -> str:
        """Return the token of the browser's session, as its pages have it; empty where nobody is signed in."""
        cookie = self.http.get_cookie(self.desk.sessions.cookie)
        session = self.desk.sessions.find(cookie.value, self.desk.clock.now) if cookie else None
        return session.csrf if session else ""

    def post(self, path: str, **fields: Any) -> TestResponse:
        return self.http.post(path, data={"csrf": self.csrf, **fields}, headers=JSON)

    def do(self, event: TestEvent, name: str, **fields: Any) -> TestResponse:
        """Carry out a deed of a director."""
        return self.post(f"/desk/{event.id}/do/{name}", **fields)

    def line(self, event: TestEvent, text: str, **fields: Any) -> TestResponse:
        return self.post(f"/desk/{event.id}/line", line=text, **fields)

    def get(self, path: str) -> TestResponse:
        return self.http.get(path)

    def text(self, path: str) -> str:
        """Return the text of a page, with single spaces."""
        reply = self.http.get(path)
        assert reply.status_code == 200, path
        return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())
