"""The contract of a meter store that is shared, lost and killed under load."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from multiprocessing import get_context
from random import Random

import pytest
from gate_helpers import NOON, words
from guest_table import GuestTable
from store_backends import open_store

from ordws.errors import StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Charge, Mark, Meter

NOW = 1_000
PATIENCE_SECONDS = 20

UNITS = Meter("me/1/units", 3, 2_000)
SHARE = DetectorSum("me/sign/share", 10, 5_000, 5_000)


def charge(*meters, amounts=None, marks=()):
    return Charge(meters, amounts or {}, marks)


def one(meter=UNITS):
    return charge(meter, amounts={meter.name: 1})


def test_a_store_that_is_gone_admits_nothing_and_comes_back(store, backend):
    """Every method raises StoreDown while the store is away; then the store is as it was."""
    store.admit(one(), NOW)
    backend.take_away()
    for verb in (
        lambda: store.admit(charge(UNITS), NOW),
        lambda: store.settle(UNITS.name, 1, NOW),
        lambda: store.update_detectors([(SHARE, 1)], NOW),
        lambda: store.read([UNITS], NOW),
        lambda: store.active_alarms(NOW),
        lambda: store.find_mark_end(b"a", NOW, "me"),
        lambda: list(store.stored_meters("")),
        lambda: store.refuse_until(NOW),
        lambda: store.sweep(NOW),
    ):
        with pytest.raises(StoreDown):
            verb()
    backend.bring_back()
    assert store.read([UNITS], NOW) == [MeterReading(1, 2_000)]


def test_a_store_is_not_created_by_opening_it(backend):
    """A store that is only opened is never made, so that lost meters are noticed."""
    store = open_store(backend.address)
    for _ in range(2):
        for verb in (
            lambda: store.admit(charge(UNITS), NOW),
            lambda: store.settle(UNITS.name, 1, NOW),
            lambda: store.update_detectors([(SHARE, 1)], NOW),
            lambda: store.read([], NOW),
            lambda: store.active_alarms(NOW),
            lambda: store.find_mark_end(b"a", NOW, "me"),
            lambda: list(store.stored_meters("")),
            lambda: store.refuse_until(NOW),
            lambda: store.sweep(NOW),
        ):
            with pytest.raises(StoreDown):
                verb()
    store.close()


def ask_at_once(address, process):
    """Make 160 charges from eight threads in a process of its own; return the number admitted."""
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


def test_threads_and_processes_get_exactly_the_limit(store, backend):
    """A meter of 200 admits exactly 200 of 640 charges from eight threads in each of four processes."""
    with get_context("spawn").Pool(4) as pool:
        granted = pool.starmap(ask_at_once, [(backend.address, process) for process in range(4)])
    assert sum(granted) == 200
    assert store.read([UNITS], NOW) == [MeterReading(200, 2_000)]


def ask_until_killed(address, counts):
    """Charge one mark after another in a process of its own, and send the number admitted."""
    store, meter = open_store(address), Meter("me/1/units", 1_000_000, 2_000)
    for n in range(1_000_000):
        store.admit(charge(meter, marks=(Mark(b"%d" % n, 1_800, (meter.name,)),)), NOW)
        counts.send(n + 1)


def test_a_killed_worker_leaves_meters_and_marks_consistent(store, backend):
    """A killed worker leaves meter and marks in agreement, with everything it was told, and blocks nobody."""
    context = get_context("spawn")
    listens, tells = context.Pipe(duplex=False)
    worker = context.Process(target=ask_until_killed, args=(backend.address, tells))
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
    (reading,) = store.read([UNITS], NOW)
    marked = next(n for n in range(1_000_000) if store.find_mark_end(b"%d" % n, NOW, "me") is None)
    assert reading.spent == marked
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


def test_a_store_lost_under_load_forgets_nothing(store, backend):
    """A store that is lost under load answers nothing, recovers by itself, and keeps every admission."""
    load = Load(store)
    try:
        load.wait_until(lambda: len(load.admitted) >= 100)
        backend.take_away()
        load.wait_until(lambda: len(load.refusals) == 4)
        backend.bring_back()
        before = len(load.admitted)
        load.wait_until(lambda: len(load.admitted) >= before + 100)
    finally:
        load.end()
    (reading,) = store.read([UNITS], NOW)
    assert len(load.admitted) <= reading.spent <= len(load.admitted) + 4
    assert [store.find_mark_end(key, NOW, "me") for key in load.admitted] == [1_800] * len(load.admitted)


def play(address, worker, seed, sent):
    """Hold, ask and give back games of this worker until it is killed."""
    table, rng, number = GuestTable(open_store(address), Policy()), Random(seed), 0
    while True:
        game = f"{worker}-{seed}-{number}"
        sent.send(game)
        number += 1
        if table.games.hold(game, NOON + DAY, NOON) is None:
            for _ in range(rng.randrange(4)):
                table.ask(game, *words(rng.randrange(900), rng.randrange(1, 5)), now=NOON)
            # Two workers may find that a game is over.
            table.games.give_back(f"{rng.randrange(4)}-{seed}-{rng.randrange(number)}", NOON)


def test_four_processes_that_are_killed_lose_and_double_nothing(backend):
    """After kills at any moment all is given back once: the day holds exactly what its games have spent."""
    store, context, games = backend.create(), get_context("fork"), []
    store.close()
    rng = Random(7)
    for seed in range(3):
        workers = []
        for worker in range(4):
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=play, args=(backend.address, worker, seed, sender), daemon=True)
            process.start()
            sender.close()
            workers.append((process, receiver, rng.randrange(2, 7)))
        for process, receiver, count in workers:
            games += [receiver.recv() for _ in range(count)]
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            try:
                while True:
                    games.append(receiver.recv())
            except EOFError:
                pass
    table = GuestTable(open_store(backend.address), Policy())
    for game in games:
        table.games.give_back(game, NOON)
    spent = sum(table.charged(game, NOON // DAY) for game in games)
    assert spent > 0
    assert (table.shared(NOON // DAY)[0], table.shared(NOON // DAY + 1)) == (spent, [0, 0])
    table.gate.store.close()


def test_every_store_gives_back_in_one_charge(store):
    """A charge with a negative amount is written whole or not at all: a second one is refused and gives nothing."""
    table = GuestTable(store, Policy())
    table.games.hold("g", NOON + DAY, NOON)
    assert table.ask("g", *words(0, 8), now=NOON) is None
    assert (table.games.give_back("g", NOON), table.games.give_back("g", NOON)) == (20, 0)
    assert (table.shared(NOON // DAY), table.shared(NOON // DAY + 1)) == ([8, 0], [0, 0])
