"""The stream process over a folder that has the stream key and the games alone: it can wake, and knows nothing else."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import time
from contextlib import closing, suppress

import pytest
from each_row import each_row
from processes import TIMEOUT_SECONDS
from stream_reader import StreamReader, StreamService

from ordws.api.problems import PROBLEMS
from ordws.instance import Instance
from ordws.referee.stores.news import RowStored, SeatHandover
from ordws.referee.stores.sqlite import SqliteGameStore
from ordws.stream.notify import DatagramNotifier
from ordws.stream.process import STOP_SECONDS
from ordws.stream.tickets import StreamSigner

KEY = b"s" * 32
PAGE = "https://judge.example.org"


@pytest.fixture(scope="module")
def stream(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stream")
    instance = Instance(folder / "instance")
    instance.make_folders()
    instance.stream_key.write_bytes(KEY)
    store = SqliteGameStore.create(instance.games)
    service = StreamService(folder, instance.root, store, StreamSigner(KEY), DatagramNotifier(instance.stream_notices))
    yield service
    service.stop()
    store.close()


def test_a_stream_tells_the_rows_of_its_game(stream):
    """The number of rows comes at once and at each change, to every seat with a nonce of its own."""
    game, other = stream.new_game(), stream.new_game()
    stream.append(game, 1)
    before = time.time_ns() // 1_000_000
    with stream.read(game, 0) as first, stream.read(game, 1) as second, stream.read(other) as elsewhere:
        assert elsewhere.next_row()[0] == 0
        for row in (1, 2, 3):
            for seat, reader in enumerate((first, second)):
                number, nonce = reader.next_row()
                assert number == row
                sent = stream.signer.read_nonce(nonce, game, seat, row)
                assert before <= sent <= time.time_ns() // 1_000_000
            stream.append(game, row + 1)
        stream.append(other, 1)
        assert elsewhere.next_row()[0] == 1


def test_a_row_without_a_notice_is_found(stream):
    """A row whose notice was lost is found in the store, and told once."""
    game = stream.new_game()
    with stream.read(game) as reader:
        assert reader.next_row()[0] == 0
        found = stream.metrics()["ordws_stream_wakeups", "poll"]
        stream.append(game, 1, tell=False)
        assert reader.next_row()[0] == 1
        assert stream.metrics()["ordws_stream_wakeups", "poll"] > found
        stream.append(game, 2)
        assert reader.next_row()[0] == 2


def test_a_newer_stream_replaces_an_older_one(stream):
    """A seat has one stream: the older is told that it is replaced, and ends; other seats go on."""
    game = stream.new_game()
    with stream.read(game, 0) as older, stream.read(game, 1) as other:
        assert (older.next_row()[0], other.next_row()[0]) == (0, 0)
        with stream.read(game, 0) as newer:
            assert newer.next_row()[0] == 0
            assert older.next() == ("replaced", {})
            assert older.next() is None
            stream.append(game, 1)
            assert (newer.next_row()[0], other.next_row()[0]) == (1, 1)


def test_a_seat_hears_who_is_connected_and_who_is_away(stream):
    """A stream must tell which seats have one and which had; a seat whose stream is replaced is there all the time."""
    game = stream.new_game()
    with stream.read(game, 0) as first:
        assert first.next_presence() == ([0], [])
        with stream.read(game, 1) as older:
            assert (first.next_presence(), older.next_presence()) == (([0, 1], []), ([0, 1], []))
            with stream.read(game, 1) as newer:
                assert (first.next_presence(), newer.next_presence()) == (([0, 1], []), ([0, 1], []))
        assert first.next_presence() == ([0], ["1"])
        with stream.read(game, 2) as third:
            assert third.next_presence() == ([0, 2], ["1"])


@pytest.mark.parametrize("tell", [True, False], ids=["by notice", "by poll"])
def test_a_stream_ends_when_its_seat_is_taken_over(stream, tell):
    """When another browser takes a seat, its stream ends without a word, and its tickets are void."""
    game = stream.new_game()
    stream.append(game, 1, SeatHandover(0, 1))
    with stream.read(game, 0, generation=1) as old, stream.read(game, 1) as other:
        assert (old.next_row()[0], other.next_row()[0]) == (1, 1)
        stream.append(game, 2, SeatHandover(0, 2), tell=tell)
        assert old.next() is None
        assert other.next_row()[0] == 2
    with stream.read(game, 0, generation=1) as old, stream.read(game, 0, generation=2) as new:
        assert (old.status, new.next_row()[0]) == (403, 2)


@each_row(
    ("make", "status", "code"),
    [
        (lambda stream, game: {"ticket": ""}, 403, "bad-ticket"),
        (lambda stream, game: {"ticket": stream.ticket(game)[:-1]}, 403, "bad-ticket"),
        (lambda stream, game: {"ticket": stream.ticket(game, seconds=0)}, 403, "bad-ticket"),
        (lambda stream, game: {"ticket": stream.ticket(stream.new_game())}, 403, "bad-ticket"),
        (lambda stream, game: {"ticket": f"{stream.ticket(game)}; ordws_stream={'x' * 9}"}, 403, "bad-ticket"),
        (lambda stream, game: {"ticket": stream.ticket(game, origin=PAGE), "Origin": f"{PAGE}:81"}, 403, "cross-site"),
        (lambda stream, game: {"ticket": stream.ticket(game), "Sec-Fetch-Site": "cross-site"}, 403, "cross-site"),
        (lambda stream, game: {"ticket": "", "path": "/v1/games"}, 404, "not-found"),
        (lambda stream, game: {"ticket": "", "path": f"/v1/games/{game}/events/"}, 404, "not-found"),
    ],
)
def test_a_refusal_is_a_problem(stream, make, status, code):
    """Whoever has no valid ticket gets a problem in the form and with the codes of the service."""
    game = stream.new_game()
    given = {"X-Request-Id": "0123456789abcdef0123456789abcdef"}
    with StreamReader(stream.port, game, **make(stream, game), **given) as reader:
        problem = reader.problem()
        assert (reader.status, problem["code"]) == (status, code)
        assert PROBLEMS[code] == (status, problem["title"])
        assert problem["instance"] == f"urn:ordws:request:{given['X-Request-Id']}"
        assert reader.reply.headers["Content-Type"] == "application/problem+json"
        assert reader.reply.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("seconds", [0, None], ids=["expired", "unknown"])
def test_a_game_that_is_not_there_has_no_stream(stream, seconds):
    game = "0" * 32 if seconds is None else stream.new_game(seconds)
    with stream.read(game) as reader:
        assert (reader.status, reader.problem()["code"]) == (403, "bad-ticket")


def test_a_page_on_another_port_may_read(stream):
    """The page that asked for the ticket may read its stream with the cookie, and no other page may."""
    game = stream.new_game()
    with StreamReader(stream.port, game, stream.ticket(game, origin=PAGE), Origin=PAGE) as reader:
        headers = reader.reply.headers
        assert headers["Access-Control-Allow-Origin"] == PAGE
        assert headers["Access-Control-Allow-Credentials"] == "true"
        assert headers["Vary"] == "Origin"
        assert headers["X-Accel-Buffering"] == "no"
        assert headers["Content-Type"] == "text/event-stream"
        assert reader.next_row()[0] == 0


def test_a_reader_who_does_not_read_is_dropped(stream):
    """A reader who does not keep up loses the stream, so that its events fill no memory; others get every event."""
    game = stream.new_game()
    dropped = stream.metrics()["ordws_streams_ended", "dropped"]
    with stream.read(game, 1) as other, stream.read(game, 0, receive_buffer=1_024) as slow:
        assert (other.next_row()[0], slow.status) == (0, 200)
        told = 0
        while stream.metrics()["ordws_streams_ended", "dropped"] == dropped:
            for told in range(told + 1, told + 101):  # noqa: B020 - the next hundred
                stream.notify(RowStored(game, told))
                assert other.next_row()[0] == told
            assert told < 20_000
        stream.notify(RowStored(game, told + 1))
        assert other.next_row()[0] == told + 1
    stream.await_metric(("ordws_streams_ended", "closed"), 1)


def test_a_second_process_is_refused(stream, tmp_path):
    """A folder has one stream process, or notices would reach whichever came last."""
    with pytest.raises(RuntimeError, match="another stream process runs on"):
        StreamService(tmp_path, stream.root, stream.store, stream.signer, stream.notify)
    game = stream.new_game()
    with stream.read(game) as reader:
        assert reader.next_row()[0] == 0
        stream.append(game, 1)
        assert reader.next_row()[0] == 1


def test_nobody_is_held_up_by_a_missing_process(tmp_path):
    """A notice that nobody takes, and one too many for a full queue, are left out without a fault or a wait."""
    path = tmp_path / "stream" / "notices"
    DatagramNotifier(path)(RowStored("a", 1))
    path.parent.mkdir()
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as receiver:
        receiver.bind(str(path))
        for number in range(10_000):
            DatagramNotifier(path)(RowStored("a", number))
        assert receiver.recv(100) == b"a 0"


def test_a_process_that_was_killed_is_started_again(stream):
    """After a kill a new process takes over the notices, and readers who come back learn what they missed."""
    game = stream.new_game()
    with stream.read(game) as reader:
        assert reader.next_row()[0] == 0
        stream.process.kill()
        stream.process.wait(TIMEOUT_SECONDS)
        with suppress(OSError, http.client.HTTPException):
            assert reader.next() is None
    stream.append(game, 1)
    stream.start(PYTHONPROFILEIMPORTTIME="1")
    with stream.read(game) as reader:
        assert reader.next_row()[0] == 1
        stream.notify(RowStored(game, 2))  # which is in no store, so that no poll can come before the notice
        assert reader.next_row()[0] == 2
        assert stream.metrics()["ordws_stream_wakeups", "datagram"] == 1


def test_the_process_loads_nothing_that_knows_words_or_players(stream):
    """The process has loaded no word set, no rules, no games, no register and no gate (it tells its imports)."""
    loaded = set(re.findall(r"\| +(ordws[\w.]*)$", stream.error_log.read_text(), re.MULTILINE))
    assert {"ordws.stream.process", "ordws.referee.stores.sqlite"} <= loaded
    kept_out = ("ordws.lexicon", "ordws.rules", "ordws.identity", "ordws.guard.gate", "ordws.api.services", "ordws.web")
    assert [name for name in loaded if name.startswith((*kept_out, "ordws.referee.games", "ordws.referee.codec"))] == []


def test_without_its_store_a_stream_is_refused(stream):
    """While the rows cannot be counted no stream begins, those that are open go on by notices, and it says so."""
    game, path = stream.new_game(), Instance(stream.root).games
    with stream.read(game) as reader:
        assert reader.next_row()[0] == 0
        shutil.move(path, path.with_name("away"))
        try:
            with stream.read(game, 1) as refused:
                assert (refused.status, refused.problem()["code"]) == (503, "store-down")
                assert refused.reply.headers["Retry-After"] == "2"
            stream.notify(RowStored(game, 1))
            assert reader.next_row()[0] == 1
            while stream.metrics()["ordws_stream_store_up",]:
                pass
        finally:
            shutil.move(path.with_name("away"), path)
        stream.await_metric(("ordws_stream_store_up",), 1)


def test_nothing_of_a_player_is_in_the_log(stream):
    """No ticket, no game, no nonce and no address is logged."""
    output = stream.log.read_text() + stream.error_log.read_text()
    assert "ordws_ticket_" not in output
    assert not re.search(r"[0-9a-f]{32}|\d{13}\.[\w-]{43}", output)
    assert set(re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", output)) <= {"127.0.0.1"}  # where it listens


def test_the_process_ends_in_time(stream):
    """On SIGTERM every stream is ended, and the process ends in time, also with a reader who reads nothing."""
    game = stream.new_game()
    with stream.read(game) as reader, stream.read(stream.new_game(), receive_buffer=1_024) as silent:
        assert (reader.next_row()[0], silent.status) == (0, 200)
        began = time.monotonic()
        stream.process.terminate()
        assert reader.next() is None
        assert stream.process.wait(TIMEOUT_SECONDS) == 0
        assert time.monotonic() - began < STOP_SECONDS + 5
    assert not Instance(stream.root).stream_notices.exists()
    assert "error" not in stream.log.read_text()
