"""Replies and problems over HTTP: their status, headers and cookies, and the media type that a caller accepts."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias
from wsgiref.types import WSGIEnvironment

from ordws.api.problems import DEVICE_COOKIE, PROBLEMS, Problem, ProblemCode, write_details
from ordws.api.replies import Cookie, Reply
from ordws.web.pages import site
from ordws.web.senders import is_over_tls

HttpHeader: TypeAlias = tuple[str, str]
STATUS_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}
VARY_ACCEPT: Final = ("Vary", "Accept")
_JSON: Final = ("Content-Type", "application/json")
_TEXT: Final = ("Content-Type", "text/plain; charset=utf-8")
PROBLEM_JSON: Final = ("Content-Type", "application/problem+json")
_PRIVATE: Final = ("Cache-Control", "no-store")
_PUBLIC: Final = ("Cache-Control", "public, max-age=86400")
_HEADERS_OF_JSON: Final = (_JSON, _PRIVATE)
_CHALLENGES: Final[dict[ProblemCode, str]] = {
    "unauthorized": "Bearer",
    "not-paired": f'Cookie cookie-name="{DEVICE_COOKIE}"',
}
_Q_VALUE: Final = re.compile(r"[01](\.[0-9]{0,3})?", re.ASCII)


class HttpReply(NamedTuple):
    """A complete reply, so that nothing can fail after its status has been sent."""

    status: int
    headers: list[HttpHeader]
    body: bytes


class PageProblem(Problem):
    """A problem of an address or a page, which a browser gets as a page."""

    def __init__(self, code: ProblemCode, detail: str, *headers: HttpHeader) -> None:
        super().__init__(code, detail)
        self.headers = headers


def write_reply(reply: Reply, status: int, environ: WSGIEnvironment) -> HttpReply:
    """Return the reply of an action; over TLS, here or at a proxy, its cookie is Secure."""
    body, cookie, is_public, is_text, is_repeated = reply
    headers = [*_HEADERS_OF_JSON, ("Content-Length", str(len(body)))]
    if is_text:
        headers[0] = _TEXT
    if is_public:
        headers[1] = _PUBLIC
    if cookie is not None:
        headers.insert(2, ("Set-Cookie", _write_cookie(cookie, environ)))
    if is_repeated:
        headers.insert(2, ("Idempotent-Replayed", "true"))
    return HttpReply(status, headers, body)


def write_problem(problem: Problem, request_id: str, environ: WSGIEnvironment) -> HttpReply:
    """Return a problem as a document or, of an address or a page, for a browser as a page."""
    status, details = PROBLEMS[problem.code][0], write_details(problem, request_id)
    headers = [PROBLEM_JSON, _PRIVATE]
    if isinstance(problem, PageProblem):
        if names_html(environ) and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            page_headers, details, _ = site.error_page(problem.code)
            headers = [*page_headers]
        headers += [*problem.headers, VARY_ACCEPT]
    if (challenge := _CHALLENGES.get(problem.code)) is not None:
        headers.append(("WWW-Authenticate", challenge))
    if problem.retry_after is not None:
        headers.append(("Retry-After", str(problem.retry_after)))
    return HttpReply(status, [*headers, ("Content-Length", str(len(details)))], details)


def names_html(environ: WSGIEnvironment) -> bool:
    """Return True for a browser: programs do not accept HTML by name."""
    return "text/html" in environ.get("HTTP_ACCEPT", "")


def prefers(media_type: str, accept: str) -> bool:
    """Return True where an Accept header weighs a media type higher than JSON (RFC 9110, 12.5.1)."""
    kind = f"{media_type.partition('/')[0]}/*"
    weights = {"*/*": 0.0, "application/*": 0.0, "application/json": 0.0, kind: 0.0, media_type: 0.0}
    for part in accept.lower().split(","):
        named, *parameters = [item.strip() for item in part.split(";")]
        if named in weights:
            # A malformed weight counts as 1, and so does any other parameter.
            q_values = [
                float(value) if name == "q" and _Q_VALUE.fullmatch(value) else 1.0
                for name, _, value in (item.partition("=") for item in parameters)
            ]
            weights[named] = max(weights[named], *q_values) if q_values else 1.0
    json_weight = max(weights["*/*"], weights["application/*"], weights["application/json"])
    return max(weights[kind], weights[media_type]) > json_weight


def _write_cookie(cookie: Cookie, environ: WSGIEnvironment) -> str:
    name, value, seconds, path, same_site = cookie
    attributes = f"Max-Age={seconds}; Path={path}; HttpOnly; SameSite={same_site}"
    return f"{name}={value}; {attributes}{'; Secure' if is_over_tls(environ) else ''}"
