"""The processes of the service: what nobody may look into, and the server that runs them."""

from __future__ import annotations

import copy
import faulthandler
import logging
import multiprocessing
import re
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final
from wsgiref.types import WSGIApplication

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from ordws.desk.wiring import Desk
from ordws.errors import BadInput, OrdwsError
from ordws.hardening import die_with_parent
from ordws.hardening import harden as close_process
from ordws.service.counts import Counts
from ordws.service.door_flask import MOST_IN_FLIGHT, create_app
from ordws.service.logs import LOGGING, redact_uncaught
from ordws.service.metrics import Counted

_log = logging.getLogger("ordws.service")
_THREADS: Final = MOST_IN_FLIGHT + 16  # so that there is always one left to say that there are too many


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


def leave_stopping_to_the_main_process() -> None:
    """A worker does not stop at Ctrl-C, which would cut its requests off, and does not outlive the main process."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the server would put a handler of its own over ours
    if (main := multiprocessing.parent_process()) is not None and main.pid is not None:
        die_with_parent(main.pid)


def check(open_desk: Callable[[], Desk]) -> str:
    """The name of the edition that would be served; raises what would keep the workers from answering."""
    desk = open_desk()
    create_app(desk)
    desk.register.check()
    desk.register.close()
    return desk.shelf.current.name


def load(open_desk: Callable[[], Desk], counts: Counts) -> WSGIApplication:
    """The application of one worker, which opens everything itself and counts its requests."""
    try:
        harden()
        leave_stopping_to_the_main_process()
        desk = open_desk()
        app = create_app(desk)
    except OrdwsError as err:
        sys.exit(f"ordws: error: {err}")
    _log.info("a worker begins with edition %d", desk.shelf.current.number)
    return Counted(app.wsgi_app, counts.take_row(lambda: desk.shelf.current.number))


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


def serve(open_desk: Callable[[], Desk], address: str, port: int, workers: int, counts: Counts) -> None:
    """Serve until SIGTERM or SIGINT; what is under way then is answered first."""
    multiprocessing.set_start_method("spawn", force=True)  # a forked worker would begin with this process's memory
    Granian(
        "ordws", address=address, port=port, interface=Interfaces.WSGI, workers=workers, http=HTTPModes.http1,
        blocking_threads=_THREADS, backpressure=8192, backlog=2048, websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=5000, max_buffer_size=16384), workers_kill_timeout=10,
        respawn_failed_workers=True, log_level=LogLevels.error, log_dictconfig=copy.deepcopy(LOGGING),
    ).serve(target_loader=partial(load, open_desk, counts), wrap_loader=False)  # fmt: skip
