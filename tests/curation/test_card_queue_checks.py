"""What all curators vote on first, and the cards that check one of them."""

from __future__ import annotations

from collections import Counter

import pytest
from queue_simulation import KEY, QueueSimulation, answer_cards, bases, decided_family

NAMES = ("ann", "ben", "cleo", "dora", "emil")


def test_everybody_votes_on_the_sample_first() -> None:
    """All five get the same families in the same order, also those that others have decided by then."""
    names = bases(60)
    world = QueueSimulation.of(names, sample=["BAAEC", "BAAAH", "BAABE"])
    for name in NAMES:
        assert [lease.base for lease in answer_cards(world, name, 3)] == ["BAAEC", "BAAAH", "BAABE"]
    assert world.matters["BAAEC"].round.is_decided
    assert len(world.matters["BAAEC"].ballots) == 5


def test_all_may_hold_a_family_of_the_sample_at_once() -> None:
    """What everybody votes on anyway is in as many hands as there are."""
    world = QueueSimulation.of(bases(60), sample=["BAAEC", "BAAAH"])
    assert {tuple([lease.base for lease in world.deal(name)]) for name in NAMES} == {("BAAEC", "BAAAH")}


def test_the_sample_is_of_first_rounds_alone() -> None:
    """A family of it that is voted on again is with no more people than it needs."""
    world = QueueSimulation.of(bases(60), sample=["BAAEC"])
    for name in ("ann", "ben"):
        answer_cards(world, name, 1)
    world.begin_round("BAAEC", is_second=False)
    assert [name for name in NAMES if "BAAEC" in [lease.base for lease in world.deal(name)]] == ["ann", "ben"]


def test_one_card_in_twenty_is_a_repeat_and_one_a_known_item() -> None:
    """Over 2,000 cards of five curators about five in a hundred are of either kind."""
    world = QueueSimulation.of(bases(1_500))
    kinds: Counter[str] = Counter()
    for _ in range(40):
        for name in NAMES:
            kinds.update([lease.purpose for lease in answer_cards(world, name, 10)])
    assert kinds["vote"] + kinds["repeat"] + kinds["known"] == 2_000
    assert 60 <= kinds["repeat"] <= 140
    assert 60 <= kinds["known"] <= 140


def test_a_repeat_comes_fifty_cards_later_at_the_earliest() -> None:
    """It is a family that the curator voted on, at least fifty cards ago, and no family comes twice."""
    world = QueueSimulation.of(bases(700))
    seen = answer_cards(world, "ann", 500)
    order = [lease.base for lease in seen]
    repeats = [place for place, lease in enumerate(seen) if lease.purpose == "repeat"]
    assert len(repeats) > 10
    for place in repeats:
        assert place - order.index(order[place]) >= 50
    assert max(Counter(order[place] for place in repeats).values()) == 1


def test_in_a_small_queue_a_repeat_comes_after_half_the_cards() -> None:
    """Where there are fewer than a hundred families, half of what the curator has answered lies between."""
    gaps = []
    for seed in range(30):
        world = QueueSimulation.of(bases(40), key=bytes([seed]) * 32)
        seen = answer_cards(world, "ann", 30)
        order = [lease.base for lease in seen]
        for place, lease in enumerate(seen):
            if lease.purpose == "repeat":
                # The card was dealt one answer before it was given.
                gaps.append((place - order.index(lease.base)) / max(1, place - 1))
    assert len(gaps) > 10
    assert min(gaps) >= 0.5


def test_a_known_item_is_one_that_others_have_decided_without_dissent() -> None:
    """The curator has not voted on it, and no card tells of it; what was decided against a vote is not known."""
    world = QueueSimulation.of(bases(300))
    first, second, *others = [base for base in bases(300) if world.queue.is_holdout(base)][:20]
    told = [base for base in bases(300) if not world.queue.is_holdout(base)][:20]
    for base in (first, second, *told):
        world.matters[base] = decided_family(base, "ben", "cleo")
    for base in others:
        world.matters[base] = decided_family(base, "ann", "ben")
    world.ballots += [ballot for matter in world.matters.values() for ballot in matter.ballots]
    world.restart()
    shown = [lease.base for lease in answer_cards(world, "ann", 200) if lease.purpose == "known"]
    assert sorted(shown) == [first, second]


def test_where_nothing_is_known_nothing_is_shown_as_known() -> None:
    """A first curator alone is dealt votes and repeats."""
    world = QueueSimulation.of(bases(300))
    assert {lease.purpose for lease in answer_cards(world, "ann", 200)} == {"vote", "repeat"}


def test_fast_equal_answers_bring_a_known_item() -> None:
    """After more than twenty equal answers, each under a second and a half, one comes soon, and not foreseeably."""
    world = QueueSimulation.of(bases(300))
    for base in bases(300)[100:160]:
        world.matters[base] = decided_family(base, "ben", "cleo")
    world.restart()
    fast = [lease.purpose for lease in answer_cards(world, "ann", 40, seconds=0.9)]
    assert "known" in fast[22:]
    assert world.queue.curator("ann").streak.length < 20


def test_nobody_claims_to_be_fast() -> None:
    """A page that says it took no time is held to the time between two answers."""
    world = QueueSimulation.of(bases(300))
    world.restart()
    for _ in range(30):
        (lease, *_) = world.deal("ann")
        world.now += 9
        world.vote("ann", lease, "in", seconds=0.0)
    assert world.queue.curator("ann").streak.length == 0


@pytest.mark.parametrize("seconds", [1.5, 5.0])
def test_slower_answers_are_no_streak(seconds: float) -> None:
    """Whoever takes a second and a half for a card has read it."""
    world = QueueSimulation.of(bases(300))
    answer_cards(world, "ann", 24, seconds=seconds)
    assert world.queue.curator("ann").streak.length == 0


def test_a_check_that_was_taken_back_comes_again_as_a_check() -> None:
    """Undo puts the same check before the curator, and its next answer is one to a check."""
    world = QueueSimulation.of(bases(700))
    while (lease := world.deal("ann")[0]).purpose == "vote":
        world.vote("ann", lease, "in")
    id = world.vote("ann", lease, "in")
    assert world.undo("ann", world.queue.curator("ann").answers[id])
    again = world.deal("ann")[0]
    assert (again.base, again.purpose) == (lease.base, lease.purpose)
    assert world.queue.can_answer("ann", again, world.now)


def test_a_skipped_check_comes_back_as_a_check() -> None:
    """A check that is put aside is neither forgotten nor turned into a vote."""
    world = QueueSimulation.of(bases(120))
    while (lease := world.deal("ann")[0]).purpose == "vote":
        world.vote("ann", lease, "in")
    world.queue.skip("ann", lease)
    seen = []
    while dealt := world.deal("ann"):
        seen.append(dealt[0])
        world.vote("ann", dealt[0], "in")
    assert (lease.base, lease.purpose) in [(each.base, each.purpose) for each in seen[-2:]]


def test_which_cards_are_checks_cannot_be_foretold() -> None:
    """Each curator has his own positions of checks, and another key gives others; the same world gives the same."""
    runs = {}
    for key, name in ((KEY, "ann"), (KEY, "ben"), (bytes(32), "ann")):
        world = QueueSimulation.of(bases(400), key=key)
        runs[key, name] = [lease.purpose for lease in answer_cards(world, name, 300)]
    again = [lease.purpose for lease in answer_cards(QueueSimulation.of(bases(400)), "ann", 300)]
    assert again == runs[KEY, "ann"]
    assert len({tuple(run) for run in runs.values()}) == 3


def test_mine_counts_checks_like_votes() -> None:
    """A curator's own figure grows by one with every card, so that it does not tell which of them were checks."""
    world = QueueSimulation.of(bases(300))
    for number in range(1, 150):
        answer_cards(world, "ann", 1)
        assert len(world.queue.curator("ann").answers) == number
