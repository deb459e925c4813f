"""An event as its players see it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ordws.desk.events import Snapshot
from ordws.tournament.counts import count_of
from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.names import name_key
from ordws.tournament.standings import StandingLine, winner_of
from ordws.tournament.state import PairingState, RoundState, TableGame, TournamentState

_MARKS = {"won": "W", "lost": "L", "tied": "T"}


class PlayerGameView(NamedTuple):
    """A game of one player, seen from their side of the table."""

    round: int
    table: int
    game: int
    opponent: str
    is_first: bool
    outcome: str
    """won, lost, tied, forfeit won, forfeit lost; empty before there is a result."""

    score: str
    figures: str
    state: str
    """missing, claimed by me, to confirm, disputed or counts."""

    can_tell: bool
    sealed_game: str


class SeatView(NamedTuple):
    """The place where a player plays next, or the reason why they do not."""

    title: str
    detail: str
    why: str = ""
    games: tuple[PlayerGameView, ...] = ()
    can_check_in: bool = False


class PairingRow(NamedTuple):
    """A line of the pairings by name."""

    entrant: int
    name: str
    table: str
    opponent: str
    begins: bool = False
    """Whether the player goes first, in the first game of the round."""


class WallCell(NamedTuple):
    """A game in the wall chart."""

    mark: str
    opponent: str
    score: str


class WallRow(NamedTuple):
    """A player in the wall chart, with a cell a round."""

    rank: int
    entrant: int
    name: str
    cells: tuple[tuple[WallCell, ...], ...]
    total: str
    ppt: str


def describe_round(state: TournamentState) -> str:
    """Return which round the pairings are of."""
    last = state.last_round
    if last is None:
        return "No round is published yet."
    return f"Round {last.number} of {state.rounds_planned}" + (", over" if last.status == "closed" else "")


def view_pairings(state: TournamentState, played: RoundState | None) -> list[PairingRow]:
    """Return the pairings of a round with a line a player, by name."""
    if played is None:
        return []
    rows = [
        PairingRow(one, state.name_of(one), f"{pairing.table}", state.name_of(other), one == pairing.first)
        for pairing in played.pairings
        for one, other in (pairing.entrants, pairing.entrants[::-1])
    ]
    if played.bye is not None:
        rows.append(PairingRow(played.bye, state.name_of(played.bye), "–", "bye"))
    return sorted(rows, key=lambda row: name_key(row.name))


def next_seat(snapshot: Snapshot, me: int) -> SeatView:
    """Return where a player plays now or next."""
    state = snapshot.state
    entrant, played = state.entrants[me], state.open_round
    if entrant.status == "withdrawn":
        return SeatView("You have withdrawn", "Tell a director if you want to come back.")
    if state.is_finished:
        line = next(line for line in snapshot.lines if line.entrant == me)
        return SeatView(f"Rank {line.rank} of {len(snapshot.lines)}", "The event is over.")
    pairing = played.of_entrant(me) if played else None
    if played is not None and pairing is not None:
        opponent = state.name_of(pairing.opponent_of(me))
        starts = "You go first" if pairing.first == me else f"{opponent} goes first"
        if state.event.games_a_round == 2:
            starts += ", and second in the other game"
        games = tuple(
            _view_game(state, played.number, pairing, number, me) for number in range(1, len(pairing.games) + 1)
        )
        return SeatView(
            f"Table {pairing.table}, {opponent}", f"{starts}. Round {played.number}.", snapshot.why(me), games
        )
    if played is not None and played.bye == me:
        text = "You do not play in this round; a bye is neither a win nor a loss."
        return SeatView("You have the bye", text, snapshot.why(me))
    if entrant.status == "entered":
        text = "Only who is checked in is paired." + (
            " You are in the next round's draw once you are." if played else ""
        )
        return SeatView("You are not checked in", text, can_check_in=True)
    following = f"round {state.next_round}" if state.next_round <= state.rounds_planned else "the end"
    return SeatView("You are checked in", f"Your table for {following} appears here when it is published.")


def view_my_games(state: TournamentState, me: int) -> list[PlayerGameView]:
    """Return all games of a player in the rounds that count."""
    return [
        _view_game(state, played.number, pairing, number, me)
        for played in state.live_rounds
        if (pairing := played.of_entrant(me)) is not None
        for number in range(1, len(pairing.games) + 1)
    ]


def view_wall_chart(state: TournamentState, lines: Sequence[StandingLine]) -> list[WallRow]:
    """Return the wall chart: players by rank, and what each did in each round."""
    ranks = {line.entrant: line.rank for line in lines}
    rounds = [
        (played.bye, {entrant: pairing for pairing in played.pairings for entrant in pairing.entrants})
        for played in state.live_rounds
    ]
    rows = []
    for line in lines:
        cells: list[tuple[WallCell, ...]] = []
        for bye, pairings in rounds:
            pairing = pairings.get(line.entrant)
            if pairing is None:
                cells.append((WallCell("bye" if bye == line.entrant else "", "", ""),))
                continue
            rank = f"{ranks[pairing.opponent_of(line.entrant)]}"
            shown = []
            for game in pairing.games:
                mark = "·" if game is None else "?"
                if game is not None and game.is_settled:
                    mark = _MARKS[outcome_of(game, pairing, line.entrant)]
                shown.append(WallCell(mark, rank, score_of(game, pairing, line.entrant) if game else ""))
            cells.append(tuple(shown))
        rows.append(WallRow(line.rank, line.entrant, line.name, tuple(cells), line.win_pct, line.ppt))
    return rows


def score_of(game: TableGame, pairing: PairingState, entrant: int) -> str:
    """Return the score from one side, the entrant's in front; "forfeit" for a game that was not begun."""
    mine, theirs = _sides(game.result, pairing, entrant)
    return f"{mine.score}–{theirs.score}" if mine and theirs else "forfeit"


def outcome_of(game: TableGame, pairing: PairingState, entrant: int) -> str:
    """Return won, lost or tied, for one side."""
    winner = winner_of(game.result)
    mine = "first" if pairing.first == entrant else "second"
    return "tied" if winner is None else "won" if winner == mine else "lost"


def is_told_by_players(state: TournamentState, pairing: PairingState, game: int) -> bool:
    """Return whether the players tell the result of a game, which one that is played at the service reports itself."""
    bound = [each for each in pairing.bound if each.game == game]
    is_at_service = any(each.sealed_game for each in bound)
    # In an on-line event a game that is not bound yet is about to be opened.
    return not is_at_service and (bool(bound) or not state.settings.on_line)


def _sides(result: TableResult, pairing: PairingState, entrant: int) -> tuple[SideResult | None, SideResult | None]:
    return (result.first, result.second) if pairing.first == entrant else (result.second, result.first)


def _view_game(state: TournamentState, number: int, pairing: PairingState, which: int, me: int) -> PlayerGameView:
    game = pairing.games[which - 1]
    standing, score, figures, outcome = "missing", "", "", ""
    if game is not None:
        mine, theirs = _sides(game.result, pairing, me)
        score, outcome = score_of(game, pairing, me), outcome_of(game, pairing, me)
        if mine is not None and theirs is not None:
            turns = count_of(mine.turns, "turn", "turns")
            figures = f"{mine.points} points in {turns}, {theirs.points} in {theirs.turns}"
        standing = (
            "counts" if game.is_settled else "disputed" if game.dispute else "mine" if game.by == me else "theirs"
        )
    played = state.find_round(number)
    is_open = played is not None and played.status == "published"
    bound = next((each.sealed_game for each in pairing.bound if each.game == which), "")
    return PlayerGameView(
        round=number,
        table=pairing.table,
        game=which,
        opponent=state.name_of(pairing.opponent_of(me)),
        is_first=(pairing.first == me) == (which == 1),
        outcome=outcome if standing == "counts" else "",
        score=score,
        figures=figures,
        state=standing,
        can_tell=is_open and standing != "counts" and is_told_by_players(state, pairing, which),
        sealed_game=bound,
    )
