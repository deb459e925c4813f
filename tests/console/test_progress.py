"""The page of the panel's statistics, and its charts."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from console_installation import ConsoleInstallation, make_family, open_console_installation, restart

from ordws.console import accounts
from ordws.console.panel_statistics import find_release
from ordws.console.progress import everyday_text, ratio_text
from ordws.curation.acts import CheckAnswered, CheckRetracted
from ordws.curation.decision import Ballot, Vote

DAY = 86_400
CHARTS = ("left", "alpha", "kappa", "margins", "seconds", "contested")
WORDS = [f"REB{a}{b}" for a in "ABCDEF" for b in "ABCDEFGHIJ"]
SATURDAY_TO_MONDAY = DAY + DAY // 2
AGREEMENT = "Agreement of all, on the calibration set, and by month"
PAIRS = "Every two curators, on the families that both have judged"
OPEN = "Families still open after each day"
VOTES: dict[str, Vote] = {"+": "in", "-": "out", "?": "doubt"}


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    """Sixty families, all derived with RE-, on a Saturday noon."""
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
            ledger.cast({id: ballot}, installation.state.timestamp())


def rows(text: str, caption: str) -> list[list[str]]:
    """Return the cells of a page's table, row by row."""
    (table,) = [each for each in re.findall("<table.*?</table>", text, re.S) if f"<caption>{caption}</caption>" in each]
    found = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", table, re.S)]
    return found[1:]


def decide_thirty(installation: ConsoleInstallation, start: int = 0) -> None:
    """Decide thirty families: 18 by 2 to 0, 6 by 3 to 2, and 6 by 0 to 2."""
    for place, word in enumerate(WORDS[start : start + 30]):
        cast(installation, word, ("ann+ ben+", "ann+ ben- cleo+ dora- emil+", "ann- ben-")[(0, 0, 0, 1, 2)[place % 5]])


def everything(installation: ConsoleInstallation, name: str) -> list[str]:
    """Return the page and all charts as a member gets them."""
    browser = installation.browser(name)
    page = browser.get("/progress").text.replace(browser.session.csrf, "")
    return [page, *[browser.get(f"/progress/{chart}.svg").text for chart in CHARTS]]


@pytest.mark.parametrize(("role", "status"), [("chair", 200), ("keeper", 200), ("curator", 403)])
def test_figures_are_for_chair_and_keeper(installation: ConsoleInstallation, role: str, status: int) -> None:
    """A curator gets no page or chart of the panel."""
    installation.member("Kim", role)
    decide_thirty(installation)
    installation.clock.now += SATURDAY_TO_MONDAY
    browser = installation.browser("Kim")
    paths = ["/progress", *[f"/progress/{chart}.svg" for chart in CHARTS]]
    assert [browser.get(path).status_code for path in paths] == [status] * 7


def test_the_policy_of_a_chart_allows_its_style_alone(installation: ConsoleInstallation) -> None:
    """The policy of a chart allows its one style sheet by its digest, and nothing else."""
    cast(installation, WORDS[0], "ann+ ben+")
    installation.clock.now += SATURDAY_TO_MONDAY
    answer = installation.member("Kim", "chair").get("/progress/left.svg")
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert re.fullmatch("default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; sandbox", policy)
    assert ElementTree.fromstring(answer.data).get("role") == "img"


@pytest.mark.parametrize("name", ["drift", "influence", "steadiness", "page", "kappa.svg"])
def test_an_unknown_chart_is_not_found(installation: ConsoleInstallation, name: str) -> None:
    """An unknown chart is not found."""
    assert installation.member("Kim", "chair").get(f"/progress/{name}.svg").status_code == 404


def test_a_page_before_the_first_tables(installation: ConsoleInstallation) -> None:
    """Before thirty families are decided the page says when the tables come, and has none."""
    cast(installation, WORDS[0], "ann+ ben+")
    installation.clock.now += SATURDAY_TO_MONDAY
    page = installation.member("Kay", "keeper").get("/progress").text
    assert "shown from the first Monday on which votes have decided 30 families" in page
    assert page.count("<table") == 1
    assert "A forecast begins after 3 evenings." in page


def test_a_single_day_is_told_in_words(installation: ConsoleInstallation) -> None:
    """Before the first decision there is neither a chart of one point nor a table of it, but a sentence."""
    page = installation.member("Kay", "keeper").get("/progress").text
    assert (page.count("<table"), page.count('<img src="/progress')) == (0, 0)
    assert f"{len(WORDS)} families are open. A chart begins after the first day of decisions." in page


def test_figures_of_decided_families(installation: ConsoleInstallation) -> None:
    """The tables of thirty decided families are those worked out by hand, rounded."""
    installation.member("Kay", "keeper")
    decide_thirty(installation)
    installation.clock.now += SATURDAY_TO_MONDAY
    page = installation.browser("Kay").get("/progress").text
    whole, calibration, month = rows(page, AGREEMENT)
    # 24 pairs of 24 agree, and 4 of 10 on each of the six split ones: 48 of 84, which is 57 %.
    assert whole[:3] == ["All families", "30", "55%"]
    assert month == ["2026-11", *whole[1:]]
    assert calibration == ["Calibration set", "fewer than 30", "", "", ""]
    assert rows(page, "Decisions by their votes") == [
        ["2 in, 0 out", "18", "60%"],
        ["3 in, 2 out", "6", "20%"],
        ["0 in, 2 out", "6", "20%"],
    ]
    # Ann and Ben agree on 24 of 30; by chance they would on (24 * 18 + 6 * 12) / 900: kappa is 0.24 / 0.44.
    assert rows(page, PAIRS) == [["ann and ben", "30", "80%", "0.5"]]
    assert rows(page, "Votes in, of all votes of a curator in a month") == [["2026-11", "80%", "60%"]]
    assert rows(page, "Decisions that rest on one curator") == [
        ["ann", "fewer than 5 decisions", ""],
        ["ben", "20%", "to look at"],
    ]
    assert rows(page, "Decisions by class, as counts") == [["RE- + verb", "18", "6", "6", "55%"]]
    assert rows(page, OPEN) == [["before the first", "60"], ["2026-11-21", "30"]]
    assert "Alpha is below 0.667: discuss what an ordinary dictionary holds." in page


def test_tables_change_on_mondays_after_thirty_more_decisions() -> None:
    """Tables are those of the last Monday before which thirty more families had been decided."""
    days = {"2026-11-21": 29, "2026-11-23": 1, "2026-11-29": 28, "2026-12-01": 2}
    shown = [find_release(days, today) for today in ("2026-11-23", "2026-11-29", "2026-11-30", "2026-12-07")]
    assert shown == [None, None, "2026-11-30", "2026-11-30"]
    assert find_release({**days, "2026-12-06": 28}, "2026-12-06") == "2026-11-30"
    assert find_release({**days, "2026-12-06": 28}, "2026-12-07") == "2026-12-07"


def test_extremes_are_not_told() -> None:
    """Shares are rounded to a twentieth, and all and none are not told apart from nearly all and nearly none."""
    assert [ratio_text(ratio) for ratio in (0.0, 0.02, 0.52, 0.94, 0.98, 1.0, None)] == [
        "at most 5%",
        "at most 5%",
        "50%",
        "at least 95%",
        "at least 95%",
        "at least 95%",
        "undefined",
    ]


def test_votes_of_the_day_change_no_figure(installation: ConsoleInstallation) -> None:
    """Neither votes of the day, nor what they decide, nor checks change the page or a chart before midnight."""
    installation.member("Kay", "keeper")
    decide_thirty(installation)
    installation.clock.now += SATURDAY_TO_MONDAY + DAY
    before = everything(installation, "Kay")
    decide_thirty(installation, 30)
    with installation.state.appending([WORDS[0]]) as ledger:
        ledger.append_acts(
            [(WORDS[0], CheckAnswered(id="c1", purpose="repeat", vote="out"))], "ann", installation.state.timestamp()
        )
    with installation.state.appending([WORDS[1]]) as ledger:
        ledger.reopen(WORDS[1], "Kay", "a new source", installation.state.timestamp())
    assert everything(installation, "Kay") == before
    restart(installation, installation.browser("Kay"))
    assert everything(installation, "Kay") == before
    installation.clock.now += DAY
    page = installation.browser("Kay").get("/progress").text
    assert rows(page, OPEN)[-1][1] == "1"
    assert rows(page, PAIRS)[0][1] == "30"


def test_an_undecided_ballot_changes_no_table(installation: ConsoleInstallation) -> None:
    """A ballot on an open family changes nothing, on the next days either."""
    installation.member("Kay", "keeper")
    decide_thirty(installation)
    installation.clock.now += SATURDAY_TO_MONDAY
    before = everything(installation, "Kay")
    cast(installation, WORDS[30], "ann+ ben- cleo-")
    installation.clock.now += DAY
    assert [each.replace("2026-11-24", "2026-11-23") for each in everything(installation, "Kay")] == [
        each.replace("2026-11-24", "2026-11-23") for each in before
    ]


def test_no_chart_contains_a_word(installation: ConsoleInstallation) -> None:
    """No chart, nor its text for screen readers, names a family or its base."""
    installation.member("Kay", "keeper")
    for word in WORDS[:30]:
        cast(installation, word, "ann+ ben- cleo+ dora- emil+")
    installation.clock.now += SATURDAY_TO_MONDAY
    page, *charts = everything(installation, "Kay")
    assert "RE- + verb" in charts[-1]
    for text in (page, *charts):
        assert [word for word in WORDS if word in text or word[2:] in text] == []


def test_every_chart_has_a_table_of_the_same_figures(installation: ConsoleInstallation) -> None:
    """The page has a text for each chart, and its figures in tables with captions and headers."""
    decide_thirty(installation)
    for _ in range(30):
        accounts.record_card_time(installation.state.accounts, "ann", 6.0, installation.clock.now)
    installation.clock.now += SATURDAY_TO_MONDAY
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
    """Answers to checks count once their family is decided, without those taken back, and from thirty on."""
    installation.member("Kay", "keeper")
    decide_thirty(installation)
    for place, word in enumerate([*WORDS[:30], WORDS[31]]):
        act = CheckAnswered(id=word, purpose="repeat", vote="in" if place % 2 else "out")
        with installation.state.appending([word]) as ledger:
            ledger.append_acts([(word, act)], "ann", installation.state.timestamp())
        with installation.state.appending([word]) as ledger:
            ledger.append_acts(
                [(word, CheckAnswered(id=f"{word}c", purpose="known", vote="in"))],
                "cleo",
                installation.state.timestamp(),
            )
    with installation.state.appending([WORDS[0]]) as ledger:
        ledger.append_acts([(WORDS[0], CheckRetracted(id=f"{WORDS[0]}c"))], "cleo", installation.state.timestamp())
    installation.clock.now += SATURDAY_TO_MONDAY
    page = installation.browser("Kay").get("/progress").text
    # Cleo's answers to known items: those on the 6 contested families and the one taken back do not count.
    assert rows(page, "Answers to repeats and known items") == [["ann", "50%", "fewer than 30"]]


def test_pace_and_what_is_left(installation: ConsoleInstallation) -> None:
    """Sixty families at 2.44 votes, with a check in ten cards, take 17 evenings of 10 cards."""
    installation.clock.now += SATURDAY_TO_MONDAY
    for evening in (3, 2, 1):
        for _ in range(10):
            accounts.record_card_time(installation.state.accounts, "ann", 6.0, installation.clock.now - evening * DAY)
    page = installation.member("Kit", "keeper").get("/progress").text
    assert "At 4 decisions an evening, about 17 more evenings: 17 at the soonest, 17 at the latest" in page
    assert rows(page, "Families expected to be open")[-1] == ["17", "0", "0", "0"]


def test_the_seconds_of_a_card(installation: ConsoleInstallation) -> None:
    """A keeper sees the pace of each curator with thirty cards; the chair, who votes too, that of all."""
    decide_thirty(installation)
    for number in range(35):
        accounts.record_card_time(installation.state.accounts, "ann", 4.0 + number % 2, installation.clock.now)
    accounts.record_card_time(installation.state.accounts, "ben", 4.0, installation.clock.now)
    accounts.record_card_time(installation.state.accounts, "ben", 61.0, installation.clock.now)
    installation.clock.now += SATURDAY_TO_MONDAY
    keeper, chair = installation.member("Kay", "keeper"), installation.member("Kit", "chair")
    assert rows(keeper.get("/progress").text, "Seconds a card") == [["all", "30", "4"], ["ann", "30", "4"]]
    assert rows(chair.get("/progress").text, "Seconds a card") == [["all", "30", "4"]]
    assert "ann" not in chair.get("/progress/seconds.svg").text


def test_statistics_of_the_day_before_are_shown_during_an_append(installation: ConsoleInstallation) -> None:
    """Statistics that are computed are shown while somebody appends to the ledger."""
    cast(installation, WORDS[0], "ann+ ben+")
    installation.clock.now += SATURDAY_TO_MONDAY
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


def test_how_much_of_everyday_use_is_open(installation: ConsoleInstallation) -> None:
    """The page says how many of 1,000 words that people write wait: here 60 families with a Zipf figure of 2.31."""
    page = installation.member("Kit", "chair").get("/progress").text
    assert "Of 1,000 words that people write, fewer than 0.1 wait for a decision" in page
    assert installation.state.everyday_use[WORDS[0]] == pytest.approx(10 ** (2.31 - 3))
    assert everyday_text(2_512.0, 99.0) == (
        "Of 1,000 words that people write, 2.6 wait for a decision: 2.5 are out until then, fewer than 0.1 are in."
        " Their families come first."
    )
    assert "write, none wait for a decision" in everyday_text(0.0, 0.0)
