"""The services of an installation that API actions use, the functions that open them, and the work beside requests.

That work follows new editions, reads the alarms, and sweeps the stores.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Final, Protocol

from ordws.api.device_records import BoundStations, JudgeLog, KeptGames
from ordws.api.idempotency import Idempotency, ReplyStore, SqliteReplyStore
from ordws.api.practice_register import PracticeRegister
from ordws.api.public_editions import PracticeEditions, PracticeGate, ToyEditions, ToyGate
from ordws.api.settings import Settings, read_settings
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.errors import Missing, StoreDown
from ordws.guard.charge import MeterStore
from ordws.guard.gate import Gate
from ordws.guard.guests import GuestGames
from ordws.guard.policy import Policy
from ordws.guard.stores.lmdb import LmdbMeterStore, make_meters
from ordws.identity.devices import Devices, limit_guesses
from ordws.identity.play_links import PlayLinks
from ordws.identity.register import Register, RegisteredClient
from ordws.instance import Instance
from ordws.lexicon.open_editions import OpenEditions
from ordws.public_register import HallFile
from ordws.referee.games import GameStore, SealedGames
from ordws.referee.moments import TimeSource, system_moment
from ordws.referee.results import Results, ResultStore
from ordws.referee.sealed_game import SealedGame
from ordws.referee.stores.news import RowStored
from ordws.referee.stores.sqlite import SqliteGameStore, SqliteResultStore
from ordws.retention import DAY, JUDGE_LOG
from ordws.row_cipher import KEY_BYTES
from ordws.sender_limits import RateLimiter
from ordws.stream import tickets
from ordws.stream.notify import DatagramNotifier
from ordws.stream.tickets import StreamSigner

SWEEP_THREAD: Final = "sweep"
MINUTE: Final = 60
HOUR: Final = 3_600
# CLOCK_MONOTONIC stands still while the host is suspended.
_monotonic: Final = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
_log = logging.getLogger("ordws.api")


class Sweepable(Protocol):
    """A store from which expired entries can be deleted."""

    def sweep(self, now: int) -> int: ...


class Housekeeping:
    """The work beside requests, which one thread of a worker does once a second."""

    def __init__(
        self,
        editions: OpenEditions | ToyEditions,
        gate: Gate,
        stores: Sequence[Sweepable] = (),
        guest_games: Sweepable | None = None,
        monotonic: Callable[[], float] = _monotonic,
    ) -> None:
        self._editions = editions
        self._gate = gate
        self._stores: tuple[Sweepable, ...] = (gate, *stores)
        self._guest_games = guest_games
        self._last_second = self._last_minute = -1
        self._monotonic = monotonic
        self._last_sweep = monotonic()
        self._clock_offset: float | None = None

    def run(self, now: int) -> None:
        """Refresh the editions, read the alarms, start a sweep that is due, unless done in this second."""
        if now == self._last_second:
            return
        self._last_second = now
        editions = self._editions
        number, refusal = editions.current.number, editions.refusal
        editions.refresh()
        if editions.current.number != number:
            _log.info("edition %d is served now", editions.current.number)
        if editions.refusal not in (None, refusal):
            hint = f" ({editions.hint})" if editions.hint else ""
            _log.warning("a delivered edition is refused: %s%s", editions.refusal, hint)
        with suppress(StoreDown):
            self.log_alarms(self._gate.tick(now))
        # What a game holds that nobody began is given back within the hour, so this is not left to the sweep.
        if self._guest_games is not None and now // MINUTE != self._last_minute:
            self._last_minute = now // MINUTE
            with suppress(StoreDown):
                self._guest_games.sweep(now)
        if self._is_sweep_due(now):
            # A sweep may take seconds, for which new editions and alarms should not wait.
            threading.Thread(target=self._sweep, args=(now,), name=SWEEP_THREAD, daemon=True).start()

    def log_alarms(self, alarms: tuple[str, ...]) -> None:
        """Log the detectors that came to an alarm; the log does not say for which identity."""
        for sign in alarms:
            _log.warning('a sign of mining, "%s", has come to an alarm: see ordws guard report', sign)

    def _sweep(self, now: int) -> None:
        for store in self._stores:
            # A store that is down now is swept in an hour.
            with suppress(StoreDown):
                store.sweep(now)

    def _is_sweep_due(self, now: int) -> bool:
        """Return True once an hour, and only after the wall clock has kept pace with the steady clock for an hour.

        A clock that is wrong for less than an hour deletes nothing, such as a game that would seem to have expired.
        """
        steady = self._monotonic()
        last_offset, self._clock_offset = self._clock_offset, now - steady
        if last_offset is not None and abs(jump := round(self._clock_offset - last_offset)) > MINUTE:
            _log.warning("the clock of this host has jumped by %+d seconds", jump)
            self._last_sweep = steady
        if steady < self._last_sweep + HOUR:
            return False
        self._last_sweep = steady
        return True


@dataclass(frozen=True)
class Services:
    """The stores, the gate and the word set that actions use."""

    editions: OpenEditions | ToyEditions | PracticeEditions
    register: Register
    gate: Gate
    housekeeping: Housekeeping
    idempotency: Idempotency
    games: SealedGames
    devices: Devices
    judge_log: JudgeLog
    kept_games: KeptGames
    bound_stations: BoundStations
    stream_signer: StreamSigner
    play_links: PlayLinks
    guest_games: GuestGames
    practice_register: PracticeRegister
    program_notifier: DatagramNotifier
    takes_visitors: bool
    """Whether the front page judges words for whoever opens it."""
    is_shared: bool = False
    """True where meters, games and replies are stored on another server, which other hosts share."""

    stream_port: int | None = None
    """The port of the stream process where pages reach it by a port of its own; None where a proxy leads to it."""

    hall: HallFile = field(default_factory=HallFile)
    """The file of the register of decided cases, which `/hall` shows."""

    recovery_guesses: RateLimiter = field(default_factory=limit_guesses)
    """The wrong recovery codes of seats that this process was sent."""

    toy: Services | None = None
    """The services of test keys, which touch no live meter."""

    practice: Services | None = None
    """The services of games against the program, which touch no live meter either."""

    def for_client(self, client: RegisteredClient) -> Services:
        """Return the services that a client uses: these, or the toy services where its key is a test key."""
        if not client.is_test:
            return self
        if self.toy is None:
            raise Missing("there are no toy services for test keys")
        return self.toy

    @property
    def for_practice(self) -> Services:
        if self.practice is None:
            raise Missing("there are no services for practice")
        return self.practice

    def wake_program(self, sealed_game: SealedGame) -> None:
        """Tell the program of this host that a game has another row, where it is one of practice."""
        if sealed_game.header.program_seat is not None:
            self.program_notifier(RowStored(sealed_game.header.game, len(sealed_game.rows)))


def open_editions(instance: Instance, *, adopting: bool) -> OpenEditions:
    return OpenEditions(
        sealed=instance.sealed_edition,
        mark=instance.edition_mark,
        editions=instance.editions,
        core=instance.core,
        reference=instance.reference,
        charged=instance.charged,
        keys=instance.keys,
        adopting=adopting,
    )


def open_register(instance: Instance) -> Register:
    return Register.open(instance.clients, _read_key(instance.pepper))


def open_devices(instance: Instance) -> Devices:
    return Devices.open(instance.clients, _read_key(instance.pepper))


def open_play_links(instance: Instance) -> PlayLinks:
    return PlayLinks.open(instance.clients, _read_key(instance.pepper))


def open_judge_log(instance: Instance, keep_seconds: int = JUDGE_LOG.seconds) -> JudgeLog:
    return JudgeLog.create(instance.judge_log, _read_key(instance.meter_key), keep_seconds=keep_seconds)


def open_services(
    instance: Instance, policy: Policy | None = None, clock: TimeSource = system_moment, stream_port: int | None = None
) -> Services:
    """Open the services of an instance that has its keys, an edition, clients and meters.

    `clock` is that of the sealed games.

    Raises Missing, Broken or BadInput for whatever would keep questions from being answered.
    """
    editions = open_editions(instance, adopting=True)
    register = open_register(instance)
    meter_key = _read_key(instance.meter_key)
    settings = read_settings(instance.settings)
    policy, days = policy or settings.policy, settings.retention
    gate = Gate(policy, open_meters(instance, settings), meter_key)
    toy_gate = ToyGate(policy, LmdbMeterStore.create(instance.toy_meters), meter_key)
    replies, turns, results = _open_game_stores(instance, settings)
    idempotency = Idempotency(replies, meter_key)
    games_key = _read_key(instance.games_key)
    kept_results = Results(results, games_key, keep_seconds=days.results_days * DAY)
    games = SealedGames(turns, games_key, SystemRandom(), clock=clock, results=kept_results)
    games.on_row = DatagramNotifier(instance.stream_notices)
    keep_seconds = days.kept_games_days * DAY
    kept_games = KeptGames.create(instance.kept_games, games_key, keep_seconds=keep_seconds)
    bound_stations = BoundStations.create(instance.kept_games, games_key, keep_seconds=keep_seconds)
    devices = open_devices(instance)
    judge_log = open_judge_log(instance, days.judge_log_days * DAY)
    play_links = open_play_links(instance)
    guest_games = GuestGames(gate, play_links.games_of)
    practice_register = _open_practice_register(instance, settings, games_key)
    stores = (toy_gate, replies, games, devices, judge_log, kept_games, bound_stations, practice_register)
    services = Services(
        editions=editions,
        register=register,
        gate=gate,
        housekeeping=Housekeeping(editions, gate, stores, guest_games),
        idempotency=idempotency,
        games=games,
        devices=devices,
        judge_log=judge_log,
        kept_games=kept_games,
        bound_stations=bound_stations,
        stream_signer=StreamSigner(_read_key(instance.stream_key)),
        play_links=play_links,
        guest_games=guest_games,
        practice_register=practice_register,
        program_notifier=DatagramNotifier(instance.computer_notices),
        takes_visitors=settings.pages.visitors,
        is_shared=settings.store.redis is not None,
        stream_port=stream_port,
        hall=HallFile(instance.register),
    )
    # Of the meters of test keys practice takes the day's key for addresses alone.
    practice_gate = PracticeGate(policy, toy_gate.store, meter_key)
    return replace(
        services,
        toy=replace(services, editions=ToyEditions(), gate=toy_gate),
        practice=replace(services, editions=PracticeEditions(editions), gate=practice_gate),
    )


def _open_practice_register(instance: Instance, settings: Settings, games_key: bytes) -> PracticeRegister:
    return PracticeRegister.create(
        instance.practice,
        _read_key(instance.computer_key),
        games_key,
        most_games=settings.practice.games,
        an_address=settings.practice.games_an_address,
    )


def _open_game_stores(instance: Instance, settings: Settings) -> tuple[ReplyStore, GameStore, ResultStore]:
    """Open the stores of replies, games and results, in files of the instance or in the Redis of its settings."""
    if settings.store.redis is None:
        files = SqliteReplyStore.create(instance.replies), SqliteGameStore(instance.games)
        return *files, SqliteResultStore.create(instance.results)
    # An installation on one host need not have the redis package.
    from ordws.api.redis_idempotency import RedisReplyStore
    from ordws.referee.stores.redis import RedisGameStore, RedisResultStore

    url = settings.store.redis
    return RedisReplyStore(url), RedisGameStore(url), RedisResultStore(url)


def open_meters(instance: Instance, settings: Settings) -> MeterStore:
    """Open the meters, in a folder of the instance or in the Redis of its settings; never create them."""
    if settings.store.redis is None:
        return LmdbMeterStore(instance.meters)
    # An installation on one host need not have the redis package.
    from ordws.guard.stores.redis import RedisMeterStore

    return RedisMeterStore(settings.store.redis)


def create_meters(instance: Instance) -> None:
    """Create the meters of a new installation. `open_services` never does, so that a loss of the meters is noticed."""
    make_meters(instance.meters)


def create_games(instance: Instance) -> None:
    """Create the key and the file of the sealed games, and the keys of stream and program, where there are none."""
    # A new games key would make the running games unreadable.
    keys = (instance.games_key, KEY_BYTES), (instance.stream_key, tickets.KEY_BYTES), (instance.computer_key, KEY_BYTES)
    for path, size in keys:
        if not path.exists():
            write_atomically(path, os.urandom(size), SECRET_MODE)
    for path in (instance.stream_notices, instance.computer_notices):
        path.parent.mkdir(mode=0o700, exist_ok=True)
    SqliteGameStore.create(instance.games).close()


def _read_key(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint=Instance(path.parent.parent).key_hint) from err
