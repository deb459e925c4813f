"""The log of a process: lines of JSON, without the values that an exception carries."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from functools import lru_cache
from types import TracebackType
from typing import Any, Final


class JsonLines(logging.Formatter):
    """A formatter that writes each record as a line of JSON and an exception as its type and place."""

    def format(self, record: logging.LogRecord) -> str:
        written = f"{format_utc_second(int(record.created))}.{int(record.created * 1000) % 1000:03d}Z"
        line: dict[str, Any] = {"time": written, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["fault"] = redact_error(record.exc_info[1])
        return json.dumps(line)


def redact_error(error: BaseException) -> str:
    """Return the type of an exception and the place that raised it, without its text, which could hold a word."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    return f"{type(error).__name__} at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def redact_uncaught() -> None:
    """Have uncaught exceptions of every thread written to standard error as type and place alone."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        print(f"ordws: error: {redact_error(error)}", file=sys.stderr)  # noqa: T201 - nothing else is sure to be left

    def thread_hook(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            hook(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    sys.excepthook = hook
    threading.excepthook = thread_hook
    logging.raiseExceptions = False  # otherwise a record that cannot be written is printed with its values


LOGGING_CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLines}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}},
    "loggers": {
        "ordws": {"handlers": ["lines"], "level": "INFO", "propagate": False},
        "_granian": {"handlers": ["lines"], "level": "ERROR", "propagate": False},
    },
    "root": {"handlers": ["lines"], "level": "WARNING"},
}
"""The configuration of the main process and every worker; it turns the records of granian into JSON too."""


@lru_cache(maxsize=2)
def format_utc_second(moment: int) -> str:
    """Return a second since 1970 as ISO 8601 without a zone; cached, for most log lines share their second."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
