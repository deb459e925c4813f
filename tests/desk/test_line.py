"""The line at the top of the desk: what is typed, and what is done."""

from __future__ import annotations

import pytest
from desk_events import TestDesk, TestEvent

from ordws.desk.carry_out import carry_out, foretell
from ordws.desk.deeds import plan_deed
from ordws.desk.line import parse_line
from ordws.errors import BadInput
from ordws.tournament import facts as f
from ordws.tournament.facts import EventPairing

# The pairings are written, so that each line can be checked by eye:
#   table 1  Ann Lee - Ben Ode      table 2  Cy Poe - Dee Ray      bye: Eva Marsh, not there: Finn O'Hara
LINES = {
    "1 412:398/13 371:380/13": ("result", "1.1", {"first": "412:398/13", "second": "371:380/13"}),
    "1 412 398/13 371 380/13": ("result", "1.1", {"first": "412:398/13", "second": "371:380/13"}),
    "1 412 398 13 371 380 13": ("result", "1.1", {"first": "412:398/13", "second": "371:380/13"}),
    "2,412,398,13, 371/380/13": ("result", "1.2", {"first": "412:398/13", "second": "371:380/13"}),
    "/ben 371:380:13 412:398:13": ("result", "1.1", {"second": "371:380/13", "first": "412:398/13"}),
    "r1 2 9 9 1 8 8 1 resigned cy": ("result", "1.2", {"first": "9:9/1", "second": "8:8/1", "resigned": "first"}),
    "/in finn": ("check-in", "", {"entrant": "6", "reason": ""}),
    "t2  412 : 398 / 13  -5:0/12": ("result", "1.2", {"first": "412:398/13", "second": "-5:0/12"}),
    "ben 371 380/13 412 398/13": ("result", "1.1", {"second": "371:380/13", "first": "412:398/13"}),
    "poe 412:398/13 371:380/13": ("result", "1.2", {"first": "412:398/13", "second": "371:380/13"}),
    # All rule sets give whoever goes out twice the other's tiles, and take nothing from the other.
    "1 412 98/13 371": ("result", "1.1", {"first": "412:398/13", "second": "371:371/12"}),
    "1 412/13 371 59": ("result", "1.1", {"first": "412:412/13", "second": "371:359/13"}),
    "1b 371 59/13 412": ("result", "1.1", {"second": "371:359/13", "first": "412:412/13"}),
    "ben 371/12 412:398": ("result", "1.1", {"second": "371:371/12", "first": "412:398/13"}),
    "1 403 98/13 371": ("result", "1.1", {"first": "403:398/13", "second": "371:371/12"}),
    "1 forfeit ben": ("result", "1.1", {"forfeit": "second"}),
    "?": ("help", "", {}),
    "standings": ("standings", "", {}),
    "2 forfeited by first": ("result", "1.2", {"forfeit": "first"}),
    "dee forfeits both": ("result", "1.2", {"forfeit": "both"}),
    "1 90:90/4 80:80/4 resigned lee": ("result", "1.1", {"first": "90:90/4", "second": "80:80/4", "resigned": "first"}),
    "1 90:90/4 80:80/9 time ann": ("result", "1.1", {"first": "90:90/4", "second": "80:80/9", "time_up": "first"}),
    "r1 2 9:9/1 8:8/1 because misread": ("correct", "1.2", {"first": "9:9/1", "second": "8:8/1", "reason": "misread"}),
    "correct 2 9:9/1 8:8/1 because x": ("correct", "1.2", {"first": "9:9/1", "second": "8:8/1", "reason": "x"}),
    "confirm 2 because seen": ("confirm", "1.2", {"reason": "seen"}),
    "confirm 2 9:9/1 8:8/1 because slip": ("confirm", "1.2", {"first": "9:9/1", "second": "8:8/1", "reason": "slip"}),
    "in finn": ("check-in", "", {"entrant": "6", "reason": ""}),
    "IN all": ("check-in", "", {"all": "yes"}),
    "out #3": ("check-out", "", {"entrant": "3", "reason": ""}),
    "withdraw c p because ill": ("withdraw", "", {"entrant": "3", "reason": "ill"}),
    "enter Ida Strøm; Riverside": ("enter", "", {"names": "Ida Strøm; Riverside"}),
    "forbid ann, cy because family": ("constrain", "", {"a": "1", "b": "3", "kind": "forbid", "reason": "family"}),
    "free ann,cy": ("free", "", {"a": "1", "b": "3"}),
    "close": ("close", "", {"round": "1"}),
    "void because two draws": ("void", "", {"round": "1", "began": "", "reason": "two draws"}),
    "void 1 2 because two draws": ("void", "", {"round": "1", "began": "1 2", "reason": "two draws"}),
    "undo": ("undo", "", {"number": ""}),
    "undo 8": ("undo", "", {"number": "8"}),
    "forbid ann, cy once because ill": (
        "constrain",
        "",
        {"a": "1", "b": "3", "kind": "forbid", "reason": "ill", "round": "2"},
    ),
    "together ann, cy because asked": (
        "constrain",
        "",
        {"a": "1", "b": "3", "kind": "together", "reason": "asked", "round": "2"},
    ),
    "rename ann, Anna Lee": ("rename", "", {"entrant": "1", "name": "Anna Lee", "club": "", "member": ""}),
    "rename ann, Ann Lee; Riverside; minor; member 4": (
        "rename",
        "",
        {"entrant": "1", "name": "Ann Lee", "club": "Riverside", "member": "4", "minor": "yes"},
    ),
    "agree all": ("agree", "", {"all": "yes"}),
    "erase #6": ("erase", "", {"entrant": "6", "reason": ""}),
    "bind 2 station Table 3": ("bind", "1.2", {"device": "Table 3", "sealed_game": ""}),
    "set rounds 6": ("configure", "", {"rounds": "6"}),
    "set automatic on": ("configure", "", {"automatic": "yes"}),
    "7K3M-00AZ-9XYZ": ("scan", "", {"code": "7K3M-00AZ-9XYZ"}),
    "MBJM-KFHC-GCYV": ("scan", "", {"code": "MBJM-KFHC-GCYV"}),
    "7k3m00az9xyz": ("scan", "", {"code": "7k3m00az9xyz"}),
    "http://10.0.0.2:8020/tournament/x#code=7K3M-00AZ-9XYZ": ("scan", "", {"code": "7K3M-00AZ-9XYZ"}),
}
REFUSED = {
    "Annabellinda": '"Annabellinda" is not understood',
    "": '"" is not understood',
    "3 412:398/13 371:380/13": "round 1 has tables 1 to 2, and no 3",
    "r2 1 412:398/13 371:380/13": "round 2 is not published",
    "1 412:398/13": '"1 412:398/13" lacks the second player\'s score',
    "1 412 398": "lacks the first player's turns",
    "r1 2 412 398 13 371": "lacks the second player's points",
    "ann 412:398/13 371:360": "who went out does not follow",
    "1 412/13 371": "who went out does not follow",
    "412:398/13 371:380/13": "lacks the table, or a player",
    "1 412 then 398": '"1 412 then 398" is not understood',
    "1 9:9/1 8:8/1 hurrah": '"hurrah" is not understood after a result',
    "1 forfeit dee": '"dee" plays in no game that can be meant',
    "eva 9:9/1 8:8/1": '"eva" plays in no game that can be meant',
    "in nobody": '"nobody" is no entrant',
    "withdraw": "whose?",
    "forbid ann because x": "which two?",
    "correct 1 9:9/1 8:8/1": "the reason of the correction is missing",
}


@pytest.fixture
def event(desk: TestDesk) -> TestEvent:
    event = desk.event(["Ann Lee", "Ben Ode", "Cy Poe", "Dee Ray", "Eva Marsh", "Finn O'Hara"], present=5)
    event.apply(f.Published(round=1, pairings=(EventPairing(1, 1, 2), EventPairing(2, 3, 4)), bye=5))
    return event


def test_lines_become_deeds(event):
    """Each line is the deed beside it, with its round, table and other fields."""
    for line, (name, place, fields) in LINES.items():
        expected = dict(fields)
        if place:
            round_, table = place.split(".")
            expected |= {"round": round_, "table": table, "game": "1"}
        assert parse_line(event.state, line) == (name, expected), line


def test_lines_are_refused_with_the_reason(event):
    """A line that cannot be carried out says what is wrong with it."""
    for line, message in REFUSED.items():
        with pytest.raises(BadInput) as refusal:
            parse_line(event.state, line)
        assert message in str(refusal.value), line


def test_a_word_that_is_no_line_leads_to_the_list(event):
    """What has no figure is taken for a mistyped word, and the rest for a result."""
    hints = {}
    for line in ("missing", "1 412 then 398"):
        with pytest.raises(BadInput) as refused:
            parse_line(event.state, line)
        hints[line] = refused.value.hint
    assert hints["missing"] == "what can be typed is listed by: ?"
    assert hints["1 412 then 398"].startswith("a result is TABLE")


def test_long_gaps_in_a_line_are_one_space(event):
    """Gaps of any length are read as one space, so that a hostile line costs no more than another; rows keep tabs."""
    with pytest.raises(BadInput) as refusal:
        parse_line(event.state, f"x{' forfeit a' * 100}{' ' * 2_900}\n!")
    assert "  " not in str(refusal.value)
    assert parse_line(event.state, "1 \t  forfeit\n  ben") == parse_line(event.state, "1 forfeit ben")
    assert parse_line(event.state, "enter Ida\tRiverside").fields == {"names": "Ida\tRiverside"}


def test_an_ambiguous_name_names_who_it_could_be(desk):
    """A beginning that several share is refused with their names; a whole name goes before another's beginning."""
    event = desk.event(["Ann Lee", "Ann Leeds", "Zoe Lee"])
    with pytest.raises(BadInput, match='"lee" could be Ann Lee, Ann Leeds, Zoe Lee'):
        parse_line(event.state, "out lee")
    assert parse_line(event.state, "out ann lee").fields["entrant"] == "1"
    assert parse_line(event.state, "out z l").fields["entrant"] == "3"


def test_who_leaves_or_forfeits_is_told_what_that_leaves_open(event):
    """A forfeit checks nobody out, and whoever leaves during a game leaves its result to be keyed in."""

    def said(line):
        parsed = parse_line(event.state, line)
        return plan_deed(event.state, parsed.name, parsed.fields).said

    stay = "Ben Ode stays checked in: check out, or withdraw, who does not play on."
    assert said("1 forfeit ben").endswith(f"Ben Ode forfeited. {stay}")
    assert "Cy Poe and Dee Ray stay checked in" in said("2 forfeit both")
    assert "checked in" not in said("1 412:398/13 371:380/13")
    its_game = "Their game in round 1, at table 2, is open: key in its result, or the forfeit."
    assert said("withdraw cy").endswith(its_game)
    assert said("out cy").endswith(its_game)
    assert said("withdraw eva") == "Eva Marsh has withdrawn; the games played stay."
    event.apply(f.CheckedOut(entrant=2))
    assert said("1 forfeit ben").endswith("Ben Ode forfeited.")


def test_a_line_is_explained_before_it_is_carried_out(event):
    """What a line means is said in words: names, winner, and what Enter would ask."""
    explained = {
        "1 412:398/13 371:380/13": "Round 1, table 1: Ann Lee 412 (398 in 13), Ben Ode 371 (380 in 13); Ann Lee wins.",
        "ben 371 380/13 371 398/13": "Round 1, table 1: Ann Lee 371 (398 in 13), Ben Ode 371 (380 in 13); a tie.",
        "1 forfeit ben": "Round 1, table 1: Ben Ode forfeited.",
        "1 990:990/13 371:380/13": "Enter asks once more: the first player has 990 points in 13 turns, 76 a turn.",
        "forbid ann, cy because family": "Ann Lee and Cy Poe are not paired.",
        "who cy": "Cy Poe: table 2, round 1, against Dee Ray.",
        "who eva": "Eva Marsh has the bye of round 1.",
        "in finn": "Eva Marsh has the bye of round 1: type late Finn O'Hara if their game can begin now.",
    }
    for line, words in explained.items():
        parsed = parse_line(event.state, line)
        assert words in foretell(event.opened.snapshot(), parsed.name, parsed.fields), line


def test_a_line_that_enter_refuses_is_explained_by_the_refusal(event):
    """What is said of a line before Enter is what Enter says: the reason, where it refuses."""
    event.result(1)
    refused = {
        "1 9:9/1 8:8/1": "has the result 412:398/13 371:380/13 already",
        "enter Ann Lee": '"Ann Lee" is entered already, as #1',
        "close": "round 1 is not over",
        "publish": "round 1 is not over",
        "void": "the reason is missing",
        "late finn": "is not here any more",
    }
    event.apply(f.CheckedOut(entrant=5))
    for line, words in refused.items():
        parsed = parse_line(event.state, line)
        with pytest.raises(BadInput, match=words):
            foretell(event.opened.snapshot(), parsed.name, parsed.fields)
        with pytest.raises(BadInput, match=words):
            carry_out(event.opened, parsed.name, parsed.fields, actor="Dora", now=0)


def test_a_usual_result_takes_sixteen_keys(event):
    """A result with turns, typed with Enter, takes 16 keys where one of the two went out; all figures take 24."""
    whole = {"1 412:398/13 371:371/12": "1 412 98/13 371", "1 412:412/13 371:359/13": "1 412/13 371 59"}
    for figures, short in whole.items():
        assert parse_line(event.state, figures) == parse_line(event.state, short)
        assert (len(f"{figures}\n"), len(f"{short}\n")) == (24, 16)
