"""A reader of a stream as a player's page is one, and the process that it reads from."""

from __future__ import annotations

import http.client
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import time

from http_replies import send
from processes import ROOT, TIMEOUT_SECONDS, await_start, stop
from prometheus_client.parser import text_string_to_metric_families
from service_process import ORDWS_COMMAND, drop_privileges

from ordws.referee.stores.news import RowStored
from ordws.stream.tickets import TICKET_SECONDS, StreamTicket


class StreamReader:
    """One connection to a stream, from which events are read one by one."""

    def __init__(self, port, game, ticket, receive_buffer=None, path=None, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        if receive_buffer is not None:
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            sock.settimeout(TIMEOUT_SECONDS)
            sock.connect(("127.0.0.1", port))
            self.connection.sock = sock
        cookie = {"Cookie": f"ordws_stream={ticket}"} if ticket else {}
        self.connection.request("GET", path or f"/v1/games/{game}/events", headers={**cookie, **headers})
        self.reply = self.connection.getresponse()
        self.status = self.reply.status

    def next(self, skipped="presence"):
        """Return the next event but for those of a kind, as a pair of its name and its data; None at the end."""
        name, data = None, None
        while line := self.reply.readline():
            field, _, value = line.decode().rstrip("\n").partition(": ")
            match field:
                case "event":
                    name = value
                case "data":
                    data = json.loads(value)
                case "" if name is not None and name != skipped:
                    return name, data
        return None

    def next_row(self):
        """Return the number of the next row event, and the nonce that follows it."""
        name, row = self.next()
        assert name == "row", name
        name, nonce = self.next()
        assert name == "nonce", name
        return row["row"], nonce["nonce"]

    def next_presence(self):
        """Return the seats that the next event of presence names: those that are connected, and those that are away."""
        while (event := self.next(skipped="row")) is not None and event[0] != "presence":
            pass
        return event[1]["here"], [*event[1]["away_ms"]]

    def problem(self):
        return json.loads(self.reply.read())

    def close(self):
        self.reply.close()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class StreamService:
    """An `ordws stream` over a folder, and what its worker does: sign tickets, store rows, send notices."""

    def __init__(self, folder, root, store, signer, notify, *options):
        self.root, self.store, self.signer, self.notify = root, store, signer, notify
        self.error_log, self.log = folder / "stream.err", folder / "stream.log"
        self._options = options
        self.start()

    def start(self, bind="127.0.0.1:0", **environment):
        command = [*ORDWS_COMMAND, "stream", "--bind", bind, "--metrics", "127.0.0.1:0", "--instance", str(self.root)]
        with self.error_log.open("w") as errors, self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *command, *self._options],
                cwd=ROOT,
                stdout=log,
                stderr=errors,
                preexec_fn=drop_privileges,
                env={**os.environ, **environment},
            )
        told = re.compile(r":(\d+); its metrics are at http://[\d.]+:(\d+)/")
        found = await_start(self.process, lambda: told.search(self.error_log.read_text()), self.error_log)
        self.port, self.metrics_port = int(found[1]), int(found[2])

    def new_game(self, seconds=3_600):
        game = secrets.token_hex(16)
        self.store.open(game, 1, b"header", int(time.time()) + seconds)
        return game

    def ticket(self, game, seat=0, generation=0, seconds=TICKET_SECONDS, origin=""):
        return self.signer.sign_ticket(StreamTicket(game, seat, generation, int(time.time()) + seconds, origin))

    def read(self, game, seat=0, generation=0, **settings):
        return StreamReader(self.port, game, self.ticket(game, seat, generation), **settings)

    def append(self, game, number, taken=None, *, tell=True):
        self.store.append(game, number, b"row", taken)
        if tell:
            self.notify(RowStored(game, number, taken))

    def metrics(self):
        """Return the numbers of the metrics page by name and the values of labels."""
        page = send(self.metrics_port, "GET", "/metrics").body.decode()
        return {
            (sample.name.removesuffix("_total"), *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        }

    def await_metric(self, name, least):
        """Wait until a number of the metrics is this large."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while self.metrics()[name] < least:
            assert time.monotonic() < deadline, self.metrics()

    def stop(self):
        return stop(self.process)
