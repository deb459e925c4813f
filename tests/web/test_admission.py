"""Tests of admission: few requests run at once, senders take turns, and a long or slow queue refuses."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordws.web.admission import (
    FREQUENT,
    MAX_CONCURRENT_GAMES,
    MAX_READ,
    RECENT,
    Admission,
    AdmissionQueue,
)
from ordws.web.senders import Sender

LONG = 60
ANN, BEN, CLEO = Sender("10.0.0.1", 1), Sender("10.0.0.2", 2), Sender("10.0.0.3", 3)


class WaitingThread(threading.Thread):
    """A thread that takes a slot for a sender, and reports it."""

    def __init__(self, queue, sender, name, results):
        super().__init__(daemon=True)
        self.queue, self.sender, self.request, self.results = queue, sender, name, results

    def run(self):
        self.results.put((self.request, self.queue.acquire(self.sender)))


def add_waiting(queue, sender, name, results):
    """Add a thread to the queue, and return it when it waits there."""
    before = queue.waiting
    thread = WaitingThread(queue, sender, name, results)
    thread.start()
    while queue.waiting == before:
        assert thread.is_alive()
    return thread


def served_order(queue, slot, results, count):
    """Release a slot, and each that is given for it, and return which requests were given one."""
    order = []
    for _ in range(count):
        queue.release(slot)
        name, slot = results.get(timeout=LONG)
        assert slot is not None
        assert results.empty()
        order.append(name)
    return order


def test_requests_of_one_caller_are_served_in_the_order_of_arrival():
    """A released slot must go to the request of a sender that waited longest, and not to a new one."""
    queue, results = AdmissionQueue(1, 6, LONG), SimpleQueue()
    slot = queue.acquire(ANN)
    for name in ("a1", "a2", "a3"):
        add_waiting(queue, ANN, name, results)
    assert served_order(queue, slot, results, 3) == ["a1", "a2", "a3"]
    assert queue.waiting == 0


def test_senders_take_turns():
    """A slot must go to the sender who had the fewest, however many requests another has waiting."""
    queue, results = AdmissionQueue(1, 12, LONG), SimpleQueue()
    slot = queue.acquire(ANN)
    for sender, name in ((ANN, "a1"), (ANN, "a2"), (ANN, "a3"), (BEN, "b1"), (BEN, "b2"), (CLEO, "c1")):
        add_waiting(queue, sender, name, results)
    assert served_order(queue, slot, results, 6) == ["b1", "c1", "a1", "b2", "a2", "a3"]


def fill(queue, *senders):
    """Ask for a slot for each sender, and return which were given one at once."""
    return [queue.acquire(sender) is not None for sender in senders]


def make_frequent(queue, *senders):
    """Give each sender as many slots, one after the other, as a frequent one had."""
    for sender in senders * FREQUENT:
        queue.release(queue.acquire(sender))


def test_frequent_senders_share_an_eighth_of_the_slots():
    """Senders who had many of the last slots must have an eighth of the slots together, and all others the rest."""
    queue = AdmissionQueue(16, 0, LONG)
    make_frequent(queue, ANN, BEN, CLEO)
    assert fill(queue, ANN, BEN, CLEO, ANN) == [True, True, False, False]
    assert fill(queue, *[Sender(f"10.0.1.{number}", 100 + number) for number in range(15)]) == [True] * 14 + [False]


def test_a_client_counts_whole_wherever_it_comes_from():
    """A client over many addresses must be one sender, and an address with many invalid keys too."""
    for senders in ([Sender(f"10.0.0.{number}", 1) for number in range(8)], [Sender("10.0.0.1")] * 8):
        queue = AdmissionQueue(8, 0, LONG)
        make_frequent(queue, senders[0])
        assert fill(queue, *senders) == [True] + [False] * 7


def test_a_sender_who_comes_again_later_is_not_frequent():
    """After 2,048 slots of others a sender must count as new."""
    queue = AdmissionQueue(4, 0, LONG)
    others = [Sender("10.0.0.1", 100 + number) for number in range(RECENT)]
    make_frequent(queue, ANN)
    for sender in others[:-FREQUENT]:
        queue.release(queue.acquire(sender))
    slot = queue.acquire(ANN)
    assert slot.is_frequent
    queue.release(slot)
    for sender in others:
        queue.release(queue.acquire(sender))
    assert not queue.acquire(ANN).is_frequent


def test_a_share_that_comes_free_is_given_on():
    """A frequent sender's request, with slots free for others, must run when the share comes free."""
    queue, results = AdmissionQueue(8, 4, LONG), SimpleQueue()
    make_frequent(queue, ANN)
    held = queue.acquire(ANN)
    add_waiting(queue, ANN, "a1", results)
    queue.release(queue.acquire(BEN))
    assert results.empty()
    queue.release(held)
    name, slot = results.get(timeout=LONG)
    assert name == "a1"
    assert slot.is_frequent


def test_a_full_queue_refuses_at_once():
    """A request that finds the queue full of others' single requests must be refused at once."""
    queue, results = AdmissionQueue(1, 1, LONG), SimpleQueue()
    slot = queue.acquire(ANN)
    add_waiting(queue, BEN, "b1", results)
    assert not queue.acquire(CLEO)
    assert served_order(queue, slot, results, 1) == ["b1"]


def test_one_caller_has_half_of_the_queue():
    """A sender must have at most half of the places to wait."""
    queue, results = AdmissionQueue(1, 4, LONG), SimpleQueue()
    slot = queue.acquire(ANN)
    for name in ("a1", "a2"):
        add_waiting(queue, ANN, name, results)
    assert not queue.acquire(ANN)
    add_waiting(queue, BEN, "b1", results)
    assert served_order(queue, slot, results, 3) == ["b1", "a1", "a2"]


def test_a_flooding_device_leaves_the_others_of_its_client_their_turns():
    """A device that fills its half of the queue must not keep another device of the client, or its key, from turns."""
    queue, results = AdmissionQueue(1, 4, LONG), SimpleQueue()
    flooding, other = Sender("10.0.0.1", 1, 1), Sender("10.0.0.2", 1, 2)
    slot = queue.acquire(flooding)
    for name in ("f1", "f2"):
        add_waiting(queue, flooding, name, results)
    assert not queue.acquire(flooding)
    add_waiting(queue, other, "o1", results)
    add_waiting(queue, Sender("10.0.0.3", 1), "k1", results)
    assert served_order(queue, slot, results, 4) == ["o1", "k1", "f1", "f2"]


def test_in_a_full_queue_the_greediest_gives_way():
    """A sender with fewer requests in a full queue must get the place of the last request of who has the most."""
    queue, results = AdmissionQueue(1, 4, LONG), SimpleQueue()
    slot = queue.acquire(ANN)
    for sender, name in ((ANN, "a1"), (ANN, "a2"), (BEN, "b1"), (BEN, "b2")):
        add_waiting(queue, sender, name, results)
    thread = WaitingThread(queue, CLEO, "c1", results)
    thread.start()
    assert results.get(timeout=LONG) == ("a2", None)
    while queue.waiting < 4:
        assert thread.is_alive()
    assert served_order(queue, slot, results, 4) == ["b1", "c1", "a1", "b2"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([ANN, BEN, CLEO, Sender("10.0.0.1", 4)]), max_size=12))
def test_a_request_is_refused_at_once_if_it_would_be(senders):
    """`would_refuse` must say of every request whether it is refused at once or waits, perhaps in another's place."""
    queue, results = AdmissionQueue(1, 4, LONG), SimpleQueue()
    slot = queue.acquire(ANN)
    for sender in senders:
        own = queue._waiting[sender.names[0]]
        would_refuse = queue.would_refuse(sender)
        thread = WaitingThread(queue, sender, sender, results)
        thread.start()
        if would_refuse:
            thread.join(LONG)
            assert not thread.is_alive()
        else:
            while queue._waiting[sender.names[0]] == own:
                assert thread.is_alive()
        assert queue._most_of_one == max(queue._waiting.values(), default=0)
    while queue.waiting:
        queue.release(slot)
        while (slot := results.get(timeout=LONG)[1]) is None:
            pass


def test_a_request_leaves_the_queue_after_its_patience():
    """A request must leave the queue after its patience, and the next slot is for others."""
    queue = AdmissionQueue(1, 1, 0.0)
    slot = queue.acquire(ANN)
    assert not queue.acquire(BEN)
    assert queue.waiting == 0
    queue.release(slot)
    assert queue.acquire(BEN)


class LateHandOver:
    """A lock before whose second use another request hands over its slot."""

    def __init__(self, queue, slot):
        self.queue, self.slot, self.lock, self.uses = queue, slot, queue._lock, 0

    def __enter__(self):
        self.uses += 1
        if self.uses == 2:
            self.queue._lock = self.lock
            self.queue.release(self.slot)

    def __exit__(self, *_):
        pass


def test_a_slot_handed_over_at_the_timeout_is_used():
    """A slot that is handed over just as the wait times out must be used, or it would be lost."""
    queue = AdmissionQueue(1, 2, 0.0)
    queue._lock = LateHandOver(queue, queue.acquire(ANN))
    slot = queue.acquire(BEN)
    assert not queue.acquire(CLEO)
    queue.release(slot)
    assert queue.acquire(CLEO)


def test_a_queue_without_slots_refuses_everything():
    """A queue without slots must refuse everything."""
    assert not AdmissionQueue(0, 0).acquire(ANN)


def test_different_requests_have_separate_queues():
    """Games, each health probe, and all other requests must have separate queues."""
    admission = Admission()
    paths = ("/v1/judge", "/v1/games", "/healthz", "/readyz")
    assert len({id(admission.queue_for(path)) for path in paths}) == len(paths)
    assert admission.queue_for("/v1/games") is admission.queue_for("/v1/games/x/turns")
    assert admission.queue_for("/v1/judge") is admission.queue_for("/nowhere")


def test_players_who_take_turns_often_run_side_by_side():
    """Turns of players who ask again and again must run at once, for one flush of the disk; a newcomer is next."""
    games, results = Admission().queue_for("/v1/games"), SimpleQueue()
    players = [Sender(f"10.0.1.{number}", 10 + number) for number in range(MAX_CONCURRENT_GAMES)]
    make_frequent(games, *players, BEN)
    slot, *others = [games.acquire(player) for player in players]
    assert all(each.is_frequent for each in (slot, *others))
    add_waiting(games, BEN, "ben", results)
    add_waiting(games, ANN, "ann", results)
    assert served_order(games, slot, results, 2) == ["ann", "ben"]


@pytest.mark.parametrize(
    ("admission", "path", "slots"),
    [
        (Admission(), "/v1/judge", 1),
        (Admission(), "/v1/games", MAX_CONCURRENT_GAMES),
        (Admission.over_redis(), "/v1/judge", 16),
        (Admission.over_redis(), "/v1/games", 16),
    ],
)
def test_a_busy_key_has_a_share_of_the_slots(admission, path, slots):
    """One busy key must have an eighth of the slots, all of those for games, and half of all over Redis."""
    queue = admission.queue_for(path)
    make_frequent(queue, ANN)
    held = [queue.acquire(ANN) for _ in range(slots)]
    assert all(slot.is_frequent for slot in held)
    add_waiting(queue, ANN, "a", SimpleQueue())
    for slot in held:
        queue.release(slot)


def test_one_caller_may_send_so_many_bodies():
    """A client, and an address, must have at most 64 bodies read at once, and others go on."""
    admission = Admission()
    assert [admission.begin_body(Sender("10.0.0.1")) for _ in range(MAX_READ + 1)] == [True] * MAX_READ + [False]
    assert not admission.begin_body(ANN)
    assert admission.begin_body(BEN)
    admission.end_body(Sender("10.0.0.1"))
    assert admission.begin_body(ANN)


def test_senders_are_forgotten():
    """What is remembered of senders must stay bounded, and nothing is left of those who are gone but their turn."""
    queue = AdmissionQueue()
    for number in range(3_000):
        queue.release(queue.acquire(Sender(f"10.0.{number // 250}.{number % 250}", number)))
    assert len(queue._given) == len(queue._shares) == RECENT
    assert queue._places._counts == {}
