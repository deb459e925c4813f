"""The order in which curators are offered families: by how often people write their words, also after a new build."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_installation import (
    Browser,
    ConsoleInstallation,
    families,
    make_family,
    open_console_installation,
    restart,
)

from ordws.curation.family import Candidate, Family, Witness


def met(base: str, zipf: float | None, *others: str) -> Family:
    """Return a family whose forms are met so often; None as in the ledgers of before it was measured."""
    witness = Witness("gcide", "headword", "base", "noun")
    return Family(base, "borderline", tuple([Candidate(word, (witness,), zipf) for word in (base, *others)]))


QUEUED = [met("ZA", 2.0), met("WOULD", 6.4), met("SELFIE", 3.9, "SELFIES"), met("OTHERS", 4.1), met("KOLO", None)]


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path, QUEUED) as installation:
        yield installation


def dealt(browser: Browser, *votes: str) -> list[str]:
    """Return the heads of the cards that a curator gets while voting so."""
    heads = []
    for vote in votes:
        card = browser.api("/api/cards").json["cards"][0]
        body = {"card": card["id"], "ballot": str(uuid.uuid4()), "vote": vote, "seconds": 4.0}
        assert browser.api("/api/votes", **body).status_code == 200
        heads.append(card["head"])
    return heads


def test_the_words_that_people_write_most_come_first(installation: ConsoleInstallation) -> None:
    """Families come by the frequency of all their forms; one whose frequency was not measured is not left out."""
    heads = dealt(installation.member("ann"), *["in"] * 5)
    # SELFIE's two forms together are met more often than OTHERS.
    assert heads == ["WOULD", "SELFIE", "OTHERS", "ZA", "KOLO"]


def test_a_new_build_reorders_the_queue_and_loses_no_vote(installation: ConsoleInstallation) -> None:
    """After a build families come in their new order; one that leaves keeps its ballots, and counts them on return."""
    ann, ben = installation.member("ann"), installation.member("ben")
    assert dealt(ann, "in", "in") == ["WOULD", "SELFIE"]
    assert dealt(ben, "in") == ["WOULD"]
    with installation.state.appending([]) as ledger:
        ledger.set_queue([met("ZA", 5.5), met("KOLO", 0.0), met("OTHERS", 4.1)], installation.state.timestamp())
    assert dealt(installation.member("cleo"), "out") == ["ZA"]
    with installation.state.reading() as ledger:
        assert [each.family for each in ledger.ballots()] == ["WOULD", "SELFIE", "WOULD", "ZA"]
        assert ledger.decisions()["WOULD"].outcome == "in"
    with installation.state.appending([]) as ledger:
        ledger.set_queue(QUEUED, installation.state.timestamp())
    ben = restart(installation, ben)
    assert dealt(ben, "in")[0] == "SELFIE"
    state = installation.state.family_states
    assert [(each.is_open, len(each.ballots)) for each in (state["SELFIE"], state["WOULD"])] == [(False, 2), (False, 2)]
    assert state["SELFIE"].decision is not None


def test_the_first_cards_are_drawn_from_the_everyday_words(tmp_path: Path) -> None:
    """The calibration sample, which all curators get first, is drawn from the words that people write most."""
    everyday = [met(f"E{base}", 4.0) for base in [each.base for each in families(10)]]
    queued = [*[make_family(f"Q{each.base}") for each in families(90)], *everyday]
    with open_console_installation(tmp_path, queued) as installation:
        first = {name: dealt(installation.member(name), *["in"] * 5) for name in ("ann", "ben", "cleo")}
        assert first["ann"] == first["ben"] == first["cleo"]
        assert {*first["ann"]} < {each.base for each in everyday}
