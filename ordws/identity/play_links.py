"""The play links of one installation, with which guests open games; of each it stores a keyed digest alone."""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Final

from ordws.errors import BadInput
from ordws.identity.schema import RegisterStore

PREFIX: Final = "ordws_play_"
MAX_LINKS: Final = 64
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)


class PlayLinks(RegisterStore):
    """The play links, in the file of the register. Each opens games until all of them are withdrawn."""

    def add(self, now: int, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
        """Make a link and return its token, of which only a digest is stored."""
        token = PREFIX + urlsafe_b64encode(random_bytes(_SECRET_BYTES)).decode().rstrip("=")
        added = self._run(
            "insert into play_links (digest, created) select ?, ? where (select count(*) from play_links) < ?",
            (self._digest("play", token), now, MAX_LINKS),
        )
        if not added:
            raise BadInput(f"there are {MAX_LINKS} play links already", hint="ordws play-link --withdraw ends them all")
        return token

    def is_valid(self, token: str) -> bool:
        """Return whether a token is that of a link that was not withdrawn, in any process."""
        if not _TOKEN.fullmatch(token):
            return False
        # Looked up each time, so that a withdrawal ends a link at once in all processes.
        return self._one("select 1 from play_links where digest = ?", (self._digest("play", token),)) is not None

    def list(self) -> tuple[int, ...]:
        """Return the times at which the links were made, oldest first."""
        return tuple([created for (created,) in self._all("select created from play_links order by created")])

    def withdraw(self) -> int:
        """Withdraw all links and return their number. Games that they opened go on."""
        return self._run("delete from play_links")


def play_address(address: str, token: str) -> str:
    """Return the address of the page on which a link opens games; what stands behind `#` is never sent."""
    return f"{address.rstrip('/')}/play#link={token}"
