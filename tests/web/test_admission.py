"""Tests of admission: few requests run at once, senders take turns by kind, and nobody holds all threads."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from time import thread_time

import pytest

from ordws.sender_limits import Kind, SlotQueue
from ordws.web.senders import (
    MAX_HELD,
    MAX_HELD_BY_ADDRESS,
    MAX_HELD_BY_ONE,
    MAX_HELD_BY_STRANGERS,
    Admission,
    Sender,
)

LONG = 60


def known(client, address="10.0.0.1", device=None):
    return Sender(address, Kind.KNOWN, (client, device))


def seated(address):
    return Sender(address, Kind.SEATED, address)


def stranger(address):
    return Sender(address, name=address)


def burn(seconds):
    """Take so much processor time."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


class Table:
    """A queue whose slots are taken, and the requests that wait for them, each in a thread."""

    def __init__(self, *before, slots=1, max_waiting=64, **limits):
        """Let senders take so many seconds of the processor `before`; each is a pair."""
        self.turns, self.results = SlotQueue(slots, max_waiting, LONG, **limits), SimpleQueue()
        for sender, seconds in before:
            assert self.turns.acquire(sender)
            burn(seconds)
            self.turns.release(sender)
        self.running = []
        for number in range(slots):
            self._begin(known(f"first {number}"))
            self.running.append(self.results.get(timeout=LONG)[1:])

    def wait(self, *senders):
        """Let each sender wait for a slot, one after the other."""
        for sender in senders:
            before = self.turns.waiting
            thread = self._begin(sender)
            while self.turns.waiting == before:
                assert thread.is_alive()
        return self

    def _begin(self, sender):
        thread = threading.Thread(target=self._run, args=(sender,), daemon=True)
        thread.start()
        return thread

    def _run(self, sender):
        has_slot, ends = self.turns.acquire(sender), threading.Event()
        self.results.put((has_slot, sender, ends))
        if has_slot and ends.wait(LONG):
            self.turns.release(sender)

    def release(self):
        """Let the request end that has run the longest, and return who is given its slot."""
        self.running.pop(0)[1].set()
        has_slot, sender, ends = self.results.get(timeout=LONG)
        assert has_slot
        assert self.results.empty()
        self.running.append((sender, ends))
        return sender

    def order(self, count):
        return [self.release() for _ in range(count)]


def test_keys_come_first_then_seats_then_strangers():
    """A slot goes to a key or device, then to a seat, then to a stranger, of whom one may run in any case."""
    ann, seat, others = known(1), seated("10.0.0.2"), [stranger(f"10.0.1.{n}") for n in range(3)]
    table = Table(slots=2).wait(*others, seat, ann)
    assert table.order(5) == [others[0], ann, others[1], seat, others[2]]


def test_senders_take_turns():
    """A slot goes to the sender with the fewest that run, and of these to the one with the least processor time."""
    ann, ben, cleo = known(1), known(2), known(3)
    table = Table((ann, 0.01), (cleo, 0.02), (ben, 0.04)).wait(ben, ben, cleo, ann, ann)
    assert table.order(5) == [ann, ann, cleo, ben, ben]
    table = Table(slots=2).wait(ann, ann, ben, ann)
    assert table.order(2) == [ann, ben], "one slot a sender while others wait"


def test_one_sender_leaves_slots_free():
    """Where one sender has all that it may, its others wait beside a free slot, which is at once another's."""
    turns = SlotQueue(3, 8, 0.0, most_of_one=2)
    assert [turns.acquire(each) for each in (known(1), known(1), known(1), known(2))] == [True, True, False, True]
    turns.release(known(1))
    assert turns.acquire(known(1))
    assert Table(slots=2, most_of_one=2).wait(known(1)).release() == known(1)


def test_a_device_does_not_take_the_turns_of_its_client():
    """A device that asks very often leaves another device of its client, and the key, their turns."""
    flooding, other, key = known(1, device=1), known(1, device=2), known(1)
    table = Table((flooding, 0.01)).wait(flooding, flooding, other, key)
    assert table.order(4) == [other, key, flooding, flooding]


def test_a_request_leaves_the_queue_after_its_patience():
    """A request that waited too long is refused, and the next slot is for others."""
    turns = SlotQueue(1, 8, 0.0)
    assert turns.acquire(known(1))
    assert not turns.acquire(known(2))
    assert turns.waiting == 0
    turns.release(known(1))
    assert turns.acquire(known(2))


def test_few_wait_for_computed_pages_and_probes():
    """Eight wait for pages that are computed, so that however many ask, others find threads."""
    table = Table(max_waiting=8).wait(*[stranger(f"10.0.1.{n}") for n in range(8)])
    assert not table.turns.acquire(known(1))
    admission = Admission()
    lanes = [admission.queue_for(*each) for each in (("/rules/dover", "a=1"), ("/healthz", ""), ("/readyz", ""))]
    assert len({id(lane) for lane in lanes}) == 3
    others = admission.queue_for("/v1/judge", "")
    assert others is admission.queue_for("/rules/dover", "") is admission.queue_for("/nowhere", "x=1")
    assert admission.queue_for("/v1/games", "") is admission.queue_for("/v1/games/x/turns", "") is not others


def enter(admission, senders):
    return sum([admission.enter(sender, "/v1/judge") is not None for sender in senders])


def test_strangers_hold_half_of_the_threads():
    """Strangers from many addresses leave keys and seats half of the threads, and all together some for refusals."""
    admission = Admission()
    strangers = [stranger(f"10.0.{n // 100}.{n % 100}") for n in range(400)]
    assert enter(admission, strangers) == MAX_HELD_BY_STRANGERS
    assert enter(admission, [known(n) for n in range(400)]) == MAX_HELD - MAX_HELD_BY_STRANGERS
    assert admission.under_way == MAX_HELD
    assert admission.enter(stranger("10.1.0.1"), "/healthz"), "a probe always enters"
    for each in strangers[:2]:
        admission.leave(each, ((each.address, MAX_HELD_BY_ADDRESS),))
    assert enter(admission, [known(1)]) == 1


def test_one_sender_holds_a_part_of_the_threads():
    """One key, one address, and one IPv6 network of 64, 56 or 48 bits hold a part of the threads."""
    assert enter(Admission(), [known(1, f"10.0.0.{n}") for n in range(99)]) == MAX_HELD_BY_ONE
    assert enter(Admission(), [seated("10.0.0.1")] * 99) == MAX_HELD_BY_ADDRESS
    small = [[seated(f"2001:db8:1:{n:x}::/64") for n in range(same, same + 50)] for same in (0x200, 0x300)]
    assert enter(Admission(), small[0]) == 50
    admission = Admission()
    assert enter(admission, [*small[0], *small[0]]) == 4 * MAX_HELD_BY_ADDRESS
    assert enter(admission, small[1]) == MAX_HELD - 4 * MAX_HELD_BY_ADDRESS


def test_what_is_left_is_forgotten():
    """A sender who left may come again, and nothing is remembered of the threads that it held."""
    admission, sender = Admission(), seated("2001:db8::/64")
    for _ in range(2_000):
        names = admission.enter(sender, "/v1/judge")
        assert names == (("2001:db8::/64", 16), ("2001:db8::/56", 64), ("2001:db8::/48", 256))
        admission.leave(sender, names)
    assert admission.under_way == 0


@pytest.mark.parametrize(("admission", "slots"), [(Admission(patience=0.0), 2), (Admission(32, 32, 0.0), 32)])
def test_so_many_run_at_once(admission, slots):
    """Two questions run at once with stores of this host, and 32 over Redis, where they wait for the server."""
    turns = admission.queue_for("/v1/judge", "")
    assert [turns.acquire(known(n)) for n in range(slots + 1)] == [True] * slots + [False]
