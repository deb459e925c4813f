"""A store of meters for several hosts, in one Redis or Valkey server that they share."""

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
    """A store whose admissions are on the server's disk before they are returned."""

    is_new: bool = False
    """Whether `create` made the meters."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, *lua_scripts.SCRIPTS, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> RedisMeterStore:
        """Open the store on that server, and make the meters if there are none; the constructor never makes them."""
        store = cls(url, patience_seconds=patience_seconds)
        store.is_new = store._run(lua_scripts.CREATE, [], []) == 1
        return store

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._remote.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a meter would pass its limit, or a client its share of one."""
        meters, amounts, marks, fingerprint_meter, shares, long_kept = charge
        # Lua counts from 1, so 0 stands for a meter that the charge does not have.
        index = {meter.name: number for number, meter in enumerate(meters, 1)}
        arguments: list[Any] = [now, len(meters), index.get(fingerprint_meter, 0), len(shares)]
        for name, limit, ends in meters:
            is_long_kept = name == fingerprint_meter or name in long_kept
            retention = LONG_RETENTION_SECONDS if is_long_kept else RETENTION_SECONDS
            arguments += (limit, ends, amounts.get(name, 0), retention)
        for share in shares:
            arguments += (index[share.meter], index[share.of], share.divisor, share.least)
        for _, ends, feeds, fingerprint, edition, is_pinned in marks:
            feeding = ",".join([str(index[name]) for name in feeds])
            arguments += (ends, feeding, fingerprint, edition, int(is_pinned))
        keys = [
            _LONG_KEPT_INDEX,
            *[_meter_key(meter.name) for meter in meters],
            *[_MARK_PREFIX + mark.key for mark in marks],
        ]
        is_admitted, *reply = self._run(lua_scripts.ADMIT, keys, arguments)
        if is_admitted:
            # Of each mark: the edition it was charged under before, or -1 if it is new.
            before = {mark.key: edition for mark, edition in zip(marks, reply, strict=True)}
            editions = {
                mark.key: before[mark.key]
                for mark in marks
                if mark.edition and before[mark.key] not in (-1, mark.edition)
            }
            return Admitted(frozenset([key for key, edition in before.items() if edition == -1]), editions)
        number, share_number, ends = reply
        name = shares[share_number - 1].name if share_number else meters[number - 1].name if number else CLOSED_METER
        return Refused(name, ends - now)

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add an amount, which may be negative, to a meter that is running."""
        self._run(lua_scripts.SETTLE, [_meter_key(meter)], [now, amount])

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to detector sums and return the names of those that have reached their threshold by it."""
        keys, arguments = [_ALARMS_INDEX], [now]
        for detector, weight in changes:
            keys.append(_meter_key(detector.name))
            arguments += (weight, detector.threshold, detector.ends, detector.alarm_ends)
        risen = self._run(lua_scripts.UPDATE_DETECTORS, keys, arguments)
        return tuple([changes[number - 1][0].name for number in risen])

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """Return the state of each of these meters, without writing."""
        closed, *values = self._run(lua_scripts.READ, [_meter_key(meter.name) for meter in meters], [now])
        if closed > now:
            return [MeterReading(meter.limit, closed) for meter in meters]
        return [
            MeterReading(spent, ends or meter.ends)
            for meter, spent, ends in zip(meters, values[::2], values[1::2], strict=True)
        ]

    def active_alarms(self, now: int) -> frozenset[str]:
        """Return the names of all detector sums that are in alarm."""
        return frozenset([_meter_name(key) for key in self._run(lua_scripts.ACTIVE_ALARMS, [_ALARMS_INDEX], [now])])

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Set these detector sums to zero."""
        self._run(lua_scripts.RESET_DETECTORS, [_ALARMS_INDEX, *[_meter_key(name) for name in names]], [now])

    def find_mark_end(self, key: bytes, now: int) -> int | None:
        """Return the moment a mark ends, or None if it is not running."""
        ends: int | None = self._run(lua_scripts.FIND_MARK_END, [_MARK_PREFIX + key], [now])
        return ends

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """Yield the meters that are kept for long whose names have this prefix, running or ended."""
        # Raises StoreDown where the meters were lost; an empty index would look like meters without charges.
        self.sweep(0)
        # Every name is ASCII, so "~" comes behind all that have the prefix.
        begin, end = b"[" + _meter_key(prefix), b"(" + _meter_key(prefix) + b"~"
        while True:
            with self._remote as redis:
                keys: Any = redis.zrange(_LONG_KEPT_INDEX, begin, end, bylex=True, offset=0, num=_PAGE_SIZE)
                pipeline = redis.pipeline(transaction=False)
                for key in keys:
                    pipeline.hmget(key, "spent", "trail")
                rows = pipeline.execute()
                # The server deletes expired meters without a word, and leaves their names in the index.
                if gone := [key for key, (spent, _) in zip(keys, rows, strict=True) if spent is None]:
                    redis.zrem(_LONG_KEPT_INDEX, *gone)
            for key, (spent, fingerprints) in zip(keys, rows, strict=True):
                if spent is not None:
                    yield StoredMeter(_meter_name(key), int(spent), fingerprints or b"")
            if len(keys) < _PAGE_SIZE:
                return
            begin = b"(" + keys[-1]

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""
        self._run(lua_scripts.REFUSE_UNTIL, [], [moment])

    def flush(self, now: int | None) -> None:
        """Do nothing: an admission is on the server's disk before it is returned."""

    def sweep(self, now: int) -> int:
        """Check that the meters are there, and return 0: the server deletes by itself what ended long ago."""
        self._run(lua_scripts.READ, [], [now])
        return 0

    def _run(self, script: str, keys: Sequence[bytes], arguments: Sequence[Any]) -> Any:
        return self._remote.run_script(script, [_CLOSED_KEY, *keys], arguments)


def _meter_key(name: str) -> bytes:
    return _METER_PREFIX + name.encode()


def _meter_name(key: bytes) -> str:
    return key[len(_METER_PREFIX) :].decode()
