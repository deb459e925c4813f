"""The door that HTTP comes in by: every route of the table as a Flask view."""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from ordws.api import problems
from ordws.api.actions import ACTIONS, Action, dispatch
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.services import Services
from ordws.errors import BadInput
from ordws.web import api_docs, openapi
from ordws.web.admission import MAX_CONCURRENT, MAX_CONCURRENT_SHARED, Admission
from ordws.web.fast_app import FastApp
from ordws.web.middleware import RequestMiddleware, new_request_id
from ordws.web.pages import site
from ordws.web.request_log import RequestLogger, log_request
from ordws.web.wsgi import REQUEST_ID, ROUTE_TEMPLATE, finish_reply, read_request

Clock = Callable[[], int]


def system_clock() -> int:
    return int(time.time())


def create_app(
    services: Services,
    *,
    clock: Clock = system_clock,
    new_id: Callable[[], str] = new_request_id,
    log: RequestLogger = log_request,
    admission: Admission | None = None,
    fast: bool = True,
) -> Flask:
    """The service, as a WSGI application; without the fast door where `fast` is false, which nobody can tell."""
    app = Flask("ordws", static_folder=None)
    if app.debug:
        raise BadInput("the service does not run in debug mode, which shows values", hint="unset FLASK_DEBUG")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to the outermost layer, which tells nobody what was in them
    app.url_map.merge_slashes = False  # or "//" would be answered by a redirect in HTML
    for (method, path), action in ACTIONS.items():
        view = _action_view(services, action, clock)
        _add_route(app, method, path, _negotiate_entrance(view) if path == site.ENTRANCE else view)
    _add_route(app, "GET", "/openapi.json", _openapi_view(openapi.document()))
    for path in api_docs.PATHS:
        _add_route(app, "GET", path, _docs_view(path))
    for path in site.PATHS:
        _add_route(app, "GET", path, _page_view(path))
    app.register_error_handler(HTTPException, _to_problem)
    doors = FastApp(services, app.wsgi_app, clock) if fast else app.wsgi_app
    admission = admission or Admission(MAX_CONCURRENT_SHARED if services.is_shared else MAX_CONCURRENT)
    layer = RequestMiddleware(doors, log=log, new_id=new_id, admission=admission)
    app.wsgi_app = layer  # type: ignore[method-assign]
    return app


def _add_route(app: Flask, method: str, path: str, respond: Callable[[], Response]) -> None:
    def view(**_: str) -> Response:
        request.environ[ROUTE_TEMPLATE] = path
        return respond()

    rule = path.replace("{", "<").replace("}", ">")
    app.add_url_rule(rule, f"{method} {path}", view, methods=[method], provide_automatic_options=False)


def _action_view(services: Services, action: Action, clock: Clock) -> Callable[[], Response]:
    def send() -> Response:
        environ = request.environ
        call = read_request(environ, request.view_args or {})
        return _to_response(finish_reply(dispatch(services, action, call, clock()), environ))

    return send


def _openapi_view(body: bytes) -> Callable[[], Response]:
    headers = (("Content-Type", "application/json"), ("Cache-Control", "no-cache"))
    return lambda: _to_response(Reply(200, headers, body))


def _docs_view(path: str) -> Callable[[], Response]:
    return lambda: _to_response(Reply(200, *api_docs.docs_file(path)))


def _page_view(path: str) -> Callable[[], Response]:
    def send() -> Response:
        headers, body, _ = site.site_file(path)
        response = _to_response(Reply(200, headers, body))
        response.make_conditional(request)
        return response

    return send


def _negotiate_entrance(view: Callable[[], Response]) -> Callable[[], Response]:
    """The entrance is a page where HTML is asked for by name, and else what programs get."""
    page = _page_view(site.ENTRANCE)

    def send() -> Response:
        response = (page if "text/html" in request.headers.get("Accept", "") else view)()
        response.vary.add("Accept")
        return response

    return send


def _to_problem(error: HTTPException) -> Response:
    """Flask's own refusals in our words."""
    refusals: dict[int | None, tuple[ProblemCode, str]] = {
        404: ("not-found", "there is no such path; /openapi.json names all of them"),
        405: ("method-not-allowed", "this path takes another method, see Allow"),
    }
    code, detail = refusals.get(error.code, ("bad-request", "the request is malformed"))
    allow = [(name, value) for name, value in error.get_headers() if name == "Allow"]
    return _to_response(problems.to_reply(Problem(code, detail, *allow), request.environ[REQUEST_ID]))


def _to_response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, reply.headers)
