"""A desk in a process of its own, on a clock that a test moves, and which can be killed like everything else."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from wsgiref.types import WSGIApplication

from free_ports import free_port
from http_replies import status_of
from processes import ROOT, await_start, stop

from ordws import server
from ordws.desk import process
from ordws.desk.process import DeskSettings
from ordws.frame.process import load_app
from ordws.listeners import resolve_address

PACE_MILLISECONDS = 250
"""The pause between two looks of a page: the weekend waits for nothing else."""


def load_desk(settings: DeskSettings, clock: Path) -> WSGIApplication:
    """Return the desk, in its worker, on the clock of a file."""
    process.system_clock = lambda: int(clock.read_text())
    from ordws.desk import director_pages, player_pages

    director_pages.PACE_MILLISECONDS = player_pages.PACE_MILLISECONDS = PACE_MILLISECONDS
    return load_app(pickle.dumps(partial(process.open_app, settings)), "the desk")


def main(event: str, key: str, clock: str, port: str) -> None:
    """Serve one event until the process is killed."""
    address, number = resolve_address("127.0.0.1", int(port))
    print(f"at {number}", flush=True)  # noqa: T201 - read by the test
    load = partial(load_desk, DeskSettings(Path(event), Path(key), Path(key).with_name("desk.sessions")), Path(clock))
    server.run(load, address, number, workers=1, threads=8)


class DeskProcess:
    """The desk of one event file; it keeps its port when it is started again."""

    def __init__(self, event: Path, key: Path, clock: Path) -> None:
        self._arguments = [str(event), str(key), str(clock)]
        self._log = event.parent / "desk.log"
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Start the desk and wait until it listens."""
        paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests", Path(__file__).parent)))
        code = "import sys, weekend_desk; weekend_desk.main(*sys.argv[1:])"
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code, *self._arguments, str(self.port)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": paths},
            )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == f"at {self.port}\n", self._log.read_text()
        self._process.stdout.close()
        await_start(self._process, lambda: status_of(self.port, "/desk-files/icon.svg") == 200, self._log)

    def kill(self) -> None:
        """Kill the main process and its worker in the middle of whatever they do."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        stop(self._process)


class KillableChromium:
    """A Chromium that a test can kill with all its windows, as a power cut does."""

    def __init__(self, path: str, switches: tuple[str, ...], folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [
                path,
                "--headless=new",
                "--remote-debugging-port=0",
                f"--user-data-dir={folder}",
                *switches,
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        told = folder / "DevToolsActivePort"
        await_start(self._process, lambda: told.exists() and len(told.read_text().splitlines()) > 1)
        self.address = f"http://127.0.0.1:{told.read_text().splitlines()[0]}"

    def kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
