"""`ordws judge`: one verdict on this machine."""

from __future__ import annotations

import shutil

import pytest
from each_row import each_row

from ordws.api.services import open_editions
from ordws.cli import ordws, run
from ordws.lexicon.sealed_edition import SealedLists


@pytest.fixture
def judge(installation, monkeypatch, capsys):
    """Return a function that runs `ordws judge` beside an adopted edition and gives status, output and errors."""
    open_editions(installation.instance, adopting=True)

    def judge(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws", "judge", *arguments, "--instance", str(installation.instance.root)])
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return judge


@each_row(
    ("arguments", "answer"),
    [
        (("word", "lovers"), (0, "acceptable\n", "")),
        (("word", "lavers"), (1, "not acceptable\n", "")),
        (("lavers", "word"), (1, "not acceptable\n", "")),
        (("Quíz",), (0, "acceptable\n", "")),
        (("qi",), (1, "not acceptable\n", "")),
        (("qi", "--rules", "classic"), (0, "acceptable\n", "")),
        (("uts", "--rules", "dover"), (0, "acceptable\n", "")),
        (("zig", "--rules", "dover", "--option", "allow=ZIG,ZAG"), (0, "acceptable\n", "")),
        (("zig", "--rules", "dover"), (1, "not acceptable\n", "")),
        (("word", "--option", "strike=WORD"), (1, "not acceptable\n", "")),
        (("qi", "at", "--option", "twos=qi,at"), (0, "acceptable\n", "")),
        (("ab", "--option", "twos=QI,AT"), (1, "not acceptable\n", "")),
        (("cat", "--json"), (0, '{"valid":true}\n', "")),
        (("lavers", "--json"), (1, '{"valid":false}\n', "")),
    ],
)
def test_one_verdict_for_all_words(judge, arguments, answer):
    """Acceptable words end with status 0 and others with 1, and the output never says which word failed."""
    assert judge(*arguments) == answer


def test_dovers_forms_and_labels_are_judged(judge, installation):
    """Under dover the forms of the edition are acceptable and its labelled words are not, unless the option says so."""
    lists = SealedLists(dover_forms=frozenset({"REVOTE"}), labelled=frozenset({"QUIZ"}))
    installation.deliver("QUIZ", number=2, lists=lists)
    open_editions(installation.instance, adopting=True)
    assert judge("revote", "--rules", "dover")[0] == 0
    assert judge("revote")[0] == 1
    assert judge("quiz")[0] == 0
    assert judge("quiz", "--rules", "dover")[0] == 1
    assert judge("quiz", "--rules", "dover", "--option", "offensive=allowed")[0] == 0
    assert judge("quiz", "--option", "offensive=disallowed")[0] == 1


def test_a_bad_option_is_an_error(judge):
    """An option that does not exist, or words that stand in both lists, are errors that say so."""
    status, _, err = judge("cat", "--option", "allow=CAT", "--option", "strike=CAT")
    assert status == 2
    assert '"CAT" is among the words of the option allow too' in err


def test_an_invalid_word_is_an_error(judge):
    """A text that is no word is an error with status 2 that gives its place."""
    assert judge("cat", "c4t") == (
        2,
        "",
        "ordws: error: word 2: not a word of 2 to 21 letters, A to Z with or without accents\n",
    )


def test_unknown_rules_are_an_error(judge):
    """An unknown rule set is an error that names the existing ones."""
    status, out, err = judge("cat", "--rules", "scrabble-x")
    assert (status, out) == (2, "")
    assert '"scrabble-x" is none of classic, scrabble-i-classic, scrabble-o, scrabble-i, dover' in err


def test_without_an_edition_there_is_an_error(judge, installation):
    """A missing edition is an error that names its file and what to do."""
    installation.instance.sealed_edition.unlink()
    installation.instance.edition_mark.unlink()
    shutil.rmtree(installation.instance.editions)
    status, out, err = judge("cat")
    assert (status, out) == (2, "")
    assert err.startswith(f'ordws: error: "{installation.instance.sealed_edition}" cannot be read')
    assert "ordws: hint: ordws-build run" in err


def test_an_older_edition_is_not_judged_by(judge, installation):
    """With the adopted editions deleted an older edition is an error, and without the mark too there is a warning."""
    old = installation.instance.sealed_edition.read_bytes()
    installation.deliver("FLUTIST", number=2)
    open_editions(installation.instance, adopting=True)
    shutil.rmtree(installation.instance.editions)
    lost = f'ordws: warning: edition 2, which the edition mark names, is gone from "{installation.instance.editions}"\n'
    assert judge("flutist") == (0, "acceptable\n", lost)
    installation.instance.sealed_edition.write_bytes(old)
    status, out, err = judge("lovers")
    assert (status, out) == (2, "")
    assert err.startswith("ordws: error: edition 1 is older than edition 2, which was adopted here\n")
    mark = installation.instance.edition_mark
    mark.unlink()
    status, out, err = judge("lovers")
    assert (status, out) == (0, "acceptable\n")
    assert err.startswith(f'ordws: warning: no edition mark "{mark}" and no adopted edition: ')


def test_nothing_is_recorded(judge, installation):
    """The command changes no file of the installation: neither meters nor the mark nor the editions."""

    def state():
        return {path: path.read_bytes() for path in installation.instance.root.rglob("*") if path.is_file()}

    before = state()
    judge("lovers", "fishery")
    assert state() == before
