"""Tests of admission: few requests run at once, in the order of arrival, and a long or slow queue refuses."""

from __future__ import annotations

import threading
from queue import SimpleQueue

from ordws.web.admission import Admission, AdmissionQueue

LONG = 60


class WaitingThread(threading.Thread):
    """A thread that takes a slot, and reports it."""

    def __init__(self, queue, name, results):
        super().__init__(daemon=True)
        self.queue, self.request, self.results = queue, name, results

    def run(self):
        self.results.put((self.request, self.queue.acquire()))


def add_waiting(queue, name, results):
    """Add a thread to the queue, and return it when it waits there."""
    before = queue.waiting
    thread = WaitingThread(queue, name, results)
    thread.start()
    while queue.waiting == before:
        assert thread.is_alive()
    return thread


def test_the_queue_is_first_come_first_served():
    """A released slot must go to the request that waited longest, and not to a new one."""
    queue, results = AdmissionQueue(1, 3, LONG), SimpleQueue()
    assert queue.acquire()
    threads = [add_waiting(queue, name, results) for name in ("first", "second", "third")]
    for name in ("first", "second", "third"):
        queue.release()
        assert results.get(timeout=LONG) == (name, True)
        assert results.empty()
    for thread in threads:
        thread.join(LONG)
    assert queue.waiting == 0


def test_a_full_queue_refuses_at_once():
    """A request that finds the queue full must be refused at once, without disturbing those in it."""
    queue, results = AdmissionQueue(1, 1, LONG), SimpleQueue()
    assert queue.acquire()
    add_waiting(queue, "first", results)
    assert not queue.acquire()
    queue.release()
    assert results.get(timeout=LONG) == ("first", True)


def test_a_request_leaves_the_queue_after_its_patience():
    """A request must leave the queue after its patience, and the next slot is for others."""
    queue = AdmissionQueue(1, 1, 0.0)
    assert queue.acquire()
    assert not queue.acquire()
    assert queue.waiting == 0
    queue.release()
    assert queue.acquire()


class LateHandOver:
    """A lock before whose second use another request hands over its slot."""

    def __init__(self, queue):
        self.queue, self.uses = queue, 0

    def __enter__(self):
        self.uses += 1
        if self.uses == 2:
            self.queue._queue.popleft().release()

    def __exit__(self, *_):
        pass


def test_a_slot_handed_over_at_the_timeout_is_used():
    """A slot that is handed over just as the wait times out must be used, or it would be lost."""
    queue = AdmissionQueue(1, 1, 0.0)
    assert queue.acquire()
    queue._lock, lock = LateHandOver(queue), queue._lock
    assert queue.acquire()
    queue._lock = lock
    assert not queue.acquire()
    queue.release()
    assert queue.acquire()


def test_a_queue_without_slots_refuses_everything():
    """A queue without slots must refuse everything."""
    assert not AdmissionQueue(0, 0).acquire()


def test_different_requests_have_separate_queues():
    """Games, each health probe, and all other requests must have separate queues."""
    admission = Admission()
    paths = ("/v1/judge", "/v1/games", "/healthz", "/readyz")
    assert len({id(admission.queue_for(path)) for path in paths}) == len(paths)
    assert admission.queue_for("/v1/games") is admission.queue_for("/v1/games/x/turns")
    assert admission.queue_for("/v1/judge") is admission.queue_for("/nowhere")
