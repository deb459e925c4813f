"""The client for programs without asyncio."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from random import Random
from types import TracebackType
from typing import Any, Final, TypeVar

import httpx

from ordws.client import operations
from ordws.client.errors import ConnectionFailed, ServiceUnavailable, UnexpectedResponse
from ordws.client.game import RemoteGame, RemoteSeat
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
    Standing,
    Turn,
    Verdict,
)
from ordws.client.retry import PATIENCE_SECONDS, SYSTEM_RANDOM, Pause, RetryState
from ordws.client.wire import Request, common_headers, normalize_base_url

T = TypeVar("T")

_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)


class Client:
    """Asks an ORDWS; one for a whole program, from as many threads as it likes.

    `address` may have a path, under which the service then is; without a key only what is public can be asked.
    What the service is too busy for, and what a broken connection may have lost, is asked again for `patience_seconds`.
    `transport` stands in the place of the network's own, for certificates, proxies and sockets of another kind.
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
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Random = SYSTEM_RANDOM,
    ) -> None:
        self._address = normalize_base_url(address)
        self._patience_seconds = patience_seconds
        self._sleep, self._clock, self._rng = sleep, clock, rng
        self._http = httpx.Client(
            headers=common_headers(key, user_agent),
            timeout=timeout_seconds,
            transport=transport,
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; the client cannot ask any more."""
        self._http.close()

    def pause(self, seconds: float) -> None:
        """Let some time pass, as the client does between two tries."""
        self._sleep(seconds)

    def __repr__(self) -> str:
        return f"Client({self._address!r})"

    def judge(
        self,
        words: str | Iterable[str],
        *,
        rules: str | None = None,
        game: str | None = None,
        player: str | None = None,
        idempotency_key: str | None = None,
    ) -> Verdict:
        """One verdict for one to eight words: true only if all are acceptable."""
        return self._send_with_retries(
            operations.judge(words, rules=rules, game=game, player=player, key=idempotency_key)
        )

    def play(
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
        """The verdict on a play, `"8D STAiNER"`, on a position in CGP, and its score explained; IllFormed if unfit."""
        return self._send_with_retries(
            operations.play(
                position, move, rules=rules, rack=rack, options=options, game=game, player=player, key=idempotency_key
            )
        )

    def score(
        self,
        position: str,
        move: str,
        *,
        rules: str | None = None,
        rack: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Scored:
        """What a play scores, explained: no word is looked up, nothing is charged."""
        return self._send_with_retries(operations.score(position, move, rules=rules, rack=rack, options=options))

    def ospd(
        self,
        words: str | Iterable[str],
        *,
        rules: str | None = None,
        score: int | None = None,
        player: str | None = None,
        idempotency_key: str | None = None,
    ) -> Found:
        """Whether words stand in the players' reference, and under a rule set what a no deducts."""
        return self._send_with_retries(
            operations.ospd(words, rules=rules, score=score, player=player, key=idempotency_key)
        )

    def home(
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
    ) -> HomeRuling:
        """The two-book check of a word at home, as far as what was seen in one's own dictionary decides it; no key."""
        return self._send_with_retries(
            operations.home(
                word,
                base_in_dictionary=base_in_dictionary,
                word_in_dictionary=word_in_dictionary,
                base_has_main_entry=base_has_main_entry,
                not_in_dictionary=not_in_dictionary,
                rules=rules,
                edition=edition,
                by_exclusion=by_exclusion,
            )
        )

    def quota(self, *, game: str | None = None, player: str | None = None) -> dict[str, Budget]:
        """What is left of each budget, by its name; of a game's too where one is named."""
        return {budget.budget: budget for budget in (self._send_with_retries(operations.quota(game, player))).budgets}

    def rules(self) -> list[RuleSetEntry]:
        """The rule sets there are; no key."""
        return (self._send_with_retries(operations.rules())).rules

    def rule_set(self, id: str) -> RuleSet:
        """A rule set with all its options; no key."""
        return self._send_with_retries(operations.rule_set(id))

    def two_letter_words(self, rules: str | None = None) -> list[str]:
        """The two-letter words of a rule set; no key."""
        return (self._send_with_retries(operations.two_letter_words(rules))).words

    def disallowed_words(self, rules: str | None = None) -> list[str]:
        """The words that a rule set strikes out; no key."""
        return (self._send_with_retries(operations.disallowed_words(rules))).words

    def open_game(
        self,
        players: Iterable[str | None],
        *,
        rules: str | None = None,
        options: Mapping[str, Any] | None = None,
        clock: int | None = None,
        idempotency_key: str | None = None,
    ) -> RemoteGame:
        """A game that the service deals, with a seat for each of two to four players, None for one without a name."""
        asked = operations.open_game(players, rules=rules, options=options, clock=clock, key=idempotency_key)
        return RemoteGame(self, self._send_with_retries(asked))

    def seat(self, game: str, token: str) -> RemoteSeat:
        """A seat of a game that was opened elsewhere, or before; nothing is asked yet."""
        return RemoteSeat(self, game, token)

    def standing(self, game: str, token: str) -> Standing:
        """Where a game stands, as the seat of this token may see it."""
        return self._send_with_retries(operations.standing(game, token))

    def record(self, game: str, token: str) -> str:
        """A game that is over, as GCG."""
        return self._send_with_retries(operations.record(game, token))

    def take_turn(
        self,
        game: str,
        token: str,
        turn: int,
        move: str,
        *,
        swaps: Iterable[str] = (),
        words: str | Iterable[str] | None = None,
        word: str | None = None,
    ) -> Turn:
        """What happens by a move for a turn; sent again, the same move gets the same answer."""
        return self._send_with_retries(
            operations.take_turn(game, token, turn, move, swaps=swaps, words=words, word=word)
        )

    def invite_device(self, table: str, *, log: bool = False, idempotency_key: str | None = None) -> PairingCode:
        """A code by which a device is paired for a table, once, within 15 minutes."""
        return self._send_with_retries(operations.invite_device(table, log=log, key=idempotency_key))

    def devices(self) -> list[Device]:
        """The devices that are paired."""
        return (self._send_with_retries(operations.devices())).devices

    def revoke_device(self, id: int, *, idempotency_key: str | None = None) -> Device:
        """Let a device out, at once and for ever."""
        return self._send_with_retries(operations.revoke_device(id, key=idempotency_key))

    def device_log(self, before: str | None = None) -> LogPage:
        """A page of what was judged on devices that were paired with a log, the last first; no words, no verdicts."""
        return self._send_with_retries(operations.device_log(before))

    def find_in_device_log(self, words: str | Iterable[str], *, before: str | None = None) -> LogPage:
        """When and where just these words were judged together."""
        return self._send_with_retries(operations.find_in_device_log(words, before=before))

    def about(self) -> About:
        """What the service is, and which edition it answers by; no key."""
        return self._send_with_retries(operations.about())

    def healthy(self) -> bool:
        """Whether the service is up; asked once. No key."""
        return self._is_up(operations.healthy())

    def ready(self) -> bool:
        """Whether the service answers questions now; asked once. No key."""
        return self._is_up(operations.ready())

    def _is_up(self, request: Request[Any]) -> bool:
        try:
            self._send_with_retries(request, patience_seconds=0.0)
        except ServiceUnavailable:
            return False
        return True

    def _send_with_retries(self, request: Request[T], patience_seconds: float | None = None) -> T:
        patience = self._patience_seconds if patience_seconds is None else patience_seconds
        trying = RetryState(request, self._clock(), patience, self._rng)
        while True:
            pause = self._send_once(trying)
            if not isinstance(pause, Pause):
                return pause
            self.pause(pause.seconds)

    def _send_once(self, retry_state: RetryState[T]) -> T | Pause:
        method, path, headers = retry_state.request.method, retry_state.request.path, retry_state.request.all_headers()
        url = f"{self._address}{path}"
        try:
            reply = self._http.request(method, url, content=retry_state.request.body, headers=headers)
        except httpx.TransportError as err:
            failed = ConnectionFailed(_reason(err), not isinstance(err, _NEVER_SENT))
        except httpx.DecodingError as err:
            raise UnexpectedResponse(0, "", "a body that cannot be decoded") from err
        else:
            return retry_state.on_response(reply.status_code, reply.headers, reply.content, self._clock())
        return retry_state.on_connection_failure(failed, self._clock())


def _reason(err: httpx.TransportError) -> str:
    return f"no answer: {str(err) or type(err).__name__}"
