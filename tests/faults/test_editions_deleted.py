"""Tests that deleting the adopted editions lets no older edition answer, in a running service or after a restart."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import ROOT, TIMEOUT_SECONDS
from service_process import ServiceProcess, serve_command
from small_installation import WORDS, SmallInstallation, build_installation

YES = (200, b'{"valid":true }')


def start(folder: Path, installation: SmallInstallation) -> ServiceProcess:
    return ServiceProcess(
        folder, installation.key, serve_command(installation.instance.root, "--workers", "2", "--metrics", "off")
    )


@pytest.mark.long
def test_deleted_editions_let_no_older_one_answer(tmp_path: Path) -> None:
    """A running service goes on with its edition, a restart beside an older one is refused, and the newest is taken."""
    with build_installation(tmp_path / "installation") as installation:
        instance = installation.instance
        service = start(tmp_path, installation)
        assert "warning" not in service.error_log.read_text()
        old = instance.sealed_edition.read_bytes()
        installation.deliver(*WORDS, "FLUTIST", number=2)
        assert service.stop() == 0
        service = start(tmp_path, installation)
        assert "warning" not in service.error_log.read_text()
        new = instance.sealed_edition.read_bytes()
        try:
            shutil.rmtree(instance.editions)
            instance.sealed_edition.write_bytes(old)
            for _ in range(20):
                assert service.judge("FLUTIST") == YES
        finally:
            assert service.stop() == 0
        command = [
            sys.executable,
            *map(str, serve_command(installation.instance.root, "--workers", "2", "--metrics", "off")),
        ]
        refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        assert refused.returncode == 2
        assert "ordws: error: edition 1 is older than edition 2, which was adopted here" in refused.stderr
        instance.sealed_edition.write_bytes(new)
        service = start(tmp_path, installation)
        try:
            assert service.judge("FLUTIST") == YES
            assert f'warning: edition 2, which the edition mark names, is gone from "{instance.editions}"' in (
                service.error_log.read_text()
            )
        finally:
            assert service.stop() == 0
    assert (instance.editions / "0002").is_dir()
