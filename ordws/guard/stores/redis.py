"""A store for several hosts, in one Redis or Valkey server or in a cluster of them.

In a cluster all that belongs to a client, its players and their games has one hash tag, so that a charge is one script
on one node. The record of all unverified callers has a slot of its own, where what a charge needs of it is reserved
before the charge is written. A reservation that is not used is given back, and one whose charge is interrupted counts
as spent, so that the shared limits hold exactly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from ordws.errors import StoreDown
from ordws.guard.charge import (
    CLASSES,
    CORE,
    GUESTS,
    ID_BYTES,
    NO_FINGERPRINT,
    OPENED,
    OPENING,
    UNITS,
    WORLD,
    Admitted,
    Amount,
    Charge,
    DayHistory,
    Lasting,
    Mark,
    MeterOwner,
    MeterRecord,
    Refused,
    day_key,
    game_key,
    game_marks,
    has_history,
    owner,
    pack_mark,
    unpack_mark,
    word_marks,
)
from ordws.guard.policy import DAY
from ordws.guard.stores import lua_scripts
from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection
from ordws.retention import HISTORY

_WORLD_TAG: Final = b"{world}:"
_HOUR: Final = 3_600
_NEW_METERS_HINT: Final = "ordws guard new-meters, with --first where nothing was ever asked of the server or cluster"
_ALARM_FIELDS: Final = ("alarm", "alarm_until")


class RedisMeterStore:
    """A store whose charges are on the disk of a server before they are returned."""

    is_new: bool = False
    """Whether `create` made the meters."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, *lua_scripts.SCRIPTS, patience_seconds=patience_seconds)
        self._tags = self._remote.tags + (_WORLD_TAG,) * self._remote.is_cluster

    @classmethod
    def create(cls, url: str, *, closed_until: int = 0, patience_seconds: float = PATIENCE_SECONDS) -> RedisMeterStore:
        """Open the store, and make the meters if there are none; the constructor never makes them.

        In a cluster they are new where those of any hash tag are missing, since a node has lost what it held.
        """
        store = cls(url, patience_seconds=patience_seconds)
        # Asked of all nodes first: one that is away is an error here, and not when half of the meters are made.
        store.is_new = not all(store._run_everywhere(lua_scripts.EXISTS, []))
        store._run_everywhere(lua_scripts.CREATE, [closed_until])
        if store.is_new:
            # Those that were not lost are closed too: nobody knows which callers' meters are gone.
            store.refuse_until(closed_until)
        return store

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._remote.close()

    def apply(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a count would pass its limit."""
        tag = self._tag(owner(charge.records[0].key))
        world = [place for place, ref in enumerate(charge.records) if ref.key[5 : 5 + ID_BYTES] == WORLD]
        if not (self._remote.is_cluster and world):
            return self._read_outcome(charge, self._apply_at(tag, charge, now))
        shared = [amount for amount in charge.amounts if amount.record in world or amount.share is not None]
        own = charge._replace(
            amounts=tuple([amount for amount in charge.amounts if amount not in shared]),
            records=charge.records[: world[0]],
        )
        reserved = [-1] * CLASSES
        for amount in shared:
            for kind in amount.classes:
                reserved[kind] = 0
        new = [0] * CLASSES
        outcome: Admitted | Refused
        while True:
            reply = self._apply_at(tag, own, now, reserved)
            if reply[0] != "reserve":
                outcome = self._read_outcome(own, reply)
                break
            # It ends, because a charge needs no more than it has marks.
            more = [max(0, needed - held) if held >= 0 else 0 for needed, held in zip(reply[1], reserved, strict=True)]
            refused = self._reserve(charge, shared, more, now)
            if refused is not None:
                outcome = refused
                break
            reserved = [held + most if held >= 0 else -1 for held, most in zip(reserved, more, strict=True)]
        if isinstance(outcome, Admitted) and outcome.new:
            new = [*outcome.new]
        surplus = [new[kind] - held if held > 0 else 0 for kind, held in enumerate(reserved)]
        if any(surplus):
            self._reserve(charge, shared, surplus, now)
        return outcome

    def _reserve(self, charge: Charge, shared: Sequence[Amount], more: Sequence[int], now: int) -> Refused | None:
        """Add amounts for so many marks to the record of all unverified callers, and to what this client drew on it.

        Both are in the slot of that record; negative numbers give back.
        """
        amounts = [
            amount._replace(classes=(), flat=sum([more[kind] for kind in amount.classes]) * amount.each)
            for amount in shared
        ]
        part = Charge(charge.records, tuple(amounts))
        outcome = self._read_outcome(part, self._apply_at(_WORLD_TAG, part, now))
        return outcome if isinstance(outcome, Refused) else None

    def _apply_at(self, tag: bytes, charge: Charge, now: int, reserved: Sequence[int] | None = None) -> Any:
        """Run the script that writes a charge where its client has its records, and return its reply."""
        keys = [_key(tag, b"meters")]
        places: dict[bytes, int] = {}
        # Lua's MessagePack has no bytes, so they are arguments of their own.
        arguments: list[bytes] = [b""]

        def argument(value: bytes) -> int:
            arguments.append(value)
            return len(arguments)

        def place(name: bytes) -> int:
            if name not in places:
                keys.append(_key(tag, name))
                places[name] = len(keys)
            return places[name]

        used = set(range(len(charge.records)))
        if tag == _WORLD_TAG:
            used = {amount.record for amount in charge.amounts}
        records = []
        for number, (key, ends) in enumerate(charge.records):
            # Of a client only what it drew is in the slot of all unverified callers.
            name = b"record:" + key if number in used else b"unused"
            records.append(
                {
                    "key": place(name),
                    "ends": ends,
                    "closes": number == charge.closes,
                    "needed": number == charge.needs,
                    "opening": number == charge.opening,
                    "extends": charge.extends and number == charge.opening,
                    "indices": [[place(index), argument(member)] for index, member in _indices(key)]
                    if number in used
                    else [],
                }
            )
        marks = [
            {
                "key": place(b"marks:" + mark.key[:-ID_BYTES]),
                "field": argument(mark.key[-ID_BYTES:]),
                "class": mark.kind,
                "edition": mark.edition,
                "value": argument(pack_mark(mark)),
                "pinned": mark.is_pinned,
                "ends": _marks_end(mark.key, now),
            }
            for mark in charge.marks
        ]
        amounts = [
            amount._asdict()
            | {"share": amount.share._asdict() if amount.share is not None else False}
            | {"counted": amount.counted if amount.counted is not None else False}
            for amount in charge.amounts
        ]
        once: Any = False
        if charge.once is not None:
            group, field = charge.once[:-ID_BYTES], charge.once[-ID_BYTES:]
            value = pack_mark(Mark(charge.once, OPENING))
            once = [place(b"marks:" + group), argument(field), _marks_end(charge.once, now), argument(value)]
        sent = {"now": now, "acts": charge.acts, "once": once, "marks": marks, "records": records, "amounts": amounts}
        sent["reserved"] = list(reserved) if reserved is not None else False
        arguments[0] = msgspec.msgpack.encode(sent)
        reply = self._run(lua_scripts.APPLY, keys, arguments)
        return msgspec.msgpack.decode(reply)

    def _read_outcome(self, charge: Charge, reply: Any) -> Admitted | Refused:
        match reply:
            case ["closed", seconds]:
                return Refused("closed", seconds)
            case ["once"]:
                return Admitted()
            case ["needs", seconds]:
                return Refused("guests", seconds)
            case ["full", number, seconds]:
                budget = charge.amounts[number - 1].budget
                assert budget is not None
                return Refused(budget, seconds)
        _, new, counts, found = reply
        editions = {
            mark.word: edition
            for mark, edition in zip(charge.marks, found, strict=True)
            if mark.edition and edition not in (-1, mark.edition)
        }
        return Admitted(tuple([[*each] for each in counts]), tuple(new), editions)

    def read(self, keys: Sequence[bytes]) -> list[MeterRecord | None]:
        """Return records as they stand, running or ended; None for one that is not there."""
        found: dict[bytes, bytes | None] = {}
        for tag in {self._tag(owner(key)) for key in keys}:
            part = [key for key in keys if self._tag(owner(key)) == tag]
            names = [_key(tag, b"meters"), *[_key(tag, b"record:" + key) for key in part]]
            found |= dict(zip(part, self._run(lua_scripts.READ, names)[1:], strict=False))
        return [MeterRecord.unpack(data) if (data := found.get(key)) else None for key in keys]

    def day_records(self, client: bytes, day: int) -> dict[MeterOwner, MeterRecord]:
        """Return the records of a client's UTC day: of the client as a whole, and of its players."""
        subjects = [client + player for player in self._members(client, b"players:" + day_key(client, day))]
        records = self.read([day_key(subject, day) for subject in subjects])
        return {subject: each for subject, each in zip(subjects, records, strict=True) if each is not None}

    def guest_games(self) -> dict[bytes, MeterRecord]:
        """Return the records of guests' games by the games' keyed hashes."""
        games = self._members(GUESTS, b"guest-games")
        records = self.read([game_key(GUESTS, game) for game in games])
        return {game: each for game, each in zip(games, records, strict=True) if each is not None}

    def find_lasting(self, subject: MeterOwner) -> Lasting:
        with self._remote as redis:
            found = redis.hgetall(_key(self._tag(subject[:ID_BYTES]), b"lasting:" + subject))
        numbers: dict[str, Any] = {name.decode(): int(value) for name, value in found.items()}
        return Lasting(**numbers)

    def update_lasting(self, subject: MeterOwner, **changes: int | str) -> None:
        # Alarms stand together, since they are read once a second.
        alarm = {name: changes.pop(name) for name in _ALARM_FIELDS if name in changes}
        with self._remote as redis:
            if alarm:
                value = f"{alarm['alarm_until']} {alarm.get('alarm', '')}"
                redis.hset(self._alarms, subject, value)
            if changes:
                redis.hset(_key(self._tag(subject[:ID_BYTES]), b"lasting:" + subject), mapping=changes)

    def active_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        self.closed_until()  # raises StoreDown where the meters were lost
        with self._remote as redis:
            found = {subject: value.decode().split(" ") for subject, value in redis.hgetall(self._alarms).items()}
            if ended := [subject for subject, (until, _) in found.items() if int(until) <= now]:
                redis.hdel(self._alarms, *ended)
        return {
            subject: Lasting(alarm=alarm, alarm_until=int(until))
            for subject, (until, alarm) in found.items()
            if int(until) > now
        }

    def collect(self, now: int) -> None:
        """Bring the history up to date from the days at hand, and delete what is older than 400 days."""
        today = now // DAY
        for day in (today - 1, today):
            for tag in self._tags:
                with self._remote as redis:
                    clients = redis.smembers(_key(tag, b"clients:" + day.to_bytes(4, "big")))
                for client in clients:
                    if self._tag(client) == tag:
                        for subject, record in self.day_records(client, day).items():
                            self._save_history(subject, day, record, word_marks(subject, day), today)
        for game, record in self.guest_games().items():
            self._save_history(GUESTS + game, record.counts[OPENED], record, game_marks(GUESTS, game), today)

    def _save_history(self, subject: MeterOwner, day: int, record: MeterRecord, marks: bytes, today: int) -> None:
        tag = self._tag(subject[:ID_BYTES])
        with self._remote as redis:
            found = {unpack_mark(value)[1] for value in redis.hvals(_key(tag, b"marks:" + marks))}
            trail = b"".join(sorted(found - {NO_FINGERPRINT}))
            key = _key(tag, b"history:" + subject)
            old = [name for name in redis.hkeys(key) if int(name) < today - HISTORY.seconds // DAY]
            redis.hset(key, str(day), msgspec.msgpack.encode([record.counts[UNITS], record.counts[CORE], trail]))
            if old:
                redis.hdel(key, *old)
            redis.expire(key, HISTORY.seconds + 2 * DAY)
            redis.sadd(_key(tag, b"subjects:" + subject[:ID_BYTES]), subject)

    def history(self, client: bytes) -> Iterator[DayHistory]:
        """Yield what a client and its players were charged, by subject and day, as it was collected last."""
        for subject in sorted(self._members(client, b"subjects:" + client)):
            with self._remote as redis:
                days = redis.hgetall(_key(self._tag(client), b"history:" + subject))
            for day in sorted(days, key=int):
                yield DayHistory(subject, int(day), *msgspec.msgpack.decode(days[day]))

    def address_key(self, now: int) -> bytes:
        """Return the random key of this UTC day for hashes of addresses, which the server erases at midnight."""
        name = _key(self._tag(GUESTS), b"address:%d" % (now // DAY))
        with self._remote as redis:
            redis.set(name, os.urandom(32), nx=True, ex=DAY - now % DAY)
            found = redis.get(name)
        if found is None:
            raise StoreDown("the key of addresses is gone")
        return bytes(found)

    def halvings(self, now: int) -> int:
        """Return 0: the server has every charge on its disk."""
        return 0

    def closed_until(self) -> int:
        """Return the moment until which everything is refused; 0 where nothing is."""
        tag = self._tag(WORLD)
        return int(self._run(lua_scripts.READ, [_key(tag, b"meters")])[0])

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""
        self._run_everywhere(lua_scripts.REFUSE_UNTIL, [moment])

    def check_writable(self, now: int) -> None:
        """Raise StoreDown if nothing can be written."""
        self._run(lua_scripts.WRITE, [_key(self._tag(WORLD), b"meters")])

    def sweep(self, now: int) -> int:
        """Bring the history up to date, by one host an hour; the server deletes by itself what ended long ago."""
        with self._remote as redis:
            is_first = redis.set(_key(self._tag(WORLD), b"collected:%d" % (now // _HOUR)), b"", nx=True, ex=2 * _HOUR)
        if is_first:
            self.collect(now)
        return 0

    @property
    def _alarms(self) -> bytes:
        return _key(self._tag(WORLD), b"alarms")

    def _members(self, client: bytes, name: bytes) -> list[bytes]:
        with self._remote as redis:
            return [*redis.smembers(_key(self._tag(client), name))]

    def _tag(self, client: bytes) -> bytes:
        """Return the hash tag of all that a client has."""
        return _WORLD_TAG if client == WORLD and self._remote.is_cluster else self._remote.tag(client.hex())

    def _run(self, script: str, keys: Sequence[bytes], arguments: Sequence[Any] = ()) -> Any:
        with _told_what_to_do():
            return self._remote.run_script(script, keys, arguments)

    def _run_everywhere(self, script: str, arguments: Sequence[Any]) -> list[Any]:
        """Run a script for each hash tag."""
        keys = [[_key(tag, b"meters")] for tag in self._tags]
        with _told_what_to_do():
            return self._remote.run_script_for_each(script, keys, arguments)


@contextmanager
def _told_what_to_do() -> Iterator[None]:
    """Add to the error of a server without meters what a keeper may do."""
    try:
        yield
    except StoreDown as err:
        raise StoreDown(str(err), hint=_NEW_METERS_HINT if "GONE" in str(err) else err.hint) from err


def _key(tag: bytes, name: bytes) -> bytes:
    return b"ordws:%b%b" % (tag, name)


def _indices(key: bytes) -> list[tuple[bytes, bytes]]:
    """Return the sets that name a record, each with its member: nothing is ever searched for by a pattern."""
    client = owner(key)
    if key[:1] == b"g":
        return [(b"guest-games", key[-ID_BYTES:])] if client == GUESTS else []
    if not has_history(key[5:]):
        return []
    return [(b"players:" + key[:-ID_BYTES], key[-ID_BYTES:]), (b"clients:" + key[1:5], client)]


def _marks_end(key: bytes, now: int) -> int:
    """Return the moment at which a group of marks ends: with its UTC day, or the day after for a game."""
    if key[:1] == b"m":
        return (int.from_bytes(key[1:5], "big") + 1) * DAY
    return (now // DAY + 2) * DAY
