"""The contract of a meter store, run over every store there is: real files, a real server and a real cluster."""

from __future__ import annotations

from itertools import count
from multiprocessing import get_context

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from naive_store import DRAWN, WORLD_DAY, NaiveStore, charges
from store_backends import ClusterBackend, open_store
from store_charges import ME, NOON, TODAY, ask_from_threads, asked

from ordws.errors import StoreDown
from ordws.guard.charge import (
    FIELDS,
    GAMES,
    GUESTS,
    NOBODY,
    OPENED,
    OPENING,
    UNIT,
    UNITS,
    Admitted,
    Amount,
    Charge,
    DayHistory,
    Lasting,
    Mark,
    MeterRecord,
    RecordRef,
    Refused,
    day_key,
    game_key,
    game_marks,
)
from ordws.guard.policy import DAY
from ordws.guard.stores.lmdb import LmdbMeterStore

ANN, BOB = b"player-1", b"player-2"
MINE = day_key(ME + NOBODY, TODAY)
DAYS = count(TODAY + 100, 4)
"""Days that no other example has, so that each begins with empty records."""


def spent(store, key=MINE):
    (record,) = store.read([key])
    return 0 if record is None else record.counts[UNITS]


def seen(record, now):
    """Return what a record says; one that ended or counts nothing says as much as none."""
    if record is None:
        return None
    counts = [0 if field in DRAWN else each for field, each in enumerate(record.counts)]
    is_told = record.is_closed or (record.ends > now and any(counts))
    return (record.ends, record.is_closed, counts) if is_told else None


def compared(outcome, is_cluster, charge):
    """Return an outcome as every store has it: in a cluster what is drawn on all is counted in a slot of its own."""
    if isinstance(outcome, Refused) or not outcome.records:
        return outcome
    world = [place for place, ref in enumerate(charge.records) if ref.key[5:] == WORLD_DAY]
    records = outcome.records[: world[0]] if world else outcome.records
    if is_cluster or world:
        records = tuple([[0 if field in DRAWN else each for field, each in enumerate(counts)] for counts in records])
    return outcome._replace(records=records)


@settings(max_examples=settings.default.max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_store_applies_charges_as_the_naive_one_does(store, shared_backend, data):
    """Whatever is charged in whatever order, on two days and by a clock that goes back, the outcomes are the same."""
    day, naive, is_cluster = next(DAYS), NaiveStore(), isinstance(shared_backend, ClusterBackend)
    client = day.to_bytes(8, "big")
    for _ in range(data.draw(st.integers(1, 12))):
        now = day * DAY + data.draw(st.integers(0, 7)) * DAY // 4
        charge = data.draw(charges(client, now // DAY))
        told, expected = store.apply(charge, now), naive.apply(charge, now)
        assert compared(told, is_cluster, charge) == compared(expected, is_cluster, charge)
        keys = list(naive.records)
        for key, record in zip(keys, store.read(keys), strict=True):
            assert seen(record, now) == seen(naive.read(key), now)


def test_a_charge_is_written_whole_or_not_at_all(store):
    """A question of which one word has no room writes none of its words, and a smaller one is admitted after it."""
    assert store.apply(asked("AAA", "BBB", "CCC", limit=2), NOON) == Refused("units", DAY // 2)
    assert spent(store) == 0
    assert isinstance(store.apply(asked("AAA", "BBB", limit=2), NOON), Admitted)
    assert store.apply(asked("CCC", limit=2), NOON) == Refused("units", DAY // 2)
    assert isinstance(store.apply(asked("AAA", "BBB", limit=2), NOON), Admitted)
    assert spent(store) == 2


def test_24_threads_in_two_processes_never_pass_a_limit(store, backend):
    """Threads of two processes that ask 144 different words at once are granted the limit of 50, and no word more."""
    with get_context("spawn").Pool(2) as pool:
        assert sum(pool.starmap(ask_from_threads, [(backend.address, process) for process in "XY"])) >= 50
    assert spent(store) == 50


def test_records_of_a_client_and_of_guests_are_found(store):
    """The day of a client has the records of all its players, and guests' games are found by their hashes."""
    for subject in (ME + ANN, ME + BOB, b"client-2" + ANN):
        store.apply(asked("AAA", subject=subject), NOON)
    found = store.day_records(ME, TODAY)
    assert {subject: record.counts[UNITS] for subject, record in found.items()} == {ME + ANN: 1, ME + BOB: 1}
    assert (store.day_records(ME, TODAY - 1), store.guest_games()) == ({}, {})
    record = RecordRef(game_key(GUESTS, b"--game-1"), NOON + DAY)
    store.apply(Charge((record,), (Amount(0, OPENED, (OPENING,), each=TODAY),), opening=0), NOON)
    assert {game: found.counts[OPENED] for game, found in store.guest_games().items()} == {b"--game-1": TODAY}


def test_what_lasts_is_kept_and_alarms_are_found(store, backend):
    """First sights, alarms and calmed loads are read by other processes; an alarm that ended is none."""
    assert store.find_lasting(ME + ANN) == Lasting()
    store.update_lasting(ME + ANN, first_seen=NOON)
    store.update_lasting(ME + ANN, calmed=7, calmed_until=NOON + DAY)
    store.update_lasting(ME + ANN, alarm="run", alarm_until=NOON + 60)
    other = open_store(backend.address)
    found = other.find_lasting(ME + ANN)
    assert (found.first_seen, found.calmed, found.calmed_until) == (NOON, 7, NOON + DAY)
    alarms = other.active_alarms(NOON)
    assert {subject: (each.alarm, each.alarm_until) for subject, each in alarms.items()} == {
        ME + ANN: ("run", NOON + 60)
    }
    assert other.active_alarms(NOON + 60) == {}
    other.close()


def test_the_history_has_what_was_charged_on_each_day(store):
    """The history has units, core words and fingerprints by subject and day, also after they were collected twice."""
    for day in (TODAY, TODAY + 1):
        store.apply(asked("AAAA", "BBBB", subject=ME + ANN, day=day), day * DAY)
    for _ in range(2):
        store.collect((TODAY + 1) * DAY + 60)
    assert list(store.history(ME)) == [DayHistory(ME + ANN, day, 2, 0, b"AAAABBBB") for day in (TODAY, TODAY + 1)]
    assert list(store.history(b"client-2")) == []


def test_the_history_has_guests_games_and_no_addresses(store):
    """A game of guests is kept under the day on which it was opened; what counts an address is not kept."""
    game = RecordRef(game_key(GUESTS, b"--game-1"), NOON + DAY)
    address = RecordRef(day_key(GUESTS + b"-address", TODAY), (TODAY + 1) * DAY)
    amounts = (Amount(0, OPENED, (OPENING,), each=TODAY), Amount(1, GAMES, (OPENING,)))
    store.apply(Charge((game, address), amounts, opening=0), NOON)
    mark = Mark(game_marks(GUESTS, b"--game-1") + b"----AAAA", UNIT, "AAAA", 1, b"AAAA")
    store.apply(Charge((game,), (Amount(0, UNITS, (UNIT,)),), (mark,), needs=0), NOON)
    store.collect(NOON)
    assert list(store.history(GUESTS)) == [DayHistory(GUESTS + b"--game-1", TODAY, 1, 0, b"AAAA")]


def test_the_key_of_addresses_is_of_one_day(store, backend):
    """All processes have one key of addresses, which is another one on the next day."""
    other = open_store(backend.address)
    keys = [each.address_key(now) for each in (store, other) for now in (NOON, NOON + 60)]
    assert len(set(keys)) == 1
    assert store.address_key(NOON + DAY) == other.address_key(NOON + DAY)
    assert store.address_key(NOON + DAY) != keys[0]
    other.close()


def test_everything_is_refused_until_a_moment(store):
    """A day that counts as spent refuses every charge until its end, and a second such call never opens it sooner."""
    store.refuse_until(NOON + 60)
    store.refuse_until(NOON + 30)
    assert store.closed_until() == NOON + 60
    assert store.apply(asked("AAA"), NOON + 59) == Refused("closed", 1)
    assert isinstance(store.apply(asked("AAA"), NOON + 60), Admitted)


def test_a_clock_that_goes_back_finds_what_was_spent(store):
    """A clock may be a day behind, and finds that day as it was; further back nothing is admitted."""
    store.apply(asked("AAA", limit=1), NOON)
    store.apply(asked("BBB", limit=1, day=TODAY + 1), NOON + DAY)
    assert store.apply(asked("CCC", limit=1), NOON) == Refused("units", DAY // 2)
    with pytest.raises(StoreDown, match="the clock stands more than a day before"):
        store.apply(asked("CCC", limit=1, day=TODAY - 1), NOON - DAY)


def test_a_sweep_deletes_what_ended_and_nothing_else(store, backend):
    """A day can be swept from 26 hours after its end on, when its history has it; what runs stays."""
    store.apply(asked("AAAA"), NOON)
    store.sweep(NOON + DAY)
    assert spent(store) == 1
    later = (TODAY + 3) * DAY
    store.apply(asked("BBBB", day=TODAY + 3), later)
    store.sweep(later)
    if isinstance(store, LmdbMeterStore):  # a server deletes by its own clock
        assert store.read([MINE]) == [None]
    assert spent(store, day_key(ME + NOBODY, TODAY + 3)) == 1


def test_the_marks_of_a_day_go_two_hours_after_it(tmp_path):
    """They are most of the map. A question by a clock that is behind then pays again, from the same budget."""
    store = LmdbMeterStore.create(tmp_path / "meters", now=NOON)
    store.apply(asked("AAAA", limit=2), NOON)
    midnight = (TODAY + 1) * DAY
    assert [store.sweep(midnight + late) for late in (7_199, 7_200)] == [0, 1]
    outcomes = [store.apply(asked("AAAA", limit=2), midnight - 1) for _ in range(2)]
    assert [type(each) for each in outcomes] == [Admitted, Admitted]
    assert spent(store) == 2
    assert store.apply(asked("BBBB", limit=2), midnight - 1) == Refused("units", 1)
    assert [each.fingerprints for each in store.history(ME)] == [b"AAAA"]
    store.close()


def test_a_game_that_ended_counts_as_none(store):
    """A game's record runs until its own end; then the game begins anew, with another end."""
    key = game_key(ME, b"--game-1")

    def play(now):
        charge = Charge((RecordRef(key, now + DAY),), (Amount(0, UNITS, flat=1, limit=1, budget="game"),), opening=0)
        return store.apply(charge, now)

    assert isinstance(play(NOON), Admitted)
    assert play(NOON + DAY - 1) == Refused("game", 1)
    assert isinstance(play(NOON + DAY), Admitted)
    (record,) = store.read([key])
    assert record == MeterRecord(NOON + 2 * DAY, False, [1] + [0] * (FIELDS - 1))


def test_words_that_were_charged_before_change_nothing(store):
    """A question that costs nothing leaves every record as it was, and tells the edition of its words' first charge."""
    store.apply(asked("AAA"), NOON)
    (before,) = store.read([MINE])
    later = asked("AAA")
    later = later._replace(marks=(later.marks[0]._replace(edition=2),))
    assert store.apply(later, NOON).editions == {"AAA": 1}
    assert store.read([MINE]) == [before]
