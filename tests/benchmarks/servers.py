"""The servers that are measured, each in processes of its own, with the same settings of the same server.

One of them is `ordws serve` as it is. A server without a meter answers everybody: its action knows no client and
charges nothing, while all else is the service's own.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import clock_gettime_ns, monotonic, sleep
from typing import Final
from wsgiref.types import WSGIApplication

from free_ports import free_port
from service_process import ORDWS_COMMAND

from ordws import server
from ordws.api import replies
from ordws.api.actions import ACTIONS
from ordws.api.replies import Reply, Verdict
from ordws.api.requests import PublicAction
from ordws.api.services import Services, open_services
from ordws.api.verdicts import are_acceptable
from ordws.api.words import JudgeWords, fold_all, rule_set
from ordws.instance import Instance
from ordws.web.senders import THREADS, Admission
from ordws.web.serving import create_app
from ordws.web.telemetry import RequestCounts
from tests.benchmarks.baselines import bare_wsgi, flask_limiter

ROOT: Final = Path(__file__).parents[2]
TIMEOUT_SECONDS: Final = 60
_CPU_CLOCK: Final = 2
"""The clock of another process in nanoseconds, ended threads included, as in clock_getcpuclockid(3)."""


@dataclass(frozen=True)
class ServerProcess:
    """A server that answers on a port, and its processes."""

    port: int
    processes: tuple[int, ...]

    def cpu_nanoseconds(self) -> int:
        """Return the nanoseconds of processor time, user and system, that its processes have taken so far."""
        return sum([clock_gettime_ns(~pid << 3 | _CPU_CLOCK) for pid in self.processes])


def load_bare(_: Path) -> WSGIApplication:
    return bare_wsgi.app


def load_limited(folder: Path) -> WSGIApplication:
    return flask_limiter.make_app((folder / "words").read_text().split()).wsgi_app


def load_limited_over_redis(folder: Path) -> WSGIApplication:
    words, storage = (folder / "words").read_text().split(), (folder / "redis").read_text()
    return flask_limiter.make_app(words, storage).wsgi_app


def load_unmetered(folder: Path) -> WSGIApplication:
    """Return the whole service without identity, price and meter."""
    _disable_metering()
    return _counted(folder)


def load_refusing(folder: Path) -> WSGIApplication:
    """Return the service without room for any request: everything gets 503."""
    return _counted(folder, Admission(0, 0, 0.0))


LOADERS: Final[dict[str, Callable[[Path], WSGIApplication]]] = {
    "bare": load_bare,
    "limited": load_limited,
    "limited-over-redis": load_limited_over_redis,
    "unmetered": load_unmetered,
    "refusing": load_refusing,
}


def load(name: str, folder: Path) -> WSGIApplication:
    server.init_worker()
    return LOADERS[name](folder)


def serve(name: str, folder: str, port: int, workers: int, threads: int) -> None:
    """Serve one of these applications until SIGTERM."""
    server.run(partial(load, name, Path(folder)), "127.0.0.1", port, workers=workers, threads=threads)


def _counted(folder: Path, admission: Admission | None = None) -> WSGIApplication:
    services = open_services(Instance(folder))
    return create_app(services, admission=admission, counts=RequestCounts.create(1).claim_row()).wsgi_app


def _disable_metering() -> None:
    ACTIONS["POST", "/v1/judge"] = PublicAction(handler=_judge_unmetered, request_type=JudgeWords, reply_type=Verdict)


def _judge_unmetered(services: Services, request: JudgeWords, now: int) -> Reply:
    """Return the answer to a question as if it had been admitted."""
    rules, edition = rule_set(request.rules), services.editions.current
    return replies.verdict(are_acceptable(edition, rules, fold_all(request.words)))


@contextmanager
def run_server(
    name: str, folder: Path, *, core: int | None = None, workers: int = 1, threads: int = THREADS
) -> Iterator[ServerProcess]:
    """Run a server of that name, or the service itself, over a folder, on one core if one is given."""
    port = free_port()
    code = f"from tests.benchmarks.servers import serve; serve{name, str(folder), port, workers, threads}"
    arguments = ["-c", code]
    if name == "service":
        where = (
            "--bind",
            f"127.0.0.1:{port}",
            "--metrics",
            "off",
            "--stream",
            "off",
            "--computer",
            "off",
            "--instance",
            str(folder),
        )
        arguments = [*ORDWS_COMMAND, "serve", "--workers", str(workers), *where]
    with (folder.parent / f"{folder.name}-{name}.log").open("ab") as log, pin_to_core(core):
        process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=log, stderr=log)
    try:
        _wait_until_ready(port, process)
        yield ServerProcess(port, tuple(_process_tree(process.pid)))
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


@contextmanager
def pin_to_core(core: int | None) -> Iterator[None]:
    """Keep this process, and those that it starts within the block, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before if core is None else {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until anything is answered: the port accepts connections before there is a worker."""
    deadline = monotonic() + TIMEOUT_SECONDS
    while process.poll() is None and monotonic() < deadline:
        with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) as asking:
            asking.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            if asking.recv(1):
                return
        sleep(0.05)
    raise RuntimeError(f"no server came up on port {port}: {process.args!r}")


def _process_tree(pid: int) -> Iterator[int]:
    """Return a process and all that descend from it."""
    yield pid
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            yield from _process_tree(int(stat.parent.name))
