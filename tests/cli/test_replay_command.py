"""`ordws replay`: audits of game records as text, JSON and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from each_row import each_row

VECTORS = Path(__file__).parent.parent / "vectors" / "gcg"
SOUND = str(VECTORS / "sound_whole_game.gcg")
WRONG = str(VECTORS / "score_misprinted.gcg")
STRETCH = str(VECTORS / "rules_named.gcg")


def test_an_exact_record_has_one_line(command):
    """An exact record has one line, and the status is 0."""
    assert command("replay", SOUND) == (
        0,
        f"{SOUND}: exact: 28 moves, Ann 347 (24.8 PPT), Bob 368 (26.0 PPT), 41 words of 3.73 letters (classic)\n",
        "",
    )


def test_a_finding_has_line_kind_and_both_values(command):
    """A finding gives its line, its kind, what is written and what is computed, and the status is 1."""
    assert command("replay", WRONG) == (
        1,
        f"{WRONG}: not exact: 9 moves, Ann 34 (9.4 PPT), Bob 20 (7.8 PPT), 2 words of 6.50 letters (classic)\n"
        f"{WRONG}:4: score: 13 points are written, 31 are computed\n",
        "",
    )


def test_an_exact_record_may_have_findings(command):
    """Findings that concern neither points nor places leave the status 0."""
    status, out, _ = command("replay", str(VECTORS / "rack_too_many.gcg"))
    assert status == 0
    assert out.splitlines()[1].endswith(':5: rack: the rack "AFHORRTE" has 8 tiles, 7 are a full one')


def test_json_has_an_object_for_each_file(command):
    """--json prints an object a line for each file, with the published keys."""
    status, out, err = command("replay", "--json", WRONG, SOUND)
    first, second = out.splitlines()
    assert json.loads(first) == {
        "file": WRONG,
        "rules": "classic",
        "encoding": "ISO-8859-1",
        "players": ["Ann", "Bob"],
        "moves": 9,
        "exact": False,
        "totals": {"Ann": 34, "Bob": 20},
        "turns": {"Ann": 5, "Bob": 4},
        "points_per_turn": {"Ann": 9.4, "Bob": 7.75},
        "board": {"words": 2, "mean_length": 6.5},
        "findings": [
            {
                "line": 4,
                "kind": "score",
                "written": 13,
                "computed": 31,
                "message": "13 points are written, 31 are computed",
            }
        ],
    }
    assert json.loads(second)["exact"] is True
    assert (status, err) == (1, "")


def test_one_bad_file_does_not_stop_the_others(command, tmp_path):
    """A file that cannot be read is an error with status 2, and the other files are audited."""
    empty = tmp_path / "empty.gcg"
    empty.write_bytes(b"")
    binary = tmp_path / "binary.gcg"
    binary.write_bytes(bytes(range(30)))
    missing = tmp_path / "missing.gcg"
    status, out, err = command("replay", str(empty), str(missing), str(tmp_path), WRONG, str(binary), SOUND)
    assert status == 2
    assert out.count("exact") == 2
    assert err.splitlines() == [
        f'ordws: error: "{empty}" cannot be read: it is empty',
        f'ordws: error: "{missing}" cannot be read: No such file or directory',
        f'ordws: error: "{tmp_path}" cannot be read: Is a directory',
        f'ordws: error: "{binary}" cannot be read: it has no line of a game record',
    ]


@each_row(
    ("options", "status", "rules"),
    [
        ((), 0, "scrabble-i-classic"),
        (("--rules", "scrabble-i-classic"), 0, "scrabble-i-classic"),
        (("--rules", "classic"), 1, "classic"),
        (("--rules", "scrabble-o", "--option", "stretch=none"), 1, "scrabble-o"),
        (("--option", "stretch=2:20", "--option", "minimum=main3"), 0, "classic"),
    ],
)
def test_rules_come_from_the_option_or_the_record(command, options, status, rules):
    """The rules are those of --rules, else those that the record names; --option alone varies classic."""
    actual_status, out, _ = command("replay", *options, STRETCH)
    assert (actual_status, out.splitlines()[0].split("(")[-1]) == (status, f"{rules})")


@each_row(
    ("options", "message"),
    [
        (("--rules", "scrabble-x"), '"scrabble-x" is none of classic'),
        (("--option", "stretch"), '"stretch" is not of the form NAME=VALUE'),
        (("--option", "swap=maybe"), 'option swap: "maybe" is none of'),
    ],
)
def test_rules_that_do_not_exist_are_an_error(command, options, message):
    """Unknown rules and options are errors before any record is read."""
    status, out, err = command("replay", *options, SOUND)
    assert (status, out) == (2, "")
    assert message in err


def test_control_characters_of_a_record_are_replaced(command, tmp_path):
    """Control characters of a record are replaced in text, and escaped in JSON."""
    file = tmp_path / "\x1b]0;.gcg"
    file.write_bytes(b"#player1 A\x1b[2J A\n>A\x1b[2J: ABC 8G \x1b[31m +1 1\n")
    _, out, _ = command("replay", str(file))
    assert "\x1b" not in out
    assert json.loads(command("replay", "--json", str(file))[1])["players"] == ["A\x1b[2J"]


def test_final_boards_are_drawn(command, tmp_path):
    """Each file has a picture with its name and the record's title; two files of one name have two pictures."""
    twin = tmp_path / "sound_whole_game.gcg"
    twin.write_bytes(b"#title Final\n" + Path(SOUND).read_bytes())
    status, _, err = command("replay", "--svg", "pictures", SOUND, str(twin))
    assert (status, err) == (0, "")
    pictures = sorted((tmp_path / "pictures").iterdir())
    assert [picture.name for picture in pictures] == ["sound_whole_game-2.svg", "sound_whole_game.svg"]
    titles = [ElementTree.parse(picture).getroot()[0].text for picture in pictures]
    assert titles == ["Final", "sound_whole_game"]
    assert "368" in pictures[1].read_text("utf-8")


def test_a_board_with_other_tiles_is_not_drawn(command, tmp_path):
    """A record with tiles beyond A to Z is audited, but its picture is an error."""
    status, out, err = command("replay", "--svg", "pictures", str(VECTORS / "letters_of_another_edition.gcg"))
    assert status == 2
    assert ": exact: 1 moves" in out
    assert '"letters_of_another_edition.svg" is not drawn' in err
    assert not (tmp_path / "pictures").exists()


TAO = "#player1 a Ann\n#player2 b Bob\n>a: AOT 8G {word} +6 6\n"


@pytest.mark.parametrize(
    ("word", "text", "valid", "exit_status"),
    [("TAO", "acceptable", True, 0), ("OAT", "not acceptable", False, 1)],
)
def test_the_words_of_a_final_board_get_one_verdict(command, initialized, tmp_path, word, text, valid, exit_status):
    """With --words there is one verdict for the words of a board beside the audit, and a no makes the status 1."""
    file = tmp_path / "board.gcg"
    file.write_text(TAO.format(word=word))
    status, out, err = command("replay", "--words", str(file))
    assert (status, err, out.splitlines()[1]) == (exit_status, "", f"{file}: words: {text}")
    assert word not in out.replace(str(file), "")
    status, out, _ = command("replay", "--words", "--json", str(file))
    assert (status, json.loads(out)["valid"]) == (exit_status, valid)


def test_the_words_are_judged_under_the_rules_of_the_audit(command, initialized, tmp_path):
    """The verdict must be that of the rule set of the audit: ZOA is disqualified under dover."""
    file = tmp_path / "board.gcg"
    file.write_text("#player1 a Ann\n#player2 b Bob\n>a: AOZ 8G ZOA +24 24\n")
    told = [json.loads(command("replay", "--words", "--json", *rules, str(file))[1])["valid"] for rules in RULES]
    assert told == [True, True, False]


RULES = ([], ["--rules", "classic"], ["--rules", "classic", "--option", "disallowed_words=dover"])


def test_other_alphabets_are_not_judged(command, initialized, tmp_path):
    """A board with tiles beyond A to Z is no board of the word set: an error with status 2, and no verdict."""
    file = tmp_path / "board.gcg"
    file.write_text("#character-encoding UTF-8\n#lexicon OSPS41\n#player1 a A\n#player2 b B\n>a: ŻAK 8G ŻAK +16 16\n")
    status, out, err = command("replay", "--words", str(file))
    assert (status, "words:" in out) == (2, False)
    assert "is not judged: its tiles are not those of the English alphabet" in err


def test_without_words_nothing_is_judged(command):
    """Without --words no installation is needed, and there is no verdict."""
    status, out, _ = command("replay", "--json", SOUND)
    assert (status, "valid" in json.loads(out)) == (0, False)
