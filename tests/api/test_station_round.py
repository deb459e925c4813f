"""The unplayed tiles round of a table station: who may propose a play, and what is added for it (docs/rules.md 9.5)."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.api.problems import Problem
from ordws.api.station_events import PassEvent, PlayEvent, ProposeEvent, UnplayedEvent, VerdictEvent
from ordws.api.station_record import rewards_of
from ordws.rules.board import empty_board
from ordws.rules.options import with_options
from ordws.rules.ruleset import SCRABBLE_O

RULES = with_options(SCRABBLE_O, {"unplayed_tiles_round": "on"})
BOARD = empty_board(15).with_letters({(7, 3): "C", (7, 4): "A", (7, 5): "T"})
PLAYED = [(PlayEvent, {"player": 0, "move": "8D CAT"}), (VerdictEvent, {"of": 0, "valid": True, "by": "judge"})]
PASSED = [(PassEvent, {"player": 1}), (PassEvent, {"player": 0})]
LEFT = [(UnplayedEvent, {"racks": ["VV", "OECYY"]})]


def proposed(player, move, valid=True):
    return [(ProposeEvent, {"player": player, "move": move}), (VerdictEvent, {"of": 5, "valid": valid, "by": "judge"})]


def rewards(*parts, rules=RULES, players=2):
    written = [each for part in parts for each in part]
    events = [kind(n=n, at=n, previous="", clocks=[0] * players, **more) for n, (kind, more) in enumerate(written)]
    return [(player, points) for player, points, _ in rewards_of(events, rules, BOARD)]


def test_a_play_with_the_tiles_of_a_stuck_player_is_rewarded():
    """An acceptable play with the tiles of the other adds its points: T, O, and E on a triple letter."""
    assert rewards(PLAYED, PASSED, LEFT, proposed(0, "F8 .OE")) == [(0, 5)]
    assert rewards(PLAYED, PASSED, LEFT, proposed(0, "F8 .OE", valid=False)) == []
    assert rewards(PLAYED, PASSED, LEFT, proposed(0, "")) == []


@each_row(
    ("parts", "changes"),
    [
        ((PLAYED, PASSED, LEFT, proposed(0, "F8 .OE"), proposed(0, "")), {}),
        ((PLAYED, PASSED, LEFT, proposed(0, "F8 .OX")), {}),
        ((PLAYED, PASSED, LEFT, proposed(0, "8D OE")), {}),
        ((PLAYED, PASSED, proposed(0, "F8 .OE")), {}),
        ((PASSED, PLAYED, LEFT, proposed(1, "")), {}),
        ((PLAYED, PASSED, LEFT, proposed(0, "F8 .OE")), {"players": 3}),
        ((PLAYED, PASSED, LEFT, proposed(0, "F8 .OE")), {"rules": SCRABBLE_O}),
    ],
)
def test_a_proposal_that_may_not_be_made_is_refused(parts, changes):
    """Nobody proposes twice, tiles that were not left, a play off the board's words, or where nobody is stuck."""
    with pytest.raises(Problem):
        rewards(*parts, **changes)
