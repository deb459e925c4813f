"""The bench of the computer player, and the learning of its values."""

from __future__ import annotations

import pytest

from ordws.rules.ruleset import CLASSIC
from tests.benchmarks.computer import compare, interval
from tests.benchmarks.computer_values import fit
from tests.computer.test_computer_games import made_up_words


def test_a_player_against_itself_wins_half_of_each_pair():
    """Each deal is played from both seats, so a player that meets itself is never ahead over a pair of games."""
    result = compare(CLASSIC, made_up_words(), ("club", "club"), 2, seed=3)
    assert result.wins == [0.5, 0.5]
    assert result.leads == [0.0, 0.0]
    assert result.points[0] == pytest.approx(result.points[1])


def test_the_values_explain_what_leaves_brought():
    """A tile after which more points came has them as its value; one that was never held has none."""
    rows = [["S1"], [], ["S1", "E1"], ["E1"]] * 5_000
    values = fit(rows, [28.0, 20.0, 25.0, 17.0] * 5_000)
    assert (values["S1"], values["E1"], values["Q1"]) == (8.0, -3.0, 0.0)


def test_the_interval_is_that_of_the_mean():
    """The interval is the mean less and plus 1.96 standard errors."""
    assert interval([0.0, 1.0, 0.0, 1.0]) == pytest.approx((-0.0658, 1.0658), abs=1e-4)
