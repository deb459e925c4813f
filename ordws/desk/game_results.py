"""The result of a game that the service tells of, as an event counts it (docs/tournaments.md 13). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ordws.client.replies import SeatOfEventGame
from ordws.tournament.facts import ForfeitedBy, OneSide, SideResult, TableResult

_TIME_UP: Final = "time-up"
_SIDES: Final[tuple[OneSide, OneSide]] = ("first", "second")


def result_of(first: SeatOfEventGame, second: SeatOfEventGame) -> TableResult:
    """Return the result of a game that is over.

    Whoever left before a turn of their own forfeits. Whoever resigned, was too far over time, or lost a challenge that
    costs the game has lost with the turns made; of one whose time was up, and of the other, the scores count.
    """
    seats: Mapping[OneSide, SeatOfEventGame] = dict(zip(_SIDES, (first, second), strict=True))
    if (forfeit := _both_or_one([side for side in _SIDES if seats[side].left and not seats[side].turns])) is not None:
        return TableResult(forfeit=forfeit)
    lost = [side for side in _SIDES if seats[side].left not in (None, _TIME_UP)]
    # Where the time of both was up, the one who has fewer turns went first.
    out_of_time = sorted(
        [side for side in _SIDES if seats[side].left == _TIME_UP], key=lambda side: _turns(seats[side])
    )
    return TableResult(
        first=_side_of(first),
        second=_side_of(second),
        resigned=lost[0] if lost else None,
        time_up=out_of_time[0] if out_of_time else None,
    )


def forfeit_of(first: SeatOfEventGame, second: SeatOfEventGame) -> TableResult:
    """Return the result of a game that was called off: whoever had not sworn by then forfeits it."""
    absent = [side for side, seat in zip(_SIDES, (first, second), strict=True) if not seat.sworn]
    return TableResult(forfeit=_both_or_one(absent))


def seats_by_name(
    seats: Sequence[SeatOfEventGame], first: str, second: str
) -> tuple[SeatOfEventGame, SeatOfEventGame] | None:
    """Return the seats of two entrants in a game that was opened elsewhere; None where it is not theirs."""
    named = {(seat.name or "").casefold(): seat for seat in seats}
    if len(seats) != len(_SIDES) or named.keys() != {first.casefold(), second.casefold()}:
        return None
    return named[first.casefold()], named[second.casefold()]


def _both_or_one(sides: Sequence[OneSide]) -> ForfeitedBy | None:
    return "both" if len(sides) == len(_SIDES) else sides[0] if sides else None


def _side_of(seat: SeatOfEventGame) -> SideResult:
    return SideResult(seat.score or 0, seat.turn_points or 0, _turns(seat))


def _turns(seat: SeatOfEventGame) -> int:
    return seat.turns or 0
