"""`ordws guard report`: the leak meter as keepers see it."""

from __future__ import annotations

import json
import re
import shutil
import time
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from keeper import Keeper
from leaks import find_leaks

from ordws.guard.charge import Identity, Question
from ordws.guard.guests import guest_identity
from ordws.guard.policy import DAY

SVG = "{http://www.w3.org/2000/svg}"
NOW = 1_795_262_400
"""2026-11-21, 12:00 UTC."""
HOME, ANN, BOB = Identity("1", 0), Identity("2", 0, "ann"), Identity("2", 0, "bob")


def words(first, count):
    """Return words that are in no list."""
    return tuple(f"{chr(65 + n // 26)}{chr(65 + n % 26)}QQ" for n in range(first, first + count))


@pytest.fixture(autouse=True)
def at_noon(monkeypatch):
    """Let the clock stand, since a day that ends between a question and the report moves every number."""
    monkeypatch.setattr(time, "time", lambda: float(NOW))


@pytest.fixture
def services(installation):
    """Let the home key ask six words, three of them again today, and two players of a league eight each."""
    installation.register.add("league", "operator", 1)
    services = installation.services()
    for identity, words_asked, now in (
        (HOME, words(0, 6), NOW - DAY),
        (HOME, words(3, 3), NOW),
        (ANN, words(20, 8), NOW),
        (BOB, words(24, 8), NOW),
    ):
        services.gate.admit(identity, Question(words_asked, 1, "g"), services.editions.current.core, now)
    return services


@pytest.fixture
def report(command, installation):
    def report(*options, status=0):
        actual_status, out, err = command("--instance", str(installation.instance.root), "guard", "report", *options)
        assert (actual_status, err) == (status, "")
        return out

    return report


def test_guests_are_a_line_of_the_report(services, report):
    """All guests together have a line, with as many players as games, once they were charged for anything."""
    assert "guests" not in {key["name"] for key in json.loads(report("--json"))["keys"]}
    for game in ("g", "h"):
        services.guest_games.begin(game, NOW + DAY, NOW)
        question = Question(("CAT", *words(0, 4)), 1, game, "1", 0)
        services.gate.admit(guest_identity(game), question, services.editions.current.core, NOW)
    (guests,) = [key for key in json.loads(report("--json"))["keys"] if key["name"] == "guests"]
    found = [guests[each] for each in ("kind", "players", "learned", "units_today", "core_today")]
    assert found == ["guests", 2, 8, 8, 2]


def test_an_alarm_of_a_guests_game_is_told_and_ended(services, report, command, installation):
    """A game of guests in alarm is named by its hash, and the alarm ends by `reset-detectors guests`."""
    services.guest_games.begin("g", NOW + DAY, NOW)
    for n in range(9):
        question = Question((f"AAAA{chr(65 + n)}",), 1, "g", str(n), 0)
        services.gate.admit(guest_identity("g"), question, services.editions.current.core, NOW)
    assert re.search(r'in alarm: "run" of guests / game [0-9a-f]{8}, until', report(status=1))
    root = str(installation.instance.root)
    assert command("--instance", root, "guard", "reset-detectors", "guests")[:2] == (0, "ended: run\n")
    assert "in alarm" not in report()


def today(days_ago=0):
    return f"{datetime.fromtimestamp(NOW - days_ago * DAY, UTC):%Y-%m-%d}"


def test_the_report_as_json(services, report, installation):
    """The JSON has what each key and all keys together learned, and the days of the shared budget."""
    installation.instance.build_record.write_text(
        json.dumps(
            {"counts": {"settled by quorum": 900, "borderline forms": 1108, "flagged forms": 20, "core words": 8}}
        )
    )
    shown = json.loads(report("--json", "--days", "2"))
    league = {
        "name": "league",
        "kind": "operator",
        "players": 2,
        "learned": 16,
        "units_today": 16,
        "units": 16,
        "core_today": 0,
        "core": 0,
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
        "core_today": 0,
        "core": 0,
        "bits": 4,
        "share": 0.003,
        "learned_a_day": 3.0,
        "half_on": today(-332),
        "alarms": [],
    }
    assert shown["keys"] == [league, home]
    assert (shown["all"]["learned"], shown["all"]["units_today"], shown["all"]["units"]) == (22, 19, 25)
    assert shown["borderline"] == {"words": 2000, "counted_in": "build"}
    assert (shown["day"], shown["days"], shown["alarm"], shown["bits_a_word"]) == (today(), 2, False, 0.7403)
    quiet = {"cap": 500, "core_spent": 0, "core_cap": 2_000, "alarm_at": 400, "alarm": False}
    assert shown["world"] == [{"day": today(1), "spent": 6, **quiet}, {"day": today(), "spent": 19, **quiet}]


def test_the_report_as_a_table(services, report):
    """Output that is no terminal is plain text: a line a key, an explanation of the numbers, and bars."""
    out = report("--days", "7")
    assert re.search(
        "key +players +units today +in 7 days +learned +core today +in 7 days +bits +share +half on +alarms", out
    )
    assert [line.split()[:8] for line in out.splitlines() if line.startswith((" league", " home", " all"))] == [
        ["league", "2", "16", "16", "16", "0", "0", "12"],
        ["home", "3", "9", "6", "0", "0", "4", "100.00%"],
        ["all", "19", "25", "22", "0", "0", "16", "100.00%"],
    ]
    assert "bits: at most 0.74 a word, since 181,007 words hold 134,000 bits" in out
    assert "league                   ############################## 16 words, 100.00%" in out
    assert f"{today()}               #                              19 of 500" in out
    assert "\x1b" not in out


def test_without_a_build_the_reference_is_counted(services, report, installation):
    """A host without a build counts the words of the public lists, and says so."""
    installation.instance.reference.write_text("CAT\nZAX\nZEK\nZOA\n")
    assert json.loads(report("--json"))["borderline"] == {"words": 3, "counted_in": "reference"}
    assert "of 3 words to be learned: words of the players' reference that are not core" in report()


def test_an_alarm_is_reported_with_status_1(services, report):
    """A caller who sweeps the alphabet is named, a player by the hash in the meters, and the status is 1."""
    swept = tuple(f"ZZZ{chr(65 + n)}" for n in range(26))
    services.gate.admit(ANN, Question(swept, 1, "h"), services.editions.current.core, NOW)
    assert services.gate.tick(NOW) == ("run",)
    player = services.gate.pricing.subject(ANN)[8:].hex()
    out = report(status=1)
    assert f'in alarm: "run" of league / player {player[:8]}, until ' in out
    assert f"{'#' * 30} 42 words, 100.00% !" in out
    shown = json.loads(report("--json", status=1))
    assert shown["alarm"] is True
    assert {(alarm["sign"], alarm["player"]) for alarm in shown["keys"][0]["alarms"]} >= {("run", player)}


def test_the_chart_as_a_picture(services, report, installation, tmp_path):
    """The SVG describes itself in words, is the same each time, and holds no word of the set."""
    report("--svg", str(tmp_path / "leak.svg"), "--days", "3")
    drawn = (tmp_path / "leak.svg").read_bytes()
    root = ElementTree.fromstring(drawn)
    assert root.find(f"{SVG}title").text == f"Learned by asking, until {today()}"
    assert "league: 16 words, 100.00%. home: 6 words, 100.00%." in root.find(f"{SVG}desc").text
    assert f"{today(1)}: 6 of 500." in root.find(f"{SVG}desc").text
    report("--svg", str(tmp_path / "again.svg"), "--days", "3")
    assert (tmp_path / "again.svg").read_bytes() == drawn
    assert find_leaks(drawn, [*[word for word in installation.words[8:] if len(word) > 4], *words(0, 40)]) == set()


def test_clients_without_charges_are_listed_and_test_keys_are_not(report, installation):
    """A client that never asked has learned nothing; revoked clients are listed, and test clients are not."""
    installation.register.add("quiet", "home", 1)
    installation.register.add("try", "home", 1, test=True)
    installation.register.revoke("quiet", 2)
    keys = json.loads(report("--json"))["keys"]
    assert [(key["name"], key["learned"], key["half_on"]) for key in keys] == [("home", 0, None), ("quiet", 0, None)]


def test_lost_meters_are_an_error(report, command, installation):
    """Lost meters are an error: the report neither creates new ones nor says that nothing was learned."""
    shutil.rmtree(installation.instance.meters)
    status, out, err = command("--instance", str(installation.instance.root), "guard", "report")
    assert (status, out) == (2, "")
    assert "ordws: hint: ordws guard new-meters" in err
    assert not installation.instance.meters.exists()


def test_a_name_cannot_steer_a_terminal(report, installation):
    """Brackets in a client's name are no markup."""
    installation.register.add("[red]" + "x" * 40, "home", 1)
    assert "[red]" + "x" * 40 in report()


def test_a_report_on_a_real_build(tmp_path):
    """The words to be learned are those of the build record: settled and borderline words outside the core list."""
    keeper = Keeper(tmp_path / "house")
    keeper.types("ordws init")
    counts = keeper.build()["counts"]
    expected = counts["settled by quorum"] + counts["borderline forms"] - counts["core words"]
    shown = json.loads(keeper.types("ordws guard report --json"))
    assert shown["borderline"] == {"words": expected, "counted_in": "build"}
