"""The service in the process of a benchmark: requests as the server hands them over, and the calls that one takes."""

from __future__ import annotations

import cProfile
import json
import pstats
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from ordws.api.services import Services
from ordws.web.serving import create_app
from ordws.web.telemetry import RequestCounts
from tests.benchmarks.figure import Figure
from tests.small_installation import NOON, build_installation

KEYS: Final = 20
_LETTERS: Final = "BDFGHKLM"


class InProcess:
    """The whole service without its server; its log goes nowhere."""

    def __init__(self, services: Services, clock: Callable[[], int] = lambda: NOON) -> None:
        counts = RequestCounts.create(1).claim_row()
        self._app = create_app(services, clock=clock, log=lambda line: None, counts=counts).wsgi_app

    def ask(self, method: str, path: str, key: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Return the status and the body of the reply to a request."""
        return self.send(environ_of(method, path, key, body, **headers))

    def send(self, environ: dict[str, Any]) -> tuple[int, bytes]:
        status = []

        def start(line: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            status.append(int(line[:3]))
            return lambda data: None

        body = b"".join(self._app(environ, start))
        return status[0], body


def environ_of(method: str, path: str, key: str, body: Any = None, **headers: str) -> dict[str, Any]:
    """Return the WSGI environment of a request, as the server makes it."""
    data = b"" if body is None else json.dumps(body).encode()
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "HTTP_AUTHORIZATION": f"Bearer {key}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(data),
        **headers,
    }


def measure() -> Iterator[Figure]:
    """Yield the calls that a question of one new word takes, those of built-in functions among them."""
    with tempfile.TemporaryDirectory() as name, build_installation(Path(name) / "instance") as installation:
        keys = [installation.register.add(f"k{number}", "home", 0) for number in range(KEYS)]
        for number in range(KEYS):
            installation.register.verify(f"k{number}", 0)
        service = InProcess(installation.services())
        for kind, fields in (("outside games", {}), ("in a game", {"game": "g"})):
            ending = "EEN" if fields else "EIN"
            questions = [{"words": [f"{letter}{ending}"], **fields} for letter in _LETTERS]
            # The first question of a key opens its records.
            for key in keys:
                assert service.ask("POST", "/v1/judge", key, {"words": [f"J{ending}"], **fields})[0] == 200
            environs = [environ_of("POST", "/v1/judge", key, question) for key in keys for question in questions]
            profile = cProfile.Profile()
            profile.enable()
            statuses = {service.send(environ)[0] for environ in environs}
            profile.disable()
            assert statuses == {200}
            calls = pstats.Stats(profile).total_calls / len(environs)  # type: ignore[attr-defined]
            yield Figure("calls", f"calls that a question of one new word takes, {kind}", round(calls), "calls")
