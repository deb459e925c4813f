"""Positions as CGP writes them (docs/interfaces.md 2.6, 4.5)."""

from __future__ import annotations

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.errors import BadInput
from ordws.records.notation import BadPosition, Position, read_board, read_cgp, write_board, write_cgp
from ordws.rules.board import empty_board

EMPTY_15 = "/".join(["15"] * 15)
EMPTY_21 = "/".join(["21"] * 21)
CATS = "/".join(["15"] * 7 + ["7CATs4"] + ["15"] * 7)


def test_rows_are_letters_and_numbers_of_empty_squares():
    """In a row capitals are tiles, lower case letters blanks, and a number of empty squares may have two digits."""
    board = read_board("A13b/15/" + "/".join(["15"] * 12) + "/14Z")
    assert (board.letter_at(0, 0), board.letter_at(0, 14), board.letter_at(14, 14), board.letter_at(7, 7)) == (
        "A",
        "b",
        "Z",
        ".",
    )
    assert sum(row.count(".") for row in board.rows()) == 15 * 15 - 3


def test_a_board_of_21_rows_has_21_columns():
    """A board of 21 rows is read like one of 15."""
    board = read_board("/".join(["21"] * 10 + ["10K10"] + ["21"] * 10))
    assert (board.side, board.letter_at(10, 10)) == (21, "K")


@each_row(
    ("text", "racks", "scores", "scoreless", "operations"),
    [
        (CATS, (), (), 0, ()),
        (f"{CATS} AEI?/", ("AEI?", ""), (), 0, ()),
        (f"{CATS} /", ("", ""), (), 0, ()),
        (f"{CATS} / /", ("", ""), (), 0, ()),
        (f"{CATS} A/B/C/? 10/-7/0/12345", ("A", "B", "C", "?"), (10, -7, 0, 12345), 0, ()),
        (f"{CATS} A/B 10/7 2", ("A", "B"), (10, 7), 2, ()),
        (f"{CATS} lex NWL23;", (), (), 0, ("lex NWL23",)),
        (f"{CATS} A/B bb 50; lex NWL23;", ("A", "B"), (), 0, ("bb 50", "lex NWL23")),
        (f"  {CATS}\tA/B   10/7  2   lex NWL23; ld english;\n", ("A", "B"), (10, 7), 2, ("lex NWL23", "ld english")),
        (f"{CATS} A/B 10/7 0 lm 8D.WORD;;bb 40", ("A", "B"), (10, 7), 0, ("lm 8D.WORD", "bb 40")),
    ],
)
def test_racks_scores_and_scoreless_turns_may_be_missing(text, racks, scores, scoreless, operations):
    """The fields after the board may be missing from any one on, and operations are kept as they stand."""
    assert read_cgp(text) == Position(read_board(CATS), racks, scores, scoreless, operations)


@each_row(
    ("text", "written"),
    [
        (CATS, f"{CATS} / 0/0 0"),
        (f"{CATS} AB/C? 12/-3 4 lex X", f"{CATS} AB/C? 12/-3 4 lex X;"),
        (EMPTY_21 + " /// 1/2/3/4 0 a;b c ;", EMPTY_21 + " /// 1/2/3/4 0 a; b c;"),
    ],
)
def test_a_position_is_written_with_all_that_other_programs_expect(text, written):
    """A written position has racks, scores and scoreless turns, and reading it writes the same again."""
    assert write_cgp(read_cgp(text)) == written
    assert write_cgp(read_cgp(written)) == written


def test_the_empty_position():
    """The empty position has no tile, on either size of board."""
    assert read_cgp(EMPTY_15) == Position(empty_board(15))
    assert write_board(empty_board(21)) == EMPTY_21


STRANGE = "row 8 of the position is not made of letters and numbers of empty squares"


@each_row(
    ("text", "message"),
    [
        ("", "a position has 15 or 21 rows, this has 1"),
        ("15/15", "a position has 15 or 21 rows, this has 2"),
        (EMPTY_15 + "/15", "a position has 15 or 21 rows, this has 16"),
        (EMPTY_15.replace("15", "14", 1), "row 1 of the position has 14 squares, 15 were expected"),
        (CATS.replace("7CATs4", "7CATs5"), "row 8 of the position has 16 squares, 15 were expected"),
        (CATS.replace("7CATs4", "7CA.s4"), STRANGE),
        (CATS.replace("7CATs4", ""), STRANGE),
        (CATS.replace("7CATs4", "015"), STRANGE),
        (CATS.replace("7CATs4", "105"), STRANGE),
        (CATS.replace("7CATs4", "9" * 4096), "a position has 4096 characters at most"),
        (CATS.replace("7CATs4", "9" * 3900), STRANGE),
        (CATS.replace("7CATs4", "9" * 3900 + "!"), STRANGE),
        (CATS.replace("7CATs4", "7[CH]7"), STRANGE),
        (CATS.replace("7CATs4", "7É7"), STRANGE),
        (CATS.replace("7CATs4", "1٥"), STRANGE),
        (f"{CATS} ab/C", 'racks are written in capitals, "?" for a blank, "/" between players'),
        (f"{CATS} A/B 1/x", 'scores are numbers, "/" between players'),
        (f"{CATS} A/B 1/", 'scores are numbers, "/" between players'),
        (f"{CATS} A/B 1/123456", 'scores are numbers, "/" between players'),
        (f"{CATS} A/B 1/2 -1", "turns without points are a number"),
        (f"{CATS} A/B 1/2 1000", "turns without points are a number"),
        (f"{CATS} A/B 1/2 ²", "turns without points are a number"),
    ],
)
def test_an_invalid_position_is_refused_with_its_place(text, message):
    """A text that is no position is refused with its first fault: row by row, then the fields after the rows."""
    with pytest.raises(BadPosition) as refused:
        read_cgp(text)
    assert str(refused.value) == message
    assert isinstance(refused.value, BadInput)


SQUARES = st.tuples(st.integers(0, 14), st.integers(0, 14))
BOARDS = st.builds(
    lambda side, tiles: empty_board(side).with_letters(tiles),
    st.sampled_from((15, 21)),
    st.dictionaries(SQUARES, st.sampled_from("AzQ"), max_size=12),
)
RACKS = st.lists(st.text("AEZ?", max_size=8), min_size=2, max_size=4).map(tuple)
SCORES = st.lists(st.integers(-999, 999), min_size=2, max_size=4).map(tuple)
OPERATIONS = st.lists(st.sampled_from(("lex NWL23", "bb 50", "lm 8D.WORD")), max_size=2).map(tuple)
POSITIONS = st.builds(Position, BOARDS, RACKS, SCORES, st.integers(0, 12), OPERATIONS)


@given(POSITIONS)
def test_any_position_reads_back_as_it_is_written(position):
    """Any board, racks, scores, scoreless turns and operations read back as they were written."""
    assert read_cgp(write_cgp(position)) == position


PARTS = [*"AaZz?/-;. 019", "15", "21", "/15", EMPTY_15, EMPTY_21, " ", "[CH]", "É", "²", "\x00"]
NEAR = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


@given(NEAR | st.text())
def test_any_other_text_is_a_bad_position_and_nothing_else(text):
    """Any text is refused as a bad position, or read so that it writes the same again and again."""
    try:
        position = read_cgp(text)
    except BadPosition:
        return
    written = write_cgp(position)
    assert write_cgp(read_cgp(written)) == written
    assert read_cgp(written).board == position.board
