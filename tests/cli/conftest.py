from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from cli_installation import CLIENT_KEY, RECOVERY_KEY, WORDS, Command, InitResult, adopt_edition

from ordws.cli import ordws, run
from ordws.instance import Instance


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Return a function that runs a command line in tmp_path, as a keeper types it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ORDWS_INSTANCE", raising=False)

    def run_command(*line: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ordws", *line])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_command


@pytest.fixture
def instance(command: Command, tmp_path: Path) -> Instance:
    """Make a fresh installation, without an edition."""
    assert command("init")[0] == 0
    return Instance(tmp_path / "instance")


@pytest.fixture
def initialized(command: Command, tmp_path: Path) -> InitResult:
    """Make a fresh installation with an edition, and keep the keys that init showed."""
    _, out, _ = command("init")
    instance = Instance(tmp_path / "instance")
    adopt_edition(instance, 1, *WORDS, retired=("CWM",))
    return InitResult(instance, CLIENT_KEY.findall(out)[0], RECOVERY_KEY.findall(out)[0])
