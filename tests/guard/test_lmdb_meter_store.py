"""Tests of what holds for meters in an LMDB folder alone: sweeping, growth, and files that are missing or damaged."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from multiprocessing import get_context

import pytest
from guest_table import GuestTable

from ordws.errors import StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, Gate, MeterReading, Refused, StoredMeter
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Charge, Identity, Mark, Meter, Question
from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores import rebuild
from ordws.guard.stores.journal import Journal, read_frames
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.guard.stores.meter_history import BUDGETS

NOW = 1_000
HOUR = 3_600
UNITS = Meter("me/1/units", 9, 2_000)
INVALID = Meter("me/game/invalid", 9, 2_000)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "meters"


@pytest.fixture
def store(folder):
    store = LmdbMeterStore.create(folder)
    yield store
    store.close()


def marks(*ends):
    return tuple([Mark(b"%d" % n, end, (UNITS.name,)) for n, end in enumerate(ends)])


def one(meter=UNITS):
    return Charge((meter,), {meter.name: 1}, ())


def pages_used(store):
    with store._map:
        return store._map._environment().info()["last_pgno"]


def the_file(folder, kind):
    """Return the newest file of a kind: map, journal or snapshot."""
    return max(path for path in folder.glob(f"{kind}-*") if not path.name.endswith("-lock"))


def test_a_sweep_deletes_meters_26_hours_after_their_end(store):
    """Meters and detector sums are deleted 26 hours after they ended, marks after an hour; running ones stay."""
    store.admit(Charge((UNITS, Meter("me/1/core", 9, 1_500)), {}, marks(1_100, 2 * DAY)), NOW)
    store.update_detectors([(DetectorSum("me/sign/share", 10, 1_200, 1_200), 20)], NOW)
    store.admit(Charge((), {}, ()), 5 * DAY)
    assert store.sweep(1_099 + HOUR) == 0
    assert store.sweep(1_100 + HOUR) == 1
    assert store.sweep(1_199 + 26 * HOUR) == 0
    assert store.sweep(1_600 + 26 * HOUR) == 2
    assert store.active_alarms(NOW) == frozenset()
    assert store.read([UNITS], 1_600) == [MeterReading(2, 2_000)]
    assert store.find_mark_end(b"1", 1_600) == 2 * DAY


def test_a_sweep_keeps_some_meters_for_400_days(store):
    """Meters that are kept for long, and those with fingerprints, are deleted 400 days after their day."""
    units, world = Meter("me/0/units", 9, DAY), Meter("world/0/world", 9, DAY)
    store.admit(Charge((units, world), {world.name: 4}, (), units.name, long_kept=(world.name,)), NOW)
    store.admit(Charge((), {}, ()), 500 * DAY)
    assert store.sweep(401 * DAY - 1) == 0
    assert list(store.stored_meters("")) == [StoredMeter("me/0/units", 0, b""), StoredMeter("world/0/world", 4, b"")]
    assert store.sweep(401 * DAY) == 2
    assert list(store.stored_meters("")) == []


def test_a_long_sweep_deletes_everything_in_batches(store):
    """A sweep deletes everything that has ended, in however many batches."""
    for first in range(0, 4_500, 500):
        store.admit(Charge((), {}, tuple([Mark(b"%d" % n, 1_100) for n in range(first, first + 500)])), NOW)
    store.admit(Charge((), {}, ()), 9 * DAY)
    assert store.sweep(9 * DAY) == 4_500
    assert store.sweep(9 * DAY) == 0


def test_a_sweep_goes_as_far_as_questions_were_admitted(store):
    """A clock that jumps ahead deletes nothing before a question was admitted by it."""
    store.admit(Charge((), {}, (Mark(b"a", 1_100),)), NOW)
    assert store.sweep(90 * DAY) == 0
    store.admit(Charge((), {}, ()), 90 * DAY)
    assert store.sweep(90 * DAY) == 1


@pytest.mark.parametrize("edition", [0, 1, 65_536, 16_000_000])
def test_a_mark_tells_its_edition(store, edition):
    """A word that was charged under another edition tells under which, however many there were."""
    mark = Mark(b"word", 9_000, edition=edition)
    store.admit(Charge((), {}, (mark,)), NOW)
    again = store.admit(Charge((), {}, (mark._replace(edition=edition + 1),)), NOW)
    assert again == Admitted(frozenset(), {b"word": edition})


def test_a_store_that_was_only_opened_makes_no_folder(folder):
    """Opening a store makes no folder, and no files in a folder without meters, so that lost meters are noticed."""
    store = LmdbMeterStore(folder)
    with pytest.raises(StoreDown, match='"meters" does not answer: No such file or directory'):
        store.read([UNITS], NOW)
    assert not folder.exists()
    folder.mkdir()
    with pytest.raises(StoreDown, match='"journal-1" is missing'):
        store.read([UNITS], NOW)
    assert LmdbMeterStore.create(folder).is_new


def test_the_files_are_readable_by_their_owner_alone(store, folder):
    """All files can be read by their owner alone, because they show how much everybody asks."""
    store.admit(one(), NOW)
    store._map.checkpoint()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name.partition("-")[0] for path in folder.iterdir()} == {"map", "journal", "snapshot"}
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_no_writes_as_many_bytes_as_a_yes(store, folder, before):
    """A no writes as many bytes as a yes; otherwise the files' sizes and the answer's time would tell them apart."""
    # The first transactions make the file larger, until there are pages to use again.
    for _ in range(3):
        store.admit(one(UNITS), NOW)
    for _ in range(before):
        store.admit(one(INVALID), NOW)

    def sizes():
        return the_file(folder, "journal").stat().st_size, pages_used(store)

    written = set()
    for verdict in (True, False, True, False):
        store.admit(one(INVALID), NOW)
        begin = sizes()
        store.settle(INVALID.name, -1 if verdict else 0, NOW)
        written.add(tuple([end - start for end, start in zip(sizes(), begin, strict=True)]))
    assert written == {(12 + 6 + len("m" + INVALID.name) + 9, 0)}


def charge_many(folder, map_bytes, first, count):
    """Charge so many marks in a process of its own, and keep the store open until told to end."""
    store = LmdbMeterStore(folder, map_bytes=map_bytes)
    for n in range(first, first + count):
        assert isinstance(store.admit(Charge((), {}, (Mark(b"%0400d" % n, 9_000),)), NOW), Admitted)


def test_a_full_map_grows_in_all_processes(folder):
    """A map that is full is made larger, also under processes that have it open, and nothing is lost."""
    store = LmdbMeterStore.create(folder, map_bytes=1 << 17)
    charge_many(folder, 1 << 17, 0, 100)
    with get_context("spawn").Pool(1) as pool:
        pool.apply(charge_many, (folder, 1 << 17, 100, 900))
    assert the_file(folder, "map").stat().st_size > 1 << 18
    charge_many(folder, 1 << 17, 1_000, 500)
    assert [n for n in range(1_500) if store.find_mark_end(b"%0400d" % n, NOW) != 9_000] == []
    store.close()


def hold_a_reader(folder, tells):
    """Begin to read in a process of its own, and never end."""
    store = LmdbMeterStore(folder)
    store._map.read(lambda txn: (txn.get(b"s"), tells.send("reads"), tells.poll(60)))


def test_the_slot_of_a_killed_reader_is_freed(store, folder):
    """A process killed while it read does not keep the map from using its pages again."""
    context = get_context("spawn")
    listens, tells = context.Pipe()
    reader = context.Process(target=hold_a_reader, args=(folder, tells))
    reader.start()
    assert listens.recv() == "reads"
    reader.kill()
    reader.join()
    reader.close()
    store.admit(one(), NOW)
    with store._map:
        slots = store._map._environment().info()["num_readers"]
    store.flush(NOW)
    with store._map:
        assert store._map._environment().reader_check() == 0
        assert store._map._environment().readers().count("\n") <= slots
    for n in range(300):
        store.admit(Charge((), {}, (Mark(b"%d" % n, 9_000),)), NOW)
    assert pages_used(store) < 64


@pytest.mark.parametrize("damage", ["cut off", "empty", "overwritten", "gone"])
def test_a_damaged_map_is_made_anew_from_the_journals(store, folder, damage):
    """A map that is damaged, cut off or gone is made anew from snapshot and journals, and counts as much."""
    store.admit(Charge((UNITS,), {UNITS.name: 3}, marks(1_900), UNITS.name), NOW)
    store.update_detectors([(DetectorSum("me/sign/share", 10, 5_000, 5_000), 20)], NOW)
    store._map.checkpoint()
    store.admit(one(), NOW)
    store.close()
    path = the_file(folder, "map")
    if damage == "gone":
        path.unlink()
    else:
        data = path.read_bytes()
        path.write_bytes({"cut off": data[:-4_096], "empty": b"", "overwritten": b"\xff" * len(data)}[damage])
    assert store.read([UNITS], NOW) == [MeterReading(5, 2_000)]
    assert store.find_mark_end(b"0", NOW) == 1_900
    assert store.active_alarms(NOW) == {"me/sign/share"}
    assert [meter.name for meter in store.stored_meters("")] == [UNITS.name]
    assert store.admit(one(), NOW) == Admitted(frozenset())


def boot(monkeypatch, tmp_path, name="another"):
    (tmp_path / "boot_id").write_text(f"{name}\n")
    monkeypatch.setattr(rebuild, "BOOT_ID", tmp_path / "boot_id")


def test_a_damaged_snapshot_is_not_used(store, folder, monkeypatch, tmp_path):
    """A snapshot in which a byte is wrong answers nothing; without its folder today would count as spent."""
    store.admit(one(), NOW)
    store._map.checkpoint()
    store.close()
    path = the_file(folder, "snapshot")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    boot(monkeypatch, tmp_path)
    for _ in range(2):
        with pytest.raises(StoreDown, match=f'"{path.name}" is damaged'):
            store.admit(one(), NOW)
    assert LmdbMeterStore.create(folder).is_new is False


def test_a_missing_journal_is_noticed(store, folder, monkeypatch, tmp_path):
    """Without the journal behind the snapshot nothing is answered, now and after another start of the machine."""
    store.admit(one(), NOW)
    store._map.checkpoint()
    store.close()
    the_file(folder, "journal").unlink()
    with pytest.raises(StoreDown, match="No such file"):
        store.admit(one(), NOW)
    boot(monkeypatch, tmp_path)
    with pytest.raises(StoreDown, match='"journal-3" is missing'):
        store.admit(one(), NOW)


@pytest.mark.parametrize("place", ["the begin", "the middle", "a journal before the last"])
def test_a_damaged_journal_closes_the_day(store, folder, monkeypatch, tmp_path, place):
    """Where something is missing from a journal, everything is refused until the end of the last day it tells of."""
    now = 5 * DAY
    for n in range(9):
        store.admit(one(Meter(f"me{n}/5/units", 9, 6 * DAY)), now)
    store.close()
    path = the_file(folder, "journal")
    data = bytearray(path.read_bytes())
    if place == "a journal before the last":
        boot(monkeypatch, tmp_path)
        store.read([UNITS], now)
        store.close()
        data = data[: data.rindex(b"OJ1\n")]
    else:
        data[20 if place == "the begin" else len(data) // 2] ^= 1
    path.write_bytes(data)
    boot(monkeypatch, tmp_path, "a third")
    assert store.admit(one(), now) == Refused("closed", DAY)
    assert store.admit(one(UNITS._replace(ends=7 * DAY)), 6 * DAY) == Admitted(frozenset())


def test_a_machine_without_a_boot_id_is_not_served(store, monkeypatch, tmp_path):
    """Where the kernel does not say since when it runs, nothing is answered, for the map may be damaged."""
    monkeypatch.setattr(rebuild, "BOOT_ID", tmp_path / "missing")
    store.close()
    with pytest.raises(StoreDown, match="No such file"):
        store.admit(one(), NOW)


def waiting_admissions(store, charges):
    """Admit charges in a thread each, which all wait for the map, and return their futures."""
    with ThreadPoolExecutor(len(charges)) as pool:
        with store._map:
            futures = [pool.submit(store.admit, charge, now) for charge, now in charges]
            while len(store._map._calls) < len(charges):
                assert not any(future.done() for future in futures)
        wait(futures)
    return futures


def test_threads_that_wait_share_a_transaction(store, folder):
    """Charges that wait for one another are journaled in one frame, each as if it had been alone."""
    units = Meter("units:ann", 5, 2_000)
    store.admit(one(units), NOW)
    store.flush(NOW)
    before = len(the_file(folder, "journal").read_bytes())
    futures = waiting_admissions(store, [(one(units), NOW)] * 8)
    outcomes = [future.result() for future in futures]
    assert sorted(type(each).__name__ for each in outcomes) == ["Admitted"] * 4 + ["Refused"] * 4
    frames = list(read_frames(the_file(folder, "journal").read_bytes()[before:]))
    assert len(frames) == 1
    assert store.read([units], NOW)[0].spent == 5


def test_a_call_that_fails_takes_no_other_along(store):
    """Where one of several charges in a transaction fails, it alone gets the error; the others are charged once."""
    units = Meter("units:ann", 100, 2_000)
    store.admit(one(units), NOW)
    charges = [(one(units), NOW), (one(units), NOW - 2 * DAY), (one(units), NOW), (one(units), NOW - 2 * DAY)]
    store._map.transact(lambda txn: txn.put(rows.STATE, txn.state._replace(clock=NOW).pack()))
    futures = waiting_admissions(store, charges)
    errors = [type(future.exception()) for future in futures]
    assert errors == [type(None), StoreDown, type(None), StoreDown]
    assert store.read([units], NOW)[0].spent == 3


def test_a_call_that_gave_up_is_not_charged(store, monkeypatch):
    """A charge that waited too long for the map is refused, and nobody makes it later."""
    monkeypatch.setattr("ordws.guard.stores.meter_map.PATIENCE_SECONDS", 0.01)
    units = Meter("units:ann", 100, 2_000)
    with store._map, ThreadPoolExecutor(1) as pool:
        assert isinstance(pool.submit(store.admit, one(units), NOW).exception(), StoreDown)
    store.admit(one(units), NOW)
    assert store.read([units], NOW)[0].spent == 1


def test_levels_are_known_once_they_are_in_the_journal(store, monkeypatch):
    """What is not yet in the journal must not be known as a level, or a flush meanwhile would say it is on disk."""
    append, found = Journal.append, []

    def append_and_look(journal, entries):
        known = store._map._levels
        written = {key[1:] for key, _ in entries if key[:1] == rows.LEVEL}
        found.append((bool(written), written & {*known.ahead, *known.on_disk}))
        append(journal, entries)

    monkeypatch.setattr(Journal, "append", append_and_look)
    waiting_admissions(store, [(one(), NOW), (one(INVALID), NOW), (Charge((UNITS,), {}, marks(1_500)), NOW)])
    assert {is_written for is_written, _ in found} == {True, False}
    assert not any(too_early for _, too_early in found)


def charge_a_day(store, owner="me", day=1):
    """Charge the meters of a day that are kept for long, and one that is not; return those that are."""
    units, core, games, outside = (
        Meter(f"{owner}/{day}/{budget}", 99, (day + 1) * DAY) for budget in ("units", "core", "games", "outside")
    )
    words = tuple([Mark(b"%d" % n, day * DAY + HOUR, (units.name, outside.name), b"%04d" % n) for n in range(3)])
    amounts = {core.name: 7, games.name: 1}
    kept = (units.name, core.name, games.name)
    store.admit(Charge((units, core, games, outside), amounts, words, units.name, long_kept=kept), day * DAY)
    return [
        StoredMeter(core.name, 7, b""),
        StoredMeter(games.name, 1, b""),
        StoredMeter(units.name, 3, b"000000010002"),
    ]


def rows_of(store, kind):
    return [key for key, _ in store._rows(kind)]


def test_what_is_kept_of_a_day_becomes_one_row(store):
    """26 hours after a day its meters are one row, and tell the same; those of other days stay as they are."""
    kept = charge_a_day(store, day=1) + charge_a_day(store, day=2)
    store.admit(Charge((), {}, ()), 4 * DAY)
    store.sweep(3 * DAY + 2 * HOUR - 1)
    assert rows_of(store, rows.HISTORY) == []
    store.sweep(3 * DAY + 2 * HOUR)
    assert rows_of(store, rows.HISTORY) == [b"hme/1"]
    assert rows_of(store, rows.METER) == [b"mme/2/core", b"mme/2/games", b"mme/2/outside", b"mme/2/units"]
    for prefix in ("", "me/"):
        assert list(store.stored_meters(prefix)) == kept
    assert list(store.stored_meters("me/1/un")) == kept[2:3]
    assert list(store.stored_meters("m/")) == []


def test_the_history_goes_after_400_days(store):
    """The row of a day is deleted 400 days after its meters ended, and counts as so many meters."""
    charge_a_day(store)
    store.admit(Charge((), {}, ()), 500 * DAY)
    assert store.sweep(4 * DAY) == 4  # three marks and a meter that is not kept
    assert store.sweep(402 * DAY - 1) == 0
    assert store.sweep(402 * DAY) == 3
    assert list(store.stored_meters("")) == rows_of(store, rows.HISTORY) == []


def test_meters_that_come_back_after_a_power_cut_are_told_once(store, monkeypatch, tmp_path):
    """Rows that were moved and come back are told once, and the next sweep moves them again without adding them."""
    kept = charge_a_day(store)
    store._map.checkpoint()
    store.admit(Charge((), {}, ()), 4 * DAY)
    store.sweep(4 * DAY)
    assert rows_of(store, rows.METER) == []
    store.close()
    boot(monkeypatch, tmp_path)
    assert len(rows_of(store, rows.METER)) == 4
    assert rows_of(store, rows.HISTORY) == [b"hme/1"]
    for _ in range(2):
        assert list(store.stored_meters("")) == kept
        store.sweep(4 * DAY)
    assert rows_of(store, rows.METER) == []


def test_a_meter_without_a_place_in_the_history_stays(store):
    """What is kept for long and has another name keeps a row of its own."""
    other = Meter("me/1/new-budget", 9, 2 * DAY)
    store.admit(Charge((other,), {other.name: 2}, (), long_kept=(other.name,)), DAY)
    store.admit(Charge((), {}, ()), 500 * DAY)
    for now in (4 * DAY, 402 * DAY - 1):
        assert store.sweep(now) == 0
        assert list(store.stored_meters("me/")) == [StoredMeter(other.name, 2, b"")]
    assert store.sweep(402 * DAY) == 1


def test_all_that_is_kept_has_a_place_in_the_history(store):
    """Every meter that the prices keep for long is a part of the row of its day."""
    gate = Gate(Policy(), store, bytes(32))
    guests = GuestTable(store, Policy())
    guests.games.hold("g", 2 * DAY, DAY)
    guests.ask("g", "QUIZ", "CAT", now=DAY)
    for is_verified in (True, False):
        for player in (None, "ann"):
            identity = Identity(f"{is_verified}", 0, player, is_verified)
            assert not isinstance(gate.admit(identity, Question(("QUIZ", "CAT"), 1, "g"), {"CAT"}, DAY), Refused)
    store.admit(Charge((), {}, ()), 9 * DAY)
    before = [meter.name for meter in store.stored_meters("")]
    store.sweep(9 * DAY)
    assert rows_of(store, rows.METER) == []
    assert [meter.name for meter in store.stored_meters("")] == before
    assert {name.rpartition("/")[2] for name in before} == set(BUDGETS)
