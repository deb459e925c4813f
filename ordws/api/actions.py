"""The table of all actions, read by the WSGI applications, the OpenAPI document and tests."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from msgspec import Struct

from ordws.api import boards, devices, games, home, ospd_check, plays, problems, public, seats, stations, words
from ordws.api.action import Action, AuthenticatedAction, HttpMethod, PathTemplate, PublicAction
from ordws.api.idempotency import MAX_BYTES_PER_DAY, MAX_OPERATOR_BYTES_PER_DAY, Caller
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import (
    About,
    DisallowedWords,
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
from ordws.api.request_faults import bad_request
from ordws.api.requests import (
    CheckAtHome,
    CheckWords,
    FindWords,
    JudgePlay,
    JudgeWords,
    KeepBoard,
    NewDevice,
    Nothing,
    OpenGame,
    PairDevice,
    PathAndBody,
    Sent,
    TakeTurn,
    WhichBoard,
    WhichEntries,
    WhichGame,
    WhichRules,
    WhichRuleSet,
    WhichTurns,
    WhoseQuota,
    read_body,
    read_query,
)
from ordws.api.seat_access import SeatCaller
from ordws.api.seat_requests import MakePromise, ReadInvitation, TakeSeat
from ordws.api.services import Services
from ordws.api.standing import ScoreSheet, Standing, TurnTaken
from ordws.api.station_events import SendStationGame
from ordws.errors import StoreDown
from ordws.identity.register import RegisteredClient
from ordws.referee.seat_credentials import SeatCookie

_log = logging.getLogger("ordws.api")

_HOME_PROBLEMS: Final[tuple[ProblemCode, ...]] = ("bad-word", "unknown-rules", "unknown-option")

ACTIONS: Final[dict[tuple[HttpMethod, PathTemplate], Action]] = {
    ("GET", "/"): PublicAction(handler=public.enter, request_type=Nothing, reply_type=About),
    ("GET", "/healthz"): PublicAction(handler=public.be_up, request_type=Nothing, reply_type=State),
    ("GET", "/readyz"): PublicAction(
        handler=public.be_ready, request_type=Nothing, reply_type=State, problem_codes=("store-down",)
    ),
    ("GET", "/v1/two-letter-words"): PublicAction(
        handler=public.list_twos, request_type=WhichRules, reply_type=TwoLetterWords, problem_codes=("unknown-rules",)
    ),
    ("GET", "/v1/disallowed-words"): PublicAction(
        handler=public.list_disallowed,
        request_type=WhichRules,
        reply_type=DisallowedWords,
        problem_codes=("unknown-rules",),
    ),
    ("GET", "/v1/rules"): PublicAction(handler=public.list_rules, request_type=Nothing, reply_type=RuleSets),
    ("GET", "/v1/rules/{id}"): PublicAction(
        handler=public.show_rules, request_type=WhichRuleSet, reply_type=RuleSetOptions, problem_codes=("not-found",)
    ),
    ("GET", "/v1/quota"): AuthenticatedAction(
        handler=words.answer_quota,
        request_type=WhoseQuota,
        reply_type=Quota,
        problem_codes=("player-required",),
        auth="either",
    ),
    ("POST", "/v1/judge"): AuthenticatedAction(
        handler=words.answer_question,
        request_type=JudgeWords,
        reply_type=Verdict,
        problem_codes=("bad-word", "unknown-rules", "unknown-option", "player-required", "budget-spent"),
        commits=True,
        auth="either",
    ),
    ("POST", "/v1/plays"): AuthenticatedAction(
        handler=plays.answer_play,
        request_type=JudgePlay,
        reply_type=JudgedPlay,
        problem_codes=(*plays.ILL_FORMED_CODES, "disallowed-word", "player-required", "budget-spent"),
        commits=True,
        auth="either",
    ),
    ("POST", "/v1/score"): AuthenticatedAction(
        handler=plays.answer_score,
        request_type=JudgePlay,
        reply_type=Scored,
        problem_codes=plays.ILL_FORMED_CODES,
        auth="either",
    ),
    ("POST", "/v1/ospd"): AuthenticatedAction(
        handler=ospd_check.check_ospd,
        request_type=CheckWords,
        reply_type=ospd_check.Found,
        problem_codes=("bad-word", "unknown-rules", "check-not-allowed", "player-required", "budget-spent"),
        commits=True,
        auth="either",
    ),
    ("POST", "/v1/home"): PublicAction(
        handler=home.rule_at_home,
        request_type=CheckAtHome,
        reply_type=home.HomeRuling,
        problem_codes=_HOME_PROBLEMS,
        with_own_reference=AuthenticatedAction(
            handler=home.rule_by_own_reference,
            request_type=CheckAtHome,
            reply_type=home.HomeRuling,
            problem_codes=(*_HOME_PROBLEMS, "player-required", "budget-spent"),
            auth="either",
        ),
    ),
    ("POST", "/v1/pair"): PublicAction(
        handler=devices.pair_device,
        request_type=PairDevice,
        reply_type=devices.PairedFor,
        problem_codes=("bad-code", "too-many-guesses", "store-down", "cross-site"),
        same_site_only=True,
        takes_address=True,
    ),
    ("GET", "/v1/device"): AuthenticatedAction(
        handler=devices.show_device, request_type=Nothing, reply_type=devices.ThisDevice, auth="device"
    ),
    ("POST", "/v1/device/forget"): AuthenticatedAction(
        handler=devices.forget_device, request_type=Nothing, reply_type=devices.PairedFor, auth="device"
    ),
    ("POST", "/v1/device/key"): AuthenticatedAction(
        handler=stations.register_key,
        request_type=stations.RegisterKey,
        reply_type=stations.RegisteredKey,
        problem_codes=("bad-key", "key-registered"),
        auth="device",
    ),
    ("POST", "/v1/devices"): AuthenticatedAction(
        handler=devices.invite_device,
        request_type=NewDevice,
        reply_type=devices.PairingCode,
        problem_codes=("too-many-devices", "operators-only"),
        commits=True,
        status=201,
    ),
    ("GET", "/v1/devices"): AuthenticatedAction(
        handler=devices.list_devices, request_type=Nothing, reply_type=devices.DeviceList
    ),
    ("POST", "/v1/devices/{id}/revoke"): AuthenticatedAction(
        handler=devices.revoke_device,
        request_type=Nothing,
        reply_type=devices.DeviceEntry,
        problem_codes=("not-found",),
        commits=True,
    ),
    ("GET", "/v1/devices/log"): AuthenticatedAction(
        handler=devices.read_log,
        request_type=WhichEntries,
        reply_type=devices.LogEntries,
        problem_codes=("operators-only",),
    ),
    ("POST", "/v1/devices/log/find"): AuthenticatedAction(
        handler=devices.find_in_log,
        request_type=FindWords,
        reply_type=devices.LogEntries,
        problem_codes=("bad-word", "operators-only"),
    ),
    ("POST", "/v1/boards"): AuthenticatedAction(
        handler=boards.keep_board,
        request_type=KeepBoard,
        reply_type=boards.RegisteredBoard,
        problem_codes=("operators-only", "bad-record", "board-kept", "budget-spent"),
        auth="device",
        commits=True,
        status=201,
    ),
    ("POST", "/v1/stations/games"): AuthenticatedAction(
        handler=stations.keep_station_game,
        request_type=SendStationGame,
        reply_type=boards.RegisteredBoard,
        problem_codes=(
            "operators-only",
            "no-key",
            "bad-events",
            "bad-record",
            "unknown-rules",
            "unknown-option",
            "board-kept",
            "budget-spent",
        ),
        auth="device",
        commits=True,
        status=201,
        max_body_bytes=256 * 1024,
    ),
    ("GET", "/v1/boards"): AuthenticatedAction(
        handler=boards.list_boards,
        request_type=Nothing,
        reply_type=boards.BoardList,
        problem_codes=("directors-only",),
        auth="device",
    ),
    ("GET", "/v1/boards/{id}"): AuthenticatedAction(
        handler=boards.show_board,
        request_type=WhichBoard,
        reply_type=boards.ShownBoard,
        problem_codes=("directors-only", "not-found", "game-not-over"),
        auth="device",
    ),
    ("POST", "/v1/boards/{id}/review"): AuthenticatedAction(
        handler=boards.review_board,
        request_type=Nothing,
        reply_type=Verdict,
        problem_codes=("directors-only", "not-found", "game-not-over", "budget-spent"),
        auth="device",
        commits=True,
    ),
    ("POST", "/v1/boards/{id}/review-plays"): AuthenticatedAction(
        handler=boards.review_plays,
        request_type=Nothing,
        reply_type=boards.PlayVerdicts,
        problem_codes=("directors-only", "not-found", "game-not-over", "budget-spent"),
        auth="device",
        commits=True,
    ),
    ("POST", "/v1/games"): AuthenticatedAction(
        handler=games.open_game,
        request_type=OpenGame,
        reply_type=games.OpenedGame,
        problem_codes=games.OPEN_PROBLEMS,
        scope="game",
        commits=True,
        status=201,
    ),
    ("GET", "/v1/games/{id}"): AuthenticatedAction(
        handler=games.show_game,
        request_type=WhichGame,
        reply_type=Standing,
        problem_codes=games.SHOW_PROBLEMS,
        scope="game",
        auth="seat",
        headers={"seat_token": "Seat-Token", "accept": "Accept"},
        other_media_types=("text/plain",),
    ),
    ("GET", "/v1/games/{id}/turns"): AuthenticatedAction(
        handler=games.show_turns,
        request_type=WhichTurns,
        reply_type=ScoreSheet,
        problem_codes=seats.SEAT_PROBLEMS,
        scope="game",
        auth="seat",
        headers={"seat_token": "Seat-Token"},
    ),
    ("POST", "/v1/games/{id}/turns"): AuthenticatedAction(
        handler=games.take_turn,
        request_type=TakeTurn,
        reply_type=TurnTaken,
        problem_codes=games.TURN_PROBLEMS,
        scope="game",
        auth="seat",
        commits=True,
    ),
    ("POST", "/v1/games/{id}/invitation"): PublicAction(
        handler=seats.read_invitation,
        request_type=ReadInvitation,
        reply_type=seats.Invitation,
        problem_codes=("bad-invitation", "store-down", "cross-site"),
        same_site_only=True,
    ),
    ("POST", "/v1/games/{id}/seat"): PublicAction(
        handler=seats.take_seat,
        request_type=TakeSeat,
        reply_type=seats.SeatTaken,
        problem_codes=(*seats.TAKE_SEAT_PROBLEMS, "store-down", "cross-site"),
        same_site_only=True,
        takes_address=True,
    ),
    ("POST", "/v1/games/{id}/oath"): AuthenticatedAction(
        handler=seats.take_oath,
        request_type=MakePromise,
        reply_type=Standing,
        problem_codes=(*seats.SEAT_PROBLEMS, "oath-changed"),
        scope="game",
        auth="seat",
    ),
    ("POST", "/v1/games/{id}/attestation"): AuthenticatedAction(
        handler=seats.attest,
        request_type=MakePromise,
        reply_type=Standing,
        problem_codes=(*seats.SEAT_PROBLEMS, "oath-changed", "game-not-over"),
        scope="game",
        auth="seat",
    ),
}


class RawRequest(NamedTuple):
    """A request as the WSGI applications read it, before its body or query is parsed."""

    id: str
    method: str
    authorization: str
    content_type: str
    query: str
    body: bytes
    path_values: Mapping[str, str] = {}
    """The values of the `{name}` fields of the path template."""
    idempotency_key: str | None = None
    seat_token: str = ""
    accept: str = ""
    device: str = ""
    """The cookie of a paired device."""
    is_cross_site: bool = False
    """True where a page of another site sends the request."""
    address: str = ""
    """The address of the sender, which is never logged, stored or shown."""
    seats: tuple[str, ...] = ()
    """The cookies of seats in the game of the path."""
    registered: RegisteredClient | None = None
    """The client or device whose credential this is, where it was recognised a moment ago."""


def dispatch(services: Services, action: Action, raw_request: RawRequest, now: int) -> Reply:
    """Run an action and return its reply; a Problem or a failing store becomes a problem document."""
    services.housekeeping.run(now)
    if isinstance(action, PublicAction) and action.with_own_reference is not None:
        action = action.with_own_reference if services.editions.current.has_own_reference else action
    try:
        match action:
            case PublicAction():
                if action.same_site_only and raw_request.is_cross_site:
                    raise problems.cross_site()
                parsed = _parse_request(action, raw_request)
                if not action.takes_address:
                    return action.handler(services, parsed, now)
                cookie = _read_seat_cookie(services, raw_request)
                return action.handler(services, Sent(raw_request.address, parsed, cookie), now)
            case AuthenticatedAction(auth="seat"):
                return _run_for_seat(services, action, raw_request, now)
            case AuthenticatedAction():
                client = None
                if raw_request.authorization:
                    if action.auth != "device":
                        client = raw_request.registered or services.register.identify(raw_request.authorization, now)
                elif raw_request.device and action.auth != "key":
                    # A browser would send the cookie with requests from pages of other sites too.
                    if raw_request.is_cross_site:
                        raise problems.cross_site()
                    client = raw_request.registered or services.devices.identify(raw_request.device, now)
                if client is None:
                    if action.auth == "device":
                        raise problems.not_paired()
                    raise problems.unauthorized(raw_request.authorization)
                if action.scope not in client.scopes:
                    raise problems.out_of_scope()
                request = _parse_request(action, raw_request)
                if client.device is not None and getattr(request, "player", None) is not None:
                    raise bad_request('"player": sent by a paired device, expected none, as it has budgets of its own')
                run = partial(action.handler, services.for_client(client), client, request, now)
                return _run_idempotently(services, action, _caller_of(client), raw_request, run, now)
    except Problem as problem:
        return problems.to_reply(problem, raw_request.id)
    except StoreDown as err:
        _log.warning("nothing was looked up: %s", err)
        return problems.to_reply(problems.store_down(), raw_request.id)


def _run_for_seat(services: Services, action: AuthenticatedAction, raw_request: RawRequest, now: int) -> Reply:
    """Run an action for a client's key, or, where none is sent, for the cookie of a seat of the game in the path."""
    client, cookie = None, None
    if raw_request.authorization:
        client = raw_request.registered or services.register.identify(raw_request.authorization, now)
        if client is None:
            raise problems.unauthorized(raw_request.authorization)
        if action.scope not in client.scopes:
            raise problems.out_of_scope()
        caller = _caller_of(client)
    else:
        # A browser would send the cookie with requests from pages of other sites too.
        if raw_request.is_cross_site:
            raise problems.cross_site()
        if (cookie := _read_seat_cookie(services, raw_request)) is None:
            raise problems.no_seat()
        caller = Caller(f"seat {cookie.game} {cookie.seat} {cookie.generation}")
    seat_caller = SeatCaller(client, raw_request.seat_token, cookie)
    run = partial(action.handler, services, seat_caller, _parse_request(action, raw_request), now)
    return _run_idempotently(services, action, caller, raw_request, run, now)


def _read_seat_cookie(services: Services, raw_request: RawRequest) -> SeatCookie | None:
    return services.games.credentials.read_cookies(raw_request.path_values.get("id", ""), raw_request.seats)


def _caller_of(client: RegisteredClient) -> Caller:
    """Return the caller that may repeat a request of a client, or of one of its devices."""
    device = client.device.id if client.device else None
    answers_for_players = client.kind == "operator" and client.verified is not None and device is None
    max_bytes = MAX_OPERATOR_BYTES_PER_DAY if answers_for_players else MAX_BYTES_PER_DAY
    return Caller(str(client.id), device, max_bytes)


def _run_idempotently(
    services: Services,
    action: AuthenticatedAction,
    caller: Caller,
    raw_request: RawRequest,
    run: Callable[[], Reply],
    now: int,
) -> Reply:
    """Return the reply stored under the request's Idempotency-Key, or run the action and store its reply.

    An action that commits nothing is run, whatever its key.
    """
    if raw_request.idempotency_key is None or not action.commits:
        return run()
    route = "/".join([action.handler.__name__, *raw_request.path_values.values()])
    begun = services.idempotency.begin(caller, route, raw_request.idempotency_key, raw_request.body, now)
    if isinstance(begun, Reply):
        return begun
    try:
        reply = run()
    except BaseException:
        # The key has to become free again, but the error of the action is the one to report.
        with suppress(StoreDown):
            services.idempotency.end(caller, begun, None, now)
        raise
    try:
        services.idempotency.end(caller, begun, reply, now)
    except StoreDown as err:
        # The action has been carried out and charged, so its reply is sent though it could not be stored.
        _log.warning("a reply was sent but not stored: a repeat under its idempotency key runs again: %s", err)
    return reply


def _parse_request(action: Action, raw_request: RawRequest) -> Struct | PathAndBody[Struct]:
    """Parse the body of a POST, whose query has to be empty, or the query, path and headers of a GET."""
    if raw_request.method == "POST":
        read_query(Nothing, raw_request.query)
        body = read_body(action.request_type, raw_request.content_type, raw_request.body)
        return PathAndBody(raw_request.path_values, body) if raw_request.path_values else body
    headers = action.headers if isinstance(action, AuthenticatedAction) else ()
    values = {name: getattr(raw_request, name) for name in headers}
    return read_query(action.request_type, raw_request.query, {**raw_request.path_values, **values})
