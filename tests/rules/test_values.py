"""The values of the engine, which are plain Python values in both of its forms."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace

import pytest
from each_row import each_row

from ordws.rules.board import Axis, board_from_rows, empty_board
from ordws.rules.fault import Fault, Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.receipt import build_receipt
from ordws.rules.ruleset import CLASSIC, RULE_SETS

BOARD = empty_board(15)
PLAY = Play(7, 6, Axis.ACROSS, b"CaT")
RULING = judge(CLASSIC, BOARD, PLAY, "CT?")
assert isinstance(RULING, Legal)
OFF = judge(CLASSIC, BOARD, Play(7, 14, Axis.ACROSS, b"CAT"))
VALUES = [BOARD, PLAY, Exchange("AB"), Pass(), Axis.DOWN, RULING, OFF, build_receipt(RULING), *RULE_SETS.values()]


@each_row("value", VALUES)
def test_a_value_is_pickled_and_copied_to_an_equal_one(value: object) -> None:
    """A pickled or copied value has the same type, is equal, and has the same repr."""
    for again in (pickle.loads(pickle.dumps(value)), deepcopy(value)):
        assert type(again) is type(value)
        assert again == value
        assert repr(again) == repr(value)


@each_row("value", [BOARD, PLAY, Axis.DOWN, OFF, CLASSIC])
def test_equal_values_have_one_hash(value: object) -> None:
    """Equal values without a list in them have the same hash."""
    assert deepcopy(value) in {value}


def test_the_repr_of_a_value_names_its_fields() -> None:
    """The repr of a value names its fields."""
    assert repr(PLAY) == "Play(row=7, column=6, axis=<Axis.ACROSS: 0>, letters=b'CaT')"
    assert repr(board_from_rows(["A"])) == "Board(side=1, across=b'..A...', down=b'..A...')"


def test_values_are_unpacked_and_matched() -> None:
    """A named tuple can be unpacked in the order of its fields and matched by them."""
    side, across, down = BOARD
    assert (side, len(across), across == down) == (15, 272, True)
    match RULING:
        case Legal(rules, spans, score, bonus=0):
            assert (rules, spans, score) == (CLASSIC, [(b"CaT", 134, [134, 135, 136], Axis.ACROSS)], 8)
    match OFF:
        case Illegal(fault, sentence):
            assert fault is Fault.OFF_BOARD
            assert sentence == "the play does not stay within the 15 rows and columns of the board"


def test_words_may_have_letters_beyond_ascii() -> None:
    """Records in other languages have tiles beyond ASCII, which the words of a ruling show."""
    foreign = Legal(CLASSIC, [("MäHNE".encode("latin-1"), 134, [134], Axis.ACROSS)], 0, 0)
    assert foreign.words == ["MÄHNE"]


def test_a_rule_set_is_immutable() -> None:
    """A rule set cannot be assigned to; `replace` makes another one."""
    eight = replace(CLASSIC, rack_size=8)
    assert (eight.rack_size, CLASSIC.rack_size, eight == CLASSIC) == (8, 7, False)
    with pytest.raises(FrozenInstanceError):
        CLASSIC.rack_size = 8  # type: ignore[misc]
