"""Holds of guests' games on what guests may spend a day, and what they give back (docs/guard.md Decision 18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.errors import StoreDown
from ordws.guard.charge import (
    CORE,
    GAMES,
    GUESTS,
    HELD_UNITS,
    ID_BYTES,
    LINK,
    OPENED,
    UNITS,
    Identity,
    MeterRecord,
    Refused,
    day_key,
    game_key,
    guests_subject,
)
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY

UNBEGUN_SECONDS: Final = 45 * 60
"""How long a game holds what it may spend while its players have not all sworn: given back within the hour."""
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
    """The guests' games of a gate, each of which holds what it may spend.

    A game is stored before it holds anything, and asks nothing before it holds what it may spend. So a process that is
    killed leaves no budget held by a game that nobody knows: whatever is held is given back when the game is over, or
    by `sweep` when it has expired.
    """

    def __init__(self, gate: Gate, games_of_link: Callable[[int], int] = lambda number: 0) -> None:
        """Take the gate, and what tells the games a day that a play link has of its own, by its number."""
        self._gate = gate
        self._games_of_link = games_of_link

    def left(self, now: int, link: int = 0) -> GuestGamesLeft:
        """Return how many whole games may still be opened today by a play link of its own, or by all other guests."""
        policy, day = self._gate.policy, now // DAY
        a_day = self._gate.pricing.guests_limits(self._own_games(link), self._gate.store.halvings(now))
        (record,) = self._gate.store.read([day_key(guests_subject(link), day)])
        units, core = (0, 0) if record is None else (record.counts[UNITS], record.counts[CORE])
        is_closed = self._gate.store.closed_until() > now
        left = 0 if is_closed else policy.whole_guest_games(a_day[0] - units, a_day[1] - core)
        return GuestGamesLeft(left, policy.whole_guest_games(*a_day), (day + 1) * DAY)

    def link_of(self, game: str) -> int:
        """Return the number of the play link whose games of its own a game is one of; 0 where nobody knows any more."""
        (record,) = self._gate.store.read([game_key(GUESTS, self._id(game))])
        return 0 if record is None else record.counts[LINK]

    def may_open(self, address: str, now: int) -> bool:
        """Return whether one more game may be opened from an address today, without a play link of its own."""
        (record,) = self._gate.store.read([day_key(GUESTS + self._gate.address_id(address, now), now // DAY)])
        return record is None or record.counts[GAMES] < self._gate.policy.guest_games_an_address

    def open(self, game: str, address: str, now: int, link: int = 0) -> Refused | None:
        """Hold what a new game may spend until it begins; return None if all of it is held, and else hold nothing."""
        # The club that has a link of its own is one address.
        address_id = None if link else self._gate.address_id(address, now)
        return self._hold(game, now + UNBEGUN_SECONDS, now, link, address_id)

    def begin(self, game: str, expires: int, now: int) -> Refused | None:
        """Hold what a game may spend until it expires; return None if all of it is held, and else change nothing."""
        id = self._id(game)
        (record,) = self._gate.store.read([game_key(GUESTS, id)])
        # A hold that has ended and was not swept yet would be overwritten, and never come back.
        if record is not None and record.ends <= now:
            self._give_back(id, now)
        return self._hold(game, expires, now, 0 if record is None else record.counts[LINK])

    def give_back(self, game: str, now: int) -> int:
        """Give back what a game that is over did not spend, once, and return the number of units.

        Nothing can be asked in the game any more. It is given back to the game's own days alone.
        """
        return self._give_back(self._id(game), now)

    def sweep(self, now: int) -> int:
        """Give back what games hold that have expired or were not begun, and return the number of those games."""
        expired = [
            id
            for id, record in self._gate.store.guest_games().items()
            if not record.is_closed and record.ends <= now and record.counts[OPENED] >= now // DAY - 1
        ]
        return sum([self._give_back(id, now) > 0 for id in expired])

    def _own_games(self, link: int) -> int | None:
        return self._games_of_link(link) if link else None

    def _hold(self, game: str, expires: int, now: int, link: int, address: bytes | None = None) -> Refused | None:
        store, pricing = self._gate.store, self._gate.pricing
        charge = pricing.holding_charge(
            self._id(game),
            expires,
            now,
            link=link,
            own_games=self._own_games(link),
            address=address,
            halvings=store.halvings(now),
        )
        outcome = store.apply(charge, now)
        # Whichever record has no room, whole games are opened again from midnight on.
        return outcome._replace(retry_after_seconds=DAY - now % DAY) if isinstance(outcome, Refused) else None

    def _give_back(self, id: bytes, now: int) -> int:
        """Give back what a game did not spend, unless it did so before; return the units."""
        store = self._gate.store
        for _ in range(_MOST_ATTEMPTS):
            record: MeterRecord | None
            (record,) = store.read([game_key(GUESTS, id)])
            if record is None or record.is_closed or store.closed_until() > now:
                return 0
            charge = self._gate.pricing.returning_charge(id, record.counts, now)
            # Refused where more was spent meanwhile, or another process was first.
            if not isinstance(store.apply(charge, now), Refused):
                is_in_time = now // DAY <= record.counts[OPENED] + 1
                return max(0, record.counts[HELD_UNITS] - record.counts[UNITS]) if is_in_time else 0
        raise StoreDown("a guests' game goes on although it is over")

    def _id(self, game: str) -> bytes:
        return self._gate.pricing.subject(guest_identity(game))[ID_BYTES:]
