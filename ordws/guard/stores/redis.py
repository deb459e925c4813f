"""A store of meters for several hosts, in one Redis or Valkey server or in a cluster of them.

In a cluster all that belongs to a client, its players and their games has one hash tag, so that a charge is one script
on one node. What all unverified callers draw on together has a slot of its own, and cannot be charged by that script.
It is reserved there before the charge is written, and whatever is left of a reservation counts as spent, so that the
shared limits hold exactly. A reservation whose charge is refused is given back; one whose charge is interrupted is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from operator import attrgetter
from typing import Any, Final, TypeVar

from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.price import WORLD, Charge, Meter, client_part
from ordws.guard.stores import lua_scripts
from ordws.guard.stores.constants import CLOSED_METER, LONG_RETENTION_SECONDS, RETENTION_SECONDS
from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection

_Item = TypeVar("_Item")

_ADMITTED, _RESERVE_FIRST = 1, 2
_NOT_RESERVED: Final = -1
_NO_LIMIT: Final = 1 << 40
_WORLD_TAG: Final = b"{world}:"
_PAGE_SIZE: Final = 1_000


class RedisMeterStore:
    """A store whose admissions are on the disk of a server before they are returned."""

    is_new: bool = False
    """Whether `create` made the meters."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, *lua_scripts.SCRIPTS, patience_seconds=patience_seconds)
        self._tags = self._remote.tags + (_WORLD_TAG,) * self._remote.is_cluster

    @classmethod
    def create(cls, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> RedisMeterStore:
        """Open the store on that server, and make the meters if there are none; the constructor never makes them.

        In a cluster they are new where those of any hash tag are missing, since a node has lost what it held.
        """
        store = cls(url, patience_seconds=patience_seconds)
        # Asked of all nodes first: one that is away is an error here, and not when half of the meters are made.
        store.is_new = not all(store._run_everywhere(lua_scripts.EXISTS, []))
        store._run_everywhere(lua_scripts.CREATE, [])
        return store

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._remote.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a meter would pass its limit, or a client its share of one."""
        tag = self._tag(charge.fingerprint_meter or (charge.meters[0].name if charge.meters else ""))
        reserved: dict[str, int] = {}
        if self._remote.is_cluster:
            reserved = {meter.name: 0 for meter in charge.meters if self._tag(meter.name) != tag}
        while isinstance(outcome := self._admit_at(tag, charge, reserved, now), dict):
            # It ends, because a charge needs no more than its marks and amounts feed.
            more = {name: outcome[name] - amount for name, amount in reserved.items() if outcome[name] > amount}
            if (refused := self._reserve(charge, more, now)) is not None:
                outcome = refused
                break
            reserved |= {name: outcome[name] for name in more}
        for name, amount in reserved.items():
            if surplus := amount - _amount_spent(charge, name, outcome):
                own = [share.meter for share in charge.shares if share.of == name]
                self._settle(_WORLD_TAG, [name, *own], -surplus, now)
        return outcome

    def _admit_at(
        self, tag: bytes, charge: Charge, reserved: Mapping[str, int], now: int
    ) -> Admitted | Refused | dict[str, int]:
        """Write a charge where its client has its meters, given what was reserved of the meters that are elsewhere.

        Returns the amounts that the charge needs of each meter where too little was reserved.
        """
        keys, arguments = admission_call(tag, charge, reserved, now)
        kind, *reply = self._remote.run_script(lua_scripts.ADMIT, keys, arguments)
        meters, marks, shares = charge.meters, charge.marks, charge.shares
        if kind == _ADMITTED:
            # Of each mark: the edition it was charged under before, or -1 if it is new.
            before = {mark.key: edition for mark, edition in zip(marks, reply, strict=True)}
            editions = {
                mark.key: before[mark.key]
                for mark in marks
                if mark.edition and before[mark.key] not in (-1, mark.edition)
            }
            return Admitted(frozenset([key for key, edition in before.items() if edition == -1]), editions)
        if kind == _RESERVE_FIRST:
            return {meter.name: amount for meter, amount in zip(meters, reply, strict=True)}
        number, share_number, ends = reply
        name = shares[share_number - 1].name if share_number else meters[number - 1].name if number else CLOSED_METER
        return Refused(name, ends - now)

    def _reserve(self, charge: Charge, amounts: Mapping[str, int], now: int) -> Refused | None:
        """Charge amounts to meters that many clients share, and to what this client has reserved of them today."""
        # The client's own limits are decided where it has its meters.
        meters = {
            meter.name: meter if meter.name in amounts else meter._replace(limit=_NO_LIMIT) for meter in charge.meters
        }
        shares = tuple([share for share in charge.shares if share.of in amounts])
        own = {share.meter: amounts[share.of] for share in shares}
        long_kept = tuple([name for name in charge.long_kept if name in amounts])
        together = Charge(
            tuple([meters[name] for name in (*own, *amounts)]), {**own, **amounts}, (), "", shares, long_kept
        )
        outcome = self._admit_at(_WORLD_TAG, together, {}, now)
        return outcome if isinstance(outcome, Refused) else None

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add an amount, which may be negative, to a meter that is running."""
        self._settle(self._tag(meter), [meter], amount, now)

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to detector sums and return the names of those that have reached their threshold by it."""
        risen: list[str] = []
        for tag, part in self._by_tag(changes, lambda change: change[0].name).items():
            keys, arguments = [_alarms_index(tag)], [now]
            for detector, weight in part:
                keys.append(_meter_key(tag, detector.name))
                arguments += (weight, detector.threshold, detector.ends, detector.alarm_ends)
            numbers = self._run(lua_scripts.UPDATE_DETECTORS, tag, keys, arguments)
            risen += [part[number - 1][0].name for number in numbers]
        return tuple(risen)

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """Return the state of each of these meters, without writing."""
        readings: dict[str, MeterReading] = {}
        # Without meters one tag is asked all the same, since the meters may be gone.
        for tag, part in (self._by_tag(meters, attrgetter("name")) or {self._tag(""): []}).items():
            keys = [_meter_key(tag, meter.name) for meter in part]
            closed, *values = self._run(lua_scripts.READ, tag, keys, [now])
            for meter, spent, ends in zip(part, values[::2], values[1::2], strict=True):
                is_closed = closed > now
                spent, ends = (meter.limit, closed) if is_closed else (spent, ends or meter.ends)
                readings[meter.name] = MeterReading(spent, ends)
        return [readings[meter.name] for meter in meters]

    def active_alarms(self, now: int) -> frozenset[str]:
        """Return the names of all detector sums that are in alarm."""
        found = self._run_everywhere(lua_scripts.ACTIVE_ALARMS, [now], _alarms_index)
        return frozenset([_meter_name(tag, key) for tag, keys in zip(self._tags, found, strict=True) for key in keys])

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Set these detector sums to zero."""
        for tag, part in self._by_tag(names, str).items():
            keys = [_alarms_index(tag), *[_meter_key(tag, name) for name in part]]
            self._run(lua_scripts.RESET_DETECTORS, tag, keys, [now])

    def find_mark_end(self, key: bytes, now: int, client: str = "") -> int | None:
        """Return the moment a mark of this client ends, or None if it is not running."""
        tag = self._tag(client)
        ends: int | None = self._run(lua_scripts.FIND_MARK_END, tag, [_mark_key(tag, key)], [now])
        return ends

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """Yield the meters that are kept for long whose names have this prefix, running or ended."""
        # Raises StoreDown where the meters were lost; an empty index would look like meters without charges.
        self.sweep(0)
        # A prefix may end within the key of a client.
        tags = (self._tag(prefix),) if "/" in prefix else self._tags
        return merge(*[self._stored_at(tag, prefix) for tag in tags], key=attrgetter("name"))

    def _stored_at(self, tag: bytes, prefix: str) -> Iterator[StoredMeter]:
        # Every name is ASCII, so "~" comes behind all that have the prefix.
        index, first = _kept_index(tag), _meter_key(tag, prefix)
        begin, end = b"[" + first, b"(" + first + b"~"
        while True:
            with self._remote as redis:
                keys: Any = redis.zrange(index, begin, end, bylex=True, offset=0, num=_PAGE_SIZE)
                pipeline = redis.pipeline(transaction=False)
                for key in keys:
                    pipeline.hmget(key, "spent", "trail")
                rows = pipeline.execute()
                # The server deletes expired meters without a word, and leaves their names in the index.
                if gone := [key for key, (spent, _) in zip(keys, rows, strict=True) if spent is None]:
                    redis.zrem(index, *gone)
            for key, (spent, fingerprints) in zip(keys, rows, strict=True):
                if spent is not None:
                    yield StoredMeter(_meter_name(tag, key), int(spent), fingerprints or b"")
            if len(keys) < _PAGE_SIZE:
                return
            begin = b"(" + keys[-1]

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""
        self._run_everywhere(lua_scripts.REFUSE_UNTIL, [moment])

    def flush(self, now: int | None) -> None:
        """Do nothing: an admission is on the server's disk before it is returned."""

    def sweep(self, now: int) -> int:
        """Check that the meters are there, and return 0: the server deletes by itself what ended long ago."""
        self._run_everywhere(lua_scripts.READ, [now])
        return 0

    def _settle(self, tag: bytes, names: Sequence[str], amount: int, now: int) -> None:
        self._run(lua_scripts.SETTLE, tag, [_meter_key(tag, name) for name in names], [now, *[amount] * len(names)])

    def _tag(self, name: str) -> bytes:
        """Return the hash tag of a meter by its name, or of all that a client has by its key."""
        client = client_part(name)
        return _WORLD_TAG if client == WORLD and self._remote.is_cluster else self._remote.tag(client)

    def _by_tag(self, items: Iterable[_Item], name: Callable[[_Item], str]) -> dict[bytes, list[_Item]]:
        grouped: defaultdict[bytes, list[_Item]] = defaultdict(list)
        for item in items:
            grouped[self._tag(name(item))].append(item)
        return grouped

    def _run(self, script: str, tag: bytes, keys: Sequence[bytes], arguments: Sequence[Any]) -> Any:
        return self._remote.run_script(script, [_meter_key(tag, CLOSED_METER), *keys], arguments)

    def _run_everywhere(
        self, script: str, arguments: Sequence[Any], index: Callable[[bytes], bytes] | None = None
    ) -> list[Any]:
        """Run a script for each hash tag, with its index if one is given."""
        keys = [[_meter_key(tag, CLOSED_METER), *([] if index is None else [index(tag)])] for tag in self._tags]
        return self._remote.run_script_for_each(script, keys, arguments)


def admission_call(tag: bytes, charge: Charge, reserved: Mapping[str, int], now: int) -> tuple[list[bytes], list[Any]]:
    """Return the keys and arguments with which the script ADMIT writes a charge under a hash tag."""
    meters, amounts, marks, fingerprint_meter, shares, long_kept, _ = charge
    # Lua counts from 1, so 0 stands for a meter that the charge does not have.
    index = {meter.name: number for number, meter in enumerate(meters, 1)}
    arguments: list[Any] = [now, len(meters), index.get(fingerprint_meter, 0), len(shares)]
    for name, limit, ends in meters:
        is_long_kept = name == fingerprint_meter or name in long_kept
        retention = LONG_RETENTION_SECONDS if is_long_kept else RETENTION_SECONDS
        arguments += (limit, ends, amounts.get(name, 0), retention, reserved.get(name, _NOT_RESERVED))
    for share in shares:
        arguments += (index[share.meter], index[share.of], share.divisor, share.least)
    for _, ends, feeds, fingerprint, edition, is_pinned, _ in marks:
        feeding = ",".join([str(index[name]) for name in feeds])
        arguments += (ends, feeding, fingerprint, edition, int(is_pinned))
    meter_keys = [_meter_key(tag, meter.name) for meter in meters]
    mark_keys = [_mark_key(tag, mark.key) for mark in marks]
    return [_meter_key(tag, CLOSED_METER), _kept_index(tag), *meter_keys, *mark_keys], arguments


def _amount_spent(charge: Charge, name: str, outcome: Admitted | Refused) -> int:
    """Return what a charge has spent of a meter."""
    if isinstance(outcome, Refused):
        return 0
    return charge.amounts.get(name, 0) + sum(
        [name in mark.feeds for mark in charge.marks if mark.key in outcome.new_marks]
    )


def _meter_key(tag: bytes, name: str) -> bytes:
    return b"ordws:%bmeter:%b" % (tag, name.encode())


def _meter_name(tag: bytes, key: bytes) -> str:
    return key[len(_meter_key(tag, "")) :].decode()


def _mark_key(tag: bytes, key: bytes) -> bytes:
    return b"ordws:%bmark:%b" % (tag, key)


def _kept_index(tag: bytes) -> bytes:
    return b"ordws:%bkept" % tag


def _alarms_index(tag: bytes) -> bytes:
    return b"ordws:%balarming" % tag
