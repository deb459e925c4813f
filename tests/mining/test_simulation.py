"""Tests that simulated games are consistent under every rule set."""

from collections import Counter
from functools import cache
from random import Random
from typing import get_args

import pytest
from each_row import each_row
from word_lists import read_word_list

from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.rules.board import Board
from ordws.rules.event import Event, Exchanged, Passed, Played, Proposed, Resigned, RoundOpened, Swapped
from ordws.rules.game import Game, current_state, iter_states
from ordws.rules.options import with_options
from ordws.rules.receipt import Receipt, build_receipt
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, RuleSet
from ordws.rules.state import EndReason, GameOver, GameState, ToMove, TurnOutcome
from tests.mining.random_play import random_event
from tests.mining.simulation import honest_strategy, play_out

VARIATIONS = {
    "classic": [
        "challenge=single",
        "challenge=five clock_seconds=300 unplayed_tiles=transfer",
        "challenge=triple",
        "challenge=ten swap=on late_bad_play=always",
        "challenge=void end=cycle-plus-one ties=before-unplayed",
        "clock=total clock_seconds=120 most_players=3",
    ],
    "scrabble-i-classic": ["small_word_cap=on check_ospd=dover", "clock_seconds=600 premium=multiply"],
    "scrabble-o": ["challenge=double late_bad_play=always"],
    "scrabble-i": ["check_ospd=none scoop=40", "clock=turn clock_seconds=60 wings=new-tile"],
    "dover": ["three_i_to_aeo=on overdraw=plus-two scoop=120", "rack_size=5 check_ospd=official swap=on"],
}
GAMES = [
    (rules, players)
    for id, base in RULE_SETS.items()
    for options in ("", *VARIATIONS[id])
    for rules in [with_options(base, dict(option.split("=") for option in options.split()))]
    for players in ({rules.most_players} if options else {2, rules.most_players})
]
NAMES = [f"{rules.id}-{players}" for rules, players in GAMES]


@cache
def graph_for(rules: RuleSet) -> Graph:
    return Graph.from_words(words_for(rules, read_word_list("common")))


@cache
def random_game(rules: RuleSet, players: int) -> Game:
    return play_out(rules, graph_for(rules), players, Random(players), random_event)


@cache
def random_states(rules: RuleSet, players: int) -> list[GameState]:
    return list(iter_states(random_game(rules, players)))


@cache
def honest_game(rules: RuleSet, seed: int) -> Game:
    return play_out(rules, graph_for(rules), rules.most_players, Random(seed))


def tiles_in(state: GameState) -> Counter[str]:
    board = [letter if letter.isupper() else "?" for row in state.board.rows() for letter in row if letter != "."]
    return Counter([*board, *state.bag, *state.exchanged_tiles, *"".join([seat.rack for seat in state.seats])])


def total_of(lines: Receipt) -> int:
    return lines.bonus.points + sum([word.factor * sum([line.points for line in word.letters]) for word in lines.words])


def words_on(board: Board) -> set[str]:
    rows = board.rows()
    lines = [*rows, *("".join(column) for column in zip(*rows, strict=True))]
    return {run.upper() for line in lines for run in line.split(".") if len(run) > 1}


@each_row(("rules", "players"), GAMES)
def test_tiles_are_conserved(rules, players):
    """After each event the bag, the racks and the board hold the tiles of the game, and no rack holds too many."""
    game = random_game(rules, players)
    filled = Counter(game.bag)
    for state in random_states(rules, players):
        assert tiles_in(state) == filled
        assert max([len(seat.rack) for seat in state.seats]) <= rules.rack_size


@each_row(("rules", "players"), GAMES)
def test_a_score_is_the_sum_of_its_items(rules, players):
    """A score is the sum of the receipts of plays that count, the costs of checks, and the entries."""
    state = random_states(rules, players)[-1]
    totals = [0] * players
    for turn in state.turns:
        if turn.outcome is TurnOutcome.MADE and turn.ruling is not None:
            totals[turn.player] += total_of(build_receipt(turn.ruling))
        else:
            assert turn.points <= 0
            assert turn.points == 0 or turn.outcome is TurnOutcome.OFF
            totals[turn.player] += turn.points
    for entry in state.entries:
        totals[entry.player] += entry.points
    assert state.scores == tuple(totals)


@each_row(("rules", "players"), GAMES)
def test_a_game_comes_to_an_end_and_replays(rules, players):
    """A game is over after its last event and not before, and replaying its events gives the same state."""
    game = random_game(rules, players)
    states = random_states(rules, players)
    assert [isinstance(state.phase, GameOver) for state in states] == [False] * len(game.events) + [True]
    assert current_state(Game(rules, players, game.bag, game.events)) == states[-1]


def test_the_games_cover_every_event_and_outcome():
    """The games of these tests contain every kind of event, every outcome of a turn, and every way to end."""
    random_games = [random_game(*game) for game in GAMES]
    honest_games = [honest_game(rules, 1) for rules in RULE_SETS.values()]
    ends = [*(random_states(*game)[-1] for game in GAMES), *map(current_state, honest_games)]
    # The unplayed tiles round opens behind games that set its option; simulated games end where it would begin.
    possible = set(get_args(Event)) - {RoundOpened, Proposed}
    assert {type(event) for game in random_games for event in game.events} == possible
    assert {turn.outcome for state in ends for turn in state.turns} == set(TurnOutcome)
    assert {state.phase.reason for state in ends if isinstance(state.phase, GameOver)} == set(EndReason)


@each_row("rules", RULE_SETS.values())
@each_row("seed", [1, 2])
def test_honest_players_put_only_words_of_the_list_on_the_board(rules, seed):
    """After an honest game every run of tiles is a word of the list, and every play counts."""
    words = words_for(rules, read_word_list("common"))
    state = current_state(honest_game(rules, seed))
    assert words_on(state.board) <= words
    assert {turn.outcome for turn in state.turns} == {TurnOutcome.MADE}
    assert len(words_on(state.board)) > 20


def test_honest_players_swap_for_the_blank_where_they_may():
    """Honest players swap for blanks under the rule sets that allow it, and under no other."""
    swaps = {
        id: [event for seed in (1, 2) for event in honest_game(rules, seed).events if isinstance(event, Swapped)]
        for id, rules in RULE_SETS.items()
    }
    assert {id for id, events in swaps.items() if events} == {"scrabble-i-classic", "scrabble-o", "scrabble-i"}


def test_the_same_seed_gives_the_same_game():
    """A game follows from its seed, under either strategy."""
    rules = with_options(SCRABBLE_I, {"scoop": 40})
    for choose in (honest_strategy, random_event):
        games = [play_out(rules, graph_for(rules), 3, Random(seed), choose) for seed in (5, 5, 6)]
        assert games[0] == games[1]
        assert games[0] != games[2]


@pytest.mark.parametrize("rules", [CLASSIC, DOVER], ids=["classic", "dover"])
def test_honest_players_resign_if_nothing_can_be_played(rules):
    """If no word can ever be made, players exchange for a while and resign."""
    game = play_out(rules, Graph.from_words(["ZZZZZZZZZ"]), 2, Random(1))
    assert [type(event) for event in game.events if isinstance(event, Exchanged | Passed | Played | Resigned)] == [
        *[Exchanged] * 24,
        Resigned,
    ]
    assert current_state(game).phase == GameOver(EndReason.FORFEIT)


def test_an_event_that_does_not_fit_is_an_error():
    """An event that the rules refuse ends the simulation with an error that has the reason."""
    with pytest.raises(ValueError, match=r"Passed\(player=0\) cannot happen: player 1 has tiles to draw first"):
        play_out(CLASSIC, Graph.from_words(["CAT"]), 2, Random(1), lambda state, graph, rng: Passed(0))


def test_no_event_follows_the_end():
    """A game that is over has no next event."""
    state = current_state(random_game(*GAMES[0]))
    with pytest.raises(ValueError, match="the game is over"):
        honest_strategy(state, graph_for(CLASSIC), Random(1))


def test_an_honest_player_challenges_bad_plays():
    """A play is withdrawn exactly if one of its words is not in the list, whatever its player believes."""
    known, believed = Graph.from_words(read_word_list("short")), graph_for(CLASSIC)

    def choose(state: GameState, graph: Graph, rng: Random) -> Event:
        is_mistaken = isinstance(state.phase, ToMove) and rng.random() < 0.5
        return honest_strategy(state, believed if is_mistaken else graph, rng)

    turns = [turn for turn in current_state(play_out(CLASSIC, known, 2, Random(1), choose)).turns if turn.ruling]
    good = [all(word in known for word in turn.ruling.words) for turn in turns if turn.ruling]
    assert [turn.outcome for turn in turns] == [TurnOutcome.MADE if is_good else TurnOutcome.OFF for is_good in good]
    assert {*good} == {True, False}
