"""The rows of sealed games: append-only, encrypted, each bound to its game and number (docs/guard.md Decision 11)."""

from __future__ import annotations

from typing import Protocol

from ordws.referee.stores.news import SeatHandover


class GameStore(Protocol):
    """A store of rows. Each method is atomic and exact across threads, processes and hosts, or raises StoreDown.

    A row that `open` or `append` has returned from is durable.
    """

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0. The id must be new."""

    def append(self, game: str, number: int, row: bytes, taken: SeatHandover | None = None) -> bytes:
        """Append a row unless its number is taken, and return the row that now has the number.

        `taken` is the seat that the row gives to another browser; the store tells its news without the games key.
        Raises StoreDown if the row before it is not there, as when the game was swept meanwhile.
        """

    def rows(self, game: str, now: int) -> list[bytes]:
        """Return all rows of a game, its header first; none if it is unknown or has expired."""

    def expired(self, now: int) -> list[str]:
        """Return the games that the next sweep deletes; `rows` has them for a moment before their end."""

    def editions(self, now: int) -> frozenset[int]:
        """Return the numbers of the editions of all games that have not expired."""

    def sweep(self, now: int) -> int:
        """Delete games that expired an hour ago and return their number; other hosts may have slower clocks."""

    def close(self) -> None:
        """Close the connections or files; the next call opens them again."""
