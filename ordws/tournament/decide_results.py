"""The facts that follow from commands about the games of a pairing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from msgspec import structs

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide_entrants import get_entrant
from ordws.tournament.decide_rounds import get_pairing, get_round
from ordws.tournament.names import clean_name
from ordws.tournament.results import check_result, format_result
from ordws.tournament.state import PairingState, TableGame, TournamentState

CLAIMS_AN_HOUR: Final = 6
"""The times that a player may tell another result of one game: each is a fact, which stays for good."""

_CORRECTION_HINT: Final = "to correct a result send the right one with a reason: ... because REASON"


def decide_begin(state: TournamentState, command: f.Began) -> list[f.Fact]:
    pairing = _get_open_pairing(state, command.round, command.table)
    return [] if pairing.began else [command]


def decide_bind(state: TournamentState, command: f.Bound) -> list[f.Fact]:
    pairing = _get_open_pairing(state, command.round, command.table)
    if find_game(state, command) is not None:
        raise BadInput(f"{_place(state, command)} has a result already")
    if bool(command.sealed_game) == bool(command.device):
        raise BadInput("a pairing is bound to a sealed game or to a device: name one of them")
    if (command.game, command.sealed_game, command.device) in pairing.bound:
        return []
    return [command]


def decide_result(state: TournamentState, command: f.Resulted | f.Reported) -> list[f.Fact]:
    """Return the fact of a result that counts at once; a result that counts already is replaced by `correct` alone."""
    game = find_game(state, command)
    check_result(command.result)
    if game is not None and game.is_settled:
        if game.result == command.result:
            return []
        raise BadInput(
            f"{_place(state, command)} has the result {format_result(game.result)} already",
            hint=_CORRECTION_HINT,
        )
    _get_open_pairing(state, command.round, command.table)
    return [command]


def decide_claim(
    state: TournamentState, command: c.ClaimResult, history: Sequence[f.RecordedFact] = ()
) -> list[f.Fact]:
    """Return the fact of a player's claim: a first claim, the confirmation of the opponent's, or a dispute."""
    game = find_game(state, command)
    check_result(command.result)
    pairing = _get_open_pairing(state, command.round, command.table)
    _check_plays_there(state, pairing, command.entrant)
    if game is not None and game.is_settled:
        if game.result == command.result:
            return []
        raise BadInput(f"{_place(state, command)} has the result {format_result(game.result)}: tell a director")
    if game is None or game.by == command.entrant:
        if game is not None and game.result == command.result:
            return []
        _check_claims(command, history)
        return [
            f.Resulted(
                round=command.round,
                table=command.table,
                game=command.game,
                result=command.result,
                source="player",
                by=command.entrant,
            )
        ]
    if game.result == command.result:
        return [f.Confirmed(round=command.round, table=command.table, game=command.game, entrant=command.entrant)]
    if game.dispute is not None and game.dispute.result == command.result:
        return []
    _check_claims(command, history)
    return [
        f.Disputed(
            round=command.round, table=command.table, game=command.game, entrant=command.entrant, result=command.result
        )
    ]


def _check_claims(command: c.ClaimResult, history: Sequence[f.RecordedFact]) -> None:
    """Raise BadInput for a player who has told this result too often within an hour."""
    actor, place = f.actor_of(command.entrant), (command.round, command.table, command.game)
    told = sum(
        isinstance(each.fact, f.Resulted | f.Disputed)
        and each.actor == actor
        and (each.fact.round, each.fact.table, each.fact.game) == place
        for each in takewhile(lambda each: each.at > command.now - 3_600, reversed(history))
    )
    if told >= CLAIMS_AN_HOUR:
        raise BadInput(
            f"you have told this result {told} times within an hour", hint="call a director, who keys in what is right"
        )


def decide_confirm(state: TournamentState, command: c.ConfirmResult, expected: int | None) -> list[f.Fact]:
    game = find_game(state, command)
    pairing = _get_open_pairing(state, command.round, command.table)
    if game is None:
        raise BadInput(f"{_place(state, command)} has no result to confirm")
    if game.is_settled:
        return []
    reason = clean_name(command.reason, "reason")
    if command.entrant is None:
        if not reason:
            raise BadInput(f"a director confirms {_place(state, command)} with a reason")
    else:
        _check_plays_there(state, pairing, command.entrant)
        if command.entrant == game.by:
            raise BadInput(f'"{state.name_of(command.entrant)}" has told the result: the opponent confirms it')
    if expected is None and command.result is None:
        raise BadInput(
            f"it is not said which result of {_place(state, command)} is confirmed: it may have changed since",
            hint="load the page again, or name the figures: confirm 3 412:398/13 371:380/13 because REASON",
        )
    if command.result not in (None, game.result):
        raise BadInput(f"{_place(state, command)} has the result {format_result(game.result)}, and not this one")
    fact = f.Confirmed(
        round=command.round, table=command.table, entrant=command.entrant, game=command.game, reason=reason
    )
    return [fact]


def decide_correct(state: TournamentState, command: f.Corrected) -> list[f.Fact]:
    game = find_game(state, command)
    check_result(command.result)
    if game is None:
        raise BadInput(f"{_place(state, command)} has no result to correct", hint="key it in without a reason")
    if game.is_settled and game.result == command.result:
        return []
    reason = clean_name(command.reason, "reason")
    if not reason:
        raise BadInput(f"the result of {_place(state, command)} cannot be corrected without a reason")
    return [structs.replace(command, reason=reason)]


def find_game(state: TournamentState, command: c.GameCommand) -> TableGame | None:
    """Return the game that a command names, None without a result; raise BadInput where there is no such game."""
    pairing = get_pairing(state, command.round, command.table)
    if not 1 <= command.game <= len(pairing.games):
        games = "one game" if len(pairing.games) == 1 else f"{len(pairing.games)} games"
        raise BadInput(f"there is no game {command.game}: a round has {games}")
    return pairing.games[command.game - 1]


def _get_open_pairing(state: TournamentState, number: int, table: int) -> PairingState:
    pairing = get_pairing(state, number, table)
    if get_round(state, number).status != "published":
        raise BadInput(f"round {number} is closed", hint=_CORRECTION_HINT)
    return pairing


def _check_plays_there(state: TournamentState, pairing: PairingState, entrant: int) -> None:
    name = get_entrant(state, entrant).name
    if entrant not in pairing.entrants:
        raise BadInput(f'"{name}" does not play at table {pairing.table}')


def _place(state: TournamentState, command: c.GameCommand) -> str:
    pairing = get_pairing(state, command.round, command.table)
    names = f"{state.name_of(pairing.first)} - {state.name_of(pairing.second)}"
    game = f", game {command.game}" if len(pairing.games) > 1 else ""
    return f"round {command.round}, table {command.table} ({names}){game}"
