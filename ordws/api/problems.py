"""The problems: every reason for which a request is not answered, and its problem document (RFC 9457)."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ordws.guard.charge import Refused
from ordws.identity.register import is_key
from ordws.rules.fault import Fault, Illegal

ProblemCode: TypeAlias = str
"""The code of a problem, a key of `PROBLEMS`; tests/api/test_problems.py looks at each that is written anywhere."""

_PLAY_FAULTS: Final = {
    Fault.SWAP_NOT_ALLOWED: "There is no swap for the blank",
    Fault.NO_SUCH_BLANK: "No blank to swap for",
    Fault.OFF_BOARD: "Off the board",
    Fault.SQUARE_TAKEN: "A square is taken",
    Fault.NO_NEW_TILE: "No tile is put down",
    Fault.GAP: "There is a gap",
    Fault.MISSES_CENTRE: "The centre is not covered",
    Fault.NOT_CONNECTED: "Not connected",
    Fault.NOT_ON_RACK: "Not on the rack",
    Fault.TOO_MANY_TILES: "Too many tiles",
    Fault.NO_WORD_FORMED: "No word is formed",
    Fault.MAIN_WORD_TOO_SHORT: "The main word is too short",
    Fault.ONLY_TWO_LETTER_WORDS: "Only words of two letters",
    Fault.MAIN_WORD_IN_WINGS: "The main word lies in the wings",
    Fault.NO_TILE_ON_INNER_BOARD: "No tile on the inner board",
}
_OTHER_FAULTS: Final = {
    Fault.GAME_OVER: "The game is over",
    Fault.NOT_YOUR_TURN: "Another player is to move",
    Fault.CHALLENGE_NOT_ALLOWED: "No play to challenge",
    Fault.CHECK_NOT_ALLOWED: "No rejected play to check",
    Fault.NOT_A_NEW_WORD: "Not a new word of the play",
    Fault.EXCHANGE_NOT_ALLOWED: "No exchange now",
    Fault.BAG_TOO_LOW: "The bag holds too few tiles",
    Fault.DISALLOWED_WORD: "A word is on the published lists of disallowed words",
}
PLAY_FAULT_CODES: Final[tuple[ProblemCode, ...]] = tuple([fault.value for fault in _PLAY_FAULTS])
"""The codes of a play that does not fit, in the order in which it is examined; only the first is told."""
FAULT_CODES: Final[tuple[ProblemCode, ...]] = (*[fault.value for fault in _OTHER_FAULTS], *PLAY_FAULT_CODES)
"""The codes of all moves that the rules refuse."""

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
    "no-visitors": (403, "Words are not judged without a key here"),
    "bad-play-link": (403, "Not a play link of this service"),
    "bad-invitation": (403, "Not an invitation to this game"),
    "bad-recovery-code": (403, "Not the recovery code of a seat"),
    "program-only": (403, "Only for the program that plays here"),
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
    "play-in-question": (422, "A play is in question"),
    "too-many-players": (422, "Too many players"),
    **{fault.value: (422, title) for fault, title in (_PLAY_FAULTS | _OTHER_FAULTS).items()},
    "player-required": (422, "A player is needed"),
    "idempotency-key-reused": (422, "An idempotency key for another request"),
    "budget-spent": (429, "The budget is spent"),
    "too-many-games": (429, "Too many games from this address"),
    "practice-full": (429, "All games against the program are taken"),
    "too-many-guesses": (429, "Too many wrong codes"),
    "internal-error": (500, "The service made a mistake"),
    "no-program": (503, "The program does not play now"),
    "too-busy": (503, "Too many requests are under way"),
    "store-down": (503, "A store does not answer"),
}
PROBLEM_MEANINGS: Final[dict[ProblemCode, str]] = {
    "bad-request": "the request, its JSON or its parameters cannot be read; five faults at most are named",
    "bad-word": "not 2 to 21 letters",
    "short-body": "it ended before its Content-Length",
    "unauthorized": "the key is missing, mistyped (which its checksum shows), unknown, expired or revoked",
    "not-paired": "the device's cookie is missing, malformed, unknown or revoked",
    "out-of-scope": "the client lacks the scope, or is no verified operator where games of events are asked for",
    "bad-code": "wrong, used or expired",
    "cross-site": "a browser says that a page of another site asks",
    "operators-only": "a home key asks for what is for a club's director",
    "no-visitors": "the service judges words for keys and paired devices alone",
    "bad-play-link": "not complete, unknown or withdrawn",
    "program-only": "not the credential of this installation's `ordws computer`",
    "bad-ticket": "missing, older than a minute, of another game, or of a seat that moved; the stream alone says so",
    "bad-seat": "an unknown or expired game; a token or cookie of another game, seat or key; or none",
    "seat-moved": "its recovery code takes it back",
    "bad-invitation": "or the game has expired",
    "not-found": "no such path, rule set, board or device",
    "under-way": "the request with this idempotency key is under way",
    "turn-taken": "or another move was sent for it before",
    "game-not-over": "records, attestations, reviews and rematches are for finished games",
    "not-started": "a seat is free, or its player has not sworn",
    "seat-taken": "the sentence says what to do",
    "own-invitation": "the browser has another seat of this game",
    "called-off": "a player called it off, or the event went on without it",
    "table-bound": "a game of other players, or sent by another device; or the device has 300 games to send",
    "no-device": "or more than one is",
    "key-registered": "it registers one for each pairing",
    "no-key": "none by which a station's game could be verified",
    "too-many-devices": "codes included",
    "too-large": "more than 16,384 bytes, of a station's game 256 KiB",
    "bad-position": "not CGP, or not of the rule set's size",
    "bad-move": "or not a play where one is needed",
    "unknown-option": "or not with this value",
    "bad-events": "a signature, a digest or a clock does not fit; the event is named",
    "square-taken": "another tile lies there",
    "gap": "a square that the play runs over is empty",
    "misses-centre": "by the first play",
    "too-many-tiles": "more than a rack holds",
    "no-word-formed": "a single tile forms none",
    "main-word-too-short": "it has two letters, and three are needed",
    "only-two-letter-words": "one new word must have three",
    "main-word-in-wings": "wholly",
    "check-not-allowed": "or the rules have no check",
    "play-in-question": "the player's own rejected play must be settled first",
    "too-many-players": "more seats than the rule set allows",
    "disallowed-word": "the turn is not spent",
    "player-required": "an operator's key asks for a player",
    "idempotency-key-reused": "it came with another body before",
    "budget-spent": "`budget` names the one that does not hold the question",
    "too-many-games": "opened today (`guest_games_an_address`), or running against the program (`games_an_address`)",
    "practice-full": "`[practice] games`, or 300 reviews wait",
    "too-many-guesses": "this second",
    "internal-error": "the log has it under the request's id",
    "too-busy": "nothing was looked up",
    "store-down": "or the edition of a running game or of a repeated word is not at hand; nothing was looked up",
}
"""What the title of a problem leaves open, for the reference."""
BUDGET_MEANINGS: Final = {
    "outside": "units a day outside a game",
    "units": "units a day in all",
    "game": "units in this game, or of this seat in it; in a game of guests also core words",
    "games": "games a day",
    "core": "core words a day",
    "reference": "words a day checked outside games in the service's own players' reference",
    "plays": "plays in this game, or of this seat in it",
    "operator": "units, or core words, a day of all players of this operator",
    "players": "new players a day of this operator",
    "operator-reference": "words a day of this operator's players, checked in the service's own players' reference",
    "world": "units, or core words, a day of all who are not verified, or the part of one of them in what is left",
    "guests": "games of guests a day, each of which holds what it may spend",
    "visitors": "words of all visitors together, a day",
    "address": "words of the visitors at one address, a day",
    "closed": "today's budgets count as spent since a restore",
    "replies": "replies stored for a client or device, a day: 10,000, or 3 MB (30 MB for a verified operator's own key,"
    " 500 kB for a seat without a key); stored ones are still repeated, and requests without a key answered",
}
"""The budgets that a refusal may name: those of the gate, and the number of replies stored for idempotency keys."""

RETRY_SOON_SECONDS: Final = 2
DEVICE_COOKIE: Final = "ordws_device"
"""The name of the cookie that holds a paired device's token."""


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
        Meta(description="With budget-spent only: the budget.", extra_json_schema={"enum": [*BUDGET_MEANINGS, None]}),
    ] = None


class Problem(Exception):
    """A request that is not answered, for one of the published reasons; no detail repeats a word of a question."""

    def __init__(
        self, code: ProblemCode, detail: str, *, retry_after: int | None = None, budget: str | None = None
    ) -> None:
        super().__init__(code)
        self.code: Final = code
        self.detail = detail
        self.retry_after = retry_after
        """The seconds after which the same request may be answered."""
        self.budget = budget


def write_details(problem: Problem, request_id: str) -> bytes:
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
    return msgspec.json.encode(details)


def ill_formed(illegal: Illegal) -> Problem:
    """Return the problem of an illegal move; no fault of a play is charged or looked up."""
    return Problem(illegal.fault.value, illegal.message)


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
    return Problem("unauthorized", detail)


def not_paired() -> Problem:
    """Return the same problem for a cookie that is missing, malformed, unknown or revoked."""
    return Problem("not-paired", "a director's code pairs this device: send it to POST /v1/pair")


def too_many_guesses(retry_after_seconds: int) -> Problem:
    return Problem(
        "too-many-guesses",
        "too many wrong codes came in this second; no code is checked before the next",
        retry_after=retry_after_seconds,
    )


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


def budget_spent(refused: Refused) -> Problem:
    return Problem(
        "budget-spent",
        f'"{refused.budget}" ({BUDGET_MEANINGS[refused.budget]}) does not hold this question; see /v1/quota',
        retry_after=refused.retry_after_seconds,
        budget=refused.budget,
    )


def store_down() -> Problem:
    """Return the problem of a store that does not answer: nothing is looked up then (docs/guard.md Decision 9)."""
    return Problem("store-down", "nothing was looked up", retry_after=RETRY_SOON_SECONDS)


def too_busy() -> Problem:
    return Problem("too-busy", "nothing was looked up", retry_after=RETRY_SOON_SECONDS)
