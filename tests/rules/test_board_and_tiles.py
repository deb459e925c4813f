"""Boards, layouts and tiles (docs/rules.md 2)."""

from __future__ import annotations

import pytest
from each_row import each_row
from naive_oracle import DOUBLE_LETTER, DOUBLE_WORD, TRIPLE_LETTER, TRIPLE_WORD

from ordws.rules.board import Axis, Board, board_from_rows, empty_board, square_name
from ordws.rules.layout import STANDARD, STANDARD_ROWS, WITH_WINGS, Layout
from ordws.rules.tiles import CLASSIC_TILES, EIGHT_I, POOL_300, THREE_SETS, TILE_SETS, TILE_VALUES, face_value


def squares_with(layout: Layout, premium: tuple[int, int]) -> set[str]:
    every = [(row, column) for row in range(layout.side) for column in range(layout.side)]
    return {square_name(*square) for square in every if layout.premium(*square) == premium}


@each_row(
    ("premium", "squares", "count"),
    [
        ((1, 3), TRIPLE_WORD, 8),
        ((1, 2), DOUBLE_WORD, 17),
        ((3, 1), TRIPLE_LETTER, 12),
        ((2, 1), DOUBLE_LETTER, 24),
    ],
)
def test_the_standard_layout_has_the_published_premium_squares(premium, squares, count):
    """The standard layout has the premium squares of the rule books (docs/rules.md 2.3)."""
    assert squares_with(STANDARD, premium) == set(squares.split())
    assert len(squares.split()) == count


def test_the_standard_layout_is_symmetric():
    """The standard layout is symmetric about both axes and both diagonals (docs/rules.md 2.3)."""
    columns = tuple("".join(column) for column in zip(*STANDARD_ROWS, strict=True))
    assert STANDARD_ROWS == columns == STANDARD_ROWS[::-1] == tuple(row[::-1] for row in STANDARD_ROWS)


def test_row_8_and_column_h_alone_have_both_kinds_of_word_square():
    """Only row 8 and column H have double and triple word squares (docs/rules.md 2.3, E-04)."""
    both = [row for row, marks in enumerate(STANDARD_ROWS, start=1) if {"-", "="} <= set(marks)]
    assert both == [8]
    assert STANDARD_ROWS[7] == "=..'...-...'..="
    assert STANDARD.start == (7, 7)


def test_wings_hold_fewer_squares_than_the_board_they_surround():
    """Wings of three rows make 216 squares, fewer than 225; wings of four would make 304 (V-18)."""
    assert (WITH_WINGS.side, sum(WITH_WINGS.inner), 21 * 21 - sum(WITH_WINGS.inner)) == (21, 225, 216)
    assert (15 + 2 * 4) ** 2 - 15 * 15 == 304


def test_wings_have_no_premium_and_move_the_board_by_three():
    """Wings have no premium squares; A1 of the inner board is D4 and its centre K11 (docs/rules.md 2.4, 0.4)."""
    every = [(row, column) for row in range(21) for column in range(21)]
    for row, column in every:
        if WITH_WINGS.is_inner(row, column):
            assert WITH_WINGS.premium(row, column) == STANDARD.premium(row - 3, column - 3)
        else:
            assert WITH_WINGS.premium(row, column) == (1, 1)
    assert square_name(*WITH_WINGS.start) == "K11"
    assert [square_name(r, c) for r, c in every if WITH_WINGS.is_inner(r, c)][::224] == ["D4", "R18"]


def test_a_drawing_has_a_factor_for_each_mark():
    """A drawing has marks for factors up to four, and both directions read the same square."""
    layout = Layout.from_rows(["'\"^.", "-=~.", "....", "...."], wings=1)
    assert [layout.premium(1, column) for column in range(6)] == [(1, 1), (2, 1), (3, 1), (4, 1), (1, 1), (1, 1)]
    assert [layout.premium(2, column) for column in range(6)] == [(1, 1), (1, 2), (1, 3), (1, 4), (1, 1), (1, 1)]
    (across, _), (down, _) = layout.factors[Axis.ACROSS], layout.factors[Axis.DOWN]
    of_row_1_column_3, of_row_3_column_1 = (1 + 1) * 7 + 3, (3 + 1) * 7 + 1
    assert (across[of_row_1_column_3], across[of_row_3_column_1]) == (4, 1)
    assert (down[of_row_3_column_1], down[of_row_1_column_3]) == (4, 1)
    assert eval(repr(layout)) == layout


@each_row(
    ("rows", "wings", "message"),
    [
        ([], 0, "a layout has 1 to 21 rows with its wings, this has 0"),
        (["." * 16] * 16, 3, "a layout has 1 to 21 rows with its wings, this has 22"),
        (["..", "..."], 0, "row 2 of the layout has 3 squares, 2 were expected"),
        (["..", ".x"], 0, 'row 2 of the layout has "x", which is none of . \' " ^ - = ~'),
    ],
)
def test_an_invalid_drawing_is_refused_with_its_row(rows, wings, message):
    """A drawing that is not a square of known marks, or too large, is refused with the row at fault."""
    with pytest.raises(ValueError, match=r"layout") as refused:
        Layout.from_rows(rows, wings)
    assert str(refused.value) == message


def test_letters_have_their_face_values():
    """A blank is worth 0, the letters from 1 for AEIOULNRST to 10 for Q and Z (docs/rules.md 2.1)."""
    by_value: dict[int, str] = {}
    for letter, value in TILE_VALUES.items():
        by_value[value] = "".join(sorted(by_value.get(value, "") + letter))
    assert by_value == {
        0: "?",
        1: "AEILNORSTU",
        2: "DG",
        3: "BCMP",
        4: "FHVWY",
        5: "K",
        8: "JX",
        10: "QZ",
    }


@each_row(
    ("tiles", "total", "face", "blanks", "letter_i"),
    [
        (CLASSIC_TILES, 100, 187, 2, 9),
        (EIGHT_I, 100, 186, 3, 8),
        (THREE_SETS, 300, 561, 6, 27),
        (POOL_300, 300, 521, 9, 23),
    ],
)
def test_distributions_have_the_sums_that_the_rule_books_give(tiles, total, face, blanks, letter_i):
    """Each distribution has its number of tiles, face value, blanks and I's (docs/rules.md 2.2)."""
    every = tiles.all_tiles()
    assert (tiles.total, len(every), face_value(every)) == (total, total, face)
    assert (every.count("?"), every.count("I")) == (blanks, letter_i)
    assert TILE_SETS[tiles.name] is tiles


def test_three_standard_sets_are_three_times_the_classic_one():
    """The distribution three-sets is three times the classic one (docs/rules.md 2.2)."""
    assert THREE_SETS.counts == tuple(3 * count for count in CLASSIC_TILES.counts)


def test_eight_i_has_a_blank_in_place_of_an_i():
    """The distribution eight-i has a blank in place of an I (docs/rules.md 2.2)."""
    assert sorted(EIGHT_I.all_tiles() + "I") == sorted(CLASSIC_TILES.all_tiles() + "?")


def board_of(*rows: str) -> Board:
    return board_from_rows([*rows])


def test_a_board_is_the_same_read_by_rows_and_by_columns():
    """Letters are put on squares, and cleared, in both texts of a board."""
    board = board_of("C..", "A.b", "T..")
    assert board == empty_board(3).with_letters({(0, 0): "C", (1, 0): "A", (2, 0): "T", (1, 2): "b"})
    assert board.rows() == ["C..", "A.b", "T.."]
    assert board_of("CAT", "...", ".b.").across == board.down
    assert (board.letter_at(1, 2), board.letter_at(0, 1)) == ("b", ".")
    assert board.with_letters({(1, 2): ".", (0, 0): "X"}) == board_of("X..", "A..", "T..")
    assert not board.is_empty
    assert empty_board(3).is_empty


@each_row("rows", [["..", "..."], ["..", ".1"], ["..", ".é"], [".\n", ".."]])
def test_a_board_is_drawn_in_letters_and_dots(rows):
    """A board drawn with other characters, or not as a square, raises ValueError."""
    with pytest.raises(ValueError, match=r"^a board of 2 rows has 2 letters or dots in each$"):
        board_from_rows(rows)
