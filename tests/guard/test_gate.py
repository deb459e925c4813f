"""Tests of the gate: the budgets of one identity, and its quota."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import pytest
from gate_helpers import CLUB, CORE, HOME, MIDNIGHT, NOON, OTHER, PLENTY, ask, left, words

from ordws.errors import BadInput, Broken, StoreDown
from ordws.guard.gate import Allowance, Gate, Ticket
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Identity, Question
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


def test_sixteen_invalid_plays_a_game(gate):
    """A play is counted as invalid before anything is looked up, and refunded on a yes."""
    assert [ask(gate, HOME, "AT", game="g") for _ in range(20)] == [None] * 20
    assert left(gate, HOME, "g")["invalid"] == 16
    assert [ask(gate, HOME, "AT", game="g", verdict=False) for _ in range(17)] == [None] * 16 + ["invalid"]
    assert left(gate, HOME, "g") | {"core": 0} == {
        "core": 0,
        "units": 356,
        "outside": 20,
        "games": 11,
        "game": 28,
        "plays": 24,
        "invalid": 0,
    }


def test_a_question_that_was_never_settled_counts_as_invalid(gate, open_gate):
    """A play that a killed worker never settled stays counted as invalid."""
    assert ask(gate, HOME, "AT", game="g", verdict=None) is None
    assert left(open_gate(), HOME, "g")["invalid"] == 15


def test_words_outside_a_game_are_not_plays(gate):
    """A question outside a game has nothing to refund."""
    ticket = gate.admit(HOME, Question(("QUIZ",), 1), CORE, NOON)
    assert isinstance(ticket, Ticket)
    assert ticket.refundable == ()


def test_a_repeat_is_free_and_keeps_its_edition(gate):
    """A word, core or not, stays free for 24 hours when an edition comes, and is answered from its own.

    So no budget tells the moment of an update.
    """
    ask(gate, HOME, "QUIZ", "CAT", edition=1)
    quota = gate.quota(HOME, None, NOON)
    ticket = gate.admit(HOME, Question(("QUIZ", "CAT", "NEW"), 2), CORE, NOON + 1)
    assert ticket.editions == {"QUIZ": 1, "CAT": 1}
    assert left(gate, HOME)["units"] == 354
    assert gate.admit(HOME, Question(("QUIZ", "CAT"), 2), CORE, NOON + DAY).editions == {}
    assert [each.left for each in quota][:2] == [539, 355]


def test_a_sealed_game_charges_words_under_its_own_edition(gate):
    """A word charged under another edition is charged anew in a sealed game, which is judged by its own edition."""
    gate.open_game((HOME,), "s", NOON)
    ask(gate, HOME, "QUIZ", "CAT", edition=2)
    ticket = gate.admit(HOME, Question(("QUIZ", "CAT"), 1, "s", "1 A", 0), CORE, NOON)
    assert ticket.editions == {}
    assert [left(gate, HOME)[budget] for budget in ("units", "core")] == [354, 538]
    assert gate.admit(HOME, Question(("QUIZ", "CAT"), 2), CORE, NOON).editions == {"QUIZ": 1, "CAT": 1}


def test_a_checked_word_may_not_be_judged_for_free(gate):
    """A check of the reference is no charge for a question of the judge."""
    gate.admit(HOME, Question(("QUIZ", "CAT"), 1, is_doubt=True, is_check=True), CORE, NOON)
    assert [left(gate, HOME)[budget] for budget in ("units", "core")] == [356, 538]
    ask(gate, HOME, "QUIZ", "CAT")
    assert [left(gate, HOME)[budget] for budget in ("units", "core")] == [355, 537]


def test_a_word_is_new_again_after_a_day(gate):
    """A word is free for exactly 24 hours after it was charged."""
    for now, units in ((NOON, 355), (NOON + DAY - 1, 356), (NOON + DAY, 355)):
        ask(gate, HOME, "QUIZ", now=now)
        assert left(gate, HOME, now=now)["units"] == units


def test_the_quota_names_every_budget(gate):
    """The quota lists the limit, the rest and the end of every budget, and a game's budgets if a game is named."""
    ask(gate, HOME, "QUIZ", "CAT", game="g", verdict=False)
    assert gate.quota(HOME, "g", NOON) == [
        Allowance("core", 540, 539, MIDNIGHT),
        Allowance("units", 356, 355, MIDNIGHT),
        Allowance("outside", 20, 20, MIDNIGHT),
        Allowance("games", 12, 11, MIDNIGHT),
        Allowance("game", 28, 27, MIDNIGHT + DAY),
        Allowance("plays", 60, 59, MIDNIGHT + DAY),
        Allowance("invalid", 16, 15, MIDNIGHT + DAY),
    ]


def test_a_short_key_is_refused(tmp_path):
    """A meter key that does not have 32 bytes is refused."""
    with pytest.raises(Broken, match="the meter key has 16 bytes, 32 were expected"):
        Gate(Policy(), LmdbMeterStore(tmp_path / "meters"), b"k" * 16)


def test_a_policy_beyond_the_bound_opens_no_gate(tmp_path):
    """A gate does not open under a policy beyond the promised bound."""
    with pytest.raises(BadInput, match="356 promised"):
        Gate(Policy(games_a_day=13), LmdbMeterStore(tmp_path / "meters"), b"k" * 32)


def test_a_gate_without_its_store_admits_nothing(tmp_path):
    """Without its store the gate raises StoreDown, so that nothing is looked up."""
    gate = Gate(Policy(), LmdbMeterStore(tmp_path / "meters"), b"k" * 32)
    for identity in (HOME, CLUB):
        with pytest.raises(StoreDown):
            gate.admit(identity, Question(("AT",), 1), CORE, NOON)
    with pytest.raises(StoreDown):
        gate.check_writable(NOON)


def ask_all(path, process):
    """Ask 60 words in a process of its own, some of them shared with other processes; return those admitted."""
    gate = Gate(PLENTY, LmdbMeterStore(Path(path)), b"k" * 32)
    return [word for word in words(40 * process, 60) if ask(gate, HOME, word, game="g", verdict=False) is None]


def test_four_processes_share_one_budget_exactly(gate, path):
    """Four processes that ask 180 words of one game at once have exactly 16 bad plays together."""
    with get_context("spawn").Pool(4) as pool:
        admitted = pool.starmap(ask_all, [(str(path), process) for process in range(4)])
    assert len([word for asked in admitted for word in asked]) == 16
    learned = len({word for asked in admitted for word in asked})
    assert left(gate, HOME, "g") == {
        "core": 540,
        "units": 356 - learned,
        "outside": 20,
        "games": 11,
        "game": 28 - learned,
        "plays": 44,
        "invalid": 0,
    }
