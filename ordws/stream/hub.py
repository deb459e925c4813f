"""The streams that are open, by game: who listens, what each was told last, and who must make room."""

from __future__ import annotations

import json
import random
from asyncio import Task
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import count
from typing import Any, Final, Literal, TypeAlias, get_args

from ordws.referee.stores.news import GameNews, RowStored
from ordws.stream.tickets import StreamSigner, StreamTicket

StreamEvent: TypeAlias = Literal["row", "nonce", "presence", "replaced", "heartbeat"]
WakeSource: TypeAlias = Literal["datagram", "poll", "redis"]
StreamEnding: TypeAlias = Literal["closed", "replaced", "moved", "dropped", "stopped"]
StreamRefusal: TypeAlias = Literal[
    "bad-ticket", "too-busy", "store-down", "not-found", "method-not-allowed", "cross-site"
]

EVENTS: Final[tuple[StreamEvent, ...]] = get_args(StreamEvent)
SOURCES: Final[tuple[WakeSource, ...]] = get_args(WakeSource)
ENDINGS: Final[tuple[StreamEnding, ...]] = get_args(StreamEnding)
"""How streams end: by their reader, by a newer stream of the seat, because the seat is another browser's now, because
the reader did not keep up, and with the process."""
REFUSALS: Final[tuple[StreamRefusal, ...]] = get_args(StreamRefusal)


class StreamCounts:
    """The numbers of what a stream process has done since it began; one thread writes."""

    def __init__(self) -> None:
        self.open = 0
        self.events: Counter[StreamEvent] = Counter()
        self.wakeups: Counter[WakeSource] = Counter()
        self.endings: Counter[StreamEnding] = Counter()
        self.refusals: Counter[StreamRefusal] = Counter()
        self.is_store_up = True


MAX_STREAMS: Final = 12_000
"""The number of streams of a process; each takes some 17 kB."""
MAX_STREAMS_PER_ADDRESS: Final = 256
"""An evening of sixty people behind one address has sixty streams, and for a moment twice as many after a cut."""
HEARTBEAT_SECONDS: Final = 15.0
TICKS: Final = 60
"""The parts of that time in which the streams take turns with their heartbeats."""

_HEARTBEAT: Final = b":\n\n"
_REPLACED: Final = b"event: replaced\ndata: {}\n\n"
_RETRY_MS: Final = 1_000
_RETRY_SPREAD_MS: Final = 2_000

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]


class Stream:
    """One seat's stream. Until it has begun it is told nothing, and keeps the number of the newest row."""

    __slots__ = ("address", "is_void", "row", "send", "task", "tick", "ticket")

    def __init__(self, ticket: StreamTicket, address: str) -> None:
        self.ticket = ticket
        self.address = address
        self.row = -1
        self.send: Send | None = None
        self.task: Task[Any] | None = None
        self.tick = 0
        self.is_void = False
        """True where its seat was given to another browser."""

    def push(self, message: dict[str, Any]) -> bool:
        """Send without waiting; return False where the reader has not read what was sent before."""
        assert self.send is not None
        sending = self.send(message).__await__()
        try:
            # A first step that ends is a message that was taken; one that waits has found the reader's buffers full.
            next(sending)
        except StopIteration:
            return True
        return False


class Hub:
    """The open streams of a process, which belong to one event loop."""

    def __init__(
        self,
        signer: StreamSigner,
        counts: StreamCounts,
        clock_ms: Callable[[], int],
        *,
        most: int = MAX_STREAMS,
        most_per_address: int = MAX_STREAMS_PER_ADDRESS,
        tells_presence: bool = True,
    ) -> None:
        self._signer = signer
        self._counts = counts
        self._clock_ms = clock_ms
        self._most, self._most_per_address = most, most_per_address
        self._tells_presence = tells_presence
        self._games: dict[str, list[Stream]] = {}
        self._left: dict[str, dict[int, int]] = {}
        """When the last stream of a seat ended, while another seat of its game listens."""

        self._addresses: Counter[str] = Counter()
        # Streams take turns with their heartbeats, in the order in which they come, so that no moment has many.
        self._turns: list[dict[Stream, None]] = [{} for _ in range(TICKS)]
        self._next_turn = count()
        self._is_closed = False

    @property
    def is_empty(self) -> bool:
        return not self._games

    def has_listeners(self, game: str) -> bool:
        """Return whether anybody listens for this game; any thread may ask."""
        return game in self._games

    def join(self, ticket: StreamTicket, address: str) -> Stream | None:
        """Register a stream, from which moment it misses no row; None where there is no room for it."""
        mine = [s for s in self._games.get(ticket.game, ()) if s.ticket.seat == ticket.seat]
        # A reader who comes back takes the place of the stream that is to be replaced.
        mine_here = sum(stream.address == address for stream in mine)
        if (
            self._is_closed
            or self._counts.open - len(mine) >= self._most
            or self._addresses[address] - mine_here >= self._most_per_address
        ):
            return None
        stream = Stream(ticket, address)
        self._games.setdefault(ticket.game, []).append(stream)
        self._addresses[address] += 1
        self._counts.open += 1
        stream.tick = next(self._next_turn) % TICKS
        return stream

    def begin(self, stream: Stream, news: GameNews, start: dict[str, Any], send: Send, task: Task[Any]) -> bool:
        """Start a stream, tell it the number of rows, and end the one that it replaces; False if its ticket is void."""
        ticket = stream.ticket
        others = [s for s in self._games[ticket.game] if s.ticket.seat == ticket.seat and s.send is not None]
        newest = max([news.generations.get(ticket.seat, 0), *[each.ticket.generation for each in others]])
        if stream.is_void or ticket.generation < newest:
            return False
        for each in others:
            self._end(each, "replaced", _REPLACED)
            self._counts.events["replaced"] += 1
        stream.send, stream.task = send, task
        self._turns[stream.tick][stream] = None
        stream.row = max(stream.row, news.rows)
        hint = _retry_event(_RETRY_MS + random.randrange(_RETRY_SPREAD_MS))
        stream.push(start)
        self._tell(stream, hint + _row_event(stream.row))
        self._tell_presence(ticket.game)
        return True

    def leave(self, stream: Stream, why: StreamEnding = "closed") -> None:
        """Forget a stream that has ended; one that was forgotten already stays so."""
        streams = self._games.get(stream.ticket.game, [])
        if stream not in streams:
            return
        streams.remove(stream)
        if not streams:
            del self._games[stream.ticket.game]
            self._left.pop(stream.ticket.game, None)
        self._turns[stream.tick].pop(stream, None)
        self._counts.open -= 1
        self._addresses[stream.address] -= 1
        if not self._addresses[stream.address]:
            del self._addresses[stream.address]
        if stream.send is not None:
            self._counts.endings[why] += 1
            self._note_absence(stream.ticket.game, stream.ticket.seat)

    def wake(self, row: RowStored, source: WakeSource) -> None:
        """Tell every seat of a game of a row, unless it was told of it before."""
        streams = self._games.get(row.game)
        if not streams:
            return
        body, has_told = _row_event(row.number), False
        for stream in tuple(streams):
            if row.taken is not None and stream.ticket.seat == row.taken.seat:
                stream.is_void |= stream.ticket.generation < row.taken.generation
            if stream.row < row.number:
                stream.row, has_told = row.number, True
                if stream.send is not None and not stream.is_void:
                    self._tell(stream, body)
            if stream.is_void and stream.send is not None:
                self._end(stream, "moved", b"")
        self._counts.wakeups[source] += has_told

    def beat(self, tick: int) -> None:
        """Send a heartbeat to the streams whose turn it is."""
        for stream in tuple(self._turns[tick % TICKS]):
            self._push(stream, _HEARTBEAT, "heartbeat")

    def close(self) -> None:
        """End all streams, and take no more."""
        self._is_closed = True
        for streams in tuple(self._games.values()):
            for stream in tuple(streams):
                if stream.send is not None:
                    self._end(stream, "stopped", b"")

    def _note_absence(self, game: str, seat: int) -> None:
        """Tell the others that a seat has no stream any more; one that is replaced has a newer one already."""
        streams = self._games.get(game, ())
        if streams and not self._is_closed and all(each.ticket.seat != seat for each in streams):
            self._left.setdefault(game, {})[seat] = self._clock_ms()
            self._tell_presence(game)

    def _tell_presence(self, game: str) -> None:
        """Tell the seats of a game which of them are connected, and for how long others have been away."""
        if not self._tells_presence:
            return
        streams, now = self._games.get(game, []), self._clock_ms()
        here = {each.ticket.seat for each in streams if each.send is not None}
        away = {seat: now - since for seat, since in self._left.get(game, {}).items() if seat not in here}
        body = _presence_event(here, away)
        for stream in tuple(streams):
            # One that does not keep up is ended, and with it others may have heard of that before.
            if stream.send is not None and stream in streams:
                self._push(stream, body, "presence")

    def _tell(self, stream: Stream, body: bytes) -> None:
        game, seat = stream.ticket.game, stream.ticket.seat
        nonce = self._signer.sign_nonce(game, seat, stream.row, self._clock_ms())
        self._push(stream, body + _nonce_event(nonce), "row", "nonce")

    def _push(self, stream: Stream, body: bytes, *events: StreamEvent) -> None:
        if stream.push({"type": "http.response.body", "body": body, "more_body": True}):
            self._counts.events.update(events)
        else:
            self._end(stream, "dropped", b"")

    def _end(self, stream: Stream, why: StreamEnding, body: bytes) -> None:
        assert stream.task is not None
        if why != "dropped":
            stream.push({"type": "http.response.body", "body": body, "more_body": False})
        self.leave(stream, why)
        # Its coroutine waits for the reader to go away, which may take long.
        stream.task.cancel()


def _retry_event(milliseconds: int) -> bytes:
    """Return the hint after how long a browser opens a stream again that was cut."""
    return b"retry: %d\n\n" % milliseconds


def _row_event(row: int) -> bytes:
    """Return the event that a game has this number of rows; it is the same for every seat."""
    return b'event: row\ndata: {"row": %d}\n\n' % row


def _presence_event(here: Iterable[int], away_ms: Mapping[int, int]) -> bytes:
    """Return the event that says which seats are connected, and for how long others have not been any more."""
    return b"event: presence\ndata: %b\n\n" % json.dumps({"here": sorted(here), "away_ms": away_ms}).encode()


def _nonce_event(nonce: str) -> bytes:
    """Return the event with the signed time at which a seat was told of a row."""
    return b'event: nonce\ndata: {"nonce": "%b"}\n\n' % nonce.encode()
