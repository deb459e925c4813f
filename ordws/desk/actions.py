"""The table of all requests, read by doors, the OpenAPI document and tests."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ordws.desk import devices, games, home, plays, problems, public, reference, words
from ordws.desk.problems import Code, Problem
from ordws.desk.repeats import Caller
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
    CheckAtHome,
    CheckWords,
    FindWords,
    JudgePlay,
    JudgeWords,
    NewDevice,
    Nothing,
    OpenGame,
    PairDevice,
    Placed,
    TakeTurn,
    WhichEntries,
    WhichGame,
    WhichRules,
    WhichRuleSet,
    WhoseQuota,
    read_body,
    read_query,
)
from ordws.desk.standing import Standing, TurnTaken
from ordws.desk.wiring import Services
from ordws.errors import StoreDown
from ordws.identity.register import Client, Scope

_log = logging.getLogger("ordws.desk")

Method: TypeAlias = str
Path: TypeAlias = str
By: TypeAlias = Literal["key", "device", "either"]
"""What a client asks by: its key, the cookie of a device that is paired in its name, or whichever is sent."""


@dataclass(frozen=True, kw_only=True)
class Public:
    """A request that needs no key."""

    does: Callable[[Services, Any, int], Reply]
    reads: type[Struct]
    returns: type[Struct]
    refuses: tuple[Code, ...] = ()
    same_site: bool = False
    """Whether pages of other sites may not make it, as it sets a cookie."""


@dataclass(frozen=True, kw_only=True)
class Keyed:
    """A request that a client makes."""

    does: Callable[[Services, Client, Any, int], Reply]
    reads: type[Struct]
    returns: type[Struct]
    refuses: tuple[Code, ...] = ()
    scope: Scope = "judge"
    by: By = "key"
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
    ("GET", "/v1/quota"): Keyed(
        does=words.answer_quota, reads=WhoseQuota, returns=Quota, refuses=("player-required",), by="either"
    ),
    ("POST", "/v1/judge"): Keyed(
        does=words.answer_question,
        reads=JudgeWords,
        returns=Verdict,
        refuses=("bad-word", "unknown-rules", "player-required", "budget-spent"),
        commits=True,
        by="either",
    ),
    ("POST", "/v1/plays"): Keyed(
        does=plays.answer_play,
        reads=JudgePlay,
        returns=JudgedPlay,
        refuses=(*plays.ILL_FORMED, "disallowed-word", "player-required", "budget-spent"),
        commits=True,
        by="either",
    ),
    ("POST", "/v1/score"): Keyed(
        does=plays.answer_score, reads=JudgePlay, returns=Scored, refuses=plays.ILL_FORMED, by="either"
    ),
    ("POST", "/v1/ospd"): Keyed(
        does=reference.check_ospd,
        reads=CheckWords,
        returns=reference.Found,
        refuses=("bad-word", "unknown-rules", "check-not-allowed", "player-required", "budget-spent"),
        commits=True,
        by="either",
    ),
    ("POST", "/v1/home"): Public(
        does=home.rule_at_home, reads=CheckAtHome, returns=home.HomeRuling, refuses=("bad-word", "unknown-rules")
    ),
    ("POST", "/v1/pair"): Public(
        does=devices.pair_device,
        reads=PairDevice,
        returns=devices.PairedFor,
        refuses=("bad-code", "too-many-guesses", "store-down", "cross-site"),
        same_site=True,
    ),
    ("GET", "/v1/device"): Keyed(does=devices.show_device, reads=Nothing, returns=devices.ThisDevice, by="device"),
    ("POST", "/v1/device/forget"): Keyed(
        does=devices.forget_device, reads=Nothing, returns=devices.PairedFor, by="device"
    ),
    ("POST", "/v1/devices"): Keyed(
        does=devices.invite_device,
        reads=NewDevice,
        returns=devices.PairingCode,
        refuses=("too-many-devices",),
        commits=True,
        status=201,
    ),
    ("GET", "/v1/devices"): Keyed(does=devices.list_devices, reads=Nothing, returns=devices.DeviceList),
    ("POST", "/v1/devices/{id}/revoke"): Keyed(
        does=devices.revoke_device, reads=Nothing, returns=devices.DeviceEntry, refuses=("not-found",), commits=True
    ),
    ("GET", "/v1/devices/log"): Keyed(does=devices.read_log, reads=WhichEntries, returns=devices.LogEntries),
    ("POST", "/v1/devices/log/find"): Keyed(
        does=devices.find_in_log, reads=FindWords, returns=devices.LogEntries, refuses=("bad-word",)
    ),
    ("POST", "/v1/games"): Keyed(
        does=games.open_game,
        reads=OpenGame,
        returns=games.OpenedGame,
        refuses=games.CANNOT_OPEN,
        scope="game",
        commits=True,
        status=201,
    ),
    ("GET", "/v1/games/{id}"): Keyed(
        does=games.show_game,
        reads=WhichGame,
        returns=Standing,
        refuses=games.CANNOT_SHOW,
        scope="game",
        headers={"seat_token": "Seat-Token", "accept": "Accept"},
        also_as=("text/plain",),
    ),
    ("POST", "/v1/games/{id}/turns"): Keyed(
        does=games.take_turn,
        reads=TakeTurn,
        returns=TurnTaken,
        refuses=games.CANNOT_TAKE,
        scope="game",
        commits=True,
    ),
}


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
    device: str = ""
    """The cookie of a paired device."""
    is_cross_site: bool = False
    """Whether a page of another site makes it."""


def answer(services: Services, action: Action, call: Call, now: int) -> Reply:
    """What is sent for a request, whichever door it came through."""
    services.housekeeping.run(now)
    try:
        return _act(services, action, call, now)
    except Problem as problem:
        return problems.told(problem, call.id)
    except StoreDown as down:
        _log.warning("nothing was looked up: %s", down)
        return problems.told(problems.store_down(), call.id)


def _act(services: Services, action: Action, call: Call, now: int) -> Reply:
    match action:
        case Public():
            if action.same_site and call.is_cross_site:
                raise problems.cross_site()
            return action.does(services, _read(action, call), now)
        case Keyed():
            client = _identify(services, action.by, call, now)
            if action.scope not in client.scopes:
                raise problems.out_of_scope()
            asked = _read(action, call)
            if client.device is not None and getattr(asked, "player", None) is not None:
                raise Problem("bad-request", 'a paired device has budgets of its own: it sends no "player"')
            asks = partial(action.does, services.for_client(client), client, asked, now)
            return _once(services, action, client, call, asks, now) if action.commits else asks()


def _identify(services: Services, by: By, call: Call, now: int) -> Client:
    """The client by its key, which stands before a cookie, or by its device, which no page of another site uses."""
    client = None
    if call.authorization:
        client = services.register.identify(call.authorization, now) if by != "device" else None
    elif call.device and by != "key":
        if call.is_cross_site:
            raise problems.cross_site()
        client = services.devices.identify(call.device, now)
    if client is None:
        raise problems.not_paired() if by == "device" else problems.unauthorized()
    return client


def _once(services: Services, action: Keyed, client: Client, call: Call, asks: Callable[[], Reply], now: int) -> Reply:
    """The answer that was given to this request before, where it says which it is, or its answer now."""
    if call.idempotency_key is None:
        return asks()
    route = "/".join([action.does.__name__, *call.path.values()])
    caller = Caller(str(client.id), client.device.id if client.device else None)
    begun = services.repeats.begin(caller, route, call.idempotency_key, call.body, now)
    if isinstance(begun, Reply):
        return begun
    try:
        reply = asks()
    except BaseException:
        with suppress(StoreDown):
            services.repeats.end(begun, None, now)
        raise
    try:
        services.repeats.end(begun, reply, now)
    except StoreDown as down:
        _log.warning("an answer was given and is not kept: who asks again under its key, asks anew: %s", down)
    return reply


def _read(action: Action, call: Call) -> Struct | Placed[Struct]:
    """The body of a POST, the query of a GET; the other has to be empty."""
    if call.method == "POST":
        read_query(Nothing, call.query)
        body = read_body(action.reads, call.content_type, call.body)
        return Placed(call.path, body) if call.path else body
    named = {name: getattr(call, name) for name in action.headers} if isinstance(action, Keyed) else {}
    return read_query(action.reads, call.query, {**call.path, **named})
