"""What a question costs."""

from __future__ import annotations

import pytest

from ordws.guard.policy import Policy
from ordws.guard.price import Question, budgets, price, tagger

CORE = frozenset({"CAT", "PLAY"})
NOON = 1_795_262_400  # 2026-11-21, 12:00 UTC
MIDNIGHT = NOON + 12 * 3_600
TAG = tagger(b"k" * 32)


def cost(*words, game=None, who="1", edition=1, now=NOON, key=TAG):
    return price(Policy(), CORE, key, who, Question(words, edition, game), now)


def kinds(charge):
    return {meter.name.rpartition("/")[2]: (meter.limit, meter.ends) for meter in charge.meters}


def test_a_question_outside_a_game_has_three_meters():
    """Core words, units in all and units outside a game, until midnight UTC."""
    assert kinds(cost("QUIZ")) == {"core": (1500, MIDNIGHT), "units": (356, MIDNIGHT), "outside": (20, MIDNIGHT)}


def test_a_question_in_a_game_has_four_meters():
    """The units of a game last until the end of the next day, games are counted by the day."""
    assert kinds(cost("QUIZ", game="g")) == {
        "core": (1500, MIDNIGHT), "units": (356, MIDNIGHT), "game": (28, MIDNIGHT + 86_400), "games": (12, MIDNIGHT),
    }  # fmt: skip


def test_a_word_outside_the_core_list_is_marked_for_a_day():
    """One new mark a word, which feeds the units of the day and those of its place."""
    (mark,) = cost("QUIZ").marks
    assert mark.ends == NOON + 86_400
    assert [name.rpartition("/")[2] for name in mark.feeds] == ["units", "outside"]


def test_core_words_cost_no_unit():
    """Core words are counted apart, and no mark is made for them."""
    charge = cost("CAT", "PLAY", "QUIZ")
    assert list(charge.adds.values()) == [2]
    assert len(charge.marks) == 1


def test_two_letter_words_are_free():
    """The published twos cost nothing, and neither do two letters that are no word."""
    charge = cost("AT", "QI", "XX")
    assert (list(charge.adds.values()), charge.marks) == ([0], ())


def test_a_word_asked_twice_in_one_question_counts_once():
    """There is one verdict for it."""
    charge = cost("QUIZ", "QUIZ", "CAT", "CAT")
    assert (list(charge.adds.values()), len(charge.marks)) == ([1], 1)


def test_a_game_is_marked_until_its_meter_ends():
    """Otherwise an old game's meter would serve a new game, or a new meter an old game."""
    charge = cost(game="g")
    (mark,) = charge.marks
    assert mark.ends == next(meter.ends for meter in charge.meters if meter.name.endswith("/game"))
    assert [name.rpartition("/")[2] for name in mark.feeds] == ["games"]


@pytest.mark.parametrize(
    "other",
    [
        cost("QUIZ", who="2"), cost("QUIZ", edition=2), cost("FISHERY"), cost("QUIZ", key=tagger(b"l" * 32)),
    ],
)  # fmt: skip
def test_a_mark_is_of_one_identity_edition_and_word(other):
    """Another identity, edition, word or meter key has another mark."""
    assert cost("QUIZ").marks[0].key != other.marks[0].key


def test_a_word_is_marked_the_same_in_and_outside_games():
    """What was told outside a game is known in it."""
    assert cost("QUIZ").marks[0].key in {mark.key for mark in cost("QUIZ", game="g").marks}


def test_games_of_one_label_are_of_one_identity():
    """Two clients that call their games alike have two meters."""
    assert {m.name for m in cost(game="g").meters}.isdisjoint({m.name for m in cost(game="g", who="2").meters})


def test_nothing_readable_is_written():
    """Neither the word nor the game nor the player stands in what a store is given."""
    text = repr(cost("QUIZ", game="LABEL", who="7/SOMEBODY"))
    assert not any(secret in text for secret in ("QUIZ", "LABEL", "SOMEBODY"))


def test_budgets_of_two_days_are_apart():
    """A second before midnight and midnight have no daily meter in common."""
    before, after = (budgets(Policy(), TAG, "1", None, now) for now in (MIDNIGHT - 1, MIDNIGHT))
    assert {m.name for m in before.values()}.isdisjoint({m.name for m in after.values()})
    assert {m.ends for m in after.values()} == {MIDNIGHT + 86_400}
