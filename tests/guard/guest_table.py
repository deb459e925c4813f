"""Guests' games over any store, for tests of what they hold and spend."""

from __future__ import annotations

from gate_helpers import NOON, words

from ordws.guard.gate import Gate, Refused
from ordws.guard.guest_games import GuestGames, guest_identity
from ordws.guard.policy import DAY
from ordws.guard.price import Meter, Question

CORE = frozenset(words(5_000, 400))


class GuestTable:
    """A gate with its guests' games, asked as the API does it."""

    def __init__(self, store, policy):
        self.gate = Gate(policy, store, b"k" * 32)
        self.games = GuestGames(self.gate)

    def ask(self, game, *asked, now, seat=0, bases=(), edition=1):
        """Ask words as a turn of a game and settle them; return the budget that refused it, or None."""
        question = Question(asked, edition, game, f"1 {seat} {asked}", seat, bases=bases)
        outcome = self.gate.admit(guest_identity(game), question, CORE, now)
        if isinstance(outcome, Refused):
            return outcome.budget
        self.gate.settle(outcome, True, now)
        return None

    def shared(self, day):
        meters = self.gate.pricing.guests.shared(day)
        return [each.spent for each in self.gate.store.read(meters, min(day * DAY, NOON))]

    def charged(self, game, day):
        """Return the units that a game was charged on a day."""
        key = self.gate.pricing.guests.key(guest_identity(game).client)
        return self.gate.store.read([Meter(f"{key}/{day}/units", 0, NOON)], day * DAY)[0].spent
