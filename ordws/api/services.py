"""Where identity, gate and words meet: a desk, opened from an instance."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Final, Protocol

from ordws.api.idempotency import Idempotency, ReplyStore, SqliteReplyStore
from ordws.api.judge_log import JudgeLog
from ordws.api.settings import Settings, read_settings
from ordws.api.toy import ToyEditions, ToyGate
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.errors import Missing, StoreDown
from ordws.guard.gate import Gate, MeterStore
from ordws.guard.policy import Policy
from ordws.guard.stores.sqlite import SqliteMeterStore
from ordws.identity.devices import Devices
from ordws.identity.register import Register, RegisteredClient
from ordws.instance import Instance
from ordws.lexicon.open_editions import OpenEditions
from ordws.referee.game_store import KEY_BYTES, GameStore
from ordws.referee.games import SealedGames
from ordws.referee.stores.sqlite import SqliteGameStore

SWEEP_THREAD: Final = "sweep"
MINUTE: Final = 60
HOUR: Final = 3_600
_monotonic: Final = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
_log = logging.getLogger("ordws.api")


class Sweepable(Protocol):
    """What can forget what has ended."""

    def sweep(self, now: int) -> int: ...


class Housekeeping:
    """What is done beside questions: a newer edition is followed, and what has ended is forgotten.

    At most once a second, by the one thread that comes first; the others go on with what there is.
    """

    def __init__(
        self,
        editions: OpenEditions | ToyEditions,
        gate: Gate,
        stores: Sequence[Sweepable] = (),
        monotonic: Callable[[], float] = _monotonic,
    ) -> None:
        self._shelf = editions
        self._gate = gate
        self._stores: tuple[Sweepable, ...] = (gate, *stores)
        self._lock = threading.Lock()
        self._last_second: int | None = None
        self._monotonic = monotonic
        self._last_sweep = monotonic()
        self._clock_offset: float | None = None

    def run(self, now: int) -> None:
        if now == self._last_second or not self._lock.acquire(blocking=False):
            return
        try:
            self._last_second = now
            self._refresh_editions()
            with suppress(StoreDown):
                self.log_alarms(self._gate.update_detectors(now, flush_all=True))
            if self._is_sweep_due(now):
                threading.Thread(target=self._sweep, args=(now,), name=SWEEP_THREAD, daemon=True).start()
        finally:
            self._lock.release()

    def _sweep(self, now: int) -> None:
        """Forget what has ended, which may take seconds: in a thread of its own, so that no question waits for it."""
        for store in self._stores:
            with suppress(StoreDown):
                store.sweep(now)

    def _is_sweep_due(self, now: int) -> bool:
        """Whether this clock has gone as time does for an hour, since which nothing was forgotten.

        One that is wrong for less takes nothing with it, such as a game that would seem to have expired.
        """
        steady = self._monotonic()
        ahead, self._clock_offset = self._clock_offset, now - steady
        if ahead is not None and abs(jump := round(self._clock_offset - ahead)) > MINUTE:
            _log.warning("the clock of this host has jumped by %+d seconds", jump)
            self._last_sweep = steady
        if steady < self._last_sweep + HOUR:
            return False
        self._last_sweep = steady
        return True

    def log_alarms(self, alarms: tuple[str, ...]) -> None:
        """Let a keeper know of alarms, not of whom."""
        for sign in alarms:
            _log.warning('a sign of mining, "%s", has come to an alarm: see ordws guard report', sign)

    def _refresh_editions(self) -> None:
        number, refusal = self._shelf.current.number, self._shelf.refusal
        self._shelf.refresh()
        if self._shelf.current.number != number:
            _log.info("edition %d is served now", self._shelf.current.number)
        if self._shelf.refusal not in (None, refusal):
            hint = f" ({self._shelf.hint})" if self._shelf.hint else ""
            _log.warning("a delivered edition is refused: %s%s", self._shelf.refusal, hint)


@dataclass(frozen=True)
class Services:
    """All that an answer needs."""

    editions: OpenEditions | ToyEditions
    register: Register
    gate: Gate
    housekeeping: Housekeeping
    idempotency: Idempotency
    games: SealedGames
    devices: Devices
    judge_log: JudgeLog
    is_shared: bool = False
    """Whether meters, games and answers are kept on another server, with other hosts."""

    toy: Services | None = None
    """What test keys ask instead; it touches no live meter."""

    def for_client(self, client: RegisteredClient) -> Services:
        """The desk that a client asks."""
        if not client.is_test:
            return self
        if self.toy is None:
            raise Missing("there is no toy desk for test keys")
        return self.toy


def open_editions(instance: Instance, *, adopting: bool) -> OpenEditions:
    return OpenEditions(
        sealed=instance.sealed_edition,
        mark=instance.edition_mark,
        editions=instance.editions,
        core=instance.core,
        reference=instance.reference,
        keys=instance.keys,
        adopting=adopting,
    )


def open_register(instance: Instance) -> Register:
    return Register.open(instance.clients, _read_key(instance.pepper))


def open_devices(instance: Instance) -> Devices:
    return Devices.open(instance.clients, _read_key(instance.pepper))


def open_judge_log(instance: Instance) -> JudgeLog:
    return JudgeLog.create(instance.judge_log, _read_key(instance.meter_key))


def open_services(instance: Instance, policy: Policy | None = None) -> Services:
    """The desk of an instance that has its keys, an edition, clients and meters; raises what is missing or broken."""
    shelf = open_editions(instance, adopting=True)
    register = open_register(instance)
    meter_key = _read_key(instance.meter_key)
    settings = read_settings(instance.settings)
    policy = policy or settings.policy
    gate = Gate(policy, open_meters(instance, settings), meter_key)
    toy_gate = ToyGate(policy, SqliteMeterStore.create(instance.toy_meters), meter_key)
    repeats = Idempotency(_open_replies(instance, settings), meter_key)
    games = SealedGames(_open_turns(instance, settings), _read_key(instance.games_key), SystemRandom())
    devices = open_devices(instance)
    judge_log = open_judge_log(instance)
    rounds = Housekeeping(shelf, gate, (toy_gate, repeats, games, devices, judge_log))
    is_shared = settings.store.redis is not None
    desk = Services(shelf, register, gate, rounds, repeats, games, devices, judge_log, is_shared)
    toy = replace(desk, editions=ToyEditions(), gate=toy_gate)
    return replace(desk, toy=toy)


def open_meters(instance: Instance, settings: Settings) -> MeterStore:
    """The meters, in a file of the instance or where its settings say; to open them never makes them."""
    if settings.store.redis is None:
        return SqliteMeterStore(instance.meters)
    from ordws.guard.stores.redis import RedisMeterStore  # which only several hosts need

    return RedisMeterStore(settings.store.redis)


def _open_turns(instance: Instance, settings: Settings) -> GameStore:
    if settings.store.redis is None:
        return SqliteGameStore(instance.games)
    from ordws.referee.stores.redis import RedisGameStore

    return RedisGameStore(settings.store.redis)


def _open_replies(instance: Instance, settings: Settings) -> ReplyStore:
    if settings.store.redis is None:
        return SqliteReplyStore.create(instance.replies)
    from ordws.api.redis_idempotency import RedisReplyStore

    return RedisReplyStore(settings.store.redis)


def create_meters(instance: Instance) -> None:
    """Make the meters where there are none; an open desk never makes them, so that lost meters are noticed."""
    SqliteMeterStore.create(instance.meters).close()


def create_games(instance: Instance) -> None:
    """Make the key and the file of the sealed games where there are none."""
    if not instance.games_key.exists():
        write_atomically(instance.games_key, os.urandom(KEY_BYTES), SECRET_MODE)
    SqliteGameStore.create(instance.games).close()


def _read_key(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint="ordws init") from err
