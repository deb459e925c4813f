"""Moves as game records write them (docs/interfaces.md 2.6)."""

from __future__ import annotations

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.errors import BadInput
from ordws.records.notation import (
    BadMove,
    MoveWithSwaps,
    find_start,
    read_move,
    read_move_with_swaps,
    write_move,
    write_move_with_swaps,
    write_start,
)
from ordws.rules.board import Axis
from ordws.rules.move import Exchange, Pass, Play

ACROSS, DOWN = Axis


@each_row(
    ("text", "move"),
    [
        ("8D STAiNER", Play(7, 3, ACROSS, b"STAiNER")),
        ("D8 STAiNER", Play(7, 3, DOWN, b"STAiNER")),
        ("8d S..S", Play(7, 3, ACROSS, b"S..S")),
        ("o15 A", Play(14, 14, DOWN, b"A")),
        ("21U .A", Play(20, 20, ACROSS, b".A")),
        ("  A1   A ", Play(0, 0, DOWN, b"A")),
        ("-ABC?", Exchange("ABC?")),
        ("-", Pass()),
    ],
)
def test_a_play_an_exchange_and_a_pass(text, move):
    """A play with its row first is across, with its column first down.

    A capital is a tile, a lower case letter a blank, a dot a tile already on the board.
    """
    assert read_move(text) == move
    assert read_move_with_swaps(text) == MoveWithSwaps((), move)


@each_row(
    ("text", "swaps", "move"),
    [
        ("=H8 8D STAiNER", ((7, 7),), Play(7, 3, ACROSS, b"STAiNER")),
        ("=H8 =o1 -", ((7, 7), (0, 14)), Pass()),
        ("=8H -AB", ((7, 7),), Exchange("AB")),
    ],
)
def test_swaps_come_before_a_move(text, swaps, move):
    """Swaps, each with the square of its blank, may precede any kind of move."""
    assert read_move_with_swaps(text) == MoveWithSwaps(swaps, move)


A_MOVE = 'a move is a play as "8D WORD", an exchange as "-ABC" or a pass as "-"'
A_START = 'a play begins with its first square: "8D" across, "D8" down, up to row 21 and column U'
LETTERS = 'a play is spelt in letters, lower case for a blank, "." for a tile already there'
AN_EXCHANGE = 'an exchange is "-" with the tiles given back in capitals, "?" for a blank'
A_SWAP = 'a swap is "=" with the square of the blank, as in "=H8"'


@each_row(
    ("text", "message"),
    [
        ("", A_MOVE),
        ("8D", A_MOVE),
        ("8D A B", A_MOVE),
        ("=H8", A_MOVE),
        ("8D A =H8", A_MOVE),
        ("pass", A_MOVE),
        ("0A A", A_START),
        ("22A A", A_START),
        ("8V A", A_START),
        ("08D A", A_START),
        ("8 A", A_START),
        ("DD A", A_START),
        ("٨D A", A_START),
        ("8DD A", A_START),
        ("- A", A_START),
        ("-AB C", A_START),
        ("8D A1", LETTERS),
        ("8D (A)B", LETTERS),
        ("8D É", LETTERS),
        ("8D A?", LETTERS),
        ("8D " + 22 * "A", "a play spells 21 letters at most"),
        ("-abc", AN_EXCHANGE),
        ("-4", AN_EXCHANGE),
        ("--", AN_EXCHANGE),
        ("= 8D A", A_SWAP),
        ("=H 8D A", A_SWAP),
        ("=H22 8D A", A_SWAP),
        ("=H8=I8 8D A", A_SWAP),
        ("=H8 =8H 8D A", "a blank is swapped twice"),
    ],
)
def test_an_invalid_move_is_refused_with_the_expected_form(text, message):
    """A refusal message what was expected and does not repeat the letters that were sent."""
    with pytest.raises(BadMove) as refused:
        read_move_with_swaps(text)
    assert str(refused.value) == message
    assert isinstance(refused.value, BadInput)


@each_row(
    ("text", "start"),
    [
        ("8H", (7, 7, ACROSS)),
        ("h8", (7, 7, DOWN)),
        ("21U", (20, 20, ACROSS)),
        ("U22", None),
        ("H", None),
        ("H8 ", None),
    ],
)
def test_the_first_square_gives_the_direction(text, start):
    """8H is a play across in row 8, H8 a play down column H, and any other text no square."""
    assert find_start(text) == start
    assert start is None or write_start(*start) == text.upper()


PLAYS = st.builds(
    lambda row, column, axis, text: Play(row, column, axis, text.encode()),
    st.integers(0, 20),
    st.integers(0, 20),
    st.sampled_from(Axis),
    st.text("ABZabz.", min_size=1, max_size=21),
)
MOVES = PLAYS | st.text("AZ?", min_size=1, max_size=8).map(Exchange) | st.just(Pass())
TURNS = st.builds(
    MoveWithSwaps,
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=3, unique=True).map(tuple),
    MOVES,
)


@given(TURNS)
def test_any_turn_reads_back_as_it_is_written(turn):
    """Swaps and moves of every kind, on every square, read back as they were written."""
    assert read_move_with_swaps(write_move_with_swaps(turn)) == turn
    assert read_move(write_move(turn.move)) == turn.move


NEAR = st.lists(st.sampled_from([*"=-?.8DHU1 a", "=H8 ", "8D ", "D8 ", " STAiNER", "22", "É", "²", "\x00"]), max_size=8)


@given(NEAR.map("".join) | st.text())
def test_any_other_text_is_a_bad_move_and_nothing_else(text):
    """Any text is refused as a bad move, or is read and reads back as it is written."""
    try:
        turn = read_move_with_swaps(text)
    except BadMove:
        return
    assert read_move_with_swaps(write_move_with_swaps(turn)) == turn
