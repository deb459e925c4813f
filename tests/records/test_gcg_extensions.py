"""Notes and descriptions that begin with `ordws`, for what GCG has no form for."""

from __future__ import annotations

from each_row import each_row

from ordws.records.record import (
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
from ordws.rules.ruleset import CLASSIC, RULE_SETS, SCRABBLE_I


@each_row(
    ("note", "extension"),
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
def test_an_extension_is_read_and_written(note, extension):
    """Reading and writing an extension are each other's reverse."""
    assert read_extension(note) == extension
    assert write_extension(extension) == note


@each_row("note", ["a remark", "ordwsy", "not ordws swap =H8"])
def test_other_notes_are_no_extensions(note):
    """Other notes are left alone."""
    assert read_extension(note) is None


@each_row("note", ["sings", "swap", "swap H99", "check-ospd maybe", "deducted", "adjusted"])
def test_an_extension_that_is_not_understood_is_reported(note):
    """A note that begins with `ordws` and cannot be understood gives a sentence."""
    assert isinstance(read_extension(f"ordws {note}"), str)


@each_row(
    ("rules", "text"),
    [
        (CLASSIC, "ordws rules=classic"),
        (with_options(SCRABBLE_I, {"premium": "multiply"}), "ordws rules=scrabble-i premium=multiply"),
        (with_options(CLASSIC, {"big_play": "5:10,7:50"}), "ordws rules=classic big_play=5:10,7:50"),
    ],
)
def test_a_description_names_rules(rules, text):
    """A description names the rule set and the options that are changed."""
    assert write_rules_description(rules) == text
    assert read_rules_description(text) == rules


def test_a_drawn_layout_is_named_too():
    """A description can hold a drawn layout, since a drawing has no spaces."""
    rules = with_options(RULE_SETS["scrabble-o"], {"layout": "/".join(["=.'.-.\"^~......"] * 15)})
    assert read_rules_description(write_rules_description(rules)) == rules


@each_row(
    ("text", "message"),
    [
        ("Ann plays Bob", None),
        ("ordws is what we play", None),
        ("ordws rules=scrabble-x", '"scrabble-x" is none of classic,'),
        ("ordws rules=dover premium=half", 'option premium: "half" is none of add, multiply'),
    ],
)
def test_a_description_of_unknown_rules_is_reported(text, message):
    """A description of unknown rules or options gives a sentence; one of another program is left alone."""
    rules = read_rules_description(text)
    assert rules is None if message is None else str(rules).startswith(message)
