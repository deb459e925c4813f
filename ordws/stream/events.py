"""The messages of a stream, as server-sent events."""

from __future__ import annotations

from typing import Final

HEARTBEAT: Final = b":\n\n"
REPLACED: Final = b"event: replaced\ndata: {}\n\n"


def retry_event(milliseconds: int) -> bytes:
    """Return the hint after how long a browser opens a stream again that was cut."""
    return b"retry: %d\n\n" % milliseconds


def row_event(row: int) -> bytes:
    """Return the event that a game has this number of rows; it is the same for every seat."""
    return b'event: row\ndata: {"row": %d}\n\n' % row


def nonce_event(nonce: str) -> bytes:
    """Return the event with the signed time at which a seat was told of a row."""
    return b'event: nonce\ndata: {"nonce": "%b"}\n\n' % nonce.encode()
