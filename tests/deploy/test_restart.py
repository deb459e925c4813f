"""Restarts under load: every request is answered, since the socket stays open."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPException
from pathlib import Path

import pytest
from deployment import Nginx, Systemd, ask
from processes import TIMEOUT_SECONDS

pytestmark = pytest.mark.long

PLAY = {"rules": "classic", "position": "/".join(["15"] * 15), "move": "8H QUIZ"}
BETWEEN = 10
"""The number of answers that each kind of caller gets between two restarts."""


class Callers:
    """Callers that send requests without pause, some over kept connections and some over a new one each time."""

    def __init__(self, key, hosts):
        self.key = {"Authorization": f"Bearer {key}"}
        self.replies = Counter()
        self.done = threading.Event()
        kinds = [(name, host, keeps) for name, host in hosts.items() for keeps in (True, False)]
        self.kinds = [(name, keeps) for name, _, keeps in kinds]
        self.threads = [threading.Thread(target=self._ask, args=kind) for kind in kinds]

    def _ask(self, name, host, keeps):
        connection = None
        while not self.done.is_set():
            connection = connection or host.connect()
            try:
                status, headers, _ = ask(connection, "POST", "/v1/score", PLAY, **self.key)
                result = status
            except (OSError, HTTPException) as error:
                result, headers = type(error).__name__, {}
            self.replies[name, keeps, result] += 1
            if not keeps or connection.sock is None or headers.get("connection") == "close":
                connection.close()
                connection = None
        if connection is not None:
            connection.close()

    def wait(self):
        """Wait until every kind of caller got BETWEEN more answers."""
        before, deadline = Counter(self.replies), time.monotonic() + TIMEOUT_SECONDS
        while any(self.replies[*kind, 200] < before[*kind, 200] + BETWEEN for kind in self.kinds):
            assert time.monotonic() < deadline, self.replies
            self.done.wait(0.01)

    @contextmanager
    def asking(self):
        for thread in self.threads:
            thread.start()
        try:
            yield
        finally:
            self.done.set()
            for thread in self.threads:
                thread.join()


def test_a_restart_loses_no_request(installation, tmp_path):
    """During a restart requests wait in the socket's queue for the next process, directly and through the proxy."""
    with closing(Systemd(tmp_path, installation.instance.root)) as systemd:
        systemd.start("--workers", "1")
        nginx = Nginx(tmp_path, tmp_path / "ordws.sock").start()
        callers = Callers(installation.key, {"directly": systemd, "proxied": nginx})
        try:
            with callers.asking():
                for _ in range(2):
                    callers.wait()
                    assert systemd.stop() == 0
                    systemd.start("--workers", "1")
                callers.wait()
        finally:
            nginx.stop()
    assert {result for _, _, result in callers.replies} == {200}, callers.replies


def test_sighup_replaces_the_workers_and_loses_no_request(installation, tmp_path):
    """SIGHUP, which a reload sends, replaces each worker after its successor has begun, and loses no request."""
    with closing(Systemd(tmp_path, installation.instance.root)) as systemd:
        systemd.start("--workers", "1")
        callers = Callers(installation.key, {"directly": systemd})
        with callers.asking():
            callers.wait()
            before = systemd.begun()
            systemd.process.send_signal(signal.SIGHUP)
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while systemd.begun() == before or len(systemd.pids()) != 1:
                assert time.monotonic() < deadline
                callers.done.wait(0.02)
            callers.wait()
    assert {result for _, _, result in callers.replies} == {200}, callers.replies


def is_stopped(pid):
    """Return whether all threads of a process are stopped."""
    threads = [stat.read_text().rpartition(")")[2].split()[0] for stat in Path(f"/proc/{pid}/task").glob("*/stat")]
    return set(threads) == {"T"}


def test_a_waiting_connection_outlives_a_killed_worker(installation, tmp_path):
    """The workers share one queue: a connection that no worker has accepted is answered by another."""
    with ExitStack() as stack:
        systemd = stack.enter_context(closing(Systemd(tmp_path, installation.instance.root, unix=False)))
        systemd.start()
        assert ask(stack.enter_context(closing(systemd.connect())), "GET", "/readyz")[0] == 200
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while systemd.begun() < 2:
            assert time.monotonic() < deadline
        killed, remaining = systemd.pids()
        for worker in (killed, remaining):
            os.kill(worker, signal.SIGSTOP)
        while not (is_stopped(killed) and is_stopped(remaining)):
            assert time.monotonic() < deadline
        # Fewer than the probes that may wait at once: more would be refused.
        waiting = [stack.enter_context(closing(systemd.connect())) for _ in range(4)]
        for connection in waiting:
            connection.request("GET", "/readyz")
        os.kill(killed, signal.SIGKILL)
        os.kill(remaining, signal.SIGCONT)
        assert [connection.getresponse().status for connection in waiting] == [200] * 4
