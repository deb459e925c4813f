"""A WSGI application at a port of this host, in a thread of the test, where no process of its own is needed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server


@contextmanager
def served_in_thread(app: Callable[..., Any], socket: Path | None = None) -> Iterator[int]:
    """Serve an application, and yield its port; on a socket, if one is given."""
    host, answers = f"unix://{socket}" if socket else "localhost", closing_its_answers(app)
    server = make_server(host, 0, answers, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class OneAddress:
    """A port of this host at which one application is served after the other, to browsers that keep its files."""

    def __init__(self) -> None:
        self.port = 0
        self.apps: list[Callable[..., Any]] = []

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[OneAddress]:
        address = cls()
        with served_in_thread(lambda environ, start: address.apps[-1](environ, start)) as address.port:
            yield address

    @contextmanager
    def serving(self, app: Callable[..., Any]) -> Iterator[int]:
        """Serve an application there, in place of one that was served before and is again afterwards."""
        self.apps.append(app)
        try:
            yield self.port
        finally:
            self.apps.remove(app)


FILES = ("/app/", "/static/", "/desk-files/")
"""Where the pages of all programs have their files."""


def kept_by_browsers(app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Let the browser of a test keep the files of pages, where that of a user asks for each whether it has changed."""

    def answers(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            kept = [(name, "max-age=3600" if name == "Cache-Control" else value) for name, value in headers]
            return start_response(status, kept if environ["PATH_INFO"].startswith(FILES) else headers, *more)

        return app(environ, start)

    return answers


def closing_its_answers(app: Callable[..., Any]) -> Callable[..., Iterator[bytes]]:
    """Close an answer, a file perhaps, when its browser leaves in the middle of it: the server forgets to."""

    def answers(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        answer = app(environ, start_response)
        try:
            yield from answer
        finally:
            if hasattr(answer, "close"):
                answer.close()

    return answers


class _Quiet(WSGIRequestHandler):
    """A request handler that logs nothing, and keeps connections open: a page loads a dozen files."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        return None
