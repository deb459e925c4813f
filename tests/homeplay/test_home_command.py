"""`ordws home`: the two-book check on the command line."""

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
def shelf(tmp_path):
    """A small dictionary and a small players' reference."""
    (tmp_path / "dictionary.txt").write_text("bash\nvote\nozone\n")
    (tmp_path / "ospd.txt").write_text("BASHINGS\nREVOTE\nOZONES\nKOLO\n")
    return tmp_path


@pytest.fixture
def home(shelf, monkeypatch, capsys):
    """Runs the command and returns its status, output and errors."""

    def home(*arguments, dictionary="dictionary.txt"):
        books = ["--reference", str(shelf / "ospd.txt")]
        books += ["--dictionary", str(shelf / dictionary)] if dictionary else []
        monkeypatch.setattr("sys.argv", ["ordws", "home", *arguments, *books, "--instance", str(shelf)])
        status = run(ordws, "ordws")
        said = capsys.readouterr()
        return status, said.out, said.err

    return home


def test_a_line_a_word_and_the_reason(home):
    """Yes is told with the way the word was made."""
    assert home("bashings") == (
        0,
        "BASHINGS: acceptable\n"
        "  BASH is in your dictionary, and the OSPD has BASHINGS, which is BASH with -INGS.\n"
        "  BASH > BASHING > BASHINGS\n"
        "  (Scrabble I, rule 10.1)\n",
        "",
    )


def test_one_that_is_not_acceptable(home):
    """Then the status is 1, and what follows is told."""
    status, out, _ = home("revote", "kolo")
    assert status == 1
    assert "REVOTE: acceptable" in out
    assert "KOLO: not acceptable" in out
    assert "The play comes off the board, and the turn is lost." in out


def test_json(home):
    """An object a line, its first keys as published."""
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
    """Rule set, edition and affixes are as they are said to be."""
    _, out, _ = home(*arguments, "--json")
    assert json.loads(out)["rule"] == rule


def test_by_exclusion_there_is_no_dictionary(home):
    """Nothing is asked, and a dictionary beside it is misuse."""
    assert home("kolo", "--by-exclusion", dictionary=None)[0] == 0
    status, _, err = home("kolo", "--by-exclusion")
    assert (status, err.splitlines()[0]) == (2, "ordws: error: --by-exclusion cannot be combined with --dictionary")


def test_without_a_terminal_nobody_is_asked(home, monkeypatch):
    """It says so, and what would have been asked."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    status, out, err = home("bashings", dictionary=None)
    assert (status, out) == (2, "")
    assert err == (
        "ordws: error: there is no terminal to ask on: Is BASH in your dictionary?\nordws: hint: --dictionary FILE\n"
    )


def converse(shelf, typed):
    """What is printed when the command is answered on a terminal."""
    terminal, end = pty.openpty()
    command = [sys.executable, "-c", "from ordws.cli import main; main()", "home", "bashings", "--json"]
    command += ["--reference", str(shelf / "ospd.txt")]
    with subprocess.Popen(command, stdin=end, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        os.write(terminal, typed)
        out, err = process.communicate(timeout=60)
    os.close(end)
    os.close(terminal)
    return process.returncode, json.loads(out), err


def test_on_a_terminal_it_is_a_conversation(shelf):
    """Yes to the base decides; no leads on; a base that the player found himself may be typed."""
    status, ruling, err = converse(shelf, b"y\n")
    assert (status, ruling["base"]) == (0, "BASH")
    assert "Is BASH in your dictionary?" in err
    status, ruling, err = converse(shelf, b"n\nmaybe not\nmaybe\nbash\n")
    assert (status, ruling["acceptable"]) == (0, True)
    assert "is not known to be made from MAYBE." in err
    assert err.count("in your dictionary?") >= 2


def test_the_open_stand_in(installation, monkeypatch, capsys, shelf):
    """Without a reference of one's own the installation's is read, which needs no edition."""
    installation.instance.sealed.unlink()
    books = ["--dictionary", str(shelf / "dictionary.txt"), "--instance", str(installation.instance.root)]
    monkeypatch.setattr("sys.argv", ["ordws", "home", "cats", "--json", *books])
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
    """What cannot be read is an error of status 2."""
    status, out, err = home(*arguments)
    assert (status, out) == (2, "")
    assert error in err


def test_without_any_reference(tmp_path, monkeypatch, capsys):
    """It is told where one was looked for, and what to do."""
    monkeypatch.setattr("sys.argv", ["ordws", "home", "cat", "--instance", str(tmp_path)])
    assert run(ordws, "ordws") == 2
    assert capsys.readouterr().err == (
        f'ordws: error: there is no players\' reference at "{tmp_path}/public/reference"\n'
        "ordws: hint: --reference FILE, or ordws-build run\n"
    )
