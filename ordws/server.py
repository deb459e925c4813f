"""How our servers run: nobody may look into the process, and the server in front of a WSGI application.

The main process holds every listening socket, so that what waits in a queue is not lost with a worker. Where the socket
was handed over, by systemd, it is not lost with the whole program either, and waits for the next one.
"""

from __future__ import annotations

import copy
import errno
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
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from ordws.hardening import die_with_parent
from ordws.hardening import protect_memory as close_process
from ordws.logs import LOGGING_CONFIG, redact_uncaught

BACKLOG: Final = 2048
"""Connections that may wait to be accepted; the kernel's net.core.somaxconn may make it fewer."""

MAX_CONNECTIONS: Final = 16_384
"""How many a worker holds at once, idle ones included; with half as many ten thousand idle ones shut all others out."""

KILL_SECONDS: Final = 10
"""How long a worker may take to stop; then it is killed."""

_DRAIN_SECONDS: Final = 1.0
_POLL_SECONDS: Final = 0.05
_SD_LISTEN_FDS_START: Final = 3  # sd_listen_fds(3): SD_LISTEN_FDS_START
_EPOLL_LINK: Final = Path("anon_inode:[eventpoll]")


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


def resolve_address(host: str, port: int) -> tuple[str, int]:
    """The numeric address and the port that will be listened on; raises where that is not possible."""
    with listen(host, port)[0] as probe:
        found: tuple[str, int] = probe.getsockname()[:2]
    return found


def listen(host: str, port: int, count: int = 1) -> list[socket.socket]:
    """So many sockets that listen there, over which the kernel spreads connections; raises where somebody else does.

    With one for all workers, whoever wakes first would accept all connections of a burst, and keep them.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:  # another server would quietly get its share
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            address = probe.getsockname()
        return [_bind_and_listen(_share_port(socket.socket(family, kind, protocol)), address) for _ in range(count)]
    except (OSError, UnicodeError) as err:
        why = f'cannot listen on "{host}:{port}": {err.strerror if isinstance(err, OSError) else "no such name"}'
        raise BadInput(why, hint="--bind names another HOST:PORT") from err


def _share_port(listener: socket.socket) -> socket.socket:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return listener


def listen_unix(path: Path) -> socket.socket:
    """A Unix socket that its owner and its group may connect to; one that nobody listens on any more makes way."""
    try:
        if path.is_socket() and not _has_listener(path):
            path.unlink()
        listener = _bind_and_listen(socket.socket(socket.AF_UNIX), str(path))
        path.chmod(0o660)
    except OSError as err:
        why = err.strerror or str(err)  # a path that is too long has no number
        raise BadInput(f'cannot listen on "unix:{path}": {why}', hint="--bind names another PATH") from err
    return listener


def _bind_and_listen(listener: socket.socket, address: Any) -> socket.socket:
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _has_listener(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) not in (errno.ECONNREFUSED, errno.ENOENT)


def take_systemd_socket(environ: Mapping[str, str]) -> socket.socket | None:
    """The listening socket that systemd hands to this very process, or None. (sd_listen_fds(3))"""
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    if (count := environ.get("LISTEN_FDS")) != "1":
        raise BadInput(f'LISTEN_FDS is "{count}", and one socket is served', hint="one ListenStream= in ordws.socket")
    try:
        listener = socket.socket(fileno=_SD_LISTEN_FDS_START)
        if not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            raise OSError(errno.EINVAL, "it does not listen")
        listener.set_inheritable(False)
    except OSError as err:
        raise BadInput(f"the socket that was handed over cannot be served: {err.strerror}") from err
    return listener


def run(load: Callable[[], WSGIApplication], address: str, port: int, *, workers: int, threads: int) -> None:
    """Listen there and serve until SIGTERM or SIGINT."""
    run_on_sockets(load, listen(address, port, workers), workers=workers, threads=threads)


def run_on_sockets(
    load: Callable[[], WSGIApplication], listeners: Sequence[socket.socket], *, workers: int, threads: int
) -> None:
    """Serve until SIGTERM or SIGINT; what is under way then is answered first. SIGHUP begins every worker anew.

    Each worker calls `load`, which has to be importable, and begins with `begin_worker`.
    """
    multiprocessing.set_start_method("spawn", force=True)  # a forked worker would begin with this process's memory
    for listener in listeners:
        if listener.family != socket.AF_UNIX:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each connection takes it from here
    _Server(
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
    ).serve(target_loader=partial(_load_application, load), wrap_loader=False)


class _Server(Granian):  # type: ignore[misc, valid-type]
    """Serves from sockets that listen already, where the original has each worker listen by itself."""

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


class _SocketHandover:
    """The listening socket on its way to a worker, where it becomes what the server takes."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener

    def __reduce__(self) -> tuple[Any, ...]:
        return _receive_socket, (reduction.DupFd(self._listener.fileno()), self._listener.family == socket.AF_UNIX)


def _receive_socket(file: Any, is_unix: bool) -> SocketHolder:
    _worker.listener = file.detach()
    return SocketHolder(_worker.listener, is_unix, BACKLOG)  # type: ignore[call-arg]


def init_worker() -> None:
    """Close a worker too; it stops as `_Worker` says, not by Ctrl-C, and does not outlive the main process."""
    harden()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a closed terminal tells all of them, and the main process sees to it
    # Blocked in all threads, for the server puts handlers of its own over ours.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    threading.Thread(target=_worker.stop_on_sigterm, name="end", daemon=True).start()
    if (main := multiprocessing.parent_process()) is not None and main.pid is not None:
        die_with_parent(main.pid)


class _Worker:
    """How a worker stops without dropping a request.

    The server by itself closes, with no answer, a connection that it accepted a moment ago, and an idle one on which a
    request is on its way. So a worker first lets go of the listening socket, whose queue is the next one's, then closes
    each connection with its next answer, and only after that lets the server stop.
    """

    def __init__(self) -> None:
        self.listener = -1
        self.is_draining = False

    def stop_on_sigterm(self) -> None:
        """Stop this worker at SIGTERM."""
        signal.sigwait({signal.SIGTERM})
        stop = signal.getsignal(signal.SIGTERM)
        if not callable(stop):
            os._exit(0)  # it has not begun to serve
        place = _local_address(self.listener)
        self._stop_accepting()
        self.is_draining = True
        until = time.monotonic() + _DRAIN_SECONDS
        time.sleep(_POLL_SECONDS)  # for a connection that was accepted just now
        while time.monotonic() < until and any(_local_address(number) == place for number in _open_descriptors()):
            time.sleep(_POLL_SECONDS)
        while True:  # in its first moments the server overhears it
            stop(signal.SIGTERM, None)
            time.sleep(_POLL_SECONDS)

    def _stop_accepting(self) -> None:
        """Have the server told of no new connection, and able to accept none."""
        for number in _open_descriptors():
            with suppress(OSError):
                if Path(f"/proc/self/fd/{number}").readlink() == _EPOLL_LINK:
                    with closing(select.epoll.fromfd(os.dup(number))) as events:
                        events.unregister(self.listener)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, self.listener)  # the number stays taken, for the server will close it
        os.close(nothing)


_worker: Final = _Worker()


def _open_descriptors() -> list[int]:
    return [int(path.name) for path in Path("/proc/self/fd").iterdir()] if sys.platform == "linux" else []


def _local_address(descriptor: int) -> object:
    """What a connection has in common with the socket that accepted it, the path or the port; None for other files."""
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            return None
        with socket.socket(fileno=os.dup(descriptor)) as at:
            return at.getsockname() if at.family == socket.AF_UNIX else (at.family, at.getsockname()[1])
    except OSError:
        return None  # it was closed meanwhile


def _load_application(load: Callable[[], WSGIApplication]) -> WSGIApplication:
    """The application of a worker, whose answers close their connections once the worker leaves."""
    inner = load()

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not _worker.is_draining:
            return inner(environ, start_response)

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            return start_response(status, [*headers, ("Connection", "close")], exc_info)

        return inner(environ, start)

    return application
