"""Notices from the workers of a host to a process beside them: a datagram for each row that was stored."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ordws.errors import BadInput
from ordws.referee.stores.news import RowStored

_MOST_BYTES: Final = 256
_MOST_AT_ONCE: Final = 200
_MOST_PATH_BYTES: Final = 107


class DatagramNotifier:
    """A sender of notices. One that cannot be sent at once is left out: the process looks for itself soon."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, row: RowStored) -> None:
        # A socket for each, in a hundredth of the time of a commit, so that forked and ended workers leave none behind.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            with _short_address(self._path) as address:
                sender.sendto(row.encode(), address)


class DatagramReceiver:
    """The end at which the process reads them, a socket in the folder of the installation."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.socket = _bind(path)

    def read(self) -> list[RowStored]:
        """Return the notices that have come, without waiting for any."""
        rows = []
        for _ in range(_MOST_AT_ONCE):
            try:
                message = self.socket.recv(_MOST_BYTES)
            except BlockingIOError:
                break
            if (row := RowStored.decode(message)) is not None:
                rows.append(row)
        return rows

    def close(self) -> None:
        self.socket.close()
        self._path.unlink(missing_ok=True)


@contextmanager
def _short_address(path: Path) -> Iterator[str]:
    """Lend the address of a Unix socket, also where its path is longer than an address may be."""
    if len(os.fsencode(path)) <= _MOST_PATH_BYTES:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def require_no_receiver(path: Path) -> None:
    """Raise BadInput where another process of the installation reads these notices."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe, _short_address(path) as address:
        if probe.connect_ex(address) == 0:
            name = path.parent.name
            raise BadInput(
                f'another {name} process runs on "{path.parent.parent}"',
                hint=f"stop it, or the ordws serve that started it, first; --{name} off starts none",
            )


def _bind(path: Path) -> socket.socket:
    """Open the socket in place of one that nobody reads any more; raise BadInput where another process reads it."""
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with _short_address(path) as address:
            require_no_receiver(path)
            path.unlink(missing_ok=True)
            receiver.bind(address)
        path.chmod(0o600)
        receiver.setblocking(False)
    except OSError as err:
        receiver.close()
        raise BadInput(f'cannot listen on "{path}": {err.strerror or err}') from err
    except BadInput:
        receiver.close()
        raise
    return receiver
