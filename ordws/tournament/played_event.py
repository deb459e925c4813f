"""An event as draws and certificates take it: the problem of the next draft, and who met whom. Pure, without numpy."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from typing import NamedTuple

from ordws.tournament.facts import EventPairing, PairKind
from ordws.tournament.pairing.problem import Draft, PairingPlayer, PairingProblem
from ordws.tournament.prizes import has_stayed
from ordws.tournament.standings import totals_by_entrant
from ordws.tournament.state import TournamentState


class PlayedRound(NamedTuple):
    """A round that counts."""

    pairings: tuple[tuple[int, int], ...]
    """Those who met, who went first in front; a forfeit is no meeting."""
    byes: tuple[int, ...] = ()


class PlayedEvent(NamedTuple):
    """All that a certificate is made from."""

    players: tuple[PairingPlayer, ...]
    """Every entrant with the totals of the whole event, by number."""
    rounds: tuple[PlayedRound, ...]
    games_a_round: int = 1
    seed: int = 0
    facts_digest: str = ""
    """The last link of the event's hash chain; empty for a simulated event."""
    stayed: frozenset[int] | None = None
    """The entrants who were there for two thirds of the rounds; None means all."""

    @property
    def digest(self) -> str:
        """SHA-256 over totals, meetings, byes and the facts."""
        totals = [(player.number, player.points, player.turns) for player in self.players]
        parts = [totals, self.rounds, self.games_a_round, self.seed, self.facts_digest]
        return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()


def problem_of(state: TournamentState) -> PairingProblem:
    """Return the problem of drawing round `state.next_round`; equal problems have equal drafts.

    Meetings are those of games that were begun, in voided rounds too (docs/tournaments.md 5). The chance of a draft
    follows from the seed of the event, the number of the round, and how often that round was voided.
    """
    return PairingProblem(
        players=_pairing_players(state),
        present=state.present,
        rounds=state.rounds_planned,
        rounds_played=len(state.live_rounds),
        games_a_round=state.event.games_a_round,
        forbidden=_constrained_pairs(state, "forbid"),
        together=_constrained_pairs(state, "together"),
        seed=state.event.seed,
        method=state.settings.pairing,
        redraws=sum(each.number == state.next_round for each in state.rounds),
    )


def played_event(state: TournamentState, facts_digest: str) -> PlayedEvent:
    """Return the event as it was played, for its certificate; `facts_digest` is the store's `played_digest`."""
    rounds = [
        PlayedRound(
            tuple([pairing.entrants for pairing in played.pairings if pairing.have_met]),
            () if played.bye is None else (played.bye,),
        )
        for played in state.live_rounds
    ]
    return PlayedEvent(
        _pairing_players(state),
        tuple(rounds),
        state.event.games_a_round,
        state.event.seed,
        facts_digest,
        has_stayed(state),
    )


def event_pairings(draft: Draft) -> tuple[EventPairing, ...]:
    """Return the pairings of a draft, at tables from 1 on."""
    return tuple([EventPairing(table, each.first, each.second) for table, each in enumerate(draft.pairings, 1)])


def _pairing_players(state: TournamentState) -> tuple[PairingPlayer, ...]:
    meetings: dict[int, list[tuple[int, int]]] = defaultdict(list)
    starts: Counter[int] = Counter()
    replies: Counter[int] = Counter()
    for played in state.rounds:
        for pairing in played.pairings:
            if pairing.have_met:
                meetings[pairing.first].append((pairing.second, played.number))
                meetings[pairing.second].append((pairing.first, played.number))
                starts[pairing.first] += 1
                replies[pairing.second] += 1
    byes = Counter([played.bye for played in state.live_rounds])
    totals = totals_by_entrant(state)
    players = [
        PairingPlayer(
            number,
            totals[number].points,
            totals[number].turns,
            tuple([opponent for opponent, _ in meetings[number]]),
            tuple([round_ for _, round_ in meetings[number]]),
            starts[number],
            replies[number],
            byes[number],
        )
        for number in sorted(state.entrants)
    ]
    return tuple(players)


def _constrained_pairs(state: TournamentState, kind: PairKind) -> frozenset[tuple[int, int]]:
    here = [each for each in state.constraints if each.constraint == kind and each.round in (None, state.next_round)]
    return frozenset([(min(each.a, each.b), max(each.a, each.b)) for each in here])
