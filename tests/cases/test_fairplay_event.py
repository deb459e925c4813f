"""The short form of `make fairplay-event`: a small event from its games to the register, reviewers in the browser."""

from __future__ import annotations

from contextlib import closing

import pytest
from leaks import find_leaks
from playwright.sync_api import expect
from review_site import SetClock, serve_reviewers

from ordws.cases import commands
from ordws.tournament.store import EventFile
from tests.benchmarks.fairplay_event import DAY, PANELS, Season
from tests.benchmarks.fairplay_secrecy import HEARD, SEED, SMALL_EVENT, hall_page, search_for_words

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """An event of sixteen players, of whom one always makes the best play, and the cases that follow."""
    with closing(Season(tmp_path_factory.mktemp("season") / "instance", SMALL_EVENT, SEED)) as season:
        season.play_event(1)
        season.cases = season.open_cases(HEARD)
        yield season


def give_opinions(season, chromium, case):
    """Let three reviewers read a file and send their opinions, each in a browser of their own; return their lists."""
    clock, lists = SetClock(HEARD), []
    with serve_reviewers(season.instance, chromium, clock) as site:
        for reviewer in PANELS[0]:
            page = site.signed_in(reviewer)
            page.goto("/cases")
            lists.append(page.content())
            page.get_by_role("link", name=case).click()
            expect(page.get_by_role("row", name="Choosing what scores most")).to_contain_text("overwhelming")
            expect(page.locator(".votes li")).to_have_count(0)
            assert "Player " not in page.content()
            page.get_by_label("there is a case to answer").check()
            page.get_by_label("Your reasons").fill("Nobody chooses like that by chance.")
            page.get_by_role("button", name="Send the opinion").click()
            expect(page.get_by_text("nothing for you to do")).to_be_visible()
            page.context.close()
    return lists


def test_an_event_from_its_games_to_the_register(season, chromium, caplog):
    """The cheat is found and nobody honest is flagged; prizes wait; an appeal that is upheld strikes the entry.

    No word of the edition stands in features, cases, event, register, pages or logs, and planted ones are found.
    """
    assert [(each.habit, each.kind, each.turns) for each in season.found] == [("always best", "choices", 120)]
    (case,) = [state.case for state in season.cases]
    subject = season.files.subject(season.files.find(case))
    assert prizes_held(season) == {}, "nobody has notice"
    season.take(case, commands.assign_reviewers, PANELS[0], (), now=HEARD)
    pages = give_opinions(season, chromium, case)
    logged = caplog.text
    state = season.finish(season.files.find(case), HEARD)
    season.sync(HEARD + 46 * DAY)
    assert prizes_held(season) == {subject.pseudonym: {case}}
    pages.append(hall_page(season))
    assert state.phase(HEARD + 46 * DAY) == "published"
    assert [entry["pseudonym"] for entry in season.report(0).register["entries"]] == [subject.pseudonym]
    season.uphold_appeal(case, HEARD + 60 * DAY)
    season.sync(HEARD + 60 * DAY)
    report = season.report(0)
    assert report.register["entries"] == []
    assert report.honest_flagged == 0
    assert sum(year["overturned"] for year in report.register["years"]) == 1
    assert prizes_held(season) == {}
    search = search_for_words(season, "".join([*pages, logged, str(report)]))
    assert len(search.words) > 20
    assert (search.found, search.controls) == ({}, 2)


def prizes_held(season):
    with closing(EventFile.open(season.instance.tournament("event-1"))) as event:
        return {each.name: set(each.cases) for each in event.state.entrants.values() if each.cases}


def test_records_of_a_case_have_the_words_that_both_seats_saw(season):
    """Only the records, which are sealed, have words of the edition."""
    records = [each.digest for state in season.cases for each in state.exhibits if each.kind == "record"]
    played = b" ".join([season.files.exhibit(digest) for digest in records])
    assert find_leaks(played, [word for word in season.words.true_words if len(word) > 3])
