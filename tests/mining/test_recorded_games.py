"""Tests of the recorded games: they are what self-play plays, and like those of people."""

import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from each_row import each_row

import ordws
from ordws.fairplay import recorded_games
from ordws.fairplay.recorded_games import SEED, draw_played_words, honest_games, read_game, shipped_lines
from ordws.records.notation import read_board, read_move_with_swaps
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Pass
from ordws.rules.ruleset import SCRABBLE_O
from ordws.rules.swap import swap
from tests.mining.demand import measure_demand
from tests.mining.mined_lexicon import MinedLexicon, make_mined_lexicon
from tests.mining.selfplay import StoredTurn, write_game

REACHED = {
    "plays": (31.41, 29.5),
    "plays_p99": (41, 41),
    "turns_p99": (44, 45),
    "turns_most": (49, 50),
    "words_a_play": (1.65, 1.7),
    "one_word": (0.55, 0.51),
    "two_words": (0.3, 0.32),
    "more_words": (0.15, 0.17),
    "checks": (51.7, 50.3),
    "distinct": (50.46, 48.4),
    "invalid_share": (0.12, 0.125),
    "invalid": (3.8, 3.7),
    "novel": (8.15, 7.97),
    "novel_sd": (2.97, 2.85),
    "novel_p99": (17, 15),
    "novel_share": (0.22, 0.22),
    "novel_share_run": (0.25, 0.25),
}
"""The figure of these games, and the figure measured on real lists."""


@cache
def lexicon() -> MinedLexicon:
    return make_mined_lexicon(SEED)


@pytest.mark.long
def test_selfplay_reproduces_the_first_shipped_game():
    """Self-play reproduces the first shipped game, since a game follows from its number alone."""
    command = [sys.executable, "-m", "tests.mining.selfplay", "--games", "1"]
    done = subprocess.run(command, cwd=Path(ordws.__file__).parent.parent, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == shipped_lines()[:1]


def test_the_file_is_small():
    """The file of 400 games is smaller than 200 kB."""
    assert len(honest_games()) == 400
    assert (Path(recorded_games.__file__).parent / "honest.jsonl.xz").stat().st_size < 200_000


def test_a_recorded_request_is_a_play_that_fits():
    """Position, move and rack of a turn, parsed as a request is, give the words recorded with it."""
    for game in honest_games()[::10]:
        for play in game.plays:
            board, rack = read_board(play.position), play.rack
            swaps, move = read_move_with_swaps(play.move)
            for square in swaps:
                board, rack = swap(SCRABBLE_O, board, rack, *square)
            assert tuple(judge(SCRABBLE_O, board, move, rack).words) == play.words


def test_a_play_stands_if_its_words_are_true():
    """A play was accepted if all its words of three letters or more are among the true words of the shipped games."""
    true = draw_played_words(lexicon())
    for game in honest_games():
        for play in game.plays:
            assert play.accepted == all(len(word) == 2 or word in true for word in play.words)


def test_games_use_the_tiles_of_one_bag():
    """The board and the rack of a turn never hold more of a tile than the hundred of the rule set."""
    bag = Counter(SCRABBLE_O.tiles.all_tiles())
    for game in honest_games():
        for turn in game.turns[-4:]:
            board = [letter if letter.isupper() else "?" for letter in turn.position if letter.isalpha()]
            assert Counter(board) + Counter(turn.rack) <= bag


def test_the_rack_that_is_left_fits_the_next_one():
    """After a turn a player draws up to the next rack, and draws nothing after a bad play or a pass."""
    for game in honest_games()[::10]:
        for before, after in zip(game.turns, game.turns[game.players :], strict=False):
            assert Counter(before.kept) <= Counter(after.rack)
            if not before.accepted or before.move == "-":
                assert Counter(before.kept) == Counter(after.rack)


def test_turns_without_words_are_exchanges_and_passes():
    """Turns without words are exchanges and passes, and are not judged."""
    idle = [turn for game in honest_games() for turn in game.turns if not turn.words]
    assert all(isinstance(read_move_with_swaps(turn.move).move, Exchange | Pass) and turn.accepted for turn in idle)
    assert len(idle) == 295


def test_a_line_reads_as_it_was_written():
    """A game that is read and written again gives the same line."""
    for line, game in zip(shipped_lines()[:20], honest_games(), strict=False):
        turns = [StoredTurn(turn.rack, turn.move, turn.accepted, turn.seconds) for turn in game.turns]
        assert write_game(game.players, turns) == line


@each_row(
    ("move", "says"),
    [
        ("8A CAT", 'the play "8A CAT" cannot be made: the first play has to cover H8'),
        ("8H CATS", 'the play "8H CATS" cannot be made: the rack has no "S" left for this play'),
        ("=H8 8H CAT", "the swap cannot be made: there is no blank on H8"),
    ],
)
def test_an_illegal_line_is_an_error(move, says):
    """A play that does not fit and a swap that cannot be made raise errors with the reason."""
    with pytest.raises(ValueError, match="cannot be made") as raised:
        read_game(write_game(2, [StoredTurn("CATEEE?", move, True, 30)]))
    assert str(raised.value) == says


def test_games_stay_within_the_budgets_of_a_game():
    """No recorded game exceeds 28 units, 16 invalid plays or 60 turns."""
    demand = measure_demand(honest_games(), lexicon().core)
    assert demand.novel_most <= 28
    assert demand.invalid_most <= 16
    assert demand.turns_most <= 60


def test_the_statistics_of_games_are_near_those_of_real_ones():
    """The statistics of the games are those written here, and near those of 400 games played over real lists."""
    demand = measure_demand(honest_games(), lexicon().core)._asdict()
    assert {name: round(demand[name], 2) for name in REACHED} == {
        name: expected for name, (expected, _) in REACHED.items()
    }
    assert all(expected == pytest.approx(real, rel=0.15) for expected, real in REACHED.values())
    assert (demand["words_most"], demand["novel_most"], demand["invalid_most"]) == (6, 18, 13)
    assert 30 < demand["minutes"] < 50
