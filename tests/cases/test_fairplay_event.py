"""The short form of `make fairplay-event`: a small event from its games to the register, reviewers in the browser."""

from __future__ import annotations

from contextlib import closing

import msgspec
import pytest
from leaks import find_leaks, scan_folder
from playwright.sync_api import expect
from review_site import SetClock, serve_reviewers

from ordws.api.hall import Hall
from ordws.cases import commands
from ordws.tournament.store import EventFile
from ordws.web.pages import site
from tests.benchmarks.fairplay_event import BEGIN, DAY, PANELS, Season, SeasonSize

SIZE = SeasonSize(players=16, rounds=8, events=1, cheats_of_a_kind=1, quitters=1, in_person_games=34, words=8_000)
NOW = BEGIN + 14 * DAY
CONTROL = "ZYXWVUTSRQ"
"""A word that is planted, to show that the search for words finds one."""


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """An event of sixteen players, of whom one always makes the best play, and the cases that follow."""
    with closing(Season(tmp_path_factory.mktemp("season") / "instance", SIZE, 21)) as season:
        season.play_event(1)
        season.cases = season.open_cases(NOW)
        yield season


def give_opinions(season, chromium, case):
    """Let three reviewers read a file and send their opinions, each in a browser of their own; return their lists."""
    clock, lists = SetClock(NOW), []
    with serve_reviewers(season.instance, chromium, clock) as site:
        for reviewer in PANELS[0]:
            page = site.signed_in(reviewer)
            page.goto("/cases")
            lists.append(page.content())
            page.get_by_role("link", name=case).click()
            expect(page.get_by_role("row", name="Choosing what scores most")).to_contain_text("overwhelming")
            expect(page.locator(".votes li")).to_have_count(0)
            assert "Player " not in page.content()
            page.get_by_label("established beyond a reasonable doubt").check()
            page.get_by_label("Your reasons").fill("Nobody chooses like that by chance.")
            page.get_by_role("button", name="Send the opinion").click()
            expect(page.get_by_text("nothing for you to do")).to_be_visible()
            page.context.close()
    return lists


def test_an_event_from_its_games_to_the_register(season, chromium, caplog):
    """The cheat is found and nobody honest is flagged; prizes wait; an appeal that is upheld strikes the entry.

    Neither lists, register nor logs have a word; only the records in a case do, which both seats saw.
    """
    assert [(each.habit, each.kind, each.turns) for each in season.found] == [("always best", "choices", 120)]
    (case,) = [state.case for state in season.cases]
    subject = season.files.subject(season.files.find(case))
    assert prizes_held(season) == {subject.pseudonym: {case}}
    season.take(case, commands.assign_reviewers, list(PANELS[0]), now=NOW)
    pages = give_opinions(season, chromium, case)
    logged = caplog.text
    state = season.finish(season.files.find(case), NOW)
    season.sync(NOW + 46 * DAY)
    pages.append(hall_page(msgspec.json.decode(season.instance.register.read_bytes(), type=Hall)))
    assert state.phase(NOW + 46 * DAY) == "published"
    assert [entry["pseudonym"] for entry in season.report(0).register["entries"]] == [subject.pseudonym]
    season.uphold_appeal(case, NOW + 60 * DAY)
    season.sync(NOW + 60 * DAY)
    report = season.report(0)
    assert report.register["entries"] == []
    assert report.honest_flagged == 0
    assert sum(year["overturned"] for year in report.register["years"]) == 1
    assert prizes_held(season) == {}
    shown = "".join([*pages, logged, str(report)]).encode()
    assert find_leaks(shown, long_words(season)) == set()
    assert find_leaks(shown + CONTROL.encode(), [CONTROL]) == {CONTROL}


def prizes_held(season):
    with closing(EventFile.open(season.instance.tournament("event-1"))) as event:
        return {each.name: set(each.cases) for each in event.state.entrants.values() if each.cases}


def long_words(season):
    """Return some of the words of the season that are too long to stand anywhere by chance."""
    words = sorted(word for word in season.words.true_words if len(word) > 7)[::40]
    assert len(words) > 20
    return words


def hall_page(hall):
    return site.hall_page(hall, is_compressed=False).body.decode()


def test_nothing_that_was_written_has_a_word(season):
    """No word of the edition stands in features, cases, events or the register; a planted one is found."""
    words = long_words(season)
    assert scan_folder(season.instance.root, words) == {}
    planted = season.instance.root / "planted"
    planted.write_bytes(b"so " + CONTROL.lower().encode() + b" it is")
    assert scan_folder(season.instance.root, [CONTROL]) == {"planted": {CONTROL}}
    planted.unlink()
    # The records of a case do have words: they were seen by both seats, and are sealed.
    records = [each.digest for state in season.cases for each in state.exhibits if each.kind == "record"]
    played = b" ".join([season.files.exhibit(digest) for digest in records])
    assert find_leaks(played, [word for word in season.words.true_words if len(word) > 3])
