"""Simulated events, and the command that shows them."""

from __future__ import annotations

import json

import numpy as np
from click.testing import CliRunner

from ordws.cli import ordws
from ordws.tournament.simulation import simulate_event


def run(*options: str) -> str:
    done = CliRunner().invoke(ordws, ["tournament", "simulate", *options], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_the_table_has_all_methods():
    """Without a method all three are shown, and average pairing comes far closer than the others."""
    text = run("--players", "40", "--rounds", "8")
    rows = {line.split()[0]: float(line.split()[1]) for line in text.splitlines()[2:5]}
    assert rows["average"] < 0.5 < 1 < min(rows["random"], rows["swiss"])
    assert "average: closer to the field than 100 % of random schedules" in text


def test_json_has_the_certificate_and_the_times():
    """One object has the fields of a certificate, the method, the seed, and the seconds of each draft."""
    row = json.loads(run("--players", "9", "--rounds", "4", "--seed", "5", "--method", "swiss", "--json"))
    assert {"rms_residual", "worst_residual", "repeats", "byes", "worst_start_imbalance", "digest"} <= set(row)
    assert (row["method"], row["seed"], row["players"], row["byes"]) == ("swiss", 5, 9, 4)
    assert len(row["draft_seconds"]) == 4
    assert row["longest_draft_seconds"] == max(row["draft_seconds"])


def test_a_seed_means_one_event():
    """The same seed gives the same event, another seed another one."""
    options = ("--players", "20", "--rounds", "3", "--json", "--seed")
    first, again, other = (json.loads(run(*options, seed))["digest"] for seed in ("1", "1", "2"))
    assert first == again != other


def test_players_make_about_what_their_skill_is():
    """Skill has the mean and the scatter that are stated, and totals follow it; every game has a result."""
    *_, (event, _) = simulate_event(3_000, 4, 9, "random")
    assert abs(event.skill.mean() - 28_000) < 300
    assert abs(event.skill.std() - 4_500) < 200
    made = 1_000 * event.points / event.turns
    assert abs((made - event.skill).mean()) < 200
    assert 1_400 < (made - event.skill).std() < 2_000  # 12 points over the root of some 52 turns
    assert event.doubled_wins.sum() == 2 * 4 * 1_500
    assert np.abs(event.turns / 4 - 12.75).max() < 2.5


def test_swiss_rounds_pair_equal_scores():
    """After two rounds of Swiss pairing most meet opponents of the same score."""
    rounds = simulate_event(64, 3, 2, "swiss")
    next(rounds)
    event, _ = next(rounds)
    before = event.doubled_wins.copy()
    next(rounds)
    opponents = event.met[2] - 1
    assert (before == before[opponents]).mean() > 0.9
