"""The headers that browsers add to a request: its cookies, the site of its page, and whether it came over TLS."""

from __future__ import annotations

from typing import Final
from wsgiref.types import WSGIEnvironment

from ordws.api.problems import DEVICE_COOKIE
from ordws.api.seat_access import SEAT_COOKIE

_TRUSTED_FETCH_SITES: Final = ("same-origin", "none")  # "none": no page made the request, as for a typed address


def device_token(environ: WSGIEnvironment) -> str:
    """Return the cookie of a paired device, or an empty string where there is none, or more than one.

    A second cookie of this name was set by another host of the domain, and the order does not tell which.
    """
    tokens = _cookies(environ, DEVICE_COOKIE)
    return tokens[0] if len(tokens) == 1 else ""


def seat_cookies(environ: WSGIEnvironment) -> tuple[str, ...]:
    """Return the cookies of seats, of which the service can tell its own."""
    return _cookies(environ, SEAT_COOKIE)


def _cookies(environ: WSGIEnvironment, wanted: str) -> tuple[str, ...]:
    cookies = environ.get("HTTP_COOKIE")
    if not cookies:
        return ()
    pairs = [part.strip().partition("=") for part in cookies.split(";")]
    return tuple([value for name, _, value in pairs if name == wanted])


def is_cross_site(environ: WSGIEnvironment) -> bool:
    """Return True where the browser says that a page of another site sends the request; programs say nothing."""
    if environ.get("HTTP_SEC_FETCH_SITE", _TRUSTED_FETCH_SITES[0]) not in _TRUSTED_FETCH_SITES:
        return True
    # The scheme is not compared: behind a proxy that ends TLS it is https for the browser and http here.
    origin = environ.get("HTTP_ORIGIN")
    return origin is not None and origin.partition(":")[2].lower() != f"//{environ.get('HTTP_HOST', '')}".lower()


def is_over_tls(environ: WSGIEnvironment) -> bool:
    """Return True where the request came over TLS, here or at a proxy."""
    forwarded = environ.get("HTTP_X_FORWARDED_PROTO", "").partition(",")[0].strip().lower()
    return "https" in (environ.get("wsgi.url_scheme"), forwarded)


def own_origin(environ: WSGIEnvironment) -> str:
    """Return the origin at which the sender reaches the service, as its Host header says."""
    return f"{'https' if is_over_tls(environ) else 'http'}://{environ.get('HTTP_HOST', '')}"
