"""`ordws tournament desk` as a director starts it on a laptop: the printed link opens the desk of one file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import ExitStack
from urllib.request import urlopen

import httpx
import pytest
from desk_events import NOON

from ordws.listeners import reachable_host
from ordws.tournament.facts import Created
from ordws.tournament.store import EventFile

SECONDS = 300
"""More than any machine needs to start the desk."""


def read_addresses(process: subprocess.Popen[str], *, as_json: bool) -> tuple[str, str, str]:
    """Return the directors' link, the address of the players' pages, and that of the metrics."""
    if as_json:
        assert process.stdout is not None
        row = json.loads(process.stdout.readline())
        assert row["desk"] == row["sign_in"].partition("/sign-in")[0]
        return row["sign_in"], row["players"]["club"], row["metrics"]
    assert process.stderr is not None
    lines = [process.stderr.readline().strip() for _ in range(4)]
    said = ("directors sign in by", "once signed in, they find the desk at")
    said += ("players see their tables and the standings at", "metrics are at")
    assert [line.rpartition(" ")[0] for line in lines] == [f"ordws: {text}" for text in said]
    link, desk, players, metrics = (line.rpartition(" ")[2] for line in lines)
    assert desk == link.partition("/sign-in")[0]
    return link, players, metrics


@pytest.mark.parametrize(("bind", "as_json"), [("127.0.0.1", True), ("0.0.0.0", False)])
def test_a_desk_of_one_file(bind, as_json, tmp_path, monkeypatch):
    """The command prints where directors and players go, signs in by its link's key, and ends on SIGTERM.

    A desk that listens everywhere prints an address that others can open. Its metrics are for this machine.
    """
    host = re.escape(reachable_host(bind))
    assert host != re.escape("0.0.0.0")
    file = tmp_path / "club.event"
    EventFile.create(
        file, Created(name="Club", rules="scrabble-i", rounds=5, seed=1), actor="director", now=NOON
    ).close()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    arguments = [sys.executable, "-c", "from ordws.cli import main; main()", "tournament", "desk", str(file)]
    options = ["--bind", f"{bind}:0", "--metrics", "127.0.0.1:0", *(["--json"] if as_json else [])]
    pipes = {"stdout" if as_json else "stderr": subprocess.PIPE}
    with subprocess.Popen([*arguments, *options], text=True, **pipes) as process, ExitStack() as ending:
        ending.callback(process.kill)  # or a test that fails waits for it for ever
        sign_in, players, metrics = read_addresses(process, as_json=as_json)
        link = re.fullmatch(rf"(http://{host}:\d+)/desk/sign-in#key=([0-9a-f]{{32}})", sign_in)
        assert link, sign_in
        assert players == f"{link[1]}/tournament/club"
        with httpx.Client(base_url=link[1], transport=httpx.HTTPTransport(retries=8), timeout=SECONDS) as client:
            assert client.post("/desk/sign-in", data={"key": link[2]}).status_code == 303
            assert "Entry" in client.get("/desk/club").text
        assert b"Club" in urlopen(players, timeout=SECONDS).read()
        assert b'ordws_desk_commands_total{outcome="failed"} 0.0' in urlopen(metrics, timeout=SECONDS).read()
        process.terminate()
        assert process.wait(timeout=SECONDS) == 0
    assert (tmp_path / "state" / "ordws" / "desk.key").stat().st_mode & 0o777 == 0o400
