"""The surroundings of a view: the running desk, the event of its address, and who is asking.

On a serving host the key by which a director signed in may be revoked while the session is open: it is checked again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from flask import Response, abort, current_app, g, jsonify

from ordws.desk.desk_key import DeskKey
from ordws.desk.events import DeskEvent, Events
from ordws.desk.sessions import DeskSessions
from ordws.errors import StoreDown

if TYPE_CHECKING:
    from ordws.desk.online import OnlineLoop, OnlineRounds


CHECK_SECONDS: Final = 60
"""The time for which an answer of the word judge about a key holds."""
HOLDS_SECONDS: Final = 3_600
"""The same while the word judge cannot be asked: a round goes on without it, and a revoked key not for a day."""


class OperatorChecks:
    """The last answers of the word judge about keys, of which it keeps digests alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: dict[bytes, tuple[int, int, str | None]] = {}
        """By digest when the word judge was asked last, when it answered last, and what."""

    def find_operator(self, find: Callable[[str, str], str | None], key: str, operator: str, now: int) -> str | None:
        """Return whose a key is by `find`, which was this operator's when its director signed in, asking once a minute.

        The desk asks in its own name: a browser that sends wrong keys would else be one about which nobody can ask.
        """
        digest = sha256(key.encode()).digest()
        with self._lock:
            asked, answered, answer = self._answers.get(digest, (None, now, operator))
            answer = answer if now - answered < HOLDS_SECONDS else None
            if asked is not None and 0 <= now - asked < CHECK_SECONDS:
                return answer
            # Requests that come meanwhile take the answer before: one alone waits for the word judge.
            self._answers[digest] = now, answered, answer
        try:
            answer = find(key, "")
        except StoreDown:
            return answer
        with self._lock:
            self._answers[digest] = now, now, answer
        return answer


_TOKEN_SHOWN: Final = 6


@dataclass(frozen=True)
class Desk:
    """A running desk."""

    events: Events
    key: DeskKey
    sessions: DeskSessions
    clock: Callable[[], int]
    find_operator: Callable[[str, str], str | None] | None = None
    """On a serving host, the operator who has a key and may direct, asked for a browser's address; None on a laptop,
    where the desk's own key signs in."""

    online: OnlineLoop | None = None
    """The on-line rounds; None where the desk has no key for them."""

    operator_checks: OperatorChecks = field(default_factory=OperatorChecks)

    def may_still_direct(self, sealed_key: str, operator: str) -> bool:
        """Return whether the key by which a director signed in, as the session has it, is still that operator's."""
        if self.find_operator is None:
            return True
        key = self.key.unseal(sealed_key)
        if key is None or not operator:
            return False
        return self.operator_checks.find_operator(self.find_operator, key, operator, self.clock()) == operator


def desk() -> Desk:
    running: Desk = current_app.extensions["desk"]
    return running


def event_or_404(id: str) -> DeskEvent:
    """Return the event of this name in addresses; raises NotFound."""
    found = desk().events.find(id)
    if found is None:
        abort(404)
    return found


def online_rounds(event: str) -> OnlineRounds | None:
    """Return the on-line rounds of an event; None where the desk plays none, and before their first step."""
    loop = desk().online
    return None if loop is None else loop.find(event)


def version_reply(version: int) -> Response:
    """Return how far an event has come, and the beginning of the session's token, for pages to compare."""
    return jsonify(version=version, session=g.session.csrf[:_TOKEN_SHOWN] if g.session else "")


def actor() -> str:
    """Return the name of the director who is asking, as the log writes it."""
    return str(g.director)
