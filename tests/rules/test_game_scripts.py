"""The games in tests/vectors/games, and the same games under other options."""

from __future__ import annotations

import pytest
from each_row import each_row
from game_scripts import Script, phase_text, read_scripts, run, state_text

from ordws.rules.ending import winners
from ordws.rules.fault import Illegal
from ordws.rules.game import apply_event, current_state, initial_state
from ordws.rules.options import option_text as option
from ordws.rules.state import GameState, visible_racks

SCRIPTS = read_scripts()
VARIED = [
    pytest.param(script, changed, facts, id=f"{script.title[:40]} {changed}")
    for script in SCRIPTS
    for changed, facts in script.variations
]

READ_BY_GAMES = {
    "rack_size",
    "big_play",
    "stretch",
    "swap",
    "small_word_cap",
    "challenge",
    "check_ospd",
    "disallowed_words",
    "end",
    "scoreless_turns",
    "exchange_min",
    "unplayed_tiles",
    "unplayed_tiles_round",
    "expose_final_rack",
    "clock",
    "clock_seconds",
    "overtime_points",
    "overtime_minutes",
    "overdraw",
    "late_bad_play",
    "ties",
}


def refused_in(facts: list[str]) -> str:
    return next((fact for fact in facts if fact.startswith("refused")), "refused")


def check(state: GameState, refused: list[str], facts: list[str]) -> None:
    """Assert that all facts hold and that only the events they name were refused."""
    expected = [fact for fact in facts if not fact.startswith("refused")]
    assert [state_text(state, fact) for fact in expected] == expected
    assert " ".join(["refused", *refused]) == refused_in(facts)


@each_row("script", SCRIPTS)
def test_each_written_game_leads_to_its_facts(script: Script):
    """After each event the facts behind it hold, and a refused event leaves the game as it was."""
    game = script.game()
    state, fitting = initial_state(game), []
    for line in script.lines:
        following = apply_event(state, line.event)
        if isinstance(following, Illegal):
            check(state, [following.fault.value], line.expected)
        else:
            state = following
            fitting.append(line.event)
            check(state, [], line.expected)
    assert script.lines[-1].expected, "a script says how it ends"
    assert current_state(type(game)(game.rules, game.players, game.bag, tuple(fitting))) == state


@pytest.mark.parametrize(("script", "changed", "facts"), VARIED)
def test_other_options_lead_to_the_facts_of_the_variation(script: Script, changed: dict[str, str], facts: list[str]):
    """Under other options the same events lead to the facts of the variation."""
    state, refused = run(script.game(changed), [line.event for line in script.lines])
    check(state, refused, facts)


def outcome(state: GameState, refused: list[str]) -> tuple[object, ...]:
    """Return everything about a game that players would notice."""
    seen = [visible_racks(state, player) for player in range(len(state.seats))]
    return state.scores, phase_text(state.phase), winners(state), state.bag, state.board, seen, refused


@each_row("name", sorted(READ_BY_GAMES))
def test_every_option_that_games_read_changes_some_outcome(name: str):
    """Every option that games read changes the outcome of a written game when it alone is changed."""
    changes = 0
    for script in SCRIPTS:
        for changed in [changed for changed, _ in script.variations if [*changed] == [name]]:
            base = script.game()
            assert option(base.rules, name) != changed[name]
            events = [line.event for line in script.lines]
            changes += outcome(*run(base, events)) != outcome(*run(script.game(changed), events))
    assert changes


@each_row("vector", ["T-07", "T-19", "T-20", "T-21", "T-22", "T-23", "V-19"])
def test_the_vectors_of_the_rules_are_among_the_games(vector: str):
    """Each test vector about a game is in the title of a written game (docs/rules.md 13, 14)."""
    assert any(vector in script.title for script in SCRIPTS)
