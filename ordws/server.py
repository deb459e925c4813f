"""The WSGI server of all our services: granian by its public interface, but for two things that lose no request.

The main process holds every listening socket, so that connections waiting in a queue are not lost with a worker; one
that systemd passed outlives the program too. And a worker drains before it stops (docs/decisions.md).
Private parts of granian are in `_Server` and `_SocketHandover` alone; tests/test_server_granian.py names every one.
"""

from __future__ import annotations

import copy
import faulthandler
import multiprocessing
import os
import re
import select
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import partial
from multiprocessing import reduction
from pathlib import Path
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketHolder  # type: ignore[attr-defined]

from ordws.errors import BadInput
from ordws.listeners import BACKLOG, listen
from ordws.logs import LOGGING_CONFIG, redact_uncaught
from ordws.process_setup import die_with_parent, protect_memory

MAX_CONNECTIONS: Final = 16_384
"""The number of connections that a worker holds at once, idle ones included.

With half as many, ten thousand idle connections shut out all others.
"""

KILL_SECONDS: Final = 10
"""The time that a worker may take to stop before it is killed."""

_DRAIN_SECONDS: Final = 1.0
_POLL_SECONDS: Final = 0.05
_EPOLL_LINK: Final = Path("anon_inode:[eventpoll]")


def harden() -> None:
    """Keep the memory of this process from others: no core file, no dump, no debugger, no values in tracebacks.

    Raises BadInput where a debugger or tracer is attached already; later ones are kept out.
    """
    is_traced = sys.gettrace() is not None
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text("ascii", "replace")
        tracer = re.search(r"^TracerPid:\t([0-9]+)$", status, re.MULTILINE)  # the id of a gdb or strace
        is_traced |= tracer is not None and tracer[1] != "0"
    if is_traced:
        raise BadInput("the service does not run under a debugger or a tracer")
    faulthandler.disable()
    redact_uncaught()
    protect_memory()


def run(load: Callable[[], WSGIApplication], address: str, port: int, *, workers: int, threads: int) -> None:
    """Listen on a TCP address and serve there until SIGTERM or SIGINT."""
    run_on_sockets(load, listen(address, port, workers), workers=workers, threads=threads)


def run_on_sockets(
    load: Callable[[], WSGIApplication], listeners: Sequence[socket.socket], *, workers: int, threads: int
) -> None:
    """Serve until SIGTERM or SIGINT, and answer the requests under way before returning; SIGHUP restarts every worker.

    Each worker calls `load`, which has to be importable and to begin with `init_worker`. A worker that ends is
    replaced; where its successor ends within seconds too, the process ends with status 1 and a message, and a
    supervisor starts it again.
    """
    # A forked worker would begin with a copy of this process's memory.
    multiprocessing.set_start_method("spawn", force=True)
    for listener in listeners:
        if listener.family != socket.AF_UNIX:
            # Accepted connections inherit the option; without it a reply waits for the client's delayed ACK.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    granian = _Server(
        "ordws",
        interface=Interfaces.WSGI,
        workers=workers,
        http=HTTPModes.http1,
        listeners=listeners,
        blocking_threads=threads,
        backpressure=MAX_CONNECTIONS,
        backlog=BACKLOG,
        websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=5000, max_buffer_size=16384),
        workers_kill_timeout=KILL_SECONDS,
        respawn_failed_workers=True,
        respawn_interval=2.0,
        log_level=LogLevels.error,
        log_dictconfig=copy.deepcopy(LOGGING_CONFIG),
    )
    with suppress(SystemExit):  # with which granian tells of a worker that was killed while the service ended
        granian.serve(target_loader=partial(_load_application, load), wrap_loader=False)
    if not granian.interrupt_signal:
        sys.exit("ordws: error: a worker ended, and so did its successor, within seconds; the lines above say why")


class _Server(Granian):  # type: ignore[misc, valid-type]
    """A Granian server over sockets that listen already, where the original listens by itself."""

    def __init__(self, *settings: Any, listeners: Sequence[socket.socket], **more: Any) -> None:
        super().__init__(*settings, **more)
        self._listeners = listeners

    def _init_shared_socket(self) -> None:
        self._ssp = self._sso = None

    def _spawn_worker(self, idx: int, *settings: Any, **more: Any) -> Any:
        self._shd = _SocketHandover(self._listeners[idx % len(self._listeners)])
        return super()._spawn_worker(idx, *settings, **more)

    def _drop_shared_socket(self) -> None:
        for listener in self._listeners:
            listener.close()

    def signal_handler_interrupt(self, *_: object) -> None:
        # A second signal may come while the first one is handled, and would wait for the lock of its event for ever:
        # make sends one to a child that a signal to the whole group has reached as well.
        if not self.interrupt_signal:
            super().signal_handler_interrupt()


class _SocketHandover:
    """A listening socket that is pickled for a spawned worker, where it becomes granian's SocketHolder."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener

    def __reduce__(self) -> tuple[Any, ...]:
        return _receive_socket, (reduction.DupFd(self._listener.fileno()), self._listener.family == socket.AF_UNIX)


def _receive_socket(file: Any, is_unix: bool) -> SocketHolder:
    _worker.listener = file.detach()
    return SocketHolder(_worker.listener, is_unix, BACKLOG)  # type: ignore[call-arg]


def init_worker() -> None:
    """Harden a worker, have it stop as `_stop_on_sigterm` describes, and bind its life to the main process.

    To be called before anything is imported that starts threads, as numpy does: a thread started earlier would take
    the SIGTERM that the worker waits for.
    """
    harden()
    # A closed terminal sends SIGHUP to all processes; the main process alone acts on it.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # A handler of ours would be replaced by granian's, so the signals are blocked and a thread waits for them.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    threading.Thread(target=_stop_on_sigterm, name="end", daemon=True).start()
    if (main := multiprocessing.parent_process()) is not None and main.pid is not None:
        die_with_parent(main.pid)


class _Worker:
    """A worker's listening socket, and whether the worker stops."""

    listener = -1
    is_draining = False


_worker: Final = _Worker()


def _stop_on_sigterm() -> None:
    """Wait for SIGTERM, then stop granian without dropping a request.

    Granian by itself closes, without an answer, a connection that it accepted a moment ago and an idle connection on
    which a request is arriving. So a worker first stops accepting, which leaves the queue to the next worker, then
    closes each connection with its next reply, and only then lets granian stop.
    """
    signal.sigwait({signal.SIGTERM})
    stop = signal.getsignal(signal.SIGTERM)
    if not callable(stop):
        os._exit(0)  # granian has not installed its handler: nothing is served yet
    address = _local_address(_worker.listener)
    # Take the listening socket out of granian's event loops, which then learn of no new connection.
    for descriptor in _open_descriptors():
        with suppress(OSError):  # a descriptor closed meanwhile, or an epoll that never held the listener
            if Path(f"/proc/self/fd/{descriptor}").readlink() == _EPOLL_LINK:
                with closing(select.epoll.fromfd(os.dup(descriptor))) as events:
                    events.unregister(_worker.listener)
    # Put a socket in its place on which nothing comes: granian may be about to register the number, and will close it.
    idle, other_end = socket.socketpair()
    os.dup2(idle.fileno(), _worker.listener)
    _worker.is_draining = True
    deadline = time.monotonic() + _DRAIN_SECONDS
    time.sleep(_POLL_SECONDS)  # for a connection that was accepted just now and has no descriptor of its own yet
    while time.monotonic() < deadline and any(_local_address(fd) == address for fd in _open_descriptors()):
        time.sleep(_POLL_SECONDS)
    while other_end:  # granian misses a signal that comes in the first moments of its serving
        stop(signal.SIGTERM, None)
        time.sleep(_POLL_SECONDS)


def _open_descriptors() -> list[int]:
    return [int(path.name) for path in Path("/proc/self/fd").iterdir()] if sys.platform == "linux" else []


def _local_address(descriptor: int) -> object:
    """Return what a connection shares with the socket that accepted it, the path or the port; None for other files."""
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            return None
        with socket.socket(fileno=os.dup(descriptor)) as end:
            return end.getsockname() if end.family == socket.AF_UNIX else (end.family, end.getsockname()[1])
    except OSError:
        return None  # the descriptor was closed meanwhile


def _load_application(load: Callable[[], WSGIApplication]) -> WSGIApplication:
    """Return the application of a worker, wrapped so that replies close their connections while the worker drains."""
    inner = load()

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not _worker.is_draining:
            return inner(environ, start_response)

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            return start_response(status, [*headers, ("Connection", "close")], exc_info)

        return inner(environ, start)

    return application
