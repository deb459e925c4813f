"""Meters of several hosts, in one Redis or Valkey server that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.price import Charge, Meter
from ordws.guard.stores import lua_scripts
from ordws.guard.stores.constants import CLOSED_METER, LONG_RETENTION_SECONDS, RETENTION_SECONDS
from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection

_METER_PREFIX: Final = b"ordws:meter:"
_MARK_PREFIX: Final = b"ordws:mark:"
_CLOSED_KEY: Final = _METER_PREFIX + CLOSED_METER.encode()
_LONG_KEPT_INDEX: Final = b"ordws:kept"
_ALARMS_INDEX: Final = b"ordws:alarming"
_PAGE_SIZE: Final = 1_000


class RedisMeterStore:
    """What was admitted is on the server's disk before it is told, and survives the death of any process."""

    is_new: bool = False
    """Whether there were no meters before `create` made them."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, *lua_scripts.SCRIPTS, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> RedisMeterStore:
        """The store on that server, made there if there is none; a store that was only opened is never made."""
        store = cls(url, patience_seconds=patience_seconds)
        store.is_new = store._run(lua_scripts.CREATE, [], []) == 1
        return store

    def close(self) -> None:
        self._remote.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""
        meters, adds, marks, trails, shared = charge
        place = {meter.name: number for number, meter in enumerate(meters, 1)}
        asked: list[Any] = [now, len(meters), place.get(trails, 0), place.get(shared, 0)]
        for name, limit, ends in meters:
            asked += (limit, ends, adds.get(name, 0), _retention_seconds(name, trails))
        for _, ends, feeds, trail in marks:
            asked += (ends, ",".join([str(place[name]) for name in feeds]), trail)
        keys = [
            _LONG_KEPT_INDEX,
            *[_meter_key(meter.name) for meter in meters],
            *[_MARK_PREFIX + mark.key for mark in marks],
        ]
        is_admitted, *found = self._run(lua_scripts.ADMIT, keys, asked)
        if is_admitted:
            return Admitted(frozenset([marks[number - 1].key for number in found]))
        number, ends = found
        return Refused(meters[number - 1].name if number else CLOSED_METER, ends - now)

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add to a meter that is running, which may be taking back."""
        self._run(lua_scripts.SETTLE, [_meter_key(meter)], [now, amount])

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to signs; returns the names of those that have reached their alarm by it."""
        keys, asked = [_ALARMS_INDEX], [now]
        for sign, by in changes:
            keys.append(_meter_key(sign.name))
            asked += (by, sign.threshold, sign.ends, sign.alarm_ends)
        return tuple([changes[number - 1][0].name for number in self._run(lua_scripts.UPDATE_DETECTORS, keys, asked)])

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """How each of these meters stands; nothing is written."""
        closed, *found = self._run(lua_scripts.READ, [_meter_key(meter.name) for meter in meters], [now])
        if closed > now:
            return [MeterReading(meter.limit, closed) for meter in meters]
        return [
            MeterReading(spent, ends or meter.ends)
            for meter, spent, ends in zip(meters, found[::2], found[1::2], strict=True)
        ]

    def active_alarms(self, now: int) -> frozenset[str]:
        """The names of all signs that are in alarm."""
        return frozenset([_meter_name(key) for key in self._run(lua_scripts.ACTIVE_ALARMS, [_ALARMS_INDEX], [now])])

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Begin these signs anew."""
        self._run(lua_scripts.RESET_DETECTORS, [_ALARMS_INDEX, *[_meter_key(sign) for sign in names]], [now])

    def find_mark_end(self, key: bytes, now: int) -> int | None:
        """When a mark ends; None where it is not running."""
        ends: int | None = self._run(lua_scripts.FIND_MARK_END, [_MARK_PREFIX + key], [now])
        return ends

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """The meters of the world, and those with trails, whose names begin so; also those that ended."""
        self.sweep(0)
        begin, end = b"[" + _meter_key(prefix), b"(" + _meter_key(prefix) + b"~"
        while True:
            with self._remote as redis:
                keys: Any = redis.zrange(_LONG_KEPT_INDEX, begin, end, bylex=True, offset=0, num=_PAGE_SIZE)
                pipeline = redis.pipeline(transaction=False)
                for key in keys:
                    pipeline.hmget(key, "spent", "trail")
                found = pipeline.execute()
                if gone := [key for key, (spent, _) in zip(keys, found, strict=True) if spent is None]:
                    redis.zrem(_LONG_KEPT_INDEX, *gone)
            for key, (spent, trail) in zip(keys, found, strict=True):
                if spent is not None:
                    yield StoredMeter(_meter_name(key), int(spent), trail or b"")
            if len(keys) < _PAGE_SIZE:
                return
            begin = b"(" + keys[-1]

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""
        self._run(lua_scripts.REFUSE_UNTIL, [], [moment])

    def sweep(self, now: int) -> int:
        """Nothing, as long as the meters are there: the server clears away by itself what ended long ago."""
        self._run(lua_scripts.READ, [], [now])
        return 0

    def _run(self, script: str, keys: Sequence[bytes], arguments: Sequence[Any]) -> Any:
        return self._remote.run_script(script, [_CLOSED_KEY, *keys], arguments)


def _meter_key(name: str) -> bytes:
    return _METER_PREFIX + name.encode()


def _meter_name(key: bytes) -> str:
    return key[len(_METER_PREFIX) :].decode()


def _retention_seconds(name: str, fingerprint_meter: str) -> int:
    return LONG_RETENTION_SECONDS if name == fingerprint_meter or name.startswith("world/") else RETENTION_SECONDS
