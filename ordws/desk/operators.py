"""The desk as a client of the service: the operator's key for its on-line rounds, and the keys of directors."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from httpx import HTTPTransport, Request, Response

from ordws.client import Client, Forbidden, OrdwsClientError, Unauthorized
from ordws.errors import BadInput, Missing, StoreDown

PATIENCE_SECONDS: Final = 3.0
"""The time for which a request is repeated; the next step of the desk asks again anyway."""

_UNIX: Final = "unix:"


def read_key(path: Path) -> str:
    """Return the operator's key in a file; raise Missing or BadInput, which never repeat it."""
    try:
        key = path.read_text("utf-8").strip()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint="a file with the key of an operator alone") from err
    if not key.isprintable() or not key.startswith("ordws_"):
        raise BadInput(
            f'"{path}" holds no client key', hint="ordws clients add NAME --kind operator --scope tournament"
        )
    return key


class _SocketTransport(HTTPTransport):
    """A transport over the socket of the service, which believes there whom a request is sent for."""

    def __init__(self, path: str, address: str) -> None:
        super().__init__(uds=path, verify=False)  # no certificates are read, since a socket has no TLS
        self._address = address

    def handle_request(self, request: Request) -> Response:
        if self._address:
            request.headers["X-Forwarded-For"] = self._address
        return super().handle_request(request)


def open_client(service: str, key: str, address: str = "") -> Client:
    """Return a client of the service at a URL, or at `unix:PATH`; raise BadInput where it is neither, or no key.

    `address` is that of the browser for which the desk asks, where it asks for one.
    """
    transport = None
    if is_on_this_host(service):
        transport, service = _SocketTransport(service.removeprefix(_UNIX), address), "http://ordws"
    try:
        return Client(service, key, patience_seconds=PATIENCE_SECONDS, user_agent="ordws-desk", transport=transport)
    except ValueError as err:
        raise BadInput(str(err)) from err


def is_on_this_host(service: str) -> bool:
    """Return whether a service is named by its socket, so that players reach it as they reach the desk."""
    return service.startswith(_UNIX)


def find_operator(service: str, key: str, address: str = "") -> str | None:
    """Return the name of the verified operator of the service who has this key and may direct events.

    None for any other key; raises StoreDown where the service cannot be asked. Over a socket wrong keys count for the
    address of the browser that sent them, so that the keys of others can be asked about.
    """
    try:
        with open_client(service, key, address) as client:
            return client.event_operator()
    except (Unauthorized, Forbidden, BadInput):
        return None
    except OrdwsClientError as err:
        raise StoreDown("the word judge cannot be asked about this key now", hint="try again soon") from err
