"""The outermost middleware of the applications for people: a programming error becomes a reply without its values."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.logs import redact_error

_BODY: Final = json.dumps({"code": "internal-error", "detail": "the fault is in the log"}).encode()


class ErrorMiddleware:
    """Middleware that answers 500 after a programming error, and logs its place but never its values."""

    def __init__(self, inner: WSGIApplication, log: logging.Logger) -> None:
        self._inner, self._log = inner, log

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return self._inner(environ, start_response)
        except Exception as error:  # noqa: BLE001 - beyond this line the server would print it, with its values
            self._log.error("fault", extra={"fields": {"fault": redact_error(error)}})
            start_response("500 Internal Server Error", [("Content-Type", "application/json")])
            return [_BODY]
