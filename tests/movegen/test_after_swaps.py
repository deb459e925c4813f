"""Tests of the positions that swaps for blanks lead to."""

from ordws.movegen.moves import AfterSwaps, after_swaps
from ordws.rules.board import board_from_rows
from ordws.rules.ruleset import CLASSIC, DOVER, SCRABBLE_I_CLASSIC, SCRABBLE_O

BOARD = board_from_rows(
    [
        "CaTe.",
        "...e.",
        "...L.",
        ".....",
        ".....",
    ]
)


def test_every_choice_of_swaps_is_found_once():
    """Any blanks may be taken whose letters the rack has, a tile for each (docs/rules.md 5.1)."""
    assert [(squares, rack) for squares, _, rack in after_swaps(SCRABBLE_O, BOARD, "AEXT")] == [
        ((), "AEXT"),
        (((0, 1),), "?EXT"),
        (((0, 3),), "A?XT"),
        (((1, 3),), "A?XT"),
        (((0, 1), (0, 3)), "??XT"),
        (((0, 1), (1, 3)), "??XT"),
    ]


def test_two_tiles_take_two_blanks_of_one_letter():
    """Any number of blanks may be taken in one turn (docs/rules.md 5.1)."""
    reached = list(after_swaps(SCRABBLE_I_CLASSIC, BOARD, "EE"))
    assert reached[-1] == AfterSwaps(
        ((0, 3), (1, 3)), board_from_rows(["CaTE.", "...E.", "...L.", ".....", "....."]), "??"
    )
    assert len(reached) == 4


def test_a_blank_is_not_swapped_for_a_blank():
    """Only a real tile of that very letter takes a blank (docs/rules.md 5.2)."""
    assert [rack for _, _, rack in after_swaps(SCRABBLE_O, BOARD, "?LX")] == ["?LX"]


def test_without_the_rule_nothing_is_swapped():
    """A rule set without swaps leaves a player only the position as it is (docs/rules.md 1)."""
    for rules in (CLASSIC, DOVER):
        assert list(after_swaps(rules, BOARD, "AE")) == [AfterSwaps((), BOARD, "AE")]
