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
    """Runs command lines in tmp_path, as a keeper types them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ORDWS_INSTANCE", raising=False)

    def called(*line: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ordws", *line])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        status = run(ordws, "ordws")
        said = capsys.readouterr()
        return status, said.out, said.err

    return called


@pytest.fixture
def here(command: Command, tmp_path: Path) -> Instance:
    """A fresh installation, without an edition."""
    assert command("init")[0] == 0
    return Instance(tmp_path / "instance")


@pytest.fixture
def shown(command: Command, tmp_path: Path) -> InitResult:
    """A fresh installation with an edition, and the keys that init showed."""
    _, out, _ = command("init")
    here = Instance(tmp_path / "instance")
    adopt_edition(here, 1, *WORDS, retired=("CWM",))
    return InitResult(here, CLIENT_KEY.findall(out)[0], RECOVERY_KEY.findall(out)[0])
