"""The sheet of an event that was run here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from ordws.tournament.exchange.sheet import Bye, Sheet, SheetGame, SheetPlayer, SheetSide
from ordws.tournament.facts import OneSide, Published, RecordedFact, TableResult
from ordws.tournament.standings import standings
from ordws.tournament.state import TournamentState


def first_day(facts: Sequence[RecordedFact]) -> str:
    """Return the day of the first round, as in 2026-11-21; before there is one, that on which the event was made."""
    begun = next((each for each in facts if isinstance(each.fact, Published)), facts[0])
    return datetime.fromtimestamp(begun.at, UTC).date().isoformat()


def sheet_of(state: TournamentState, *, date: str = "") -> Sheet:
    """Return the sheet of an event; `date` is its first day, as in 2026-11-21.

    Players are numbered again without gaps, in the order of their entry. Of a voided round nothing is in it.
    """
    entrants = sorted(state.entrants)
    places = {entrant: place for place, entrant in enumerate(entrants, 1)}
    ranks = {line.entrant: line.rank for line in standings(state)}
    games = []
    for played in state.live_rounds:
        for pairing in played.pairings:
            for number, found in enumerate(pairing.games, 1):
                # The second player begins the second game.
                is_swapped = number % 2 == 0
                pair = pairing.entrants[::-1] if is_swapped else pairing.entrants
                game = SheetGame(played.number, pairing.table, number, places[pair[0]], places[pair[1]])
                if found is not None and found.is_settled:
                    game = _with_result(game, found.result, is_swapped)
                games.append(game)
    return Sheet(
        name=state.event.name,
        players=tuple(
            [
                SheetPlayer(each.name, each.club, each.minor, each.status == "withdrawn", each.member)
                for number, each in sorted(state.entrants.items())
            ]
        ),
        games=tuple(games),
        byes=tuple([Bye(found.number, places[found.bye]) for found in state.live_rounds if found.bye is not None]),
        date=date,
        rounds=state.rounds_planned,
        games_a_round=state.event.games_a_round,
        ranks=tuple([ranks[number] for number in entrants]),
    )


def _with_result(game: SheetGame, result: TableResult, is_swapped: bool) -> SheetGame:
    """Return the game with its result, seen from the player who began it."""
    sides = [SheetSide(*each) for each in (result.first, result.second) if each is not None]
    if is_swapped:
        sides.reverse()
    return game._replace(
        sides=(sides[0], sides[1]) if len(sides) == 2 and result.forfeit is None else None,
        forfeit="both" if result.forfeit == "both" else swap_side(result.forfeit, is_swapped),
        resigned=swap_side(result.resigned, is_swapped),
        time_up=swap_side(result.time_up, is_swapped),
    )


def swap_side(side: OneSide | None, is_swapped: bool) -> OneSide | None:
    """Return the other side if the sides are swapped, else the side."""
    if side is None or not is_swapped:
        return side
    return "second" if side == "first" else "first"
