"""`ordws tiles`: the tiles of a rule set on a sheet of paper."""

from __future__ import annotations

from dataclasses import replace

from each_row import each_row

from ordws.pictures.slip import render_tile_sheet
from ordws.rules.ruleset import DOVER, RULE_SETS


@each_row("rules", RULE_SETS)
def test_the_sheet_is_printed(command, rules):
    """Every rule set has a sheet."""
    assert command("tiles", rules) == (0, render_tile_sheet(RULE_SETS[rules]), "")


def test_options_change_the_tiles(command):
    """The sheet follows the options that say which tiles there are."""
    status, out, _ = command("tiles", "dover", "--option", "three_i_to_aeo=on")
    assert (status, out) == (0, render_tile_sheet(replace(DOVER, three_i_to_aeo=True)))
    assert "    I       1     24        27      -3  [ ]" in out
    assert "This is the standard set." in command("tiles", "scrabble-o", "--option", "tiles=classic")[1]


def test_an_unknown_rule_set_is_an_error(command):
    """An unknown rule set is an error with status 2 that names what exists."""
    status, out, err = command("tiles", "scrabble-x")
    assert (status, out) == (2, "")
    assert 'ID: "scrabble-x" is none of classic, ' in err
