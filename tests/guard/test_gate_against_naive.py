"""Tests of the gate against a naive count of everything."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_gate import NaiveGate

from ordws.guard.charge import Identity, Question, Refused
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY, Policy
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.guard.stores.redis import RedisMeterStore

NOON = 1_795_262_400
CORE = frozenset({"CAT", "PLAY", "TEA", "TEN", "TOE"})
SMALL = Policy(
    outside_a_day=3,
    units_a_game=4,
    games_a_day=3,
    first_games_a_day=1,
    ramp_days=4,
    plays_a_game=4,
    core_a_game=1,
    core_outside_a_day=2,
    operator_units_a_day=6,
    operator_core_percent=34,
    new_players_a_day=2,
    units_a_new_player=2,
    world_floor=6,
    world_percent=150,
    world_ceiling=9,
    world_core_percent=100,
)
CALLERS = (
    Identity("1", NOON - 40 * DAY),
    Identity("2", NOON - DAY),
    Identity("3", NOON, is_verified=True),
    *[Identity("4", NOON, player) for player in ("ann", "bob", "cid", "dan")],
    Identity("5", NOON, "ann", is_verified=True, units=4),
)
WORDS = ("AT", *sorted(CORE), *[f"{letter}QQ" for letter in "ABCDEFGHIJKL"])

PLACES = st.sampled_from([(None, None), (None, None), ("g", None), ("h", None), ("sealed", "1"), ("sealed", "2")])
STEPS = st.tuples(
    st.sampled_from(CALLERS),
    st.lists(st.sampled_from(WORDS), max_size=4),
    st.sampled_from([1, 1, 1, 2]),
    PLACES,
    st.sampled_from([0, 0, 1, 3_600, 43_199, 43_200, DAY - 1, DAY]),
)


@contextmanager
def gate_of(policy):
    with tempfile.TemporaryDirectory() as folder:
        store = LmdbMeterStore.create(Path(folder) / "meters")
        yield Gate(policy, store, b"k" * 32)
        store.close()


def make_question(client, words, edition, place, now):
    """Make a question; a sealed game is of one client and lasts from noon to noon, its meters into the next day."""
    game, turn = place
    if game == "sealed":
        game = f"sealed{client}-{(now + DAY // 2) // DAY}"
    return Question(tuple(words), edition, game, turn and f"{turn} {' '.join(words)}")


@given(st.lists(STEPS, min_size=5, max_size=50))
def test_the_gate_agrees_with_the_naive_gate(steps):
    """The gate refuses exactly what a budget refuses, and reports every rest right, through any sequence of questions.

    Eight identities ask for days; an empty list of words stands for opening a sealed game.
    """
    with gate_of(SMALL) as gate:
        compare_with_naive(gate, steps)


@settings(max_examples=settings.default.max_examples // 4)
@given(st.lists(STEPS, min_size=5, max_size=50))
def test_the_gate_agrees_with_the_naive_gate_over_a_cluster(shared_cluster, steps):
    """The same holds where the meters of clients, and what unverified ones share, are on three nodes of a cluster."""
    shared_cluster.empty()
    store = RedisMeterStore.create(shared_cluster.url)
    compare_with_naive(Gate(SMALL, store, b"k" * 32), steps)
    store.close()


def compare_with_naive(gate, steps):
    """Ask a gate and the naive gate the same questions, and compare answers and quotas."""
    naive, now = NaiveGate(SMALL, CORE), NOON
    for identity, words, edition, place, passed in steps:
        now += passed
        question = make_question(identity.client, words, edition, place, now)
        if not words:
            # An id is opened again within its day alone: ids are drawn, and an event's table is bound to its game.
            game = make_question(identity.client, words, edition, ("sealed", None), now).game
            first = next(each for each in CALLERS if each.client == identity.client)
            outcome = gate.open_game([identity, first, identity], game, now)
            assert (outcome and outcome.budget) in (naive.open_game([identity, first], game, now) or {None})
            continue
        expected, outcome = naive.admit(identity, question, now), gate.admit(identity, question, CORE, now)
        if isinstance(outcome, Refused):
            assert outcome.budget in expected
        else:
            assert not expected
            for word in {word for word in question.words if len(word) > 2 and not question.is_sealed}:
                # Until midnight, a word is answered from the edition that it was charged under.
                assert outcome.editions.get(word, edition) == naive.edition_of(identity, word)
        quota = gate.quota(identity, question.game, now, is_sealed=question.is_sealed)
        left = naive.left(identity, question, now)
        assert [each.left for each in quota] == [max(0, left[each.budget]) for each in quota]


@given(st.lists(STEPS, min_size=20, max_size=60))
def test_nobody_learns_a_word_that_is_not_charged(steps):
    """On each day the units charged are at least the words whose verdict can be computed, and at most the bound.

    Words asked together count too, even where their verdict does not follow for each of them.
    """
    with gate_of(SMALL) as gate:
        now, learned_by, charged = NOON, defaultdict(set), defaultdict(int)
        for identity, words, edition, place, passed in steps:
            now += passed
            question = make_question(identity.client, [*words, "AT"], edition, place, now)
            day = now // DAY
            left = gate.quota(identity, None, now)[1].left
            outcome = gate.admit(identity, question, CORE, now)
            if isinstance(outcome, Refused):
                assert gate.quota(identity, None, now)[1].left == left
                continue
            learned_by[identity] |= {
                (word, outcome.editions.get(word, edition)) for word in words if len(word) > 2 and word not in CORE
            }
            charged[identity, day] += left - gate.quota(identity, None, now)[1].left
            assert sum(units for (holder, _), units in charged.items() if holder == identity) >= len(
                learned_by[identity]
            )
            assert charged[identity, day] <= SMALL.units_a_day


@pytest.mark.parametrize("k", [1, 3])
def test_k_identities_learn_k_times_356_words_a_day(k):
    """With all of yesterday's games still open, k identities learn 356 k words in a day (docs/guard.md Decision 3)."""
    policy = Policy(world_floor=5_000, world_ceiling=5_000, tightened_percent=100)
    callers = [Identity(str(n), NOON - 40 * DAY) for n in range(k)]
    words = iter([f"{chr(65 + n // 676)}{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}Q" for n in range(10_000)])
    learned = 0
    with gate_of(policy) as gate:
        for identity in callers:
            for n in range(12):
                gate.admit(identity, Question(("AT",), 1, f"old{n}"), CORE, NOON)
        for identity in callers:
            for place in (None, *[f"{age}{n}" for n in range(12) for age in ("old", "new")]):
                for _ in range(30):
                    outcome = gate.admit(identity, Question((next(words),), 1, place), CORE, NOON + DAY // 2)
                    if isinstance(outcome, Refused):
                        break
                    learned += 1
    assert learned == 356 * k
