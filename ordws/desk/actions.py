"""The table of all requests, read by doors, the OpenAPI document and tests."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from ordws.desk import games, plays, problems, public, words
from ordws.desk.problems import Code, Problem
from ordws.desk.replies import (
    DisallowedWords,
    Entrance,
    JudgedPlay,
    Quota,
    Reply,
    RuleSetOptions,
    RuleSets,
    Scored,
    State,
    TwoLetterWords,
    Verdict,
)
from ordws.desk.requests import (
    JudgePlay,
    JudgeWords,
    Nothing,
    OpenGame,
    Placed,
    TakeTurn,
    WhichGame,
    WhichRules,
    WhichRuleSet,
    WhoseQuota,
    read_body,
    read_query,
)
from ordws.desk.standing import Standing, TurnTaken
from ordws.desk.wiring import Desk
from ordws.errors import StoreDown
from ordws.identity.register import Client, Scope

_log = logging.getLogger("ordws.desk")

Method: TypeAlias = str
Path: TypeAlias = str


@dataclass(frozen=True, kw_only=True)
class Public:
    """A request that needs no key."""

    does: Callable[[Desk, Any, int], Reply]
    reads: type[Struct]
    returns: type[Struct]
    refuses: tuple[Code, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Keyed:
    """A request that a client makes."""

    does: Callable[[Desk, Client, Any, int], Reply]
    reads: type[Struct]
    returns: type[Struct]
    refuses: tuple[Code, ...] = ()
    scope: Scope = "judge"
    commits: bool = False
    """Whether it spends or writes something, so that it takes an Idempotency-Key."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Fields of what a GET reads that come in a header, each with its name there."""
    also_as: tuple[str, ...] = ()
    """The media types in which it answers too, where it is asked for one of them."""


Action: TypeAlias = Public | Keyed

ACTIONS: Final[dict[tuple[Method, Path], Action]] = {
    ("GET", "/"): Public(does=public.enter, reads=Nothing, returns=Entrance),
    ("GET", "/healthz"): Public(does=public.be_up, reads=Nothing, returns=State),
    ("GET", "/readyz"): Public(does=public.be_ready, reads=Nothing, returns=State, refuses=("store-down",)),
    ("GET", "/v1/two-letter-words"): Public(
        does=public.list_twos, reads=WhichRules, returns=TwoLetterWords, refuses=("unknown-rules",)
    ),
    ("GET", "/v1/disallowed-words"): Public(
        does=public.list_disallowed, reads=WhichRules, returns=DisallowedWords, refuses=("unknown-rules",)
    ),
    ("GET", "/v1/rules"): Public(does=public.list_rules, reads=Nothing, returns=RuleSets),
    ("GET", "/v1/rules/{id}"): Public(
        does=public.show_rules, reads=WhichRuleSet, returns=RuleSetOptions, refuses=("not-found",)
    ),
    ("GET", "/v1/quota"): Keyed(does=words.answer_quota, reads=WhoseQuota, returns=Quota, refuses=("player-required",)),
    ("POST", "/v1/judge"): Keyed(
        does=words.answer_question, reads=JudgeWords, returns=Verdict,
        refuses=("bad-word", "unknown-rules", "player-required", "budget-spent"), commits=True,
    ),
    ("POST", "/v1/plays"): Keyed(
        does=plays.answer_play, reads=JudgePlay, returns=JudgedPlay,
        refuses=(*plays.ILL_FORMED, "disallowed-word", "player-required", "budget-spent"), commits=True,
    ),
    ("POST", "/v1/score"): Keyed(does=plays.answer_score, reads=JudgePlay, returns=Scored, refuses=plays.ILL_FORMED),
    ("POST", "/v1/games"): Keyed(
        does=games.open_game, reads=OpenGame, returns=games.OpenedGame, refuses=games.CANNOT_OPEN, scope="game",
        commits=True, status=201,
    ),
    ("GET", "/v1/games/{id}"): Keyed(
        does=games.show_game, reads=WhichGame, returns=Standing, refuses=games.CANNOT_SHOW, scope="game",
        headers={"seat_token": "Seat-Token", "accept": "Accept"}, also_as=("text/plain",),
    ),
    ("POST", "/v1/games/{id}/turns"): Keyed(
        does=games.take_turn, reads=TakeTurn, returns=TurnTaken, refuses=games.CANNOT_TAKE, scope="game", commits=True,
    ),
}  # fmt: skip


class Call(NamedTuple):
    """What a door knows of a request."""

    id: str
    method: str
    authorization: str
    content_type: str
    query: str
    body: bytes
    path: Mapping[str, str] = {}
    """What stands in the place of `{name}`."""
    idempotency_key: str | None = None
    seat_token: str = ""
    accept: str = ""


def answer(desk: Desk, action: Action, call: Call, now: int) -> Reply:
    """What is sent for a request, whichever door it came through."""
    desk.rounds.make(now)
    try:
        return _act(desk, action, call, now)
    except Problem as problem:
        return problems.told(problem, call.id)
    except StoreDown as down:
        _log.warning("nothing was looked up: %s", down)
        return problems.told(problems.store_down(), call.id)


def _act(desk: Desk, action: Action, call: Call, now: int) -> Reply:
    match action:
        case Public():
            return action.does(desk, _read(action, call), now)
        case Keyed():
            client = desk.register.identify(call.authorization, now)
            if client is None:
                raise problems.unauthorized()
            if action.scope not in client.scopes:
                raise problems.out_of_scope()
            asks = partial(action.does, desk.for_client(client), client, _read(action, call), now)
            return _once(desk, action, client, call, asks, now) if action.commits else asks()


def _once(desk: Desk, action: Keyed, client: Client, call: Call, asks: Callable[[], Reply], now: int) -> Reply:
    """The answer that was given to this request before, where it says which it is, or its answer now."""
    if call.idempotency_key is None:
        return asks()
    route = "/".join([action.does.__name__, *call.path.values()])
    begun = desk.repeats.begin(str(client.id), route, call.idempotency_key, call.body, now)
    if isinstance(begun, Reply):
        return begun
    reply = None
    try:
        reply = asks()
    finally:
        desk.repeats.end(begun, reply, now)
    return reply


def _read(action: Action, call: Call) -> Struct | Placed[Struct]:
    """The body of a POST, the query of a GET; the other has to be empty."""
    if call.method == "POST":
        read_query(Nothing, call.query)
        body = read_body(action.reads, call.content_type, call.body)
        return Placed(call.path, body) if call.path else body
    named = {name: getattr(call, name) for name in action.headers} if isinstance(action, Keyed) else {}
    return read_query(action.reads, call.query, {**call.path, **named})
