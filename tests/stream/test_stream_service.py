"""`ordws serve` with the stream process that it starts: tickets, moves that wake the other player, and every kill."""

from __future__ import annotations

import http.client
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from http_replies import send
from processes import TIMEOUT_SECONDS, children, command_line
from service_process import ORDWS_COMMAND, ServiceProcess
from stream_reader import StreamReader


class Table:
    """A game at the service, whose seats are asked for and listened to."""

    def __init__(self, service, **fields):
        self.service = service
        opened = self.ask("POST", "/v1/games", {"rules": "scrabble-o", "seats": [{}, {}], **fields})[1]
        self.game, self.seats = opened["game"], opened["seats"]
        self.turn = 1

    def ask(self, method, path, body=None, *, keyed=True, **headers):
        """Send a request and return the status, the document and the headers."""
        key = {"Authorization": f"Bearer {self.service.key}"} if keyed else {}
        reply = send(self.service.port, method, path, body, **key, **headers)
        return reply.status, reply.json(), reply.headers

    def ticket(self, seat, **headers):
        given = headers or {"Seat-Token": self.seats[seat]["token"]}
        path = f"/v1/games/{self.game}/stream-tickets"
        return self.ask("POST", path, {}, keyed="Seat-Token" in given, **given)

    def listen(self, seat, **headers):
        status, given, _ = self.ticket(seat, **headers)
        assert status == 200, given
        return StreamReader(urlsplit(given["events"]).port, self.game, given["ticket"])

    def give_up_turn(self):
        """Pass as the player whose turn it is."""
        seat = self.seats[(self.turn - 1) % 2]["token"]
        status, reply, _ = self.ask(
            "POST", f"/v1/games/{self.game}/turns", {"seat": seat, "turn": self.turn, "move": "-"}
        )
        assert status == 200, reply
        self.turn += 1


def stream_process_of(service):
    """Return the process id of the stream process that a service has started."""
    (found,) = [pid for pid in children(service.process.pid) if b"stream\0" in command_line(pid)]
    return found


@pytest.fixture(scope="module")
def service(shared_installation, tmp_path_factory):
    options = ("--bind", "127.0.0.1:0", "--workers", "2", "--metrics", "off")
    command = [*ORDWS_COMMAND, "serve", *options, "--instance", shared_installation.instance.root]
    service = ServiceProcess(tmp_path_factory.mktemp("service"), shared_installation.key, command)
    service.await_output(r"the stream is at (http://127\.0\.0\.1:\d+)")
    yield service
    service.stop()


def test_a_move_wakes_the_other_player(service):
    """The other player's stream tells of a move; its ticket comes as a cookie too, for this stream's path alone."""
    table = Table(service)
    status, given, headers = table.ticket(1)
    assert status == 200
    assert headers["Set-Cookie"] == (
        f"ordws_stream={given['ticket']}; Max-Age=60; Path=/v1/games/{table.game}/events; HttpOnly; SameSite=Lax"
    )
    address = urlsplit(given["events"])
    assert (address.hostname, address.path) == ("127.0.0.1", f"/v1/games/{table.game}/events")
    page = f"http://127.0.0.1:{service.port}"
    with StreamReader(address.port, table.game, given["ticket"], Origin=page) as other:
        assert other.reply.headers["Access-Control-Allow-Origin"] == page
        assert other.next_row()[0] == 0
        table.give_up_turn()
        assert other.next_row()[0] == 1
    assert given["ticket"] not in service.output()


def test_a_ticket_is_for_seats_alone(service):
    """Without a seat of the game, or with another game's, there is no ticket."""
    table, other = Table(service), Table(service)
    assert table.ticket(0, **{"Seat-Token": other.seats[0]["token"]})[1]["code"] == "bad-seat"
    assert table.ticket(0, Cookie="ordws_seat=x")[1]["code"] == "bad-seat"


def test_a_page_may_connect_to_the_stream(service):
    """The page of a game may connect to the stream's port, and no other page may."""
    port = urlsplit(Table(service).ticket(0)[1]["events"]).port
    for path, allowed in (("/play", f"connect-src 'self' http://127.0.0.1:{port};"), ("/judge", "connect-src 'self';")):
        status, headers, _ = send(service.port, "GET", path, Accept="text/html")
        assert (status, allowed in headers["Content-Security-Policy"]) == (200, True)


def test_a_seat_that_is_taken_over_hears_no_more(service):
    """The stream of a browser ends when another one takes its seat by the recovery code, and it gets no ticket."""
    table = Table(service, invitations=True)
    path = f"/v1/games/{table.game}/seat"
    site = {"Sec-Fetch-Site": "same-origin"}
    _, seated, headers = table.ask("POST", path, {"invitation": table.seats[0]["invitation"], "name": "Ann"}, **site)
    cookie = {"Cookie": headers["Set-Cookie"].partition(";")[0]}
    with table.listen(0, **cookie) as old:
        assert old.next_row()[0] == 1
        table.ask("POST", path, {"recovery": seated["recovery"]}, **site)
        assert old.next() is None
    assert table.ticket(0, **cookie)[1]["code"] == "seat-moved"


def test_a_killed_worker_takes_no_stream_with_it(service):
    """A stream goes on while a worker is killed, and the turn that another worker takes is told."""
    table = Table(service)
    with table.listen(1) as other:
        assert other.next_row()[0] == 0
        os.kill(service.workers()[0], signal.SIGKILL)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while table.turn == 1:
            with suppress(OSError, http.client.HTTPException):
                table.give_up_turn()
            assert time.monotonic() < deadline
        assert other.next_row()[0] == 1


def test_a_killed_stream_process_is_started_again(service):
    """Readers of a killed process come back to the same address, and learn what they missed on connecting."""
    table, killed = Table(service), stream_process_of(service)
    with table.listen(1) as other:
        assert other.next_row()[0] == 0
        os.kill(killed, signal.SIGKILL)
        with suppress(OSError, http.client.HTTPException):
            assert other.next() is None
    table.give_up_turn()
    with table.listen(1) as other:
        assert other.next_row()[0] == 1
        table.give_up_turn()
        assert other.next_row()[0] == 2
    assert stream_process_of(service) != killed
    assert "the stream process ended with status -9, and is started again" in service.output()


def test_the_stream_process_ends_with_the_service(service):
    """With the service its stream process ends, and leaves no socket behind."""
    table, pid = Table(service), stream_process_of(service)
    with table.listen(0) as reader:
        assert reader.next_row()[0] == 0
        assert service.stop() == 0
        assert reader.next() is None
    assert not Path(f"/proc/{pid}").exists()
