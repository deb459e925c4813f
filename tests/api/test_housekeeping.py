"""An edition is followed between questions, and what has ended is forgotten."""

from __future__ import annotations

import logging
import threading

import pytest
from redis_server import DURABLE, RedisServer
from sweep_thread import wait_for_sweep

from ordws.api.housekeeping import Housekeeping
from ordws.api.services import create_meters, open_services
from ordws.errors import Missing, StoreDown
from ordws.guard.stores.redis import RedisMeterStore
from ordws.guard.stores.sqlite import SqliteMeterStore

NOON = 1_795_262_400


class CountingEditions:
    """A editions that counts how often it looks, and waits there when it is told to."""

    def __init__(self):
        self.looks, self.current, self.refusal = 0, self, None
        self.number = 1
        self.entered, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def refresh(self):
        self.looks += 1
        self.entered.set()
        self.go_on.wait()


class CountingGate:
    """A gate that counts how often it sweeps, and tells the alarms that it is given."""

    def __init__(self, *alarms):
        self.sweeps, self.alarms = 0, list(alarms)

    def update_detectors(self, now, *, flush_all):
        assert flush_all
        return self.alarms.pop(0) if self.alarms else ()

    def sweep(self, now):
        self.sweeps += 1


class LostGate:
    """A gate whose store does not answer."""

    def update_detectors(self, now, *, flush_all):
        raise StoreDown("gone")

    def sweep(self, now):
        raise StoreDown("gone")


def test_a_desk_looks_once_a_second():
    """However many questions come, the files are looked at once a second."""
    editions = CountingEditions()
    housekeeping = Housekeeping(editions, CountingGate())
    for now in (NOON, NOON, NOON, NOON + 1, NOON + 1):
        housekeeping.run(now)
    assert editions.looks == 2


def test_nobody_waits_for_who_looks():
    """While one thread opens an edition the others go on."""
    editions = CountingEditions()
    housekeeping = Housekeeping(editions, CountingGate())
    editions.go_on.clear()
    thread = threading.Thread(target=housekeeping.run, args=(NOON,))
    thread.start()
    editions.entered.wait()
    housekeeping.run(NOON + 1)
    assert editions.looks == 1
    editions.go_on.set()
    thread.join()


class Hours:
    """Time by which a clock of the host is checked."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now

    def make(self, housekeeping, *seconds):
        """Make housekeeping, so many seconds after the start by this time and by the host's clock."""
        for self.now in seconds:
            housekeeping.run(NOON + self.now)
        wait_for_sweep()


def test_meters_are_swept_once_an_hour():
    """What has ended is forgotten now and then, and not before the first hour is over."""
    gate, hours = CountingGate(), Hours()
    hours.make(Housekeeping(CountingEditions(), gate, monotonic=hours), 0, 1, 3_599)
    assert gate.sweeps == 0
    hours.make(housekeeping := Housekeeping(CountingEditions(), gate, monotonic=hours), 3_600, 3_601, 7_200)
    assert gate.sweeps == 1
    hours.make(housekeeping, 7_201, 10_799, 10_801)
    assert gate.sweeps == 2


def test_others_are_swept_with_the_meters():
    """Whatever ends beside the meters is forgotten in the same hour, also where one of them is down."""
    others, hours = (CountingGate(), CountingGate()), Hours()
    hours.make(Housekeeping(CountingEditions(), LostGate(), others, monotonic=hours), 0, 3_600)
    assert [other.sweeps for other in others] == [1, 1]


@pytest.mark.parametrize("jump", [61, 3_600, 400 * 86_400, -61, -86_400])
def test_nothing_is_swept_by_a_clock_that_has_just_jumped(caplog, jump):
    """It is told, and believed when it has gone right for an hour."""
    gate, hours = CountingGate(), Hours()
    housekeeping = Housekeeping(CountingEditions(), gate, monotonic=hours)
    hours.make(housekeeping, 0, 3_599)
    hours.now = 3_600
    housekeeping.run(NOON + 3_600 + jump)
    assert gate.sweeps == 0
    assert caplog.messages == [f"the clock of this host has jumped by {jump:+d} seconds"]
    for hours.now in (3_601, 7_199):
        housekeeping.run(NOON + jump + hours.now)
    assert gate.sweeps == 0
    hours.now = 7_200
    housekeeping.run(NOON + jump + 7_200)
    wait_for_sweep()
    assert gate.sweeps == 1


def test_alarms_are_told_once_a_second(caplog):
    """A line in the log for each sign, and nothing of whose it is; a store that is down is told by its questions."""
    housekeeping = Housekeeping(CountingEditions(), CountingGate(("share", "run"), (), ("world",)))
    for now in (NOON, NOON, NOON + 1, NOON + 2):
        housekeeping.run(now)
    Housekeeping(CountingEditions(), LostGate()).run(NOON)
    assert caplog.messages == [
        f'a sign of mining, "{sign}", has come to an alarm: see ordws guard report'
        for sign in ("share", "run", "world")
    ]


def test_a_newer_edition_is_followed_and_told(house, caplog):
    """A delivered edition is served from the next second on; the log says so, by number."""
    services = house.desk()
    services.housekeeping.run(NOON)
    house.deliver("MISFEED", number=2)
    with caplog.at_level(logging.INFO, "ordws.api"):
        services.housekeeping.run(NOON)
        assert services.editions.current.number == 1
        services.housekeeping.run(NOON + 1)
    assert services.editions.current.number == 2
    assert caplog.messages == ["edition 2 is served now"]


def test_a_refused_edition_is_told_once(house, caplog):
    """An older or damaged delivery changes nothing and is one line in the log."""
    house.deliver("LOVERS", number=2)
    services = house.desk()
    house.deliver("MISFEED", number=1)
    with caplog.at_level(logging.INFO, "ordws.api"):
        for now in range(NOON, NOON + 5):
            services.housekeeping.run(now)
    assert services.editions.current.number == 2
    assert caplog.messages == [
        "a delivered edition is refused: edition 1 does not follow edition 2 "
        "(where editions are built, ordws restore --above 2 seals the words under a higher number)"
    ]


def test_a_rotation_is_followed_by_a_running_desk(house, caplog):
    """An edition under keys that came after the services was opened is served from the next second on."""
    services = house.desk()
    services.housekeeping.run(NOON)
    house.keyring = house.keyring.rotate()
    house.deliver("MISFEED", number=2)
    with caplog.at_level(logging.INFO, "ordws.api"):
        services.housekeeping.run(NOON + 1)
    assert caplog.messages == ["edition 2 is served now"]


@pytest.mark.parametrize("name", ["pepper", "meter_key", "clients", "sealed_edition"])
def test_a_desk_says_what_is_missing(house, name):
    """Without its keys, its register or an edition a services does not open."""
    missing = getattr(house.instance, name)
    missing.unlink()
    if name == "sealed_edition":
        house.instance.edition_mark.unlink(missing_ok=True)
    with pytest.raises(Missing, match=f'"[^"]*{missing.name}"'):
        house.desk()


def test_settings_say_where_the_meters_stand(house, tmp_path):
    """In a Redis server where they name one, which needs no file of the instance."""
    with RedisServer(tmp_path / "redis", *DURABLE) as server:
        house.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        house.instance.meters.unlink()
        services = house.desk()
        assert isinstance(services.gate.store, RedisMeterStore)
        with pytest.raises(StoreDown):
            services.gate.check_writable(NOON)
        RedisMeterStore.create(server.url).close()
        services.gate.check_writable(NOON)
        assert not house.instance.meters.exists()
        services.gate.store.close()


def test_meters_are_made_once(house):
    """To make them again keeps what is spent, and opening a services makes none."""
    assert isinstance(house.desk().gate.store, SqliteMeterStore)
    before = house.instance.meters.stat().st_ino
    create_meters(house.instance)
    assert house.instance.meters.stat().st_ino == before
    house.instance.meters.unlink()
    open_services(house.instance)
    assert not house.instance.meters.exists()
