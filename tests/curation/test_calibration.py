"""The sample that every curator votes on, the draw of checks, known items, streaks, and the ids of cards."""

from __future__ import annotations

from dataclasses import replace

from each_row import each_row
from queue_simulation import KEY, bases, decided_family

from ordws.curation.curator_cards import (
    NO_STREAK,
    Lease,
    choose_sample,
    draw_purpose,
    draw_uniform,
    is_unanimous,
    read_lease_id,
    repeat_gap,
    write_lease_id,
)
from ordws.curation.decision import Ballot


@each_row(("families", "chosen"), [(0, 0), (19, 0), (20, 1), (400, 20), (6_000, 300), (9_000, 300)])
def test_the_sample_is_a_twentieth_and_at_most_300(families: int, chosen: int) -> None:
    """The sample is a twentieth of the queue, and at most 300 families."""
    sample = choose_sample(bases(families), KEY)
    assert len(sample) == chosen
    assert set(sample) <= set(bases(families))


def test_the_sample_depends_on_the_key() -> None:
    """Another key draws another sample, so that nobody without the key knows it beforehand."""
    assert choose_sample(bases(400), KEY) == choose_sample(bases(400), KEY)
    assert set(choose_sample(bases(400), KEY)) != set(choose_sample(bases(400), bytes(32)))


def test_the_sample_is_drawn_from_the_beginning_of_the_queue() -> None:
    """The sample is drawn from twice as many families, those at the beginning, in an order of its own."""
    sample = choose_sample(bases(1_000), KEY)
    first = bases(1_000)[:100]
    assert (len(sample), set(sample) <= set(first)) == (50, True)
    assert 15 <= sum(base in first[:50] for base in sample) <= 35
    assert list(sample) != sorted(sample)


def test_one_in_twenty_is_drawn_for_each_kind_of_check() -> None:
    """Of 20,000 positions a thousand are repeats and a thousand known items, within three standard deviations."""
    drawn = [draw_purpose(KEY, "ann", position) for position in range(20_000)]
    assert 907 <= drawn.count("repeat") <= 1_093
    assert 907 <= drawn.count("known") <= 1_093


def test_a_draw_is_reproducible_and_uniform() -> None:
    """A draw depends on position and label, is the same each time, and covers the whole range."""
    assert draw_uniform(KEY, "ann", 7) == draw_uniform(KEY, "ann", 7)
    assert draw_uniform(KEY, "ann", 7) != draw_uniform(KEY, "ann", 7, "which")
    drawn = [draw_uniform(KEY, "ann", position) for position in range(2_000)]
    assert 0 <= min(drawn) < 0.01
    assert 0.99 < max(drawn) < 1


@each_row(("answered", "families", "cards"), [(500, 40_000, 50), (10, 40_000, 50), (30, 99, 15), (1, 20, 1)])
def test_a_repeat_comes_fifty_cards_or_half_the_queue_later(answered: int, families: int, cards: int) -> None:
    """A repeat comes fifty cards after its vote, or in a small queue after half of what was answered."""
    assert repeat_gap(answered, families) == cards


def test_only_equal_votes_of_a_first_round_are_undisputed() -> None:
    """A family with a late dissenting vote, in a second round, decided by a class, or open is not unanimous."""
    known = decided_family("BASH", "ann", "ben")
    late = Ballot("l", "BASH", "cleo", "out", (), "", "2026-11-21T12:00:00Z")
    assert is_unanimous(known)
    assert not is_unanimous(replace(known, ballots=(*known.ballots, late)))
    assert not is_unanimous(replace(known, round=known.round._replace(number=2)))
    assert not is_unanimous(replace(known, decided_by_class="re-verb"))
    assert not is_unanimous(replace(known, round=known.round._replace(is_decided=False)))
    assert not is_unanimous(replace(known, standing=None))


def test_a_streak_is_twenty_one_equal_fast_answers() -> None:
    """Twenty-one equal fast answers are monotonous; another answer, or a slow one, begins a new streak."""
    streak = NO_STREAK
    for _ in range(20):
        streak = streak.after("in", 1.0)
    assert not streak.is_monotonous
    assert streak.after("in", 1.0).is_monotonous
    assert streak.after("out", 1.0).length == 1
    assert streak.after("in", 1.5).length == 0


def test_the_purpose_of_an_id_is_readable_with_the_key_alone() -> None:
    """The key reads a lease from its id; without it, the ids of the three purposes differ in their MAC alone."""
    ids = {}
    for purpose in ("vote", "repeat", "known"):
        lease = Lease("", "REVOTE", 2, purpose, 1_795_262_400)  # type: ignore[arg-type]
        ids[purpose] = write_lease_id(KEY, "ann", lease, 17)
        assert read_lease_id(KEY, "ann", ids[purpose]) == lease._replace(id=ids[purpose])  # type: ignore[arg-type]
    assert {id.rpartition(".")[0] for id in ids.values()} == {"1795262400.17.2.REVOTE"}
    assert len(set(ids.values())) == 3


@each_row("place", range(55))
def test_an_altered_id_is_no_lease(place: int) -> None:
    """An id with any character changed, or read for another curator or under another key, is no lease."""
    id = write_lease_id(KEY, "ann", Lease("", "REVOTE", 2, "known", 1_795_262_400), 17)
    assert len(id) == 55
    other = id[:place] + ("1" if id[place] != "1" else "2") + id[place + 1 :]
    assert read_lease_id(KEY, "ann", other) is None
    assert read_lease_id(KEY, "ben", id) is None
    assert read_lease_id(bytes(32), "ann", id) is None
    assert read_lease_id(KEY, "ann", id[:place]) is None
