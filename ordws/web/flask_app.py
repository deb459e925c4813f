"""The service as a WSGI application, and the Flask application of its pages and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final, NoReturn
from wsgiref.types import WSGIEnvironment

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map

from ordws.api.problems import Problem, ProblemCode
from ordws.api.services import Services
from ordws.api.stream_tickets import stream_origin
from ordws.errors import BadInput
from ordws.lazy_rule import LazyRule
from ordws.public_register import HallFile
from ordws.web import openapi
from ordws.web.application import FRONT_PAGE, ROUTE_TEMPLATE, Application, new_request_id, system_clock
from ordws.web.http_replies import PageProblem
from ordws.web.pages import site
from ordws.web.senders import Admission, own_origin
from ordws.web.telemetry import RequestLogger, WorkerCounts, log_request

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
