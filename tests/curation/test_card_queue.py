"""The card queue: which card a curator is dealt, for how long, and in which order."""

from __future__ import annotations

from collections import Counter

from queue_simulation import AT, KEY, QueueSimulation, answer_cards, bases, decided_family

from ordws.curation.acts import Nominated, RecordedAct
from ordws.curation.card_queue import CardQueue
from ordws.curation.voting_rounds import FamilyState, Round


def heads(simulation: QueueSimulation, name: str, *, is_chair: bool = False) -> list[str]:
    return [lease.base for lease in simulation.deal(name, is_chair=is_chair)]


def test_a_curator_holds_the_first_two_families() -> None:
    """A curator holds the two families of highest priority until one of them is answered."""
    simulation = QueueSimulation.of(bases(5))
    assert heads(simulation, "ann") == ["BAAAA", "BAAAB"]
    assert heads(simulation, "ann") == ["BAAAA", "BAAAB"]


def test_two_curators_at_most_hold_a_family_without_votes() -> None:
    """Two curators may hold a family without votes at once, since two votes may decide it; a third may not."""
    simulation = QueueSimulation.of(bases(6))
    assert heads(simulation, "ann") == ["BAAAA", "BAAAB"]
    assert heads(simulation, "ben") == ["BAAAA", "BAAAB"]
    assert heads(simulation, "cleo") == ["BAAAC", "BAAAD"]


def test_one_curator_at_a_time_holds_a_family_with_votes() -> None:
    """One curator at a time may hold a family with votes, whatever the votes are."""
    simulation = QueueSimulation.of(["BAAAA"])
    simulation.vote("ann", simulation.deal("ann")[0], "in")
    simulation.vote("ben", simulation.deal("ben")[0], "out")
    assert heads(simulation, "cleo") == ["BAAAA"]
    assert heads(simulation, "dora") == []
    simulation.vote("cleo", simulation.deal("cleo")[0], "in")
    assert heads(simulation, "dora") == ["BAAAA"]


def test_an_expired_lease_frees_the_family() -> None:
    """A card is free for others after ten minutes without a sign of its curator."""
    simulation = QueueSimulation.of(["BAAAA"])
    simulation.deal("ann")
    simulation.deal("ben")
    simulation.now = 599
    assert heads(simulation, "cleo") == []
    simulation.now = 600
    assert heads(simulation, "cleo") == ["BAAAA"]


def test_a_returning_curator_regains_an_expired_card_unless_taken() -> None:
    """A curator who comes back after the lease has expired has the card again, unless it was taken."""
    simulation = QueueSimulation.of(["BAAAA"])
    first = simulation.deal("ann")
    simulation.now = 3_000
    assert [lease.id for lease in simulation.deal("ann")] == [lease.id for lease in first]
    simulation.now = 6_000
    simulation.deal("ben")
    simulation.deal("cleo")
    assert heads(simulation, "ann") == []


def test_a_heartbeat_keeps_a_card_for_an_hour_at_most() -> None:
    """Heartbeats keep an unanswered card for an hour at most, so that an open page does not hold it for ever."""
    simulation = QueueSimulation.of(["BAAAA"])
    simulation.deal("ben")
    (lease,) = simulation.deal("ann")
    for simulation.now in range(0, 5_000, 300):
        simulation.queue.renew("ann", [lease.id], simulation.now)
        simulation.queue.renew("ben", [each.id for each in simulation.queue.curator("ben").leases], simulation.now)
        if heads(simulation, "cleo"):
            break
    assert simulation.now == 4_200


def test_a_heartbeat_names_the_cards_that_are_still_held() -> None:
    """A heartbeat renews only held cards: none that was answered, is another curator's, or does not exist."""
    simulation = QueueSimulation.of(bases(4))
    first, second = simulation.deal("ann")
    simulation.vote("ann", first, "in")
    assert simulation.queue.renew("ann", [first.id, second.id, "nonsense"], 0) == [second.id]
    assert simulation.queue.renew("ben", [second.id], 0) == []


def test_a_heartbeat_after_a_crash_restores_the_lease() -> None:
    """A heartbeat after a crash restores the lease, unless others hold as much of the family as it needs."""
    simulation = QueueSimulation.of(["BAAAA"])
    (lease,) = simulation.deal("ann")
    simulation.restart()
    assert simulation.queue.renew("ann", [lease.id], simulation.now) == [lease.id]
    simulation.restart()
    simulation.deal("ben")
    simulation.deal("cleo")
    assert simulation.queue.renew("ann", [lease.id], simulation.now) == []


def test_cards_cannot_be_hoarded() -> None:
    """A skipped card cannot be renewed by its id, and nobody holds more than two cards."""
    simulation = QueueSimulation.of(bases(60))
    ids = []
    for _ in range(60):
        lease = simulation.deal("ann")[0]
        ids.append(lease.id)
        simulation.queue.skip("ann", lease)
    assert len(simulation.queue.renew("ann", ids, simulation.now)) <= 2
    simulation.restart()
    assert len(simulation.queue.renew("ann", ids, simulation.now)) <= 2
    dealt = {lease.base for lease in answer_cards(simulation, "ben", 70) if lease.purpose == "vote"}
    assert len(dealt) == 60


def test_a_heartbeat_for_a_skipped_card_reveals_nothing() -> None:
    """A heartbeat for a card that was skipped does not reveal whether others have voted on its family."""
    for votes in ((), ("in",)):
        simulation = QueueSimulation.of(["BAAAA", "BAAAB", "BAAAC", "BAAAD"])
        (lease, _) = simulation.deal("ann")
        simulation.queue.skip("ann", lease)
        for vote in votes:
            bens_lease = next(each for each in simulation.deal("ben") if each.base == lease.base)
            simulation.vote("ben", bens_lease, vote)  # type: ignore[arg-type]
        assert simulation.queue.renew("ann", [lease.id], simulation.now) == []


def test_a_vote_outlives_its_lease_and_the_console() -> None:
    """The id of a card is enough to count a vote after its lease has expired and the console has restarted."""
    simulation = QueueSimulation.of(["BAAAA"])
    (lease,) = simulation.deal("ann")
    simulation.restart()
    read = simulation.queue.read("ann", lease.id)
    assert read is not None
    assert (read.base, read.round, read.purpose) == ("BAAAA", 1, "vote")
    assert simulation.queue.can_answer("ann", read, simulation.now)


def test_nobody_votes_twice_on_a_card() -> None:
    """A card that was answered cannot be answered again, by this id or by another id of its family."""
    simulation = QueueSimulation.of(["BAAAA"])
    (lease,) = simulation.deal("ann")
    simulation.vote("ann", lease, "in")
    assert not simulation.queue.can_answer("ann", lease, simulation.now)
    assert heads(simulation, "ann") == []


def test_a_recused_curator_never_gets_the_family() -> None:
    """A recusal takes the card from its curator for good."""
    simulation = QueueSimulation.of(bases(3))
    (lease, _) = simulation.deal("ann")
    simulation.recuse("ann", lease.base)
    assert heads(simulation, "ann") == ["BAAAB", "BAAAC"]
    assert not simulation.queue.can_answer("ann", lease, simulation.now)


def test_nominators_do_not_vote_on_their_nominations() -> None:
    """A curator who nominated a form of a family does not vote on it."""
    simulation = QueueSimulation.of(bases(3))
    simulation.acts.append(RecordedAct(1, AT, "BAAAB", "ann", Nominated(id="n", reason="I use it", is_curator=True)))
    simulation.restart()
    assert heads(simulation, "ann") == ["BAAAA", "BAAAC"]
    assert heads(simulation, "ben") == ["BAAAA", "BAAAB"]


def test_a_nominator_loses_the_card_at_once() -> None:
    """A curator who nominates a form of a family that they hold loses the card."""
    simulation = QueueSimulation.of(bases(2))
    assert heads(simulation, "ann") == ["BAAAA", "BAAAB"]
    simulation.add_act("BAAAA", "ann", Nominated(id="n", reason="I use it", is_curator=True))
    assert heads(simulation, "ann") == ["BAAAB"]


def test_skipped_cards_come_back_at_the_end() -> None:
    """Skipped cards come back at the end, in the order in which they were skipped, and again if skipped again."""
    simulation = QueueSimulation.of(bases(4))
    seen = []
    for _ in range(6):
        lease = simulation.deal("ann")[0]
        seen.append(lease.base)
        simulation.queue.skip("ann", lease)
    assert seen == ["BAAAA", "BAAAB", "BAAAC", "BAAAD", "BAAAA", "BAAAB"]


def test_raised_families_come_first() -> None:
    """A raised family comes before all others, also for a curator who is past it already."""
    simulation = QueueSimulation.of(bases(6))
    simulation.vote("ann", simulation.deal("ann")[0], "in")
    raised = simulation.states["BAAAF"]
    simulation.update_family(FamilyState(raised.base, raised.standing, raised.forms, is_raised=True))
    assert heads(simulation, "ann") == ["BAAAB", "BAAAF"]
    assert heads(simulation, "ben") == ["BAAAF", "BAAAA"]


def test_a_family_that_is_opened_again_comes_first() -> None:
    """A family that a keeper opens again comes before all others, since pages say that it is up for another vote."""
    simulation = QueueSimulation.of(bases(6))
    again = simulation.states["BAAAF"]
    simulation.update_family(FamilyState(again.base, again.standing, again.forms, round=Round(2, after_link=9)))
    assert heads(simulation, "ben") == ["BAAAF", "BAAAA"]


def test_a_second_round_comes_first_and_not_to_the_chair() -> None:
    """A second round comes first for everybody but the chair, who is dealt no card of it and cannot vote in it."""
    simulation = QueueSimulation.of(bases(4))
    for name, vote in (("ann", "in"), ("ben", "out"), ("cleo", "in"), ("dora", "out"), ("chair", "in")):
        simulation.vote(name, simulation.deal(name)[0], vote)  # type: ignore[arg-type]
    assert simulation.states["BAAAA"].is_contested
    simulation.begin_round("BAAAA", is_second=True)
    dealt = simulation.deal("cleo", is_chair=False)
    assert [(lease.base, lease.round) for lease in dealt] == [("BAAAC", 1), ("BAAAA", 2)]
    assert heads(simulation, "chair", is_chair=True) == ["BAAAD"]
    assert not simulation.queue.can_answer("chair", dealt[1], simulation.now, is_chair=True)


def test_a_reopened_family_comes_again_to_everybody() -> None:
    """A re-opened family comes again to everybody, also to curators who are past it."""
    simulation = QueueSimulation.of(bases(8))
    for name in ("ann", "ben"):
        simulation.vote(name, simulation.deal(name)[0], "in")
    assert heads(simulation, "cleo") == ["BAAAC", "BAAAD"]
    simulation.begin_round("BAAAA", is_second=False)
    simulation.queue.skip("cleo", simulation.deal("cleo")[0])
    assert "BAAAA" in heads(simulation, "cleo")


def test_an_undone_card_comes_first() -> None:
    """The card of an answer that was taken back comes first, under a new id."""
    simulation = QueueSimulation.of(bases(5))
    (lease, _) = simulation.deal("ann")
    id = simulation.vote("ann", lease, "in")
    simulation.deal("ann")
    assert simulation.undo("ann", simulation.queue.curator("ann").answers[id])
    dealt = simulation.deal("ann")
    assert [each.base for each in dealt] == ["BAAAA", "BAAAB"]
    assert dealt[0].id != lease.id
    assert id in simulation.queue.curator("ann").undone_answers


def test_families_that_audits_wait_for_come_early() -> None:
    """Families that audits wait for come before ordinary ones, in the order of the queue, until others are named."""
    simulation = QueueSimulation.of(bases(8))
    simulation.queue.set_audited({"BAAAG", "BAAAE"})
    assert heads(simulation, "ann") == ["BAAAE", "BAAAG"]
    simulation.queue.set_audited(set())
    assert heads(simulation, "ben") == ["BAAAA", "BAAAB"]


def test_leases_outlast_a_reading_of_the_ledger() -> None:
    """Leases outlast a new reading of the whole ledger."""
    simulation = QueueSimulation.of(bases(6))
    held = simulation.deal("ann")
    simulation.queue.skip("ann", held[0])
    (_, third) = simulation.deal("ann")
    del simulation.states["BAAAB"]
    regrets = {base: -rank for rank, base in enumerate(sorted(simulation.states))}
    again = CardQueue(
        simulation.states, regrets, simulation.ballots, simulation.acts, key=KEY, previous=simulation.queue
    )
    assert again.deal("ann", 5)[0].id == third.id
    assert "BAAAA" not in [lease.base for lease in again.deal("ann", 5)]


def test_a_card_of_a_decided_family_is_not_shown() -> None:
    """A card whose family others have decided is not shown any more."""
    simulation = QueueSimulation.of(bases(4))
    simulation.deal("cleo")
    for name in ("ann", "ben"):
        first = simulation.queue.read(name, simulation.deal(name)[0].id)
        assert first is not None
        simulation.vote(name, first, "in")
    simulation.update_family(decided_family("BAAAA", "ann", "ben"))
    assert "BAAAA" not in heads(simulation, "cleo")


def test_finding_a_card_looks_at_few_families() -> None:
    """Finding a card looks at a handful of families, however many there are and wherever the curators are."""
    simulation = QueueSimulation.of(bases(4_000))
    looks: Counter[str] = Counter()
    inner = simulation.queue._may_be_dealt

    def counted(curator, base, purpose):  # type: ignore[no-untyped-def]
        looks["all"] += 1
        return inner(curator, base, purpose)

    simulation.queue._may_be_dealt = counted  # type: ignore[method-assign]
    names = ("ann", "ben", "cleo", "dora", "emil")
    for turn in range(400):
        for place, name in enumerate(names):
            simulation.vote(name, simulation.deal(name)[0], "in" if (turn + place) % 3 else "out")
    # 400 rounds of five curators are 2,000 cards.
    assert looks["all"] < 2_000 * 30
