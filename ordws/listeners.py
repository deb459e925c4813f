"""Listening sockets: our own, on an address or a Unix path, and the one that systemd hands over."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from ordws.errors import BadInput

BACKLOG: Final = 2048
"""The number of connections that may wait to be accepted; the kernel's net.core.somaxconn may lower it."""

_SD_LISTEN_FDS_START: Final = 3  # sd_listen_fds(3): SD_LISTEN_FDS_START


def resolve_address(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and the port that `listen` would listen on; raise BadInput where it could not."""
    with listen(host, port)[0] as probe:
        address: tuple[str, int] = probe.getsockname()[:2]
    return address


def is_loopback(address: str) -> bool:
    """Return True for the address in a browser that this machine alone can open."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def reachable_host(address: str) -> str:
    """Return what other machines call this one: the address itself, or for 0.0.0.0 and :: that of the way out."""
    if not ip_address(address).is_unspecified:
        return address
    is_6 = ":" in address
    with socket.socket(socket.AF_INET6 if is_6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only chooses the own address, here on the way to TEST-NET-1.
            probe.connect(("2001:db8::1" if is_6 else "192.0.2.1", 9))
        except OSError:  # no network
            return socket.gethostname()
        return str(probe.getsockname()[0])


def listen(host: str, port: int, count: int = 1) -> list[socket.socket]:
    """Return `count` sockets that listen on one address; raise BadInput where another program listens there.

    The kernel spreads connections over the sockets. With a single socket for all workers, the worker that wakes first
    would accept all connections of a burst, and keep them.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # With SO_REUSEPORT at once, another server on this port would go unnoticed and get a share of the connections.
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            address = probe.getsockname()
        listeners = []
        for _ in range(count):
            listener = socket.socket(family, kind, protocol)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            listeners.append(_bind_and_listen(listener, address))
        return listeners
    except (OSError, UnicodeError) as err:
        why = f'cannot listen on "{host}:{port}": {err.strerror if isinstance(err, OSError) else "no such name"}'
        raise BadInput(why, hint="--bind names another HOST:PORT") from err


def listen_unix(path: Path) -> socket.socket:
    """Listen on a Unix socket that its owner and its group may connect to; replace one that nobody listens on."""
    try:
        if path.is_socket():
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(str(path)) in (errno.ECONNREFUSED, errno.ENOENT):
                    path.unlink()
        listener = _bind_and_listen(socket.socket(socket.AF_UNIX), str(path))
        path.chmod(0o660)
    except OSError as err:
        why = err.strerror or str(err)  # the error for a path that is too long has no errno
        raise BadInput(f'cannot listen on "unix:{path}": {why}', hint="--bind names another PATH") from err
    return listener


def _bind_and_listen(listener: socket.socket, address: Any) -> socket.socket:
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def take_systemd_socket(environ: Mapping[str, str]) -> socket.socket | None:
    """Return the listening socket that systemd passes to this process, or None (sd_listen_fds(3))."""
    # A child would inherit the variables, and not the socket.
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    if (count := environ.get("LISTEN_FDS")) != "1":
        raise BadInput(f'LISTEN_FDS is "{count}", and one socket is served', hint="one ListenStream= in ordws.socket")
    try:
        listener = socket.socket(fileno=_SD_LISTEN_FDS_START)
        if not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            raise OSError(errno.EINVAL, "it does not listen")
        listener.set_inheritable(False)
    except OSError as err:
        raise BadInput(f"the socket that was handed over cannot be served: {err.strerror}") from err
    return listener
