"""`ordws home`: the check of words in two books on the command line."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys

import pytest
from each_row import each_row

from ordws.cli import ordws, run
from ordws.instance import Instance
from ordws.lexicon.own_reference import OwnReference, store_own_reference


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
        "  BASH is in your dictionary, and your list ospd.txt has BASHINGS, which is BASH with -INGS.\n"
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


@each_row(
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


def test_one_bad_word_does_not_reject_the_others(home):
    """Of fifteen words the one that cannot be played is named, and the others are ruled on all the same."""
    words = ["bashings"] * 7 + ["can't"] + ["revote"] * 7
    status, out, err = home(*words)
    assert (status, err) == (1, "")
    assert (out.count(": acceptable"), out.count(": not acceptable")) == (14, 1)
    assert "can't: not acceptable\n  can't is not one word of 2 to 21 letters, A to Z;" in out
    _, out, _ = home("can't", "\x1b[31m", "revote", "--json")
    assert [json.loads(line)["rule"] for line in out.splitlines()] == ["not-playable", "not-playable", "formative"]
    assert "\\u001b" not in out


def test_labels_that_could_not_be_checked(home, books):
    """Under Dover a ruling by a plain file says that labels could not be checked; labels decide."""
    _, out, _ = home("revote", "--rules", "dover")
    assert "Your dictionary file states no labels" in out
    assert json.loads(home("revote", "--rules", "dover", "--json")[1])["labels_checked"] is False
    assert "labels" not in home("revote")[1]
    (books / "labelled.tsv").write_text("vote\tv.\tmain\nbash\tv.\tmain\tvulgar\n")
    _, out, _ = home("revote", "bashings", "--rules", "dover", "--json", dictionary="labelled.tsv")
    rulings = [json.loads(line) for line in out.splitlines()]
    assert [(ruling["rule"], ruling["labels_checked"]) for ruling in rulings] == [
        ("dover-5-re", True),
        ("dover-2-label-base", True),
    ]
    _, out, _ = home("bash", "--option", "offensive=disallowed", "--json", dictionary="labelled.tsv")
    assert json.loads(out)["rule"] == "dover-2-label"


def converse(books, typed, *arguments):
    """Return status, rulings and standard error of the command when these answers are typed on a terminal."""
    terminal, end = pty.openpty()
    command = [sys.executable, "-c", "from ordws.cli import main; main()", "home", *arguments, "--json"]
    command += ["--reference", str(books / "ospd.txt")]
    with subprocess.Popen(command, stdin=end, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        os.write(terminal, typed)
        out, err = process.communicate(timeout=60)
    os.close(end)
    os.close(terminal)
    return process.returncode, [json.loads(line) for line in out.splitlines()], err


def test_on_a_terminal_it_is_a_conversation(books):
    """Yes to a base decides, no leads to the next question, and another base may be typed."""
    status, [ruling], err = converse(books, b"y\n", "bashings")
    assert (status, ruling["base"]) == (0, "BASH")
    assert "Is BASH in your dictionary?" in err
    assert err.startswith("Names, abbreviations, and words with a hyphen, an apostrophe or a space do not count")
    status, [ruling], err = converse(books, b"n\nmaybe not\nmaybe\nbash\n", "bashings")
    assert (status, ruling["acceptable"]) == (0, True)
    assert "is not known to be made from MAYBE." in err
    assert err.count("in your dictionary?") >= 2
    assert err.count("do not count") == 1


@pytest.mark.parametrize("typed", [b"b", b"3"])
def test_another_letter_is_told_which_letters_there_are(books, typed):
    """An answer that is no letter of the question must be told what can be typed, before the question comes again."""
    _, _, err = converse(books, typed + b"\ny\n", "bashings")
    _, _, again = err.partition('Type "y" for yes or "n" for no, or a base word of 2 letters or more.')
    assert again.lstrip().startswith("Is BASH in your dictionary?")


@pytest.mark.parametrize(
    ("word", "base"), [("GLUIER", "gluey"), ("DOPIER", "dopey"), ("HORSIER", "horsey"), ("OWLETS", "owl")]
)
def test_another_base_on_a_terminal(books, word, base):
    """A base that the player types is taken, and the way from it to the word is found."""
    (books / "ospd.txt").write_text(f"{word}\n")
    status, [ruling], _ = converse(books, f"n\n{base}\n".encode(), word)
    assert (status, ruling["base"], ruling["steps"][-1]) == (0, base.upper(), word)


def test_nothing_is_asked_twice_on_a_terminal(books):
    """What was said of one word holds for the next, and the hint comes once."""
    (books / "ospd.txt").write_text("BASHINGS\nBASHES\n")
    status, rulings, err = converse(books, b"y\nn\n", "bashings", "can't", "bashes", "--rules", "dover")
    assert (status, [ruling["rule"] for ruling in rulings]) == (
        1,
        ["dover-6-special-2", "not-playable", "dover-6-print"],
    )
    assert err.count("Is BASH in your dictionary?") == err.count("Does your dictionary label BASH") == 1
    assert err.count("do not count") == 1


def test_the_open_stand_in(installation, monkeypatch, capsys, books):
    """Without `--reference` the reference of the installation is read, which needs no edition."""
    installation.instance.sealed_edition.unlink()
    options = ["--dictionary", str(books / "dictionary.txt"), "--instance", str(installation.instance.root)]
    monkeypatch.setattr("sys.argv", ["ordws", "home", "cats", "--json", *options])
    assert run(ordws, "ordws") == 1
    assert json.loads(capsys.readouterr().out)["rule"] == "in-neither"


def test_the_list_that_the_installation_brought(tmp_path, monkeypatch, capsys, books):
    """Where the installation has a players' list of its own, that answers, and is named."""
    instance = Instance(tmp_path / "club")
    instance.own_reference.parent.mkdir(parents=True)
    instance.own_reference_key.parent.mkdir(parents=True, exist_ok=True)
    own = OwnReference("OSPD 7", frozenset({"BASHINGS"}))
    store_own_reference(own, instance.own_reference, instance.own_reference_key)
    options = ["--dictionary", str(books / "dictionary.txt"), "--instance", str(instance.root)]
    monkeypatch.setattr("sys.argv", ["ordws", "home", "bashings", *options])
    assert run(ordws, "ordws") == 0
    assert "OSPD 7 has BASHINGS" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["cat", "--option", "allow=Z1G"], 'option allow: "Z1G" is no word of 2 to 21 letters'),
        (["cat", "--rules", "chess"], '"chess" is none of classic'),
    ],
)
def test_misuse(home, arguments, error):
    """A bad option or rule set is an error of status 2."""
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
