"""A service over one of two lists that differ in little, with callers whose replies can be compared byte for byte."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from io import BytesIO
from urllib.parse import urlencode

from small_installation import NOON, FakeClock, InProcessService, build_installation
from werkzeug.wsgi import ClosingIterator

EMPTY = "/".join(["21"] * 21)


class TwinCallers:
    """A service with a clock of its own, two home players and a club of three."""

    def __init__(self, root, words, **lists):
        """Deliver these words, with other lists as `SmallInstallation.deliver` takes them."""
        self.house_of = build_installation(root)
        installation = self.house_of.__enter__()
        installation.deliver(*words, number=2, **lists)
        self.clock = FakeClock()
        self.keys = {"ann": installation.key}
        for name, kind in (("ben", "home"), ("club", "operator")):
            self.keys[name] = installation.register.add(name, kind, NOON - 40 * 86_400)
        self.service = InProcessService(installation.services(), installation.key, self.clock)

    def ask(self, who, kind, words, game, move, seconds, **more):
        """Send a request, with more fields of its body, and return all that its caller can see, and its log line."""
        self.clock.now += seconds
        name, _, player = who.partition("/")
        fields = {"game": game} if game else {}
        fields |= {"player": player} if player else {}
        headers = {"HTTP_AUTHORIZATION": f"Bearer {self.keys[name]}"}
        if kind == "quota":
            reply = self.call("GET", "/v1/quota", headers, query=urlencode(fields))
        else:
            path = {"plays": "/v1/plays", "score": "/v1/score"}.get(kind, "/v1/judge")
            body = {"position": EMPTY, "move": move.strip()} if path != "/v1/judge" else {"words": words}
            if kind == "bad":
                body = {"words": [*words, "?"]}
            if kind == "repeat":
                headers["HTTP_IDEMPOTENCY_KEY"] = words[0]
            reply = self.call("POST", path, headers, json.dumps(body | fields | more).encode())
        return *reply, self.service.lines[-1]._replace(milliseconds=0)

    def call(self, method, path, headers, body=b"", query=""):
        """Return status, headers and body of a reply, as a server would get them from the application."""
        told = []
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SCRIPT_NAME": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            "wsgi.input": BytesIO(body),
            **headers,
        }
        if method == "POST":
            environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
        with closing(ClosingIterator(self.service.app(environ, lambda *start: told.append(start)))) as parts:
            data = b"".join(parts)
        ((status, sent),) = told
        return int(status[:3]), sorted(sent), data

    def close(self):
        self.house_of.__exit__(None, None, None)
