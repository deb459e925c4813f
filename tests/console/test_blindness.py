"""Blindness: a curator gets the same bytes, however another curator voted on open families."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from console_installation import Browser, ConsoleInstallation, families, open_console_installation, restart

from ordws.console.cards import REASON_TAGS
from ordws.curation.acts import CheckAnswered

BUSY = bytes(32)
OTHERS = ("ben", "cleo", "dora", "emil")


@contextmanager
def panel(root: Path, count: int) -> Iterator[tuple[ConsoleInstallation, dict[str, Browser]]]:
    with open_console_installation(root, families(count), key=BUSY) as installation:
        yield installation, {name: installation.member(name) for name in ("ann", *OTHERS)}


def answer(browser: Browser, chance: Random, vote: str, **more: Any) -> Any:
    """Answer the card on top, if there is one."""
    cards = browser.api("/api/cards").json["cards"]
    if not cards:
        return None
    ballot = str(uuid.UUID(int=chance.getrandbits(128)))
    reply = browser.api("/api/votes", card=cards[0]["id"], ballot=ballot, vote=vote, seconds=3.0, **more)
    assert reply.status_code == 200
    return ballot


def transcript(root: Path, other: dict[str, Any]) -> list[bytes]:
    """Return all that ann is sent in an evening in which ben has voted `other` on every family before her.

    She votes doubt, so that she decides nothing; she skips, undoes and looks at her pages, while cleo holds cards too.
    """
    seen: list[bytes] = []
    with panel(root, 24) as (installation, browsers):
        ann, ben, chance, his = browsers["ann"], browsers["ben"], Random(1), Random(2)
        for _ in range(24):
            answer(ben, his, **other)
            installation.clock.now += 2
        for turn in range(24):
            installation.clock.now += 45
            held = browsers["cleo"].api("/api/cards").json["cards"]
            if turn % 3 == 1:
                browsers["cleo"].api("/api/skip", card=held[0]["id"])
            cards = ann.api("/api/cards")
            seen.append(cards.data)
            top = cards.json["cards"][0]["id"] if cards.json["cards"] else "1.1.1.NONE." + "0" * 32
            if turn % 5 == 2:
                seen.append(ann.api("/api/skip", card=top).data)
            ballot = answer(ann, chance, "doubt", reason=REASON_TAGS[turn % 9])
            if turn % 7 == 3 and ballot is not None:
                seen.append(ann.api("/api/undo", ballot=ballot).data)
            seen.append(ann.api("/api/heartbeat", cards=[top]).data)
            seen += [ann.get(path).data.replace(ann.session.csrf.encode(), b"") for path in ("/queue", "/history")]
    return seen


@pytest.fixture(scope="module")
def in_the_first(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The transcript where ben has voted in on everything."""
    return transcript(tmp_path_factory.mktemp("first"), {"vote": "in"})


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"vote": "out"}, id="out"),
        pytest.param({"vote": "doubt", "reason": "Only slang"}, id="doubt", marks=pytest.mark.long),
        pytest.param({"vote": "in", "reason": "I use it"}, id="a note", marks=pytest.mark.long),
    ],
)
def test_nothing_reveals_votes_on_an_open_family(
    tmp_path: Path, in_the_first: list[bytes], other: dict[str, Any]
) -> None:
    """Cards, their order and ids, progress, undo and pages do not depend on another's votes on open families."""
    assert len(in_the_first) > 90
    assert transcript(tmp_path, other) == in_the_first


def test_nothing_reveals_votes_to_a_third_curator(tmp_path: Path) -> None:
    """With two opposite votes on every family, nothing depends on whose was which, or which came first."""
    seen = []
    for world, (first, second) in enumerate((("in", "out"), ("out", "in"))):
        with panel(tmp_path / str(world), 19) as (installation, browsers):
            chance = Random(3)
            for _ in range(19):
                answer(browsers["ben"], chance, first)
                answer(browsers["cleo"], chance, second)
                installation.clock.now += 5
            for _ in range(19):
                seen.append((world, browsers["dora"].api("/api/cards").data))
                answer(browsers["dora"], chance, "doubt", reason="Other")
    assert [data for world, data in seen if world == 0] == [data for world, data in seen if world == 1]


def test_the_panels_figures_are_those_of_midnight(tmp_path: Path) -> None:
    """A decision does not show in anybody's progress before the next day, or a voter could tell what decided it."""
    with panel(tmp_path, 10) as (installation, browsers):
        chance = Random(4)
        before = browsers["ann"].api("/api/cards").json["progress"]
        answer(browsers["ann"], chance, "in")
        answer(browsers["ben"], chance, "in")
        installation.clock.now += 7_000
        assert browsers["ann"].api("/api/cards").json["progress"]["decided"] == before["decided"] == 0
        ann = restart(installation, browsers["ann"])
        assert ann.api("/api/cards").json["progress"]["decided"] == 0
        installation.clock.now += 12 * 3600 - 7_000
        assert installation.browser("ann").api("/api/cards").json["progress"]["decided"] == 1


def shape(value: Any) -> Any:
    """Return a card without its texts and figures: its keys, and the type of each value."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    return type(value).__name__


def test_a_check_looks_like_any_other_card(tmp_path: Path) -> None:
    """The cards, replies, undo and repeats of a check have the same form as those of a vote."""
    seen: dict[str, set[str]] = {"vote": set(), "check": set()}
    with panel(tmp_path, 90) as (installation, browsers):
        ann, chance = browsers["ann"], Random(5)
        for name in ("ben", "cleo"):
            for _ in range(20):
                answer(browsers[name], chance, "in")
        for _ in range(60):
            card = ann.api("/api/cards").json["cards"][0]
            ballot = str(uuid.UUID(int=chance.getrandbits(128)))
            body = {"card": card["id"], "ballot": ballot, "vote": "in", "reason": "noted", "seconds": 3.0}
            once, again = ann.api("/api/votes", **body), ann.api("/api/votes", **body)
            other = ann.api("/api/votes", **{**body, "reason": "else"})
            twice = ann.api("/api/votes", **{**body, "ballot": str(uuid.UUID(int=chance.getrandbits(128)))})
            with installation.state.reading() as ledger:
                checked = [done.act for done in ledger.acts([card["head"]]) if isinstance(done.act, CheckAnswered)]
            is_check = ballot in [act.id for act in checked if isinstance(act, CheckAnswered)]
            told = [
                shape(card),
                card["round"],
                card["second"],
                [form["text"].count("GCIDE") for form in card["forms"]],
                len(card["id"].rpartition(".")[2]),
                once.status_code,
                shape(once.json["progress"]),
                again.status_code,
                other.status_code,
                other.json,
                twice.status_code,
                twice.json,
                sorted(once.headers.keys()),
            ]
            seen["check" if is_check else "vote"].add(json.dumps(told))
    assert len(seen["check"]) == 1
    assert seen["check"] == seen["vote"]


def test_an_undone_check_looks_like_an_undone_vote(tmp_path: Path) -> None:
    """Undoing a check or a vote gives the same card back first, under a new id, and lowers the curator's count."""
    told = {"vote": set(), "check": set()}
    with panel(tmp_path, 90) as (installation, browsers):
        ann, chance = browsers["ann"], Random(6)
        for _ in range(30):
            card = ann.api("/api/cards").json["cards"][0]
            ballot = answer(ann, chance, "in")
            mine = ann.api("/api/cards").json["progress"]["mine"]
            reply = ann.api("/api/undo", ballot=ballot)
            with installation.state.reading() as ledger:
                is_check = any(isinstance(done.act, CheckAnswered) and done.act.id == ballot for done in ledger.acts())
            back = reply.json["cards"][0]
            facts = (
                reply.status_code,
                reply.json["undone"],
                back["head"] == card["head"],
                back["id"] != card["id"],
                mine - reply.json["progress"]["mine"],
                {**back, "id": ""} == {**card, "id": ""},
            )
            told["check" if is_check else "vote"].add(facts)
            assert answer(ann, chance, "in") is not None
    assert told == {"vote": {(200, True, True, True, 1, True)}, "check": {(200, True, True, True, 1, True)}}
