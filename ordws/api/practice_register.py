"""The register of practice: the games against the program that run at this host, and whether the program is there."""

from __future__ import annotations

import base64
import hmac
from pathlib import Path
from typing import Final, Literal, NamedTuple

from ordws.database import Store
from ordws.retention import DAY

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
        create table if not exists program (id integer primary key check (id = 1), seen integer not null) strict;
        commit;
    """
    PRAGMAS = ("synchronous = normal",)
    SWEEPS = ("delete from games where at <= ?",)

    def __init__(self, path: Path, key: bytes, *, most_games: int, an_address: int) -> None:
        super().__init__(path, keep_seconds=DAY)
        self._credential = write_credential(key)
        self.most_games, self._an_address = most_games, an_address

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
            (game, now, address, address, self.most_games, self._an_address),
        )
        if added:
            return None
        (of_address,) = self._one("select count(*) from games where address = ?", (address,))
        return "address" if of_address >= self._an_address else "games"

    def list(self) -> tuple[RegisteredGame, ...]:
        """Return the games of this host, the oldest first."""
        return tuple([RegisteredGame(*row) for row in self._all("select game, at from games order by at, game")])

    def remove(self, game: str) -> None:
        """Remove a game that is over, so that another may begin."""
        self._run("delete from games where game = ?", (game,))


def write_credential(key: bytes) -> str:
    """Return the credential with which the program asks for turns, as text."""
    return f"{CREDENTIAL_PREFIX}{base64.urlsafe_b64encode(key).decode().rstrip('=')}"
