"""The servers that are measured, each in processes of its own, with the same settings of the same server.

One of them is `ordws serve` as it is. A server without a meter answers everybody: its action knows no client and
charges nothing, while all else is the service's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final
from wsgiref.types import WSGIApplication

from free_ports import free_port
from http_replies import status_of
from service_process import serve_command

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
from tests.processes import RunningServer, server_process


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
) -> Iterator[RunningServer]:
    """Run a server of that name, or the service itself, over a folder, on one core if one is given."""
    port = free_port()
    code = f"from tests.benchmarks.servers import serve; serve{name, str(folder), port, workers, threads}"
    arguments = ["-c", code]
    if name == "service":
        options = ("--bind", f"127.0.0.1:{port}", "--metrics", "off", "--workers", str(workers))
        arguments = serve_command(folder, *options)
    # Anything is answered as soon as there is a worker; the port accepts connections before.
    with server_process(
        [sys.executable, *arguments],
        folder.parent / f"{folder.name}-{name}.log",
        lambda: status_of(port, "/", method="POST"),
        core=core,
    ) as process:
        yield RunningServer(port, process.pid)
