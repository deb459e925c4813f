"""The way of a request: recognise its sender, read it, admit it, parse it, answer it, count it and log it.

All actions go this way; what is no action is a page, which Flask serves.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from time import perf_counter, time
from typing import Any, Final, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from msgspec import Struct

from ordws.api import problems
from ordws.api.actions import ACTIONS
from ordws.api.idempotency import MAX_SEAT_BYTES_PER_DAY, Caller
from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.api.requests import (
    MAX_BODY_BYTES,
    Action,
    AuthenticatedAction,
    Nothing,
    PathAndBody,
    PublicAction,
    Sent,
    bad_request,
    read_body,
    read_query,
)
from ordws.api.seat_access import SeatCaller
from ordws.api.services import Services
from ordws.api.words import caller_of
from ordws.errors import StoreDown
from ordws.logs import redact_error
from ordws.sender_limits import Kind
from ordws.web.http_replies import (
    PROBLEM_JSON,
    STATUS_LINES,
    VARY_ACCEPT,
    HttpReply,
    PageProblem,
    names_html,
    prefers,
    write_problem,
    write_reply,
)
from ordws.web.senders import Admission, Sender, Senders, device_token, is_cross_site, own_origin, seat_cookies
from ordws.web.telemetry import RefusalLabels, RequestLogger, RequestLogLine, WorkerCounts

ROUTE_TEMPLATE: Final = "ordws.route"
"""The name in the environment under which a page notes its route."""
FRONT_PAGE: Final = "/"
IDENTITY_SECONDS: Final = 0.01
"""The time for which a sender stays identified; after a longer wait, for a slot or for the body, it is done again."""

_NO_FIELDS: Final[Mapping[str, str]] = {}
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_UUID: Final = re.compile(r"[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}")
"""A caller's own request id is written to the log, so it must not be able to spell a word."""
_PLAIN_HOST: Final = re.compile(r"(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
"""A Host header that Flask is sure to accept; Flask itself decides on any other."""
_NOSNIFF: Final = ("X-Content-Type-Options", "nosniff")
# As `ordws.identity` defines them, which this folder may not import (tests/test_arrows.py).
_TEST_KEY: Final = "ordws_test_"
_TEST_DEVICE: Final = "test."
_random: Final = Random()
"""Seeded by the system in each process; a request id has to be unique, not unguessable."""
_log = logging.getLogger("ordws.api")


class _Request(NamedTuple):
    """A request that was read and has a slot."""

    environ: WSGIEnvironment
    fields: Mapping[str, str]
    """The values of the `{name}` fields of the path template."""
    sender: Sender
    body: bytes
    now: int


class Application:
    """The service as a WSGI application."""

    def __init__(
        self,
        services: Services,
        pages: WSGIApplication,
        check_host: Callable[[WSGIEnvironment], object],
        *,
        clock: Callable[[], int],
        new_id: Callable[[], str],
        log: RequestLogger,
        admission: Admission,
        counts: WorkerCounts | None,
    ) -> None:
        """`check_host` raises a Problem for a Host header that cannot be one; without `counts` nothing is counted."""
        self._services = services
        self._pages = pages
        self._check_host = check_host
        self._clock = clock
        self._new_id = new_id
        self._log = log
        self._admission = admission
        self._counts = counts
        self._senders = Senders(services)
        self._routes = _Routes(ACTIONS)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        began = perf_counter()
        given_id, method = environ.get("HTTP_X_REQUEST_ID"), environ["REQUEST_METHOD"]
        request_id = given_id if given_id and _UUID.fullmatch(given_id) else self._new_id()
        template, fields = self._routes.find(environ["PATH_INFO"])
        action = self._routes.actions.get((method, template))
        if template == FRONT_PAGE and names_html(environ):
            action = None
        problem: Problem | None = None
        fault = refusal = None
        try:
            status, headers, body = self._admit(environ, action, template, fields, began)
        except Problem as err:
            problem = err
        except StoreDown as err:
            _log.warning("nothing was looked up: %s", err)
            problem = problems.store_down()
        except Exception as err:  # noqa: BLE001 - beyond this line the server would print it, with its values
            problem = Problem("internal-error", "the fault is in the log under this request's id")
            fault = redact_error(err)
        if problem is not None:
            status, headers, body = write_problem(problem, request_id, environ)
            # A browser gets a page instead at a wrong address, and test keys and devices get problems on request.
            if PROBLEM_JSON in headers and method != "HEAD" and not _is_of_test(environ):
                refusal = RefusalLabels(problem.code, problem.budget or "")
        if action is None:
            template = environ.get(ROUTE_TEMPLATE, "-")
        elif template == FRONT_PAGE:
            headers.append(VARY_ACCEPT)
        seconds = perf_counter() - began
        if self._counts is not None:
            self._counts.count(template, status, seconds, refusal)
        logged_method = method if method in _METHODS else "other"
        self._log(RequestLogLine(request_id, logged_method, template, status, round(seconds * 1000, 3), fault))
        headers += (("X-Request-Id", request_id), _NOSNIFF)
        start_response(STATUS_LINES[status], headers)
        return [b"" if method == "HEAD" else body]

    def _admit(
        self, environ: WSGIEnvironment, action: Action | None, template: str, fields: Mapping[str, str], began: float
    ) -> HttpReply:
        """Recognise the sender, read the body, wait for a slot, and return the reply; raise a Problem or StoreDown."""
        now, path, admission = self._clock(), environ["PATH_INFO"], self._admission
        sender = self._senders.identify(environ, now)
        if (names := admission.enter(sender, path)) is None:
            raise problems.too_busy()
        try:
            body = _read_body(environ, action, sender)
            queue = admission.queue_for(path, environ.get("QUERY_STRING", ""))
            # A slot is taken after the body was read, so that slow bodies hold none.
            if not queue.acquire(sender):
                raise problems.too_busy()
            try:
                if action is None:
                    return self._show_page(environ, template)
                if not _PLAIN_HOST.fullmatch(environ.get("HTTP_HOST", "")):
                    self._check_host(environ)
                recognised = sender
                if perf_counter() > began + IDENTITY_SECONDS:
                    now = self._clock()
                    recognised = self._senders.identify(environ, now)
                reply = self._answer(action, _Request(environ, fields, recognised, body, now))
                if template.startswith("/v1/games/"):
                    self._senders.note_game(fields["id"], now)
                return write_reply(reply, action.status, environ)
            finally:
                queue.release(sender)
        finally:
            admission.leave(sender, names)

    def _show_page(self, environ: WSGIEnvironment, template: str) -> HttpReply:
        if template and template != FRONT_PAGE:
            raise self._routes.not_allowed(template)
        return _buffer_response(self._pages, environ)

    def _answer(self, action: Action, request: _Request) -> Reply:
        """Check the credential that an action needs, parse the request, and run the action."""
        services = self._services
        environ, fields, sender, body, now = request
        if isinstance(action, PublicAction):
            if action.with_own_reference is None or not services.editions.current.has_own_reference:
                return self._answer_anybody(action, request)
            action = action.with_own_reference
        if action.auth == "seat":
            return self._answer_seat(action, request)
        client = _client_for(action, environ, sender)
        parsed = _parse(action, request)
        if client.device is not None and getattr(parsed, "player", None) is not None:
            raise bad_request('"player": sent by a paired device, expected none, as it has budgets of its own')
        used, key = services.for_client(client) if client.is_test else services, environ.get("HTTP_IDEMPOTENCY_KEY")
        if key is None or not action.commits:
            return action.handler(used, client, parsed, now)
        run = partial(action.handler, used, client, parsed, now)
        return services.idempotency.run(caller_of(client), _route_name(action, fields), key, body, run, now)

    def _answer_anybody(self, action: PublicAction, request: _Request) -> Reply:
        environ, fields, sender, _, now = request
        if action.same_site_only and is_cross_site(environ):
            raise problems.cross_site()
        parsed: Any = _parse(action, request)
        if action.takes_address:
            parsed = Sent(sender.address, parsed, self._read_seat(environ, fields))
        return action.handler(self._services, parsed, now)

    def _answer_seat(self, action: AuthenticatedAction, request: _Request) -> Reply:
        """Run it for a client's key, or, where none is sent, for the cookie of a seat in the game of the path."""
        services, client, cookie = self._services, None, None
        environ, fields, sender, body, now = request
        if environ.get("HTTP_AUTHORIZATION"):
            client = _client_for(action, environ, sender)
            caller = caller_of(client)
        else:
            # A browser would send the cookie with requests from pages of other sites too.
            if is_cross_site(environ):
                raise problems.cross_site()
            cookie = self._read_seat(environ, fields)
            if cookie is None:
                raise problems.no_seat()
            # Each generation is another caller, but what is stored for them is counted for the seat.
            holder = f"{cookie.generation} "
            caller = Caller(f"seat {cookie.game} {cookie.seat}", max_bytes=MAX_SEAT_BYTES_PER_DAY, seat=holder)
        token, key = environ.get("HTTP_SEAT_TOKEN", ""), environ.get("HTTP_IDEMPOTENCY_KEY")
        seat_caller = SeatCaller(client, token, cookie, own_origin(environ), sender.address)
        parsed = _parse(action, request)
        if key is None or not action.commits:
            return action.handler(services, seat_caller, parsed, now)
        run = partial(action.handler, services, seat_caller, parsed, now)
        return services.idempotency.run(
            caller._replace(seat=caller.seat + token), _route_name(action, fields), key, body, run, now
        )

    def _read_seat(self, environ: WSGIEnvironment, fields: Mapping[str, str]) -> Any:
        return self._services.games.credentials.read_cookies(fields.get("id", ""), seat_cookies(environ))


class _Routes:
    """The actions by method and path template, and the templates that a path fits."""

    def __init__(self, actions: Mapping[tuple[str, str], Action]) -> None:
        # A HEAD is answered as the GET, without the body.
        heads = {("HEAD", path): action for (method, path), action in actions.items() if method == "GET"}
        self.actions: dict[tuple[str, str], Action] = {**actions, **heads}
        templates = dict.fromkeys([path for _, path in actions])
        self._plain = frozenset([path for path in templates if "{" not in path])
        self._with_field = [
            (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path))), path)
            for path in templates
            if "{" in path
        ]

    def find(self, path: str) -> tuple[str, Mapping[str, str]]:
        """Return the template that a path fits, empty where there is none, and the fields in it."""
        if path in self._plain:
            return path, _NO_FIELDS
        for pattern, template in self._with_field:
            if (found := pattern.fullmatch(path)) is not None:
                return template, found.groupdict()
        return "", _NO_FIELDS

    def not_allowed(self, template: str) -> PageProblem:
        methods = ", ".join(sorted([method for method, path in self.actions if path == template]))
        return PageProblem("method-not-allowed", f"this path takes {methods} alone", ("Allow", methods))


def system_clock() -> int:
    return int(time())


def new_request_id() -> str:
    """Return a random UUID, in a fifth of the time that the uuid module takes."""
    digits = f"{_random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _client_for(action: AuthenticatedAction, environ: WSGIEnvironment, sender: Sender) -> Any:
    """Return the client whose credential an action takes; raise a Problem where there is none, or it may not ask."""
    authorization = environ.get("HTTP_AUTHORIZATION", "")
    takes_key, takes_cookie = action.auth != "device", action.auth in ("device", "either")
    if takes_cookie and not authorization and device_token(environ) and is_cross_site(environ):
        # A browser would send the cookie with requests from pages of other sites too.
        raise problems.cross_site()
    client = sender.registered if (takes_key if authorization else takes_cookie) else None
    if client is None:
        if sender.fault is not None:
            raise sender.fault
        if action.auth == "device":
            raise problems.not_paired()
        raise problems.unauthorized(authorization)
    action.check_scope(client)
    return client


def _is_of_test(environ: WSGIEnvironment) -> bool:
    """Return True for test keys and devices, which get problems on request."""
    return _TEST_KEY in environ.get("HTTP_AUTHORIZATION", "") or device_token(environ).startswith(_TEST_DEVICE)


def _route_name(action: AuthenticatedAction, fields: Mapping[str, str]) -> str:
    return "/".join([action.handler.__name__, *fields.values()])


def _read_body(environ: WSGIEnvironment, action: Action | None, sender: Sender) -> bytes:
    """Read the whole body; raise a Problem where it has no length, is too large, or ends early."""
    length = environ.get("CONTENT_LENGTH", "")
    needs_length = action is not None and environ["REQUEST_METHOD"] == "POST"
    if "HTTP_TRANSFER_ENCODING" in environ or (needs_length and not length):
        raise Problem("length-required", "Content-Length: missing, expected the number of bytes in the body")
    # No page takes a body. Without a credential an action is refused whatever the body holds, so that no slow body of
    # somebody without one holds a thread.
    is_refused = isinstance(action, AuthenticatedAction) and sender.kind is Kind.STRANGER and not sender.has_seat
    if not length or action is None or is_refused:
        return b""
    if not (length.isascii() and length.isdecimal()):
        raise Problem("bad-request", "Content-Length: not a number, expected the number of bytes in the body")
    # The number of digits comes first: int() takes long for thousands of them, and refuses more.
    most = action.max_body_bytes if isinstance(action, AuthenticatedAction) else MAX_BODY_BYTES
    if len(length) > len(str(most)) or int(length) > most:
        raise Problem("too-large", f"body: too long, expected at most {most} bytes")
    expected, read = int(length), environ["wsgi.input"].read
    body: bytes = read(expected)
    while len(body) < expected:
        # An empty read is the only sign of a client that disconnected or sent a broken chunk.
        if not (part := read(expected - len(body))):
            detail = f"body: ended after {len(body)} bytes, expected the {expected} of Content-Length"
            raise Problem("short-body", detail)
        body += part
    return body


def _parse(action: Action, request: _Request) -> Struct | PathAndBody[Struct]:
    """Parse the body of a POST, whose query has to be empty, or the query, path and headers of a GET."""
    environ, fields, _, body, _ = request
    query = environ.get("QUERY_STRING", "")
    if environ["REQUEST_METHOD"] == "POST":
        if query:
            read_query(Nothing, query)
        parsed = read_body(action.request_type, environ.get("CONTENT_TYPE", ""), body)
        return PathAndBody(fields, parsed) if fields else parsed
    values: dict[str, Any] = {**fields}
    if isinstance(action, AuthenticatedAction):
        for name, header in action.headers.items():
            sent = environ.get(f"HTTP_{header.upper().replace('-', '_')}", "")
            values[name] = sent if header != "Accept" else prefers(action.other_media_type or "", sent)
    return read_query(action.request_type, query, values)


def _buffer_response(app: WSGIApplication, environ: WSGIEnvironment) -> HttpReply:
    """Run an application and return its complete response."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Callable[[bytes], object]:
        begun.append((status, headers))
        return _refuse_write

    parts = app(environ, start)
    try:
        body = b"".join(parts)
    finally:
        if (close := getattr(parts, "close", None)) is not None:
            close()
    status, headers = begun[-1]  # WSGI allows a second start, which replaces the first
    return HttpReply(int(status[:3]), headers, body)


def _refuse_write(data: bytes) -> None:
    raise TypeError("a response is returned, not written")
