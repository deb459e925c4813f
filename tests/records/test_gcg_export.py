"""Whole games exported as records, which an audit finds exact under every rule set."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from each_row import each_row

from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg, write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.records.notation import read_move
from ordws.rules.event import Adjusted, Checked, Drew, Passed, Played, Resigned, ScoreEntryKind, Swapped
from ordws.rules.game import Game, current_state
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, SCRABBLE_O, RuleSet
from tests.mining.random_play import random_event
from tests.mining.simulation import honest_strategy, play_out

COMMON = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()
NAMES = ("Ann Lee", "Bob: the >Great", "Ann Lee", "Čeněk")
PLAYED = [
    (rules_id, options, players)
    for rules_id, options, players in [
        ("classic", "", 2),
        ("classic", "challenge=five", 2),
        ("classic", "challenge=ten unplayed_tiles=transfer", 2),
        ("classic", "challenge=triple", 2),
        ("classic", "challenge=single late_bad_play=always", 2),
        ("scrabble-i-classic", "", 4),
        ("scrabble-i-classic", "small_word_cap=on check_ospd=dover", 2),
        ("scrabble-i-classic", "clock_seconds=600", 3),
        ("scrabble-o", "", 2),
        ("scrabble-i", "", 3),
        ("scrabble-i", "scoop=40 premium=multiply", 2),
        ("dover", "", 4),
        ("dover", "check_ospd=official swap=on", 2),
    ]
]


def varied(rules_id: str, options: str) -> RuleSet:
    return with_options(RULE_SETS[rules_id], dict(option.split("=") for option in options.split()))


@cache
def graph_for(rules: RuleSet) -> Graph:
    return Graph.from_words(words_for(rules, COMMON))


@each_row(
    ("rules_id", "options", "players", "choose"),
    [*[(*each, random_event) for each in PLAYED], *[(*each, honest_strategy) for each in PLAYED[::4]]],
)
def test_an_exported_game_is_exact(rules_id, options, players, choose):
    """An exported record names its rules, ends on the same board with the same scores, and has no finding."""
    rules = varied(rules_id, options)
    for seed in range(1 if choose is honest_strategy else 3):
        game = play_out(rules, graph_for(rules), players, Random(seed), choose)
        state = current_state(game)
        record = read_gcg(write_gcg(to_gcg_record(game, NAMES[:players])))
        audit = audit_record(record)
        if audit.moves:
            assert audit.findings == ()
        assert (audit.rules, audit.board, audit.is_exact) == (rules, state.board, True)
        assert tuple(audit.totals.values()) == state.scores


def opened(rules: RuleSet, racks: tuple[str, str], *events: object) -> Game:
    """Return a game of two players who drew these racks first."""
    bag = rules.tiles.all_tiles()
    return Game(rules, 2, bag, (Drew(0, racks[0]), Drew(1, racks[1]), *events))


def play(text: str):
    return read_move(text)


def test_moves_have_the_standard_form_of_gcg():
    """What GCG has a form for is written in that form, and all else stands in notes."""
    game = opened(
        SCRABBLE_O,
        ("FISH?EA", "INGERST"),
        Played(0, play("8H FiSH")),
        Drew(0, "OOOI"),
        Swapped(1, 7, 8),
        Played(1, play("8L NGe"), accepted=False),
        Checked(1, found=False),
        Adjusted(0, -5, ScoreEntryKind.DIRECTOR, "late to\nthe table"),
        Passed(0),
        Resigned(1),
    )
    assert write_gcg(to_gcg_record(game, ("Ann Lee", ""))).decode() == (
        "#character-encoding UTF-8\n"
        "#player1 Ann_Lee Ann Lee\n"
        "#player2 player2\n"
        "#description ordws rules=scrabble-o\n"
        ">Ann_Lee: AEFHIS? 8H FiSH +18 18\n"
        ">player2: EGNRST? 8H ....NGe +54 54\n"
        "#note ordws swap =I8\n"
        ">player2: EGNRST? -- -54 0\n"
        "#note ordws check-ospd not-found\n"
        ">player2: EGNRST? (time) -54 -54\n"
        "#note ordws deducted check-ospd\n"
        ">Ann_Lee: AEIIOOO (time) -5 13\n"
        "#note ordws adjusted director: late to the table\n"
        ">Ann_Lee: AEIIOOO - +0 13\n"
        "#note ordws left player2 resigned\n"
        "#note ordws ended forfeit\n"
    )


def test_a_game_that_goes_on_keeps_its_racks():
    """The record of an unfinished game has the racks, which an audit accepts."""
    game = opened(SCRABBLE_O, ("FISH?EA", "INGERST"), Played(0, play("8H FiSH")), Drew(0, "OOOI"))
    record = to_gcg_record(game, ("Ann", "Bob"))
    assert write_gcg(record).decode().splitlines()[-2:] == ["#rack1 AEIIOOO", "#rack2 EGINRST"]
    assert audit_record(record).is_exact


def test_swaps_stay_with_their_player():
    """A player who leaves between another player's swap and play gets no line for that swap."""
    rules = SCRABBLE_O
    racks = ("FISH?EA", "INGERST", "OORUTED")
    game = Game(
        rules,
        3,
        rules.tiles.all_tiles(),
        (
            *(Drew(player, rack) for player, rack in enumerate(racks)),
            Played(0, play("8H FiSH")),
            Drew(0, "OOOI"),
            Swapped(1, 7, 8),
            Resigned(2),
            Played(1, play("8L NGe")),
        ),
    )
    record = to_gcg_record(game, ("Ann", "Bob", "Cy"))
    assert write_gcg(record).decode().splitlines()[5:9] == [
        ">Ann: AEFHIS? 8H FiSH +18 18",
        "#note ordws left Cy resigned",
        ">Bob: EGNRST? 8H ....NGe +54 54",
        "#note ordws swap =I8",
    ]
    audit = audit_record(record)
    assert (audit.is_exact, audit.board) == (True, current_state(game).board)


def test_every_player_has_a_name():
    """A game is not exported without a name for each player."""
    with pytest.raises(ValueError, match="2 players have 1 names"):
        to_gcg_record(opened(SCRABBLE_O, ("FISH?EA", "INGERST")), ("Ann",))
