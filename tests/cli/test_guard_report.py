"""`ordws guard report`: what keepers are shown of what was learned."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from keeper import Keeper
from leaks import find_leaks

from ordws.guard.policy import DAY
from ordws.guard.price import Identity, Question

SVG = "{http://www.w3.org/2000/svg}"
NOW = int(time.time())
HOME, ANN, BOB = Identity("1", 0), Identity("2", 0, "ann"), Identity("2", 0, "bob")


def words(first, count):
    """Words that are in no list."""
    return tuple(f"{chr(65 + n // 26)}{chr(65 + n % 26)}QQ" for n in range(first, first + count))


@pytest.fixture
def asked(house):
    """The home key asked six words, of which three again today; two players of the league eight each."""
    house.register.add("league", "operator", 1)
    desk = house.desk()
    for who, asked, now in (
        (HOME, words(0, 6), NOW - DAY),
        (HOME, words(3, 3), NOW),
        (ANN, words(20, 8), NOW),
        (BOB, words(24, 8), NOW),
    ):
        desk.gate.admit(who, Question(asked, 1, "g"), desk.editions.current.core, now)
    return desk


@pytest.fixture
def report(command, house):
    def report(*options, status=0):
        found, out, said = command("--instance", str(house.instance.root), "guard", "report", *options)
        assert (found, said) == (status, "")
        return out

    return report


def today(days_ago=0):
    return f"{datetime.now(UTC) - timedelta(days=days_ago):%Y-%m-%d}"


def test_the_report_as_json(asked, report, house):
    """Every key with what it learned, all together, and the world's days; the numbers of what was asked."""
    house.instance.build_record.write_text(
        json.dumps(
            {"counts": {"settled by quorum": 900, "borderline forms": 1108, "flagged forms": 20, "core words": 8}}
        )
    )
    told = json.loads(report("--json", "--days", "2"))
    league = {
        "name": "league",
        "kind": "operator",
        "players": 2,
        "learned": 16,
        "units_today": 16,
        "units": 16,
        "bits": 12,
        "share": 0.008,
        "learned_a_day": 16.0,
        "half_on": today(-62),
        "alarms": [],
    }
    home = {
        "name": "home",
        "kind": "home",
        "players": None,
        "learned": 6,
        "units_today": 3,
        "units": 9,
        "bits": 4,
        "share": 0.003,
        "learned_a_day": 3.0,
        "half_on": today(-332),
        "alarms": [],
    }
    assert told["keys"] == [league, home]
    assert (told["all"]["learned"], told["all"]["units_today"], told["all"]["units"]) == (18, 19, 25)
    assert told["borderline"] == {"words": 2000, "counted_in": "build"}
    assert (told["day"], told["days"], told["alarm"], told["bits_a_word"]) == (today(), 2, False, 0.7403)
    quiet = {"cap": 500, "reserve_spent": 0, "reserve": 10_000, "alarm_at": 400, "alarm": False}
    assert told["world"] == [{"day": today(1), "spent": 6, **quiet}, {"day": today(), "spent": 12, **quiet}]


def test_the_report_as_a_table(asked, report):
    """Plain text where there is no terminal: a line a key, what the numbers mean, and bars."""
    out = report("--days", "7")
    assert re.search("key +players +units today +in 7 days +learned +bits +share +half on +alarms", out)
    assert [line.split()[:6] for line in out.splitlines() if line.startswith((" league", " home", " all"))] == [
        ["league", "2", "16", "16", "16", "12"],
        ["home", "3", "9", "6", "4", "100.00%"],
        ["all", "19", "25", "18", "13", "100.00%"],
    ]
    assert "bits: at most 0.74 a word, since 181,007 words hold 134,000 bits" in out
    assert "league                   ############################## 16 words, 100.00%" in out
    assert f"{today()}               #                              12 of 500" in out
    assert "\x1b" not in out


def test_without_a_build_the_reference_is_counted(asked, report, house):
    """A host that does not build says so, and takes the public lists."""
    house.instance.reference.write_text("CAT\nZAX\nZEK\nZOA\n")
    assert json.loads(report("--json"))["borderline"] == {"words": 3, "counted_in": "reference"}
    assert "of 3 words to be learned: words of the players' reference that are not core" in report()


def test_an_alarm_is_told_and_ends_with_1(asked, report):
    """Who sweeps the alphabet is named, and of an operator's by the hash that the meters know."""
    swept = tuple(f"ZZZ{chr(65 + n)}" for n in range(26))
    asked.gate.admit(ANN, Question(swept, 1, "h"), asked.editions.current.core, NOW)
    assert "run" in asked.gate.update_detectors(NOW, flush_all=True)
    player = asked.gate.pricing.identity_key(ANN).partition(".")[2]
    out = report(status=1)
    assert f'in alarm: "run" of league / player {player[:8]}, until ' in out
    assert f"{'#' * 30} 42 words, 100.00% !" in out
    told = json.loads(report("--json", status=1))
    assert told["alarm"] is True
    assert {(alarm["sign"], alarm["player"]) for alarm in told["keys"][0]["alarms"]} >= {("run", player)}


def test_the_chart_as_a_picture(asked, report, house, tmp_path):
    """An SVG with its words for those who do not see it, the same each time, and no word of the set in it."""
    report("--svg", str(tmp_path / "leak.svg"), "--days", "3")
    drawn = (tmp_path / "leak.svg").read_bytes()
    root = ElementTree.fromstring(drawn)
    assert root.find(f"{SVG}title").text == f"Learned by asking, until {today()}"
    assert "league: 16 words, 100.00%. home: 6 words, 100.00%." in root.find(f"{SVG}desc").text
    assert f"{today(1)}: 6 of 500." in root.find(f"{SVG}desc").text
    report("--svg", str(tmp_path / "again.svg"), "--days", "3")
    assert (tmp_path / "again.svg").read_bytes() == drawn
    assert find_leaks(drawn, [*[word for word in house.words[8:] if len(word) > 4], *words(0, 40)]) == set()


def test_clients_without_charges_are_there_and_test_keys_are_not(report, house):
    """A client that never asked has learned nothing; a test client has no live meter; a revoked one stays."""
    house.register.add("quiet", "home", 1)
    house.register.add("try", "home", 1, test=True)
    house.register.revoke("quiet", 2)
    keys = json.loads(report("--json"))["keys"]
    assert [(key["name"], key["learned"], key["half_on"]) for key in keys] == [("home", 0, None), ("quiet", 0, None)]


def test_a_report_makes_and_changes_nothing(asked, report, house):
    """No file of the installation is new or other than before."""
    files = {
        path: path.read_bytes()
        for path in house.instance.root.rglob("*")
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }
    meters = asked.gate.store
    before = list(meters.stored_meters(""))
    report()
    assert {path: path.read_bytes() for path in files} == files
    assert list(meters.stored_meters("")) == before


def test_lost_meters_are_an_error(report, command, house):
    """They are not made anew, and nobody is told that nothing was learned."""
    for path in house.instance.root.glob("meters.db*"):
        path.unlink()
    status, out, said = command("--instance", str(house.instance.root), "guard", "report")
    assert (status, out) == (2, "")
    assert '"meters.db" does not answer: No such file or directory' in said
    assert not house.instance.meters.exists()


def test_a_name_cannot_steer_a_terminal(report, house):
    """Brackets are no markup, and what is wide is cut in the bars."""
    house.register.add("[red]" + "x" * 40, "home", 1)
    assert "[red]" + "x" * 40 in report()


def test_a_report_on_a_real_build(tmp_path):
    """What `ordws-build run` records is what is to be learned: settled and borderline words that are not core."""
    keeper = Keeper(tmp_path / "house")
    keeper.types("ordws init")
    counts = keeper.build()["counts"]
    expected = counts["settled by quorum"] + counts["borderline forms"] - counts["core words"]
    told = json.loads(keeper.types("ordws guard report --json"))
    assert told["borderline"] == {"words": expected, "counted_in": "build"}
