"""The page of the panel's statistics, and its charts."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from console_installation import AT, ConsoleInstallation, make_family, open_console_installation

from ordws.console import pace
from ordws.console.panel_statistics import MAX_CACHE_SECONDS, MIN_CACHE_SECONDS, collect_source, compute_statistics
from ordws.curation.acts import CheckAnswered
from ordws.curation.ballot import Ballot, Vote

DAY = 86_400
CHARTS = ("left", "alpha", "kappa", "margins", "seconds", "contested")
WORDS = ["REBASH", "REZORIL", "REQUIRK", "REJOUST", "REFLUX"]
VOTES: dict[str, Vote] = {"+": "in", "-": "out", "?": "doubt"}


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    """Five families, all derived with RE-."""
    queued = [make_family(word, pattern="RE- + verb", of=word[2:]) for word in WORDS]
    with open_console_installation(tmp_path, queued) as installation:
        yield installation


def cast(installation: ConsoleInstallation, base: str, line: str) -> None:
    """Cast ballots written as `ann+ ben-`, each in an append of its own."""
    for word in line.split():
        id = f"{base} {word} {installation.state.clock()}"
        ballot = Ballot(
            id, base, word[:-1], VOTES[word[-1]], (), "", installation.state.timestamp().replace("+00:00", "Z")
        )
        with installation.state.appending([base]) as ledger:
            ledger.cast({id: ballot}, AT)


def rows(text: str, caption: str) -> list[list[str]]:
    """Return the cells of a page's table, row by row."""
    (table,) = [each for each in re.findall("<table.*?</table>", text, re.S) if f"<caption>{caption}</caption>" in each]
    found = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", table, re.S)]
    return found[1:]


def everything(installation: ConsoleInstallation, name: str) -> list[str]:
    """Return the page and all charts as a member gets them, ten minutes later."""
    installation.clock.now += MAX_CACHE_SECONDS
    browser = installation.browser(name)
    page = browser.get("/progress").text.replace(browser.session.csrf, "")
    return [page, *[browser.get(f"/progress/{chart}.svg").text for chart in CHARTS]]


@pytest.mark.parametrize(("role", "status"), [("chair", 200), ("keeper", 200), ("curator", 403)])
def test_figures_are_for_chair_and_keeper(installation: ConsoleInstallation, role: str, status: int) -> None:
    """A curator gets no page or chart of the panel."""
    browser = installation.member("Kim", role)
    paths = ["/progress", *[f"/progress/{chart}.svg" for chart in CHARTS]]
    assert [browser.get(path).status_code for path in paths] == [status] * 7


def test_the_policy_of_a_chart_allows_its_style_alone(installation: ConsoleInstallation) -> None:
    """The policy of a chart allows its one style sheet by its digest, and nothing else."""
    answer = installation.member("Kim", "chair").get("/progress/kappa.svg")
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert re.fullmatch("default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; sandbox", policy)
    assert ElementTree.fromstring(answer.data).get("role") == "img"


@pytest.mark.parametrize("name", ["drift", "influence", "steadiness", "page", "kappa.svg"])
def test_an_unknown_chart_is_not_found(installation: ConsoleInstallation, name: str) -> None:
    """An unknown chart is not found."""
    assert installation.member("Kim", "chair").get(f"/progress/{name}.svg").status_code == 404


def test_a_page_before_the_first_vote(installation: ConsoleInstallation) -> None:
    """Before the first vote all is open, and agreement is undefined with its reason."""
    page = installation.member("Kay", "keeper").get("/progress").text
    undefined = ["0", "0", "undefined", "undefined: no family was judged by two curators"]
    assert rows(page, "Agreement of all, on the calibration set, and by month") == [
        [name, *undefined, "undefined: too little varies"] for name in ("All families", "Calibration set")
    ]
    assert rows(page, "Decisions by their votes") == [["Nothing yet."]]
    assert "A forecast begins after 3 evenings." in page


def test_figures_of_decided_families(installation: ConsoleInstallation) -> None:
    """The statistics of three decided families are those worked out by hand: 2 to 0, 3 to 2 and 0 to 2."""
    cast(installation, "REBASH", "ann+ ben+")
    cast(installation, "REZORIL", "ann+ ben- cleo+ dora- emil+")
    cast(installation, "REQUIRK", "ann- ben-")
    page = installation.member("Kay", "keeper").get("/progress").text
    whole, _, month = rows(page, "Agreement of all, on the calibration set, and by month")
    # 4 pairs of 10 agree on REZORIL; alpha = 1 - 8 * (2 * 3 * 2 / 4) / (2 * 5 * 4)
    assert whole[:5] == ["All families", "3", "12", "50.0%", "0.400"]
    assert month[:5] == ["2026-11", "3", "12", "50.0%", "0.400"]
    assert rows(page, "Decisions by their votes") == [
        ["2 in, 0 out", "1", "33.3%"],
        ["3 in, 2 out", "1", "33.3%"],
        ["0 in, 2 out", "1", "33.3%"],
    ]
    kappas = rows(page, "Every two curators, on the families that both have judged")
    assert kappas[0] == ["ann and ben", "3", "66.7%", "0.400"]
    assert kappas[-1] == ["dora and emil", "1", "0.0%", "0.000"]
    moved = rows(page, "Decisions that rest on one curator")
    assert moved[1] == ["ben", "1 of 3", "33.3%", "to look at"]
    assert rows(page, "Decisions by class, as counts") == [["RE- + verb", "1", "1", "1", "12", "50.0%"]]
    assert rows(page, "Families still open after each day") == [["before the first", "5"], ["2026-11-21", "2"]]
    assert "Alpha is below 0.667: talk about what an ordinary dictionary holds." in page


def test_an_undecided_ballot_changes_no_figure(installation: ConsoleInstallation) -> None:
    """A ballot on an open family changes neither the page nor a chart."""
    installation.member("Kay", "keeper")
    cast(installation, "REBASH", "ann+ ben+")
    cast(installation, "REZORIL", "ann+ ben- cleo+ dora- emil+")
    before = everything(installation, "Kay")
    cast(installation, "REQUIRK", "ann+ ben- cleo-")
    assert everything(installation, "Kay") == before
    with installation.state.appending(["REQUIRK"]) as ledger:
        ledger.append_acts([("REQUIRK", CheckAnswered(id="c1", purpose="repeat", vote="out"))], "ann", AT)
    assert everything(installation, "Kay") == before
    cast(installation, "REQUIRK", "dora-")
    assert everything(installation, "Kay") != before


def test_a_family_that_is_voted_on_again_is_left_out(installation: ConsoleInstallation) -> None:
    """A re-opened family does not count; once it is decided again, both rounds do."""
    installation.member("Kay", "keeper")
    cast(installation, "REBASH", "ann+ ben+")
    with installation.state.appending(["REBASH"]) as ledger:
        ledger.reopen("REBASH", "Kay", "a new source", AT)
    caption = "Agreement of all, on the calibration set, and by month"
    assert rows(everything(installation, "Kay")[0], caption)[0][1:3] == ["0", "0"]
    cast(installation, "REBASH", "ann- ben-")
    assert rows(everything(installation, "Kay")[0], caption)[0][:5] == ["All families", "1", "2", "100.0%", "1.000"]


def test_no_chart_contains_a_word(installation: ConsoleInstallation) -> None:
    """No chart, nor its text for screen readers, names a family or its base."""
    installation.member("Kay", "keeper")
    for word in WORDS[:4]:
        cast(installation, word, "ann+ ben- cleo+ dora- emil+")
    page, *charts = everything(installation, "Kay")
    assert "RE- + verb" in charts[-1]
    for text in (page, *charts):
        assert [word for word in WORDS if word in text or word[2:] in text] == []


def test_every_chart_has_a_table_of_the_same_figures(installation: ConsoleInstallation) -> None:
    """The page has a text for each chart, and its figures in tables with captions and headers."""
    page = installation.member("Kim", "chair").get("/progress").text
    for chart in CHARTS:
        (section,) = re.findall(f'<section aria-labelledby="{chart}">.*?</section>', page, re.S)
        assert f'src="/progress/{chart}.svg" alt="' in section
        assert section.count("<caption>") == section.count("<table") > 0
        assert '<th scope="col">' in section
    main = page.partition("<main")[2]
    assert "style=" not in main
    assert "<script" not in main


def test_checks_count_once_their_family_is_decided(installation: ConsoleInstallation) -> None:
    """Answers to checks count once their family is decided."""
    installation.member("Kay", "keeper")
    cast(installation, "REBASH", "ann+ ben+")
    for who, act in (
        ("ann", CheckAnswered(id="1", purpose="repeat", vote="in")),
        ("ann", CheckAnswered(id="2", purpose="repeat", vote="out")),
        ("cleo", CheckAnswered(id="3", purpose="known", vote="in")),
    ):
        with installation.state.appending(["REBASH"]) as ledger:
            ledger.append_acts([("REBASH", act)], who, AT)
    page = installation.browser("Kay").get("/progress").text
    assert rows(page, "Answers to repeats and known items") == [
        ["ann", "2", "50.0%", "0", "none"],
        ["cleo", "0", "none", "1", "100.0%"],
    ]


def test_pace_and_what_is_left(installation: ConsoleInstallation) -> None:
    """Five families at 2.44 votes, with a check in ten cards, take 7 evenings of 2 cards."""
    for evening in (3, 2, 1):
        for seconds in (4.0, 8.0):
            pace.record_card_time(installation.state.accounts, "ann", seconds, installation.clock.now - evening * DAY)
    pace.record_card_time(installation.state.accounts, "ben", 61.0, installation.clock.now)
    page = installation.member("Kit", "keeper").get("/progress").text
    assert rows(page, "Seconds a card") == [["all", "6", "6.0"], ["ann", "6", "6.0"]]
    assert "At 1 decisions an evening, about 7 more evenings: 7 at the soonest, 7 at the latest" in page
    assert rows(page, "Families expected to be open")[-1] == ["7", "0", "0", "0"]


def test_figures_are_kept_for_a_while(installation: ConsoleInstallation) -> None:
    """Statistics are cached for two minutes, then until something is appended, and at most for ten minutes."""
    chair = installation.member("Kit", "keeper")

    def left() -> str:
        return rows(chair.get("/progress").text, "Families still open after each day")[-1][1]

    def cards() -> int:
        return len(rows(chair.get("/progress").text, "Seconds a card"))

    assert (left(), cards()) == ("5", 1)
    cast(installation, "REBASH", "ann+ ben+")
    assert left() == "5"
    installation.clock.now += MIN_CACHE_SECONDS
    assert left() == "4"
    pace.record_card_time(installation.state.accounts, "ann", 4.0, installation.clock.now)
    installation.clock.now += MAX_CACHE_SECONDS - 1
    assert "Nothing yet." in chair.get("/progress").text
    installation.clock.now += 1
    assert cards() == 2


def test_cached_statistics_are_shown_during_an_append(installation: ConsoleInstallation) -> None:
    """Cached statistics are shown while somebody appends to the ledger."""
    chair, held, done = installation.member("Kit", "keeper"), threading.Event(), threading.Event()
    chair.get("/progress")

    def append() -> None:
        with installation.state.appending([]):
            held.set()
            done.wait(10)

    thread = threading.Thread(target=append)
    thread.start()
    held.wait(10)
    statuses = [chair.get(path).status_code for path in ("/progress", "/progress/left.svg")]
    assert (statuses, done.is_set()) == ([200, 200], False)
    done.set()
    thread.join()


def test_statistics_are_computed_from_a_copy(installation: ConsoleInstallation) -> None:
    """Statistics are computed from a copy, which later votes do not change."""
    cast(installation, "REBASH", "ann+ ben+")
    known = collect_source(installation.state)
    cast(installation, "REZORIL", "ann- ben-")
    figures = compute_statistics(known)
    assert (figures.outcomes["in"], figures.outcomes["out"], figures.outcomes["open"]) == (1, 0, 4)


def test_the_chair_does_not_see_the_pace_of_single_curators(installation: ConsoleInstallation) -> None:
    """The chair, who votes too, does not see how many cards each curator has answered."""
    pace.record_card_time(installation.state.accounts, "ann", 4.0, installation.clock.now)
    chair = installation.member("Kit", "chair")
    page, chart = chair.get("/progress"), chair.get("/progress/seconds.svg")
    assert rows(page.text, "Seconds a card") == [["all", "1", "4.0"]]
    assert "ann" not in chart.text
