"""The play links of one installation, with which guests open games; of each it stores a keyed digest alone."""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ordws.database import Database
from ordws.errors import BadInput, Missing
from ordws.identity import schema

PREFIX: Final = "ordws_play_"
MAX_LINKS: Final = 64
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)


class PlayLinks:
    """The play links, in the file of the register. Each opens games until all of them are withdrawn."""

    def __init__(self, database: Database, pepper: bytes) -> None:
        self._database = database
        self._pepper = pepper

    @classmethod
    def open(cls, path: Path, pepper: bytes) -> PlayLinks:
        """Open the links in the register at path, and bring its tables up to date; raise Missing where there is none.

        A register of an earlier version gets its table.
        """
        if not path.exists():
            raise Missing(f'no register of clients at "{path}"', hint="ordws init")
        database = Database(path)
        schema.migrate(database)
        return cls(database, pepper)

    def close(self) -> None:
        self._database.close()

    def add(self, now: int, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
        """Make a link and return its token, of which only a digest is stored."""
        token = PREFIX + urlsafe_b64encode(random_bytes(_SECRET_BYTES)).decode().rstrip("=")
        with self._database as db:
            added = db.execute(
                "insert into play_links (digest, created) select ?, ? where (select count(*) from play_links) < ?",
                (self._digest(token), now, MAX_LINKS),
            ).rowcount
        if not added:
            raise BadInput(f"there are {MAX_LINKS} play links already", hint="ordws play-link --withdraw ends them all")
        return token

    def is_valid(self, token: str) -> bool:
        """Return whether a token is that of a link that was not withdrawn, in any process."""
        if not _TOKEN.fullmatch(token):
            return False
        with self._database as db:
            # Looked up each time, so that a withdrawal ends a link at once in all processes.
            return (
                db.execute("select 1 from play_links where digest = ?", (self._digest(token),)).fetchone() is not None
            )

    def list(self) -> tuple[int, ...]:
        """Return the times at which the links were made, oldest first."""
        with self._database as db:
            return tuple([created for (created,) in db.execute("select created from play_links order by created")])

    def withdraw(self) -> int:
        """Withdraw all links and return their number. Games that they opened go on."""
        with self._database as db:
            return db.execute("delete from play_links").rowcount

    def _digest(self, token: str) -> bytes:
        return hmac.digest(self._pepper, f"play\x1f{token}".encode(), "sha256")


def play_address(address: str, token: str) -> str:
    """Return the address of the page on which a link opens games; what stands behind `#` is never sent."""
    return f"{address.rstrip('/')}/play#link={token}"
