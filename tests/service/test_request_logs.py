"""What is written down."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys

import pytest

from ordws.logs import JsonLines, redacted
from ordws.service.logs import Line, log_request

SECRET = "ZZXQV"


@pytest.fixture
def written():
    """What the service's loggers write."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("ordws")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


def test_a_request_is_one_line_of_json(written):
    """Time, id, method, route, status and milliseconds, and nothing else."""
    log_request(Line("id-1", "POST", "/v1/judge", 200, 0.125))
    (line,) = written()
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info", "event": "request", "id": "id-1", "method": "POST", "route": "/v1/judge", "status": 200,
        "milliseconds": 0.125,
    }  # fmt: skip


def test_a_fault_is_in_the_line(written):
    """What went wrong stands under the id that the caller was told."""
    log_request(Line("id-1", "POST", "/v1/judge", 500, 0.125, "KeyError at words.py:1"))
    assert written()[0]["fault"] == "KeyError at words.py:1"


def test_an_exception_is_its_type_and_place(written):
    """Its text, its values and the source lines stay out."""
    try:
        {}[SECRET]
    except KeyError:
        logging.getLogger("ordws.desk").exception("a store failed")
    (line,) = written()
    assert line["event"] == "a store failed"
    assert line["fault"].startswith("KeyError at ")
    assert line["fault"].rpartition(":")[0].endswith("test_request_logs.py")
    assert SECRET not in str(line)


def test_an_exception_that_was_never_raised_is_its_type():
    """It has no place."""
    assert redacted(ValueError(SECRET)) == "ValueError"


def test_the_configuration_is_one():
    """The logging module accepts it; the server's own lines and strangers' warnings are JSON too."""
    script = (
        "import logging, logging.config; from ordws.logs import LOGGING; logging.config.dictConfig(LOGGING);"
        "logging.getLogger('_granian').error('a'); logging.getLogger('ordws.requests').info('b');"
        "logging.getLogger('other').warning('c'); logging.getLogger('other').info('d')"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert [json.loads(line)["event"] for line in run.stdout.splitlines()] == ["a", "b", "c"]
