"""The frame of the applications with pages for people: headers, errors, static files, turns, and who may open a view.

The curators' console, the reviewers' pages and the tournament desk are made in it.
"""

from __future__ import annotations

import hmac
import mimetypes
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from flask import Flask, Response, abort, current_app, json, render_template, request
from werkzeug.exceptions import HTTPException, ServiceUnavailable, TooManyRequests
from werkzeug.security import safe_join
from werkzeug.wrappers import Response as AnyResponse

from ordws.errors import OrdwsError
from ordws.frame.turns import MAX_BODY_BYTES, MAX_FIELDS, PageTurns, enforce_turns
from ordws.lazy_rule import LazyRule

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    # Without any referrer a form on the plain http of a hall would come without an origin, and be refused as forged.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), "
    "publickey-credentials-create=(self)",
}
CSRF_HEADER: Final = "X-CSRF-Token"
CSRF_FIELD: Final = "csrf"
_SHARED_FILES: Final = {"theme.css": "ordws.pictures", "dom.js": "ordws.frame", "icon.svg": "ordws.frame"}
"""The packages of the files that applications share; the pages of the service have the style too."""

_STATUS_TEXTS: Final = {
    404: "There is no such page.",
    413: "The file or form is too large.",
    429: "Too many wrong attempts from this address: wait a few minutes.",
    503: "Too many ask at this moment: try again in a few seconds.",
}

F = TypeVar("F", bound=Callable[..., Any])


class ErrorReply(NamedTuple):
    """An error as it is told: its status, and the `code`, `detail` and more that a script reads."""

    status: int
    body: Mapping[str, object]


def allow(*who: str) -> Callable[[F], F]:
    """Mark a view as open to these kinds of people; without any, to everybody, signed in or not."""

    def mark(view: F) -> F:
        view.allowed = who  # type: ignore[attr-defined]
        return view

    return mark


def make_frame(app: Flask, turns: PageTurns, *, forbidden: str, explain: Callable[[OrdwsError], ErrorReply]) -> None:
    """Give an application its headers, errors, static files and turns.

    `forbidden` is what a refused member reads, and `explain` says how an error of ours is told.
    """
    app.url_rule_class = LazyRule
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_PARTS=MAX_FIELDS)
    texts = {403: forbidden, **_STATUS_TEXTS}
    # Style sheets and scripts belong to the page for signing in too, so that everybody may load them.
    app.view_functions["static"] = _static_file
    enforce_turns(app, turns)
    app.after_request(_add_security_headers)
    app.register_error_handler(HTTPException, lambda error: _handle_http_error(error, texts))
    app.register_error_handler(OrdwsError, lambda error: _error_response(explain(error)))


def require_marks(app: Flask) -> None:
    """Raise TypeError where `allow` does not stand at a view, so that a forgotten mark stops the application."""
    unmarked = [name for name, view in app.view_functions.items() if not hasattr(view, "allowed")]
    if unmarked:
        raise TypeError(f"views without `allow`: {', '.join(unmarked)}")


def is_forged(token: str, own: Callable[[str], bool]) -> bool:
    """Return whether a change comes from no page of ours: judge by its headers and, in a session, by its token.

    `own` tells whether an origin is ours; `token` is that of the session, empty where there is none.
    """
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    # A browser that sends no referrer hides the origin of a form too, but names its site.
    is_own_form = origin == "null" and site == "same-origin"
    if site not in (None, "same-origin", "none") or not (origin is None or own(origin) or is_own_form):
        return True
    if not token:  # the form is not parsed: an attempt to sign in is counted before
        return False
    given = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    return not hmac.compare_digest(given.encode(), token.encode())


def set_cookie(response: AnyResponse, name: str, value: str, seconds: int, *, is_secure: bool) -> None:
    """Set a cookie that no script can read and that no other site's page sends along."""
    response.set_cookie(name, value, max_age=seconds, secure=is_secure, httponly=True, samesite="Strict")


def wants_json() -> bool:
    """Return whether a script of ours sent this request, which reads JSON."""
    return request.path.startswith("/api/") or request.accept_mimetypes.best == "application/json"


def refusal_page(detail: str, status: int) -> Response:
    return Response(render_template("refused.html", detail=detail, back=request.referrer), status)


@allow()
def _static_file(filename: str) -> Response:
    """Send a static file of the application, or one that applications share."""
    folder = str(files(_SHARED_FILES[filename])) if filename in _SHARED_FILES else current_app.static_folder
    path = safe_join(folder or "", filename)
    if path is None or not Path(path).is_file():
        abort(404)
    # The files are small, and an open one would be left behind where a browser goes away in the middle.
    response = Response(Path(path).read_bytes(), mimetype=mimetypes.guess_type(filename)[0])
    response.add_etag()
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response


def _add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        # A view may set a stricter policy of its own, as the pictures do.
        response.headers.setdefault(name, value)
    # Pages show words, votes and names, which no cache may keep.
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response


def _handle_http_error(error: HTTPException, texts: Mapping[int, str]) -> Response:
    """Answer an error of Flask's as a page or, for a script, as JSON; the reply repeats nothing of the request."""
    code = error.code or 500
    body = {"code": error.name.lower().replace(" ", "-"), "detail": texts.get(code, f"{error.name}.")}
    response = _error_response(ErrorReply(code, body))
    if isinstance(error, TooManyRequests | ServiceUnavailable) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _error_response(fault: ErrorReply) -> Response:
    if wants_json():
        return Response(json.dumps(fault.body), fault.status, content_type="application/json")
    return refusal_page(f"{fault.body['detail']} {fault.body.get('hint', '')}".strip(), fault.status)
