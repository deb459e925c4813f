"""The client for programs that use asyncio, and a sealed game as they play it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import aclosing
from datetime import datetime
from functools import wraps
from random import Random
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import httpx

from ordws.client import operations
from ordws.client.errors import ConnectionFailed, ProblemError, UnexpectedResponse
from ordws.client.replies import OpenedGame, Standing, Turn
from ordws.client.wire import (
    PATIENCE_SECONDS,
    SILENCE_SECONDS,
    SYSTEM_RANDOM,
    EventReader,
    Pause,
    Reopening,
    Request,
    RetryState,
    Woken,
    common_headers,
    normalize_base_url,
)

T = TypeVar("T")
P = ParamSpec("P")

_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
"""Errors after which the request cannot have reached the service, so that sending it again is always safe."""


def _method(build: Callable[P, Request[T]]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """Return the method that sends the request of an operation, whose arguments and docstring it has."""

    @wraps(build)
    async def send(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._send_with_retries(build(*args, **kwargs))

    return send


class AsyncClient:
    """A client of an ORDWS service; one serves a whole program, from as many tasks as it likes.

    `address` may have a path, if the service is below one. Without a key only public requests are answered. Requests
    that the service is too busy for, or that a broken connection may have lost, are sent again for `patience_seconds`.
    `transport` replaces the default one, for certificates, proxies and other kinds of sockets.
    """

    def __init__(
        self,
        address: str,
        key: str | None = None,
        *,
        timeout_seconds: float = 10.0,
        patience_seconds: float = PATIENCE_SECONDS,
        connections: int = 20,
        user_agent: str = "",
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Random = SYSTEM_RANDOM,
    ) -> None:
        self._address = normalize_base_url(address)
        self._patience_seconds = patience_seconds
        self._sleep, self._clock, self._rng = sleep, clock, rng
        self._http = httpx.AsyncClient(
            headers=common_headers(key, user_agent),
            timeout=timeout_seconds,
            transport=transport,
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        )

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections; the client cannot be used afterwards."""
        await self._http.aclose()

    async def pause(self, seconds: float) -> None:
        """Sleep, as the client does between two attempts."""
        await self._sleep(seconds)

    def now(self) -> float:
        """Return the time of the client's clock, in seconds."""
        return self._clock()

    def __repr__(self) -> str:
        return f"AsyncClient({self._address!r})"

    judge = _method(operations.judge)
    play = _method(operations.play)
    score = _method(operations.score)
    ospd = _method(operations.ospd)
    home = _method(operations.home)
    quota = _method(operations.quota)
    rules = _method(operations.rules)
    rule_set = _method(operations.rule_set)
    two_letter_words = _method(operations.two_letter_words)
    disallowed_words = _method(operations.disallowed_words)
    standing = _method(operations.standing)
    turns = _method(operations.turns)
    record = _method(operations.record)
    take_turn = _method(operations.take_turn)
    take_oath = _method(operations.take_oath)
    attest = _method(operations.attest)
    call_off_unplayed = _method(operations.call_off_unplayed)
    open_event_game = _method(operations.open_event_game)
    bind_station = _method(operations.bind_station)
    event_games = _method(operations.event_games)
    event_operator = _method(operations.event_operator)
    call_off = _method(operations.call_off)
    about = _method(operations.about)

    async def open_game(
        self,
        players: Iterable[str | None],
        *,
        rules: str | None = None,
        options: Mapping[str, Any] | None = None,
        clock: int | None = None,
        invitations: bool = False,
        idempotency_key: str | None = None,
    ) -> AsyncRemoteGame:
        """Open a game that the service deals, with a seat for each of two to four players; a name may be None.

        With invitations each seat can be taken in a browser, and the game begins when all players have taken the oath.
        """
        request = operations.open_game(
            players,
            rules=rules,
            options=options,
            clock=clock,
            invitations=invitations,
            idempotency_key=idempotency_key,
        )
        return AsyncRemoteGame(self, await self._send_with_retries(request))

    def seat(self, game: str, token: str) -> AsyncRemoteSeat:
        """Return a seat of a game that was opened elsewhere or earlier; no request is sent."""
        return AsyncRemoteSeat(self, game, token)

    async def watch(self, game: str, token: str) -> AsyncGenerator[Woken, None]:
        """Yield the number of rows of a game, now and after each new one, until its stream ends.

        Nothing is yielded where there is no stream. Raises StreamReplaced.
        """
        try:
            given = await self._send_with_retries(operations.stream_ticket(game, token), patience_seconds=0.0)
            url = given.events if given.events.startswith("http") else f"{self._address}{given.events}"
            headers = {"Accept": "text/event-stream", "Cookie": f"ordws_stream={given.ticket}"}
            timeout = httpx.Timeout(5.0, read=SILENCE_SECONDS)
            request = self._http.build_request("GET", url, headers=headers, timeout=timeout)
            # The process of the streams has no use for the key.
            request.headers.pop("Authorization", None)
            reply = await self._http.send(request, stream=True)
        except (ProblemError, ConnectionFailed, UnexpectedResponse, httpx.TransportError):
            return
        reader = EventReader()
        try:
            if reply.status_code != 200:
                return
            async for line in reply.aiter_lines():
                if woken := reader.read_line(line):
                    yield woken
        except httpx.TransportError:
            return
        finally:
            await reply.aclose()

    async def _send_with_retries(self, request: Request[T], patience_seconds: float | None = None) -> T:
        """Send a request until it is answered, or raise what its last attempt came to."""
        patience = self._patience_seconds if patience_seconds is None else patience_seconds
        state = RetryState(request, self._clock(), patience, self._rng)
        while True:
            sent = state.request
            url = f"{self._address}{sent.path}"
            failure: ConnectionFailed | None = None
            try:
                reply = await self._http.request(sent.method, url, content=sent.body, headers=sent.all_headers())
            except httpx.TransportError as err:
                reason = f"no answer: {str(err) or type(err).__name__}"
                failure = ConnectionFailed(reason, not isinstance(err, _NEVER_SENT))
            except httpx.DecodingError as err:
                raise UnexpectedResponse(0, "", "a body that cannot be decoded") from err
            if failure is not None:
                outcome: T | Pause = state.on_connection_failure(failure, self._clock())
            else:
                outcome = state.on_response(reply.status_code, reply.headers, reply.content, self._clock())
            if not isinstance(outcome, Pause):
                return outcome
            await self.pause(outcome.seconds)


class _SharedTurn:
    """The number of the next turn, as the seats of one game in one program have last seen it."""

    turn: int | None = None


class AsyncRemoteSeat:
    """A seat of a sealed game, which sees only its own rack and sends its moves.

    A move is for the turn that this seat, or another seat of the same `AsyncRemoteGame`, has seen last. If somebody has
    moved since, TurnAlreadyTaken is raised and nothing happens: call `see`, and choose again.
    """

    def __init__(
        self, client: AsyncClient, game: str, token: str, player: str | None = None, invitation: str | None = None
    ) -> None:
        self.game, self.player, self.token, self.invitation = game, player, token, invitation
        self._client = client
        self._shared_turn = _SharedTurn()
        self._woken: Woken | None = None
        self._woken_at = 0.0

    async def see(self) -> Standing:
        """Return the state of the game, as this seat may see it."""
        standing = await self._client.standing(self.game, self.token)
        self._shared_turn.turn = standing.turn
        return standing

    async def wait(self, every_seconds: float = 1.0) -> Standing:
        """Return the state of the game as soon as this seat is to act or the game is over; see `standings`."""
        async with aclosing(self.standings(every_seconds)) as standings:
            async for standing in standings:
                if standing.is_mine or standing.is_over:
                    break
        return standing

    async def standings(self, every_seconds: float = 1.0) -> AsyncGenerator[Standing, None]:
        """Yield the state of the game, now and after each change, until it is over.

        A stream tells of changes; where there is none, the seat looks every `every_seconds`. Raises StreamReplaced when
        a newer stream of the seat was opened.
        """
        standing, reopening = await self.see(), Reopening()
        yield standing
        while not standing.is_over:
            async with aclosing(self._changes(reopening, every_seconds)) as changes:
                async for row in changes:
                    if row is not None and row < standing.turn:
                        continue
                    before, standing = standing, await self.see()
                    # The time until the state was here is the network's too.
                    self._woken_at = self._client.now()
                    if standing.turn != before.turn:
                        yield standing
                    if standing.is_over:
                        break

    async def _changes(self, reopening: Reopening, every_seconds: float) -> AsyncGenerator[int | None, None]:
        """Yield the number of rows whenever the stream tells it, and None after a pause without a stream."""
        if reopening.begin(self._client.now()):
            async with aclosing(self._client.watch(self.game, self.token)) as news:
                async for woken in news:
                    self._woken, self._woken_at = woken, self._client.now()
                    yield woken.row
            reopening.end(self._client.now())
        await self._client.pause(every_seconds)
        yield None

    async def play(self, move: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Play `"8D STAiNER"`, after taking the blanks of `swaps=["=H8"]`.

        Any other move in the service's notation can be given too.
        """
        return await self._take(move, swaps=swaps)

    async def exchange(self, tiles: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Exchange these tiles of the rack, `?` for a blank."""
        return await self._take(f"-{tiles}", swaps=swaps)

    async def pass_turn(self, *, swaps: Iterable[str] = ()) -> Turn:
        """Pass, or let a play stand that might be challenged, or go on without a check of the OSPD."""
        return await self._take("-", swaps=swaps)

    async def challenge(self, words: str | Iterable[str] | None = None) -> Turn:
        """Challenge the last play: all its new words, or only these."""
        return await self._take("challenge", words=words)

    async def check_ospd(self, word: str | None = None) -> Turn:
        """Check the OSPD for this seat's rejected play; in Dover's form for one word of it."""
        return await self._take("check-ospd", word=word)

    async def resign(self) -> Turn:
        """Resign from the game."""
        return await self._take("resign")

    async def record(self) -> str:
        """Return the finished game as GCG; before its end, raise Conflict with code `game-not-over`."""
        return await self._client.record(self.game, self.token)

    async def _take(
        self, move: str, *, swaps: Iterable[str] = (), words: str | Iterable[str] | None = None, word: str | None = None
    ) -> Turn:
        turn = self._shared_turn.turn or (await self.see()).turn
        nonce, held = None, 0
        if self._woken is not None and self._woken.row == turn - 1:
            nonce, held = self._woken.nonce, round(1_000 * (self._client.now() - self._woken_at))
        taken = await self._client.take_turn(
            self.game, self.token, turn, move, swaps=swaps, words=words, word=word, nonce=nonce, held=held
        )
        self._shared_turn.turn = taken.standing.turn
        return taken

    def __repr__(self) -> str:
        return f"AsyncRemoteSeat(game={self.game!r}, player={self.player!r})"


class AsyncRemoteGame:
    """A sealed game that this program has opened; players elsewhere need its `id` and the `token` of their seat."""

    def __init__(self, client: AsyncClient, opened: OpenedGame) -> None:
        self.id: str = opened.game
        self.rules: str = opened.rules
        self.edition: str = opened.edition
        self.expires: datetime = opened.expires
        self.seats: tuple[AsyncRemoteSeat, ...] = tuple(
            [AsyncRemoteSeat(client, opened.game, seat.token, seat.player, seat.invitation) for seat in opened.seats]
        )
        shared_turn = _SharedTurn()
        shared_turn.turn = opened.turn
        # A seat whose program plays the other seats too knows their moves without asking for them.
        for seat in self.seats:
            seat._shared_turn = shared_turn

    def __repr__(self) -> str:
        return f"AsyncRemoteGame({self.id!r}, rules={self.rules!r}, seats={len(self.seats)})"
