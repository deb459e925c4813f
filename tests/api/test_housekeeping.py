"""Tests of the work between requests: following editions, logging alarms, and sweeping stores."""

from __future__ import annotations

import logging
import shutil

import pytest
from redis_server import DURABLE, RedisServer
from sweep_thread import wait_for_sweep

from ordws.api.services import Housekeeping, create_meters, open_services
from ordws.errors import Missing, StoreDown
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.guard.stores.redis import RedisMeterStore

NOON = 1_795_262_400


class CountingEditions:
    """Editions that count their refreshes."""

    def __init__(self):
        self.refreshes, self.current, self.refusal = 0, self, None
        self.number = 1

    def refresh(self):
        self.refreshes += 1


class CountingGate:
    """A gate that counts its sweeps, and returns the alarms that it is given."""

    def __init__(self, *alarms):
        self.sweeps, self.alarms = 0, list(alarms)

    def tick(self, now):
        return self.alarms.pop(0) if self.alarms else ()

    def sweep(self, now):
        self.sweeps += 1


class LostGate:
    """A gate whose store does not answer."""

    def tick(self, now):
        raise StoreDown("gone")

    def sweep(self, now):
        raise StoreDown("gone")


def test_editions_are_refreshed_once_a_second():
    """The editions must be refreshed once in each second."""
    editions = CountingEditions()
    housekeeping = Housekeeping(editions, CountingGate())
    for now in (NOON, NOON, NOON, NOON + 1, NOON + 1):
        housekeeping.run(now)
    assert editions.refreshes == 2


class SteadyClock:
    """Housekeeping with a steady clock that the test sets."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now

    def run(self, housekeeping, *seconds):
        """Run housekeeping at these seconds after the start, by the steady clock and by the wall clock."""
        for self.now in seconds:
            housekeeping.run(NOON + self.now)
        wait_for_sweep()


def test_meters_are_swept_once_an_hour():
    """The meters must be swept once an hour, and not before the first hour is over."""
    gate, steady_clock = CountingGate(), SteadyClock()
    steady_clock.run(Housekeeping(CountingEditions(), gate, monotonic=steady_clock), 0, 1, 3_599)
    assert gate.sweeps == 0
    steady_clock.run(
        housekeeping := Housekeeping(CountingEditions(), gate, monotonic=steady_clock), 3_600, 3_601, 7_200
    )
    assert gate.sweeps == 1
    steady_clock.run(housekeeping, 7_201, 10_799, 10_801)
    assert gate.sweeps == 2


def test_guests_games_are_swept_once_a_minute():
    """What guests' games hold in vain is given back in the first second of each minute."""
    games = CountingGate()
    housekeeping = Housekeeping(CountingEditions(), CountingGate(), guest_games=games)
    for second in (0, 1, 59, 61, 119, 300):
        housekeeping.run(NOON + second)
    assert games.sweeps == 3


def test_all_stores_are_swept_with_the_meters():
    """All other stores must be swept with the meters, even where one of them is down."""
    others, steady_clock = (CountingGate(), CountingGate()), SteadyClock()
    steady_clock.run(Housekeeping(CountingEditions(), LostGate(), others, monotonic=steady_clock), 0, 3_600)
    assert [other.sweeps for other in others] == [1, 1]


@pytest.mark.parametrize("jump", [61, 3_600, 400 * 86_400, -61, -86_400])
def test_no_sweep_within_an_hour_of_a_clock_jump(caplog, jump):
    """A jump of the wall clock must be logged, and nothing swept until the clock has been right for an hour."""
    gate, steady_clock = CountingGate(), SteadyClock()
    housekeeping = Housekeeping(CountingEditions(), gate, monotonic=steady_clock)
    steady_clock.run(housekeeping, 0, 3_599)
    steady_clock.now = 3_600
    housekeeping.run(NOON + 3_600 + jump)
    assert gate.sweeps == 0
    assert caplog.messages == [f"the clock of this host has jumped by {jump:+d} seconds"]
    for steady_clock.now in (3_601, 7_199):
        housekeeping.run(NOON + jump + steady_clock.now)
    assert gate.sweeps == 0
    steady_clock.now = 7_200
    housekeeping.run(NOON + jump + 7_200)
    wait_for_sweep()
    assert gate.sweeps == 1


def test_each_alarm_is_one_log_line_without_an_identity(caplog):
    """Each alarm must be one log line that names no identity; a store that is down is not logged here."""
    housekeeping = Housekeeping(CountingEditions(), CountingGate(("share", "run"), (), ("world",)))
    for now in (NOON, NOON, NOON + 1, NOON + 2):
        housekeeping.run(now)
    Housekeeping(CountingEditions(), LostGate()).run(NOON)
    assert caplog.messages == [
        f'a sign of mining, "{sign}", has come to an alarm: see ordws guard report'
        for sign in ("share", "run", "world")
    ]


def test_a_newer_edition_is_served_and_logged(installation, caplog):
    """A delivered edition must be served from the next second on, and the log must name its number."""
    services = installation.services()
    services.housekeeping.run(NOON)
    installation.deliver("MISFEED", number=2)
    with caplog.at_level(logging.INFO, "ordws.api"):
        services.housekeeping.run(NOON)
        assert services.editions.current.number == 1
        services.housekeeping.run(NOON + 1)
    assert services.editions.current.number == 2
    assert caplog.messages == ["edition 2 is served now"]


def test_a_refused_edition_is_logged_once(installation, caplog):
    """An older or damaged delivery must change nothing and leave one line in the log."""
    installation.deliver("LOVERS", number=2)
    services = installation.services()
    installation.deliver("MISFEED", number=1)
    with caplog.at_level(logging.INFO, "ordws.api"):
        for now in range(NOON, NOON + 5):
            services.housekeeping.run(now)
    assert services.editions.current.number == 2
    assert caplog.messages == [
        "a delivered edition is refused: edition 1 does not follow edition 2 "
        "(where editions are built, ordws restore --above 2 seals the words under a higher number)"
    ]


def test_a_running_service_opens_editions_under_rotated_keys(installation, caplog):
    """An edition under keys that are newer than the running service must be served from the next second on."""
    services = installation.services()
    services.housekeeping.run(NOON)
    installation.keyring = installation.keyring.rotate()
    installation.deliver("MISFEED", number=2)
    with caplog.at_level(logging.INFO, "ordws.api"):
        services.housekeeping.run(NOON + 1)
    assert caplog.messages == ["edition 2 is served now"]


@pytest.mark.parametrize("name", ["pepper", "meter_key", "clients", "sealed_edition"])
def test_missing_files_are_named(installation, name):
    """Without its keys, its register or an edition, the services must not open, and the error names the file."""
    missing = getattr(installation.instance, name)
    missing.unlink()
    if name == "sealed_edition":
        installation.instance.edition_mark.unlink(missing_ok=True)
    with pytest.raises(Missing, match=f'"[^"]*{missing.name}"'):
        installation.services()


def test_settings_can_place_the_meters_in_redis(installation, tmp_path):
    """Where the settings name a Redis server, the meters must be there, and no file of the instance is needed."""
    with RedisServer(tmp_path / "redis", *DURABLE) as server:
        installation.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        shutil.rmtree(installation.instance.meters)
        services = installation.services()
        assert isinstance(services.gate.store, RedisMeterStore)
        with pytest.raises(StoreDown):
            services.gate.check_writable(NOON)
        RedisMeterStore.create(server.url).close()
        services.gate.check_writable(NOON)
        assert not installation.instance.meters.exists()
        services.gate.store.close()


def test_meters_are_made_once(installation):
    """Creating the meters again must keep what is spent, and opening the services must not create them."""
    assert isinstance(installation.services().gate.store, LmdbMeterStore)
    before = installation.instance.meters.stat().st_ino
    create_meters(installation.instance)
    assert installation.instance.meters.stat().st_ino == before
    shutil.rmtree(installation.instance.meters)
    open_services(installation.instance)
    assert not installation.instance.meters.exists()
