"""The problems: every reason for which a request is not answered, and its problem document (RFC 9457)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ordws.api.replies import PRIVATE, HttpHeader, Reply
from ordws.guard.gate import Refused
from ordws.identity.client_key import is_key
from ordws.rules.fault import Illegal

ProblemCode: TypeAlias = Literal[
    "bad-request",
    "bad-word",
    "short-body",
    "unauthorized",
    "not-found",
    "method-not-allowed",
    "length-required",
    "too-large",
    "not-json",
    "bad-position",
    "bad-move",
    "unknown-rules",
    "unknown-option",
    "bad-rack",
    "game-over",
    "not-your-turn",
    "swap-not-allowed",
    "no-such-blank",
    "exchange-not-allowed",
    "bag-too-low",
    "off-board",
    "square-taken",
    "no-new-tile",
    "gap",
    "misses-centre",
    "not-connected",
    "not-on-rack",
    "too-many-tiles",
    "no-word-formed",
    "main-word-too-short",
    "only-two-letter-words",
    "main-word-in-wings",
    "no-tile-on-inner-board",
    "disallowed-word",
    "player-required",
    "out-of-scope",
    "under-way",
    "bad-seat",
    "bad-ticket",
    "turn-taken",
    "game-not-over",
    "challenge-not-allowed",
    "check-not-allowed",
    "play-in-question",
    "not-a-new-word",
    "too-many-players",
    "idempotency-key-reused",
    "budget-spent",
    "internal-error",
    "too-busy",
    "store-down",
    "bad-code",
    "cross-site",
    "operators-only",
    "directors-only",
    "bad-record",
    "bad-events",
    "board-kept",
    "bad-key",
    "key-registered",
    "no-key",
    "not-paired",
    "too-many-devices",
    "too-many-guesses",
    "seat-moved",
    "not-started",
    "bad-play-link",
    "too-many-games",
    "bad-invitation",
    "seat-taken",
    "own-invitation",
    "bad-recovery-code",
    "oath-changed",
    "called-off",
    "table-bound",
    "no-device",
]

PROBLEMS: Final[dict[ProblemCode, tuple[int, str]]] = {
    "bad-request": (400, "The request cannot be read"),
    "bad-word": (400, "Not a word"),
    "short-body": (400, "The body ended early"),
    "unauthorized": (401, "A valid client key is needed"),
    "not-paired": (401, "This device is not paired"),
    "out-of-scope": (403, "Not allowed with this key"),
    "bad-code": (403, "Not a code that pairs a device"),
    "cross-site": (403, "Not allowed from a page of another site"),
    "operators-only": (403, "Only for the key of an operator"),
    "directors-only": (403, "Only for a director's device"),
    "bad-seat": (403, "Not allowed without a seat in this game"),
    "seat-moved": (403, "The seat was taken in another browser"),
    "bad-play-link": (403, "Not a play link of this service"),
    "bad-invitation": (403, "Not an invitation to this game"),
    "bad-recovery-code": (403, "Not the recovery code of a seat"),
    "bad-ticket": (403, "Not a valid stream ticket"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "Method not allowed"),
    "under-way": (409, "The same request is under way"),
    "turn-taken": (409, "Not the next turn"),
    "game-not-over": (409, "The game is not over yet"),
    "not-started": (409, "The game has not begun"),
    "seat-taken": (409, "The seat is taken"),
    "own-invitation": (409, "The invitation is for another player"),
    "oath-changed": (409, "The words of the promise have changed"),
    "called-off": (409, "The game was called off"),
    "table-bound": (409, "The table of the event has another game"),
    "no-device": (409, "No device is paired for this table"),
    "board-kept": (409, "Another record is registered for this game"),
    "key-registered": (409, "This device has registered another key"),
    "no-key": (409, "This device has registered no key"),
    "too-many-devices": (409, "Too many devices"),
    "length-required": (411, "The body has no length"),
    "too-large": (413, "The body is too large"),
    "not-json": (415, "The body is not JSON"),
    "bad-position": (422, "Not a position"),
    "bad-move": (422, "Not a play"),
    "unknown-rules": (422, "No such rule set"),
    "unknown-option": (422, "No such option"),
    "bad-record": (422, "Not the record of a finished game"),
    "bad-events": (422, "Not the signed events of a game"),
    "bad-key": (422, "Not a public key of P-256"),
    "bad-rack": (422, "Not a rack"),
    "game-over": (422, "The game is over"),
    "not-your-turn": (422, "Another player is to move"),
    "swap-not-allowed": (422, "There is no swap for the blank"),
    "no-such-blank": (422, "No blank to swap for"),
    "exchange-not-allowed": (422, "No exchange now"),
    "bag-too-low": (422, "The bag holds too few tiles"),
    "off-board": (422, "Off the board"),
    "square-taken": (422, "A square is taken"),
    "no-new-tile": (422, "No tile is put down"),
    "gap": (422, "There is a gap"),
    "misses-centre": (422, "The centre is not covered"),
    "not-connected": (422, "Not connected"),
    "not-on-rack": (422, "Not on the rack"),
    "too-many-tiles": (422, "Too many tiles"),
    "no-word-formed": (422, "No word is formed"),
    "main-word-too-short": (422, "The main word is too short"),
    "only-two-letter-words": (422, "Only words of two letters"),
    "main-word-in-wings": (422, "The main word lies in the wings"),
    "no-tile-on-inner-board": (422, "No tile on the inner board"),
    "challenge-not-allowed": (422, "No play to challenge"),
    "check-not-allowed": (422, "No rejected play to check"),
    "play-in-question": (422, "A play is in question"),
    "not-a-new-word": (422, "Not a new word of the play"),
    "too-many-players": (422, "Too many players"),
    "disallowed-word": (422, "A word is on the published lists of disallowed words"),
    "player-required": (422, "A player is needed"),
    "idempotency-key-reused": (422, "An idempotency key for another request"),
    "budget-spent": (429, "The budget is spent"),
    "too-many-games": (429, "Too many games from this address"),
    "too-many-guesses": (429, "Too many wrong codes"),
    "internal-error": (500, "The service made a mistake"),
    "too-busy": (503, "Too many requests are under way"),
    "store-down": (503, "A store does not answer"),
}
_BUDGET_MEANINGS: Final = {
    "outside": "units a day outside a game",
    "units": "units a day in all",
    "game": "units in this game",
    "games": "games a day",
    "core": "core words a day",
    "reference": "words a day checked outside games in the service's own players' reference",
    "plays": "plays in this game",
    "invalid": "plays in this game with a word that is not acceptable",
    "seat": "units of this seat in this game",
    "seat-invalid": "plays of this seat in this game with a word that is not acceptable",
    "operator": "units a day of all players of this operator",
    "players": "new players a day of this operator",
    "operator-core": "core words a day of all players of this operator",
    "operator-reference": "words a day of this operator's players, checked in the service's own players' reference",
    "world": "units a day of all who are not verified",
    "world-core": "core words a day of all who are not verified",
    "share": "units a day of one who is not verified, a part of what is left to all of them",
    "share-core": "core words a day of one who is not verified, a part of what is left to all of them",
    "guests": "games of guests a day, each of which holds what it may spend",
    "guests-core": "core words a day that games of guests hold",
    "game-core": "core words in this game",
    "closed": "today's budgets count as spent since a restore",
}
BUDGETS: Final = (*_BUDGET_MEANINGS, "replies")
"""The budgets that a refusal may name: those of the gate, and the number of replies stored for idempotency keys."""

RETRY_SOON_SECONDS: Final = 2
DEVICE_COOKIE: Final = "ordws_device"
"""The name of the cookie that holds a paired device's token."""
PROBLEM_JSON: Final = ("Content-Type", "application/problem+json")


class ProblemDetails(Struct, frozen=True, omit_defaults=True):
    """The reason why a request was not answered (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Annotated[str, Meta(extra_json_schema={"enum": [*PROBLEMS]})]
    budget: Annotated[
        str | None,
        Meta(description="With budget-spent only: the budget.", extra_json_schema={"enum": [*BUDGETS, None]}),
    ] = None


class Problem(Exception):
    """A request that is not answered, for one of the published reasons; no detail repeats a word of a question."""

    def __init__(self, code: ProblemCode, detail: str, *headers: HttpHeader, budget: str | None = None) -> None:
        super().__init__(code)
        self.code: Final = code
        self.detail = detail
        self.headers = headers
        self.budget = budget


def to_reply(problem: Problem, request_id: str) -> Reply:
    """Return the problem document that is sent instead of an answer."""
    status, title = PROBLEMS[problem.code]
    details = ProblemDetails(
        type=f"urn:ordws:problem:{problem.code}",
        title=title,
        status=status,
        detail=problem.detail,
        instance=f"urn:ordws:request:{request_id}",
        code=problem.code,
        budget=problem.budget,
    )
    return Reply(status, (PROBLEM_JSON, PRIVATE, *problem.headers), msgspec.json.encode(details))


def ill_formed(illegal: Illegal) -> Problem:
    """Return the problem of an illegal move; no fault of a play is charged or looked up."""
    code: Any = illegal.fault.value  # the values of Fault are codes of problems
    return Problem(code, illegal.message)


def unauthorized(authorization: str = "") -> Problem:
    """Return the problem of a missing or invalid key: the same for a key that is unknown, expired or revoked."""
    scheme, _, key = authorization.strip().partition(" ")
    if not scheme:
        detail = 'Authorization: missing, expected "Bearer " and a client key'
    elif scheme.lower() != "bearer":
        detail = 'Authorization: got something else, expected "Bearer " and a client key'
    elif not is_key(key.strip()):
        detail = "Authorization: got an incomplete or mistyped key, expected all of ordws_live_... as it was shown"
    else:
        detail = "Authorization: the key is unknown, revoked or expired; ask whoever runs the service for one"
    return Problem("unauthorized", detail, ("WWW-Authenticate", "Bearer"))


def out_of_scope() -> Problem:
    return Problem("out-of-scope", "this client's scopes, which its keeper sets, do not include this request")


def not_paired() -> Problem:
    """Return the same problem for a cookie that is missing, malformed, unknown or revoked."""
    challenge = ("WWW-Authenticate", f'Cookie cookie-name="{DEVICE_COOKIE}"')
    return Problem("not-paired", "a director's code pairs this device: send it to POST /v1/pair", challenge)


def too_many_guesses(retry_after_seconds: int) -> Problem:
    return Problem(
        "too-many-guesses",
        "too many wrong codes came in this second; no code is checked before the next",
        ("Retry-After", str(retry_after_seconds)),
    )


def bad_code() -> Problem:
    """Return the same problem for a code that is wrong, used or expired."""
    return Problem("bad-code", "the code is wrong, was used, or is older than 15 minutes")


def cross_site() -> Problem:
    return Problem("cross-site", "a browser may send this request from the pages of this service only")


def bad_seat(field: str, token: str) -> Problem:
    """Return the same problem for an unknown or expired game, and a token of another game, seat, key or edition.

    `field` is where the token is sent: the header Seat-Token, or "seat" in the body.
    """
    sent = "got a token that is not of this game and this key" if token else "missing"
    return Problem("bad-seat", f"{field}: {sent}, expected the seat token that POST /v1/games gave for this game")


def no_seat() -> Problem:
    """Return the same problem for a seat's cookie that is missing, malformed, or of another game."""
    return Problem(
        "bad-seat",
        "no cookie of a seat in this game came with the request, and no client key: an invitation gives a seat, or its"
        " recovery code, and a program sends its key with the seat token",
    )


def turn_taken(detail: str) -> Problem:
    return Problem("turn-taken", detail)


def budget_spent(refused: Refused) -> Problem:
    return Problem(
        "budget-spent",
        f'"{refused.budget}" ({_BUDGET_MEANINGS[refused.budget]}) does not hold this question; see /v1/quota',
        ("Retry-After", str(refused.retry_after_seconds)),
        budget=refused.budget,
    )


def store_down() -> Problem:
    """Return the problem of a store that does not answer: nothing is looked up then (docs/guard.md Decision 9)."""
    return Problem("store-down", "nothing was looked up", ("Retry-After", str(RETRY_SOON_SECONDS)))


def too_busy() -> Problem:
    return Problem("too-busy", "nothing was looked up", ("Retry-After", str(RETRY_SOON_SECONDS)))
