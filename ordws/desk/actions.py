"""The table of all requests, read by doors, the OpenAPI document and tests."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from ordws.desk import plays, problems, public, words
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
    WhichRules,
    WhichRuleSet,
    WhoseQuota,
    read_body,
    read_query,
)
from ordws.desk.wiring import Desk
from ordws.errors import StoreDown
from ordws.identity.register import Client

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
        refuses=("bad-word", "unknown-rules", "player-required", "budget-spent"),
    ),
    ("POST", "/v1/plays"): Keyed(
        does=plays.answer_play, reads=JudgePlay, returns=JudgedPlay,
        refuses=(*plays.ILL_FORMED, "disallowed-word", "player-required", "budget-spent"),
    ),
    ("POST", "/v1/score"): Keyed(does=plays.answer_score, reads=JudgePlay, returns=Scored, refuses=plays.ILL_FORMED),
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
            client = desk.register.identify(call.authorization)
            if client is None:
                raise problems.unauthorized()
            return action.does(desk, client, _read(action, call), now)


def _read(action: Action, call: Call) -> Struct:
    """The body of a POST, the query of a GET; the other has to be empty."""
    if call.method == "POST":
        read_query(Nothing, call.query)
        return read_body(action.reads, call.content_type, call.body)
    return read_query(action.reads, call.query, call.path)
