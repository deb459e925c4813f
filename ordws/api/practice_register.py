"""The register of practice: the games against the program that run at this host, and whether the program is there."""

from __future__ import annotations

import base64
import hmac
from pathlib import Path
from typing import Final, Literal, NamedTuple

from ordws.database import Store
from ordws.retention import DAY
from ordws.row_cipher import RowCipher

CREDENTIAL_PREFIX: Final = "ordws_computer_"
PRESENT_SECONDS: Final = 15
"""The time for which the program counts as running after it has asked for turns; it asks every few seconds."""
_NOTE_SECONDS: Final = 2


class RegisteredGame(NamedTuple):
    """A game that was opened at this host, and when."""

    game: str
    at: int


class PracticeRegister(Store):
    """The games against the program of one host, by keyed hashes of the addresses that opened them."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists games (
            game text primary key,
            at integer not null,
            address blob not null
        ) strict, without rowid;
        create table if not exists reviews (
            game text primary key,
            at integer not null,
            row blob
        ) strict, without rowid;
        create table if not exists program (id integer primary key check (id = 1), seen integer not null) strict;
        commit;
    """
    PRAGMAS = ("synchronous = normal",)
    SWEEPS = ("delete from games where at <= ?", "delete from reviews where at <= ?")

    def __init__(self, path: Path, key: bytes, games_key: bytes, *, most_games: int, an_address: int) -> None:
        """Take the program's key, and that of games, under which reviews are encrypted."""
        super().__init__(path, keep_seconds=DAY)
        self._credential, self._cipher = write_credential(key), RowCipher(games_key, "reviews")
        self._most_games, self._an_address = most_games, an_address

    def is_credential(self, text: str) -> bool:
        """Return whether a text is the program's credential."""
        return hmac.compare_digest(text.encode(), self._credential.encode())

    def note_program(self, now: int) -> None:
        """Note that the program has asked for turns, a few times a minute."""
        self._run(
            "insert into program (id, seen) values (1, ?) on conflict (id) do update set seen = excluded.seen"
            " where abs(excluded.seen - seen) >= ?",
            (now, _NOTE_SECONDS),
        )

    def has_program(self, now: int) -> bool:
        """Return whether the program has asked for turns lately."""
        row = self._one("select seen from program")
        return row is not None and abs(now - row[0]) < PRESENT_SECONDS

    def add(self, game: str, address: bytes, now: int) -> Literal["games", "address"] | None:
        """Add a game; return None, or what is full: all games of the host, or those of the address."""
        # One statement, so that two who open at once do not both get the last place.
        added = self._run(
            "insert into games (game, at, address) select ?, ?, ? from"
            " (select count(*) as running, count(case when address = ? then 1 end) as own from games)"
            " where running < ? and own < ?",
            (game, now, address, address, self._most_games, self._an_address),
        )
        if added:
            return None
        (of_address,) = self._one("select count(*) from games where address = ?", (address,))
        return "address" if of_address >= self._an_address else "games"

    def places_left(self) -> int:
        """Return how many more games may begin."""
        games: int = self._one("select count(*) from games")[0]
        return max(0, self._most_games - games)

    def list(self) -> tuple[RegisteredGame, ...]:
        """Return the games of this host, the oldest first."""
        return tuple([RegisteredGame(*row) for row in self._all("select game, at from games order by at, game")])

    def remove(self, game: str) -> None:
        """Remove a game that is over, so that another may begin."""
        self._run("delete from games where game = ?", (game,))

    def ask_review(self, game: str, now: int) -> None:
        """Put a game into the queue of reviews, where it has none and is not in it."""
        self._run("insert into reviews (game, at) values (?, ?) on conflict (game) do nothing", (game, now))

    def next_review(self) -> str | None:
        """Return the game whose review is to be made next."""
        row = self._one("select game from reviews where row is null order by at, game limit 1")
        return None if row is None else row[0]

    def keep_review(self, game: str, review: bytes) -> None:
        """Keep the review of a game that is in the queue."""
        sealed = self._cipher.encrypt(game, 0, review)
        self._run("update reviews set row = ? where game = ? and row is null", (sealed, game))

    def find_review(self, game: str) -> bytes | None:
        """Return the review of a game; None where it is not made yet."""
        row = self._one("select row from reviews where game = ?", (game,))
        return None if row is None or row[0] is None else self._cipher.decrypt(game, 0, row[0])

    def drop_review(self, game: str) -> None:
        """Take a game that is gone out of the queue."""
        self._run("delete from reviews where game = ? and row is null", (game,))


def write_credential(key: bytes) -> str:
    """Return the credential with which the program asks for turns, as text."""
    return f"{CREDENTIAL_PREFIX}{base64.urlsafe_b64encode(key).decode().rstrip('=')}"
