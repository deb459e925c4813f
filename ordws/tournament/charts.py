"""The figures of an event's pictures, which ordws/pictures draws. Pure."""

from __future__ import annotations

from ordws.pictures.tournament_charts import OpponentsChart, OpponentsPath, RankChart, RankDot
from ordws.tournament.played_event import played_event
from ordws.tournament.standings import standings, totals_by_entrant
from ordws.tournament.state import TournamentState


def opponents_chart(state: TournamentState, *, marked: int | None = None) -> OpponentsChart:
    """Return everyone's opponents round by round, in points a turn of now; `marked` is an entrant who stands out."""
    players = {player.number: player for player in played_event(state, "").players}
    points = sum([player.points for player in players.values()])
    turns = sum([player.turns for player in players.values()])
    field = points / turns if turns else 0.0
    paths, last = [], max([each for player in players.values() for each in player.rounds_met], default=0)
    for number, player in players.items():
        if not player.opponents:
            continue
        distances: list[float | None] = []
        # Whoever has left has no line after the last round that they played.
        is_here = state.entrants[number].status == "present"
        for round_number in range(1, (last if is_here else max(player.rounds_met)) + 1):
            met = [
                players[opponent]
                for opponent, when in zip(player.opponents, player.rounds_met, strict=True)
                if when <= round_number
            ]
            pooled = sum([each.turns for each in met])
            distances.append(sum([each.points for each in met]) / pooled - field if pooled else None)
        paths.append(OpponentsPath(state.name_of(number), distances))
    name = state.name_of(marked) if marked is not None else ""
    return OpponentsChart("Everybody's opponents", field, paths, name)


def rank_chart(state: TournamentState, *, marked: int | None = None) -> RankChart:
    """Return win % and points a turn of all who have had a game, by rank."""
    totals = totals_by_entrant(state)
    dots = []
    for line in standings(state):
        total = totals[line.entrant]
        if total.games:
            average = total.points / total.turns if total.turns else 0.0
            dots.append(RankDot(line.rank, line.name, (total.wins + total.ties / 2) / total.games, average))
    name = state.name_of(marked) if marked is not None else ""
    return RankChart("Wins and points a turn", dots, name)
