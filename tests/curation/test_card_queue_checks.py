"""The calibration sample, and the cards that check a curator."""

from __future__ import annotations

from collections import Counter

import pytest
from queue_simulation import KEY, QueueSimulation, answer_cards, bases, decided_family

NAMES = ("ann", "ben", "cleo", "dora", "emil")


def test_everybody_votes_on_the_sample_first() -> None:
    """All five curators are dealt the sample first, in the same order, also families that others have decided."""
    names = bases(60)
    simulation = QueueSimulation.of(names, sample=["BAAEC", "BAAAH", "BAABE"])
    for name in NAMES:
        assert [lease.base for lease in answer_cards(simulation, name, 3)] == ["BAAEC", "BAAAH", "BAABE"]
    assert simulation.states["BAAEC"].round.is_decided
    assert len(simulation.states["BAAEC"].ballots) == 5


def test_all_may_hold_a_family_of_the_sample_at_once() -> None:
    """A family of the sample may be held by all curators at once."""
    simulation = QueueSimulation.of(bases(60), sample=["BAAEC", "BAAAH"])
    assert {tuple([lease.base for lease in simulation.deal(name)]) for name in NAMES} == {("BAAEC", "BAAAH")}


def test_the_sample_is_of_first_rounds_alone() -> None:
    """A family of the sample in a later round is held by no more curators than it needs."""
    simulation = QueueSimulation.of(bases(60), sample=["BAAEC"])
    for name in ("ann", "ben"):
        answer_cards(simulation, name, 1)
    simulation.begin_round("BAAEC", is_second=False)
    assert [name for name in NAMES if "BAAEC" in [lease.base for lease in simulation.deal(name)]] == ["ann", "ben"]


def test_one_card_in_twenty_is_a_repeat_and_one_a_known_item() -> None:
    """About one card in twenty is a repeat and one a known item, over 2,000 cards of five curators."""
    simulation = QueueSimulation.of(bases(1_500))
    kinds: Counter[str] = Counter()
    for _ in range(40):
        for name in NAMES:
            kinds.update([lease.purpose for lease in answer_cards(simulation, name, 10)])
    assert kinds["vote"] + kinds["repeat"] + kinds["known"] == 2_000
    assert 60 <= kinds["repeat"] <= 140
    assert 60 <= kinds["known"] <= 140


def test_a_repeat_comes_fifty_cards_later_at_the_earliest() -> None:
    """A repeat is a family that the curator voted on at least fifty cards before, and comes once."""
    simulation = QueueSimulation.of(bases(700))
    seen = answer_cards(simulation, "ann", 500)
    order = [lease.base for lease in seen]
    repeats = [place for place, lease in enumerate(seen) if lease.purpose == "repeat"]
    assert len(repeats) > 10
    for place in repeats:
        assert place - order.index(order[place]) >= 50
    assert max(Counter(order[place] for place in repeats).values()) == 1


def test_in_a_small_queue_a_repeat_comes_after_half_the_cards() -> None:
    """In a queue of fewer than a hundred families a repeat comes after half of the answered cards."""
    gaps = []
    for seed in range(30):
        simulation = QueueSimulation.of(bases(40), key=bytes([seed]) * 32)
        seen = answer_cards(simulation, "ann", 30)
        order = [lease.base for lease in seen]
        for place, lease in enumerate(seen):
            if lease.purpose == "repeat":
                # The card was dealt one answer before it was given.
                gaps.append((place - order.index(lease.base)) / max(1, place - 1))
    assert len(gaps) > 10
    assert min(gaps) >= 0.5


def test_a_known_item_is_one_that_others_have_decided_without_dissent() -> None:
    """A known item is a holdout family that others decided unanimously, without a vote of the curator."""
    simulation = QueueSimulation.of(bases(300))
    first, second, *others = [base for base in bases(300) if simulation.queue.is_holdout(base)][:20]
    examples = [base for base in bases(300) if not simulation.queue.is_holdout(base)][:20]
    for base in (first, second, *examples):
        simulation.states[base] = decided_family(base, "ben", "cleo")
    for base in others:
        simulation.states[base] = decided_family(base, "ann", "ben")
    simulation.ballots += [ballot for state in simulation.states.values() for ballot in state.ballots]
    simulation.restart()
    shown = [lease.base for lease in answer_cards(simulation, "ann", 200) if lease.purpose == "known"]
    assert sorted(shown) == [first, second]


def test_a_single_curator_gets_no_known_items() -> None:
    """A single first curator is dealt votes and repeats, and no known items."""
    simulation = QueueSimulation.of(bases(300))
    assert {lease.purpose for lease in answer_cards(simulation, "ann", 200)} == {"vote", "repeat"}


def test_fast_equal_answers_bring_a_known_item() -> None:
    """More than twenty equal answers, each under a second and a half, bring a known item soon and unpredictably."""
    simulation = QueueSimulation.of(bases(300))
    for base in bases(300)[100:160]:
        simulation.states[base] = decided_family(base, "ben", "cleo")
    simulation.restart()
    fast = [lease.purpose for lease in answer_cards(simulation, "ann", 40, seconds=0.9)]
    assert "known" in fast[22:]
    assert simulation.queue.curator("ann").streak.length < 20


def test_an_unreported_time_is_the_time_between_answers() -> None:
    """A page that reports no time for a card is held to the time between two answers."""
    simulation = QueueSimulation.of(bases(300))
    simulation.restart()
    for _ in range(30):
        (lease, *_) = simulation.deal("ann")
        simulation.now += 9
        simulation.vote("ann", lease, "in", seconds=0.0)
    assert simulation.queue.curator("ann").streak.length == 0


@pytest.mark.parametrize("seconds", [1.5, 5.0])
def test_slower_answers_are_no_streak(seconds: float) -> None:
    """Answers that take a second and a half or more are no streak."""
    simulation = QueueSimulation.of(bases(300))
    answer_cards(simulation, "ann", 24, seconds=seconds)
    assert simulation.queue.curator("ann").streak.length == 0


def test_a_check_that_was_taken_back_comes_again_as_a_check() -> None:
    """A check whose answer was taken back comes again as a check."""
    simulation = QueueSimulation.of(bases(700))
    while (lease := simulation.deal("ann")[0]).purpose == "vote":
        simulation.vote("ann", lease, "in")
    id = simulation.vote("ann", lease, "in")
    assert simulation.undo("ann", simulation.queue.curator("ann").answers[id])
    again = simulation.deal("ann")[0]
    assert (again.base, again.purpose) == (lease.base, lease.purpose)
    assert simulation.queue.can_answer("ann", again, simulation.now)


def test_a_skipped_check_comes_back_as_a_check() -> None:
    """A skipped check comes back as a check."""
    simulation = QueueSimulation.of(bases(120))
    while (lease := simulation.deal("ann")[0]).purpose == "vote":
        simulation.vote("ann", lease, "in")
    simulation.queue.skip("ann", lease)
    seen = []
    while dealt := simulation.deal("ann"):
        seen.append(dealt[0])
        simulation.vote("ann", dealt[0], "in")
    assert (lease.base, lease.purpose) in [(each.base, each.purpose) for each in seen[-2:]]


def test_positions_of_checks_are_unpredictable() -> None:
    """The positions of checks depend on the curator and the key, and are the same in the same simulation."""
    runs = {}
    for key, name in ((KEY, "ann"), (KEY, "ben"), (bytes(32), "ann")):
        simulation = QueueSimulation.of(bases(400), key=key)
        runs[key, name] = [lease.purpose for lease in answer_cards(simulation, name, 300)]
    again = [lease.purpose for lease in answer_cards(QueueSimulation.of(bases(400)), "ann", 300)]
    assert again == runs[KEY, "ann"]
    assert len({tuple(run) for run in runs.values()}) == 3


def test_the_own_count_includes_checks() -> None:
    """A curator's own count grows by one with every card, so that it does not reveal checks."""
    simulation = QueueSimulation.of(bases(300))
    for number in range(1, 150):
        answer_cards(simulation, "ann", 1)
        assert len(simulation.queue.curator("ann").answers) == number
