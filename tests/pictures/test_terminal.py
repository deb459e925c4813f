"""A board in a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snapshot_cases import EVENTFUL, PLAYED, UNREPENTANT, shown

from ordws.pictures.terminal import draw_board
from ordws.rules.board import empty_board
from ordws.rules.layout import STANDARD, WITH_WINGS, Layout


def in_signs(layout, board, **marks):
    """Return the lines without colour, from the title on."""
    return draw_board(layout, board, title="", colour=False, **marks).plain.split("\n")


def test_a_square_takes_two_columns():
    """A letter is followed by `*` for the last play or `_` for a stretched run; a blank is in lower case."""
    lines = in_signs(STANDARD, UNREPENTANT, last=PLAYED["last"], stretched=PLAYED["stretched"])
    assert lines[10] == " 9 . . ' U*N*R_E_P_E_N_T_a*N*T*.  9"
    assert lines[8] == " 7 . . ' . . u ' . ' . . . ' . .  7"
    assert lines[-1] == "* last play  _ stretched  lower case: a blank  ' 2L  \" 3L  - 2W  = 3W"


def test_the_legend_explains_only_marks_on_the_board():
    """The legend explains only marks that are on the board."""
    assert in_signs(Layout.from_rows(["^~", ".."]), empty_board(2)) == [
        "",
        "   A B",
        " 1 ^ ~  1",
        " 2 . .  2",
        "   A B",
        "^ 4L  ~ 4W",
    ]
    assert in_signs(Layout.from_rows(["."]), empty_board(1))[-1] == "   A"


def test_wings_are_empty():
    """Squares of the inner board have a mark each, those of the wings none."""
    lines = in_signs(WITH_WINGS, empty_board(21))
    assert lines[2] == " 1" + " " * 44 + "1"
    assert lines[5] == " 4       = . . ' . . . = . . . ' . . =        4"


def test_the_board_is_readable_without_colours():
    """The coloured board tells premium squares, tiles and blanks apart without its colours too."""
    lines = draw_board(STANDARD, UNREPENTANT, **PLAYED).plain.split("\n")
    assert lines[2] == " 1 3W    2L      3W      2L    3W 1"
    assert lines[10] == " 9     2LU N R E P E N T a N T    9"


def test_the_last_play_and_the_stretch_have_styles_of_their_own():
    """The last play is light on dark, other tiles dark on light, and the stretched run is underlined."""
    drawn = shown(draw_board(STANDARD, UNREPENTANT, **PLAYED), colour=True)
    assert "\x1b[1;38;2;253;241;205;48;2;123;31;162mU \x1b[0m" in drawn
    assert "\x1b[1;4;38;2;27;23;18;48;2;253;241;205mR \x1b[0m" in drawn
    assert "\x1b[1;38;2;27;23;18;48;2;253;241;205mQ \x1b[0m" in drawn


def test_board_and_layout_have_to_match():
    """A layout of another side raises ValueError."""
    with pytest.raises(ValueError, match="the layout has 15 squares a side, the board 21"):
        draw_board(STANDARD, EVENTFUL, title="")


@given(st.text(st.characters(exclude_categories=()), max_size=40), st.booleans())
def test_no_title_sends_a_control_sequence(title, colour):
    """A title takes one line and sends no control sequence to the terminal."""
    drawn = draw_board(STANDARD, empty_board(15), title=title, colour=colour)
    plain = draw_board(STANDARD, empty_board(15), title="", colour=colour)
    assert drawn.plain.count("\n") == plain.plain.count("\n")
    assert {unicodedata.category(sign) for sign in drawn.plain.replace("\n", "")}.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    assert shown(drawn, colour=colour).count("\x1b") == shown(plain, colour=colour).count("\x1b")
