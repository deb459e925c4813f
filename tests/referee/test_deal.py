"""Tests of the random events of a sealed game."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from each_row import each_row

from ordws.errors import Broken
from ordws.referee.sealed_game import apply_events, new_game, run_automatic_events
from ordws.rules.bag import contains_tiles, pool
from ordws.rules.board import Axis
from ordws.rules.event import Drew, Passed, Played
from ordws.rules.game import current_state
from ordws.rules.move import Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.state import ToMove


@each_row("rules", RULE_SETS.values())
def test_a_game_begins_with_full_racks(rules):
    """A dealt game has the bag of its rules, a full rack from it for each player, and the first player to move."""
    game = new_game(rules, rules.most_players, Random(1))
    state = current_state(game)
    assert len(game.bag) == rules.scoop
    assert contains_tiles(pool(rules), game.bag)
    assert state.phase == ToMove(0)
    assert [len(seat.rack) for seat in state.seats] == [rules.rack_size] * rules.most_players
    assert Counter(state.bag + "".join([seat.rack for seat in state.seats])) == Counter(game.bag)


def test_each_tile_is_as_likely_as_any_other():
    """Over many deals the first rack holds each tile about as often as the bag does."""
    seen = Counter()
    for seed in range(400):
        seen.update(current_state(new_game(RULE_SETS["classic"], 2, Random(seed))).seats[0].rack)
    assert 0.09 < seen["E"] / 2_800 < 0.15
    assert 0.01 < seen["?"] / 2_800 < 0.035


def test_a_player_draws_the_missing_tiles_alone():
    """After a play its player draws the missing tiles, or all that are left in the bag."""
    rules = with_options(RULE_SETS["scrabble-o"], {"scoop": 16})
    state = current_state(new_game(rules, 2, Random(3)))
    tiles = "".join([tile if tile != "?" else "a" for tile in state.seats[0].rack[:4]])
    state = apply_events(state, Played(0, Play(7, 4, Axis.ACROSS, tiles.encode())))
    drawn, after = run_automatic_events(state, Random(3))
    assert [type(event) for event in drawn] == [Drew]
    assert (len(drawn[0].tiles), after.bag, len(after.seats[0].rack)) == (2, "", 5)


def test_a_row_with_an_impossible_event_is_broken():
    """A row whose event does not fit its game raises Broken."""
    state = current_state(new_game(RULE_SETS["classic"], 2, Random(1)))
    with pytest.raises(Broken, match="a sealed game holds an event that does not fit: not-your-turn"):
        apply_events(state, Passed(1))
