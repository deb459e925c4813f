"""Random games under every rule set and many options, exported, written, read and audited."""

from __future__ import annotations

from random import Random

from each_row import each_row
from random_games import play_at_random

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg, write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.statistics import average

OPTIONS = {
    "challenge": ("none", "void", "single", "double", "five", "ten", "triple"),
    "check_ospd": ("none", "official", "dover"),
    "late_bad_play": ("always", "until-next-turn", "stands"),
    "clock": ("none", "overtime", "total", "turn"),
    "unplayed_tiles": ("double", "transfer"),
    "most_players": ("2", "4"),
    "small_word_cap": ("on", "off"),
}


@each_row("seed", range(60))
def test_a_game_of_chance_is_exact(seed):
    """The record of a random game is exact, and has the scores, turns and points per turn of the engine."""
    rng = Random(seed)
    rules = list(RULE_SETS.values())[seed % 5]
    rules = with_options(rules, {name: rng.choice(OPTIONS[name]) for name in rng.sample(list(OPTIONS), 3)})
    game, state = play_at_random(rules, rng.randint(2, rules.most_players), rng)
    record = read_gcg(write_gcg(to_gcg_record(game, ("Ann", "Bob", "Cy", "Di")[: game.players])))
    audit = audit_record(record)
    assert audit.is_exact, audit.findings
    assert audit.rules == rules
    assert tuple(audit.totals.values()) == state.scores
    totals = [state.turn_totals(player) for player in range(game.players)]
    assert list(audit.turns.values()) == [turns for turns, _ in totals]
    assert list(audit.points_per_turn.values()) == [average(points, turns) for turns, points in totals]
