"""Tests of the running service: a child process with two workers on a port of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from copy import copy

import pytest
from processes import children
from service_process import ServiceProcess, serve_command
from small_installation import NOON, WORDS

from ordws.guard.gate import DETECTOR_NAMES

PATIENCE = 30


class Server(ServiceProcess):
    """A running `ordws serve` with two workers, as its clients see it."""

    def __init__(self, installation, folder):
        super().__init__(folder, installation.key, serve_command(installation.instance.root, "--workers", "2"))
        # A new worker of granian misses signals for a moment.
        assert {self.request("GET", "/readyz")[0] for _ in range(60)} == {200}

    def quota(self, query=""):
        budgets = json.loads(self.request("GET", f"/v1/quota{query}")[1])["budgets"]
        return {each["budget"]: each["left"] for each in budgets}

    def raw(self, *parts, end=False):
        """Send a question with these bytes after its first headers, and return the connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        head = f"POST /v1/judge HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.key}\r\n"
        connection.sendall(head.encode() + b"Content-Type: application/json\r\n" + b"".join(parts))
        if end:
            connection.shutdown(socket.SHUT_WR)
        return connection


@pytest.fixture
def start(installation, tmp_path):
    """Return a function that starts the service and waits until it is ready; the service is stopped in the end."""
    started = []

    def start():
        started.append(Server(installation, tmp_path))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="module")
def serving(shared_installation, tmp_path_factory):
    """A service for the tests that leave it as it was."""
    server = Server(shared_installation, tmp_path_factory.mktemp("log"))
    yield server
    server.stop()


def read_all(connection):
    """Return all bytes of a connection until it is closed."""
    with connection:
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def is_listening(server):
    try:
        server.request("GET", "/healthz")
    except ConnectionError:
        return False
    return True


def words(first, count):
    """Yield words that are in no list."""
    return [f"{chr(65 + n // 676)}{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}QQ" for n in range(first, first + count)]


@pytest.mark.long
def test_budgets_are_shared_by_workers_and_survive_a_restart(start, installation):
    """Twenty questions of two words in a game must get exactly 28 units, and none after a restart."""
    installation.instance.settings.write_text(
        "[policy]\ntightened_percent = 100\n"
    )  # forty strange words look like mining
    server = start()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda n: server.judge(*words(2 * n, 2), game="g"), range(20)))
    assert sorted(status for status, _ in replies) == [200] * 14 + [429] * 6
    assert {body for status, body in replies if status == 200} == {b'{"valid":false}'}
    assert server.stop() == 0
    server = start()
    status, body = server.judge("LOVERS", game="g")
    assert (status, json.loads(body)["budget"]) == (429, "game")
    assert server.quota("?game=g")["game"] == 0
    lines = server.log.read_text()
    told = [json.loads(line) for line in lines.splitlines()]
    alarms = {
        sign: f'a sign of mining, "{sign}", has come to an alarm: see ordws guard report' for sign in DETECTOR_NAMES
    }
    warned = {line["event"] for line in told if line["level"] != "info"}
    assert warned <= {*alarms.values()}
    assert "LOVERS" not in lines
    assert server.key not in lines
    assert not any(word in lines for word in words(0, 40))


def test_an_edition_is_swapped_without_a_lost_request(serving, shared_installation):
    """While a newer edition takes over under load, no request is lost, and repeats keep the answer of the older one."""
    server, register, replies, done = copy(serving), shared_installation.register, [], threading.Event()
    server.key = register.add("asks before and after", "home", NOON - 40 * 86_400)
    register.verify("asks before and after", NOON)

    def ask():
        while not done.is_set():
            replies.append(server.judge("FLUTIST", "AB"))

    def ask_as_new_client(number):
        client, name = copy(server), f"new {number}"
        client.key = register.add(name, "home", NOON - 40 * 86_400)
        register.verify(name, NOON)  # or all of them would share 500 units
        return client.judge("FLUTIST")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert server.judge("FLUTIST") == ask_as_new_client(0) == (200, b'{"valid":false}')
    left = server.quota()
    shared_installation.deliver(*WORDS, "FLUTIST", number=2)
    deadline, fresh = time.monotonic() + PATIENCE, []
    # Both workers have taken over when ten clients in a row are answered by the newer edition.
    while time.monotonic() < deadline and {body for _, body in fresh[-10:]} != {b'{"valid":true }'}:
        fresh.append(ask_as_new_client(len(fresh) + 1))
    done.set()
    for thread in threads:
        thread.join()
    assert fresh[-1] == (200, b'{"valid":true }')
    assert {status for status, _ in fresh} == {200}
    assert set(replies) == {(200, b'{"valid":false}')}
    assert server.quota() == left
    assert left["outside"] == 19
    assert '"edition 2 is served now"' in server.log.read_text()


def test_a_refused_edition_changes_nothing(serving, shared_installation):
    """A damaged delivery must be refused, and the edition that was served must go on being served."""
    sealed = shared_installation.instance.sealed_edition
    whole = sealed.read_bytes()
    sealed.write_bytes(whole[:-1])
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and "a delivered edition is refused" not in serving.log.read_text():
        assert serving.judge("LOVERS", "AB") == (200, b'{"valid":true }')
    assert serving.judge("LOVERS") == (200, b'{"valid":true }')
    assert serving.log.read_text().count("a delivered edition is refused") >= 1
    sealed.write_bytes(whole)


@pytest.mark.long
def test_sigint_is_handled_by_the_main_process_alone(start):
    """The interrupt that a terminal sends to every process must be handled by the main process alone."""
    server = start()
    began = time.monotonic()
    for pid in [*children(server.process.pid), server.process.pid]:
        os.kill(pid, signal.SIGINT)
    assert server.process.wait(PATIENCE) == 0
    assert time.monotonic() - began < 8, "it waited for its workers until it killed them"


def test_workers_do_not_outlive_the_main_process(start):
    """When the main process is killed, no worker may go on serving."""
    server = start()
    server.process.kill()
    server.process.wait(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while is_listening(server):
        assert time.monotonic() < deadline


QUESTION = b'{"words":["lovers"]}'


@pytest.mark.parametrize(
    ("parts", "ends", "status"),
    [
        ((b"Content-Length: 40\r\n\r\n", QUESTION), True, b"400"),
        ((b"\r\n",), False, b"411"),
        ((b"Transfer-Encoding: chunked\r\n\r\n", b"14\r\n", QUESTION, b"\r\n0\r\n\r\n"), False, b"411"),
        ((b"Content-Length: 16385\r\n\r\n", QUESTION), False, b"413"),
    ],
)
def test_a_body_of_the_wrong_length_costs_nothing(serving, parts, ends, status):
    """Short, endless and oversized bodies must get a problem, and nothing is charged."""
    before = serving.quota("?game=g")
    answer = read_all(serving.raw(b"Connection: close\r\n", *parts, end=ends))
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"content-type: application/problem+json" in answer
    assert b"valid" not in answer
    assert serving.quota("?game=g") == before


@pytest.mark.parametrize(
    "credential", [b"", b"Authorization: Bearer ordws_live_wrong\r\n", b"Cookie: ordws_device=x\r\n"]
)
def test_a_stranger_need_not_send_a_body_to_be_refused(serving, credential):
    """A request without a valid key must be refused before its body has come, or slow ones would hold threads."""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=PATIENCE) as connection:
        head = b"POST /v1/judge HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
        connection.sendall(head + credential + b"Content-Length: 40\r\n\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 401")


def test_aborted_requests_are_not_charged(serving):
    """Clients that disconnect in the middle of a body must not be charged, and the next client must be answered."""
    for _ in range(20):
        serving.raw(b"Content-Length: 40\r\n\r\n", QUESTION).close()
    assert serving.judge("AB", game="g") == (200, b'{"valid":true }')
    assert serving.quota("?game=g")["game"] == 28


def test_yes_and_no_are_alike_on_the_wire(serving):
    """Every byte but the verdict, the time and the request's id must be the same."""
    answers = []
    for body in (QUESTION, b'{"words":["lavers"]}'):
        raw = read_all(serving.raw(b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body), body))
        answers.append(re.sub(rb"(date|x-request-id): [^\r]+", rb"\1", raw))
    assert answers[0].replace(b"true ", b"false") == answers[1]
    assert answers[1].endswith(b'{"valid":false}')


def test_a_request_under_way_is_answered_after_sigterm(serving):
    """After SIGTERM a request that had begun must be answered, and the process must end with status 0.

    This is the last test of the module, for it ends the service of the others.
    """
    connection = serving.raw(b"Content-Length: %d\r\n\r\n" % len(QUESTION), QUESTION[:5])
    serving.request("GET", "/healthz")
    serving.process.send_signal(signal.SIGTERM)
    while is_listening(serving):
        serving.process.poll()
    connection.sendall(QUESTION[5:])
    assert read_all(connection).endswith(b'\r\n\r\n{"valid":true }')
    assert serving.process.wait(PATIENCE) == 0
