"""The register of practice: the games against the program that run at this host, and whether the program is there."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from ordws.database import Store
from ordws.retention import DAY, PRACTICE
from ordws.row_cipher import RowCipher

CREDENTIAL_PREFIX: Final = "ordws_computer_"
PRESENT_SECONDS: Final = 15
"""The time for which the program counts as running after it has asked for turns; it asks every few seconds."""
_NOTE_SECONDS: Final = 2
_GAMES_A_DAY: Final = 30
"""The games that an address may begin in a day, as a multiple of those that it may have at once: each is kept a day."""

_RECORDS_A_DAY: Final = 30
"""The records of games kept at a table that an address may have reviewed in a day."""
_MOST_WAITING: Final = 300
"""The reviews that wait together before records are refused: an hour of the program's time or more."""

_OF_NETWORK: Final = (
    "select total(is_running), count(*) from networks join opened using (game) where network = ? and networks.at > ?"
)
_RECORDS_OF_NETWORK: Final = (
    "select count(*) from networks join records using (game) where network = ? and networks.at > ?"
)


class RegisteredGame(NamedTuple):
    """A game that was opened at this host, and when."""

    game: str
    at: int


class PracticeRegister(Store):
    """The games against the program of one host, by keyed hashes of the addresses that opened them."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists opened (
            game text primary key,
            at integer not null,
            address blob not null,
            is_running integer not null default 1
        ) strict, without rowid;
        create table if not exists networks (
            network blob,
            game text,
            at integer not null,
            primary key (network, game)
        ) strict, without rowid;
        create table if not exists reviews (
            game text primary key,
            at integer not null,
            row blob
        ) strict, without rowid;
        create table if not exists records (
            game text primary key,
            at integer not null,
            address blob not null,
            row blob not null
        ) strict, without rowid;
        create index if not exists opened_by_address on opened (address);
        create index if not exists records_by_address on records (address);
        create index if not exists waiting on reviews (at) where row is null;
        create view if not exists owners as
            select game, address from opened union all select game, address from records;
        create table if not exists program (id integer primary key check (id = 1), seen integer not null) strict;
        commit;
    """
    PRAGMAS = ("synchronous = normal",)
    SWEEPS = tuple([f"delete from {table} where at <= ?" for table in ("opened", "networks", "reviews", "records")])

    def __init__(self, path: Path, key: bytes, games_key: bytes, *, most_games: int, an_address: int) -> None:
        """Take the program's key, and that of games, under which reviews and records are encrypted."""
        super().__init__(path, keep_seconds=PRACTICE.seconds)
        self._credential, self._cipher = write_credential(key), RowCipher(games_key, "reviews")
        self._games_key, self._record_cipher = games_key, RowCipher(games_key, "reviewed records")
        self._most_games, self._an_address = most_games, an_address
        self._most_a_day = _GAMES_A_DAY * an_address

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

    def add(self, game: str, networks: Sequence[bytes], now: int) -> Literal["games", "address", "day"] | None:
        """Add a game; return None, or what is full: the host's games, those of the address, or those of its day.

        `networks` are hashes of the address and of the larger networks that one subscriber may have whole: each may
        have twice as many games as the one before, so that none of them has all.
        """
        with self._transaction() as db:  # two who open at once do not both get the last place
            for times, network in enumerate(networks):
                own, own_day = db.execute(_OF_NETWORK, (network, now - DAY)).fetchone()
                if own_day >= self._most_a_day << times:
                    return "day"
                if own >= self._an_address << times:
                    return "address"
            if db.execute("select count(*) from opened where is_running").fetchone()[0] >= self._most_games:
                return "games"
            db.execute("insert into opened (game, at, address) values (?, ?, ?)", (game, now, networks[0]))
            self._add_networks(db, networks, game, now)
        return None

    @staticmethod
    def _add_networks(db: Any, networks: Sequence[bytes], game: str, now: int) -> None:
        rows = [(network, game, now) for network in networks]
        db.executemany("insert into networks (network, game, at) values (?, ?, ?)", rows)

    def places_left(self) -> int:
        """Return how many more games may begin."""
        return max(0, self._most_games - self.count())

    def count(self) -> int:
        """Return the number of games of this host that run."""
        games: int = self._one("select count(*) from opened where is_running")[0]
        return games

    def list(self) -> tuple[RegisteredGame, ...]:
        """Return the games of this host that run, the oldest first."""
        sql = "select game, at from opened where is_running order by at, game"
        return tuple([RegisteredGame(*row) for row in self._all(sql)])

    def remove(self, game: str) -> None:
        """Note that a game is over, so that another may begin."""
        self._run("update opened set is_running = 0 where game = ?", (game,))

    def ask_review(self, game: str, now: int) -> None:
        """Put a game into the queue of reviews, where it has none and is not in it."""
        self._run("insert into reviews (game, at) values (?, ?) on conflict (game) do nothing", (game, now))

    def next_review(self) -> str | None:
        """Return the game whose review is to be made next, of the address that had the fewest of the day's."""
        row = self._one(
            "select game from reviews left join owners as own using (game) where row is null order by"
            " (select count(*) from owners join reviews as made using (game)"
            " where address = own.address and made.row is not null), reviews.at, game limit 1"
        )
        return None if row is None else row[0]

    def keep_review(self, game: str, review: bytes) -> None:
        """Keep the review of a game that is in the queue."""
        sealed = self._cipher.encrypt(game, 0, review)
        self._run("update reviews set row = ? where game = ? and row is null", (sealed, game))

    def find_review(self, game: str) -> bytes | None:
        """Return the review of a game; None where it is not made yet."""
        row = self._one("select row from reviews where game = ?", (game,))
        return None if row is None or row[0] is None else self._cipher.decrypt(game, 0, row[0])

    def id_of_record(self, record: str) -> str:
        """Return the id under which a record of a game that was kept at a table is reviewed."""
        return hmac.digest(self._games_key, b"reviewed record" + record.encode(), "sha256").hex()[:32]

    def add_record(self, record: str, networks: Sequence[bytes], now: int) -> Literal["reviews", "day"] | None:
        """Keep a record until it is reviewed, and for its day; return None, or what is full, as `add` counts it.

        A record that is kept already is never refused.
        """
        game = self.id_of_record(record)
        with self._transaction() as db:
            if db.execute("select 1 from records where game = ?", (game,)).fetchone() is not None:
                return None
            for times, network in enumerate(networks):
                count = db.execute(_RECORDS_OF_NETWORK, (network, now - DAY)).fetchone()[0]
                if count >= _RECORDS_A_DAY << times:
                    return "day"
            if db.execute("select count(*) from reviews where row is null").fetchone()[0] >= _MOST_WAITING:
                return "reviews"
            sealed = self._record_cipher.encrypt(game, 0, record.encode())
            row = (game, now, networks[0], sealed)
            db.execute("insert into records (game, at, address, row) values (?, ?, ?, ?)", row)
            self._add_networks(db, networks, game, now)
        return None

    def find_record(self, game: str) -> str | None:
        """Return the record with this id."""
        row = self._one("select row from records where game = ?", (game,))
        return None if row is None else self._record_cipher.decrypt(game, 0, row[0]).decode()

    def drop_review(self, game: str) -> None:
        """Take a game that is gone out of the queue."""
        self._run("delete from reviews where game = ? and row is null", (game,))


def write_credential(key: bytes) -> str:
    """Return the credential with which the program asks for turns, as text."""
    return f"{CREDENTIAL_PREFIX}{base64.urlsafe_b64encode(key).decode().rstrip('=')}"
