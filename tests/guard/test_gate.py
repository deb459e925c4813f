"""The gate, held against a naive count."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordws.errors import Broken, StoreDown
from ordws.guard.gate import Allowance, Gate, Refused
from ordws.guard.policy import Policy
from ordws.guard.price import DAY, Question
from ordws.guard.stores.sqlite import SqliteStore

NOON = 1_795_262_400
MIDNIGHT = NOON + DAY // 2
CORE = frozenset({"CAT", "PLAY"})
SMALL = Policy(outside_a_day=3, units_a_game=4, games_a_day=2, core_a_day=5)


@pytest.fixture
def gate(tmp_path):
    store = SqliteStore.create(tmp_path / "meters.db")
    yield Gate(Policy(), store, b"k" * 32)
    store.close()


def words(first, count):
    """Words that are in no list: three letters, counted."""
    return tuple(f"{chr(65 + n // 676)}{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}" for n in range(first, first + count))


def test_twenty_units_outside_a_game(gate):
    """An identity asks twenty new words a day outside games, and the next day twenty again."""
    for word in words(0, 20):
        assert gate.admit("1", Question((word,), 1), CORE, NOON) is None
    refused = gate.admit("1", Question(words(20, 1), 1), CORE, NOON)
    assert refused is not None
    assert (refused.budget, refused.retry_after_seconds) == ("outside", 43_200)
    assert gate.admit("2", Question(words(20, 1), 1), CORE, NOON) is None
    assert gate.admit("1", Question(words(20, 1), 1), CORE, MIDNIGHT) is None


def test_twenty_eight_units_a_game(gate):
    """A game has 28 units, also where it goes on after midnight; it ends with the next day."""
    assert gate.admit("1", Question(words(0, 28), 1, "g"), CORE, NOON) is None
    for now, seconds in ((NOON, 43_200 + DAY), (MIDNIGHT, DAY)):
        refused = gate.admit("1", Question(words(28, 1), 1, "g"), CORE, now)
        assert refused is not None
        assert (refused.budget, refused.retry_after_seconds) == ("game", seconds)
    assert gate.admit("1", Question(words(28, 28), 1, "g"), CORE, MIDNIGHT + DAY) is None


def test_twelve_games_a_day(gate):
    """The thirteenth game of a day is refused at its first question, even if that is free."""
    for n in range(12):
        assert gate.admit("1", Question(("AT",), 1, f"g{n}"), CORE, NOON) is None
    refused = gate.admit("1", Question(("AT",), 1, "g12"), CORE, NOON)
    assert refused is not None
    assert (refused.budget, refused.retry_after_seconds) == ("games", 43_200)
    assert gate.admit("1", Question(("AT",), 1, "g11"), CORE, NOON) is None


def test_games_of_yesterday_do_not_add_up(gate):
    """With yesterday's twelve games still open, the day's units are 356 and no more."""
    for n in range(12):
        assert gate.admit("1", Question(("AT",), 1, f"old{n}"), CORE, NOON) is None
    learned = 0
    for n in range(12):
        for game in (f"old{n}", f"new{n}"):
            if gate.admit("1", Question(words(learned, 28), 1, game), CORE, MIDNIGHT) is None:
                learned += 28
    for _ in range(20):
        learned += gate.admit("1", Question(words(learned, 1), 1), CORE, MIDNIGHT) is None
    assert learned == 356
    refused = gate.admit("1", Question(words(learned, 1), 1), CORE, MIDNIGHT)
    assert refused is not None
    assert refused.budget == "units"


def test_fifteen_hundred_core_words_a_day(gate):
    """Core words cost no unit and are counted all the same."""
    question = Question(("CAT", "PLAY"), 1)
    assert [gate.admit("1", question, CORE, NOON) for _ in range(750)] == [None] * 750
    refused = gate.admit("1", question, CORE, NOON)
    assert refused is not None
    assert refused.budget == "core"
    assert gate.quota("1", None, NOON)[1] == Allowance("units", 356, 356, MIDNIGHT)


def test_a_word_is_new_again_with_an_edition(gate):
    """What was told of one edition is not told of the next."""
    for edition in (1, 1, 2):
        gate.admit("1", Question(("QUIZ",), edition), CORE, NOON)
    assert gate.quota("1", None, NOON)[1] == Allowance("units", 356, 354, MIDNIGHT)


def test_the_quota_names_every_budget(gate):
    """What is left, of what, until when; a game's budget where a game is named."""
    gate.admit("1", Question(("QUIZ", "CAT"), 1, "g"), CORE, NOON)
    assert gate.quota("1", "g", NOON) == [
        Allowance("core", 1500, 1499, MIDNIGHT), Allowance("units", 356, 355, MIDNIGHT),
        Allowance("outside", 20, 20, MIDNIGHT), Allowance("games", 12, 11, MIDNIGHT),
        Allowance("game", 28, 27, MIDNIGHT + DAY),
    ]  # fmt: skip


def test_a_short_key_is_refused(tmp_path):
    """The meter key has 32 bytes."""
    with pytest.raises(Broken, match="the meter key has 16 bytes, 32 were expected"):
        Gate(Policy(), SqliteStore(tmp_path / "meters.db"), b"k" * 16)


def test_a_gate_without_its_store_admits_nothing(tmp_path):
    """It raises, so that whoever asked cannot go on to look up."""
    gate = Gate(Policy(), SqliteStore(tmp_path / "meters.db"), b"k" * 32)
    with pytest.raises(StoreDown):
        gate.admit("1", Question(("AT",), 1), CORE, NOON)


class Naive:
    """The rules of the budgets once more: everything ever admitted is kept, and counted again at each question."""

    def __init__(self, policy):
        self.policy = policy
        self.core = defaultdict(int)
        self.units = defaultdict(list)  # (who, word, edition) -> moments at which it was charged
        self.spent = []  # (who, day, game) of each unit
        self.games = {}  # (who, label) -> (day it was opened, opening number)

    def admit(self, who, question, now):
        day, policy = now // DAY, self.policy
        game, opens = None, 0
        if question.game is not None:
            opened = self.games.get((who, question.game))
            if opened is None or day > opened + 1:
                opens, opened = 1, day
            game = (question.game, opened)
        asked = {word for word in question.words if len(word) > 2}
        core = len(asked & CORE)
        new = [
            word for word in asked - CORE
            if not any(now < then + DAY for then in self.units[who, word, question.edition])
        ]  # fmt: skip
        mine = [(d, g) for (w, d, g) in self.spent if w == who]
        here = [g for (d, g) in mine if g == game and (game is not None or d == day)]
        opened_today = sum(w == who and then == day for (w, _), then in self.games.items())
        if (
            (core and self.core[who, day] + core > policy.core_a_day)
            or (new and sum(d == day for d, _ in mine) + len(new) > policy.units_a_day)
            or (new and len(here) + len(new) > (policy.outside_a_day if game is None else policy.units_a_game))
            or (opens and opened_today + 1 > policy.games_a_day)
        ):
            return False
        self.core[who, day] += core
        for word in new:
            self.units[who, word, question.edition].append(now)
            self.spent.append((who, day, game))
        if opens:
            self.games[who, question.game] = day
        return True


QUESTIONS = st.tuples(
    st.sampled_from(["1", "2"]),
    st.lists(st.sampled_from(["AT", "CAT", "PLAY", *words(0, 12)]), min_size=1, max_size=4),
    st.sampled_from([1, 1, 1, 2]),
    st.sampled_from([None, None, "g", "h", "i"]),
    st.sampled_from([0, 0, 1, 3_600, 43_199, 43_200, DAY - 1, DAY]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(QUESTIONS, min_size=5, max_size=40))
def test_the_gate_admits_what_the_rules_admit(questions):
    """Over any questions of two identities in games and outside, through days, every admission is that of the rules."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore.create(Path(folder) / "meters.db")
        gate, naive, now = Gate(SMALL, store, b"k" * 32), Naive(SMALL), NOON
        for who, asked, edition, game, passed in questions:
            now += passed
            question = Question(tuple(asked), edition, game)
            assert (gate.admit(who, question, CORE, now) is None) is naive.admit(who, question, now)
        store.close()


@settings(max_examples=40, deadline=None)
@given(st.lists(QUESTIONS, min_size=20, max_size=60))
def test_nobody_learns_a_word_that_is_not_charged(questions):
    """In each day the units charged are at least the non-core words whose verdict can be computed from the answers."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore.create(Path(folder) / "meters.db")
        gate, now = Gate(SMALL, store, b"k" * 32), NOON
        told, charged = defaultdict(set), defaultdict(int)
        for who, asked, edition, game, passed in questions:
            now += passed
            left = gate.quota(who, None, now)[1].left
            if gate.admit(who, Question(tuple(asked), edition, game), CORE, now) is None:
                told[who] |= {(word, edition) for word in asked if len(word) > 2 and word not in CORE}
                charged[who] += left - gate.quota(who, None, now)[1].left
            assert charged[who] >= len(told[who])
        store.close()


def _ask_all(path, process):
    """In a process of its own: ask 60 words, some of them the other processes' too; returns what was admitted."""
    gate = Gate(Policy(), SqliteStore(Path(path)), b"k" * 32)
    return [
        word for word in words(40 * process, 60) if gate.admit("1", Question((word,), 1, "g"), CORE, NOON) is None
    ]  # fmt: skip


def test_four_processes_share_one_budget_exactly(tmp_path):
    """Four processes that ask 180 words of one game at once learn 28 of them together, not one more or less."""
    path = tmp_path / "meters.db"
    store = SqliteStore.create(path)
    with get_context("spawn").Pool(4) as pool:
        admitted = pool.starmap(_ask_all, [(str(path), process) for process in range(4)])
    assert len({word for words in admitted for word in words}) == 28
    gate = Gate(Policy(), store, b"k" * 32)
    assert [a.left for a in gate.quota("1", "g", NOON)] == [1500, 328, 20, 11, 0]
    assert isinstance(gate.admit("1", Question(("ZZZ",), 1, "g"), CORE, NOON), Refused)
    store.close()
