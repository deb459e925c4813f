"""The play links of one installation, with which guests open games; of each it stores a keyed digest alone."""

from __future__ import annotations

import json
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.errors import BadInput
from ordws.identity.schema import RegisterStore

PREFIX: Final = "ordws_play_"
MAX_LINKS: Final = 64
MAX_NAME_LENGTH: Final = 64
MAX_GAMES: Final = 500
"""The most games a day that a link may have of its own: with the default policy as much as a large operator."""
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)
_LINKS: Final = (
    "select coalesce(number, 0), name, coalesce(games, 0), created"
    " from play_links left join play_link_grants using (digest)"
)


class PlayLink(NamedTuple):
    """A play link that was not withdrawn."""

    number: int
    """The number of a link with a name; 0 for the others, whose games share what all guests have."""
    name: str | None
    games: int
    """The games a day that a link with a name has of its own."""
    created: int


class PlayLinks(RegisterStore):
    """The play links, in the file of the register. Each opens games until it is withdrawn."""

    def add(
        self,
        now: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        name: str | None = None,
        games: int = 0,
    ) -> str:
        """Make a link, with a name and games a day of its own where they are given, and return its token.

        Only a digest of the token is stored.
        """
        token = _write_token(random_bytes(_SECRET_BYTES))
        if name is not None:
            _check_grant(name, games)
        with self._transaction() as db:
            if db.execute("select count(*) from play_links").fetchone()[0] >= MAX_LINKS:
                message = f"there are {MAX_LINKS} play links already"
                raise BadInput(message, hint="ordws play-link --withdraw ends them all")
            digest = self._digest("play", token)
            db.execute("insert into play_links (digest, created) values (?, ?)", (digest, now))
            if name is not None:
                granted = db.execute(
                    "insert into play_link_grants (digest, name, games) values (?, ?, ?) on conflict (name) do nothing",
                    (digest, name, games),
                )
                if not granted.rowcount:
                    message = f"there is a play link {json.dumps(name)} already"
                    raise BadInput(message, hint="ordws play-link --withdraw --name ends it")
        return token

    def add_local(self, now: int) -> str:
        """Make a link that can be shown again: its token follows from the pepper and its moment."""
        return self.add(now, lambda _: self._local_secret(now))

    def find_local(self) -> str | None:
        """Return the token of a link that `add_local` made, unless it was withdrawn."""
        tokens = [_write_token(self._local_secret(link.created)) for link in self.list()]
        return next((token for token in tokens if self.find(token) is not None), None)

    def find(self, token: str) -> PlayLink | None:
        """Return the link of a token, unless it was withdrawn in any process."""
        if not _TOKEN.fullmatch(token):
            return None
        # Looked up each time, so that a withdrawal ends a link at once in all processes.
        row = self._one(f"{_LINKS} where digest = ?", (self._digest("play", token),))
        return None if row is None else PlayLink(*row)

    def games_of(self, number: int) -> int:
        """Return the games a day that the link of a number has of its own; 0 where it was withdrawn."""
        row = self._one(f"{_LINKS} where number = ?", (number,))
        return 0 if row is None else PlayLink(*row).games

    def list(self) -> tuple[PlayLink, ...]:
        """Return the links, oldest first."""
        return tuple([PlayLink(*row) for row in self._all(f"{_LINKS} order by created, number")])

    def withdraw(self, name: str | None = None) -> int:
        """Withdraw all links, or the one of a name, and return their number. Games that they opened go on."""
        with self._transaction() as db:
            where = "" if name is None else " where digest in (select digest from play_link_grants where name = :name)"
            withdrawn = db.execute(f"delete from play_links{where}", {"name": name}).rowcount
            db.execute("delete from play_link_grants where digest not in (select digest from play_links)")
        return withdrawn

    def _local_secret(self, created: int) -> bytes:
        return self._digest("local play link", str(created))


def play_address(address: str, token: str) -> str:
    """Return the address of the page on which a link opens games; what stands behind `#` is never sent."""
    return f"{address.rstrip('/')}/play#link={token}"


def _write_token(secret: bytes) -> str:
    return PREFIX + urlsafe_b64encode(secret).decode().rstrip("=")


def _check_grant(name: str, games: int) -> None:
    if not (1 <= len(name) <= MAX_NAME_LENGTH and name.isprintable()):
        shown = json.dumps(name)
        raise BadInput(f"the name of a play link has 1 to {MAX_NAME_LENGTH} printable characters, not {shown}")
    if not 1 <= games <= MAX_GAMES:
        raise BadInput(f"a play link has 1 to {MAX_GAMES} games a day of its own, not {games}")
