"""The way from a request as it was sent to the reply of its action: credentials, body, idempotency, problems."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from msgspec import Struct

from ordws.api import problems
from ordws.api.action import Action, AuthenticatedAction, PublicAction
from ordws.api.idempotency import MAX_BYTES_PER_DAY, MAX_OPERATOR_BYTES_PER_DAY, Caller
from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.api.request_faults import bad_request
from ordws.api.requests import Nothing, PathAndBody, Sent, read_body, read_query
from ordws.api.seat_access import SeatCaller
from ordws.api.services import Services
from ordws.errors import StoreDown
from ordws.identity.register import RegisteredClient
from ordws.referee.seat_credentials import SeatCookie

_log = logging.getLogger("ordws.api")


class RawRequest(Struct, frozen=True, gc=False):
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
    origin: str = ""
    """The origin at which the sender reaches the service, as in `https://judge.example.org`."""
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
    seat_caller = SeatCaller(client, raw_request.seat_token, cookie, raw_request.origin, raw_request.address)
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
