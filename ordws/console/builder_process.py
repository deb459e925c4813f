"""The builder as a child process, one at a time: starting it, reading its progress, and its outcome."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from ordws.errors import BadInput, Missing, OrdwsError

BuildTask: TypeAlias = Literal["seal", "take-back"]
_ERROR_PREFIX: Final = "ordws: error: "
_TRACEBACK_HEADER: Final = "Traceback (most recent call last):"


class BuildOutcome(msgspec.Struct, frozen=True):
    """The builder's report on either task, in counts only."""

    edition: int
    name: str
    changed: bool = True
    counts: dict[str, int] = {}


@dataclass(frozen=True)
class BuildJob:
    """A task of the builder, with its progress."""

    task: BuildTask
    keeper: str
    since: int
    state: Literal["running", "done", "failed"] = "running"
    lines: tuple[str, ...] = ()
    """The builder's output so far, which holds counts only."""
    outcome: BuildOutcome | None = None
    error: str = ""
    folder: str = ""
    """The folder in which the builder runs, and the command, by which a keeper repeats at a terminal what failed."""
    command: str = ""


class BuilderProcess:
    """The builder as a child process, which a thread follows, so that votes do not wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._job: BuildJob | None = None
        self._thread: threading.Thread | None = None

    @property
    def job(self) -> BuildJob | None:
        """The latest job; None where there was none since the console was started."""
        return self._job

    def start(
        self, job: BuildJob, command: Sequence[str], *, stdin_text: str = "", on_success: Callable[[BuildOutcome], None]
    ) -> None:
        """Start the builder on a job; `stdin_text` goes to its standard input.

        `on_success` is called with the outcome once it has succeeded. Raises BadInput while another job runs, and
        Missing where the builder is not installed.
        """
        with self._lock:
            if self._job is not None and self._job.state == "running":
                raise BadInput("an edition is being sealed here", hint="repeat this when it is done")
            # The builder is installed beside this interpreter, if it is, or elsewhere on the path.
            beside = Path(sys.executable).with_name("ordws-build")
            executable = str(beside) if beside.exists() else shutil.which("ordws-build")
            if executable is None:
                raise Missing("ordws-build is not installed here", hint="pip install '.[build]'")
            child = subprocess.Popen(
                [executable, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C in the console's terminal does not end it half-way
            )
            words = [each for each in command if each != "--json"]
            self._job = replace(job, folder=str(Path.cwd()), command=shlex.join(["ordws-build", *words]))
            self._thread = threading.Thread(target=self._watch, args=(child, stdin_text, on_success), daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Wait until the builder has ended, where it runs."""
        if self._thread is not None:
            self._thread.join()

    def _watch(self, child: subprocess.Popen[str], stdin_text: str, on_success: Callable[[BuildOutcome], None]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        with child:
            with suppress(BrokenPipeError), child.stdin as stdin:
                stdin.write(stdin_text)
            # A traceback, which may show words among its values, is left out with all that follows it.
            is_plain = True
            for line in child.stderr:
                is_plain = is_plain and line.rstrip("\n") != _TRACEBACK_HEADER
                if is_plain and self._job is not None:
                    self._job = replace(self._job, lines=(*self._job.lines, line.rstrip("\n")))
            # Only now: the report is one line, which never fills its pipe while the progress is read.
            report = child.stdout.read()
        try:
            if child.returncode != 0:
                lines = self._job.lines if self._job else ()
                errors = [line.removeprefix(_ERROR_PREFIX) for line in lines if line.startswith(_ERROR_PREFIX)]
                error = errors[-1] if errors else "the builder stopped before it was done"
                self._finish(state="failed", error=error)
                return
            outcome = msgspec.json.decode(report, type=BuildOutcome)
            on_success(outcome)
            self._finish(state="done", outcome=outcome)
        except msgspec.MsgspecError:
            self._finish(state="failed", error="what the builder reported cannot be read")
        except OrdwsError as err:
            self._finish(state="failed", error=f"the edition is sealed, but that was not noted: {err}")

    def _finish(
        self, *, state: Literal["done", "failed"], outcome: BuildOutcome | None = None, error: str = ""
    ) -> None:
        if self._job is not None:
            self._job = replace(self._job, state=state, outcome=outcome, error=error)
