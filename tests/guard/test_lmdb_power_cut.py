"""Tests of meters in LMDB after the machine lost its power: no budget is given back.

A cut is played by what would be on disk: snapshots, the journals whose names were flushed with the folder, and of each
what was flushed and any part of the rest. The map is not there at all, for nothing of it is used after another start of
the machine.
"""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from power_cut import Machine

from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores import journal, meter_map, rebuild
from ordws.guard.stores.lmdb import LmdbMeterStore

NOW = 5 * DAY
GAME = Meter("me/game/game", 28, 7 * DAY)
METERS = (
    Meter("me/5/units", 356, 6 * DAY),
    Meter("me/5/outside", 20, 6 * DAY),
    GAME,
    Meter("world/5/world", 1_500, 6 * DAY),
)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    return Machine(tmp_path, monkeypatch)


@pytest.fixture
def store(machine):
    return LmdbMeterStore.create(machine.folder / "meters")


def spend(store, *amounts, now=NOW, mark=b""):
    """Add amounts to the meters."""
    charged = {meter.name: amount for meter, amount in zip(METERS, amounts, strict=False) if amount}
    marks = (Mark(mark, now + DAY, (), mark[:4].ljust(4)),) if mark else ()
    return store.admit(Charge(METERS, charged, marks, METERS[0].name, expected=METERS[:2]), now)


def spent(store, now=NOW):
    return [reading.spent for reading in store.read(METERS, now)]


def die(*_):
    raise OSError("killed")


def test_nothing_is_forgotten_by_a_regular_end(machine, store):
    """After a machine was shut down and started again, every meter, mark and alarm is as it was."""
    spend(store, 3, 2, 1, 3, mark=b"word")
    store.update_detectors([(DetectorSum("me/sign/share", 10, 9 * DAY, 9 * DAY), 20)], NOW)
    store.refuse_until(NOW - 1)
    again = machine.restart(store)
    assert spent(again) == [3, 2, 1, 3]
    assert again.find_mark_end(b"word", NOW) == NOW + DAY
    assert again.active_alarms(NOW) == {"me/sign/share"}
    assert [meter.fingerprints for meter in again.stored_meters("me/")] == [b"word"]
    again.close()


def test_what_may_be_forgotten_counts_as_spent(machine, store):
    """A meter that was drawn on has, after a cut, the level that was on disk before.

    That is a quarter of its limit above what was spent then, and at least 16. A meter that nobody drew on within two
    epochs is exact.
    """
    spend(store, 1, 0, 1, 1)
    store._map.seal(NOW)
    spend(store, 1, 0, 1)
    store._map.seal(NOW + 300)
    spend(store, 1, 1)
    after = machine.cut(store)
    assert spent(after) == [3 + 356 // 4, 1 + 16, 2 + 16, 1]
    after.close()


def test_flushed_questions_are_known_after_a_cut(machine, store):
    """Marks, fingerprints and alarms are there after a cut as far as they were flushed, a second ago."""
    spend(store, 1, mark=b"first")
    store.update_detectors([(DetectorSum("me/sign/share", 10, 9 * DAY, 9 * DAY), 20)], NOW)
    store.flush(NOW)
    spend(store, 1, mark=b"second")
    after = machine.cut(store)
    assert (after.find_mark_end(b"first", NOW), after.find_mark_end(b"second", NOW)) == (NOW + DAY, None)
    assert after.active_alarms(NOW) == {"me/sign/share"}
    assert [meter.fingerprints for meter in after.stored_meters("me/")] == [b"firs"]
    after.close()


@pytest.mark.parametrize(
    ("flushes", "is_exact"),
    [
        ((), False),
        ((NOW,), False),
        ((NOW, NOW + 299), False),
        ((NOW, NOW + 300), True),
        ((NOW, NOW + 1, NOW), False),
        ((NOW + 1, NOW), True),
    ],
)
def test_a_meter_is_exact_after_two_epochs(machine, store, flushes, is_exact):
    """A flush ends an epoch of five minutes, and at once the first one and one that began after the clock's time."""
    spend(store, 1)
    for now in flushes:
        store.flush(now)
    before, after = spent(store), machine.cut(store)
    assert (spent(after) == before) is is_exact
    after.close()


def test_a_meter_that_is_raised_on_waits_for_the_disk_once(machine, store):
    """From one epoch to the next a level is written ahead, also where a snapshot was taken."""
    spend(store, 1)
    for n in range(1, 20):
        flushed = dict(machine.flushed)
        assert isinstance(spend(store, 1), Admitted)
        assert machine.flushed == flushed
        if n % 7 == 0:
            store._map.checkpoint()
        else:
            store.flush(NOW + 300 * n)
    after = machine.cut(store)
    assert 20 <= spent(after)[0] <= 20 + 356 // 4
    after.close()


def test_a_wait_for_one_journal_says_nothing_of_the_next(machine, store, monkeypatch):
    """A level counts from when its own journal is on disk, also where a new one began while a thread waited."""
    wait = meter_map.MeterMap._sync

    def wait_while_a_journal_begins(each, waited_for):
        monkeypatch.setattr(meter_map.MeterMap, "_sync", wait)
        store._map.checkpoint()
        spend(store, 0, 0, 0, 10)
        wait(each, waited_for)

    spend(store, 0, 0, 0, 300)
    monkeypatch.setattr(meter_map.MeterMap, "_sync", wait_while_a_journal_begins)
    spend(store, 0, 0, 1)
    spend(store, 0, 0, 0, 370)
    after = machine.cut(store)
    assert spent(after)[3] >= spent(store)[3]
    after.close()


def test_who_waits_for_a_journal_waits_for_its_name(machine, store, monkeypatch):
    """A level that was waited for is there after a cut, although nobody else has flushed the new journal's name."""
    monkeypatch.setattr(rebuild, "write_snapshot", die)
    spend(store, 1)
    store._map.checkpoint()
    newest = max(path.name for path in store._map.folder.glob("journal-*"))
    assert newest not in machine.named
    spend(store, 200)
    after = machine.cut(store)
    assert spent(after)[0] >= 200
    after.close()


def test_a_map_that_was_closed_has_no_checkpoint(store):
    """A checkpoint that comes after a failure has closed the map does nothing, and waits for nothing."""
    spend(store, 1)
    store.close()
    journals = sorted(store._map.folder.glob("journal-[0-9]*"))
    store._map.checkpoint()
    assert sorted(store._map.folder.glob("journal-[0-9]*")) == journals


def test_nobody_waits_while_the_file_of_a_journal_is_made(store, monkeypatch):
    """A new file and its name are flushed before and after the lock is held, for which every question waits."""
    spend(store, 1)
    flushes = []
    monkeypatch.setattr(journal.os, "fsync", lambda _: flushes.append(store._map._lock.locked()))
    store._map.checkpoint()
    spend(store, 300)
    assert len(flushes) >= 3
    assert not any(flushes)


def test_a_closing_is_on_disk_at_once(machine, store):
    """A store that a restore has closed is closed after a cut."""
    store.refuse_until(6 * DAY)
    after = machine.cut(store)
    assert after.read(METERS[:1], NOW) == [MeterReading(356, 6 * DAY)]
    after.close()


def test_a_level_is_written_before_it_is_needed(machine, store, monkeypatch):
    """A meter that is raised without haste waits for the disk once: the flush of each second brings its next level."""
    waits = []
    sync = journal.Journal.sync
    monkeypatch.setattr(journal.Journal, "sync", lambda each: (waits.append(each), sync(each)))
    for n in range(300):
        asked = len(waits)
        assert isinstance(spend(store, 1), Admitted)
        assert (len(waits) > asked) is (n == 0)
        if n % 30 == 29:
            store.flush(NOW + 1)
    after = machine.cut(store)
    assert 300 <= spent(after)[0] <= 300 + 356 // 4
    after.close()


@pytest.mark.parametrize(("part", "mark_ends", "amount"), [(0.0, None, 0), (1.0, NOW + DAY, 9 + 16)])
def test_the_meters_that_a_mark_opens_are_lost_with_it_or_not_at_all(machine, store, part, mark_ends, amount):
    """The meters of a new game need no wait: a cut that takes them takes the mark, and the game is charged again."""
    store.admit(Charge((GAME,), {GAME.name: 9}, (Mark(b"game", NOW + DAY, opens=(GAME.name,)),)), NOW)
    assert machine.flushed == {}
    after = machine.cut(store, part)
    assert (after.find_mark_end(b"game", NOW), spent(after)[2]) == (mark_ends, amount)
    after.close()


def test_beyond_their_first_level_the_meters_of_a_new_game_wait(machine, store):
    """A meter that a mark opened waits for the disk like any other, once its first level is used up."""
    store.admit(Charge((GAME,), {GAME.name: 9}, (Mark(b"game", NOW + DAY, opens=(GAME.name,)),)), NOW)
    store.admit(Charge((GAME,), {GAME.name: 16}, ()), NOW)
    assert machine.flushed == {}
    store.admit(Charge((GAME,), {GAME.name: 1}, ()), NOW)
    after = machine.cut(store)
    assert spent(after)[2] >= 26
    after.close()


def test_levels_that_will_be_needed_come_with_one_that_is(machine, store):
    """The first question of an identity brings to disk the levels of the other meters that its next ones raise."""
    charge = Charge(METERS[:1], {METERS[0].name: 1}, (), expected=METERS[:2])
    store.admit(charge, NOW)
    size = dict(machine.flushed)
    store.admit(Charge(METERS[1:2], {METERS[1].name: 9}, ()), NOW)
    assert machine.flushed == size
    after = machine.cut(store)
    assert spent(after) == [356 // 4 + 1, 16, 0, 0]
    after.close()


def test_a_meter_that_began_anew_has_a_level_of_its_own(machine, store):
    """A meter that has ended and began anew within an epoch does not draw on the level of the one before."""
    again = GAME._replace(ends=9 * DAY)
    store.admit(Charge((GAME,), {GAME.name: 9}, ()), GAME.ends - 1)
    store.admit(Charge((again,), {GAME.name: 9}, ()), GAME.ends)
    after = machine.cut(store)
    (reading,) = after.read([again], GAME.ends)
    assert reading.spent >= 9
    after.close()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("spend"), st.tuples(*[st.integers(0, 9)] * len(METERS)), st.integers(0, 5)),
        st.tuples(st.just("settle"), st.integers(0, len(METERS) - 1), st.sampled_from([-1, 0, 1])),
        st.tuples(st.just("flush"), st.sampled_from([0, 1, 600]), st.just(0)),
        st.tuples(st.sampled_from(["checkpoint", "interrupted checkpoint", "restart"]), st.just(0), st.just(0)),
        st.tuples(st.just("cut"), st.sampled_from([0.0, 0.3, 0.9, 1.0]), st.just(0)),
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(STEPS, st.sampled_from([0.0, 0.5, 1.0]))
def test_no_cut_gives_a_budget_back(tmp_path_factory, steps, part):
    """Over any charges, refunds, flushes, snapshots, restarts and cuts, no meter falls below what was spent.

    Nor does one come above its limit, unless a settlement brought it there.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        machine = Machine(tmp_path_factory.mktemp("machine"), monkeypatch)
        store, now = LmdbMeterStore.create(machine.folder / "meters"), NOW
        limits = [meter.limit for meter in METERS]
        for kind, first, second in [*steps, ("cut", part, 0)]:
            before = spent(store, now)
            if kind == "spend":
                is_admitted = isinstance(spend(store, *first, now=now, mark=b"%d" % second), Admitted)
                expected = [had + amount * is_admitted for had, amount in zip(before, first, strict=True)]
                assert spent(store, now) == expected
            elif kind == "settle":
                store.settle(METERS[first].name, second, now)
            elif kind == "flush":
                now += first
                store.flush(now)
            elif kind == "checkpoint":
                store._map.checkpoint()
            elif kind == "interrupted checkpoint":
                with monkeypatch.context() as patch:
                    patch.setattr(rebuild, "write_snapshot", die)
                    store._map.checkpoint()
            elif kind == "restart":
                store = machine.restart(store)
                assert spent(store, now) == before
            else:
                store._map._disconnect()
                old, store = store, machine.cut(store, first)
                shutil.rmtree(old._map.folder)
                for had, has, limit in zip(before, spent(store, now), limits, strict=True):
                    assert had <= has <= limit
            limits = list(map(max, limits, spent(store, now)))
        store.close()


def draw(folder, process):
    """Draw on shared meters from four threads in a process of its own; return what was admitted."""
    store, admitted = LmdbMeterStore(folder), Counter()

    def ask(thread):
        own = Meter(f"{process}.{thread}/5/units", 300, 6 * DAY)
        for n in range(100):
            mark = Mark(b"%d/%d/%d" % (process, thread, n), NOW + DAY, (own.name, METERS[3].name))
            if isinstance(store.admit(Charge((own, METERS[3]), {}, (mark,)), NOW), Admitted):
                admitted[own.name] += 1
            if n % 40 == 20:
                store.flush(NOW + 700 * n)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Not closed, so that the epoch is not ended.
    return admitted


def test_levels_hold_across_processes(tmp_path, monkeypatch):
    """Even if nothing but the levels of the last epoch were on disk, no meter that several processes drew on falls."""
    folder = tmp_path / "meters"
    LmdbMeterStore.create(folder).close()
    with get_context("spawn").Pool(3) as pool:
        admitted = sum(pool.starmap(draw, [(folder, process) for process in range(3)]), Counter())
    assert sum(admitted.values()) == 1_200
    newest = max(folder.glob("journal-*"))
    kept, begin = [], 0
    for frame in journal.read_frames(newest.read_bytes()):
        assert frame is not None
        begin = len(kept) if any(key == b"e" for key, _ in frame) else begin
        kept.append(frame)
    assert 0 < begin < len(kept)
    # Among what threads put that shared a transaction.
    levels = [[entry for entry in frame if entry[0].startswith(b"l")] for frame in kept[begin + 1 :]]
    newest.write_bytes(b"".join([journal._pack_frame(frame) for frame in (*kept[: begin + 1], *levels)]))
    (tmp_path / "boot_id").write_text("another")
    monkeypatch.setattr(rebuild, "BOOT_ID", tmp_path / "boot_id")
    store = LmdbMeterStore(folder)
    (world,) = store.read([METERS[3]], NOW)
    assert 1_200 <= world.spent <= 1_500
    for name, count in admitted.items():
        (own,) = store.read([Meter(name, 300, 6 * DAY)], NOW)
        assert count <= own.spent <= count + 300 // 4
    store.close()


def test_the_levels_before_a_snapshot_hold(machine, store):
    """A snapshot has no levels, so those of the journal before it count; without that journal the day is closed."""
    spend(store, 1)
    store._map.checkpoint()
    spend(store, 2)
    after = machine.cut(store)
    assert spent(after)[0] == 1 + 356 // 4
    after.close()
    (after._map.folder / "journal-2").unlink()
    again = machine.cut(after)
    assert again.read(METERS[:1], NOW) == [MeterReading(356, 6 * DAY)]
    again.close()


def test_a_checkpoint_that_was_interrupted_changes_nothing(machine, store, monkeypatch):
    """A process killed while it takes a snapshot leaves the journals in force, and the next one takes their place."""
    for place in ((rebuild, "write_snapshot"), (journal.Journal, "rewrite"), (rebuild, "sync_folder")):
        spend(store, 1, 1, mark=b"word")
        with monkeypatch.context() as patch:
            patch.setattr(*place, die)
            store._map.checkpoint()
        spend(store, 1, 1)
        store._map.seal(None)
        before = spent(store)
        after = machine.cut(store)
        assert spent(after) == before
        after.close()
    store._map.seal(None)
    store._map.checkpoint()
    assert len(list(store._map.folder.glob("snapshot-*"))) == 1
    assert len(list(store._map.folder.glob("journal-*"))) == 2
    # The second interruption closed the map of the start before, as a cut would have done.
    before = spent(store)
    assert 6 <= before[0] <= 6 + 356 // 4
    after = machine.cut(store)
    assert spent(after) == before
    after.close()
