"""The key of a desk, and what follows from it: its link, its cookies, and how entry codes are kept.

The event keeps only a digest of each entry code under this key, so that a stolen file gives no code away.
"""

from __future__ import annotations

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from ordws.errors import Broken
from ordws.instance import Instance
from ordws.row_cipher import RowCipher, open_key
from ordws.tournament.state import TournamentState
from ordws.typed_codes import read_code


class DeskKey:
    """The secret of a desk, from which its other secrets are derived."""

    def __init__(self, secret: bytes) -> None:
        self._secret, self._cipher = secret, RowCipher(secret, "texts of sessions")

    @classmethod
    def open(cls, path: Path) -> DeskKey:
        """Return the key in a file, which is made, readable by its owner alone, where there is none yet."""
        return cls(open_key(path))

    @property
    def cookie_scope(self) -> str:
        """The scope in which cookies of a desk with this key are good: another key ends all sessions."""
        return self._derive("cookies").hex()

    @property
    def director_key(self) -> str:
        """The secret in the link with which directors open a desk on a laptop; it stays the same after a restart."""
        return self._derive("director").hex()[:32]

    def is_director_key(self, text: str) -> bool:
        return hmac.compare_digest(text.strip().encode(), self.director_key.encode())

    def seal(self, text: str) -> str:
        """Return a text as a browser may keep it: encrypted, so that this key alone opens it."""
        return urlsafe_b64encode(self._cipher.encrypt("text", 0, text.encode())).decode()

    def unseal(self, sealed: str) -> str | None:
        """Return the text that this key has sealed; None for anything else."""
        try:
            return self._cipher.decrypt("text", 0, urlsafe_b64decode(sealed)).decode()
        except (Broken, ValueError):
            return None

    def code_digest(self, event: TournamentState, code: str) -> str:
        """Return the digest of an entry code as an event keeps it; a code is good for one event."""
        letters = (read_code(code) or "").replace("-", "")
        return self._derive(f"entry code {event.event.seed} {letters}").hex()

    def find_entrant(self, event: TournamentState, code: str) -> int | None:
        """Return the number of the entrant whose code this is; None where it is nobody's."""
        digest = self.code_digest(event, code)
        return next((each.number for each in event.entrants.values() if each.code_digest == digest), None)

    def _derive(self, purpose: str) -> bytes:
        return hmac.digest(self._secret, purpose.encode(), sha256)


def own_key_path(name: str) -> Path:
    """Return the path of a key of this machine, for desks of single files."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "ordws" / f"{name}.key"


def players_key_path(events: Path, instance: Instance) -> Path:
    """Return the path of the key of players' pseudonyms, for a file of an event or for a folder of them.

    It is the installation's for its own events, and else that of this machine. It is apart from the desk's key, which
    is changed to end sessions and entry codes: with another key everybody would be a new player to fair play.
    """
    folder = events if events.is_dir() else events.parent
    is_own = folder.resolve() == instance.tournaments.resolve()
    return instance.players_key if is_own else own_key_path("players")
