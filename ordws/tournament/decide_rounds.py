"""The facts that follow from commands about rounds, and about the games of their pairings. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from msgspec import structs

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.counts import count_of
from ordws.tournament.decide_entrants import get_entrant
from ordws.tournament.names import clean_name
from ordws.tournament.results import check_result, format_result
from ordws.tournament.state import PairingState, RoundState, TableGame, TournamentState


def check_may_draft(state: TournamentState) -> None:
    """Raise BadInput where no round can be drawn now, with what is in the way; a round whose results are in is not."""
    if state.is_finished:
        raise BadInput("the event is finished", hint="undo the end to play on")
    missing = find_missing(state)
    if state.open_round is not None and missing:
        raise BadInput(
            f"round {state.open_round.number} is not over: {describe_missing(state, missing)}",
            hint="key in what is missing, or void the round",
        )
    if state.next_round > state.rounds_planned:
        rounds = count_of(state.rounds_planned, "round that was planned is", "rounds are")
        raise BadInput(
            f"{'the' if state.rounds_planned == 1 else 'all'} {rounds} played",
            hint="finish the event, or set another number of rounds",
        )
    if len(state.present) < 2:
        there = f'only "{state.name_of(state.present[0])}"' if state.present else "nobody"
        raise BadInput(f"{there} is checked in, and a round needs two", hint="check the entrants in: in all")


def decide_publish(state: TournamentState, command: f.Published) -> list[f.Fact]:
    check_may_draft(state)
    if state.open_round is not None:
        raise BadInput(f"round {state.open_round.number} is not closed")
    if command.round != state.next_round:
        raise BadInput(f"the next round is {state.next_round}, not {command.round}")
    paired = [entrant for pairing in command.pairings for entrant in (pairing.first, pairing.second)]
    if command.bye is not None:
        paired.append(command.bye)
    if sorted(paired) != [*state.present]:
        counts = Counter(paired)
        wrong = sorted(
            [each for each in {*paired, *state.present} if counts[each] != (each in state.present)],
        )
        names = ", ".join([state.name_of(each) if each in state.entrants else f"#{each}" for each in wrong])
        raise BadInput(f"the draft does not pair everyone who is present once: {names}", hint="draw it again")
    if [pairing.table for pairing in command.pairings] != [*range(1, len(command.pairings) + 1)]:
        raise BadInput("the tables of a draft are numbered from 1")
    absent = tuple(sorted(state.entrants.keys() - {*paired}))
    return [structs.replace(command, absent=absent)]


def decide_pair_late(state: TournamentState, command: c.PairLate) -> list[f.Fact]:
    entrant = get_entrant(state, command.entrant)
    played = get_round(state, command.round)
    if played.status != "published":
        raise BadInput(f"round {command.round} is closed")
    if entrant.status != "present":
        raise BadInput(f'"{entrant.name}" is not checked in')
    if played.of_entrant(entrant.number) is not None:
        raise BadInput(f'"{entrant.name}" is paired in round {command.round}')
    if played.bye is None or played.bye == entrant.number:
        raise BadInput(
            f"nobody else has a bye in round {command.round}",
            hint="checked in, the entrant is paired in the next round",
        )
    if state.entrants[played.bye].status != "present":
        raise BadInput(
            f'"{state.name_of(played.bye)}", who has the bye of round {command.round}, is not here any more',
            hint="checked in, the entrant is paired in the next round",
        )
    if have_met(state, entrant.number, played.bye):
        raise BadInput(f'"{entrant.name}" and "{state.name_of(played.bye)}", who has the bye, have met')
    if any(
        each.constraint == "forbid" and {each.a, each.b} == {entrant.number, played.bye} for each in state.constraints
    ):
        raise BadInput(f'"{entrant.name}" may not meet "{state.name_of(played.bye)}", who has the bye')
    # Whoever went first less often goes first; the one who waited does where they are equal.
    waiting, late = starts_of(state, played.bye), starts_of(state, entrant.number)
    first, second = (played.bye, entrant.number) if waiting <= late else (entrant.number, played.bye)
    table = len(played.pairings) + 1
    return [f.PairedLate(round=command.round, pairing=f.EventPairing(table, first, second))]


def decide_void(state: TournamentState, command: f.Voided) -> list[f.Fact]:
    played = get_round(state, command.round)
    last = state.last_round
    if last is None or last.number != played.number:
        number = last.number if last else 0
        raise BadInput(
            f"only the last round can be voided, which is round {number}", hint="correct its results instead"
        )
    reason = clean_name(command.reason, "reason")
    if not reason:
        raise BadInput(f"round {command.round} cannot be voided without a reason")
    for table in command.began:
        get_pairing(state, command.round, table)
    began = [each.table for each in played.pairings if each.have_met or each.table in command.began]
    return [structs.replace(command, reason=reason, began=tuple(began))]


def decide_close(state: TournamentState, command: f.Closed) -> list[f.Fact]:
    played = get_round(state, command.round)
    if played.status == "closed":
        return []
    if missing := find_missing(state):
        raise BadInput(
            f"round {command.round} is not over: {describe_missing(state, missing)}",
            hint="key in what is missing; a player who did not come forfeits",
        )
    return [command]


def decide_finish(state: TournamentState, command: f.Finished) -> list[f.Fact]:
    if state.open_round is not None:
        raise BadInput(f"round {state.open_round.number} is not closed", hint="close it first")
    if not state.live_rounds:
        raise BadInput(
            "no round has been played", hint="an event ends after its last round, or after any that was closed"
        )
    return [command]


def get_round(state: TournamentState, number: int) -> RoundState:
    """Return the round of a number that counts; raise BadInput with the rounds there are."""
    found = state.find_round(number)
    if found is None:
        there = len(state.live_rounds)
        rounds = f"rounds 1 to {there} are" if there > 1 else "round 1 alone is" if there else "no round is"
        raise BadInput(f"there is no round {number}: {rounds} published")
    return found


def get_pairing(state: TournamentState, number: int, table: int) -> PairingState:
    """Return the pairing at a table of a round; raise BadInput with the tables there are."""
    played = get_round(state, number)
    pairing = played.at_table(table)
    if pairing is None:
        raise BadInput(f"round {number} has no table {table}: its tables are 1 to {len(played.pairings)}")
    return pairing


def find_missing(state: TournamentState) -> list[tuple[PairingState, int]]:
    """Return the games of the open round without a result that counts, each as its pairing and its number."""
    if state.open_round is None:
        return []
    return [
        (pairing, number)
        for pairing in state.open_round.pairings
        for number, game in enumerate(pairing.games, 1)
        if game is None or not game.is_settled
    ]


def describe_missing(state: TournamentState, missing: list[tuple[PairingState, int]]) -> str:
    """Return missing results in words: the first three, and how many more there are."""
    shown = []
    for pairing, number in missing[:3]:
        game = pairing.games[number - 1]
        names = f"table {pairing.table} ({state.name_of(pairing.first)} - {state.name_of(pairing.second)})"
        which = f", game {number}" if len(pairing.games) > 1 else ""
        why = ""
        if game is not None and game.by is not None:
            opponent = state.name_of(pairing.opponent_of(game.by))
            why = f", {'disputed' if game.dispute else 'not confirmed'} by {opponent}"
        shown.append(names + which + why)
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return f"no result of {'; '.join(shown)}{more}"


def has_games_at_the_service(history: Sequence[f.RecordedFact]) -> bool:
    """Return True if the desk has opened games for the round that was published last."""
    since = takewhile(lambda each: not isinstance(each.fact, f.Published), reversed(history))
    return any(isinstance(each.fact, f.Bound) and each.actor == f.SERVICE_ACTOR for each in since)


def have_met(state: TournamentState, a: int, b: int) -> bool:
    """Return True if two have begun a game against each other, also in a round that was voided."""
    return any(
        {a, b} == {*pairing.entrants} and pairing.have_met for played in state.rounds for pairing in played.pairings
    )


def starts_of(state: TournamentState, entrant: int) -> int:
    """Return in how many meetings more an entrant went first than second."""
    meetings = [
        pairing
        for played in state.rounds
        for pairing in played.pairings
        if entrant in pairing.entrants and pairing.have_met
    ]
    return sum(1 if pairing.first == entrant else -1 for pairing in meetings)


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
