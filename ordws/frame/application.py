"""The frame of the applications with pages for people: headers, errors, static files, turns, and who may open a view.

The curators' console, the reviewers' pages and the tournament desk are made in it.

The body of a request is read before it waits for its turn, so that slow bodies hold none, and few of one address are
read at once. A page waits in one queue, where senders take turns. A costly check of a password waits in another, where
few may wait, so that no flood of attempts keeps a page waiting. An attempt is counted before its check, and taken back
where the reply shows that it was right or was not checked.
"""

from __future__ import annotations

import hmac
import mimetypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from flask import Flask, Response, abort, current_app, g, json, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, ServiceUnavailable, TooManyRequests
from werkzeug.security import safe_join
from werkzeug.wrappers import Response as AnyResponse

from ordws.errors import OrdwsError
from ordws.lazy_rule import LazyRule
from ordws.sender_limits import MAX_REFUSALS, HeldThreads, Kind, RateLimiter, SlotQueue, network_of

MAX_PAGES: Final = 8
"""The pages that are made at once; their threads compete for one interpreter."""
MAX_WAITING_PAGES: Final = 96
"""The pages that wait; half of them of one sender."""
PATIENCE_SECONDS: Final = 10.0
MAX_WAITING_CHECKS: Final = 4
"""The checks of passwords that wait; half of them of one address. One takes a tenth of a second and 64 MiB."""
RETRY_SECONDS: Final = 2

MAX_BODY_BYTES: Final = 16 * 1024
"""The body of somebody who is not signed in: what a form costs to parse grows with it."""
MAX_MEMBERS_BODY_BYTES: Final = 64 * 1024
"""The body of somebody who is signed in. A view may take more, from those who may use it (`takes_body`)."""
MAX_FIELDS: Final = 500
"""The fields of a form."""
MAX_READ: Final = 80
"""The bodies that are read at once."""
MAX_READ_OF_STRANGERS: Final = 64
MAX_READ_OF_ADDRESS: Final = 16
MAX_READ_OF_ONE: Final = 8
"""Those of one that is signed in, or of one device from which somebody has signed in before."""
_WRONG: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.GONE)
"""The statuses of a wrong password, key, code or link."""


class PageSender(NamedTuple):
    """The sender of a page's request: whoever is signed in, or else an address."""

    name: str
    kind: Kind = Kind.STRANGER
    address: str = ""


class PageTurns:
    """The queues of one application, and its counts of attempts by kind and address."""

    def __init__(self, clock: Callable[[], int], max_attempts: int = MAX_REFUSALS) -> None:
        """Allow `max_attempts` wrong attempts of each kind from one address in ten minutes."""
        self.clock, self.max_attempts = clock, max_attempts
        self.pages = SlotQueue(MAX_PAGES, MAX_WAITING_PAGES, PATIENCE_SECONDS, most_of_one=MAX_PAGES // 2)
        self.reading = HeldThreads(
            MAX_READ, of_strangers=MAX_READ_OF_STRANGERS, of_one=MAX_READ_OF_ONE, of_address=MAX_READ_OF_ADDRESS
        )
        # Known devices wait apart, so that no flood of strangers takes their places. Each queue checks one at a time.
        self.checks = {is_known: SlotQueue(1, MAX_WAITING_CHECKS, PATIENCE_SECONDS) for is_known in (False, True)}
        self._attempts: dict[str, RateLimiter] = {}

    def count(self, kind: str, address: str) -> Callable[[], None]:
        """Count an attempt of a kind, and return how it is taken back; raises TooManyRequests beyond the limit."""
        limiter, now = self._attempts.setdefault(kind, RateLimiter(self.max_attempts)), self.clock()
        if wait := limiter.acquire(address, now):
            raise TooManyRequests(retry_after=wait)
        return lambda: limiter.forgive(address, now)


def enforce_turns(app: Flask, turns: PageTurns) -> None:
    """Give back the turn of each request when it has been answered, and take back an attempt that was not wrong."""
    app.extensions["turns"] = turns
    app.after_request(_take_back_attempt)
    app.teardown_request(lambda _: end_turn())


def checks_password(view: F) -> F:
    """Mark a view that makes a costly check: a flood of its requests takes no place of its address's other pages."""
    view.is_costly = True  # type: ignore[attr-defined]
    return view


def takes_body(most: int) -> Callable[[F], F]:
    """Mark a view whose form, of those who may use it, has so many bytes at most."""

    def mark(view: F) -> F:
        view.max_body_bytes = most  # type: ignore[attr-defined]
        return view

    return mark


def begin_turn(holder: str, view: object, *, may_use: bool, find_device: Callable[[], str]) -> None:
    """Read the body, and wait until it is this request's turn; raises ServiceUnavailable where too many wait.

    `holder` is who is signed in, and `may_use` says whether they may use the view. `find_device` returns the name of
    the device, empty where nobody has signed in from it.
    """
    request.max_content_length = MAX_MEMBERS_BODY_BYTES if holder else MAX_BODY_BYTES
    if may_use:
        request.max_content_length = getattr(view, "max_body_bytes", request.max_content_length)
    # Where the view needs a session and there is none, the request is refused whatever the body holds.
    if request.method not in ("GET", "HEAD") and (holder or may_use) and view is not None:
        _read_body(holder or find_device())
    kind = "checks of" if hasattr(view, "is_costly") else "address"
    sender = PageSender(holder or f"{kind} {sender_address()}")
    if not _turns().pages.acquire(sender):
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    g.turn = sender


def _read_body(known: str) -> None:
    """Read the whole body, beside few of the same sender; `known` names one that does not count by its address."""
    if not request.content_length and "Transfer-Encoding" not in request.headers:
        return
    reading, sender = _turns().reading, PageSender(known, Kind.KNOWN if known else Kind.STRANGER, sender_address())
    if (names := reading.enter(sender)) is None:
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    try:
        body = request.get_data()
    finally:
        reading.leave(sender, names)
    # The parser limits the parts of a form with files alone.
    if request.mimetype == "application/x-www-form-urlencoded" and body.count(b"&") >= MAX_FIELDS:
        raise RequestEntityTooLarge


def end_turn() -> None:
    """Let the next page have its turn, where this request still has one."""
    if (sender := g.pop("turn", None)) is not None:
        _turns().pages.release(sender)


def count_attempt(kind: str, *, is_known: bool = False) -> None:
    """Count an attempt to sign in against the address of this request; raises TooManyRequests beyond the limit.

    A known device is exempt: others may share its address.
    """
    if not is_known:
        g.attempt = _turns().count(kind, sender_address())


@contextmanager
def costly_check(*, is_known: bool = False) -> Iterator[None]:
    """Wait for a costly check of this request, apart from pages; raises ServiceUnavailable where too many wait."""
    end_turn()
    queue, sender = _turns().checks[is_known], PageSender(sender_address())
    if not queue.acquire(sender):
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    try:
        yield
    finally:
        queue.release(sender)


def sender_address() -> str:
    """Return the address of this request as it counts."""
    return network_of(request.remote_addr or "")


def _take_back_attempt(response: Response) -> Response:
    take_back = g.pop("attempt", None)
    if take_back is not None and response.status_code not in _WRONG:
        take_back()
    return response


def _turns() -> PageTurns:
    turns: PageTurns = current_app.extensions["turns"]
    return turns


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
"""The packages of the files that applications share; the pages of the service have the style and the elements too."""

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
