"""The two forms of the engine: the compiled form is installed, and the plain form passes the same tests."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from plain_source import import_plain_source
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

from ordws.rules import board, engine, judge, move, receipt, scoring
from ordws.rules.board import Axis, empty_board
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import CLASSIC

ROOT = Path(__file__).parents[2]
HOT = (board, judge, move, receipt, scoring)
ALIKE = ("test_options", "test_game_properties", "test_compiled")
"""The test modules that need no run with the plain form, since they test the same in both or others test it at less
cost.
"""
REPLAYED = [f"tests/records/{name}.py" for name in ("test_audit", "test_gcg_vectors", "test_random_games")]

is_switched_off = os.environ.get("ORDWS_COMPILE") == "0"
needs_compiled = pytest.mark.skipif(is_switched_off, reason="ORDWS_COMPILE=0: the engine is as it is written")


@needs_compiled
def test_the_engine_was_compiled() -> None:
    """The modules that every play goes through are compiled wherever the suite runs."""
    files = [str(module.__file__) for module in HOT]
    why = "gcc or Python.h was missing at install: apt-get install gcc libc6-dev python3-dev, then make clean test"
    assert [file for file in files if not file.endswith(tuple(EXTENSION_SUFFIXES))] == [], why
    assert engine.engine_build() == "compiled"


@pytest.mark.long
@needs_compiled
def test_the_plain_engine_passes_the_same_tests() -> None:
    """The plain form passes the tests of plays, games and records."""
    tests = ["tests/rules", *REPLAYED, *(f"--ignore=tests/rules/{name}.py" for name in ALIKE)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "plain_engine", "-p", "no:xdist", *tests],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rules engine: plain" in done.stdout.splitlines()


def test_both_forms_rule_alike_in_one_process() -> None:
    """The two forms judge each other's boards and plays, and their rulings are equal."""
    written, sets = import_plain_source("judge", "ruleset")
    assert str(written.__file__).endswith(".py")
    board_before, play = empty_board(15), Play(7, 5, Axis.ACROSS, b"CaTS")
    ruling, plain = (
        judge.judge(CLASSIC, board_before, play, "CTS?"),
        written.judge(sets.CLASSIC, board_before, play, "CTS?"),
    )
    assert isinstance(ruling, Legal)
    assert (ruling.words, ruling.score, ruling.spans) == (plain.words, plain.score, plain.spans)
    assert ruling.score == 10


@needs_compiled
def test_an_argument_of_another_type_is_refused() -> None:
    """The compiled form raises TypeError for an argument whose type is not the one in the source."""
    with pytest.raises(TypeError, match="bytes object expected; got str"):
        judge.judge(CLASSIC, empty_board(15), Play(7, 7, Axis.ACROSS, "CAT"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="str or None object expected; got int"):
        judge.judge(CLASSIC, empty_board(15), Play(7, 7, Axis.ACROSS, b"CAT"), 7)  # type: ignore[arg-type]


def test_a_compiler_that_fails_leaves_the_plain_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the compiler fails, the installation goes on, and nothing is compiled."""
    (tmp_path / "engine.c").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CC", "/bin/false")
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    command = runpy.run_path(str(ROOT / "setup.py"))["BuildEngine"](Distribution())
    command.distribution.ext_modules = [Extension("engine", ["engine.c"])]
    build_ext.finalize_options(command)
    command.run()
    assert command.extensions == []
    assert [*tmp_path.rglob("*.so")] == []


@pytest.mark.long
@pytest.mark.parametrize("compiler", ["/bin/false", "no-such-compiler"])
def test_an_install_without_a_compiler_goes_on(compiler: str, tmp_path: Path) -> None:
    """An install whose compiler fails or is missing keeps the plain form and compiles nothing."""
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    for folder in ("ordws/rules", "ordws/movegen"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.so"))
    (tmp_path / "ordws/__init__.py").touch()
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=tmp_path,
        env={**os.environ, "CC": compiler, "ORDWS_COMPILE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "the rules engine and the move generator stay plain Python" in done.stderr
    assert [*tmp_path.rglob("*.so")] == []
