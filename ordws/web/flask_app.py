"""The Flask application: a view for every action, the OpenAPI document, its reference, and the pages."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NoReturn

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from ordws.api import problems
from ordws.api.action import Action
from ordws.api.actions import ACTIONS
from ordws.api.dispatch import dispatch
from ordws.api.hall import HallFile
from ordws.api.problems import PROBLEMS, Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.services import Services
from ordws.api.stream_tickets import stream_origin
from ordws.errors import BadInput
from ordws.web import openapi
from ordws.web.admission import Admission
from ordws.web.browser_headers import own_origin
from ordws.web.fast_app import FastApp
from ordws.web.middleware import RequestMiddleware, new_request_id
from ordws.web.pages import site
from ordws.web.request_log import RequestLogger, log_request
from ordws.web.senders import identify_sender
from ordws.web.wsgi import REQUEST_ID, ROUTE_TEMPLATE, finish_reply, read_request

_OWN: Final = "connect-src 'self'"
Clock = Callable[[], int]


def system_clock() -> int:
    return int(time.time())


class _MatchedRule(Rule):
    """A route that is matched and never built: pages name their own addresses.

    werkzeug compiles two builders of addresses for each route: most of the time in which the application is made.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., Any]:
        def build(rule: Rule, **values: object) -> NoReturn:
            raise NotImplementedError("addresses of the service are not built from routes")

        return build


def create_app(
    services: Services,
    *,
    clock: Clock = system_clock,
    new_id: Callable[[], str] = new_request_id,
    log: RequestLogger = log_request,
    admission: Admission | None = None,
    fast: bool = True,
) -> Flask:
    """Return the service as a WSGI application; without `fast` all requests go through Flask, with the same replies."""
    app = Flask("ordws", static_folder=None)  # otherwise Flask adds a route for static files
    app.url_rule_class = _MatchedRule
    if app.debug:
        raise BadInput("the service does not run in debug mode, which shows values", hint="unset FLASK_DEBUG")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to RequestMiddleware, which writes no values of them
    app.url_map.merge_slashes = False  # otherwise "//" is answered by a redirect in HTML

    def run_action(action: Action) -> Response:
        raw_request = read_request(request.environ, request.view_args or {})
        return _to_response(finish_reply(dispatch(services, action, raw_request, clock()), request.environ))

    for (method, path), action in ACTIONS.items():
        view = partial(_enter, partial(run_action, action)) if path == site.FRONT_PAGE else partial(run_action, action)
        _add_route(app, method, path, view)
    openapi_headers = (("Content-Type", "application/json"), ("Cache-Control", "no-cache"))
    openapi_reply = Reply(200, openapi_headers, openapi.document())
    _add_route(app, "GET", "/openapi.json", partial(_to_response, openapi_reply))
    for path in site.PATHS:
        show = (
            partial(_show_hall, services.hall) if path == site.HALL else partial(_show_page, path, services.stream_port)
        )
        _add_route(app, "GET", path, show)
    _add_route(app, "GET", site.GAME_PAGE, partial(_show_page, "/play", services.stream_port))
    app.register_error_handler(HTTPException, _to_problem)
    inner = FastApp(services, app.wsgi_app, clock) if fast else app.wsgi_app
    middleware = RequestMiddleware(
        inner,
        log=log,
        new_id=new_id,
        admission=admission or (Admission.over_redis() if services.is_shared else Admission()),
        identify=lambda environ: identify_sender(services, environ, clock()),
    )
    app.wsgi_app = middleware  # type: ignore[method-assign]
    return app


def _add_route(app: Flask, method: str, path: str, respond: Callable[[], Response]) -> None:
    """Register a view that notes the route's template in the environment, for the log and the counts."""

    def view(**_: str) -> Response:
        request.environ[ROUTE_TEMPLATE] = path
        return respond()

    rule = path.replace("{", "<").replace("}", ">")
    # Flask would answer OPTIONS itself; it gets a 405 like every method that a route does not have.
    app.add_url_rule(rule, f"{method} {path}", view, methods=[method], provide_automatic_options=False)


def _enter(run_action: Callable[[], Response]) -> Response:
    """Return the front page where the Accept header names HTML, and otherwise the JSON that programs get."""
    response = _show_page(site.FRONT_PAGE) if _names_html() else run_action()
    response.vary.add("Accept")
    return response


def _show_page(path: str, stream_port: int | None = None) -> Response:
    given = request.args if path in site.RULES else {}
    repeated = [name for name in given if len(request.args.getlist(name)) > 1]
    find_file = site.compressed_file if request.accept_encodings.quality("gzip") > 0 else site.site_file
    try:
        if repeated:
            raise Problem("unknown-option", f'"{repeated[0]}" is given twice')
        headers, body, _ = site.changed_rules_page(path, dict(given)) if given else find_file(path)
    except Problem as problem:
        return _refuse(problem)
    response = _to_response(Reply(200, headers, body))
    stream = stream_origin(own_origin(request.environ), stream_port) if path == "/play" else None
    if stream is not None:
        policy = response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = policy.replace(_OWN, f"{_OWN} {stream}")
    response.vary.add("Accept-Encoding")
    response.make_conditional(request)  # 304 where the browser's copy has the same ETag
    return response


def _show_hall(hall: HallFile) -> Response:
    is_compressed = request.accept_encodings.quality("gzip") > 0
    headers, body, _ = site.hall_page(hall.read(), is_compressed=is_compressed)
    response = _to_response(Reply(200, headers, body))
    response.vary.add("Accept-Encoding")
    response.make_conditional(request)
    return response


def _to_problem(error: HTTPException) -> Response:
    """Turn a refusal of Flask itself into a problem document, or, for a browser, into a page."""
    allow = [(name, value) for name, value in error.get_headers() if name == "Allow"]
    refusals: dict[int | None, tuple[ProblemCode, str]] = {
        404: ("not-found", "there is no such path; /openapi.json names all of them"),
        405: ("method-not-allowed", f"this path takes {' and '.join([value for _, value in allow])} alone"),
    }
    # Of what Flask refuses for another reason than these, a Host header that cannot be one is the only kind.
    code, detail = refusals.get(error.code, ("bad-request", "Host: got no host name, expected the service's own"))
    return _refuse(Problem(code, detail, *allow))


def _refuse(problem: Problem) -> Response:
    """Return a problem as a document, or, for a browser, as a page."""
    if _names_html() and request.method in ("GET", "HEAD"):
        headers, body, _ = site.error_page(problem.code)
        response = _to_response(Reply(PROBLEMS[problem.code][0], (*headers, *problem.headers), body))
    else:
        response = _to_response(problems.to_reply(problem, request.environ[REQUEST_ID]))
    response.vary.add("Accept")
    return response


def _names_html() -> bool:
    """Return True for a browser: programs do not accept HTML by name."""
    return "text/html" in request.headers.get("Accept", "")


def _to_response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, reply.headers)
