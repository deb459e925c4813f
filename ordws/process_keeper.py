"""The processes that `ordws serve` starts beside itself, and starts again when they end."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Final

STOP_SECONDS: Final = 8.0
"""The time that the process may take to end before it is killed; it takes three at most."""

_BACK_OFF_SECONDS: Final = (0.0, 0.5, 1.0, 2.0, 5.0)
"""The wait before it is started again, by the number of times in a row that it ended soon."""
_EARLY_SECONDS: Final = 10.0

# It may get a listening socket as systemd would hand it over (sd_listen_fds(3)), so that connections wait in its queue
# while the process is started again, and ends when this process does.
_NO_SOCKET: Final = -1
_PROGRAM: Final = (
    "import os, sys\n"
    "from ordws.process_setup import die_with_parent\n"
    "descriptor, parent = int(sys.argv.pop(1)), int(sys.argv.pop(1))\n"
    "die_with_parent(parent)\n"
    "if descriptor not in (-1, 3): os.dup2(descriptor, 3)\n"
    "if descriptor != -1: os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')\n"
    "from ordws.cli import main; main()\n"
)

_log = logging.getLogger("ordws.serve")


class ProcessKeeper:
    """A child process, `ordws NAME`, that is kept running until this object is closed."""

    def __init__(self, name: str, options: Sequence[str], listener: socket.socket | None = None) -> None:
        descriptor = _NO_SOCKET if listener is None else listener.fileno()
        self._command = [sys.executable, "-P", "-c", _PROGRAM, str(descriptor), str(os.getpid()), name, *options]
        self._name, self._passed = name, [] if listener is None else [descriptor]
        self._is_closing = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        # The child ends with the thread that starts it, so one thread starts all of them.
        self._thread = threading.Thread(target=self._keep, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process, in bounded time."""
        with self._lock:
            self._is_closing.set()
            if self._process is not None:
                self._process.terminate()
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive() and self._process is not None:
            self._process.kill()
            self._thread.join()

    def _keep(self) -> None:
        early = 0
        while not self._is_closing.wait(_BACK_OFF_SECONDS[min(early, len(_BACK_OFF_SECONDS) - 1)]):
            with self._lock:
                if self._is_closing.is_set():
                    return
                # In a session of its own: Ctrl-C would end it before its service, which would start it again.
                self._process = subprocess.Popen(self._command, pass_fds=self._passed, start_new_session=True)
            try:
                self._process.wait(_EARLY_SECONDS)
                early += 1
            except subprocess.TimeoutExpired:
                early = 0
                self._process.wait()
            if not self._is_closing.is_set():
                ended = (self._name, self._process.returncode)
                _log.warning("the %s process ended with status %d, and is started again", *ended)
