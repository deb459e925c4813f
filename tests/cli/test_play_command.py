"""`ordws play` and `ordws rules`, as a player types them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from each_row import each_row

from ordws.api.services import open_editions
from ordws.cli import ordws, run
from ordws.pictures.rule_pages import compare_rule_sets, describe_page
from ordws.rules.options import with_options
from ordws.rules.ruleset import DOVER, RULE_SETS

ROOT = Path(__file__).parent.parent.parent
HEAT = "15/15/15/15/15/15/15/15/5HEAT6/15/15/15/15/15/15"
FISH = "15/15/15/15/15/15/15/7FiSH4/15/15/15/15/15/15/15"
EMPTY_21 = "/".join(["21"] * 21)


@pytest.fixture
def play(installation, monkeypatch, capsys):
    """Return a function that runs `ordws play` beside an adopted edition and gives status, output and errors."""
    open_editions(installation.instance, adopting=True)

    def play(*arguments, instance=str(installation.instance.root)):
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.setattr("sys.argv", ["ordws", "play", *arguments, "--instance", instance])
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return play


def lines(out):
    """Return the lines that are not empty, with single spaces."""
    return [" ".join(line.split()) for line in out.splitlines() if line.strip(" ─")]


def test_a_receipt_is_followed_by_a_verdict(play):
    """The receipt has each letter, the word's factor, the bonus with its reason and the score; a verdict follows."""
    status, out, err = play("--rules", "scrabble-o", "--position", HEAT, "--move", "9D RE")
    assert (status, err) == (0, "")
    assert lines(out) == [
        "word letters sum times points",
        "REHEAT R1 E1 (H4) (E1) (A1) (T1) 9 9",
        "stretch HEAT and 2 tiles 20",
        "score 29",
        "acceptable",
    ]


def test_a_bad_play_ends_with_status_1(play):
    """A play that does not fit or has an unacceptable word ends with status 1."""
    assert play("--rules", "scrabble-o", "--position", HEAT, "--move", "9D XX")[0] == 1
    assert play("--rules", "scrabble-o", "--position", HEAT, "--move", "9E XX") == (
        1,
        'square-taken: F9 is taken by "H"\n',
        "",
    )
    assert play("--position", EMPTY_21, "--rules", "dover", "--move", "11J ZAG")[1].startswith("disallowed-word: ")


@each_row(
    ("arguments", "message"),
    [
        (("--rules", "scrabble-x", "--position", HEAT, "--move", "9D RE"), "unknown-rules"),
        (("--rules", "scrabble-o", "--position", "15/15", "--move", "9D RE"), "this has 2"),
        (("--rules", "scrabble-o", "--position", HEAT, "--move", "RE"), "a move is a play"),
        (("--rules", "dover", "--position", HEAT, "--move", "9D RE"), "dover is played on 21 rows, not 15"),
        (("--option", "premium", "--position", HEAT, "--move", "9D RE"), '"premium" is not of the form NAME=VALUE'),
        (("--option", "premium=sum", "--position", HEAT, "--move", "9D RE"), '"sum" is none of add, multiply'),
        (("--move", "9D RE"), "--position and --move are needed"),
    ],
)
def test_unreadable_input_is_misuse(play, arguments, message):
    """Unreadable input is an error with status 2 that names what is wrong."""
    status, out, err = play("--no-words", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ordws: error: ")
    assert message in err


def test_scores_need_no_word_set(play, tmp_path):
    """With --no-words no edition is opened."""
    requests = ("--no-words", "--rules", "scrabble-o", "--position", FISH, "--move", "=I8 8L ING")
    status, out, _ = play(*requests, instance=str(tmp_path / "none"))
    assert status == 0
    assert lines(out)[-1] == "score 55"
    assert "acceptable" not in out


def test_json_is_the_object_that_http_answers(play):
    """--json prints the object that HTTP answers, or the code and sentence of a problem."""
    status, out, _ = play("--json", "--rules", "scrabble-o", "--position", HEAT, "--move", "9D RE")
    assert (status, out[:56]) == (0, '{"valid":true ,"score":29,"words":["REHEAT"],"receipt":{')
    status, out, _ = play("--json", "--rules", "scrabble-o", "--position", HEAT, "--move", "1A RE")
    assert (status, json.loads(out)) == (
        1,
        {"code": "not-connected", "detail": "the play touches no tile on the board"},
    )
    status, out, _ = play("--json", "--no-words", "--rules", "scrabble-o", "--position", HEAT, "--move", "9D RE")
    assert list(json.loads(out)) == ["score", "words", "receipt"]


def test_the_same_play_under_all_rule_sets(play):
    """--compare centres the position on boards with wings, and gives the code of a problem under its rule set."""
    status, out, _ = play("--compare", "--rules", "scrabble-o", "--position", HEAT, "--move", "9D RE")
    assert status == 0
    printed = lines(out)
    headings = printed[0].split()
    assert headings == ["classic", "scrabble-i-classic", "scrabble-o", "scrabble-i", "dover"]
    assert "score 9 29 29 29 9" in printed
    assert sum("acceptable" in line for line in printed) == 1
    _, out, _ = play("--compare", "--no-words", "--position", EMPTY_21, "--move", "11H QUESTION", "--json")
    answers = {answer["rules"]: answer for answer in map(json.loads, out.splitlines())}
    assert answers["dover"]["score"] == 36 + 80
    assert answers["classic"]["code"] == answers["scrabble-i"]["code"] == "too-many-tiles"


def test_tiles_in_the_wings_fit_no_board_without(play):
    """A position with tiles in the wings does not fit a board of 15 rows."""
    on = EMPTY_21.replace("21/21/21", "21/21/A20", 1)
    _, out, _ = play("--compare", "--no-words", "--position", on, "--move", "3B B", "--json")
    answers = {answer["rules"]: answer for answer in map(json.loads, out.splitlines())}
    assert answers["classic"] == {
        "rules": "classic",
        "code": "bad-position",
        "detail": "there are tiles outside the 15 rows of this board",
    }
    assert answers["scrabble-i"]["code"] == "main-word-too-short"
    _, out, _ = play("--compare", "--no-words", "--position", EMPTY_21, "--move", "=A1 1B B", "--json")
    assert json.loads(out.splitlines()[0]) == {
        "rules": "classic",
        "code": "off-board",
        "detail": "it does not stay within the 15 rows of this board",
    }


def test_a_batch_answers_line_by_line(installation):
    """A batch answers each line in order; a bad line is answered too, and the next one follows."""
    good = {"rules": "scrabble-o", "position": HEAT, "move": "9D RE"}
    requests = [good, {**good, "move": "9D XX"}, {**good, "move": "1A RE"}, {"position": HEAT}, good]
    typed = "\n".join(["{", *map(json.dumps, requests)]) + "\n"
    command = [sys.executable, "-c", "from ordws.cli import main; main()", "play", "--batch"]
    done = subprocess.run(
        [*command, "--instance", str(installation.instance.root)],
        input=typed,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("code", answer.get("valid")) for answer in answers] == [
        "bad-request",
        True,
        False,
        "not-connected",
        "bad-request",
        True,
    ]
    assert answers[1] == answers[5]


def test_a_batch_has_rules_for_lines_without(installation):
    """--rules holds for lines that name no rule set; options that would be ignored are misuse."""
    requests = [{"position": HEAT, "move": "9D RE"}, {"position": HEAT, "move": "9D RE", "rules": "classic"}]
    command = [sys.executable, "-c", "from ordws.cli import main; main()", "play", "--batch", "--no-words"]
    done = subprocess.run(
        [*command, "--rules", "scrabble-o"],
        input="\n".join(map(json.dumps, requests)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [29, 9]
    refused = subprocess.run([*command, "--move", "9D RE"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (
        2,
        "ordws: error: --batch reads plays from its lines; only --no-words and --rules go with it",
    )


def test_word_premiums_are_shown_as_multiplied_or_added(play):
    """Word premiums are shown as 2x2=4 where they multiply, and as 2+2=4 where they add."""
    on = "15/15/15/15/7E7/15/15/15/15/15/15/15/15/15/15"
    assert "2x2=4" in play("--no-words", "--rules", "classic", "--position", on, "--move", "5E LOVERLY")[1]
    assert "2+2=4" in play("--no-words", "--rules", "scrabble-o", "--position", on, "--move", "5E LOVERLY")[1]


def test_rule_sets_are_listed_with_their_options(monkeypatch, capsys):
    """`ordws rules` lists the rule sets; with an id, each option with its value, purpose and possible values."""

    def rules(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws", "rules", *arguments])
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    assert rules()[1].splitlines()[0] == "classic             Classic, the regular North American tournament game"
    status, out, _ = rules("dover", "--option", "rack_size=7")
    assert status == 0
    assert "rack_size=7\n    tiles on a full rack (docs/rules.md 3.1)\n    1 to 12\n" in out
    assert "\n70 two-letter words:\neveryday words (34): AD AM AN " in out
    assert "disallowed words:\nAA AAL ABY " in out
    assert "\nQI    a Chinese word; " in out
    assert json.loads(rules("--json")[1])["rules"][4]["id"] == "dover"
    assert json.loads(rules("dover", "--json")[1])["title"] == "Scrabble II as played in the Dover club"
    status, out, err = rules("scrabble-x")
    assert (status, out) == (2, "")
    assert '"scrabble-x" is none of classic' in err
    assert rules("--option", "rack_size=7")[0] == 2
    assert rules("dover", "--compare")[0] == 2


def test_rule_sets_are_told_in_plain_words_as_on_their_pages(monkeypatch, capsys):
    """`ordws rules` says what the page says, with the same options, and `--compare` what the page of all says."""

    def rules(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws", "rules", *arguments])
        assert run(ordws, "ordws") == 0
        return " ".join(capsys.readouterr().out.split())

    for options in ({}, {"premium": "add", "allow": "ZIG", "clock_seconds": "90"}):
        page = describe_page(with_options(DOVER, options))
        out = rules("dover", *[each for name, value in options.items() for each in ("--option", f"{name}={value}")])
        assert [each for chapter in page.chapters for each in chapter.paragraphs if each not in out] == []
        assert [word for word, reason in page.reasons.items() if f"{word} {reason}" not in out] == []
        assert [group.name for group in page.groups if " ".join(group.words) not in out] == []
    compared = rules("--compare")
    for rule, values in compare_rule_sets():
        row = " ".join([f"{id} {value}" for id, value in zip(RULE_SETS, values, strict=True)])
        assert f"{rule} {row}" in compared
