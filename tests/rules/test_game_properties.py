"""Invariants of random games under every rule set and random options."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from each_row import each_row
from game_scripts import phase_text
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_referee import Referee
from random_events import random_events, random_game

from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.rules.bag import sort_tiles
from ordws.rules.ending import find_end_reason
from ordws.rules.event import Adjusted, Caught, Event, ScoreEntryKind
from ordws.rules.fault import Fault, Illegal
from ordws.rules.game import current_state, iter_states
from ordws.rules.options import with_options
from ordws.rules.receipt import build_receipt
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.state import DepartureReason, EndReason, GameOver, GameState, MayReplay, Phase, ToMove, TurnOutcome
from ordws.rules.tiles import BLANK
from tests.mining.random_play import random_event
from tests.mining.simulation import play_out

IDS = sorted(RULE_SETS)
SEEDS = st.integers(0, 2**32)


def tiles_in_play(state: GameState) -> str:
    """Return all tiles on the board, on racks, in the bag, and given back in an exchange."""
    board = [tile if tile.isupper() else BLANK for row in state.board.rows() for tile in row if tile != "."]
    return sort_tiles("".join([*board, *(seat.rack for seat in state.seats), state.bag, state.exchanged_tiles]))


@pytest.mark.parametrize("rules", IDS)
@given(seed=SEEDS)
@settings(max_examples=max(5, settings.default.max_examples // 10))
def test_tiles_are_conserved(rules, seed):
    """Board, racks, bag and exchanged tiles are always the tiles of the bag, and no rack is too full."""
    rng = Random(seed)
    game = random_game(RULE_SETS[rules], rng)
    for state, _, _ in random_events(game, rng):
        assert tiles_in_play(state) == game.bag
        assert all(len(seat.rack) <= game.rules.rack_size for seat in state.seats)


@pytest.mark.parametrize("rules", IDS)
@given(seed=SEEDS)
@settings(max_examples=max(5, settings.default.max_examples // 10))
def test_accepted_events_replay_to_the_same_states(rules, seed):
    """The events that fit, replayed without the refused ones, lead to the same states."""
    rng = Random(seed)
    game = random_game(RULE_SETS[rules], rng)
    steps = [*random_events(game, rng)]
    fitting = tuple([event for _, event, following in steps if not isinstance(following, Illegal)])
    reached = [following for _, _, following in steps if not isinstance(following, Illegal)]
    assert [*iter_states(replace(game, events=fitting))][1:] == reached
    if reached:
        assert current_state(replace(game, events=fitting)) == reached[-1]


@pytest.mark.parametrize("rules", IDS)
@given(seed=SEEDS)
@settings(max_examples=max(5, settings.default.max_examples // 10))
def test_a_score_is_the_sum_of_turns_and_entries(rules, seed):
    """A score is the sum of its player's turns and entries, and a play that stands has the score of its receipt."""
    rng = Random(seed)
    game = random_game(RULE_SETS[rules], rng)
    for state, event, following in random_events(game, rng):
        for player, score in enumerate(state.scores):
            entries = [entry.points for entry in state.entries if entry.player == player]
            assert score == state.turn_totals(player)[1] + sum(entries)
        for turn in state.turns:
            if turn.outcome is TurnOutcome.MADE:
                assert turn.points == (build_receipt(turn.ruling).score if turn.ruling else 0)
        if isinstance(event, Adjusted) and not isinstance(following, Illegal):
            assert sum(following.scores) == sum(state.scores) + event.points


@pytest.mark.parametrize("rules", IDS)
@given(seed=SEEDS)
@settings(max_examples=max(5, settings.default.max_examples // 10))
def test_the_board_reads_the_same_both_ways(rules, seed):
    """Both texts of the board hold the same tiles, which are those of the turns that added some."""
    rng = Random(seed)
    for state, _, _ in random_events(random_game(RULE_SETS[rules], rng), rng):
        columns = ["".join(column) for column in zip(*state.board.rows(), strict=True)]
        stride = state.board.side + 1
        down = [state.board.down[at : at + stride - 1].decode() for at in range(stride, stride * stride, stride)]
        assert columns == down
        covered = [square for turn in state.turns if turn.added_tiles for square in turn.ruling.new_squares]
        assert len(covered) == len(set(covered)) == sum(len(row) - row.count(".") for row in state.board.rows())


@pytest.mark.parametrize("rules", IDS)
@given(seed=SEEDS)
@settings(max_examples=max(5, settings.default.max_examples // 10))
def test_each_turn_is_the_next_active_players(rules, seed):
    """Each turn is the next active player's; a player who has left has none."""
    rng = Random(seed)
    for state, _, following in random_events(random_game(RULE_SETS[rules], rng), rng):
        if isinstance(following, Illegal) or not isinstance(following.phase, ToMove | MayReplay):
            continue
        mover = following.phase.player
        assert following.seats[mover].departure is None
        if isinstance(following.phase, ToMove) and len(following.turns) > len(state.turns):
            last = following.turns[-1].player
            between = [(last + i) % len(state.seats) for i in range(1, len(state.seats))]
            before = between[: between.index(mover)] if mover in between else between
            assert all(following.seats[player].departure is not None for player in before)


def test_random_games_reach_every_event_phase_and_fault():
    """Random games reach every event, phase, end, outcome and departure, and every fault of a game."""
    events: set[type] = set()
    phases: set[type] = set()
    endings, outcomes, departures, kinds, faults = set(), set(), set(), set(), set()
    for seed in range(220):
        rng = Random(seed)
        game = random_game(RULE_SETS[IDS[seed % 5]], rng)
        for state, event, following in random_events(game, rng):
            if isinstance(following, Illegal):
                faults.add(following.fault)
            else:
                events.add(type(event))
            phases.add(type(state.phase))
            endings |= {state.phase.reason} if isinstance(state.phase, GameOver) else set()
            outcomes |= {turn.outcome for turn in state.turns}
            departures |= {seat.departure.reason for seat in state.seats if seat.departure}
            kinds |= {entry.kind for entry in state.entries}
    assert events == set(get_args(Event))
    assert phases == set(get_args(Phase))
    assert (endings, outcomes, departures, kinds) == (
        set(EndReason),
        set(TurnOutcome),
        set(DepartureReason),
        set(ScoreEntryKind),
    )
    assert {fault for fault in Fault if fault.value in GAME_FAULTS} <= faults


GAME_FAULTS = {
    "game-over",
    "not-your-turn",
    "draw-first",
    "bad-draw",
    "swap-not-allowed",
    "no-such-blank",
    "exchange-not-allowed",
    "bag-too-low",
    "not-on-rack",
    "unacceptable-play",
    "challenge-not-allowed",
    "check-not-allowed",
    "not-a-new-word",
    "play-stands",
    "bad-time",
    "adjustment-not-allowed",
}


@pytest.mark.parametrize("rules", IDS)
@given(seed=SEEDS)
@settings(max_examples=max(5, settings.default.max_examples // 10))
def test_no_end_is_overlooked(rules, seed):
    """While a player is to move no rule ends the game (docs/rules.md 7.2, 8.2)."""
    rng = Random(seed)
    for state, _, _ in random_events(random_game(RULE_SETS[rules], rng), rng):
        if isinstance(state.phase, ToMove | MayReplay):
            assert find_end_reason(state) is None


COMMON = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()
REFEREED = [
    *[(rules, {}) for rules in RULE_SETS],
    ("classic", {"challenge": "triple"}),
    ("dover", {"challenge": "double", "late_bad_play": "until-next-turn"}),
    *[(rules, {"clock_seconds": "600"}) for rules in ("scrabble-i-classic", "scrabble-o")],
    ("scrabble-i-classic", {"clock_seconds": "900", "challenge": "double", "late_bad_play": "always"}),
]


@each_row("players", [2, 3, 4])
@each_row(("rules_id", "options"), REFEREED)
def test_a_naive_referee_agrees(rules_id, options, players):
    """A referee who only counts turns agrees with the engine (docs/rules.md 7.2, 8.2, A-25, A-28)."""
    base = RULE_SETS[rules_id]
    scoop = str(players * base.rack_size + 12)
    rules = with_options(base, {**options, "most_players": "4", "scoop": scoop})
    graph = Graph.from_words(words_for(rules, COMMON))
    for seed in range(4):
        game = play_out(rules, graph, players, Random(seed), random_event)
        referee = Referee(rules, players)
        for event, (before, state) in zip(game.events, pairwise(iter_states(game)), strict=True):
            last = before.turns[-1] if before.turns else None
            referee.words = frozenset(last.ruling.words if last and last.ruling else ())
            referee.see(event, len(before.bag))
            if isinstance(event, Caught):
                for record, turn in zip(referee.turns, state.turns, strict=False):
                    record.added = turn.added_tiles
            if isinstance(state.phase, ToMove | MayReplay | GameOver):
                racks = [len(seat.rack) for seat in state.seats]
                verdict = referee.verdict(len(state.bag), racks, state.scores, state.board.is_empty)
                assert verdict == phase_text(state.phase).replace("plays again", "to move")
