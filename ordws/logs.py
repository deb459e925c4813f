"""What a process writes down: lines of JSON, without the values that an exception carries."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from types import TracebackType
from typing import Any, Final


class JsonLines(logging.Formatter):
    """Every line of the process as JSON, without the values that an exception carries."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {"time": _utc(record.created), "level": record.levelname.lower()}
        line["event"] = record.getMessage()
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["fault"] = redact_error(record.exc_info[1])
        return json.dumps(line)


def redact_error(error: BaseException) -> str:
    """The type of an exception and where it came up; its text could hold a word."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    return f"{type(error).__name__} at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def redact_uncaught() -> None:
    """What nobody catches ends on standard error as type and place, in every thread."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        print(f"ordws: error: {redact_error(error)}", file=sys.stderr)  # noqa: T201 - nothing else is sure to be left

    def thread_hook(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            hook(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    sys.excepthook = hook
    threading.excepthook = thread_hook
    logging.raiseExceptions = False  # or a line that cannot be written would be printed with its values


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
"""For the main process and every worker; the server's own lines become JSON too."""


def _utc(moment: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
    return f"{whole}.{int(moment * 1000) % 1000:03d}Z"
