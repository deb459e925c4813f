"""Few requests are answered at once, in the order in which they came; too long a queue, or too slow a one, refuses."""

from __future__ import annotations

import threading
from queue import SimpleQueue

from ordws.web.admission import Admission, AdmissionQueue

LONG = 60


class WaitingThread(threading.Thread):
    """Somebody who takes a place, and says so."""

    def __init__(self, places, name, told):
        super().__init__(daemon=True)
        self.places, self.guest, self.told = places, name, told

    def run(self):
        self.told.put((self.guest, self.places.acquire()))


def come(places, name, told):
    """One more in the queue, whose turn it is not yet."""
    before = places.waiting
    guest = WaitingThread(places, name, told)
    guest.start()
    while places.waiting == before:
        assert guest.is_alive()
    return guest


def test_whoever_came_first_is_next():
    """A place that is given back is handed over, and nobody who comes meanwhile takes it."""
    places, told = AdmissionQueue(1, 3, LONG), SimpleQueue()
    assert places.acquire()
    guests = [come(places, name, told) for name in ("first", "second", "third")]
    for name in ("first", "second", "third"):
        places.release()
        assert told.get(timeout=LONG) == (name, True)
        assert told.empty()
    for guest in guests:
        guest.join(LONG)
    assert places.waiting == 0


def test_a_full_queue_refuses_at_once():
    """Who cannot even wait is told so, and those who wait are not disturbed."""
    places, told = AdmissionQueue(1, 1, LONG), SimpleQueue()
    assert places.acquire()
    come(places, "first", told)
    assert not places.acquire()
    places.release()
    assert told.get(timeout=LONG) == ("first", True)


def test_nobody_waits_for_ever():
    """Where no place becomes free, a guest leaves the queue; the next place is for others."""
    places = AdmissionQueue(1, 1, 0.0)
    assert places.acquire()
    assert not places.acquire()
    assert places.waiting == 0
    places.release()
    assert places.acquire()


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


def test_a_slot_that_comes_as_patience_ends_is_taken():
    """A slot that is handed over just as the wait times out must be used, or it would be lost."""
    queue = AdmissionQueue(1, 1, 0.0)
    assert queue.acquire()
    queue._lock, lock = LateHandOver(queue), queue._lock
    assert queue.acquire()
    queue._lock = lock
    assert not queue.acquire()
    queue.release()
    assert queue.acquire()


def test_without_places_all_are_refused():
    """A house without any refuses everybody."""
    assert not AdmissionQueue(0, 0).acquire()


def test_what_waits_for_different_things_fills_no_others_places():
    """Games, each probe, and all else."""
    rooms = Admission()
    paths = ("/v1/judge", "/v1/games", "/healthz", "/readyz")
    assert len({id(rooms.queue_for(path)) for path in paths}) == len(paths)
    assert rooms.queue_for("/v1/games") is rooms.queue_for("/v1/games/x/turns")
    assert rooms.queue_for("/v1/judge") is rooms.queue_for("/nowhere")
