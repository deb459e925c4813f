"""An event as it was played, for its certificate: who met whom, and what everyone made in the end."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from ordws.tournament.pairing.problem import PairingPlayer


class PlayedRound(NamedTuple):
    """A round that counts."""

    pairings: tuple[tuple[int, int], ...]
    """Those who met, who went first in front; a forfeit is no meeting."""
    byes: tuple[int, ...] = ()


class PlayedEvent(NamedTuple):
    """All that a certificate is made from."""

    players: tuple[PairingPlayer, ...]
    """Every entrant with the totals of the whole event, by number."""
    rounds: tuple[PlayedRound, ...]
    games_a_round: int = 1
    seed: int = 0
    facts_digest: str = ""
    """The last link of the event's hash chain; empty for a simulated event."""
    stayed: frozenset[int] | None = None
    """The entrants who were there for two thirds of the rounds; None means all."""

    @property
    def digest(self) -> str:
        """SHA-256 over totals, meetings, byes and the facts."""
        totals = [(player.number, player.points, player.turns) for player in self.players]
        parts = [totals, self.rounds, self.games_a_round, self.seed, self.facts_digest]
        return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
