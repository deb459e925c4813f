"""The builder as a process of its own, one at a time: how it is started, what it says, how it ended."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias

import msgspec

from ordws.errors import BadInput, Missing, OrdwsError

BuildTask: TypeAlias = Literal["seal", "take-back"]
_ERROR_PREFIX: Final = "ordws: error: "
_TRACEBACK_HEADER: Final = "Traceback (most recent call last):"


class BuildOutcome(msgspec.Struct, frozen=True):
    """What the builder reports of either task; counts only."""

    edition: int
    name: str
    changed: bool = True
    counts: dict[str, int] = {}


@dataclass(frozen=True)
class BuildJob:
    """What the builder was last started for, and how far it is."""

    task: BuildTask
    keeper: str
    since: int
    state: Literal["running", "done", "failed"] = "running"
    lines: tuple[str, ...] = ()
    """What it said so far; counts only."""
    outcome: BuildOutcome | None = None
    error: str = ""


class BuilderProcess:
    """Starts the builder; the room's votes do not wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._job: BuildJob | None = None
        self._thread: threading.Thread | None = None

    @property
    def job(self) -> BuildJob | None:
        """The last work; None where there was none since the console was opened."""
        return self._job

    def start(
        self, job: BuildJob, command: Sequence[str], *, stdin_text: str = "", on_success: Callable[[BuildOutcome], None]
    ) -> None:
        """Start it, unless it runs; `typed` goes to its standard input. `done` is called once it has succeeded."""
        with self._lock:
            if self._job is not None and self._job.state == "running":
                raise BadInput("an edition is being sealed here", hint="repeat this when it is done")
            child = subprocess.Popen(
                [find_builder_executable(), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
            self._job = job
            self._thread = threading.Thread(target=self._watch, args=(child, stdin_text, on_success), daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Until the builder has ended, where it runs."""
        if self._thread is not None:
            self._thread.join()

    def _watch(self, child: subprocess.Popen[str], stdin_text: str, on_success: Callable[[BuildOutcome], None]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        with child:
            with suppress(BrokenPipeError), child.stdin as stdin:
                stdin.write(stdin_text)
            self._read_progress(child.stderr)
            said = child.stdout.read()
        try:
            if child.returncode != 0:
                self._finish(state="failed", error=self._error_text())
                return
            outcome = msgspec.json.decode(said, type=BuildOutcome)
            on_success(outcome)
            self._finish(state="done", outcome=outcome)
        except msgspec.MsgspecError:
            self._finish(state="failed", error="what the builder reported cannot be read")
        except OrdwsError as error:
            self._finish(state="failed", error=f"the edition is sealed, but that was not noted: {error}")

    def _read_progress(self, stderr: IO[str]) -> None:
        """Keep what it says, up to a mistake of ours, the values of which are nobody's to see."""
        is_plain = True
        for line in stderr:
            is_plain = is_plain and line.rstrip("\n") != _TRACEBACK_HEADER
            if is_plain and self._job is not None:
                self._job = replace(self._job, lines=(*self._job.lines, line.rstrip("\n")))

    def _error_text(self) -> str:
        """Why it failed, in its own words."""
        lines = self._job.lines if self._job else ()
        errors = [line.removeprefix(_ERROR_PREFIX) for line in lines if line.startswith(_ERROR_PREFIX)]
        return errors[-1] if errors else "the builder stopped before it was done"

    def _finish(
        self, *, state: Literal["done", "failed"], outcome: BuildOutcome | None = None, error: str = ""
    ) -> None:
        if self._job is not None:
            self._job = replace(self._job, state=state, outcome=outcome, error=error)


def find_builder_executable() -> str:
    """`ordws-build`, beside the interpreter that runs us or on the path."""
    beside = Path(sys.executable).with_name("ordws-build")
    found = str(beside) if beside.exists() else shutil.which("ordws-build")
    if found is None:
        raise Missing("ordws-build is not installed here", hint="pip install '.[build]'")
    return found
