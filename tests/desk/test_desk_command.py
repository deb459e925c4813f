"""`ordws tournament desk` as a director starts it on a laptop: the printed link opens the desk of one file."""

from __future__ import annotations

import re
import subprocess
import sys
from urllib.request import urlopen

import httpx
import pytest
from desk_events import NOON

from ordws.listeners import reachable_host
from ordws.tournament.commands import Create
from ordws.tournament.store import EventFile


@pytest.mark.parametrize("bind", ["127.0.0.1", "0.0.0.0"])
def test_a_desk_of_one_file(bind, tmp_path, monkeypatch):
    """The command prints where directors and players go, signs in by its link's key, and ends on SIGTERM.

    A desk that listens everywhere prints an address that others can open.
    """
    host = re.escape(reachable_host(bind))
    assert host != re.escape("0.0.0.0")
    file = tmp_path / "club.event"
    EventFile.create(
        file, Create(name="Club", rules="scrabble-i", rounds=5, seed=1), actor="director", now=NOON
    ).close()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    arguments = [sys.executable, "-c", "from ordws.cli import main; main()", "tournament", "desk", str(file)]
    with subprocess.Popen([*arguments, "--bind", f"{bind}:0"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = [process.stderr.readline() for _ in range(3)]
        link = re.search(rf"sign in by (http://{host}:\d+)/desk/sign-in#key=([0-9a-f]{{32}})\n", lines[1])
        assert link, lines
        assert lines[2] == f"ordws: players are at {link[1]}/tournament/club\n"
        with httpx.Client(base_url=link[1], transport=httpx.HTTPTransport(retries=8), timeout=30) as client:
            assert client.post("/desk/sign-in", data={"key": link[2]}).status_code == 303
            assert "Entry" in client.get("/desk/club").text
        assert b"Club" in urlopen(f"{link[1]}/tournament/club", timeout=30).read()
        process.terminate()
        assert process.wait(timeout=30) == 0
    assert (tmp_path / "state" / "ordws" / "desk.key").stat().st_mode & 0o777 == 0o400
