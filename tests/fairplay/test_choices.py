"""The likelihood of a choice in closed form, against plain enumeration (docs/fairplay.md 2)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordws.fairplay.forms import DEFAULT_FORMS, RankedPlays, choice_probabilities, join, likelihoods

PLAY = st.tuples(st.integers(1, 12), st.integers(0, 2), st.integers(1, 8))


def ranked(rows):
    rows = sorted(rows, reverse=True)
    scores, bands, tiles = (np.array(each) for each in zip(*rows, strict=True))
    return RankedPlays(np.array([0, len(rows)]), scores, bands, tiles)


def enumerate_choices(scores, q):
    """Return the probability of each choice: every set of plays that may be seen, the best of it is made.

    Of seen plays that tie, the chance goes by q, given that any of them was seen.
    """
    reached: dict[int, float] = {}
    for seen in product((False, True), repeat=len(scores)):
        chance = np.prod([each if is_seen else 1 - each for each, is_seen in zip(q, seen, strict=True)])
        if any(seen):
            best = max(score for score, is_seen in zip(scores, seen, strict=True) if is_seen)
            reached[best] = reached.get(best, 0) + chance
    shares = {score: sum(each for each, other in zip(q, scores, strict=True) if other == score) for score in reached}
    some = sum(reached.values())
    return [reached[score] * each / shares[score] / some for score, each in zip(scores, q, strict=True)]


@given(st.lists(PLAY, min_size=2, max_size=7), st.data())
def test_the_closed_form_is_what_enumeration_gives(rows, data):
    """A play is chosen if it is seen and no better one is; ties must not count as several bests."""
    plays = ranked(rows)
    q = np.array(data.draw(st.lists(st.floats(0.05, 0.95), min_size=len(rows), max_size=len(rows))))
    computed = choice_probabilities(plays, q[:, None])[:, 0]
    assert computed == pytest.approx(enumerate_choices(plays.scores.tolist(), q.tolist()))


@given(st.lists(st.lists(PLAY, min_size=2, max_size=6), min_size=2, max_size=4))
def test_positions_do_not_touch_each_other(positions):
    """Positions that are worked out together must come out as each alone."""
    alone = [ranked(rows) for rows in positions]
    together = likelihoods(join(alone), DEFAULT_FORMS)
    assert together == pytest.approx(np.concatenate([likelihoods(each, DEFAULT_FORMS) for each in alone]), abs=1e-7)


@given(st.lists(PLAY, min_size=2, max_size=9))
def test_every_form_chooses_something(rows):
    """The choices of each form must add up to one; gamblers choose only where there is a doubtful word."""
    plays = ranked(rows)
    totals = likelihoods(plays, DEFAULT_FORMS).sum(axis=0)
    gamblers = float(plays.is_borderline.any())
    expected = [1.0] * (DEFAULT_FORMS.knowers + 1) + [gamblers] * len(DEFAULT_FORMS.gambler_attentions)
    assert totals == pytest.approx(expected)


def test_a_program_spreads_over_tied_bests():
    """Three plays of one score share what a program does, and the rest get nothing."""
    plays = ranked([(9, 0, 2), (9, 1, 3), (9, 2, 7), (8, 0, 1)])
    assert plays.tied_bests.tolist() == [3]
    assert plays.engine.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_rare_words_and_many_tiles_are_chosen_less():
    """Of two best plays in their own positions the rarer and the longer one must be the less likely."""
    forms = DEFAULT_FORMS
    common, rare, long = (ranked([(20, band, tiles), (5, 0, 2)]) for band, tiles in ((0, 3), (2, 3), (0, 7)))
    chances = [likelihoods(each, forms)[0, : forms.knowers] for each in (common, rare, long)]
    assert (chances[0] > chances[1]).all()
    assert (chances[0] > chances[2]).all()
