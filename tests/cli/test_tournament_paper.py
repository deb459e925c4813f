"""`ordws tournament import`, `export`, `print` and `season`."""

from __future__ import annotations

import csv
import json
import re
import shlex
from io import StringIO
from pathlib import Path

import click
import pytest
from cli_installation import Command

from ordws.cli.tournament import command as tournament


@pytest.fixture
def typed(command: Command, tmp_path, monkeypatch):
    """Return a function that types a command after `ordws tournament` and returns output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(line: str, status: int = 0, typed: str = "") -> tuple[str, str]:
        found, out, err = command("tournament", *shlex.split(line), typed=typed)
        assert found == status, f"{line}: {err}"
        return out, err

    return run


@pytest.fixture
def club(typed):
    """Make an event `e` of four players, two rounds of which are played."""
    Path("names.csv").write_text("name;club\nAnn Lee;North\nBen Ode;\nCy Poe;South\nDee Ray;\n")
    typed("new e --rounds 2 --seed 1 --name 'Club Night'")
    typed("do e 'set prize-fund 100' 'set currency EUR'")
    typed("import e names.csv")
    typed("do e 'in all'")
    for number in (1, 2):
        typed("do e publish")
        for table in (1, 2):
            sides = f"4{table}2:{390 + 8 * number + table}/13 371:{360 + 5 * table + number}/13"
            typed(f"do e '{table} {sides}'")
    typed("do e close")
    return typed


def test_entrants_come_from_a_file(club):
    """Names and clubs are entered once; a wrong line is named and changes nothing."""
    before = json.loads(club("status e --json")[0])
    assert [(each["name"], each["club"]) for each in before["entrants"]][:2] == [("Ann Lee", "North"), ("Ben Ode", "")]
    assert "4 of 4 players are entered already" in club("import e names.csv")[1]
    Path("late.t").write_text("Zoe Ray   1500\nann lee   1400\n")
    assert club("import e late.t", 2)[1].startswith('ordws: error: late.t, line 2: "ann lee" is "Ann Lee"')
    assert 'there is no file "none.csv"' in club("import e none.csv", 2)[1]
    Path("late.doc").write_text("Zoe Ray\n")
    assert "has the extension of no format" in club("import e late.doc", 2)[1]
    assert "somebody else was faster" in club("import e late.doc --format csv --expected 1", 2)[1]
    assert json.loads(club("status e --json")[0]) == before
    assert club("import e late.doc --format csv") == ("Zoe Ray entered\n1 entered\n", "")


@pytest.mark.parametrize("name", ["json", "t", "trf", "csv"])
def test_an_event_is_moved_by_a_file(club, name):
    """What an export holds, an import into an empty event brings back, down to the standings."""
    Path(f"moved.{name}").write_text(club(f"export e --format {name}")[0])
    club("new copy --rounds 2")
    club(f"import copy moved.{name} --results")
    assert sorted(club("standings copy --json")[0].splitlines()) == sorted(club("standings e --json")[0].splitlines())
    assert "an event without entrants alone" in club(f"import copy moved.{name} --results", 2)[1]


def test_member_numbers_come_from_a_file_and_go_into_one(club):
    """A column `member` is read, and JSON has it; a wrong number is refused by its line alone."""
    Path("more.csv").write_text("name;member\nZoe Ray; a-17\nYan Wu;\nXi Lo;0018\n")
    said = club("import e more.csv")[0]
    assert (
        said == "Zoe Ray entered with a member number\nYan Wu entered\nXi Lo entered with a member number\n3 entered\n"
    )
    club("new copy --rounds 2")
    Path("moved.json").write_text(club("export e --format json")[0])
    club("import copy moved.json")
    assert json.loads(club('data copy "Zoe Ray"')[0])["member"] == "A-17"
    numbers = [each["has_member_number"] for each in json.loads(club("status copy --json")[0])["entrants"]]
    assert numbers == [False] * 4 + [True, False, True]
    for wrong in ("A-17", "0018", "x;y", "5" * 40):
        Path("wrong.csv").write_text(f'name,member\nVal Orr,V1\nUda Poe,"{wrong}"\n')
        error = club("import copy wrong.csv", 2)[1]
        assert error.startswith("ordws: error: wrong.csv, line 3: ")
        assert wrong not in error
    shown = [club(f"export copy --format {name}")[0] for name in ("csv", "t", "tou", "trf")]
    shown += [club(f"{line} copy")[0] for line in ("status", "history --json", "standings")]
    assert not any(number in text for text in shown for number in ("A-17", "0018"))


def test_results_need_turns(club):
    """A file without turn points and turns brings players, and no results by which they could be ranked."""
    Path("moved.tou").write_text(club("export e --format tou")[0])
    assert re.match(r"\*M\d\d\.\d\d\.20\d\d Club Night\n\*A\n", Path("moved.tou").read_text())
    club("new copy --rounds 2")
    error = club("import copy moved.tou --results", 2)[1]
    assert "has no turn points and turns" in error
    assert json.loads(club("status copy --json")[0])["entrants"] == []
    assert club("import copy moved.tou")[0].endswith("\n4 entered\n")


def test_tables_for_spreadsheets(club):
    """CSV has the games; with --json the text stands in an object."""
    games = list(csv.DictReader(StringIO(club("export e --format csv")[0])))
    assert (len(games), games[0]["first_points"]) == (4, "399")
    told = json.loads(club("export e --json --format csv")[0])
    assert list(csv.DictReader(StringIO(told.pop("text")))) == games
    assert told == {"format": "csv", "players": 4, "games": 4}
    page = json.loads(club("print e standings --json")[0])
    assert page == {"sheet": "standings", "html": club("print e standings")[0]}


def test_sheets_go_to_the_screen(club):
    """A page is written as HTML for the paper that is asked for; what is not there is named."""
    assert "Round 2 by table" in club("print e pairings")[0]
    page = club("print e names --round 1 --paper letter")[0]
    assert "Round 1 by name" in page
    assert "size: letter" in page
    assert "Points a turn of the field" in club("print e certificate")[0]
    for line, problem in (
        ("print e pairings --round 3", "round 3 is not published"),
        ("print e slips --address host", "is no address of a page"),
    ):
        assert problem in club(line, 2)[1]


def test_prizes_are_shown(club):
    """Prizes are shares of the fund by the standings of now, on paper, with how they are shared."""
    page = club("print e prizes")[0]
    assert "50 % of the fund of EUR 100.00 are shared equally" in page
    assert "EUR 36.50" in page  # 12.50 and 24.00


def write_season(*declined, quarters=(("e", "f"),)):
    """Write a season of two seats, in the first quarter of which these players have declined."""
    parts = [f'[[quarter]]\nevent = "{event}"\nfinal = "{final}"\n' for event, final in quarters]
    parts[0] += f"declined = {json.dumps(declined)}\n"
    Path("2027.toml").write_text("\n".join(['name = "2027"\nseats = 2\n', *parts]))


def test_a_season_invites_to_its_finals(club):
    """The top of an on-line event is invited; who declines or plays another final makes way for the next in rank."""
    club("do e finish")
    order = [json.loads(line)["name"] for line in club("standings e --json")[0].splitlines()]
    assert 'there is no season "2027.toml"' in club("season 2027.toml 1", 2)[1]
    write_season()
    found = json.loads(club("season 2027.toml 1 --json")[0])
    assert [(each["name"], each["status"]) for each in found] == [(name, "invited") for name in order[:2]]
    write_season(order[0])
    assert club("season 2027.toml 1 --csv")[0] == f"name\n{order[1]}\n{order[2]}\n"
    club(f'do e "rename {order[2]}, {order[2]};; member 0017"')
    assert club("season 2027.toml 1 --csv")[0] == f"name,member\n{order[1]},\n{order[2]},0017\n"
    assert "0017" not in "".join(club(f"season 2027.toml 1{how}")[0] for how in ("", " --json"))
    club("new f --rounds 1")
    club("import f -", typed=club("season 2027.toml 1 --csv")[0])
    Path("e2").write_bytes(Path("e").read_bytes())
    write_season(order[0], quarters=(("e", "f"), ("e2", "f2")))
    shown = club("season 2027.toml 2")[0]
    assert shown.count("takes part in another final of the year") == 2
    assert shown.count(" invited") == 2
    assert "has no quarter 3" in club("season 2027.toml 3", 2)[1]
    write_season("Nobody")
    assert '"Nobody" is no entrant' in club("season 2027.toml 1", 2)[1]


def test_every_command_has_json():
    """No command of tournaments is without --json."""
    context = click.Context(tournament)
    found = {name: tournament.get_command(context, name) for name in tournament.list_commands(context)}
    assert len(found) > 12
    assert [name for name, each in found.items() if "--json" not in [o for p in each.params for o in p.opts]] == []
