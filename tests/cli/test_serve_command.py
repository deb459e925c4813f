"""`ordws serve`: what keeps it from starting is said before it starts."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ordws.cli import ordws, run

ROOT = Path(__file__).parents[2]
MAIN = "from ordws.cli import main; main()"


@pytest.fixture
def serve(house):
    """Runs a service that is not to start; returns its status and what it said."""

    def serve(*arguments, **environment):
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "--instance", house.instance.root, "serve", *arguments],
            cwd=ROOT, env={"PATH": "", **environment}, capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        assert done.stdout == ""
        return done.returncode, done.stderr

    return serve


def test_a_taken_port_is_an_error(serve):
    """The address is named, and the option that names another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve("--bind", f"127.0.0.1:{port}") == (
            2, f'ordws: error: cannot listen on "127.0.0.1:{port}": Address already in use\n'
            "ordws: hint: --bind names another HOST:PORT\n",
        )  # fmt: skip


def test_without_an_edition_there_is_an_error(serve, house):
    """What is missing is named, and what to do."""
    house.instance.sealed.unlink()
    status, said = serve("--bind", "127.0.0.1:0")
    assert status == 2
    assert said.startswith(f'ordws: error: "{house.instance.sealed}" cannot be read')


@pytest.mark.parametrize("bind", ["8000", "127.0.0.1", ":8000", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:x"])
def test_an_address_is_host_and_port(bind, monkeypatch, capsys):
    """What is not HOST:PORT is an error with an example."""
    monkeypatch.setattr("sys.argv", ["ordws", "serve", "--bind", bind])
    assert run(ordws, "ordws") == 2
    assert f'"{bind}" is not HOST:PORT, as in 127.0.0.1:8000' in capsys.readouterr().err


def test_debug_mode_is_refused(serve):
    """A debugger shows values to whoever causes an error."""
    assert serve("--bind", "127.0.0.1:0", FLASK_DEBUG="1") == (
        2, "ordws: error: the service does not run in debug mode, which shows values\n"
        "ordws: hint: unset FLASK_DEBUG\n",
    )  # fmt: skip
