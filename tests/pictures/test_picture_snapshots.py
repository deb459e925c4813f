"""The pictures in tests/vectors/pictures, compared byte by byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from each_row import each_row
from snapshot_cases import CASES, KEPT

ROOT = Path(__file__).parent.parent.parent


@each_row("name", CASES)
def test_a_picture_equals_its_snapshot(name):
    """Each case draws the bytes of its stored picture."""
    assert CASES[name]() == (KEPT / name).read_text("utf-8")


def test_every_stored_picture_has_a_case():
    """Every stored picture has a case."""
    assert {path.name for path in KEPT.iterdir()} == {*CASES, "README.md"}


def test_another_process_draws_the_same(tmp_path):
    """Another process, with another hash seed, draws the same pictures."""
    program = (
        "import sys; from snapshot_cases import CASES; sys.stdout.write(''.join(draw() for draw in CASES.values()))"
    )
    drawn = []
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{Path(__file__).parent}", "PYTHONUTF8": "1"}
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, check=True)
        drawn.append(done.stdout.decode())
    assert drawn[0] == drawn[1] == "".join([(KEPT / name).read_text("utf-8") for name in CASES])
