"""What GCG has no form for, in notes and descriptions that begin with `ordws`."""

from __future__ import annotations

import pytest

from ordws.records.gcg_extensions import (
    CaughtPlay,
    CheckedOspd,
    DirectorAdjustment,
    GameEnded,
    OspdDeduction,
    PlayerLeft,
    SwapsBefore,
    read_extension,
    read_rules_description,
    write_extension,
    write_rules_description,
)
from ordws.rules.options import with_options
from ordws.rules.rulesets import CLASSIC, RULE_SETS, SCRABBLE_I


@pytest.mark.parametrize(
    ("note", "fact"),
    [
        ("ordws swap =H8 =C3", SwapsBefore(((7, 7), (2, 2)))),
        ("ordws check-ospd found", CheckedOspd(True)),
        ("ordws check-ospd found QUOI", CheckedOspd(True, "QUOI")),
        ("ordws check-ospd not-found QUOI", CheckedOspd(False, "QUOI")),
        ("ordws deducted check-ospd", OspdDeduction()),
        ("ordws adjusted director: a tile fell", DirectorAdjustment("director", "a tile fell")),
        ("ordws caught 8D STAiNER", CaughtPlay("8D STAiNER")),
        ("ordws left Ann resigned", PlayerLeft("Ann", "resigned")),
        ("ordws ended out", GameEnded("out")),
    ],
)
def test_a_fact_is_read_and_written(note, fact):
    """The two are each other's reverse."""
    assert read_extension(note) == fact
    assert write_extension(fact) == note


@pytest.mark.parametrize("note", ["a remark", "ordwsy", "not ordws swap =H8"])
def test_other_notes_are_none_of_ours(note):
    """They are left alone."""
    assert read_extension(note) is None


@pytest.mark.parametrize("note", ["sings", "swap", "swap H99", "check-ospd maybe", "deducted", "adjusted"])
def test_a_fact_that_is_none_is_told(note):
    """A note that begins as one of ours and goes on otherwise gives a sentence."""
    assert isinstance(read_extension(f"ordws {note}"), str)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (CLASSIC, "ordws rules=classic"),
        (with_options(SCRABBLE_I, {"premium": "multiply"}), "ordws rules=scrabble-i premium=multiply"),
        (with_options(CLASSIC, {"big_play": "5:10,7:50"}), "ordws rules=classic big_play=5:10,7:50"),
    ],
)
def test_a_description_names_rules(rules, text):
    """The rule set, and what is varied in it."""
    assert write_rules_description(rules) == text
    assert read_rules_description(text) == rules


def test_a_layout_of_ones_own_is_named_too():
    """A drawing has no spaces."""
    rules = with_options(RULE_SETS["scrabble-o"], {"layout": "/".join(["=.'.-.\"^~......"] * 15)})
    assert read_rules_description(write_rules_description(rules)) == rules


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ann plays Bob", None),
        ("ordws is what we play", None),
        ("ordws rules=scrabble-x", '"scrabble-x" is none of classic,'),
        ("ordws rules=dover premium=half", 'option premium: "half" is none of add, multiply'),
    ],
)
def test_a_description_that_cannot_be_followed_is_told(text, said):
    """One that is none of ours is left alone."""
    found = read_rules_description(text)
    assert found is None if said is None else str(found).startswith(said)
