"""A person who plays the program at a service process, over HTTP and by a cookie alone; they choose as it would."""

from __future__ import annotations

import json
import os
import signal
import time

from http_replies import send
from processes import TIMEOUT_SECONDS

from ordws.api.practice_register import write_credential
from ordws.computer.choose import choose
from ordws.computer.process import ComputerCounts, ComputerProcess, LocalService, body_of, read_view
from ordws.computer.words import PublicWords, Strength
from ordws.stream.notify import DatagramReceiver

PAUSE_SECONDS = 0.05


class PracticeGame:
    """A game against the program, opened by a person who then has a seat."""

    def __init__(self, service, words, **fields):
        self.service, self.cookie, self.words = service, "", words
        self.turn = 0
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while (opened := self.send("POST", "/v1/practice", fields))[0] == 503:
            assert time.monotonic() < deadline, "the program did not come"
            time.sleep(PAUSE_SECONDS)
        status, self.opened = opened
        assert status == 201, self.opened
        self.path = f"/v1/games/{self.opened['game']}"

    def send(self, method, path, body=None, accept="application/json"):
        """Return status and body of the reply, and keep the cookie that comes with it."""
        status, headers, text = send(self.service.port, method, path, body, Cookie=self.cookie, Accept=accept)
        self.cookie = (headers["Set-Cookie"] or self.cookie).partition(";")[0]
        return status, json.loads(text) if "json" in headers["Content-Type"] else text

    def standing(self):
        status, standing = self.send("GET", self.path)
        assert status == 200, standing
        self.turn = standing["turn"]
        return standing

    def wait(self):
        """Return the standing in which the person is to act, or the last one."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while (standing := self.standing())["phase"] != "over" and not self._is_to_act(standing):
            assert time.monotonic() < deadline, standing
            time.sleep(PAUSE_SECONDS)
        return standing

    def play_out(self):
        """Play to the end and return all turns."""
        while (standing := self.wait())["phase"] != "over":
            choice = choose(read_view({"standing": standing, "came_off": []}), self.words, Strength.EASY, "a person")
            status, answer = self.send("POST", f"{self.path}/turns", {"turn": standing["turn"], **body_of(choice)})
            assert status == 200, (choice, answer)
        return self.send("GET", f"{self.path}/turns")[1]["turns"]

    def review(self):
        """Return the review of the finished game, when the program has made it."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while (reply := self.send("POST", f"{self.path}/review", {}))[1]["state"] == "waiting":
            assert time.monotonic() < deadline, reply
            time.sleep(PAUSE_SECONDS)
        return reply[1]["turns"]

    def record(self):
        status, record = self.send("GET", self.path, accept="text/plain")
        assert status == 200, record
        return record

    @staticmethod
    def _is_to_act(standing):
        return standing["mover"] == standing["you"] or "propose" in standing["acts"]


class ForkedProgram:
    """The program's process, forked from this one, which has all of it loaded; it may be killed at any point."""

    def __init__(self, service, instance):
        self.pid = os.fork()
        if self.pid == 0:
            try:
                credential = write_credential(instance.computer_key.read_bytes())
                local = LocalService(f"http://127.0.0.1:{service.port}", credential)
                words, notices = PublicWords.load(instance.public), DatagramReceiver(instance.computer_notices)
                ComputerProcess(local, words, notices, ComputerCounts()).run()
            finally:
                os._exit(1)

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
