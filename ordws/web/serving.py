"""The service as it runs: its WSGI application, with the Flask application of its pages, and its processes.

A main process starts workers, each of which opens everything itself.
"""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final, NamedTuple, NoReturn
from wsgiref.types import WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map

from ordws import server
from ordws.api.problems import Problem, ProblemCode
from ordws.api.seat_access import stream_origin
from ordws.api.services import Services
from ordws.errors import BadInput, OrdwsError
from ordws.lazy_rule import LazyRule
from ordws.logs import redact_error
from ordws.process_setup import tune_gc
from ordws.public_register import HallFile
from ordws.web import openapi
from ordws.web.application import FRONT_PAGE, ROUTE_TEMPLATE, Application, new_request_id, system_clock
from ordws.web.http_replies import PageProblem
from ordws.web.pages import site
from ordws.web.senders import THREADS, Admission, own_origin
from ordws.web.telemetry import RequestCounts, RequestLogger, WorkerCounts, choose_logger, log_request

_OWN: Final = "connect-src 'self'"
_OPENAPI_PATH: Final = "/openapi.json"
Clock = Callable[[], int]


@cache
def _routes() -> Map:
    """Return the routes, which are the same for every service of a process; the endpoint is the path's template."""
    paths = (_OPENAPI_PATH, FRONT_PAGE, *site.PATHS, site.GAME_PAGE)
    rules = [LazyRule(path.replace("{", "<").replace("}", ">"), endpoint=path, methods=["GET"]) for path in paths]
    return Map(rules, merge_slashes=False)  # otherwise "//" is answered by a redirect in HTML


def create_app(
    services: Services,
    *,
    clock: Clock = system_clock,
    new_id: Callable[[], str] = new_request_id,
    log: RequestLogger = log_request,
    admission: Admission | None = None,
    counts: WorkerCounts | None = None,
) -> Flask:
    """Return the service; `counts` counts its requests."""
    app = Flask("ordws", static_folder=None)  # otherwise Flask adds a route for static files
    app.url_map = _routes()
    if app.debug:
        raise BadInput("the service does not run in debug mode, which shows values", hint="unset FLASK_DEBUG")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to Application, which writes no values of them
    openapi_headers = (("Content-Type", "application/json"), ("Cache-Control", "no-cache"))
    _add_view(app, _OPENAPI_PATH, lambda: Response(openapi.document(), 200, openapi_headers))
    _add_view(app, FRONT_PAGE, _show_front)
    for path in site.PATHS:
        show = (
            partial(_show_hall, services.hall) if path == site.HALL else partial(_show_page, path, services.stream_port)
        )
        _add_view(app, path, show)
    _add_view(app, site.GAME_PAGE, partial(_show_page, "/play", services.stream_port))
    app.register_error_handler(HTTPException, _raise_problem)
    app.wsgi_app = Application(  # type: ignore[method-assign]
        services,
        app.wsgi_app,
        partial(_check_host, app),
        clock=clock,
        new_id=new_id,
        log=log,
        admission=admission or Admission.to(services),
        counts=counts,
    )
    return app


def _add_view(app: Flask, path: str, respond: Callable[[], Response]) -> None:
    """Add the view of a page, which notes the route's template in the environment, for the log and the counts."""

    def view(**_: str) -> Response:
        request.environ[ROUTE_TEMPLATE] = path
        return respond()

    # Flask would answer OPTIONS itself for a route of its own; here it gets a 405 like every method that a route lacks.
    app.view_functions[path] = view


def _show_front() -> Response:
    """Return the front page; programs get the action at its address."""
    response = _show_page(FRONT_PAGE)
    response.vary.add("Accept")
    return response


def _show_page(path: str, stream_port: int | None = None) -> Response:
    given = request.args if path in site.RULES else {}
    repeated = [name for name in given if len(request.args.getlist(name)) > 1]
    find_file = site.compressed_file if request.accept_encodings.quality("gzip") > 0 else site.site_file
    if repeated:
        raise PageProblem("unknown-option", f'"{repeated[0]}" is given twice')
    try:
        headers, body, _ = site.changed_rules_page(path, *sorted(given.items())) if given else find_file(path)
    except Problem as problem:
        raise PageProblem(problem.code, problem.detail) from problem
    response = _conditional_response(headers, body)
    stream = stream_origin(own_origin(request.environ), stream_port) if path == "/play" else None
    if stream is not None:
        policy = response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = policy.replace(_OWN, f"{_OWN} {stream}")
    return response


def _show_hall(hall: HallFile) -> Response:
    is_compressed = request.accept_encodings.quality("gzip") > 0
    headers, body, _ = site.hall_page(hall.read(), has_no_case=hall.has_no_case(), is_compressed=is_compressed)
    return _conditional_response(headers, body)


def _conditional_response(headers: tuple[tuple[str, str], ...], body: bytes) -> Response:
    """Return a page; 304 where the browser's copy has the same ETag."""
    response = Response(body, 200, headers)
    response.vary.add("Accept-Encoding")
    response.make_conditional(request)
    return response


def _check_host(app: Flask, environ: WSGIEnvironment) -> None:
    """Raise a problem for a Host header that Flask refuses."""
    try:
        app.create_url_adapter(app.request_class(environ))
    except HTTPException as error:
        _raise_problem(error)


def _raise_problem(error: HTTPException) -> NoReturn:
    """Turn a refusal of Flask itself into a problem."""
    allow = [(name, value) for name, value in error.get_headers() if name == "Allow"]
    refusals: dict[int | None, tuple[ProblemCode, str]] = {
        404: ("not-found", "there is no such path; /openapi.json names all of them"),
        405: ("method-not-allowed", f"this path takes {' and '.join([value for _, value in allow])} alone"),
    }
    # Of what Flask refuses for another reason than these, a Host header that cannot be one is the only kind.
    code, detail = refusals.get(error.code, ("bad-request", "Host: got no host name, expected the service's own"))
    raise PageProblem(code, detail, *allow)


_log = logging.getLogger("ordws.web")


class StartupCheck(NamedTuple):
    """The name of the edition that would be served, and what was lost of the edition mark, None if nothing was."""

    edition: str
    fault: str | None


def check_startup(open_services: Callable[[], Services]) -> StartupCheck:
    """Open and close all services; raise the error that would keep workers from answering."""
    # The main process starts a failing worker again and again, so a lasting error has to be found before.
    services = open_services()
    create_app(services)
    services.register.check()
    services.register.close()
    return StartupCheck(services.editions.current.name, services.editions.fault)


def load_app(open_services: Callable[[], Services], counts: RequestCounts) -> WSGIApplication:
    """Return the application of one worker, which opens all services itself and counts its requests."""
    try:
        server.init_worker()
        services = open_services()
        admission = Admission.to(services)
        row = counts.claim_row()
        app = create_app(services, log=choose_logger(), admission=admission, counts=row)
    except OrdwsError as err:
        sys.exit(f"ordws: error: {err}")
    tune_gc()  # after everything is loaded, for it freezes the objects that exist now
    _log.info("a worker begins with edition %d", services.editions.current.number)
    threading.Thread(target=_keep_house, args=(services, admission, row), name="housekeeping", daemon=True).start()
    return app.wsgi_app


def _keep_house(services: Services, admission: Admission, row: WorkerCounts) -> None:
    """Once a second do what is due beside requests, for as long as the worker lives."""
    while True:
        try:
            services.housekeeping.run(system_clock())
            row.note(services.editions.current.number, admission.under_way)
        except Exception as error:  # noqa: BLE001 - without this thread new editions and alarms would go unnoticed
            _log.error("fault", extra={"fields": {"fault": redact_error(error)}})
        time.sleep(1 - time.time() % 1)


def serve_on_sockets(
    open_services: Callable[[], Services], listeners: Sequence[socket.socket], workers: int, counts: RequestCounts
) -> None:
    """Serve on sockets that listen already until SIGTERM or SIGINT; requests under way are answered first."""
    server.run_on_sockets(partial(load_app, open_services, counts), listeners, workers=workers, threads=THREADS)
