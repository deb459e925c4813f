"""A small real HTTP server that follows a script, and a clock that advances when the client sleeps."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from types import MappingProxyType
from typing import NamedTuple


class Respond(NamedTuple):
    """A step of the script: send this response."""

    status: int
    body: bytes
    kind: str = "application/json"
    headers: Mapping[str, str] = MappingProxyType({})


class BreakConnection(NamedTuple):
    """A step of the script: send these bytes, and close the connection."""

    after: bytes = b""


class Hang(NamedTuple):
    """A step of the script: send nothing until the test is over."""


YES = Respond(200, b'{"valid":true }')
HTML = Respond(502, b"<html><h1>Bad Gateway</h1></html>", "text/html")


def problem(status, code, *, retry_after=None, **fields):
    details = {
        "type": f"urn:ordws:problem:{code}",
        "title": "t",
        "status": status,
        "detail": "d",
        "instance": "urn:ordws:request:1",
        "code": code,
        **fields,
    }
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Respond(status, json.dumps(details).encode(), "application/problem+json", headers)


class ScriptedServer:
    """A server on a port of its own; `steps` is the rest of its script, `came` the requests that it got."""

    def __init__(self):
        self.steps, self.came, self.over = [], [], threading.Event()
        self.hangs = threading.Event()
        """Set once a request has come that gets no answer; who sent it may have given it up before."""
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                scripted.came.append((self.path, dict(self.headers), body))
                scripted.take(self, scripted.steps.pop(0))

            do_GET = do_POST

            def log_message(self, *said):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def take(self, handler, step):
        match step:
            case Respond(status, body, kind, headers):
                handler.send_response(status)
                for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
                    handler.send_header(name, value)
                handler.end_headers()
                handler.wfile.write(body)
            case BreakConnection(after):
                handler.wfile.write(after)
                handler.close_connection = True
            case Hang():
                self.hangs.set()
                self.over.wait()
                handler.close_connection = True

    def keys_that_came(self):
        """Return the idempotency keys of the requests, None for a request without one."""
        return [headers.get("Idempotency-Key") for _, headers, _ in self.came]

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class FakeClock:
    """A clock that advances only by sleeping."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


class FixedRandom(Random):
    """A generator whose random() is always 0.5; its keys differ all the same."""

    def random(self):
        return 0.5
