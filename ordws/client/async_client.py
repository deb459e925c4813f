"""The client for programs that use asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from random import Random
from types import TracebackType
from typing import Any, Final, TypeVar

import httpx

from ordws.client import operations
from ordws.client.async_game import AsyncRemoteGame, AsyncRemoteSeat
from ordws.client.errors import ConnectionFailed, ProblemError, ServiceUnavailable, UnexpectedResponse
from ordws.client.event_replies import EventGame, OpenedEventGame, StationBound, TableOfEvent
from ordws.client.game_replies import Standing, Turn, TurnEntry
from ordws.client.replies import (
    About,
    Budget,
    Device,
    Found,
    HomeRuling,
    JudgedPlay,
    LogPage,
    PairingCode,
    RuleSet,
    RuleSetEntry,
    Scored,
    Verdict,
)
from ordws.client.retry import PATIENCE_SECONDS, SYSTEM_RANDOM, Pause, RetryState
from ordws.client.stream import SILENCE_SECONDS, EventReader, Woken
from ordws.client.wire import Request, common_headers, normalize_base_url

T = TypeVar("T")

_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
"""Errors after which the request cannot have reached the service, so that sending it again is always safe."""


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

    async def judge(
        self,
        words: str | Iterable[str],
        *,
        rules: str | None = None,
        options: Mapping[str, Any] | None = None,
        game: str | None = None,
        player: str | None = None,
        idempotency_key: str | None = None,
    ) -> Verdict:
        """Return one verdict for one to eight words: true only if all are acceptable."""
        return await self._send_with_retries(
            operations.judge(words, rules=rules, options=options, game=game, player=player, key=idempotency_key)
        )

    async def play(
        self,
        position: str,
        move: str,
        *,
        rules: str | None = None,
        rack: str | None = None,
        options: Mapping[str, Any] | None = None,
        game: str | None = None,
        player: str | None = None,
        idempotency_key: str | None = None,
    ) -> JudgedPlay:
        """Return the verdict and the receipt of a play, as `"8D STAiNER"`, on a position in CGP.

        Raises IllFormedPlay if the play does not fit.
        """
        return await self._send_with_retries(
            operations.play(
                position, move, rules=rules, rack=rack, options=options, game=game, player=player, key=idempotency_key
            )
        )

    async def score(
        self,
        position: str,
        move: str,
        *,
        rules: str | None = None,
        rack: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Scored:
        """Return the receipt of a play: no word is looked up, and nothing is charged."""
        return await self._send_with_retries(operations.score(position, move, rules=rules, rack=rack, options=options))

    async def ospd(
        self,
        words: str | Iterable[str],
        *,
        rules: str | None = None,
        score: int | None = None,
        player: str | None = None,
        idempotency_key: str | None = None,
    ) -> Found:
        """Look words up in the players' reference; with a rule set, return also what a no deducts."""
        return await self._send_with_retries(
            operations.ospd(words, rules=rules, score=score, player=player, key=idempotency_key)
        )

    async def home(
        self,
        word: str,
        *,
        base_in_dictionary: str | None = None,
        word_in_dictionary: bool | None = None,
        base_has_main_entry: bool | None = None,
        not_in_dictionary: Iterable[str] = (),
        rules: str | None = None,
        edition: str | None = None,
        by_exclusion: bool = False,
        options: Mapping[str, Any] | None = None,
        labelled_offensive: bool | None = None,
        player: str | None = None,
    ) -> HomeRuling:
        """Return the two-book check of a word at home, as far as the look-ups in the player's dictionary decide it.

        Needs no key, unless the service has its own players' reference; then an operator names a player.
        """
        return await self._send_with_retries(
            operations.home(
                word,
                base_in_dictionary=base_in_dictionary,
                word_in_dictionary=word_in_dictionary,
                base_has_main_entry=base_has_main_entry,
                not_in_dictionary=not_in_dictionary,
                rules=rules,
                edition=edition,
                by_exclusion=by_exclusion,
                options=options,
                labelled_offensive=labelled_offensive,
                player=player,
            )
        )

    async def quota(self, *, game: str | None = None, player: str | None = None) -> dict[str, Budget]:
        """Return each budget by its name, with the budgets of a game if one is named."""
        quota = await self._send_with_retries(operations.quota(game, player))
        return {budget.budget: budget for budget in quota.budgets}

    async def rules(self) -> list[RuleSetEntry]:
        """Return all rule sets; needs no key."""
        return (await self._send_with_retries(operations.rules())).rules

    async def rule_set(self, id: str) -> RuleSet:
        """Return a rule set with all its options; needs no key."""
        return await self._send_with_retries(operations.rule_set(id))

    async def two_letter_words(self, rules: str | None = None) -> list[str]:
        """Return the two-letter words of a rule set; needs no key."""
        return (await self._send_with_retries(operations.two_letter_words(rules))).words

    async def disallowed_words(self, rules: str | None = None) -> list[str]:
        """Return the words that a rule set disallows; needs no key."""
        return (await self._send_with_retries(operations.disallowed_words(rules))).words

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
            players, rules=rules, options=options, clock=clock, invitations=invitations, key=idempotency_key
        )
        return AsyncRemoteGame(self, await self._send_with_retries(request))

    def seat(self, game: str, token: str) -> AsyncRemoteSeat:
        """Return a seat of a game that was opened elsewhere or earlier; no request is sent."""
        return AsyncRemoteSeat(self, game, token)

    async def standing(self, game: str, token: str) -> Standing:
        """Return the state of a game, as the seat of this token may see it."""
        return await self._send_with_retries(operations.standing(game, token))

    async def turns(self, game: str, token: str) -> list[TurnEntry]:
        """Return all turns of a game, as the seat of this token may see them."""
        return (await self._send_with_retries(operations.turns(game, token))).turns

    async def record(self, game: str, token: str) -> str:
        """Return the record of a finished game as GCG."""
        return await self._send_with_retries(operations.record(game, token))

    async def take_turn(
        self,
        game: str,
        token: str,
        turn: int,
        move: str,
        *,
        swaps: Iterable[str] = (),
        words: str | Iterable[str] | None = None,
        word: str | None = None,
        nonce: str | None = None,
        held: int = 0,
    ) -> Turn:
        """Make a move for a turn, and return what happened; the same move sent again gets the same answer."""
        return await self._send_with_retries(
            operations.take_turn(game, token, turn, move, swaps=swaps, words=words, word=word, nonce=nonce, held=held)
        )

    async def take_oath(self, game: str, token: str, version: int) -> Standing:
        """Take the oath of a game with invitations, in the wording of this version; a repeat changes nothing."""
        return await self._send_with_retries(operations.take_oath(game, token, version))

    async def attest(self, game: str, token: str, version: int) -> Standing:
        """Attest the finished game, in the wording of this version; a repeat changes nothing."""
        return await self._send_with_retries(operations.attest(game, token, version))

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

    async def invite_device(
        self,
        table: str,
        *,
        log: bool = False,
        director: bool = False,
        address: str | None = None,
        idempotency_key: str | None = None,
    ) -> PairingCode:
        """Return a code that pairs one device for a table, or for the director, once, within 15 minutes.

        With the address of the service, as devices reach it, the code comes as a link and its QR code too.
        """
        request = operations.invite_device(table, log=log, director=director, address=address, key=idempotency_key)
        return await self._send_with_retries(request)

    async def devices(self) -> list[Device]:
        """Return the paired devices."""
        return (await self._send_with_retries(operations.devices())).devices

    async def revoke_device(self, id: int, *, idempotency_key: str | None = None) -> Device:
        """End the pairing of a device, at once and for ever."""
        return await self._send_with_retries(operations.revoke_device(id, key=idempotency_key))

    async def device_log(self, before: str | None = None) -> LogPage:
        """Return a page of the log of the devices paired with one, newest question first: no words, no verdicts."""
        return await self._send_with_retries(operations.device_log(before))

    async def find_in_device_log(self, words: str | Iterable[str], *, before: str | None = None) -> LogPage:
        """Return a page of the log with only the questions of exactly these words."""
        return await self._send_with_retries(operations.find_in_device_log(words, before=before))

    async def open_event_game(self, table: TableOfEvent) -> OpenedEventGame:
        """Open the sealed game of a table of an event, or return the one that is there; needs the scope tournament."""
        return await self._send_with_retries(operations.open_event_game(table))

    async def bind_station(self, table: TableOfEvent, device: str) -> StationBound:
        """Let the device that is paired for a table play a game of an event."""
        return await self._send_with_retries(operations.bind_station(table, device))

    async def event_games(self, games: Iterable[str]) -> list[EventGame]:
        """Return how up to 100 games of events stand, in this order."""
        return (await self._send_with_retries(operations.event_games(games))).games

    async def call_off(self, game: str, *, begun: bool = False) -> EventGame:
        """Keep a game of an event from beginning any more, or with `begun` from going on, and return how it stands."""
        return await self._send_with_retries(operations.call_off(game, begun=begun))

    async def about(self) -> About:
        """Return the name of the service and its current edition; needs no key."""
        return await self._send_with_retries(operations.about())

    async def healthy(self) -> bool:
        """Return whether the service is up, by one request without retries; needs no key."""
        return await self._is_up(operations.healthy())

    async def ready(self) -> bool:
        """Return whether the service answers questions now, by one request without retries; needs no key."""
        return await self._is_up(operations.ready())

    async def _is_up(self, request: Request[Any]) -> bool:
        try:
            await self._send_with_retries(request, patience_seconds=0.0)
        except ServiceUnavailable:
            return False
        return True

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
