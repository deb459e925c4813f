"""Guests' games over any store, for tests of what they hold and spend."""

from __future__ import annotations

from gate_helpers import words

from ordws.guard.charge import CORE as CORE_WORDS
from ordws.guard.charge import UNITS, Question, Refused, day_key, guests_subject
from ordws.guard.gate import Gate
from ordws.guard.guests import GuestGames, guest_identity

CORE = frozenset(words(5_000, 400))


class GuestTable:
    """A gate with its guests' games, asked as the API does it."""

    def __init__(self, store, policy, grants=()):
        self.gate, self.grants = Gate(policy, store, b"k" * 32), dict(grants)
        self.games = GuestGames(self.gate, lambda link: self.grants.get(link, 0))

    def ask(self, game, *asked, now, seat=0, bases=(), edition=1):
        """Ask words as a turn of a game; return the budget that refused it, or None."""
        question = Question(asked, edition, game, f"1 {seat} {asked}", seat, bases=bases)
        outcome = self.gate.admit(guest_identity(game), question, CORE, now)
        return outcome.budget if isinstance(outcome, Refused) else None

    def hold(self, game, expires, now):
        """Have a game hold what it may spend until it expires, as when its players have sworn."""
        return self.games.begin(game, expires, now)

    def shared(self, day, link=0):
        """Return the units and core words that games of a play link, or of all without one of their own, hold."""
        (record,) = self.gate.store.read([day_key(guests_subject(link), day)])
        return [0, 0] if record is None else [record.counts[UNITS], record.counts[CORE_WORDS]]

    def charged(self, game):
        """Return the units that a game was charged."""
        record = self.gate.store.guest_games().get(self.gate.pricing.subject(guest_identity(game))[8:])
        return 0 if record is None else record.counts[UNITS]
