"""The queue: who is dealt which card, for how long, and in which order."""

from __future__ import annotations

from collections import Counter

from queue_simulation import AT, KEY, QueueSimulation, answer_cards, bases, decided_family

from ordws.curation.acts import Nominated, RecordedAct
from ordws.curation.card_queue import CardQueue
from ordws.curation.voting_rounds import FamilyState


def heads(world: QueueSimulation, name: str, *, is_chair: bool = False) -> list[str]:
    return [lease.base for lease in world.deal(name, is_chair=is_chair)]


def test_a_curator_holds_the_first_two_families() -> None:
    """The card and the next are those of highest regret, and stay the same until one is answered."""
    world = QueueSimulation.of(bases(5))
    assert heads(world, "ann") == ["BAAAA", "BAAAB"]
    assert heads(world, "ann") == ["BAAAA", "BAAAB"]


def test_two_have_a_new_family_and_no_third() -> None:
    """Two votes may decide a family that nobody has voted on, so that two hold it at once."""
    world = QueueSimulation.of(bases(6))
    assert heads(world, "ann") == ["BAAAA", "BAAAB"]
    assert heads(world, "ben") == ["BAAAA", "BAAAB"]
    assert heads(world, "cleo") == ["BAAAC", "BAAAD"]


def test_one_at_a_time_has_a_family_that_was_voted_on() -> None:
    """A vote may decide a family that was voted on, however those votes were."""
    world = QueueSimulation.of(["BAAAA"])
    world.vote("ann", world.deal("ann")[0], "in")
    world.vote("ben", world.deal("ben")[0], "out")
    assert heads(world, "cleo") == ["BAAAA"]
    assert heads(world, "dora") == []
    world.vote("cleo", world.deal("cleo")[0], "in")
    assert heads(world, "dora") == ["BAAAA"]


def test_a_lapsed_lease_makes_a_family_free() -> None:
    """Ten minutes without a sign of its curator, and others may have a card."""
    world = QueueSimulation.of(["BAAAA"])
    world.deal("ann")
    world.deal("ben")
    world.now = 599
    assert heads(world, "cleo") == []
    world.now = 600
    assert heads(world, "cleo") == ["BAAAA"]


def test_who_comes_back_has_his_card_unless_it_was_taken() -> None:
    """A lapsed lease is its curator's again where nobody else needed the card."""
    world = QueueSimulation.of(["BAAAA"])
    first = world.deal("ann")
    world.now = 3_000
    assert [lease.id for lease in world.deal("ann")] == [lease.id for lease in first]
    world.now = 6_000
    world.deal("ben")
    world.deal("cleo")
    assert heads(world, "ann") == []


def test_a_heartbeat_keeps_a_card_for_an_hour_at_most() -> None:
    """A page that is left open does not keep a card from others for ever."""
    world = QueueSimulation.of(["BAAAA"])
    world.deal("ben")
    (lease,) = world.deal("ann")
    for world.now in range(0, 5_000, 300):
        world.queue.renew("ann", [lease.id], world.now)
        world.queue.renew("ben", [each.id for each in world.queue.curator("ben").leases], world.now)
        if heads(world, "cleo"):
            break
    assert world.now == 4_200


def test_a_heartbeat_names_the_cards_that_are_still_held() -> None:
    """A card that was answered, one of somebody else and one of nobody are not held."""
    world = QueueSimulation.of(bases(4))
    first, second = world.deal("ann")
    world.vote("ann", first, "in")
    assert world.queue.renew("ann", [first.id, second.id, "nonsense"], 0) == [second.id]
    assert world.queue.renew("ben", [second.id], 0) == []


def test_a_heartbeat_after_a_crash_restores_the_lease() -> None:
    """What the page still holds is its curator's again, unless others have as much of the family as it needs."""
    world = QueueSimulation.of(["BAAAA"])
    (lease,) = world.deal("ann")
    world.restart()
    assert world.queue.renew("ann", [lease.id], world.now) == [lease.id]
    world.restart()
    world.deal("ben")
    world.deal("cleo")
    assert world.queue.renew("ann", [lease.id], world.now) == []


def test_cards_cannot_be_hoarded() -> None:
    """A card that was put aside is nobody's, whatever its id says, and a hand has two: others get all the rest."""
    world = QueueSimulation.of(bases(60))
    ids = []
    for _ in range(60):
        lease = world.deal("ann")[0]
        ids.append(lease.id)
        world.queue.skip("ann", lease)
    assert len(world.queue.renew("ann", ids, world.now)) <= 2
    world.restart()
    assert len(world.queue.renew("ann", ids, world.now)) <= 2
    dealt = {lease.base for lease in answer_cards(world, "ben", 70) if lease.purpose == "vote"}
    assert len(dealt) == 60


def test_an_old_id_says_nothing_of_others() -> None:
    """Whether somebody has voted on a family cannot be asked by a heartbeat for a card that one laid down."""
    for votes in ((), ("in",)):
        world = QueueSimulation.of(["BAAAA", "BAAAB", "BAAAC", "BAAAD"])
        (lease, _) = world.deal("ann")
        world.queue.skip("ann", lease)
        for vote in votes:
            theirs = next(each for each in world.deal("ben") if each.base == lease.base)
            world.vote("ben", theirs, vote)  # type: ignore[arg-type]
        assert world.queue.renew("ann", [lease.id], world.now) == []


def test_a_vote_outlives_its_lease_and_the_console() -> None:
    """The id of a card says all that is needed to count a vote for it, to whoever has the key."""
    world = QueueSimulation.of(["BAAAA"])
    (lease,) = world.deal("ann")
    world.restart()
    read = world.queue.read("ann", lease.id)
    assert read is not None
    assert (read.base, read.round, read.purpose) == ("BAAAA", 1, "vote")
    assert world.queue.can_answer("ann", read, world.now)


def test_nobody_votes_twice_on_a_card() -> None:
    """A card that was answered is not due, by this id or by another of the family."""
    world = QueueSimulation.of(["BAAAA"])
    (lease,) = world.deal("ann")
    world.vote("ann", lease, "in")
    assert not world.queue.can_answer("ann", lease, world.now)
    assert heads(world, "ann") == []


def test_whoever_is_recused_never_gets_the_family() -> None:
    """A recusal takes the card out of the curator's hand for good."""
    world = QueueSimulation.of(bases(3))
    (lease, _) = world.deal("ann")
    world.recuse("ann", lease.base)
    assert heads(world, "ann") == ["BAAAB", "BAAAC"]
    assert not world.queue.can_answer("ann", lease, world.now)


def test_a_nominator_does_not_vote_on_his_own() -> None:
    """A curator who nominated a form of a family is not shown that family. (EXPERIENCE decision 1)"""
    world = QueueSimulation.of(bases(3))
    world.acts.append(RecordedAct(1, AT, "BAAAB", "ann", Nominated(id="n", reason="I use it", is_curator=True)))
    world.restart()
    assert heads(world, "ann") == ["BAAAA", "BAAAC"]
    assert heads(world, "ben") == ["BAAAA", "BAAAB"]


def test_a_nomination_counts_from_the_moment_it_is_made() -> None:
    """Who nominates a family that he holds loses the card."""
    world = QueueSimulation.of(bases(2))
    assert heads(world, "ann") == ["BAAAA", "BAAAB"]
    world.add_act("BAAAA", "ann", Nominated(id="n", reason="I use it", is_curator=True))
    assert heads(world, "ann") == ["BAAAB"]


def test_skipped_cards_come_back_at_the_end() -> None:
    """They come in the order in which they were put aside, and again if they are skipped again."""
    world = QueueSimulation.of(bases(4))
    seen = []
    for _ in range(6):
        lease = world.deal("ann")[0]
        seen.append(lease.base)
        world.queue.skip("ann", lease)
    assert seen == ["BAAAA", "BAAAB", "BAAAC", "BAAAD", "BAAAA", "BAAAB"]


def test_raised_families_come_first() -> None:
    """What somebody waits for comes before all others, also where the curator is past it already."""
    world = QueueSimulation.of(bases(6))
    world.vote("ann", world.deal("ann")[0], "in")
    raised = world.matters["BAAAF"]
    world.update_family(FamilyState(raised.base, raised.standing, raised.forms, is_raised=True))
    assert heads(world, "ann") == ["BAAAB", "BAAAF"]
    assert heads(world, "ben") == ["BAAAF", "BAAAA"]


def test_a_second_round_comes_first_and_not_to_the_chair() -> None:
    """After a discussion all vote once more but the chair, who is dealt no card of it and has none counted."""
    world = QueueSimulation.of(bases(4))
    for name, vote in (("ann", "in"), ("ben", "out"), ("cleo", "in"), ("dora", "out"), ("chair", "in")):
        world.vote(name, world.deal(name)[0], vote)  # type: ignore[arg-type]
    assert world.matters["BAAAA"].is_contested
    world.begin_round("BAAAA", is_second=True)
    dealt = world.deal("cleo", is_chair=False)
    assert [(lease.base, lease.round) for lease in dealt] == [("BAAAC", 1), ("BAAAA", 2)]
    assert heads(world, "chair", is_chair=True) == ["BAAAD"]
    assert not world.queue.can_answer("chair", dealt[1], world.now, is_chair=True)


def test_a_reopened_family_comes_again_to_everybody() -> None:
    """A new round begins behind those who are past the family, and they get it all the same."""
    world = QueueSimulation.of(bases(8))
    for name in ("ann", "ben"):
        world.vote(name, world.deal(name)[0], "in")
    assert heads(world, "cleo") == ["BAAAC", "BAAAD"]
    world.begin_round("BAAAA", is_second=False)
    world.queue.skip("cleo", world.deal("cleo")[0])
    assert "BAAAA" in heads(world, "cleo")


def test_an_undone_card_comes_first() -> None:
    """The card of a vote that was taken back is before its curator again, under a new id."""
    world = QueueSimulation.of(bases(5))
    (lease, _) = world.deal("ann")
    id = world.vote("ann", lease, "in")
    world.deal("ann")
    assert world.undo("ann", world.queue.curator("ann").answers[id])
    dealt = world.deal("ann")
    assert [each.base for each in dealt] == ["BAAAA", "BAAAB"]
    assert dealt[0].id != lease.id
    assert id in world.queue.curator("ann").undone_answers


def test_families_that_audits_wait_for_come_early() -> None:
    """They come ahead of what nobody waits for, in the order of the queue, until others are named."""
    world = QueueSimulation.of(bases(8))
    world.queue.set_audited({"BAAAG", "BAAAE"})
    assert heads(world, "ann") == ["BAAAE", "BAAAG"]
    world.queue.set_audited(set())
    assert heads(world, "ben") == ["BAAAA", "BAAAB"]


def test_hands_outlast_a_reading_of_the_ledger() -> None:
    """When another process appended, everything is read anew, and who holds what stays as it was."""
    world = QueueSimulation.of(bases(6))
    held = world.deal("ann")
    world.queue.skip("ann", held[0])
    (_, third) = world.deal("ann")
    del world.matters["BAAAB"]
    regrets = {base: -rank for rank, base in enumerate(sorted(world.matters))}
    again = CardQueue(world.matters, regrets, world.ballots, world.acts, key=KEY, previous=world.queue)
    assert again.deal("ann", 5)[0].id == third.id
    assert "BAAAA" not in [lease.base for lease in again.deal("ann", 5)]


def test_what_is_decided_leaves_the_hand() -> None:
    """A card that others have decided meanwhile is not shown any more."""
    world = QueueSimulation.of(bases(4))
    world.deal("cleo")
    for name in ("ann", "ben"):
        first = world.queue.read(name, world.deal(name)[0].id)
        assert first is not None
        world.vote(name, first, "in")
    world.update_family(decided_family("BAAAA", "ann", "ben"))
    assert "BAAAA" not in heads(world, "cleo")


def test_a_card_costs_few_looks() -> None:
    """However many families there are, and wherever the curators stand, a card is found by looking at a handful."""
    world = QueueSimulation.of(bases(4_000))
    looks: Counter[str] = Counter()
    inner = world.queue._may_be_dealt

    def counted(who, base, purpose):  # type: ignore[no-untyped-def]
        looks["all"] += 1
        return inner(who, base, purpose)

    world.queue._may_be_dealt = counted  # type: ignore[method-assign]
    names = ("ann", "ben", "cleo", "dora", "emil")
    for turn in range(400):
        for place, name in enumerate(names):
            world.vote(name, world.deal(name)[0], "in" if (turn + place) % 3 else "out")
    assert looks["all"] < 2_000 * 30
