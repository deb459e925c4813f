"""Games as events: the initial state, events that do not fit, and the history of turns."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from each_row import each_row

from ordws.records.notation import read_move
from ordws.rules.bag import draw_tiles, fill_bag
from ordws.rules.event import Clocked, Drew, Exchanged, Passed, Played, Resigned, Stood, Swapped, TimeUp
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, current_state, initial_state, iter_states
from ordws.rules.move import Exchange, Pass
from ordws.rules.ruleset import CLASSIC, RULE_SETS, SCRABBLE_I, SCRABBLE_I_CLASSIC
from ordws.rules.state import MayBeChallenged, ToDraw, ToMove, TurnOutcome, unseen_tiles

BAG = "CATSDOGHAMLETSBIRDEN"
RULES = replace(CLASSIC, scoop=20)
DRAWN = (Drew(0, "CATSDOG"), Drew(1, "HAMLETS"))


def played(player, text, accepted=True):
    return Played(player, read_move(text), accepted)


def test_a_game_begins_with_everybody_drawing():
    """A game begins with an empty board, a full bag and no points; player 1 moves when all have drawn."""
    state = initial_state(Game(RULES, 2, BAG))
    assert (state.phase, state.scores, state.bag) == (ToDraw((0, 1), 1), (0, 0), "AABCDDEEGHILMNORSSTT")
    assert state.board.is_empty
    assert current_state(Game(RULES, 2, BAG, DRAWN)).player_to_move == 0


@each_row(("rules", "players"), [(RULES, 1), (RULES, 3), (RULES, 5), (SCRABBLE_I_CLASSIC, 5)])
def test_a_rule_set_has_a_number_of_players(rules, players):
    """The regular game is for two players, the new games for two to four (docs/rules.md 3.1)."""
    with pytest.raises(ValueError, match=rf"^{players} players cannot play a game for 2 to {rules.most_players}$"):
        initial_state(Game(rules, players, BAG))
    assert initial_state(Game(replace(RULES, most_players=3, rack_size=6), 3, BAG)).active_players == [0, 1, 2]


@each_row("bag", ["", BAG[:-1], BAG[:-1] + "Ä", "J" * 20])
def test_a_bag_is_filled_from_the_pool(bag):
    """A bag holds as many tiles as the rule set says, and none that its distribution lacks (docs/rules.md 2.2.2)."""
    with pytest.raises(ValueError, match=rf'^the bag "{bag}" is not 20 tiles of classic$'):
        initial_state(Game(RULES, 2, bag))


def test_a_bag_fills_the_racks():
    """A bag that does not fill all racks makes no game (docs/rules.md 3.1)."""
    with pytest.raises(ValueError, match=r"^20 tiles do not fill 3 racks of 7$"):
        initial_state(Game(replace(RULES, most_players=3), 3, BAG))


def test_an_event_that_does_not_fit_is_named():
    """An event that does not fit is named by its number, its fault and the sentence for the player."""
    game = Game(RULES, 2, BAG, (*DRAWN, played(0, "8G CATS"), Passed(0)))
    message = r"^event 4, Passed\(player=0\): draw-first: player 1 has tiles to draw first$"
    with pytest.raises(ValueError, match=message):
        current_state(game)
    assert len([*iter_states(replace(game, events=game.events[:3]))]) == 4


def test_events_of_one_player_are_not_equal():
    """Events of different kinds with the same player are not equal."""
    assert len({Passed(0), Resigned(0), TimeUp(0), Stood(), Passed(0)}) == 4
    assert ToMove(0) != MayBeChallenged(0, None)


def test_a_refused_event_does_not_change_the_state():
    """A refused event does not change the state (docs/rules.md 3.6)."""
    state = current_state(Game(RULES, 2, BAG, DRAWN))
    same = current_state(Game(RULES, 2, BAG, DRAWN))
    for event in (played(0, "8G CATTS"), Exchanged(0, "Q"), Swapped(0, 7, 7), Passed(1), Clocked(0, -1), Stood()):
        assert isinstance(apply_event(state, event), Illegal)
    assert state == same


@each_row(
    ("event", "sentence"),
    [
        (Passed(1), "it is the turn of player 1"),
        (Passed(7), "there is no player 8"),
        (Drew(0, "B"), "no tiles are to be drawn, not 1"),
        (Exchanged(0, "Z"), "the bag holds 6 tiles, and 7 are needed for this exchange"),
        (Swapped(0, 7, 7), "these rules have no swap for the blank"),
        (Clocked(0, -1), "time does not run backwards"),
        (TimeUp(0), "no time limit takes a turn, or the game, from a player"),
        (Stood(), "no play is in question"),
        (played(0, "8G CATTS"), 'the rack has no "T" left for this play'),
    ],
)
def test_each_refusal_has_a_sentence(event, sentence):
    """Each refusal has a sentence for the player."""
    assert apply_event(current_state(Game(RULES, 2, BAG, DRAWN)), event).message == sentence


def test_the_history_records_every_turn():
    """A turn records its player, move, points, outcome, the tiles in the bag, and the words."""
    events = (*DRAWN, played(0, "8G CATS"), Drew(0, "BIRD"), Passed(1))
    first, second = current_state(Game(RULES, 2, BAG, events)).turns
    assert (first.player, first.move, first.points, first.outcome, first.bag_count) == (
        0,
        events[2].play,
        12,
        TurnOutcome.MADE,
        6,
    )
    assert first.ruling.words == ["CATS"]
    assert (second.player, second.move, second.points, second.added_tiles) == (1, Pass(), 0, False)


def test_an_exchange_is_kept_with_its_tiles():
    """The turn of an exchange records its tiles."""
    game = Game(replace(RULES, exchange_min=2), 2, BAG, (*DRAWN, Exchanged(0, "CT")))
    state = current_state(game)
    assert (state.turns[0].move, state.exchanged_tiles, len(state.bag)) == (Exchange("CT"), "CT", 6)
    state = apply_event(state, Drew(0, "BI"))
    assert (state.exchanged_tiles, state.bag, state.seats[0].rack) == ("", "CDENRT", "ABDGIOS")


def test_time_used_adds_up():
    """Each player's time adds up over the game."""
    state = current_state(Game(RULES, 2, BAG, (Clocked(0, 30_001), *DRAWN, Clocked(0, 40), Clocked(1, 5))))
    assert [seat.milliseconds for seat in state.seats] == [30_041, 5]


def test_unseen_tiles_are_counted_from_the_pool():
    """Unseen tiles are counted from the pool, not from the scoop (docs/rules.md 2.2.3)."""
    state = initial_state(Game(SCRABBLE_I, 2, fill_bag(SCRABBLE_I, Random(11))))
    tiles = "T" * 5 + "A" * 25 + "E" * 37 + "oo"
    board = state.board.with_letters({(i // 21, i % 21): tile for i, tile in enumerate(tiles)})
    counts = unseen_tiles(state._replace(board=board), 0)
    assert (counts["T"], counts["?"], sum(counts.values())) == (14, 7, 231)


def test_a_players_unseen_tiles_are_bag_and_opponents_rack():
    """A player's unseen tiles are the bag and the opponent's rack."""
    state = current_state(Game(RULES, 2, BAG, DRAWN))
    mine, theirs = unseen_tiles(state, 0), unseen_tiles(state, 1)
    assert (mine["C"], mine["H"], sum(mine.values())) == (1, 2, 93)
    assert (theirs["C"], theirs["H"], sum(theirs.values())) == (2, 1, 93)


@each_row("rules", RULE_SETS.values())
def test_passes_end_no_game_while_the_board_is_empty_and_the_bag_full(rules):
    """Twelve passes end no game while the board is empty and the bag full, under any rule set (docs/rules.md 7.2)."""
    rng = Random(1)
    state = initial_state(Game(rules, 2, fill_bag(rules, rng)))
    for player in (0, 1):
        state = apply_event(state, Drew(player, draw_tiles(state.bag, rules.rack_size, rng)))
    for turn in range(12):
        state = apply_event(state, Passed(turn % 2))
    assert state.phase == ToMove(0)
