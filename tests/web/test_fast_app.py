"""Tests that the fast application and Flask give the same replies, whatever is sent."""

from __future__ import annotations

import json
from array import array
from contextlib import ExitStack
from io import BytesIO

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sealed_game import SealedGame, http_sender
from small_installation import NOON, FakeClock, build_installation

from ordws.guard.policy import DAY, Policy
from ordws.referee.moments import Moment
from ordws.web.flask_app import create_app
from ordws.web.metrics import CountingMiddleware
from ordws.web.request_counts import BUCKET_BOUNDS, LAYOUT, WorkerCounts
from ordws.web.wsgi import STATUS_LINES

FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
SECRET = bytes(range(32))
EMPTY = "/".join(["15"] * 15)
FISH = "/".join(["15"] * 7 + ["7FISH4"] + ["15"] * 7)


class RecordedService:
    """A service of an installation of its own, with its replies, charges, counts and log lines."""

    def __init__(self, root, *, fast):
        self.installation = root.enter(build_installation)
        self.clock = FakeClock()
        self.lines = []
        self.key = self.installation.register.add("table", "home", NOON - 40 * DAY, lambda size: SECRET[:size])
        self.club = self.installation.register.add(
            "club", "operator", NOON - 40 * DAY, lambda size: SECRET[::-1][:size]
        )
        self.old = self.installation.register.add(
            "old", "home", NOON - 40 * DAY, lambda size: bytes(size), scopes=["game"]
        )
        ids = iter(range(1_000_000))
        app = create_app(
            self.installation.services(Policy(outside_a_day=2)),
            clock=self.clock,
            new_id=lambda: f"id-{next(ids)}",
            log=self.lines.append,
            fast=fast,
        )
        self.layout = LAYOUT
        self.cells = array("q", bytes(self.layout.size * 8))
        self.app = CountingMiddleware(app.wsgi_app, WorkerCounts(self.layout, self.cells, lambda: 1))

    def __call__(self, environ, body):
        begun = []
        given = {"wsgi.input": BytesIO(body), **environ}
        parts = self.app(given, lambda status, headers, exc_info=None: begun.append((status, headers)))
        return begun, b"".join(parts)

    @property
    def logged(self):
        return [line._replace(milliseconds=0) for line in self.lines]

    @property
    def counted(self):
        """Return all counts but those of time."""
        layout = self.layout
        waits = range(layout.buckets, layout.microseconds + len(layout.routes))
        assert len(waits) == len(layout.routes) * (len(BUCKET_BOUNDS) + 2)
        return [cell for place, cell in enumerate(self.cells) if place not in waits]

    @property
    def charged(self):
        """Return every row of the meters, which both installations write under the same key."""
        return self.installation.stored_meters()


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """The service with the fast application, and the service with Flask alone."""
    with ExitStack() as stack:

        class Root:
            def __init__(self, name):
                self.path = tmp_path_factory.mktemp(name) / "instance"

            def enter(self, build):
                return stack.enter_context(build(self.path))

        yield RecordedService(Root("fast"), fast=True), RecordedService(Root("flask"), fast=False)


KNOWN = st.sampled_from(["QUIZ", "zag", "Lovers", "CAT", "AB", "ZA", "c4t", "élan", "", "MISFEED"])
WORDS = KNOWN | st.text(max_size=3)
LABELS = st.sampled_from(["one", "two", "", "a b", "\x00", "é"])
RULES = st.sampled_from(["dover", "scrabble-i", "scrabble-o", "classic", "none"])
QUESTIONS = st.fixed_dictionaries(
    {"words": st.lists(WORDS, max_size=9)},
    optional={"rules": RULES, "game": LABELS, "player": LABELS, "odd": st.none()},
)
PLAYS = st.fixed_dictionaries(
    {
        "position": st.sampled_from([EMPTY, FISH, f"{FISH} AENRST?/ 0/0 0", "15/15", "fish"]),
        "move": st.sampled_from(
            ["8D QUIZ", "8H .ERY", "8H FISHERY", "H7 A.", "8A CAT", "-", "=H8 8H .", "8d cat", "9Z"]
        ),
    },
    optional={
        "rules": st.sampled_from(["classic", "dover", "none"]),
        "rack": st.sampled_from(["QUIZERY", "a", "?"]),
        "game": LABELS,
        "player": LABELS,
        "options": st.sampled_from([{}, {"swap": "none"}, {"odd": 1}]),
    },
)
BODIES = (QUESTIONS | PLAYS).map(lambda fields: json.dumps(fields).encode()) | st.binary(max_size=24)
NO_GAME = "0123456789abcdef" * 2
PATHS = st.sampled_from(
    [
        "/v1/judge",
        "/v1/judge",
        "/v1/judge",
        "/v1/plays",
        "/v1/plays",
        "/v1/judge/",
        "//v1/judge",
        "/v1/judge\x00",
        "/V1/JUDGE",
        "/v1/score",
        "/v1/ospd",
        "/v1/quota",
        f"/v1/games/{NO_GAME}",
        f"/v1/games/{NO_GAME}/turns",
        f"/v1/games/{NO_GAME}/seat",
        "/v1/games/{id}",
        "/v1/games/{id}/turns",
        "/",
        "/nothing",
    ]
)
ODD = st.fixed_dictionaries(
    {},
    optional={
        "REQUEST_METHOD": st.sampled_from(["GET", "HEAD", "PUT", "OPTIONS", "post", "BREW"]),
        "QUERY_STRING": st.sampled_from(["words=QUIZ", "a=1&a=2", "=", "%ff"]),
        "CONTENT_TYPE": st.sampled_from(["", "text/plain", "Application/JSON; charset=utf-8", "application/json;"]),
        "CONTENT_LENGTH": st.sampled_from(["", "0", "3", "x", "99999999"]),
        "HTTP_TRANSFER_ENCODING": st.just("chunked"),
        "HTTP_HOST": st.sampled_from(
            ["", "elsewhere", "a b", "[::1", "x:y", "ex\xe4mple", "a,b", "127.0.0.1:99999", "..", "a" * 64, "x" * 300]
        ),
        "HTTP_SEAT_TOKEN": st.sampled_from([f"ordws_seat_{NO_GAME}_0_x", "odd", ""]),
        "HTTP_IDEMPOTENCY_KEY": st.sampled_from(["k1", "k2", "", "é", "k" * 300]),
        "HTTP_COOKIE": st.sampled_from(["ordws_device=x", "ordws_device=x; ordws_device=y", "other=1", ";;"]),
        "HTTP_ORIGIN": st.sampled_from(["http://elsewhere", "null"]),
        "HTTP_SEC_FETCH_SITE": st.sampled_from(["cross-site", "same-origin"]),
        "HTTP_X_REQUEST_ID": st.sampled_from(["3fa85f6457174562b3fc2c963f66afa6", "odd"]),
        "HTTP_X_FORWARDED_PROTO": st.just("https"),
        "HTTP_EXPECT": st.just("100-continue"),
        "HTTP_ACCEPT": st.sampled_from(["text/html", "text/plain", "*/*"]),
        "SCRIPT_NAME": st.sampled_from(["/v1", "/app"]),
    },
)
WHO = st.sampled_from(["key", "key", "key", "club", "old", None, "odd"])
LATER = st.sampled_from([0, 0, 0, 1, 3_600, DAY])


def environ_of(path, body, odd):
    """Return the WSGI environment of a request, as the server makes it."""
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SCRIPT_NAME": "",
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1:8000",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.errors": None,
        **odd,
    }


def asking(*words):
    return json.dumps({"words": words}).encode()


@FUZZ
@example(path="/v1/judge", body=asking("CAT"), who="key", odd={"CONTENT_TYPE": "text/plain"}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="key", odd={"HTTP_HOST": ".."}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="key", odd={"HTTP_HOST": f"{'a' * 64}.example"}, later=0)
@example(path="/v1/judge", body=asking("QUIZ", "MISFEED", "PLAYED"), who="key", odd={}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="key", odd={"CONTENT_LENGTH": "99999999"}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="key", odd={"CONTENT_LENGTH": ""}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="key", odd={"REQUEST_METHOD": "PUT"}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who=None, odd={}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="old", odd={}, later=0)
@example(path="/v1/judge", body=asking("CAT"), who="club", odd={}, later=0)
@example(path="/v1/plays", body=b"{}", who="key", odd={}, later=0)
@example(path="/v1/score", body=b"", who="key", odd={}, later=0)
@example(path=f"/v1/games/{NO_GAME}", body=b"", who="key", odd={"REQUEST_METHOD": "GET"}, later=0)
@example(path="/v1/games/{id}", body=b"", who="key", odd={"REQUEST_METHOD": "GET"}, later=0)
@example(path=f"/v1/games/{NO_GAME}", body=b"", who="key", odd={"REQUEST_METHOD": "HEAD"}, later=0)
@example(path=f"/v1/games/{NO_GAME}/turns", body=b"{}", who=None, odd={"HTTP_COOKIE": "ordws_seat=x"}, later=0)
@example(path="/nothing", body=b"", who="key", odd={}, later=0)
@given(path=PATHS, body=BODIES, who=WHO, odd=ODD | st.just({}), later=LATER)
def test_both_applications_give_the_same_reply(services, path, body, who, odd, later):
    """Status, headers and their order, bytes and log lines must be the same from both."""
    answers = []
    for service in services:
        service.clock.now += later
        environ = environ_of(path, body, odd)
        if who is not None:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {getattr(service, who, 'odd')}"
        answers.append(service(environ, body))
    fast, flask = services
    assert answers[0] == answers[1]
    assert answers[0][0][0][0] in STATUS_LINES.values()
    assert fast.lines[-1]._replace(milliseconds=0) == flask.lines[-1]._replace(milliseconds=0)


def test_both_applications_charge_count_and_log_alike(services):
    """After all of these requests every charge, count and log line must agree, with replies of all kinds among them."""
    fast, flask = services
    assert fast.charged == flask.charged
    assert fast.logged == flask.logged
    assert fast.counted == flask.counted
    assert {200, 400, 401, 403, 404, 405, 411, 413, 415, 422, 429} <= {line.status for line in fast.lines}
    assert {"/v1/judge", "/v1/plays", "/v1/score", "-"} <= {line.route for line in fast.lines}


def test_both_applications_play_a_game_alike(service):
    """Standings, turns and records of a game must be the same bytes under the same headers, whichever is asked."""
    service.services.games.clock = lambda: Moment(1_000 * NOON)
    silent = {"clock": service.clock, "new_id": lambda: "id", "log": lambda line: None}
    apps = [create_app(service.services, fast=fast, **silent) for fast in (True, False)]
    senders = [http_sender(app.test_client(), service.key) for app in apps]
    game = SealedGame(senders[0], "classic")
    paths = [("GET", game.path, {}), ("GET", game.path, {"Accept": "text/plain"}), ("GET", f"{game.path}/turns", {})]

    def ask_both(method, path, headers, body=None):
        headers = {"Seat-Token": game.tokens[0], **headers}
        first, second = [send(method, path, headers, body) for send in senders]
        assert (first[0], [*first[1]], first[2]) == (second[0], [*second[1]], second[2])
        return first[0]

    assert {ask_both(*each) for each in paths} == {200, 409}
    for seat, move in ((0, "-"), (1, "-"), (0, "8D ZZZ"), (0, "resign")):
        body = json.dumps({"seat": game.tokens[seat], "turn": game.standing()["turn"], "move": move}).encode()
        # The second gets the reply to the first again.
        ask_both("POST", f"{game.path}/turns", {}, body)
        assert {ask_both(*each) for each in paths} <= {200, 409}
    assert game.standing()["ending"] == "forfeit"
