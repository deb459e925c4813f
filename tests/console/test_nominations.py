"""Nominations by strangers, and the effect of a curator's nomination on the curator's own vote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import HOST, ConsoleInstallation, make_family, open_console_installation
from werkzeug.test import TestResponse

from ordws.console import nominations
from ordws.console.access import Member
from ordws.curation.acts import BallotRetracted, Nominated, NominationClosed, Recused
from ordws.curation.decision import Ballot, Vote
from ordws.sender_limits import RateLimiter


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path, [make_family("BASH", "BASHED"), make_family("KOLO")]) as installation:
        yield installation


def outside(installation: ConsoleInstallation, word: str, reason: str = "") -> TestResponse:
    """Return the reply to a nomination without an account."""
    data = {"word": word, "reason": reason}
    return installation.app.test_client().post("/nominate", data=data, base_url=HOST)  # type: ignore[no-any-return]


def vote(installation: ConsoleInstallation, id: str, curator: str, choice: Vote, base: str = "BASH") -> None:
    ballot = Ballot(id, base, curator, choice, (), "", "2026-11-21T12:00:00Z")
    with installation.state.appending([base]) as ledger:
        ledger.cast({"here": ballot}, installation.state.timestamp(), panel=3)


def nominated(installation: ConsoleInstallation) -> list[tuple[str, str, str, bool]]:
    with installation.state.reading() as ledger:
        acts = ledger.acts()
    return [
        (done.subject, done.actor, done.act.reason, done.act.is_curator)
        for done in acts
        if isinstance(done.act, Nominated)
    ]


def test_the_form_needs_no_account(installation: ConsoleInstallation) -> None:
    """Anybody can open the form."""
    page = installation.app.test_client().get("/nominate", base_url=HOST)
    assert page.status_code == 200
    assert "<h1>Nominate a word</h1>" in page.text


def test_every_word_gets_the_same_answer(installation: ConsoleInstallation) -> None:
    """Status, headers and bytes are the same for words in the queue, decided, unknown, or nominated before."""
    vote(installation, "1", "Ada", "in", "KOLO")
    vote(installation, "2", "Ben", "in", "KOLO")
    answers = [outside(installation, word) for word in ("BASH", "bashed", "KOLO", "zzxqv", "zzxqv")]
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.data for answer in answers}) == 1
    assert len({str(sorted(answer.headers.items())) for answer in answers}) == 1
    assert "<h1>Under review</h1>" in answers[0].text


def test_every_word_makes_the_same_work(installation: ConsoleInstallation) -> None:
    """Each nomination is one link with one row, whatever the word."""
    links = []
    for word in ("bash", "zzxqv", "Zzxqv"):
        outside(installation, word, "heard it\non the radio")
        with installation.state.reading() as ledger:
            links.append(ledger.last_link_number())
    assert links == [2, 3, 4]
    why = "heard it\non the radio"
    assert nominated(installation) == [
        ("BASH", "outside", why, False),
        ("ZZXQV", "outside", why, False),
        ("ZZXQV", "outside", why, False),
    ]


def test_an_invalid_word_is_refused_and_not_recorded(installation: ConsoleInstallation) -> None:
    """A text that does not fold into a word of 2 to 21 letters is refused, not repeated, and not recorded."""
    for word in ("", "a", "two words", "can't", "b4sh", "a" * 22, "<script>"):
        installation.clock.now += 60
        answer = outside(installation, word)
        assert (answer.status_code, "not one word of 2 to 21 letters" in answer.text) == (400, True), word
        assert "<script>" not in answer.text
    assert nominated(installation) == []


def test_a_reason_is_short_and_plain(installation: ConsoleInstallation) -> None:
    """A reason of more than 500 characters, or with control characters, is refused."""
    assert [outside(installation, "bash", reason).status_code for reason in ("x" * 501, "a\x07bell")] == [400, 400]
    assert nominated(installation) == []


def test_a_large_body_is_not_read(installation: ConsoleInstallation) -> None:
    """A body larger than a word and a reason is refused before it is read."""
    assert outside(installation, "bash", "x" * 20_000).status_code == 413


def test_a_form_of_another_site_is_refused(installation: ConsoleInstallation) -> None:
    """Another site cannot make its visitors nominate."""
    http = installation.app.test_client()
    answer = http.post("/nominate", data={"word": "bash"}, base_url=HOST, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert nominated(installation) == []


def test_an_address_has_a_limit_a_minute(installation: ConsoleInstallation) -> None:
    """The seventh nomination of an address within a minute is answered 429 with Retry-After.

    Another address, or a later minute, is not.
    """
    installation.clock.now += 15
    assert [outside(installation, "bash").status_code for _ in range(7)] == [202] * 6 + [429]
    answer = outside(installation, "not a word")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "45")
    elsewhere = installation.app.test_client().post(
        "/nominate", data={"word": "bash"}, base_url=HOST, environ_base={"REMOTE_ADDR": "192.0.2.7"}
    )
    assert elsewhere.status_code == 202
    installation.clock.now += 45
    assert outside(installation, "bash").status_code == 202


def test_strangers_do_not_keep_members_from_nominating(
    installation: ConsoleInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member may nominate where strangers of the same address have used up their minute, and filled the inbox."""
    monkeypatch.setattr(nominations, "MAX_PENDING", 6)
    ann = installation.member("Ann")
    assert [outside(installation, "bash").status_code for _ in range(7)] == [202] * 6 + [429]
    assert ann.form("/nominate", word="kolo").status_code == 202


def test_all_nominations_of_strangers_are_dismissed_at_once(
    installation: ConsoleInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where strangers fill the inbox, members' words stand first, and one act dismisses those of strangers alone."""
    monkeypatch.setattr(nominations, "PAGE_SIZE", 1)
    keeper = installation.member("Kay", "keeper")
    for word in ("bash", "bash", "zzxqv"):
        outside(installation, word)
    installation.member("Ann").form("/nominate", word="kolo")
    assert '<h2 id="case-1">KOLO</h2>' in keeper.get("/keeping/nominations").text
    keeper.form("/keeping/nominations", action="dismiss-strangers")
    page = keeper.get("/keeping/nominations").text
    assert "1 word under review" in page
    assert '<h2 id="case-1">KOLO</h2>' in page


def test_all_addresses_have_a_limit_a_minute() -> None:
    """All addresses together have a limit within a minute too."""
    flood = RateLimiter(2, total_limit=3, window_seconds=60)
    assert [flood.acquire(address, 120) for address in "aaab"] == [0, 0, 60, 0]
    assert flood.acquire("c", 179) == 1
    assert flood.acquire("c", 180) == 0


def test_a_full_inbox_answers_503(installation: ConsoleInstallation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too many nominations are pending the reply is 503 with Retry-After, for every word."""
    monkeypatch.setattr(nominations, "MAX_PENDING", 2)
    keeper = installation.member("Kay", "keeper")
    assert [outside(installation, word).status_code for word in ("bash", "kolo", "zzxqv", "bash")] == [
        202,
        202,
        503,
        503,
    ]
    assert outside(installation, "zzxqv").headers["Retry-After"] == "3600"
    keeper.form("/keeping/nominations", word="BASH", action="dismiss")
    assert outside(installation, "zzxqv").status_code == 202


def test_a_curators_nomination_carries_their_name(installation: ConsoleInstallation) -> None:
    """A curator who nominates is recused from the family, in the same link; a keeper, who does not vote, is not."""
    installation.member("Ann").form("/nominate", word="bashed", reason="a misprint")
    installation.member("Kay", "keeper").form("/nominate", word="kolo")
    assert nominated(installation) == [("BASHED", "Ann", "a misprint", True), ("KOLO", "Kay", "", False)]
    assert (installation.state.family_states["BASH"].recused, installation.state.family_states["KOLO"].recused) == (
        {"Ann"},
        frozenset(),
    )
    with installation.state.reading() as ledger:
        (recused,) = ledger.acts(["BASH"])
        (asked,) = ledger.acts(["BASHED"])
    assert recused.link == asked.link
    assert recused.act == Recused(reason="nominated it")


def test_a_curators_nomination_is_answered_like_any(installation: ConsoleInstallation) -> None:
    """The reply to a curator does not depend on whether the word is in the queue, or has the curator's vote."""
    ann = installation.member("Ann")
    vote(installation, "1", "Ann", "in")
    answers = [ann.form("/nominate", word=word) for word in ("bash", "kolo", "zzxqv")]
    assert len({(answer.status_code, answer.data) for answer in answers}) == 1


def test_an_earlier_vote_of_the_nominator_is_retracted(installation: ConsoleInstallation) -> None:
    """Nominating a word retracts the curator's vote on its open family; a vote on a decided one stands."""
    ann = installation.member("Ann")
    vote(installation, "1", "Ann", "in")
    for id, curator in (("2", "Ann"), ("3", "Ben")):
        vote(installation, id, curator, "out", "KOLO")
    ann.form("/nominate", word="bash")
    ann.form("/nominate", word="kolo")
    assert installation.state.family_states["BASH"].voters == frozenset()
    assert installation.state.family_states["KOLO"].voters == {"Ann", "Ben"}
    with installation.state.reading() as ledger:
        assert [done.act for done in ledger.acts() if isinstance(done.act, BallotRetracted)] == [
            BallotRetracted(ballot="1")
        ]


def test_a_curators_nomination_needs_the_session_token(installation: ConsoleInstallation) -> None:
    """A nomination in a session without its token is refused as any forged form."""
    ann = installation.member("Ann")
    assert ann.http.post("/nominate", data={"word": "bash"}, base_url=HOST).status_code == 403
    assert nominated(installation) == []


def test_pending_nominations_survive_a_restart(installation: ConsoleInstallation) -> None:
    """Pending nominations are read from the ledger after a restart, without closed ones."""
    with installation.app.test_request_context():
        for word in ("BASH", "KOLO"):
            assert nominations.record_nomination(installation.state, word, "", Member("Ann", "curator", None))
    with installation.state.reading() as ledger:
        (first, *_) = nominations.PendingNominations().update(ledger)
    with installation.state.appending([]) as ledger:
        ledger.append_acts(
            [("BASH", NominationClosed(id=first, answer="dismissed"))], "Kay", installation.state.timestamp()
        )
    with installation.state.reading() as ledger:
        assert [done.subject for done in nominations.PendingNominations().update(ledger).values()] == ["KOLO"]
