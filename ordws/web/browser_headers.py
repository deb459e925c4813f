"""What a browser says of a request: by which cookie it asks, from which page, and over what."""

from __future__ import annotations

from typing import Final
from wsgiref.types import WSGIEnvironment

from ordws.api.problems import DEVICE_COOKIE
from ordws.api.replies import HttpHeader

_TRUSTED_FETCH_SITES: Final = ("same-origin", "none")


def device_token(environ: WSGIEnvironment) -> str:
    """The cookie of a paired device, or nothing.

    Of two by that name one was put there by another host of this domain, and nobody knows which: neither is taken.
    """
    cookies = environ.get("HTTP_COOKIE")
    if not cookies:
        return ""
    pairs = [part.strip().partition("=") for part in cookies.split(";")]
    found = [value for name, _, value in pairs if name == DEVICE_COOKIE]
    return found[0] if len(found) == 1 else ""


def is_cross_site(environ: WSGIEnvironment) -> bool:
    """Whether a page of another site makes the request, by what its browser says; programs say nothing of it."""
    if environ.get("HTTP_SEC_FETCH_SITE", _TRUSTED_FETCH_SITES[0]) not in _TRUSTED_FETCH_SITES:
        return True
    origin = environ.get("HTTP_ORIGIN")
    return origin is not None and origin.partition(":")[2].lower() != f"//{environ.get('HTTP_HOST', '')}".lower()


def secure_cookie(header: HttpHeader, environ: WSGIEnvironment) -> HttpHeader:
    """A header as it is sent: a cookie that was set over TLS, here or at a proxy, is sent over nothing else again."""
    forwarded = environ.get("HTTP_X_FORWARDED_PROTO", "").partition(",")[0].strip().lower()
    if header[0] == "Set-Cookie" and "https" in (environ.get("wsgi.url_scheme"), forwarded):
        return "Set-Cookie", f"{header[1]}; Secure"
    return header
