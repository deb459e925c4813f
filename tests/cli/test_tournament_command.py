"""`ordws tournament`: a whole event from one keyboard."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from cli_installation import Command

from ordws.desk.line import WORDS

NEWCOMERS = "\n".join(("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lev"))
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
    typed("do e 'enter Ann' 'enter Ben' 'enter Cy' 'enter Dee' 'in all'")
    return typed


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def play(command: Command, file: str = "e", sides: str = "412:398/13 371:380/13") -> None:
    """Key in all results that are missing."""
    _, out, _ = command("tournament", "status", file, "--json")
    for row in json.loads(out)["missing"]:
        status, _, err = command("tournament", "do", file, f"{row['table']}.{row['game']} {sides}")
        assert status == 0, err


def test_an_event_from_the_first_name_to_the_certificate(club: Typed, command: Command) -> None:
    """An event is drawn, played, closed and verified by commands alone; docs/reference/commands.md has their JSON."""
    for number in (1, 2, 3):
        drawn = json.loads(club("do e draft --json"))
        assert json.loads(club("do e draft --json")) == drawn
        assert [*drawn] == ["round", "pairings", "bye"]
        assert [[*row] for row in drawn["pairings"]] == [["table", "first", "second", "why"]] * 2
        assert (drawn["round"], drawn["bye"]) == (number, None)
        draft = club("do e draft").splitlines()
        assert draft[0] == f"draft of round {number}, not published yet"
        assert drawn["pairings"][0]["why"] in draft[-2]
        assert club("do e publish") == f"Round {number} is published.\n"
        paired = json.loads(club("pairings e --json"))["pairings"]
        assert [(row["first"], row["second"]) for row in paired] == [
            (row["first"], row["second"]) for row in drawn["pairings"]
        ]
        play(command)
    assert club("do e close finish") == "Round 3 is closed.\nThe event is over.\n"
    standings = lines(club("standings e --json"))
    assert sorted({line["name"] for line in standings}) == ["Ann", "Ben", "Cy", "Dee"]
    assert {line["games"] for line in standings} == {3}
    certificate = json.loads(club("certificate e --json"))
    assert (certificate["repeats"], {"rms_residual", "worst_residual", "byes", "digest"} - {*certificate}) == (0, set())
    verified = json.loads(club("verify e --json"))
    assert (verified["rounds"], verified["faults"]) == (3, [])
    assert club("verify e").splitlines()[1] == "3 rounds were drawn again"
    assert json.loads(club("status e --json"))["phase"] == "finished"


def test_a_rewritten_event_is_told_by_a_noted_digest(club: Typed, command: Command, tmp_path: Path) -> None:
    """Facts rewritten with new hashes verify by themselves; the digest of the certificate or of a player tells."""
    club("do e publish")
    play(command)
    club("do e close")
    noted, certificate = (json.loads(club(f"{what} e --json"))["head"] for what in ("verify", "certificate"))
    assert noted == certificate
    shutil.copy(tmp_path / "e", tmp_path / "before")
    club("do e finish")
    assert command("tournament", "verify", "e", "--head", noted)[0] == 0
    assert "of 1 fact after it the digest says nothing" in command("tournament", "verify", "e", "--head", noted)[2]
    assert "is not known" in command("tournament", "verify", "e")[2]
    whole = json.loads(club("certificate e --json"))
    for digest in (whole["head"], whole["digest"]):
        assert "the digest was noted" in club(f"verify e --head {digest}")

    # Somebody who may write the file ends it otherwise, with hashes that follow.
    (tmp_path / "before").rename(tmp_path / "e")
    club("do e 'r1 1 500:490/13 300:290/13 because x' finish")
    assert command("tournament", "verify", "e")[0] == 0
    assert command("tournament", "verify", "e", "--head", noted)[0] == 0
    for digest in (whole["head"], whole["digest"]):
        status, _, told = command("tournament", "verify", "e", "--head", digest)
        assert (status, "was rewritten" in told) == (1, True)


def test_entering_loads_no_pairing_library(tmp_path: Path) -> None:
    """Commands that draw nothing load neither numpy nor the matching library, nor anything that serves."""
    script = """
import sys
from ordws.cli import ordws, run
for line in (["new", "e", "--rounds", "3"], ["do", "e", "enter Ann", "in all", "undo"], *[[name, "e"] for name in (
        "standings", "status", "history")]):
    sys.argv = ["ordws", "tournament", *line]
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
    Path("names.txt").write_text(NEWCOMERS)
    setup, doors, round_, end = read_page()
    for line in [*setup, *doors]:
        typed(line)
    draft, publish, result, status = round_
    for _ in range(5):
        typed(draft)
        typed(publish)
        typed(result)
        assert "5 of 6 results are missing" in typed(status)
        play(command, "club.event")
        assert "All results are in" in typed(status)
    for line in end:
        typed(line)
    # What may happen is in the table, a line a row.
    page = PAGE.read_text("utf-8").split("\n## 2 ")[0]
    typed_lines = re.findall(r"do club.event ([a-z]+|\"[^\"]+\")", page)
    assert len(typed_lines) > 10
    for line in typed_lines:
        first, *rest = line.strip('"').split()
        assert first in WORDS or re.fullmatch(r"r?\d+", first) or rest[0] == "forfeit", line


def test_the_same_seed_draws_the_same(typed: Typed) -> None:
    """Two events with one seed and the same lines have the same pairings."""
    for file in ("one", "two"):
        typed(f"new {file} --rounds 3 --seed 99 --name Club")
        typed(f"do {file} 'enter Ann' 'enter Ben' 'enter Cy' 'enter Dee' 'enter Eve' 'in all'")
    assert typed("do one draft --json") == typed("do two draft --json")


def test_names_are_typed_as_they_come(typed: Typed, command: Command) -> None:
    """Spaces, quotes, accents and other scripts are names like others, also in lines from standard input."""
    typed("new e --rounds 2 --seed 1")
    typed("""do e "enter Ann O'Hara" 'enter Bo "Bob" Lee' 'enter Éva'""")
    status, out, _ = command("tournament", "do", "e", "-", typed="enter 李小龙\nenter  Zoë   Wu \n")
    assert (status, out.splitlines()[1]) == (0, '"Zoë Wu" is entered. 5 have entered.')
    typed("""do e 'in eva' 'in bo "bob" lee' 'in 李小龙' 'in #1' 'in zoe'""")
    row = json.loads(typed("status e --json"))
    assert [each["status"] for each in row["entrants"]] == ["present"] * 5
    assert {each["first"] for each in json.loads(typed("do e draft --json"))["pairings"]} <= {
        each["name"] for each in row["entrants"]
    }


MISTAKES = {
    "do e 'enter ann'": '"ann" is entered already, as #1 "Ann"\nordws: hint: two players of one name',
    "do e enter": "whom? type the whole name",
    "do e 'in Bem'": '"Bem" is no entrant\nordws: hint: did you mean "Ben" (#2)?',
    "do e 'rename Ann'": "what is the right name? type it after a comma",
    "do e '1 412:398/13'": '"1 412:398/13" lacks the second player\'s score',
    "do e '7 412:398/13 371:380/13'": "round 1 has tables 1 to 2, and no 7",
    "do e 'r4 1 412:398/13 371:380/13'": "round 4 is not published",
    "do e 'r1 1 412:398/13 371:380/13 because x'": "round 1, table 1 (",
    "do e close": "round 1 is not over: no result of table 1 (",
    "do e draft": "round 1 is not over: no result of table 1 (",
    "do e publish": "round 1 is not over: no result of table 1 (",
    "do e finish": "round 1 is not closed",
    "do e void": "the reason is missing",
    "do e 'late Ann'": '"Ann" is paired in round 1',
    "do e 'undo 8'": "fact 8 cannot be undone, for fact 10 rests on it: round 1 was published with 2 pairings",
    "do e 'confirm 1 because x'": "round 1, table 1 (",
    "do e 'erase Ann'": "the data of Ann are erased for good\nordws: hint: with --sure it is done all the same",
    "do e 'set shoes 5'": 'there is no setting "shoes"\nordws: hint: the settings are name, rounds, ',
    "do e 'set automatic maybe'": 'the setting automatic is "maybe": expected on or off',
    "do e undo undo --id x": "--id and --expected are for one line",
    "standings e --after 2": "there is no round 2: round 1 alone is published",
    "pairings e 2": "there is no round 2",
    "new e --rounds 3": '"e" exists already\nordws: hint: name another file',
    "new x --rounds 0": "0 rounds: expected 1 to 320",
    "new x --rounds 3 --rules chess": 'there is no rule set "chess"',
    "status nowhere": 'there is no event "nowhere"\nordws: hint: ordws tournament new nowhere --rounds N',
}


def test_mistakes_are_told(club: Typed, refused: Typed) -> None:
    """A mistake in typing is refused with what was wrong, where, and what to do."""
    club("do e publish")
    for line, error in MISTAKES.items():
        assert refused(line).startswith(error), line


def test_lines_after_a_refused_one_are_not_carried_out(club: Typed, command: Command) -> None:
    """The first line that is refused ends the command: those before it stay done, and it says which these are."""
    status, out, err = command("tournament", "do", "e", "out ann", "in nobody", "out ben")
    assert (status, out.splitlines()) == (2, ["Ann is not paired until checked in again."])
    assert err.splitlines()[0] == 'ordws: note: "in nobody" is refused; of 3 lines the 1 before it were carried out'
    assert [each["status"] for each in json.loads(club("status e --json"))["entrants"]][:2] == ["entered", "present"]


def test_a_score_below_zero_is_no_option(club: Typed) -> None:
    """A score that begins with a minus sign is read as a score."""
    club("do e publish")
    assert "Ann -4 (-2 in 12)" in club("do e 'ann -4:-2/12 300:320/12' --sure")


def test_two_directors_are_kept_apart(club: Typed, command: Command) -> None:
    """With the version that was seen, the second of two directors is told what the first has done."""
    version = json.loads(club("status e --json"))["version"]
    club("do e 'withdraw Ben because ill' --director Una")
    status, _, err = command("tournament", "do", "e", "in Ben", "--expected", str(version), "--director", "Dan")
    assert status == 2
    assert err.splitlines()[0] == "ordws: error: somebody else was faster: Ben withdrew (ill), by Una"
    # What came between is in the history, with what was undone.
    club("do e undo")
    rows = lines(club("history e --json"))
    assert [(row["kind"], row["actor"], row["undone"]) for row in rows[-2:]] == [
        ("withdrawn", "Una", True),
        ("undone", "director", False),
    ]


def test_publishing_takes_the_version_that_was_seen(club: Typed, command: Command) -> None:
    """A publishing that closes the round itself is no conflict with itself, but with a withdrawal it is."""
    club("do e publish")
    play(command)
    version = json.loads(club("status e --json"))["version"]
    club(f"do e publish --expected {version}")
    play(command)
    version = json.loads(club("status e --json"))["version"]
    club("do e 'withdraw Ben' draft --director Una")
    status, _, err = command("tournament", "do", "e", "publish", "--expected", str(version))
    assert (status, "Ben withdrew, by Una" in err) == (2, True)


def test_a_line_repeated_under_its_id_changes_nothing(club: Typed) -> None:
    """A line sent again under its id adds nothing, and is answered with what it did the first time."""
    once = json.loads(club("do e publish --id key-1 --json"))
    assert once["said"] == "Round 1 is published."
    again = json.loads(club("do e publish --id key-1 --json"))
    assert again == {**once, "said": "Done already: round 1 was published with 2 pairings."}
    first = json.loads(club("do e 'withdraw Ben' --id key-2 --json"))
    assert [fact["kind"] for fact in first["facts"]] == ["withdrawn"]
    assert json.loads(club("do e 'withdraw Ben' --id key-2 --json"))["version"] == first["version"]


def test_late_absent_and_back(club: Typed, command: Command) -> None:
    """A late entrant plays the bye, who did not come forfeits, and whoever withdrew comes back."""
    club("do e 'enter Eve' 'in Eve' publish")
    bye = json.loads(club("pairings e --json"))["bye"]
    club("do e 'enter Zoe'")
    assert f"Zoe plays {bye}, who had the bye, at table 3." in club("do e 'late Zoe'")
    assert f"{bye} forfeited." in club(f"do e '{bye} forfeit {bye}' 'out {bye}'")
    assert len(json.loads(club("status e --json"))["missing"]) == 2
    other = next(name for name in ("Ann", "Ben") if name != bye)
    club(f"do e 'withdraw {other} because went home' 'return {other}'")
    play(command)
    drawn = json.loads(club("do e draft --json"))
    names = {drawn["bye"]}.union(*[{row["first"], row["second"]} for row in drawn["pairings"]])
    assert (bye in names, other in names) == (False, True)
    row = json.loads(club("pairings e --json"))
    assert [each["results"] for each in row["pairings"]].count(["412:398/13 371:380/13"]) == 2


def test_a_round_voided_and_drawn_again(club: Typed, command: Command) -> None:
    """A voided round counts for nothing, its number is drawn again, and what began has met."""
    club("do e publish")
    first = json.loads(club("pairings e --json"))["pairings"][0]
    club("do e 'void 1 because wrong list'")
    assert {line["games"] for line in lines(club("standings e --json"))} == {0}
    club("do e publish")
    drawn = json.loads(club("pairings e --json"))
    assert drawn["round"] == 1
    assert {first["first"], first["second"]} not in [{row["first"], row["second"]} for row in drawn["pairings"]]
    assert command("tournament", "verify", "e")[0] == 0


def test_data_of_an_entrant_are_handed_over_and_erased(club: Typed, command: Command, tmp_path: Path) -> None:
    """`data` prints what is held, and `erase` leaves a number."""
    club("do e publish")
    play(command)
    club("do e 'withdraw Ben because appendicitis'")
    held = json.loads(club("data e Ben"))
    assert (held["number"], held["name"], held["status"]) == (2, "Ben", "withdrawn")
    assert any("appendicitis" in each["what"] for each in held["facts"])
    assert not any(name in json.dumps(held) for name in ("Ann", "Dee"))
    assert json.loads(club("data e Ben --json")) == held
    club("do e 'erase Ben' --sure")
    assert "#2" in {line["name"] for line in lines(club("standings e --json"))}
    assert b"appendicitis" not in (tmp_path / "e").read_bytes()
    assert command("tournament", "verify", "e")[0] == 0


def test_a_member_number_is_typed_and_put_right(typed: Typed, refused: Typed) -> None:
    """It is one player's; it is shown to who asks for a player's data, and by nothing else."""
    typed("new e --rounds 2")
    typed("do e 'enter Ann Lee;; member a-17'")
    assert refused("do e 'enter Ben;; member a-17'").startswith('the member number is that of #1 "Ann Lee" already')
    typed("do e 'rename ann, Ann Lee;; member A-71'")
    assert json.loads(typed("data e ann"))["member"] == "A-71"
    typed("do e undo")
    assert json.loads(typed("data e ann"))["member"] == "A-17"
    typed("do e 'rename ann, Anna Lee; Oxford; minor'")
    held = json.loads(typed("data e anna"))
    assert (held["club"], held["minor"], held["member"]) == ("Oxford", True, "A-17")
    assert "A-17" not in typed("status e --json")


def test_consent_comes_before_an_on_line_game(typed: Typed, refused: Typed) -> None:
    """In an on-line event nobody is checked in without consent, in the words that are in force."""
    typed("new e --rounds 2")
    typed("do e 'set on-line on'")
    typed("do e 'enter Ann' 'enter Ben'")
    assert refused("do e 'in all'").startswith('"Ann" has not agreed to the conditions of the event')
    typed("do e 'agree ann' 'agree all' 'in all'")
    assert json.loads(typed("data e ann"))["agreed_wording"]
    typed("do e 'set consent-required off' 'set rounds 1'")
    assert json.loads(typed("status e --json"))["rounds"] == 1


def test_what_a_director_reads(club: Typed, command: Command) -> None:
    """Tables and what comes next, as text."""
    assert club("status e").splitlines()[0] == "e, scrabble-i: Entry. 4 have entered, 4 are checked in."
    assert club("status e").splitlines()[-1] == 'next: ordws tournament do e "draft"'
    drafted = club("do e draft").splitlines()
    assert drafted[1].split() == ["table", "first", "second"]
    first = json.loads(club("do e draft --json"))["pairings"][0]["first"]
    assert drafted[5] == f"table 1, told to {first}: Nobody has played yet, so lots were drawn."
    club("do e publish")
    assert club("status e").splitlines()[0] == "e, scrabble-i: Round 1 of 3. 2 of 2 results are missing."
    club("do e '1 412:398/13 371:380/13'")
    shown = club("status e").splitlines()
    assert (shown[0], shown[-2].split()[0], shown[-2][-9:]) == (
        "e, scrabble-i: Round 1 of 3. 1 of 2 results is missing.",
        "2",
        "no result",
    )
    play(command)
    club("do e close")
    assert club("standings e").splitlines()[1].split()[0] == "1"
    club("do e 'forbid Ann, Ben once because a couple'")
    assert "Ann and Ben may not meet in round 2 (a couple), by director" in club("history e").splitlines()[-1]
    club("do e 'free Ann, Ben' 'set rounds 1'")
    assert club("status e").splitlines()[-1] == 'next: ordws tournament do e "finish"'
    club("do e finish")
    assert club("status e").splitlines()[0] == "e, scrabble-i: The event is over. 1 round was played."
    assert club("certificate e").splitlines()[0].startswith("Players and rounds: 4 and ")


def test_two_games_a_round(typed: Typed) -> None:
    """With two games a round each table has two results."""
    typed("new e --rounds 2 --games-a-round 2 --seed 5")
    typed("do e 'enter Ann' 'enter Ben' 'in all' publish '1 412:398/13 371:380/13'")
    missing = json.loads(typed("status e --json"))["missing"]
    assert [(row["table"], row["game"], row["state"]) for row in missing] == [(1, 2, "no result")]
    typed("do e '1.2 300:300/12 310:310/12' close")
    assert {(line["games"], line["wins"]) for line in lines(typed("standings e --json"))} == {(2, 1)}


def test_a_pairing_is_bound_once(club: Typed, refused: Typed) -> None:
    """A game is bound to a station or to a sealed game, and the same again changes nothing."""
    club("do e publish")
    for table, place in ((1, "station Table 3"), (2, "game 39ac7eedab3f5807b971fa43ab2a0017")):
        bound = json.loads(club(f"do e 'bind {table} {place}' --json"))
        assert [each["kind"] for each in bound["facts"]] == ["bound"]
        assert json.loads(club(f"do e 'bind {table} {place}' --json"))["facts"] == []
    assert refused("do e 'bind 1 game 4'").startswith("a game is played at a station, or is a sealed game")
    assert refused("do e 'bind 1.2 station Table 3'").startswith("there is no game 2: a round has one game")


def test_names_are_turned_on_request(typed: Typed, command: Command, tmp_path: Path) -> None:
    """A list with the family name first is entered as it is, with a note; `--turn-names` turns it."""
    assert "by the rules scrabble-i was created" in typed("new e --rounds 3")
    (tmp_path / "names.txt").write_text("Orr, Gus\nAnn Lee\n")
    status, out, err = command("tournament", "import", "e", "names.txt")
    assert (status, out.splitlines()[-1]) == (0, "2 entered")
    assert '1 name has a comma: --turn-names enters "Orr, Gus" as Gus Orr' in err
    typed("new f --rounds 3")
    assert typed("import f names.txt --turn-names").splitlines() == ["Gus Orr entered", "Ann Lee entered", "2 entered"]


def test_the_line_shows_what_can_be_typed_and_the_standings(club: Typed) -> None:
    """`help` prints lines with what they do, and `standings` what the command of that name prints."""
    assert "the result of table 3" in club("do e help")
    assert club("do e '?' standings").endswith(club("standings e"))
