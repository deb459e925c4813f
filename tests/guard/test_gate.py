"""Tests of the gate: the budgets of one identity, and its quota."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from gate_helpers import CLUB, CORE, HOME, MIDNIGHT, NOON, OTHER, PLENTY, ask, left, words

from ordws.errors import BadInput, Broken, StoreDown
from ordws.guard.charge import Identity, Question
from ordws.guard.gate import Allowance, Gate
from ordws.guard.policy import DAY, Policy
from ordws.guard.stores.lmdb import LmdbMeterStore


def test_twenty_units_outside_a_game(gate):
    """An identity may ask twenty new words a day outside games, and twenty again the next day."""
    for word in words(0, 20):
        assert ask(gate, HOME, word) is None
    refused = gate.admit(HOME, Question(words(20, 1), 1), CORE, NOON)
    assert (refused.budget, refused.retry_after_seconds) == ("outside", 43_200)
    assert ask(gate, OTHER, *words(20, 1)) is None
    assert ask(gate, HOME, *words(20, 1), now=MIDNIGHT) is None


def test_twenty_eight_units_a_game(gate):
    """A game has 28 units, also where it goes on after midnight, and ends with the next day."""
    assert ask(gate, HOME, *words(0, 28), game="g") is None
    for now, seconds in ((NOON, 43_200 + DAY), (MIDNIGHT, DAY)):
        refused = gate.admit(HOME, Question(words(28, 1), 1, "g"), CORE, now)
        assert (refused.budget, refused.retry_after_seconds) == ("game", seconds)
    assert ask(gate, HOME, *words(28, 28), game="g", now=MIDNIGHT + DAY) is None


def test_all_meters_of_a_game_begin_together(gate):
    """A game in which no unit was spent on its first day has 28 on its second, and ends with that day all the same."""
    assert ask(gate, HOME, "AT", game="g") is None
    assert ask(gate, HOME, *words(0, 28), game="g", now=MIDNIGHT) is None
    assert left(gate, HOME, "g", now=MIDNIGHT + DAY)["game"] == 28
    assert ask(gate, HOME, *words(28, 28), game="g", now=MIDNIGHT + DAY) is None
    assert ask(gate, HOME, *words(56, 1), game="g", now=MIDNIGHT + 2 * DAY) == "game"


def test_twelve_games_a_day(gate):
    """The thirteenth game of a day is refused at its first question, even if that question is free."""
    for n in range(12):
        assert ask(gate, HOME, "AT", game=f"g{n}") is None
    refused = gate.admit(HOME, Question(("AT",), 1, "g12"), CORE, NOON)
    assert (refused.budget, refused.retry_after_seconds) == ("games", 43_200)
    assert ask(gate, HOME, "AT", game="g11") is None


def test_a_new_key_has_two_games_a_day_and_one_more_each_third_day(gate):
    """A new key has two games a day, growing to twelve after thirty days; a verified key has twelve at once."""
    young = Identity("9", NOON)
    assert [ask(gate, young, "AT", game=f"a{n}") for n in range(3)] == [None, None, "games"]
    assert left(gate, young._replace(is_verified=True))["games"] == 10
    assert [left(gate, young, now=NOON + days * DAY)["games"] for days in (1, 3, 6, 29, 30)] == [2, 3, 4, 11, 12]


def test_yesterdays_games_share_the_units_of_the_day(gate):
    """With yesterday's twelve games still open, the day's units are 356 and no more."""
    for n in range(12):
        ask(gate, HOME, "AT", game=f"old{n}")
    learned = 0
    for n in range(12):
        for game in (f"old{n}", f"new{n}"):
            if ask(gate, HOME, *words(learned, 28), game=game, now=MIDNIGHT) is None:
                learned += 28
    for _ in range(20):
        learned += ask(gate, HOME, *words(learned, 1), now=MIDNIGHT) is None
    assert learned == 356
    assert ask(gate, HOME, *words(learned, 1), now=MIDNIGHT) == "units"


def test_core_words_a_day_for_twelve_games(gate):
    """Core words cost no unit, and 540 of them a day are new to an identity that may open twelve games."""
    core = words(0, 541)
    assert [ask(gate, HOME, word, core_list=core) for word in core] == [None] * 540 + ["core"]
    assert [ask(gate, HOME, *core[:8], core_list=core) for _ in range(9)] == [None] * 9
    assert left(gate, HOME)["units"] == 356
    assert left(gate, Identity("9", NOON))["core"] == 140
    assert ask(gate, HOME, core[540], core_list=core, now=MIDNIGHT) is None


def test_sixty_plays_a_game(gate):
    """Words judged in a game count as plays, also where all of them are core words."""
    assert [ask(gate, HOME, "CAT", game="g") for _ in range(61)] == [None] * 60 + ["plays"]


def test_a_repeat_is_free_and_keeps_its_edition(gate):
    """A word, core or not, stays free until midnight when an edition comes, and is answered from its own.

    So no budget tells the moment of an update.
    """
    ask(gate, HOME, "QUIZ", "CAT", edition=1)
    quota = gate.quota(HOME, None, NOON)
    outcome = gate.admit(HOME, Question(("QUIZ", "CAT", "NEW"), 2), CORE, MIDNIGHT - 1)
    assert outcome.editions == {"QUIZ": 1, "CAT": 1}
    assert left(gate, HOME)["units"] == 354
    assert gate.admit(HOME, Question(("QUIZ", "CAT"), 2), CORE, MIDNIGHT).editions == {}
    assert left(gate, HOME, now=MIDNIGHT)["units"] == 355
    assert [each.left for each in quota][:2] == [539, 355]


def test_a_sealed_game_charges_words_under_its_own_edition(gate):
    """A word charged under another edition is charged anew in a sealed game, which is judged by its own edition."""
    gate.open_game((HOME,), "s", NOON)
    ask(gate, HOME, "QUIZ", "CAT", edition=2)
    assert gate.admit(HOME, Question(("QUIZ", "CAT"), 1, "s", "1 A", 0), CORE, NOON).editions == {}
    assert [left(gate, HOME)[budget] for budget in ("units", "core")] == [354, 538]
    assert gate.admit(HOME, Question(("QUIZ", "CAT"), 2), CORE, NOON).editions == {"QUIZ": 1, "CAT": 1}


def test_a_checked_word_may_not_be_judged_for_free(gate):
    """A check of the reference is no charge for a question of the judge."""
    gate.admit(HOME, Question(("QUIZ", "CAT"), 1, is_doubt=True, is_check=True), CORE, NOON)
    assert [left(gate, HOME)[budget] for budget in ("units", "core")] == [356, 538]
    ask(gate, HOME, "QUIZ", "CAT")
    assert [left(gate, HOME)[budget] for budget in ("units", "core")] == [355, 537]


def test_the_quota_names_every_budget(gate):
    """The quota lists the limit, the rest and the end of every budget, and a game's budgets if a game is named."""
    ask(gate, HOME, "QUIZ", "CAT", game="g")
    assert gate.quota(HOME, "g", NOON) == [
        Allowance("core", 540, 539, MIDNIGHT),
        Allowance("units", 356, 355, MIDNIGHT),
        Allowance("outside", 20, 20, MIDNIGHT),
        Allowance("games", 12, 11, MIDNIGHT),
        Allowance("game", 28, 27, MIDNIGHT + DAY),
        Allowance("plays", 60, 59, MIDNIGHT + DAY),
    ]


def test_a_sealed_turn_asked_again_costs_nothing_as_long_as_its_game_runs(gate):
    """The same turn, move and words of the same seat are free again, also past midnight; another's are charged."""
    gate.open_game((HOME, HOME), "s", NOON)
    question = Question(("QUIZ", "CAT"), 1, "s", "1 0 8H QUIZ", 0)
    gate.admit(HOME, question, CORE, NOON)
    gate.admit(HOME, question, CORE, MIDNIGHT)
    assert left(gate, HOME, now=MIDNIGHT) | left(gate, HOME, "s", now=MIDNIGHT, is_sealed=True) == {
        "game": 27,
        "plays": 59,
        "core": 540,
        "units": 356,
        "outside": 20,
        "games": 12,
    }
    gate.admit(HOME, question._replace(turn="3 0 8H QUIZ"), CORE, MIDNIGHT)
    assert left(gate, HOME, now=MIDNIGHT)["units"] == 355


def test_two_clocks_that_alternate_across_midnight_gain_nothing(open_gate):
    """Two workers whose clocks differ by a minute grant what the two days grant, and a word costs on each of them."""
    fast, slow = open_gate(), open_gate()
    learned = 0
    for n in range(80):
        for gate, now in ((slow, MIDNIGHT - 30), (fast, MIDNIGHT + 30)):
            learned += ask(gate, HOME, *words(2 * n + (gate is fast), 1), now=now) is None
    assert learned == 40
    assert ask(slow, HOME, *words(1, 1), now=MIDNIGHT - 30) == "outside"


def test_a_game_across_midnight_gains_nothing(open_gate):
    """A game that two such workers serve has 28 units and 60 plays, whichever of them is asked."""
    fast, slow = open_gate(), open_gate()
    for n in range(14):
        for gate, now in ((slow, MIDNIGHT - 30), (fast, MIDNIGHT + 30)):
            assert ask(gate, HOME, *words(2 * n + (gate is fast), 1), game="g", now=now) is None
    assert ask(slow, HOME, *words(100, 1), game="g", now=MIDNIGHT - 30) == "game"
    assert ask(fast, HOME, *words(100, 1), game="g", now=MIDNIGHT + 30) == "game"


def test_a_short_key_is_refused(tmp_path):
    """A meter key that does not have 32 bytes is refused."""
    with pytest.raises(Broken, match="the meter key has 16 bytes, 32 were expected"):
        Gate(Policy(), LmdbMeterStore.create(tmp_path / "meters"), b"k" * 16)


def test_a_policy_beyond_the_bound_opens_no_gate(tmp_path):
    """A gate does not open under a policy beyond the promised bound."""
    with pytest.raises(BadInput, match="356 promised"):
        Gate(Policy(games_a_day=13), LmdbMeterStore.create(tmp_path / "meters"), b"k" * 32)


def test_a_gate_without_its_store_admits_nothing(tmp_path):
    """Without its store the gate raises StoreDown, so that nothing is looked up."""
    gate = Gate(Policy(), LmdbMeterStore.create(tmp_path / "meters"), b"k" * 32)
    gate.store.close()
    (tmp_path / "meters").rename(tmp_path / "away")
    for identity in (HOME, CLUB):
        with pytest.raises(StoreDown):
            gate.admit(identity, Question(("AT",), 1), CORE, NOON)
    with pytest.raises(StoreDown):
        gate.check_writable(NOON)


def ask_all(path, process):
    """Ask 60 words in twelve threads of a process of its own; return those admitted."""
    gate = Gate(PLENTY, LmdbMeterStore(Path(path)), b"k" * 32)
    with ThreadPoolExecutor(12) as threads:
        asked = list(words(40 * process, 60))
        refusals = list(threads.map(lambda word: ask(gate, HOME, word, game="g"), asked))
    gate.store.close()
    return [word for word, refused in zip(asked, refusals, strict=True) if refused is None]


def test_24_threads_in_two_processes_share_one_budget_exactly(gate, path):
    """Threads of two processes that ask 100 words of one game at once learn exactly its 28, some of them twice."""
    with get_context("spawn").Pool(2) as pool:
        admitted = pool.starmap(ask_all, [(str(path), process) for process in range(2)])
    learned = {word for asked in admitted for word in asked}
    assert len(learned) == 28
    assert left(gate, HOME, "g") == {
        "game": 0,
        "plays": 60 - sum(map(len, admitted)),
        "core": 540,
        "units": 356 - 28,
        "outside": 20,
        "games": 11,
    }
