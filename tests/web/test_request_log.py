"""Tests of the log."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from ordws.logs import JsonLines, redact_error
from ordws.web.telemetry import RequestLogLine, log_fault, log_request

SECRET = "ZZXQV"


@pytest.fixture
def written():
    """Return a function that returns the lines written by the service's loggers."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("ordws")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lambda *, as_text=False: [line if as_text else json.loads(line) for line in stream.getvalue().splitlines()]
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


def test_a_request_is_one_line_of_json(capfd):
    """A request's line has time, id, method, route, status and milliseconds, and nothing else."""
    log_request(RequestLogLine("id-1", "POST", "/v1/judge", 200, 0.125))
    line = json.loads(capfd.readouterr().out)
    assert datetime.fromisoformat(line.pop("time")).tzinfo == UTC
    assert line == {
        "level": "info",
        "event": "request",
        "id": "id-1",
        "method": "POST",
        "route": "/v1/judge",
        "status": 200,
        "milliseconds": 0.125,
    }


def test_a_fault_is_logged_with_its_id(capfd):
    """A fault must be in the line with the id that the caller was told."""
    log_request(RequestLogLine("id-1", "POST", "/v1/judge", 500, 0.125, "KeyError at words.py:1"))
    assert json.loads(capfd.readouterr().out)["fault"] == "KeyError at words.py:1"


def test_a_terminal_shows_faults_alone(capfd):
    """What logs on a terminal writes the requests that ended with a fault, and no others."""
    for number, fault in enumerate([None, "KeyError at words.py:1"]):
        log_fault(RequestLogLine(f"id-{number}", "POST", "/v1/judge", 200, 0.125, fault))
    assert json.loads(capfd.readouterr().out)["id"] == "id-1"


def test_a_request_line_has_the_form_of_logging(written, capfd):
    """A request's line must have exactly the form of the logging module's lines."""
    logging.getLogger("ordws").info("request", extra={"fields": {"id": "id-1", "method": "GET", "status": 200}})
    log_request(RequestLogLine("id-1", "GET", "/", 200, 0.5))
    (theirs,) = written(as_text=True)
    ours = capfd.readouterr().out.rstrip("\n")
    assert ours.replace('"route": "/", ', "").replace(', "milliseconds": 0.5', "")[34:] == theirs[34:]
    assert ours.startswith('{"time": "')


def test_the_lines_of_many_threads_are_whole_and_none_is_lost(tmp_path):
    """Lines of many threads must each be there once, in writes that a pipe keeps whole."""
    script = (
        "import os\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from ordws.web import telemetry\n"
        "write, sizes = os.write, []\n"
        "telemetry.os.write = lambda file, data: sizes.append(len(data)) or write(file, data)\n"
        "line = telemetry.RequestLogLine('i' * 36, 'OPTIONS', '/v1/games/{id}/turns/{turn}', 200, 123456.125)\n"
        "with ThreadPoolExecutor(16) as pool:\n"
        "    for number in range(4000):\n"
        "        pool.submit(telemetry.log_request, line._replace(status=number, fault='x' * (number % 400)))\n"
        "assert max(sizes) <= 4096, max(sizes)\n"
    )
    path = tmp_path / "log"
    with path.open("wb") as log:
        subprocess.run([sys.executable, "-c", script], stdout=log, check=True)
    assert sorted(json.loads(line)["status"] for line in path.read_text().splitlines()) == [*range(4000)]


def test_a_log_that_cannot_be_written_costs_no_answer():
    """A line that cannot be written, as on a full disk, must be dropped without an error."""
    script = (
        "from ordws.web.telemetry import RequestLogLine, log_request\n"
        'log_request(RequestLogLine("id-1", "GET", "/", 200, 0.5))'
    )
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device, not a path
        subprocess.run([sys.executable, "-c", script], stdout=full, check=True)


def test_an_exception_is_logged_by_type_and_place(written):
    """An exception must be logged without its text, its values and the source lines."""
    try:
        {}[SECRET]
    except KeyError:
        logging.getLogger("ordws.api").exception("a store failed")
    (line,) = written()
    assert line["event"] == "a store failed"
    assert line["fault"].startswith("KeyError at ")
    assert line["fault"].rpartition(":")[0].endswith("test_request_log.py")
    assert SECRET not in str(line)


def test_an_exception_never_raised_is_logged_by_type():
    """An exception that was never raised must be logged by its type."""
    assert redact_error(ValueError(SECRET)) == "ValueError"


def test_the_logging_module_accepts_the_configuration():
    """The logging module must accept the configuration, which makes granian's lines and warnings JSON too."""
    script = (
        "import logging, logging.config; from ordws.logs import LOGGING_CONFIG;"
        "logging.config.dictConfig(LOGGING_CONFIG);"
        "logging.getLogger('_granian').error('a'); logging.getLogger('ordws.api').info('b');"
        "logging.getLogger('other').warning('c'); logging.getLogger('other').info('d')"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert [json.loads(line)["event"] for line in run.stdout.splitlines()] == ["a", "b", "c"]
