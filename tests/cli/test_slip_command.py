"""`ordws slip`: a rule set on a slip of paper."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.cli import run
from ordws.cli.rules import slip as slip_command
from ordws.pictures.slip import render_slip
from ordws.rules.ruleset import RULE_SETS


@pytest.fixture
def call(monkeypatch, capsys):
    """Return a function that runs the command line and gives status, output and errors."""

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws slip", *arguments])
        status = run(slip_command, "ordws slip")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@each_row("rules", RULE_SETS)
def test_the_slip_is_printed(call, rules):
    """Every rule set has a slip, which follows the given option."""
    assert call(rules) == (0, render_slip(RULE_SETS[rules]), "")
    status, out, _ = call(rules, "--option", "small_word_cap=on", "--option", "premium=add")
    assert status == 0
    assert "  Small word point cap.\n" in out
    assert "  Word squares add: 2+2=4, 3+3=6.\n" in out


def test_help_has_an_example(call):
    """The help text has an example."""
    status, out, _ = call("--help")
    assert status == 0
    assert "ordws slip scrabble-i --option small_word_cap=on" in out


@each_row(
    ("arguments", "error"),
    [
        (("scrabble-x",), 'ID: "scrabble-x" is none of classic, scrabble-i-classic, scrabble-o, scrabble-i, dover'),
        (("dover", "--option", "premium"), '--option: "premium" is not of the form NAME=VALUE'),
        (("dover", "--option", "swap=on", "--option", "swap=off"), '--option: "swap" is given twice'),
        (("dover", "--option", "premium=sum"), '--option: option premium: "sum" is none of add, multiply'),
        (("dover", "--option", "premiums=add"), '--option: there is no option "premiums", but '),
        ((), "Missing argument 'ID'."),
    ],
)
def test_an_unknown_rule_set_or_option_is_an_error(call, arguments, error):
    """An unknown rule set or option is an error with status 2 that names what exists."""
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ordws: error: ")
    assert error in err
