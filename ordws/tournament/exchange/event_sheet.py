"""The sheet of an event that was run here."""

from __future__ import annotations

from ordws.tournament.exchange.sheet import Bye, Sheet, SheetGame, SheetPlayer, SheetSide
from ordws.tournament.facts import OneSide, SideResult
from ordws.tournament.standings import standings
from ordws.tournament.state import PairingState, TournamentState


def sheet_of(state: TournamentState, *, date: str = "") -> Sheet:
    """Return the sheet of an event; `date` is its first day, as in 2026-11-21.

    Players are numbered again without gaps, in the order of their entry. Of a voided round nothing is in it.
    """
    entrants = sorted(state.entrants)
    places = {entrant: place for place, entrant in enumerate(entrants, 1)}
    ranks = {line.entrant: line.rank for line in standings(state)}
    return Sheet(
        name=state.event.name,
        players=tuple(
            [
                SheetPlayer(state.name_of(number), each.club, each.minor, each.status == "withdrawn")
                for number, each in sorted(state.entrants.items())
            ]
        ),
        games=tuple(
            [
                game
                for found in state.live_rounds
                for pairing in found.pairings
                for game in _games_of(found.number, pairing, places)
            ]
        ),
        byes=tuple([Bye(found.number, places[found.bye]) for found in state.live_rounds if found.bye is not None]),
        date=date,
        rounds=state.rounds_planned,
        games_a_round=state.event.games_a_round,
        ranks=tuple([ranks[number] for number in entrants]),
    )


def _games_of(round_number: int, pairing: PairingState, places: dict[int, int]) -> list[SheetGame]:
    """Return the games of a pairing, each seen from the player who began it: the second game from the second player."""
    games = []
    for number, found in enumerate(pairing.games, 1):
        is_swapped = number % 2 == 0
        pair = (pairing.second, pairing.first) if is_swapped else (pairing.first, pairing.second)
        game = SheetGame(round_number, pairing.table, number, places[pair[0]], places[pair[1]])
        if found is not None and found.is_settled:
            result = found.result
            sides = [SheetSide(*each) for each in (result.first, result.second) if isinstance(each, SideResult)]
            if is_swapped:
                sides.reverse()
            game = game._replace(
                sides=(sides[0], sides[1]) if len(sides) == 2 and result.forfeit is None else None,
                forfeit="both" if result.forfeit == "both" else swap_side(result.forfeit, is_swapped),
                resigned=swap_side(result.resigned, is_swapped),
                time_up=swap_side(result.time_up, is_swapped),
            )
        games.append(game)
    return games


def swap_side(side: OneSide | None, is_swapped: bool) -> OneSide | None:
    """Return the other side if the sides are swapped, else the side."""
    if side is None or not is_swapped:
        return side
    return "second" if side == "first" else "first"
