"""`ordws moves`: all plays of a rack on a position, over the caller's own list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from each_row import each_row

from ordws.records.cgp import read_cgp
from ordws.records.move_notation import read_move_with_swaps
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.options import with_options
from ordws.rules.rulesets import RULE_SETS
from ordws.rules.swap import swap

WORDS = "CAT\nCATS\nAT\nAS an islet\n\n# a remark\nTAS\nact\nACTS\n"
CAT = "15/15/15/15/15/15/15/6CaT6/15/15/15/15/15/15/15"


@pytest.fixture
def moves(command, tmp_path: Path):
    """Return a function that runs `ordws moves --json` over a short list and gives the objects that it prints."""
    (tmp_path / "words.txt").write_text(WORDS)

    def list_moves(*options: str, position: str = CAT) -> list[dict[str, object]]:
        line = ["moves", "--words", "words.txt", "--position", position, "--json", *options]
        status, out, err = command(*line)
        assert (status, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    return list_moves


def test_a_line_has_move_score_and_words(moves):
    """A line is an object of the move, its score and its words, the main word first."""
    assert moves("--rules", "classic", "--rack", "S") == [
        {"move": "8G ...S", "score": 5, "words": ["CATS"]},
        {"move": "H8 .S", "score": 1, "words": ["AS"]},
    ]


def test_the_moves_are_those_of_the_engine_best_first(moves):
    """Every move is legal by the engine, with its swaps, score and words; the best come first, and none twice."""
    found = moves("--rules", "scrabble-o", "--rack", "SCAT?A", "--option", "minimum=none")
    rules = with_options(RULE_SETS["scrabble-o"], {"minimum": "none"})
    for each in found:
        board, rack = read_cgp(CAT).board, "SCAT?A"
        swaps, play = read_move_with_swaps(str(each["move"]))
        for square in swaps:
            board, rack = swap(rules, board, rack, *square)
        ruling = judge(rules, board, play, rack)
        assert isinstance(ruling, Legal)
        assert (ruling.score, ruling.words) == (each["score"], each["words"])
    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert len({each["move"] for each in found}) == len(found) > 100
    assert {str(each["move"])[:4] for each in found if "=" in str(each["move"])} == {"=H8 "}
    assert moves("--rules", "scrabble-o", "--rack", "SCAT?A", "--option", "minimum=none", "--best", "7") == found[:7]


def test_the_list_decides_words_of_two_letters(moves):
    """A word of two letters is good if the list has it, whatever the rule set publishes, and only then."""
    words = {word for each in moves("--rules", "classic", "--rack", "STOA") for word in _words(each)}
    # TO and TA, which every rule set publishes, are not on the list.
    assert {word for word in words if len(word) == 2} == {"AT", "AS"}


def test_the_rack_of_the_position_will_do(moves, command):
    """Without --rack it is the rack of the player to move; without one in the position it has to be given."""
    with_rack = moves("--rules", "classic", position=f"{CAT} S/ABC 0/0 0")
    assert with_rack == moves("--rules", "classic", "--rack", "S")
    status, _, err = command("moves", "--words", "words.txt", "--position", CAT)
    assert (status, err.splitlines()[0]) == (2, "ordws: error: --rack is needed, since the position has none")


def test_people_read_score_move_and_words(command, tmp_path):
    """Without --json a line has the score, the move and the words."""
    (tmp_path / "words.txt").write_text(WORDS)
    line = ["moves", "--rules", "classic", "--words", "words.txt", "--position", CAT, "--rack", "S", "--best", "1"]
    assert command(*line) == (0, "   5  8G ...S  CATS\n", "")


@each_row(
    ("changes", "says"),
    [
        (["--rack", "s"], 'the rack "s" is not written in capitals, "?" for a blank'),
        (["--rules", "scrabble-i"], "the board has 15 rows, the layout of the rule set 21"),
        (["--rules", "scrabble-x"], '"scrabble-x" is none of'),
        (["--words", "gone.txt"], '"gone.txt" cannot be read: No such file or directory'),
        (["--words", "bad.txt"], 'line 2: expected a word of 2 to 21 letters first, found "D0G"'),
        (["--position", "15/15"], "a position has 15 or 21 rows, this has 2"),
        (["--best", "0"], "0 is not in the range x>=1"),
    ],
)
def test_a_fault_is_named(command, tmp_path: Path, changes: Sequence[str], says: str):
    """A rack, a list, a position or a rule set that does not do is an error with status 2 that names it."""
    (tmp_path / "words.txt").write_text(WORDS)
    (tmp_path / "bad.txt").write_text("CAT\nD0G\n")
    status, out, err = command("moves", "--words", "words.txt", "--position", CAT, "--rack", "S", *changes)
    assert (status, out) == (2, "")
    assert says in err


def _words(move: dict[str, object]) -> list[str]:
    words = move["words"]
    assert isinstance(words, list)
    return words
