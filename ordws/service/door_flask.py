"""The door that HTTP comes in by: every route of the table as a Flask view."""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from ordws.desk import problems
from ordws.desk.actions import ACTIONS, Action, answer
from ordws.desk.problems import Code, Problem
from ordws.desk.replies import Reply
from ordws.desk.wiring import Services
from ordws.errors import BadInput
from ordws.service import openapi, reference
from ordws.service.calls import REQUEST_ID, ROUTE, read_call, sent
from ordws.service.door_fast import FastDoor
from ordws.service.logs import Log, log_request
from ordws.service.outermost import Outermost, new_id
from ordws.service.pages import site
from ordws.service.places import AT_ONCE, AT_ONCE_SHARED, Rooms

Clock = Callable[[], int]


def clock() -> int:
    return int(time.time())


def create_app(
    services: Services,
    *,
    clock: Clock = clock,
    new_id: Callable[[], str] = new_id,
    log: Log = log_request,
    rooms: Rooms | None = None,
    fast: bool = True,
) -> Flask:
    """The service, as a WSGI application; without the fast door where `fast` is false, which nobody can tell."""
    app = Flask("ordws", static_folder=None)
    if app.debug:
        raise BadInput("the service does not run in debug mode, which shows values", hint="unset FLASK_DEBUG")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to the outermost layer, which tells nobody what was in them
    app.url_map.merge_slashes = False  # or "//" would be answered by a redirect in HTML
    for (method, path), action in ACTIONS.items():
        view = _view(services, action, clock)
        _add(app, method, path, _for_browsers(view) if path == site.ENTRANCE else view)
    _add(app, "GET", "/openapi.json", _document(openapi.document()))
    for path in reference.PATHS:
        _add(app, "GET", path, _reference(path))
    for path in site.PATHS:
        _add(app, "GET", path, _page(path))
    app.register_error_handler(HTTPException, _refuse)
    doors = FastDoor(services, app.wsgi_app, clock) if fast else app.wsgi_app
    rooms = rooms or Rooms(AT_ONCE_SHARED if services.is_shared else AT_ONCE)
    layer = Outermost(doors, log=log, new_id=new_id, rooms=rooms)
    app.wsgi_app = layer  # type: ignore[method-assign]
    return app


def _add(app: Flask, method: str, path: str, send: Callable[[], Response]) -> None:
    def view(**_: str) -> Response:
        request.environ[ROUTE] = path
        return send()

    rule = path.replace("{", "<").replace("}", ">")
    app.add_url_rule(rule, f"{method} {path}", view, methods=[method], provide_automatic_options=False)


def _view(services: Services, action: Action, clock: Clock) -> Callable[[], Response]:
    def send() -> Response:
        environ = request.environ
        call = read_call(environ, request.view_args or {})
        return _response(sent(answer(services, action, call, clock()), environ))

    return send


def _document(body: bytes) -> Callable[[], Response]:
    headers = (("Content-Type", "application/json"), ("Cache-Control", "no-cache"))
    return lambda: _response(Reply(200, headers, body))


def _reference(path: str) -> Callable[[], Response]:
    return lambda: _response(Reply(200, *reference.page(path)))


def _page(path: str) -> Callable[[], Response]:
    def send() -> Response:
        headers, body, _ = site.file(path)
        response = _response(Reply(200, headers, body))
        response.make_conditional(request)
        return response

    return send


def _for_browsers(view: Callable[[], Response]) -> Callable[[], Response]:
    """The entrance is a page where HTML is asked for by name, and else what programs get."""
    page = _page(site.ENTRANCE)

    def send() -> Response:
        response = (page if "text/html" in request.headers.get("Accept", "") else view)()
        response.vary.add("Accept")
        return response

    return send


def _refuse(error: HTTPException) -> Response:
    """Flask's own refusals in our words."""
    refusals: dict[int | None, tuple[Code, str]] = {
        404: ("not-found", "there is no such path; /openapi.json names all of them"),
        405: ("method-not-allowed", "this path takes another method, see Allow"),
    }
    code, detail = refusals.get(error.code, ("bad-request", "the request is malformed"))
    allow = [(name, value) for name, value in error.get_headers() if name == "Allow"]
    return _response(problems.told(Problem(code, detail, *allow), request.environ[REQUEST_ID]))


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, reply.headers)
