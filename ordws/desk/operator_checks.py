"""The keys by which directors signed in on a serving host: one may be revoked while its session is open."""

from __future__ import annotations

import threading
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from ordws.errors import StoreDown

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
