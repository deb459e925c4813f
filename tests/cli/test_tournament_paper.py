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
from ordws.desk import pdf


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
    typed("new e --rounds 2 --seed 1 --name 'Club Night' --prize-fund 10000 --currency EUR")
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
    assert "the event has version" in club("import e late.doc --format csv --expected 1", 2)[1]
    assert json.loads(club("status e --json")[0]) == before
    assert club("import e late.doc --format csv") == ("Zoe Ray entered\n1 entered\n", "")


@pytest.mark.parametrize("name", ["json", "t", "trf", "csv"])
def test_an_event_is_moved_by_a_file(club, name):
    """What an export holds, an import into an empty event brings back, down to the standings."""
    club(f"export e --format {name} --out moved.{name}")
    club("new copy --rounds 2")
    club(f"import copy moved.{name} --results")
    assert sorted(club("standings copy --json")[0].splitlines()) == sorted(club("standings e --json")[0].splitlines())
    assert "an event without entrants alone" in club(f"import copy moved.{name} --results", 2)[1]


def test_member_numbers_come_from_a_file_and_go_into_one(club):
    """A column `member` is read, and written where somebody has a number; a wrong one is refused by its line alone."""
    assert "member" not in club("export e --format csv --table entrants")[0]
    Path("more.csv").write_text("name;member\nZoe Ray; a-17\nYan Wu;\nXi Lo;0018\n")
    said = club("import e more.csv")[0]
    assert (
        said == "Zoe Ray entered with a member number\nYan Wu entered\nXi Lo entered with a member number\n3 entered\n"
    )
    club("new copy --rounds 2")
    for name in ("csv", "json"):
        club(f"export e --format {name} --table {'entrants' if name == 'csv' else 'games'} --out moved.{name}")
        club(f"import copy moved.{name}")
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
    club("export e --format tou --date 2026-11-21 --out moved.tou")
    assert Path("moved.tou").read_text().startswith("*M21.11.2026 Club Night\n*A\n")
    club("new copy --rounds 2")
    error = club("import copy moved.tou --results", 2)[1]
    assert "has no turn points and turns" in error
    assert json.loads(club("status copy --json")[0])["entrants"] == []
    assert club("import copy moved.tou")[0].endswith("\n4 entered\n")


def test_tables_for_spreadsheets(club):
    """CSV has games, entrants or standings; a table of another format, or a date that is none, is refused."""
    games = list(csv.DictReader(StringIO(club("export e --format csv")[0])))
    assert (len(games), games[0]["first_points"]) == (4, "399")
    entrants = list(csv.DictReader(StringIO(club("export e --format csv --table entrants")[0])))
    assert [each["club"] for each in entrants] == ["North", "", "South", ""]
    ranked = list(csv.DictReader(StringIO(club("export e --format csv --table standings")[0])))
    assert ranked == [
        {column: str(value) for column, value in json.loads(line).items()}
        for line in club("standings e --json")[0].splitlines()
    ]
    told = json.loads(club("export e --json --format csv")[0])
    assert list(csv.DictReader(StringIO(told.pop("text")))) == games
    assert told == {"format": "csv", "players": 4, "games": 4}
    assert json.loads(club("export e --format t --out moved.t --json")[0])["file"] == "moved.t"
    page = json.loads(club("print e standings --json")[0])
    assert page == {"sheet": "standings", "html": club("print e standings")[0]}
    assert json.loads(club("print --json e names --out n.html")[0]) == {"sheet": "names", "file": "n.html"}
    assert "--table standings is one of csv alone" in club("export e --format t --table standings", 2)[1]
    assert '"21.11." is no date' in club("export e --format tou --date 21.11.", 2)[1]


def test_sheets_are_printed_without_a_browser_too(club, monkeypatch):
    """A page goes to the screen or to a file; where no Chromium is, a PDF becomes a page, and that is said."""
    assert "Round 2 by table" in club("print e pairings")[0]
    assert club("print e names --round 1 --paper letter --out names.html")[0] == "wrote names.html\n"
    page = Path("names.html").read_text()
    assert "Round 1 by name" in page
    assert "size: letter" in page
    assert "Points a turn of the field" in club("print e certificate")[0]
    monkeypatch.setattr(pdf, "CHROMIUMS", ("no-such-browser",))
    out, err = club("print e standings --out table.pdf")
    assert (out, Path("table.pdf").exists()) == ("wrote table.html\n", False)
    assert "there is no Chromium here" in err
    for line, problem in (
        ("print e pairings --round 3", "round 3 is not published"),
        ("print e pairings --out x.doc", "ends in neither .html nor .pdf"),
        ("print e slips --address host", "is no address of a page"),
        ("print e slips --anew", "concern codes alone"),
    ):
        assert problem in club(line, 2)[1]


def test_codes_are_made_as_they_are_printed(club):
    """Who has no entry code gets one, which is on the paper and nowhere else; the next print needs --anew."""
    page = club("print e codes --key desk.key --address http://10.0.0.2:8020/tournament/e")[0]
    codes = re.findall(r'class="code">([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})<', page)
    assert len({*codes}) == 4
    assert [code for code in codes if code.encode() in Path("e").read_bytes()] == []
    assert "everybody has an entry code already" in club("print e codes --key desk.key", 2)[1]
    assert club("print e codes --key desk.key --anew")[0].count('class="code"') == 4


def test_prizes_are_shown(club):
    """Prizes are shares of the fund by the standings of now, on paper, with how they are shared."""
    page = club("print e prizes")[0]
    assert "50 % of the fund of EUR 100.00 are shared equally" in page
    assert "EUR 36.50" in page  # 12.50 and 24.00


def test_a_season_invites_to_its_finals(club):
    """The top of an on-line event is invited; who declines or plays another final makes way for the next in rank."""
    club("do e finish")
    order = [json.loads(line)["name"] for line in club("standings e --json")[0].splitlines()]
    assert club("season new 2027.toml --seats 2")[0] == "the season 2027 of 2 seats a final was begun\n"
    assert "exists already" in club("season new 2027.toml --seats 2", 2)[1]
    assert "expected 1 to 100,000" in club("season new other.toml --seats 0", 2)[1]
    assert club("season add 2027.toml e")[0] == "quarter 1: e, final not named yet\n"
    assert club("season add 2027.toml e --final f")[0] == "quarter 1: e, final f\n"
    assert 'there is no event "none"' in club("season add 2027.toml none", 2)[1]
    assert "is not beside" in club("season add 2027.toml ./e/../e", 2)[1]
    found = json.loads(club("season invitations 2027.toml 1 --json")[0])
    assert [(each["name"], each["status"]) for each in found] == [(name, "invited") for name in order[:2]]
    assert club(f'season decline 2027.toml 1 "{order[0]}"')[0] == f"declined for quarter 1: {order[0]}\n"
    assert club("season invitations 2027.toml 1 --csv")[0] == f"name\n{order[1]}\n{order[2]}\n"
    club(f'do e "rename {order[2]}, {order[2]};; member 0017"')
    assert club("season invitations 2027.toml 1 --csv")[0] == f"name,member\n{order[1]},\n{order[2]},0017\n"
    assert "0017" not in "".join(club(f"season invitations 2027.toml 1{how}")[0] for how in ("", " --json"))
    club("new f --rounds 1")
    club("import f -", typed=club("season invitations 2027.toml 1 --csv")[0])
    club("season add 2027.toml e2", 2)
    Path("e2").write_bytes(Path("e").read_bytes())
    club("season add 2027.toml e2 --final f2")
    shown = club("season invitations 2027.toml 2")[0]
    assert shown.count("takes part in another final of the year") == 2
    assert shown.count(" invited") == 2
    club(f'season decline 2027.toml 1 "{order[0]}" --take-back')
    assert club("season invitations 2027.toml 1 --csv")[0] == f"name\n{order[0]}\n{order[1]}\n"
    assert "has no quarter 3" in club("season invitations 2027.toml 3", 2)[1]


def test_a_season_is_kept_by_programs(club):
    """Each command of a season prints what it did as one JSON object."""
    lines = ("new 2027.toml --seats 1", "add 2027.toml e", "add 2027.toml e --final f", "decline 2027.toml 1 Ann")
    assert [json.loads(club(f"season {line} --json")[0]) for line in lines] == [
        {"season": "2027", "seats": 1},
        {"quarter": 1, "event": "e", "final": None},
        {"quarter": 1, "event": "e", "final": "f"},
        {"quarter": 1, "declined": ["Ann Lee"]},
    ]
    assert json.loads(club("season decline 2027.toml 1 Ann --take-back --json")[0])["declined"] == []


def test_every_command_has_json():
    """No command of tournaments is without --json."""
    context = click.Context(tournament)
    found = {name: tournament.get_command(context, name) for name in tournament.list_commands(context)}
    season = found.pop("season")
    found |= {f"season {name}": each for name, each in season.commands.items()}
    assert len(found) > 15
    assert [name for name, each in found.items() if "--json" not in [o for p in each.params for o in p.opts]] == []
