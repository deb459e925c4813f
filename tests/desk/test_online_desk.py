"""Tests of on-line rounds as players and directors see them: links on the players' pages, and a desk that is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import http_replies
import httpx
import pytest
from event_desk import SCOPES
from processes import ROOT
from service_process import ORDWS_COMMAND, PYTHON_PATH
from small_installation import NOON, FakeClock, InProcessService
from threaded_server import served_in_thread

from ordws.client import Client
from ordws.desk.app import create_app
from ordws.desk.context import Desk
from ordws.desk.desk_key import DeskKey
from ordws.desk.events import Events
from ordws.desk.online import OnlineLoop
from ordws.desk.operators import find_operator, read_key
from ordws.desk.sessions import DeskSessions
from ordws.errors import BadInput, Missing, StoreDown
from ordws.frame.sessions import new_code
from ordws.identity.register import write_key
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings, TableResult
from ordws.tournament.played_event import event_pairings
from ordws.tournament.store import EventFile
from ordws.web.senders import MAX_UNKNOWN

TIMEOUT_SECONDS = 300
"""More than any machine needs to start a process, open a game and tell of it."""

ON_LINE = EventSettings(on_line=True, automatic=True)


def begin_event(path, now, *names, rounds=1):
    """Return the file of an on-line event whose first round is published."""
    create = f.Created(name="Spring Open", rules="classic", rounds=rounds, seed=1, settings=ON_LINE)
    file = EventFile.create(path, create, actor="Dora", now=now)
    file.apply(*[c.Enter(name=name) for name in names], actor="Dora", now=now)
    file.apply(*[f.CheckedIn(entrant=entrant) for entrant in file.state.entrants], actor="Dora", now=now)
    snapshot = next(iter(Events(path).all())).snapshot()
    publish = f.Published(round=1, pairings=event_pairings(snapshot.draft), bye=snapshot.draft.bye)
    file.apply(publish, actor="Dora", now=now)
    return file


@pytest.fixture(scope="module")
def installation(shared_installation):
    return shared_installation


@pytest.fixture(scope="module")
def operator_key(installation):
    installation.register.add("desk", "operator", NOON - 40 * 86_400, scopes=SCOPES)
    installation.register.verify("desk", NOON)
    return installation.register.add_key("desk", NOON)


def test_a_player_is_shown_the_link_to_the_own_seat_alone(service, operator_key, tmp_path):
    """The link is on the page of the entrant who signed in, with the time to come by; nobody else is shown it."""
    with closing(begin_event(tmp_path / "spring.db", service.clock(), "Ann", "Ben", "Cy", "Dee")) as file:
        events, key = Events(tmp_path), DeskKey.open(tmp_path / "desk.key")
        client = Client("http://localhost", operator_key, transport=httpx.WSGITransport(service.app))
        loop = OnlineLoop(events, client, "https://judge.example.org", service.clock)
        sessions = DeskSessions.create(tmp_path / "desk.sessions", tmp_path, key)
        app = create_app(Desk(events, key, sessions, service.clock, online=loop))
        codes = {entrant: new_code() for entrant in file.state.entrants}
        for entrant, code in codes.items():
            digest = key.code_digest(file.state, code)
            file.apply(f.CodeIssued(entrant=entrant, digest=digest), actor="Dora", now=service.clock())

        def look(entrant=None):
            browser = app.test_client()
            if entrant is not None:
                assert browser.post("/tournament/spring/sign-in", data={"code": codes[entrant]}).status_code == 303
            return browser.get("/tournament/spring").text

        assert "on its way" in look(1)
        loop.step()
        tables = file.refresh().rounds[0].pairings
        links = {
            entrant: loop.find("spring").seat_link(entrant, table.bound[0].sealed_game)
            for table in tables
            for entrant in table.entrants
        }
        assert len(set(links.values())) == 4
        for entrant in codes:
            page = look(entrant)
            assert [each for each, link in links.items() if link in page] == [entrant]
            assert "12:10 UTC" in page
        assert "ordws_invite_" not in look()
        service.clock.now += 600
        loop.step()
        assert loop.find("spring").begin_by(file.refresh().rounds[0].pairings[0].bound[0].sealed_game) is None
        page = look(1)
        assert "ordws_invite_" not in page
        assert "forfeit" in page


def test_an_event_of_another_operator_is_not_played_by_the_desks_key(service, operator_key, tmp_path):
    """Only events of the key's own operator spend its budget; the directors of another's read why nothing is opened."""
    for name, owner in (("mine", "desk"), ("theirs", "rival")):
        with closing(begin_event(tmp_path / f"{name}.db", service.clock(), "Ann", "Ben")) as file:
            file.apply(c.NameOperators(owner=owner), actor="Dora", now=service.clock())
    client = Client("http://localhost", operator_key, transport=httpx.WSGITransport(service.app))
    events = Events(tmp_path)
    loop = OnlineLoop(events, client, "", service.clock)
    loop.step()
    bound = {each.id: bool(each.snapshot().state.rounds[0].pairings[0].bound) for each in events.all()}
    assert bound == {"mine": True, "theirs": False}
    assert loop.find("mine").remarks == []
    (remark,) = loop.find("theirs").remarks
    assert 'belongs to the operator "rival"' in remark


def test_a_fault_in_one_event_holds_up_no_other(service, operator_key, tmp_path, caplog):
    """A step that fails is logged without a name, and the events after it go on."""
    for name in ("a", "b"):
        begin_event(tmp_path / f"{name}.db", service.clock(), "Ann", "Ben").close()
    client = Client("http://localhost", operator_key, transport=httpx.WSGITransport(service.app))
    events = Events(tmp_path)
    loop = OnlineLoop(events, client, "", service.clock)
    events.find("a").file.path.write_bytes(b"Ann's secret")
    loop.step()
    assert events.find("b").snapshot().state.rounds[0].pairings[0].bound
    assert "Broken" in caplog.text or "step" in caplog.text
    assert "Ann" not in caplog.text


@pytest.fixture(scope="module")
def served(installation):
    """Serve the service at a port, for programs that know nothing of this test; yield its address."""
    service = InProcessService(installation.services(), installation.key, FakeClock())
    with served_in_thread(service.app) as port:
        yield f"http://127.0.0.1:{port}"


def test_the_key_of_an_operator_with_the_scope_find_operator(served, installation, operator_key, monkeypatch):
    """A director signs in by a verified operator's key of the scope, and by no other; a lost service says so."""
    unverified = installation.register.add("rogue", "operator", NOON, scopes=SCOPES)
    other = installation.register.add("club without", "operator", NOON)
    assert [
        find_operator(served, key) for key in (operator_key, unverified, other, "x y", "", "ordws_live_no", "\u2603")
    ] == [
        "desk",
        *[None] * 6,
    ]
    monkeypatch.setattr("ordws.desk.operators.PATIENCE_SECONDS", 0.0)
    with pytest.raises(StoreDown):
        find_operator("http://127.0.0.1:9", operator_key)


def test_wrong_keys_count_for_the_browsers_that_sent_them(installation, operator_key, tmp_path):
    """Over its socket the service counts the wrong keys of each browser's address, and not all of them for the desk."""
    service = InProcessService(installation.services(), installation.key, FakeClock())

    def over_a_socket(environ, start_response):
        return service.app(environ | {"REMOTE_ADDR": ""}, start_response)

    with served_in_thread(over_a_socket, socket := tmp_path / "s"):
        for number in range(MAX_UNKNOWN):
            assert find_operator(f"unix:{socket}", write_key(bytes([number]) * 32), "192.0.2.1") is None
        assert find_operator(f"unix:{socket}", operator_key, "192.0.2.2") == "desk"


def test_wrong_keys_keep_no_revoked_key_signed_in(installation, tmp_path):
    """A session ends with its key, however many wrong keys its browser's address sends meanwhile."""
    service, register = InProcessService(installation.services(), installation.key, FakeClock()), installation.register
    own = register.add("leaving", "operator", NOON, scopes=SCOPES)
    register.verify("leaving", NOON)

    def over_a_socket(environ, start_response):
        return service.app(environ | {"REMOTE_ADDR": ""}, start_response)

    with served_in_thread(over_a_socket, socket := tmp_path / "s"):
        find = partial(find_operator, f"unix:{socket}")
        key = DeskKey.open(tmp_path / "desk.key")
        sessions = DeskSessions.create(tmp_path / "desk.sessions", tmp_path, key)
        browser = create_app(Desk(Events(tmp_path), key, sessions, service.clock, find)).test_client()
        assert browser.post("/desk/sign-in", data={"key": own}).status_code == 303
        assert browser.get("/desk").status_code == 200
        register.revoke("leaving", NOON)
        service.clock.now += 60
        for number in range(MAX_UNKNOWN):
            assert find(write_key(bytes([number]) * 32), "127.0.0.1") is None
        assert browser.get("/desk").status_code == 303


def test_a_file_with_something_else_is_no_key(tmp_path):
    """A key file that is missing or holds something else is an error that does not repeat it."""
    with pytest.raises(Missing):
        read_key(tmp_path / "none")
    (tmp_path / "key").write_text("secret words\n")
    with pytest.raises(BadInput) as refused:
        read_key(tmp_path / "key")
    assert "secret" not in str(refused.value)


class DeskProcess:
    """The desk of a file, in processes of its own that are killed together at the end of a block."""

    def __init__(self, file, served, key_file):
        options = ["--bind", "127.0.0.1:0", "--service", served, "--key-file", key_file, "--json"]
        self.process = subprocess.Popen(
            [sys.executable, *ORDWS_COMMAND, "tournament", "desk", file, *options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": PYTHON_PATH, "XDG_STATE_HOME": str(Path(file).parent / "state")},
        )
        (self.players,) = json.loads(self.process.stdout.readline())["players"].values()

    def await_link(self, code):
        """Return the link to a seat, as the page of the player with this code shows it once the game is opened."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        with httpx.Client(follow_redirects=True) as browser:
            while time.monotonic() < deadline:
                with suppress(httpx.TransportError):
                    is_known = bool(browser.cookies)
                    sign_in = partial(browser.post, f"{self.players}/sign-in", data={"code": code})
                    page = browser.get(self.players) if is_known else sign_in()
                    if link := re.search(r'href="([^"]+/play/[^"]+#seat=[^"]+)"', page.text):
                        return link[1]
        raise AssertionError("no link to the seat")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def await_state(file, is_reached):
    """Return the file of an event once its state is as it should be."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    with closing(EventFile.open(file)) as event:
        while not is_reached(event.refresh()):
            assert time.monotonic() < deadline, event.state
        return event.state


def send(served, method, path, body, cookie=""):
    """Return the cookie and the body of a reply to a browser without a key."""
    reply = http_replies.send(int(served.rpartition(":")[2]), method, path, body, Origin=served, Cookie=cookie)
    assert reply.status in (200, 201), reply.body
    return reply.headers.get("Set-Cookie", "").partition(";")[0], reply.json()


@pytest.mark.long
def test_a_desk_killed_between_two_games_goes_on(served, operator_key, tmp_path):
    """An event is played to its end by a desk that is killed twice, with kill -9, each time with games under way."""
    file, key_file = tmp_path / "club.event", tmp_path / "key"
    key_file.write_text(f"{operator_key}\n")
    (tmp_path / "state" / "ordws").mkdir(parents=True)
    desk_key, codes = DeskKey.open(tmp_path / "state" / "ordws" / "desk.key"), [new_code(), new_code()]
    with closing(begin_event(file, int(time.time()), "Ann", "Ben")) as event:
        digests = [desk_key.code_digest(event.state, code) for code in codes]
        commands = [f.CodeIssued(entrant=number, digest=each) for number, each in enumerate(digests, 1)]
        event.apply(*commands, actor="Dora", now=int(time.time()))
        codes = [codes[number - 1] for number in event.state.rounds[0].pairings[0].entrants]
    with DeskProcess(file, served, key_file) as desk:
        links = [desk.await_link(code) for code in codes]
    seats = []
    for link in links:
        game, _, invitation = link.partition("/play/")[2].partition("#seat=")
        path = f"/v1/games/{game}"
        cookie, _ = send(served, "POST", f"{path}/seat", {"invitation": invitation})
        send(served, "POST", f"{path}/oath", {"version": 1}, cookie)
        seats.append((path, cookie))
    with DeskProcess(file, served, key_file) as desk:
        assert [desk.await_link(code) for code in codes] == links
        await_state(file, lambda state: state.rounds[0].pairings[0].began)
    for number, move in enumerate(("-", "-", "resign")):
        path, cookie = seats[number % 2]
        _, standing = send(served, "GET", path, None, cookie)
        send(served, "POST", f"{path}/turns", {"turn": standing["turn"], "move": move}, cookie)
    with DeskProcess(file, served, key_file):
        state = await_state(file, lambda state: state.is_finished)
    (game,) = state.rounds[0].pairings[0].games
    assert (game.result.resigned, game.result.forfeit) == ("first", None)
    assert isinstance(game.result, TableResult)
