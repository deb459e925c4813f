"""The games of an event that are played at the service, and their results as the event counts them. Pure.

docs/tournaments.md 13 says what counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ordws.client.operations import TableOfEvent
from ordws.client.replies import SeatOfEventGame
from ordws.desk.events import Snapshot
from ordws.retention import DAY
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.tournament.facts import (
    SERVICE_ACTOR,
    Bound,
    ForfeitedBy,
    OneSide,
    PairedLate,
    Published,
    SideResult,
    TableResult,
)
from ordws.tournament.fold import find_undone
from ordws.tournament.state import PairingState

DEFAULT_CLOCK_SECONDS: Final = 25 * 60
"""The time of each player where the rules of the event give none: a game without a clock might never end."""


class Place(NamedTuple):
    """A game of an event: the round, the table, and which game of the two entrants."""

    round: int
    table: int
    game: int

    def __str__(self) -> str:
        which = f", game {self.game}" if self.game > 1 else ""
        return f"round {self.round}, table {self.table}{which}"


class TableGameToPlay(NamedTuple):
    """A game of the open round without a result, its entrants in the order of play, and where it is played."""

    place: Place
    pairing: PairingState
    order: tuple[int, int]
    drawn: int
    """The number of the fact that paired them."""

    bound: Bound | None = None
    bound_at: int = 0
    is_ours: bool = False
    """True where a step opened the game, not a director."""


def games_to_play(snapshot: Snapshot) -> list[TableGameToPlay]:
    """Return the games of the open round that have no result; a second one is played after the first."""
    played = snapshot.state.open_round
    if played is None:
        return []
    bindings: dict[Place, tuple[Bound, int, bool]] = {}
    undone = find_undone(snapshot.facts)
    drawn, drawn_late = 0, dict[int, int]()
    for each in snapshot.facts:
        match each.fact:
            case Published():
                # Those of earlier rounds, and of an earlier draw of this one, do not count any more.
                bindings, drawn, drawn_late = {}, each.number, {}
            case PairedLate() if each.number not in undone:
                drawn_late[each.fact.pairing.table] = each.number
            case Bound() as bound if each.number not in undone:
                bindings[Place(bound.round, bound.table, bound.game)] = bound, each.at, each.actor == SERVICE_ACTOR
            case _:
                pass
    found = []
    for pairing in played.pairings:
        missing = [number for number, game in enumerate(pairing.games, 1) if game is None or not game.is_settled]
        if missing:
            place = Place(played.number, pairing.table, missing[0])
            # The second player of the pairing begins the second game.
            order = pairing.entrants if place.game % 2 else (pairing.second, pairing.first)
            drawn_here = drawn_late.get(pairing.table, drawn)
            found.append(TableGameToPlay(place, pairing, order, drawn_here, *bindings.get(place, (None, 0, False))))
    return found


def table_of(snapshot: Snapshot, game: TableGameToPlay, pseudonyms: Mapping[int, str]) -> TableOfEvent:
    """Return a game as the service is asked for it: its place, its players, and the rules of the event.

    `pseudonyms` are those of the entrants before they were paired (`ordws.tournament.personal_data`).
    """
    state, created, place = snapshot.state, snapshot.state.event, game.place
    options = dict([text.split("=", 1) for text in created.options])
    if state.settings.unplayed_tiles_round:
        options["unplayed_tiles_round"] = "true"
    # At a table a clock may stand beside the station.
    is_at_station = game.bound is not None and bool(game.bound.device)
    is_untimed = with_options(RULE_SETS[created.rules], options).clock_seconds == 0 and not is_at_station
    return TableOfEvent(
        event=event_key(snapshot),
        title=created.name,
        round=place.round,
        table=place.table,
        game=place.game,
        # A voided round is drawn again under its number.
        draw=sum(each.number == place.round for each in state.rounds),
        players=[(pseudonyms[entrant], state.name_of(entrant)) for entrant in game.order],
        rules=created.rules,
        options=options or None,
        clock=DEFAULT_CLOCK_SECONDS if is_untimed else None,
    )


def dropped_games(snapshot: Snapshot) -> dict[str, bool]:
    """Return the games that were opened and do not count; True for those of voided rounds, False for replaced ones."""
    rounds = {
        bound.sealed_game: played.status
        for played in snapshot.state.rounds
        for pairing in played.pairings
        for bound in pairing.bound
    }
    opened = [
        each.fact.sealed_game for each in snapshot.facts if isinstance(each.fact, Bound) and each.actor == SERVICE_ACTOR
    ]
    return {game: game in rounds for game in opened if rounds.get(game, "void") == "void"}


def games_to_review(snapshot: Snapshot, now: int) -> list[str]:
    """Return the games of a finished event that the service may still have: it keeps each for a day."""
    if not snapshot.state.is_finished:
        return []
    bound = [(each.fact, each.at) for each in snapshot.facts if isinstance(each.fact, Bound)]
    return [fact.sealed_game for fact, at in bound if not fact.device and at > now - DAY]


def event_key(snapshot: Snapshot) -> str:
    """Return the id of an event at the service: that of the command that began it, which is random."""
    return snapshot.facts[0].command


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
