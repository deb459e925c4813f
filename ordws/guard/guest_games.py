"""The guests' games of an installation: what each holds of the shared budget, and gives back once it is over."""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.errors import StoreDown
from ordws.guard.gate import Gate, Refused
from ordws.guard.policy import DAY
from ordws.guard.price import GUESTS, Identity, owner_key

_MOST_ATTEMPTS: Final = 8


class GuestGamesLeft(NamedTuple):
    """The number of whole games that guests may still open today, that of a whole day, and the end of the day."""

    games_left: int
    games_a_day: int
    resets: int


def guest_identity(game: str) -> Identity:
    """Return the identity that the guests of a sealed game share."""
    return Identity(f"guest {game}", 0, is_guest=True)


class GuestGames:
    """The guests' games of a gate, each of which holds what it may spend (docs/guard.md Decision 18).

    A game is stored before it holds anything, and asks nothing before it holds what it may spend. So a process that is
    killed leaves no budget held by a game that nobody knows: whatever is held is given back when the game is over, or
    by `sweep` when it has expired.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._pricing = gate.pricing.guests

    def left(self, now: int) -> GuestGamesLeft:
        """Return how many whole games guests may still open today, all together."""
        policy, day = self._gate.policy, now // DAY
        meters = self._pricing.shared(day)
        units, core = [
            meter.limit - reading.spent
            for meter, reading in zip(meters, self._gate.store.read(meters, now), strict=True)
        ]
        a_day = policy.whole_guest_games(policy.guest_units_a_day, policy.guest_core_a_day)
        return GuestGamesLeft(policy.whole_guest_games(units, core), a_day, (day + 1) * DAY)

    def hold(self, game: str, expires: int, now: int) -> Refused | None:
        """Hold what a new game may spend until it expires; return None if all of it is held, and else hold nothing.

        A game that was opened again after a process was killed holds what it held.
        """
        key = self._pricing.key(guest_identity(game).client)
        # The mark outlasts midnight, after which a held game would have new meters to hold by.
        if self._gate.store.find_mark_end(self._pricing.mark(key, 0).key, now, GUESTS) is not None:
            return None
        outcome = self._gate.store.admit(self._pricing.holding_charge(key, expires, now // DAY), now)
        if not isinstance(outcome, Refused) or outcome.budget.startswith("held"):
            return None
        # Whichever meter has no room, whole games are opened again from midnight on.
        return outcome._replace(retry_after_seconds=DAY - now % DAY)

    def give_back(self, game: str, now: int) -> int:
        """Give back what a game that is over did not spend, once, and return the number of units.

        Nothing can be asked in the game any more. It is given back to the game's own days alone.
        """
        key, today = self._pricing.key(guest_identity(game).client), now // DAY
        return sum([self._give_back(key, opened, now) for opened in (today, today - 1)])

    def sweep(self, now: int) -> int:
        """Give back what games hold that have expired, and return the number of those games."""
        today, swept = now // DAY, 0
        for stored in self._gate.store.stored_meters(f"{GUESTS}."):
            key, day, kind = owner_key(stored.name), *stored.name.split("/")[1:]
            if kind != "held" or int(day) not in (today, today - 1):
                continue
            mark = self._pricing.mark(key, 0).key
            if self._gate.store.find_mark_end(mark, now, GUESTS) is None:
                swept += self._give_back(key, int(day), now) > 0
        return swept

    def _give_back(self, key: str, opened: int, now: int) -> int:
        """Give back what a game opened on that day did not spend, unless it did so before; return the units."""
        meters = self._pricing.held(key, opened)
        for _ in range(_MOST_ATTEMPTS):
            # A closed store tells the limit as what is spent, also of what was given back.
            units, core, given_back, *spent = [each.spent for each in self._gate.store.read(meters, now)]
            if not units or given_back:
                return 0
            charge = self._pricing.returning_charge(
                key, opened, now // DAY, held=(units, core), spent=(spent[0], spent[1])
            )
            # Refused where more was spent meanwhile, or another process was first.
            if not isinstance(self._gate.store.admit(charge, now), Refused):
                return max(0, units - spent[0])
        raise StoreDown("a guests' game goes on although it is over")
