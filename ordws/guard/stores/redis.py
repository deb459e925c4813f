"""Meters of several hosts, in one Redis or Valkey server that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ordws.guard.gate import Admitted, Kept, Refused, Standing
from ordws.guard.price import Charge, Meter
from ordws.guard.stores import lua
from ordws.guard.stores.terms import CLOSED, KEPT_SECONDS, LONG_KEPT_SECONDS
from ordws.guard.watch import Sign
from ordws.remote import PATIENCE_SECONDS, RedisConnection

_METER: Final = b"ordws:meter:"
_MARK: Final = b"ordws:mark:"
_CLOSED: Final = _METER + CLOSED.encode()
_KEPT: Final = b"ordws:kept"
_ALARMING: Final = b"ordws:alarming"
_READ_AT_ONCE: Final = 1_000


class RedisStore:
    """What was admitted is on the server's disk before it is told, and survives the death of any process."""

    is_new: bool = False
    """Whether there were no meters before `create` made them."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, *lua.SCRIPTS, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> RedisStore:
        """The store on that server, made there if there is none; a store that was only opened is never made."""
        store = cls(url, patience_seconds=patience_seconds)
        store.is_new = store._run(lua.CREATE, [], []) == 1
        return store

    def close(self) -> None:
        self._remote.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""
        meters, adds, marks, trails, shared = charge
        place = {meter.name: number for number, meter in enumerate(meters, 1)}
        asked: list[Any] = [now, len(meters), place.get(trails, 0), place.get(shared, 0)]
        for name, limit, ends in meters:
            asked += (limit, ends, adds.get(name, 0), _kept_seconds(name, trails))
        for _, ends, feeds, trail in marks:
            asked += (ends, ",".join([str(place[name]) for name in feeds]), trail)
        keys = [_KEPT, *[_meter(meter.name) for meter in meters], *[_MARK + mark.key for mark in marks]]
        is_admitted, *found = self._run(lua.ADMIT, keys, asked)
        if is_admitted:
            return Admitted(frozenset([marks[number - 1].key for number in found]))
        number, ends = found
        return Refused(meters[number - 1].name if number else CLOSED, ends - now)

    def settle(self, meter: str, by: int, now: int) -> None:
        """Add to a meter that is running, which may be taking back."""
        self._run(lua.SETTLE, [_meter(meter)], [now, by])

    def watch(self, seen: Sequence[tuple[Sign, int]], now: int) -> tuple[str, ...]:
        """Add to signs; returns the names of those that have reached their alarm by it."""
        keys, asked = [_ALARMING], [now]
        for sign, by in seen:
            keys.append(_meter(sign.name))
            asked += (by, sign.alarm, sign.ends, sign.alarm_ends)
        return tuple([seen[number - 1][0].name for number in self._run(lua.WATCH, keys, asked)])

    def read(self, meters: Sequence[Meter], now: int) -> list[Standing]:
        """How each of these meters stands; nothing is written."""
        closed, *found = self._run(lua.READ, [_meter(meter.name) for meter in meters], [now])
        if closed > now:
            return [Standing(meter.limit, closed) for meter in meters]
        return [
            Standing(spent, ends or meter.ends)
            for meter, spent, ends in zip(meters, found[::2], found[1::2], strict=True)
        ]

    def alarming(self, now: int) -> frozenset[str]:
        """The names of all signs that are in alarm."""
        return frozenset([_name(key) for key in self._run(lua.ALARMING, [_ALARMING], [now])])

    def calm(self, signs: Sequence[str], now: int) -> None:
        """Begin these signs anew."""
        self._run(lua.CALM, [_ALARMING, *[_meter(sign) for sign in signs]], [now])

    def marked(self, key: bytes, now: int) -> int | None:
        """When a mark ends; None where it is not running."""
        ends: int | None = self._run(lua.MARKED, [_MARK + key], [now])
        return ends

    def kept(self, prefix: str) -> Iterator[Kept]:
        """The meters of the world, and those with trails, whose names begin so; also those that ended."""
        self.sweep(0)
        begin, end = b"[" + _meter(prefix), b"(" + _meter(prefix) + b"~"
        while True:
            with self._remote as redis:
                keys: Any = redis.zrange(_KEPT, begin, end, bylex=True, offset=0, num=_READ_AT_ONCE)
                pipeline = redis.pipeline(transaction=False)
                for key in keys:
                    pipeline.hmget(key, "spent", "trail")
                found = pipeline.execute()
                if gone := [key for key, (spent, _) in zip(keys, found, strict=True) if spent is None]:
                    redis.zrem(_KEPT, *gone)
            for key, (spent, trail) in zip(keys, found, strict=True):
                if spent is not None:
                    yield Kept(_name(key), int(spent), trail or b"")
            if len(keys) < _READ_AT_ONCE:
                return
            begin = b"(" + keys[-1]

    def close_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""
        self._run(lua.CLOSE, [], [moment])

    def sweep(self, now: int) -> int:
        """Nothing, as long as the meters are there: the server clears away by itself what ended long ago."""
        self._run(lua.READ, [], [now])
        return 0

    def _run(self, script: str, keys: Sequence[bytes], arguments: Sequence[Any]) -> Any:
        return self._remote.run_script(script, [_CLOSED, *keys], arguments)


def _meter(name: str) -> bytes:
    return _METER + name.encode()


def _name(key: bytes) -> str:
    return key[len(_METER) :].decode()


def _kept_seconds(name: str, trails: str) -> int:
    return LONG_KEPT_SECONDS if name == trails or name.startswith("world/") else KEPT_SECONDS
