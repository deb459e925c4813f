"""The desk behind the shipped proxy, at the same name as the service."""

from __future__ import annotations

import json
import time

import pytest
from deployment import Nginx, ask_once
from threaded_server import served_in_thread
from werkzeug.middleware.proxy_fix import ProxyFix

from ordws.desk.app import create_app
from ordws.desk.context import Desk
from ordws.desk.desk_key import DeskKey
from ordws.desk.events import Events
from ordws.desk.sessions import DeskSessions


@pytest.fixture
def desk(tmp_path):
    """Serve a desk without events, as its own process does behind the proxy."""
    events, key = tmp_path / "events", DeskKey.open(tmp_path / "desk.key")
    events.mkdir()
    app = create_app(
        Desk(
            Events(events), key, DeskSessions.create(tmp_path / "desk.sessions", events, key), lambda: int(time.time())
        ),
        is_secure=True,
    )
    with served_in_thread(ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)) as port:
        yield port


def test_the_desk_is_at_the_name_of_the_service(desk, tmp_path):
    """Pages of the desk and of players come from the desk, with its own headers; nothing else does."""
    nginx = Nginx(tmp_path, tmp_path / "no.sock", {"127.0.0.1:8020": f"127.0.0.1:{desk}"}).start()
    try:
        status, headers, body = ask_once(nginx, "GET", "/desk/sign-in")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert headers["x-robots-tag"] == "noindex"
        assert b"/desk-files/" in body
        assert ask_once(nginx, "GET", "/desk-files/live.js")[0] == 200
        assert ask_once(nginx, "GET", "/desk")[1]["location"].endswith("/desk/sign-in?next=/desk")
        assert ask_once(nginx, "GET", "/tournament/none")[0] == 404
        status, _, body = ask_once(nginx, "GET", "/deskundig")
        assert (status, json.loads(body)["code"]) == (503, "too-busy"), "another path is the service's"
    finally:
        nginx.stop()


def test_a_desk_that_is_away_is_a_problem(tmp_path):
    """Without the desk its pages are refused like those of a service that is away."""
    nginx = Nginx(tmp_path, tmp_path / "no.sock", {"127.0.0.1:8020": "127.0.0.1:9"}).start()
    try:
        status, headers, body = ask_once(nginx, "GET", "/tournament/spring")
        assert (status, json.loads(body)["code"], headers["retry-after"]) == (503, "too-busy", "2")
    finally:
        nginx.stop()
