"""Every play on a toy board under every rule set: the engine, the oracle and the numbers written here agree.

Counts alone would miss a wrong score, and both programs could err alike, so the totals are written out as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import naive_oracle
import pytest
from each_row import each_row
from naive_oracle import Fits

from ordws.rules.board import Axis, Board, board_from_rows
from ordws.rules.judge import judge
from ordws.rules.layout import Layout
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RULE_SETS, RuleSet

DRAWING = ("=..'.", '.-.".', "..-..", "...=.", "^...~")
"""A drawing with every mark that differs across and down."""

OPENING = [".....", ".....", ".....", ".....", "....."]
ONE_WORD = [".....", ".....", ".QaE.", ".....", "....."]
CROSSED = ["E....", "E.Q.A", "EQeE.", "..E..", "....."]
WINGED_OPENING = ["......."] * 7
REACHING = [".......", "...E...", "...Q...", "..aEE..", ".......", ".......", "......."]
OUTSIDE = ["..EQ...", "E..E..E", "E.QaE.Q", "E.....E", "E......", "...AE..", "......."]
"""A position with words wholly in the wings, which no game has and any request may send."""

TOO_SHORT, ALL_TWOS = "main-word-too-short", "only-two-letter-words"
IN_WINGS, NONE_INSIDE = "main-word-in-wings", "no-tile-on-inner-board"

POSITIONS = {
    "opening": (OPENING, None),
    "one word": (ONE_WORD, None),
    "crossed": (CROSSED, "QQ?"),
    "winged opening": (WINGED_OPENING, "QQ??"),
    "reaching": (REACHING, None),
    "outside": (OUTSIDE, None),
}
"""The tiles on the board, and the rack of the plays if they have one."""

REFUSED: dict[str, dict[str, int]] = {
    "opening": {"gap": 4_080, "misses-centre": 944, "no-new-tile": 150, "no-word-formed": 4, "off-board": 12_780},
    "one word": {"gap": 3_048, "no-new-tile": 188, "not-connected": 280, "off-board": 12_780, "square-taken": 1_110},
    "crossed": {
        "gap": 1_662,
        "no-new-tile": 350,
        "not-connected": 36,
        "not-on-rack": 403,
        "off-board": 12_780,
        "square-taken": 2_404,
    },
    "winged opening": {
        "gap": 14_000,
        "misses-centre": 2_944,
        "no-new-tile": 350,
        "no-word-formed": 4,
        "not-on-rack": 284,
        "off-board": 17_892,
    },
    "reaching": {
        "gap": 10_454,
        "no-new-tile": 483,
        "not-connected": 1_164,
        "off-board": 17_892,
        "square-taken": 3_643,
    },
    "outside": {"gap": 6_964, "no-new-tile": 715, "not-connected": 68, "off-board": 17_892, "square-taken": 7_135},
}
"""The number of plays that the placement forbids, the same under every rule set."""

CASES: dict[tuple[str, str], tuple[int, int, dict[str, int]]] = {
    ("classic", "opening"): (192, 7_520, {}),
    ("classic", "one word"): (744, 47_936, {}),
    ("classic", "crossed"): (515, 25_274, {}),
    ("scrabble-i-classic", "opening"): (176, 7_840, {TOO_SHORT: 16}),
    ("scrabble-i-classic", "one word"): (652, 47_076, {TOO_SHORT: 92}),
    ("scrabble-i-classic", "crossed"): (465, 25_504, {TOO_SHORT: 50}),
    ("scrabble-o", "opening"): (176, 7_840, {TOO_SHORT: 16}),
    ("scrabble-o", "crossed"): (465, 25_504, {TOO_SHORT: 50}),
    ("scrabble-i", "winged opening"): (84, 3_000, {TOO_SHORT: 16}),
    ("scrabble-i", "reaching"): (1_654, 113_694, {TOO_SHORT: 100, IN_WINGS: 184}),
    ("scrabble-i", "outside"): (1_792, 125_854, {TOO_SHORT: 192, IN_WINGS: 816}),
    ("dover", "winged opening"): (84, 3_000, {ALL_TWOS: 16}),
    ("dover", "reaching"): (1_646, 105_010, {ALL_TWOS: 68, NONE_INSIDE: 224}),
    ("dover", "outside"): (1_844, 123_462, {ALL_TWOS: 136, NONE_INSIDE: 820}),
}
"""The number of legal plays, their total score, and the number of plays that only the rule set forbids."""


def toy(name: str, side: int) -> tuple[RuleSet, naive_oracle.Options]:
    """Return a rule set on a toy board, where three letters make a decent word."""
    rules = replace(RULE_SETS[name], layout=Layout.from_rows(DRAWING, (side - 5) // 2), stretch_from=3)
    return rules, naive_oracle.options_of(name, {"layout": DRAWING, "board": side, "stretch_from": 3})


def every_play(side: int) -> Iterator[Play]:
    """Yield all strings of a tile, a blank and a dot, up to five squares long, from every square in both directions."""
    for length in range(1, 6):
        for text in product(b"Qe.", repeat=length):
            for row, column, axis in product(range(side), range(side), Axis):
                yield Play(row, column, axis, bytes(text))


def tiles_of(drawn: list[str]) -> dict[tuple[int, int], str]:
    return {(r, c): letter for r, row in enumerate(drawn) for c, letter in enumerate(row) if letter != "."}


QUICK = [("classic", "opening"), ("scrabble-o", "crossed"), ("scrabble-i", "outside"), ("dover", "winged opening")]


@pytest.mark.parametrize("cases", [QUICK, pytest.param([*CASES], marks=pytest.mark.long)], ids=["some", "all"])
def test_every_play_on_a_toy_board_agrees_with_the_oracle(cases: list[tuple[str, str]]):
    """The engine and the oracle count the same legal plays, points and refusals, and these are the numbers above."""
    for name, position in cases:
        count_plays(name, position)


def count_plays(name: str, position: str) -> None:
    (drawn, rack), faults = POSITIONS[position], Counter[str]()
    rules, options = toy(name, len(drawn))
    board, tiles, legal, total = board_from_rows(drawn), tiles_of(drawn), 0, 0
    for play in every_play(len(drawn)):
        ruling, slow = judge(rules, board, play, rack), rule_by_oracle(options, tiles, play, rack)
        if isinstance(ruling, Legal):
            assert isinstance(slow, Fits), play
            assert (ruling.words, ruling.bonus, ruling.score) == (slow.words, slow.bonus, slow.total), play
            legal, total = legal + 1, total + ruling.score
        else:
            assert ruling.fault.value == slow, play
            faults[ruling.fault.value] += 1
    expected_legal, expected_total, by_the_rules = CASES[name, position]
    assert (legal, total, faults) == (expected_legal, expected_total, REFUSED[position] | by_the_rules)


def rule_by_oracle(
    options: naive_oracle.Options, tiles: dict[tuple[int, int], str], play: Play, rack: str | None = None
) -> Fits | str:
    row, column, axis, letters = play
    return naive_oracle.rule(options, tiles, (row, column), axis is Axis.DOWN, letters.decode(), rack)


def test_an_opening_is_counted_by_hand():
    """Two letters in each of the lengths 2 to 5 over the centre, both ways, make 16 + 48 + 64 + 64 plays."""
    assert CASES["classic", "opening"][0] == 2 * (2 * 4 + 3 * 8 + 2 * 16 + 1 * 32) == 192


WORDS = ("ACT", "AT", "CAT", "COAT", "OAT", "TA", "TACO", "TO")

SEQUENCES = {
    ("classic", 5): [(38, 300), (968, 15_716)],
    ("scrabble-i-classic", 5): [(26, 252), (398, 7_869)],
    ("scrabble-o", 5): [(26, 252), (398, 7_869)],
    ("scrabble-i", 7): [(34, 348), (728, 15_349)],
    ("dover", 7): [(34, 348), (726, 15_325)],
}
"""The number and the total score of single plays, and of sequences of two, from the empty board."""


def throws(side: int, letter_at: Callable[[int, int], str]) -> Iterator[Play]:
    """Yield each word on every line, with a dot for each of its letters that lies there already."""
    for word, row, column, axis in product(WORDS, range(side), range(side), Axis):
        text = []
        for i, letter in enumerate(word):
            r, c = (row + i, column) if axis is Axis.DOWN else (row, column + i)
            text.append("." if max(r, c) < side and letter_at(r, c) == letter else letter)
        yield Play(row, column, axis, "".join(text).encode())


def by_the_engine(rules: RuleSet, board: Board, depth: int) -> tuple[int, int]:
    """Return the number of sequences of `depth` plays with good words, and the sum of the scores of all their plays."""
    count, total = 0, 0
    for play in throws(board.side, board.letter_at):
        ruling = judge(rules, board, play)
        if not isinstance(ruling, Legal) or not set(ruling.words) <= set(WORDS):
            continue
        further, scored = (1, 0)
        if depth > 1:
            placed = (chr(letter) for letter in play.letters if letter != ord("."))
            after = board.with_letters(dict(zip(ruling.new_squares, placed, strict=True)))
            further, scored = by_the_engine(rules, after, depth - 1)
        count, total = count + further, total + scored + further * ruling.score
    return count, total


def by_the_oracle(options: naive_oracle.Options, tiles: dict[tuple[int, int], str], depth: int) -> tuple[int, int]:
    """Return the same numbers, computed by the oracle."""
    count, total = 0, 0
    for play in throws(options.side, lambda row, column: tiles.get((row, column), ".")):
        ruled = rule_by_oracle(options, tiles, play)
        if isinstance(ruled, str) or not set(ruled.words) <= set(WORDS):
            continue
        further, scored = (1, 0)
        if depth > 1:
            row, column, axis, letters = play
            after = dict(tiles)
            for i, letter in enumerate(letters.decode()):
                if letter != ".":
                    after[(row + i, column) if axis is Axis.DOWN else (row, column + i)] = letter
            further, scored = by_the_oracle(options, after, depth - 1)
        count, total = count + further, total + scored + further * ruled.total
    return count, total


@pytest.mark.long
@each_row(("name", "side"), SEQUENCES)
def test_every_sequence_of_plays_agrees_with_the_oracle(name: str, side: int):
    """The engine and the oracle count the same sequences of one and two plays, and these are the numbers above."""
    rules, options = toy(name, side)
    for depth, expected in enumerate(SEQUENCES[name, side], start=1):
        assert by_the_engine(rules, board_from_rows(["." * side] * side), depth) == expected
        assert by_the_oracle(options, {}, depth) == expected
