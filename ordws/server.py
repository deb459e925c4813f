"""How our servers run: nobody may look into the process, and the server in front of a WSGI application."""

from __future__ import annotations

import copy
import faulthandler
import multiprocessing
import re
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from wsgiref.types import WSGIApplication

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from ordws.errors import BadInput
from ordws.hardening import die_with_parent
from ordws.hardening import harden as close_process
from ordws.logs import LOGGING, redact_uncaught


def harden() -> None:
    """Nobody reads this process's memory, and it leaves none behind: no core file, no dump, no debugger."""
    if sys.gettrace() is not None or _is_traced():
        raise BadInput("the service does not run under a debugger or a tracer")
    faulthandler.disable()
    redact_uncaught()
    close_process()


def _is_traced() -> bool:
    """Whether a debugger of the system's, gdb or strace, holds this process already; later ones are kept out."""
    if sys.platform != "linux":
        return False
    tracer = re.search(r"^TracerPid:\t([0-9]+)$", Path("/proc/self/status").read_text("ascii", "replace"), re.MULTILINE)
    return tracer is not None and tracer[1] != "0"


def begin_worker() -> None:
    """Close a worker too; Ctrl-C does not cut its requests off, and it does not outlive the main process."""
    harden()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the server would put a handler of its own over ours
    if (main := multiprocessing.parent_process()) is not None and main.pid is not None:
        die_with_parent(main.pid)


def find_address(host: str, port: int) -> tuple[str, int]:
    """The numeric address and the port that will be listened on; raises where that is not possible.

    The server shares its port among workers, so that a second server would quietly get half of the requests.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            found: tuple[str, int] = probe.getsockname()[:2]
    except (OSError, UnicodeError) as err:
        why = f'cannot listen on "{host}:{port}": {err.strerror if isinstance(err, OSError) else "no such name"}'
        raise BadInput(why, hint="--bind names another HOST:PORT") from err
    return found


def run(load: Callable[[], WSGIApplication], address: str, port: int, *, workers: int, threads: int) -> None:
    """Serve until SIGTERM or SIGINT; what is under way then is answered first.

    Each worker calls `load`, which has to be importable, and begins with `begin_worker`.
    """
    multiprocessing.set_start_method("spawn", force=True)  # a forked worker would begin with this process's memory
    Granian(
        "ordws", address=address, port=port, interface=Interfaces.WSGI, workers=workers, http=HTTPModes.http1,
        blocking_threads=threads, backpressure=8192, backlog=2048, websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=5000, max_buffer_size=16384), workers_kill_timeout=10,
        respawn_failed_workers=True, log_level=LogLevels.error, log_dictconfig=copy.deepcopy(LOGGING),
    ).serve(target_loader=load, wrap_loader=False)  # fmt: skip
