"""A curator's own votes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import AT, ConsoleInstallation, families, open_console_installation

from ordws.curation.acts import CheckAnswered, Nominated, Recused
from ordws.curation.decision import Ballot, Vote

DAY = 86_400


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", families(120)) as installation:
        yield installation


def vote(installation: ConsoleInstallation, base: str, curator: str, vote: Vote = "in", reason: str = "") -> None:
    with installation.state.appending([base]) as ledger:
        id = f"{base}-{curator}"
        ledger.cast({id: Ballot(id, base, curator, vote, (), reason, AT)}, AT)


def test_own_votes_are_listed_and_others_are_not(installation: ConsoleInstallation) -> None:
    """A curator's votes are listed with their reasons; an undecided family is open, however others voted."""
    ann = installation.member("ann")
    vote(installation, "BAAA", "ann", "in", "in my cookbook")
    vote(installation, "BAAB", "ben", "out", "never heard")
    page = ann.get("/history").text
    assert "BAAA" in page
    assert "in my cookbook" in page
    installation.clock.now += DAY
    assert "<td>open</td>" in installation.browser("ann").get("/history").text
    assert "BAAB" not in page
    assert "never heard" not in page


def test_an_outcome_is_shown_from_the_next_day(installation: ConsoleInstallation) -> None:
    """The outcome of a family is shown from the next day on; on the same day it would give a check away."""
    ann = installation.member("ann")
    vote(installation, "BAAA", "ann", "out")
    vote(installation, "BAAA", "ben", "out")
    assert "<td>shown tomorrow</td>" in ann.get("/history").text
    installation.clock.now += DAY
    assert "<td>out</td>" in installation.browser("ann").get("/history").text


def test_a_family_that_is_up_for_another_vote_says_so(installation: ConsoleInstallation) -> None:
    """A vote on a family that a keeper has re-opened is marked, until the curator has voted again."""
    installation.member("ann")
    for who in ("ann", "ben"):
        vote(installation, "BAAA", who, "out")
        vote(installation, "BAAB", who, "out")
    installation.clock.now += DAY
    with installation.state.appending(["BAAA"]) as ledger:
        ledger.reopen("BAAA", "kay", "a new edition has it", installation.state.timestamp())
    page = installation.browser("ann").get("/history").text
    assert page.count("up for another vote") == 1
    assert "<td>out</td>" in page
    assert installation.browser("ann").api("/api/cards").json["progress"]["revotes"] == 1
    at = installation.state.timestamp()
    with installation.state.appending(["BAAA"]) as ledger:
        ledger.cast({"again": Ballot("again", "BAAA", "ann", "in", (), "", at)}, at)
    page = installation.browser("ann").get("/history").text
    assert "up for another vote" not in page
    # Neither of the votes on it tells the outcome on this day: else the second would tell how others have voted.
    assert page.count("<td>shown tomorrow</td>") == 2
    assert installation.browser("ann").api("/api/cards").json["progress"]["revotes"] == 0


def test_another_vote_that_others_decide_is_counted_until_midnight(installation: ConsoleInstallation) -> None:
    """The number of families that are up for another vote changes by a curator's own votes and at midnight alone."""
    installation.member("ann")
    for who in ("ben", "cleo"):
        vote(installation, "BAAA", who, "out")
    installation.clock.now += DAY
    at = installation.state.timestamp()
    with installation.state.appending(["BAAA"]) as ledger:
        ledger.reopen("BAAA", "kay", "a new edition has it", at)

    def revotes() -> int:
        count: int = installation.browser("ann").api("/api/cards").json["progress"]["revotes"]
        return count

    assert revotes() == 1
    for who in ("ben", "cleo"):
        with installation.state.appending(["BAAA"]) as ledger:
            ledger.cast({f"two-{who}": Ballot(f"two-{who}", "BAAA", who, "in", (), "", at)}, at)
    assert not installation.state.family_states["BAAA"].is_open
    assert revotes() == 1
    installation.clock.now += DAY
    assert revotes() == 0


def test_a_retracted_vote_is_marked(installation: ConsoleInstallation) -> None:
    """A retracted vote stays in the list and is marked."""
    ann = installation.member("ann")
    vote(installation, "BAAA", "ann")
    with installation.state.appending(["BAAA"]) as ledger:
        ledger.retract("BAAA-ann", "ann", AT)
    assert "taken back" in ann.get("/history").text


def test_an_answer_to_a_check_looks_like_any_other(installation: ConsoleInstallation) -> None:
    """A curator cannot tell from the list which cards were checks."""
    ann = installation.member("ann")
    vote(installation, "BAAA", "ann", "doubt", "slang: well")
    with installation.state.appending([]) as ledger:
        check = CheckAnswered(id="c1", purpose="repeat", vote="doubt", forms=("BAAB",), reason="slang: well")
        ledger.append_acts([("BAAB", check)], "ann", AT)
    page = ann.get("/history").text
    assert page.count("slang: well") == 2
    assert "doubt (BAAB): slang: well" in page


def test_old_votes_are_on_later_pages(installation: ConsoleInstallation) -> None:
    """Fifty votes are on a page, and each vote on one page."""
    ann = installation.member("ann")
    bases = sorted(installation.state.family_states)[:70]
    for base in bases:
        vote(installation, base, "ann")
    first = ann.get("/history").text
    link = first.partition('href="/history?before=')[2].partition('"')[0]
    second = ann.get(f"/history?before={link}").text
    found = [[base for base in bases if f">{base}<" in page] for page in (first, second)]
    assert [len(each) for each in found] == [50, 20]
    assert sorted(found[0] + found[1]) == bases
    assert "Older votes" not in second


def test_a_request_for_a_new_round_needs_a_reason(installation: ConsoleInstallation) -> None:
    """A request to vote again is among the nominations, and recuses the curator who asks."""
    ann = installation.member("ann")
    vote(installation, "BAAA", "ann")
    vote(installation, "BAAA", "ben")
    assert ann.form("/history/BAAA/ask", reason="the new edition dropped it").status_code == 400
    installation.clock.now += DAY
    ann = installation.browser("ann")
    assert ann.form("/history/BAAA/ask", reason="the new edition dropped it").status_code == 303
    assert ann.form("/history/BAAA/ask", reason="once more").status_code == 400
    with installation.state.reading() as ledger:
        asked, recused = [done.act for done in ledger.acts(["BAAA"])]
    assert isinstance(asked, Nominated)
    assert (asked.reason, asked.is_curator) == ("the new edition dropped it", True)
    assert recused == Recused(reason="asked for it")


@pytest.mark.parametrize(("base", "reason"), [("BAAA", ""), ("BAAB", "why not"), ("NOSUCH", "why not")])
def test_only_a_decided_family_with_an_own_vote_can_be_requested(
    installation: ConsoleInstallation, base: str, reason: str
) -> None:
    """A request needs a reason, and a decided family on which the curator has voted."""
    installation.member("ann")
    vote(installation, "BAAA", "ann")
    vote(installation, "BAAA", "ben")
    installation.clock.now += DAY
    ann = installation.browser("ann")
    assert ann.form(f"/history/{base}/ask", reason=reason).status_code == 400
