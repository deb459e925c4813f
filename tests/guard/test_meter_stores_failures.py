"""The contract of a store of meters that is shared, lost and killed under load."""

from __future__ import annotations

import threading
from collections import Counter
from multiprocessing import get_context

import pytest
from store_backends import open_store

from ordws.errors import StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading
from ordws.guard.price import Charge, Mark, Meter

NOW = 1_000
PATIENCE_SECONDS = 20

UNITS = Meter("me/1/units", 3, 2_000)
SHARE = DetectorSum("me/sign/share", 10, 5_000, 5_000)


def charge(*meters, adds=None, marks=()):
    return Charge(meters, adds or {}, marks)


def one(meter=UNITS):
    return charge(meter, adds={meter.name: 1})


def test_a_store_that_is_gone_admits_nothing_and_comes_back(store, place):
    """Every verb fails while the store is away; then it stands where it stood."""
    store.admit(one(), NOW)
    place.take_away()
    for verb in (
        lambda: store.admit(charge(UNITS), NOW),
        lambda: store.settle(UNITS.name, 1, NOW),
        lambda: store.update_detectors([(SHARE, 1)], NOW),
        lambda: store.read([UNITS], NOW),
        lambda: store.active_alarms(NOW),
        lambda: store.find_mark_end(b"a", NOW),
        lambda: list(store.stored_meters("")),
        lambda: store.refuse_until(NOW),
        lambda: store.sweep(NOW),
    ):
        with pytest.raises(StoreDown):
            verb()
    place.bring_back()
    assert store.read([UNITS], NOW) == [MeterReading(1, 2_000)]


def test_a_store_that_was_never_made_is_not_made_by_asking(place):
    """Meters that were lost are noticed, not begun anew."""
    store = open_store(place.address)
    for _ in range(2):
        for verb in (
            lambda: store.admit(charge(UNITS), NOW),
            lambda: store.settle(UNITS.name, 1, NOW),
            lambda: store.update_detectors([(SHARE, 1)], NOW),
            lambda: store.read([], NOW),
            lambda: store.active_alarms(NOW),
            lambda: store.find_mark_end(b"a", NOW),
            lambda: list(store.stored_meters("")),
            lambda: store.refuse_until(NOW),
            lambda: store.sweep(NOW),
        ):
            with pytest.raises(StoreDown):
                verb()
    store.close()


def ask_at_once(address, process):
    """In a process of its own, eight threads: how many of 160 charges were admitted."""
    store, granted, meter = open_store(address), Counter(), Meter("me/1/units", 200, 2_000)

    def ask(thread):
        for n in range(20):
            mark = Mark(b"%d/%d/%d" % (process, thread, n), 1_800, (meter.name,))
            granted[thread] += isinstance(store.admit(charge(meter, marks=(mark,)), NOW), Admitted)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    return sum(granted.values())


def test_threads_and_processes_get_exactly_the_limit(store, place):
    """Of 640 questions of eight threads in each of four processes a meter of 200 admits 200."""
    with get_context("spawn").Pool(4) as pool:
        granted = pool.starmap(ask_at_once, [(place.address, process) for process in range(4)])
    assert sum(granted) == 200
    assert store.read([UNITS], NOW) == [MeterReading(200, 2_000)]


def ask_until_killed(address, told):
    """In a process of its own: charge one mark after another, and tell how many were admitted."""
    store, meter = open_store(address), Meter("me/1/units", 1_000_000, 2_000)
    for n in range(1_000_000):
        store.admit(charge(meter, marks=(Mark(b"%d" % n, 1_800, (meter.name,)),)), NOW)
        told.send(n + 1)


def test_a_killed_worker_leaves_nothing_half(store, place):
    """What it was told is written, the meter agrees with the marks, and the others go on at once."""
    context = get_context("spawn")
    listens, tells = context.Pipe(duplex=False)
    worker = context.Process(target=ask_until_killed, args=(place.address, tells))
    worker.start()
    tells.close()
    while listens.recv() < 50:
        pass
    worker.kill()
    worker.join()
    admitted = 50
    while listens.poll():
        try:
            admitted = listens.recv()
        except EOFError:
            break
    listens.close()
    worker.close()
    (stands,) = store.read([UNITS], NOW)
    marked = next(n for n in range(1_000_000) if store.find_mark_end(b"%d" % n, NOW) is None)
    assert stands.spent == marked
    assert admitted <= marked <= admitted + 1
    assert store.admit(charge(marks=(Mark(b"x", 1_800),)), NOW) == Admitted(frozenset({b"x"}))


class Load:
    """Threads that charge one mark after another, whatever happens to the store."""

    def __init__(self, store):
        self.store, self.changed, self.is_over = store, threading.Condition(), False
        self.admitted, self.refusals = [], Counter()
        self.threads = [threading.Thread(target=self.ask, args=(n,)) for n in range(4)]
        for thread in self.threads:
            thread.start()

    def ask(self, thread):
        n = 0
        while not self.is_over:
            n += 1
            mark = Mark(b"%d/%d" % (thread, n), 1_800, ("me/1/units",))
            try:
                self.store.admit(charge(Meter("me/1/units", 1_000_000, 2_000), marks=(mark,)), NOW)
            except StoreDown:
                with self.changed:
                    self.refusals[thread] += 1
                    self.changed.notify_all()
            else:
                with self.changed:
                    self.admitted.append(mark.key)
                    self.changed.notify_all()

    def wait_until(self, is_so):
        with self.changed:
            assert self.changed.wait_for(is_so, PATIENCE_SECONDS)

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()


def test_a_store_lost_under_load_forgets_nothing(store, place):
    """Killed or taken away while questions come: these get no answer, it recovers by itself, and all is there."""
    load = Load(store)
    try:
        load.wait_until(lambda: len(load.admitted) >= 100)
        place.take_away()
        load.wait_until(lambda: len(load.refusals) == 4)
        place.bring_back()
        before = len(load.admitted)
        load.wait_until(lambda: len(load.admitted) >= before + 100)
    finally:
        load.end()
    (stands,) = store.read([UNITS], NOW)
    assert len(load.admitted) <= stands.spent <= len(load.admitted) + 4
    assert [store.find_mark_end(key, NOW) for key in load.admitted] == [1_800] * len(load.admitted)
