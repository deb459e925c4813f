"""`ordws tournament`: a whole event from one keyboard."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from cli_installation import Command

PAGE = Path(__file__).parent.parent.parent / "docs" / "tournaments.md"

Typed: TypeAlias = Callable[[str], str]
"""A function that types a command after `ordws tournament`, expects status 0, and returns standard output."""


@pytest.fixture
def typed(command: Command) -> Typed:
    def run(line: str) -> str:
        status, out, err = command("tournament", *shlex.split(line))
        assert status == 0, f"{line}: {err}"
        return out

    return run


@pytest.fixture
def refused(command: Command) -> Typed:
    """Return a function that types a command which is refused, and returns the error and its hint."""

    def run(line: str) -> str:
        status, out, err = command("tournament", *shlex.split(line))
        assert (status, out) == (2, ""), line
        return err.removeprefix("ordws: error: ")

    return run


@pytest.fixture
def club(typed: Typed) -> Typed:
    """Make an event of four who are present, `e`."""
    typed("new e --rounds 3 --seed 1")
    typed("enter e Ann Ben Cy Dee")
    typed("check-in e --all")
    return typed


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def play(command: Command, file: str = "e", sides: str = "412:398/13 371:380/13") -> None:
    """Key in all results that are missing."""
    _, out, _ = command("tournament", "missing", file, "--json")
    for row in lines(out):
        place = [str(row["round"]), str(row["table"]), "--game", str(row["game"])]
        status, _, err = command("tournament", "result", file, *place, *sides.split())
        assert status == 0, err


def test_an_event_from_the_first_name_to_the_certificate(club: Typed, command: Command) -> None:
    """An event is drawn, played, closed and verified by commands alone, and prints what docs/interfaces.md 1.9 says."""
    for number in (1, 2, 3):
        drawn = json.loads(club("draft e --json"))
        assert json.loads(club("draft e --json")) == drawn
        assert [*drawn] == ["round", "pairings", "bye"]
        assert [[*row] for row in drawn["pairings"]] == [["table", "first", "second", "why"]] * 2
        assert (drawn["round"], drawn["bye"]) == (number, None)
        draft = club("draft e").splitlines()
        assert draft[0] == f"draft of round {number}, not published yet"
        assert drawn["pairings"][0]["why"] in draft[-2]
        assert json.loads(club("publish e --json")) == drawn
        play(command)
    club("close e")
    club("finish e")
    standings = lines(club("standings e --json"))
    assert [*standings[0]] == [
        "rank",
        "name",
        "wins",
        "ties",
        "losses",
        "games",
        "win_pct",
        "points",
        "turns",
        "ppt",
    ]
    assert sorted({line["name"] for line in standings}) == ["Ann", "Ben", "Cy", "Dee"]
    assert {line["games"] for line in standings} == {3}
    certificate = json.loads(club("certificate e --json"))
    assert (certificate["repeats"], {"rms_residual", "worst_residual", "byes", "digest"} - {*certificate}) == (0, set())
    verified = json.loads(club("verify e --json"))
    assert (verified["rounds"], verified["faults"]) == (3, [])
    assert club("verify e").splitlines()[1] == "3 rounds were drawn again"
    assert json.loads(club("status e --json"))["phase"] == "finished"


def test_entering_loads_no_pairing_library(tmp_path: Path) -> None:
    """Commands that draw nothing load neither numpy nor the matching library, nor anything that serves."""
    script = """
import sys
from ordws.cli import ordws, run
for line in ("new e --rounds 3", "enter e Ann", "check-in e --all", "standings e", "status e", "history e", "undo e"):
    sys.argv = ["ordws", "tournament", *line.split()]
    assert run(ordws, "ordws") == 0
print({name.split(".")[0] for name in sys.modules} & {"numpy", "rustworkx", "flask", "granian", "lmdb", "marisa_trie"})
"""
    ran = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "set()"


def read_page() -> Iterator[list[str]]:
    """Yield the commands of each block of the page for newcomers."""
    page = PAGE.read_text("utf-8").split("\n## 2 ")[0]
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        yield [line.removeprefix("$ ordws tournament ") for line in block.splitlines()]


def test_the_page_for_newcomers_works(typed: Typed, command: Command) -> None:
    """Every command of the page runs as it stands there, through five rounds of twelve players."""
    setup, doors, round_, end = read_page()
    for line in [*setup, *doors]:
        typed(line)
    draft, publish, result, missing = round_
    for number in range(1, 6):
        typed(draft)
        typed(publish)
        typed(result.replace("event 1 3", f"event {number} 3"))
        assert command("tournament", *shlex.split(missing))[0] == 1
        play(command, "club.event")
        assert typed(missing) == "no result is missing\n"
    for line in end:
        typed(line)
    # What may happen is in the table, one command a row.
    page = PAGE.read_text("utf-8").split("\n## 2 ")[0]
    for name in re.findall(r"`ordws tournament ([a-z-]+) ", page):
        assert command("tournament", name, "--help")[0] == 0


def test_the_same_seed_draws_the_same(typed: Typed) -> None:
    """Two events with one seed and the same commands have the same pairings."""
    for file in ("one", "two"):
        typed(f"new {file} --rounds 3 --seed 99 --name Club")
        typed(f"enter {file} Ann Ben Cy Dee Eve")
        typed(f"check-in {file} --all")
    assert typed("draft one --json") == typed("draft two --json")


def test_names_are_typed_as_they_come(typed: Typed, command: Command) -> None:
    """Spaces, quotes, accents and other scripts are names like others, also from standard input."""
    typed("new e --rounds 2 --seed 1")
    typed('enter e "Ann O\'Hara" \'Bo "Bob" Lee\' Éva')
    status, out, _ = command("tournament", "enter", "e", "-", typed="李小龙\n\n  Zoë   Wu \n")
    assert (status, out) == (0, "李小龙 entered\nZoë Wu entered\n")
    typed("check-in e eva 'bo \"bob\" lee' 李小龙 #1 zoe")
    row = json.loads(typed("status e --json"))
    assert [each["status"] for each in row["entrants"]] == ["present"] * 5
    assert {each["first"] for each in json.loads(typed("draft e --json"))["pairings"]} <= {
        each["name"] for each in row["entrants"]
    }


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("enter e ann", '"ann" is entered already, as #1 "Ann"\nordws: hint: two players of one name'),
        ("enter e", 'no names were given\nordws: hint: ordws tournament enter FILE "Ann Lee" "Ben Ode"'),
        ("check-in e Bem", '"Bem" is no entrant\nordws: hint: did you mean "Ben" (#2)?'),
        ("check-in e", "no names were given\nordws: hint: --all is for everybody"),
        ("check-in e Ann --all", "names and --all exclude each other"),
        ("withdraw e", "no names were given\nordws: hint: name the entrants"),
        ("rename e Ann", "nothing to change was given\nordws: hint: name the new name"),
        ("result e 1 1 412:398/13", "a result has two sides, the first player's in front: 1 given"),
        ("result e 1 1 412 371", '"412" is not a result: expected SCORE:POINTS/TURNS, such as 412:398/13'),
        ("result e 1 1 412:398/13 371:380/13 --forfeit first", "a forfeited game has no scores: 2 given"),
        ("result e 1 7 412:398/13 371:380/13", "round 1 has no table 7: its tables are 1 to 2"),
        ("result e 4 1 412:398/13 371:380/13", "there is no round 4: round 1 alone is published"),
        ("result e one 1 412:398/13 371:380/13", "Invalid value for 'ROUND': 'one' is not a valid integer."),
        (
            "result e 1 1 412:398/13 371:380/13 --frofeit first",
            "a result has two sides, the first player's in front: 4",
        ),
        ("correct e 1 1 412:398/13 371:380/13", "Missing option '--reason'."),
        ("correct e 1 1 412:398/13 371:380/13 --reason x", "round 1, table 1 ("),
        ("close e", "round 1 is not over: no result of table 1 ("),
        ("draft e", "round 1 is not over: no result of table 1 ("),
        ("publish e", "round 1 is not over: no result of table 1 ("),
        ("finish e", "round 1 is not closed"),
        ("void e 1 --reason ' '", "round 1 cannot be voided without a reason"),
        ("constrain e Ann Ben", "nothing was asked of the two\nordws: hint: --forbid, --together or --end"),
        ("constrain e Ann Ben --forbid", "a constraint has a reason\nordws: hint: --reason"),
        ("late e Ann", '"Ann" is paired in round 1'),
        ("standings e --after 2", "there is no round 2: round 1 alone is published"),
        ("pairings e 2", "there is no round 2"),
        ("undo e 8", "fact 8 cannot be undone, for fact 10 rests on it: round 1 was published with 2 pairings"),
        ("confirm e 1 1 --reason x", "round 1, table 1 ("),
        ("new e --rounds 3", '"e" exists already\nordws: hint: name another file'),
        ("new x --rounds 0", "0 rounds: expected 1 to 320"),
        ("new x --rounds 3 --rules chess", 'there is no rule set "chess"'),
        ("status nowhere", 'there is no event "nowhere"\nordws: hint: ordws tournament new nowhere --rounds N'),
    ],
)
def test_mistakes_are_told(club: Typed, refused: Typed, line: str, error: str) -> None:
    """A mistake in typing is refused with what was wrong, where, and what to do."""
    club("publish e")
    assert refused(line).startswith(error)


def test_a_score_below_zero_is_no_option(club: Typed) -> None:
    """A score that begins with a minus sign is read as a score."""
    club("publish e")
    assert "-4:-2/12 300:320/12" in club("result e 1 1 -4:-2/12 300:320/12")


def test_a_director_sees_what_is_rare(club: Typed, command: Command) -> None:
    """A result that is possible and rare is stored, with a note to look again."""
    club("publish e")
    status, _, err = command("tournament", "result", "e", "1", "1", "412:398/3", "371:380/3")
    assert status == 0
    assert err.splitlines()[0] == (
        "ordws: note: the first player has 398 points in 3 turns: if that is a mistake, correct it"
    )


def test_two_directors_are_kept_apart(club: Typed, command: Command) -> None:
    """With the version that was seen, the second of two directors is told what the first has done."""
    version = json.loads(club("status e --json"))["version"]
    club("withdraw e Ben --reason ill --director Una")
    status, _, err = command("tournament", "check-in", "e", "Ben", "--expected", str(version), "--director", "Dan")
    assert status == 2
    assert err.splitlines()[0] == "ordws: error: somebody else was faster: Ben withdrew (ill), by Una"
    # What came between is in the history, with what was undone.
    club("undo e")
    rows = lines(club("history e --json"))
    assert [(row["kind"], row["actor"], row["undone"]) for row in rows[-2:]] == [
        ("withdrawn", "Una", True),
        ("undone", "director", False),
    ]


def test_publishing_takes_the_version_that_was_seen(club: Typed, command: Command) -> None:
    """A publishing that closes the round itself is no conflict with itself, but with a withdrawal it is."""
    assert [line[:5] for line in club("publish e").splitlines()] == ["round", "table", "    1", "    2"]
    play(command)
    version = json.loads(club("status e --json"))["version"]
    club(f"publish e --expected {version}")
    play(command)
    version = json.loads(club("status e --json"))["version"]
    club("withdraw e Ben --director Una")
    club("draft e")
    status, _, err = command("tournament", "publish", "e", "--expected", str(version))
    assert (status, "Ben withdrew, by Una" in err) == (2, True)


def test_a_command_repeated_under_its_id_changes_nothing(club: Typed) -> None:
    """A command sent again under its id is answered as the first time."""
    once = club("publish e --id key-1 --json")
    version = json.loads(club("status e --json"))["version"]
    assert club("publish e --id key-1 --json") == once
    assert json.loads(club("status e --json"))["version"] == version
    assert json.loads(once)["round"] == 1
    first = club("withdraw e Ben --id key-2 --json")
    assert club("withdraw e Ben --id key-2 --json") == first


def test_late_absent_and_back(club: Typed, command: Command) -> None:
    """A late entrant plays the bye, a no-show forfeits, and whoever withdrew comes back."""
    club("enter e Eve")
    club("check-in e Eve")
    bye = json.loads(club("publish e --json"))["bye"]
    status, out, err = command("tournament", "enter", "e", "Zoe")
    assert (status, out) == (0, "Zoe entered\n")
    assert "who has the bye may play one with: late" in err
    assert f"{bye} - Zoe were paired late in round 1\n" in club("late e Zoe")
    club(f"no-show e {bye}")
    assert json.loads(club("status e --json"))["missing"] == 2
    other = next(name for name in ("Ann", "Ben") if name != bye)
    club(f"withdraw e {other} --reason 'went home'")
    assert club(f"return e {other}") == f"{other} returned\n"
    play(command)
    drawn = json.loads(club("draft e --json"))
    names = {drawn["bye"]}.union(*[{row["first"], row["second"]} for row in drawn["pairings"]])
    assert (bye in names, other in names) == (False, True)
    row = json.loads(club("pairings e --json"))
    assert [each["results"] for each in row["pairings"]].count(["412:398/13 371:380/13"]) == 2


def test_a_round_voided_and_drawn_again(club: Typed, command: Command) -> None:
    """A voided round counts for nothing, its number is drawn again, and what began has met."""
    club("publish e")
    first = json.loads(club("pairings e --json"))["pairings"][0]
    club("void e 1 --reason 'wrong list' --began 1")
    assert {line["games"] for line in lines(club("standings e --json"))} == {0}
    drawn = json.loads(club("publish e --json"))
    assert drawn["round"] == 1
    assert {first["first"], first["second"]} not in [{row["first"], row["second"]} for row in drawn["pairings"]]
    assert command("tournament", "verify", "e")[0] == 0


def test_data_of_an_entrant_are_handed_over_and_erased(club: Typed, command: Command, tmp_path: Path) -> None:
    """`data` prints what is held, and `erase` leaves a number, after a question."""
    club("publish e")
    play(command)
    club("withdraw e Ben --reason appendicitis")
    held = json.loads(club("data e Ben"))
    assert (held["number"], held["name"], held["status"]) == (2, "Ben", "withdrawn")
    assert any("appendicitis" in each["what"] for each in held["facts"])
    assert not any(name in json.dumps(held) for name in ("Ann", "Dee"))
    assert command("tournament", "erase", "e", "Ben", typed="n\n")[0] == 2
    assert json.loads(club("data e Ben --json")) == held
    club("erase e Ben --yes")
    assert "#2" in {line["name"] for line in lines(club("standings e --json"))}
    assert b"appendicitis" not in (tmp_path / "e").read_bytes()
    assert command("tournament", "verify", "e")[0] == 0


def test_a_member_number_is_typed_and_put_right(typed: Typed, refused: Typed) -> None:
    """It is one player's; it is shown to who asks for a player's data, and by nothing else."""
    typed("new e --rounds 2")
    assert typed('enter e "Ann Lee" --member a-17') == "Ann Lee entered with a member number\n"
    assert refused("enter e Ben Cy --member 18").startswith("a member number is that of one player")
    assert refused("enter e Ben --member a-17").startswith('the member number is that of #1 "Ann Lee" already')
    assert typed("rename e ann --member A-71") == "Ann Lee has the name Ann Lee now, and a member number\n"
    assert json.loads(typed("data e ann"))["member"] == "A-71"
    assert typed("rename e ann --member A-71") == "nothing to change: it is so already\n"
    typed("undo e")
    assert json.loads(typed("data e ann"))["member"] == "A-17"
    typed('rename e ann --member ""')
    assert not json.loads(typed("status e --json"))["entrants"][0]["has_member_number"]


def test_consent_comes_before_an_on_line_game(typed: Typed, refused: Typed) -> None:
    """In an on-line event nobody is checked in without consent."""
    typed("new e --rounds 2 --on-line")
    typed("enter e Ann Ben")
    assert refused("check-in e --all").startswith('"Ann" has not agreed to the conditions of the event')
    typed("agree e --all")
    typed("check-in e --all")
    typed("configure e --no-consent --rounds 1")
    assert json.loads(typed("status e --json"))["rounds"] == 1


def test_what_a_director_reads(club: Typed, command: Command) -> None:
    """Tables, the places that a round changed, and what comes next, as text."""
    assert club("status e").splitlines()[0] == "e, scrabble-i-classic: entry, round 0 of 3"
    assert club("status e").splitlines()[-1] == "next: draft and publish round 1"
    drafted = club("draft e").splitlines()
    assert drafted[1].split() == ["table", "first", "second"]
    assert drafted[5].startswith("1  to ")
    club("publish e")
    assert club("status e").splitlines()[-1] == "next: key in 2 results"
    assert club("result e 1 1 412:398/13 371:380/13").splitlines()[1] == "missing in round 1: table 2"
    assert club("status e").splitlines()[-1] == "next: key in 1 result"
    play(command)
    closed = club("close e").splitlines()
    assert closed[0] == "round 1 was closed"
    assert closed[1].split() == ["rank", "name", "won", "tied", "lost", "win", "%", "PPT"]
    assert club("close e") == "nothing to change: it is so already\n"
    assert club("standings e").splitlines()[1].split()[0] == "1"
    club("constrain e Ann Ben --forbid --once --reason 'a couple'")
    assert "Ann and Ben may not meet in round 2 (a couple), by director" in club("history e").splitlines()[-1]
    club("constrain e Ann Ben --end")
    assert club("rename e Ann Anna --club Oxford --minor") == "Anna has the name Anna now\n"
    assert "Oxford" in club("status e")
    club("configure e --rounds 1")
    assert club("status e").splitlines()[-1] == "next: finish"
    club("finish e")
    assert club("status e").splitlines()[-1] == "next: nothing; the event is finished"
    assert club("certificate e").splitlines()[0].startswith("Players and rounds: 4 and ")


def test_two_games_a_round(typed: Typed, command: Command) -> None:
    """With two games a round each table has two results."""
    typed("new e --rounds 2 --games-a-round 2 --seed 5")
    typed("enter e Ann Ben")
    typed("check-in e --all")
    typed("publish e")
    typed("result e 1 1 412:398/13 371:380/13")
    status, out, _ = command("tournament", "missing", "e", "--json")
    assert (status, [(row["table"], row["game"]) for row in lines(out)]) == (1, [(1, 2)])
    typed("result e 1 1 300:300/12 310:310/12 --game 2")
    typed("close e")
    assert {(line["games"], line["wins"]) for line in lines(typed("standings e --json"))} == {(2, 1)}
