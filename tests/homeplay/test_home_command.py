"""`ordws home`: the check of words in two books on the command line."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys

import pytest

from ordws.cli import ordws, run


@pytest.fixture
def books(tmp_path):
    """Return a folder with a small dictionary and a small players' reference."""
    (tmp_path / "dictionary.txt").write_text("bash\nvote\nozone\n")
    (tmp_path / "ospd.txt").write_text("BASHINGS\nREVOTE\nOZONES\nKOLO\n")
    return tmp_path


@pytest.fixture
def home(books, monkeypatch, capsys):
    """Run the command and return its status, output and errors."""

    def home(*arguments, dictionary="dictionary.txt"):
        arguments = [*arguments, "--reference", str(books / "ospd.txt")]
        arguments += ["--dictionary", str(books / dictionary)] if dictionary else []
        monkeypatch.setattr("sys.argv", ["ordws", "home", *arguments, "--instance", str(books)])
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return home


def test_each_word_is_printed_with_its_reason(home):
    """An acceptable word is printed with its reason and the way it was made."""
    assert home("bashings") == (
        0,
        "BASHINGS: acceptable\n"
        "  BASH is in your dictionary, and the OSPD has BASHINGS, which is BASH with -INGS.\n"
        "  BASH > BASHING > BASHINGS\n"
        "  (Scrabble I, rule 10.1)\n",
        "",
    )


def test_an_unacceptable_word_has_status_1(home):
    """If a word is not acceptable, the status is 1 and the consequence is printed."""
    status, out, _ = home("revote", "kolo")
    assert status == 1
    assert "REVOTE: acceptable" in out
    assert "KOLO: not acceptable" in out
    assert "The play comes off the board, and the turn is lost." in out


def test_json(home):
    """With `--json` each word is an object in a line, whose first keys are those that are published."""
    status, out, _ = home("Bashings", "kolo", "--json")
    first, second = map(json.loads, out.splitlines())
    assert status == 1
    assert list(first)[:6] == ["word", "acceptable", "base", "steps", "rule", "because"]
    assert (first["word"], first["acceptable"], first["base"]) == ("BASHINGS", True, "BASH")
    assert (first["steps"], first["rule"]) == (["BASH", "BASHING", "BASHINGS"], "formative")
    assert (second["acceptable"], second["base"], second["steps"]) == (False, None, [])


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (("ozones", "--rules", "dover"), "dover-6-print"),
        (("ozones", "--rules", "dover", "--edition", "electronic"), "dover-6-electronic"),
        (("kolo", "--rules", "classic"), "in-reference"),
        (("qi",), "not-on-two-letter-list"),
        (("revoter", "--affixes", "strict"), "base-not-in-reference"),
    ],
)
def test_options(home, arguments, rule):
    """The options choose rule set, edition and affixes."""
    _, out, _ = home(*arguments, "--json")
    assert json.loads(out)["rule"] == rule


def test_by_exclusion_there_is_no_dictionary(home):
    """Play by exclusion asks nothing, and cannot be combined with a dictionary."""
    assert home("kolo", "--by-exclusion", dictionary=None)[0] == 0
    status, _, err = home("kolo", "--by-exclusion")
    assert (status, err.splitlines()[0]) == (2, "ordws: error: --by-exclusion cannot be combined with --dictionary")


def test_without_a_terminal_a_question_is_an_error(home, monkeypatch):
    """Without a terminal the error names the question that could not be asked."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    status, out, err = home("bashings", dictionary=None)
    assert (status, out) == (2, "")
    assert err == (
        "ordws: error: there is no terminal to ask on: Is BASH in your dictionary?\nordws: hint: --dictionary FILE\n"
    )


def converse(books, typed):
    """Return status, ruling and standard error of the command when these answers are typed on a terminal."""
    terminal, end = pty.openpty()
    command = [sys.executable, "-c", "from ordws.cli import main; main()", "home", "bashings", "--json"]
    command += ["--reference", str(books / "ospd.txt")]
    with subprocess.Popen(command, stdin=end, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        os.write(terminal, typed)
        out, err = process.communicate(timeout=60)
    os.close(end)
    os.close(terminal)
    return process.returncode, json.loads(out), err


def test_on_a_terminal_it_is_a_conversation(books):
    """Yes to a base decides, no leads to the next question, and another base may be typed."""
    status, ruling, err = converse(books, b"y\n")
    assert (status, ruling["base"]) == (0, "BASH")
    assert "Is BASH in your dictionary?" in err
    status, ruling, err = converse(books, b"n\nmaybe not\nmaybe\nbash\n")
    assert (status, ruling["acceptable"]) == (0, True)
    assert "is not known to be made from MAYBE." in err
    assert err.count("in your dictionary?") >= 2


def test_the_open_stand_in(installation, monkeypatch, capsys, books):
    """Without `--reference` the reference of the installation is read, which needs no edition."""
    installation.instance.sealed_edition.unlink()
    options = ["--dictionary", str(books / "dictionary.txt"), "--instance", str(installation.instance.root)]
    monkeypatch.setattr("sys.argv", ["ordws", "home", "cats", "--json", *options])
    assert run(ordws, "ordws") == 1
    assert json.loads(capsys.readouterr().out)["rule"] == "in-neither"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["c4t"], "word 1: not a word of 2 to 21 letters, A to Z with or without accents"),
        (["cat", "--rules", "chess"], '"chess" is none of classic'),
    ],
)
def test_misuse(home, arguments, error):
    """A bad word or rule set is an error of status 2."""
    status, out, err = home(*arguments)
    assert (status, out) == (2, "")
    assert error in err


def test_without_any_reference(tmp_path, monkeypatch, capsys):
    """If there is no reference, the error names its path and what to do."""
    monkeypatch.setattr("sys.argv", ["ordws", "home", "cat", "--instance", str(tmp_path)])
    assert run(ordws, "ordws") == 2
    assert capsys.readouterr().err == (
        f'ordws: error: there is no players\' reference at "{tmp_path}/public/reference"\n'
        "ordws: hint: --reference FILE, or ordws-build run\n"
    )
