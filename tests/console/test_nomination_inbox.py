"""The keepers' inbox, their overrides and their home page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import AT, HOST, Browser, ConsoleInstallation, make_family, open_console_installation

from ordws.curation.acts import Nominated, NominationClosed, PriorityRaised, Recused, Reopened
from ordws.curation.decision import Ballot, Vote


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(
        tmp_path, [make_family("BASH", "BASHED"), make_family("KOLO"), make_family("VLOG")]
    ) as installation:
        yield installation


@pytest.fixture
def keeper(installation: ConsoleInstallation) -> Browser:
    return installation.member("Kay", "keeper")


def cast(installation: ConsoleInstallation, base: str, *votes: Vote) -> None:
    """Vote on a family, each time as another curator."""
    for number, choice in enumerate(votes):
        ballot = Ballot(f"{base} {number}", base, f"Curator {number}", choice, (), "", "2026-11-21T12:00:00Z")
        with installation.state.appending([base]) as ledger:
            ledger.cast({"here": ballot}, installation.state.timestamp(), panel=3)


def nominate(installation: ConsoleInstallation, *words: str, reason: str = "") -> None:
    """Nominate a word from as many addresses."""
    for number, word in enumerate(words):
        installation.app.test_client().post(
            "/nominate",
            data={"word": word, "reason": reason},
            base_url=HOST,
            environ_base={"REMOTE_ADDR": f"192.0.2.{number}"},
        )


def answers(installation: ConsoleInstallation, word: str) -> list[tuple[str, str, str]]:
    with installation.state.reading() as ledger:
        acts = ledger.acts([word])
    return [(done.actor, done.act.answer, done.act.reason) for done in acts if isinstance(done.act, NominationClosed)]


def test_each_word_is_listed_once_with_count_and_reasons(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Each nominated word is listed once, the most often nominated first, with its reasons as text."""
    nominate(installation, "zzxqv", "bashed", "bashed", reason="<b>heard</b> it")
    page = keeper.get("/keeping/nominations").text
    assert "2 words under review" in page
    assert page.index(">BASHED</h2>") < page.index(">ZZXQV</h2>")
    assert page.count(">BASHED</h2>") == 1
    assert "2 times since 2026-11-21" in page
    assert "&lt;b&gt;heard&lt;/b&gt; it (outside, 2026-11-21)" in page


def test_the_inbox_shows_the_state_of_a_word(installation: ConsoleInstallation, keeper: Browser) -> None:
    """The inbox says the state of a word in curation, and nothing of any vote."""
    nominate(installation, "bashed", "kolo", "zzxqv")
    assert "open, in the family BASH" in keeper.get("/keeping/nominations").text
    cast(installation, "BASH", "in", "in")
    cast(installation, "KOLO", "in", "out", "in")
    keeper.form("/keeping/overrides", act="add", word="zzxqv", reason="in print")
    page = " ".join(keeper.get("/keeping/nominations").text.split())
    assert "<dd>decided in, in the family BASH</dd>" in page
    assert "<dd>contested</dd>" in page
    assert "<dd>not in the queue</dd> <dt>Override</dt><dd>add, Kay, 2026-11-21: in print</dd>" in page
    assert "Curator" not in page


def test_a_decided_family_is_voted_on_again(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Re-opening begins a new blind round on the word's family and closes its nominations."""
    cast(installation, "BASH", "out", "out")
    nominate(installation, "bashed", "bashed")
    done = keeper.form("/keeping/nominations", word="BASHED", action="reopen", reason="a new edition of the source")
    assert (done.status_code, done.location) == (303, "/keeping/nominations")
    family_state = installation.state.family_states["BASH"]
    assert (family_state.is_open, family_state.round.number) == (True, 2)
    with installation.state.reading() as ledger:
        (reopened,) = [act for act in ledger.acts(["BASH"]) if isinstance(act.act, Reopened)]
    assert (reopened.actor, reopened.act) == ("Kay", Reopened(reason="a new edition of the source"))
    assert answers(installation, "BASHED") == [("Kay", "reopened", "a new edition of the source")] * 2
    assert "No nominations are waiting." in keeper.get("/keeping/nominations").text


def test_an_open_family_is_raised(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Raising an open family needs no reason, and shows when the word is nominated again."""
    nominate(installation, "kolo")
    keeper.form("/keeping/nominations", word="KOLO", action="raise")
    with installation.state.reading() as ledger:
        assert [done.actor for done in ledger.acts(["KOLO"]) if isinstance(done.act, PriorityRaised)] == ["Kay"]
    assert installation.state.family_states["KOLO"].is_raised
    assert answers(installation, "KOLO") == [("Kay", "raised", "")]
    nominate(installation, "kolo")
    page = keeper.get("/keeping/nominations").text
    assert "open, raised" in page
    assert 'value="raise"' not in page
    assert "2026-11-21 raised" in page


@pytest.mark.parametrize("act", ["add", "exclude"])
def test_a_word_is_overridden(installation: ConsoleInstallation, keeper: Browser, act: str) -> None:
    """An override from the inbox is recorded with its reason, and closes the nominations."""
    nominate(installation, "zzxqv")
    keeper.form("/keeping/nominations", word="ZZXQV", action=act, reason="in print")
    with installation.state.reading() as ledger:
        override = ledger.overrides()["ZZXQV"]
    assert (override.act, override.keeper, override.reason) == (act, "Kay", "in print")
    assert answers(installation, "ZZXQV") == [("Kay", "overridden", "in print")]


def test_a_word_is_dismissed(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Dismissing changes the inbox alone, and shows when the word is nominated again."""
    nominate(installation, "zzxqv")
    keeper.form("/keeping/nominations", word="ZZXQV", action="dismiss", reason="a joke")
    nominate(installation, "zzxqv")
    assert "2026-11-21 dismissed: a joke" in keeper.get("/keeping/nominations").text


def test_an_impossible_action_closes_nothing(installation: ConsoleInstallation, keeper: Browser) -> None:
    """An action that is not possible, or lacks its reason, is refused and closes nothing."""
    cast(installation, "KOLO", "in", "out", "in")
    cast(installation, "VLOG", "in", "in")
    nominate(installation, "bash", "vlog", "kolo", "zzxqv")
    for word, action, reason, message in (
        ("BASH", "reopen", "why", "the family is being voted on"),
        ("VLOG", "raise", "", "the family is not being voted on"),
        ("VLOG", "reopen", "", "a reason is needed"),
        ("KOLO", "reopen", "why", "the family is contested"),
        ("ZZXQV", "reopen", "why", "there is no such family in the queue"),
        ("ZZXQV", "add", "", "a reason is needed"),
        ("NOBODY", "dismiss", "", "this word has no open nominations any more"),
    ):
        refused = keeper.form("/keeping/nominations", word=word, action=action, reason=reason)
        assert (refused.status_code, message in refused.text) == (409, True), message
    assert "4 words under review" in keeper.get("/keeping/nominations").text


def test_an_unknown_action_is_refused(installation: ConsoleInstallation, keeper: Browser) -> None:
    """An unknown action or override does nothing."""
    nominate(installation, "bash")
    assert keeper.form("/keeping/nominations", word="BASH", action="delete").status_code == 400
    assert keeper.form("/keeping/overrides", word="BASH", act="delete", reason="why").status_code == 400


def test_many_words_come_in_pages(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Fifty words are on a page, and no page number breaks it."""
    words = [f"Z{a}{b}" for a in "ABCDEFGH" for b in "ABCDEFG"]
    with installation.state.appending([]) as ledger:
        ledger.append_acts(
            [(word, Nominated(id=word, reason="")) for word in words], "outside", installation.state.timestamp()
        )
    first, second = keeper.get("/keeping/nominations").text, keeper.get("/keeping/nominations?page=2").text
    assert (first.count("</h2>"), second.count("</h2>")) == (50, 6)
    assert "Page 2 of 2" in second
    for number in ("0", "-1", "x", "99999", "²"):
        assert keeper.get(f"/keeping/nominations?page={number}").status_code == 200


def test_overrides_are_listed_and_lifted(installation: ConsoleInstallation, keeper: Browser) -> None:
    """An override is recorded under the keeper's name with its reason, shown, and lifted with another reason."""
    keeper.form("/keeping/overrides", act="exclude", word="bashes", reason="a misprint")
    page = keeper.get("/keeping/overrides").text
    for part in (">BASHES</th>", "<td>excluded</td>", "<td>a misprint</td>", "<td>Kay</td>", "2026-11-21"):
        assert part in page
    keeper.form("/keeping/overrides", act="lift", word="BASHES", reason="checked")
    assert "No overrides are in force." in keeper.get("/keeping/overrides").text


def test_an_invalid_override_is_refused_with_its_reason(keeper: Browser) -> None:
    """An override without a reason or a word, or a lifting of nothing, is refused with what is missing."""
    for act, word, reason, message in (
        ("add", "bash", " ", "a reason is needed"),
        ("add", "two words", "why", "not a word of 2 to 21 letters"),
        ("add", "qi", "why", "two-letter words are the published list"),
        ("lift", "bash", "why", "there is no override of this word to lift"),
    ):
        refused = keeper.form("/keeping/overrides", act=act, word=word, reason=reason)
        assert (refused.status_code, message in refused.text) == (409, True), message


def test_the_home_page_shows_counts(installation: ConsoleInstallation, keeper: Browser) -> None:
    """The home page shows families by state, pending nominations, overrides and links, and no word."""
    cast(installation, "BASH", "in", "in")
    cast(installation, "KOLO", "in", "out", "in")
    nominate(installation, "vlog", "zzxqv")
    keeper.form("/keeping/overrides", act="add", word="zzxqv", reason="in print")
    page = " ".join(keeper.get("/keeping").text.split())
    for part in (
        "<dt>Families open</dt><dd>1</dd>",
        "<dt>Decided in</dt><dd>1</dd>",
        "<dt>Decided out</dt><dd>0</dd>",
        "<dt>Contested</dt><dd>1: the chair opens",
        "2 under review",
        "1 in force",
        "None yet.",
        "has 9 links",
    ):
        assert part in page
    for word in ("BASH", "KOLO", "VLOG", "ZZXQV"):
        assert word not in page


def test_these_pages_are_for_keepers_alone(installation: ConsoleInstallation) -> None:
    """Curators and chairs are refused every keeper's page, and strangers are sent to sign in."""
    others = installation.member("Ann"), installation.member("Cher", "chair")
    for path in (
        "/keeping",
        "/keeping/nominations",
        "/keeping/overrides",
        "/keeping/exchange",
        "/keeping/sealing",
        "/keeping/exchange/ballots.csv",
        "/keeping/exchange/queue.csv",
        "/api/sealing",
    ):
        assert [other.get(path).status_code for other in others] == [403, 403], path
        assert installation.app.test_client().get(path, base_url=HOST).status_code in (303, 401), path


def test_their_forms_are_for_keepers_alone(installation: ConsoleInstallation, keeper: Browser) -> None:
    """The forms of keepers are refused from other roles, and without the token of the session."""
    others = installation.member("Ann"), installation.member("Cher", "chair")
    for path in ("nominations", "overrides", "exchange", "seal", "take-back"):
        assert [other.form(f"/keeping/{path}").status_code for other in others] == [403, 403], path
        assert keeper.http.post(f"/keeping/{path}", base_url=HOST).status_code == 403, path


def test_the_home_page_counts_families_without_voters(installation: ConsoleInstallation) -> None:
    """The home page counts open families on which all who may vote have voted."""
    keeper = installation.member("kay", "keeper")
    base = min(installation.state.family_states)
    for name in ("ann", "ben", "cleo"):
        installation.member(name)
    with installation.state.appending([base]) as ledger:
        ledger.append_acts([(base, Recused())], "cleo", AT)
        for name, vote in (("ann", "in"), ("ben", "out")):
            ledger.cast({name: Ballot(f"alone-{name}", base, name, vote, (), "", AT)}, AT)
    assert "1 waiting for another curator" in keeper.get("/keeping").text
    installation.member("dora")
    assert "waiting for another curator" not in keeper.get("/keeping").text
