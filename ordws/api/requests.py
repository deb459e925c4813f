"""The fields and shapes that requests share, and the functions that read requests strictly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Final, Generic, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct

from ordws.api.problems import Problem
from ordws.api.request_faults import PRINTABLE, bad_body, bad_query, bad_request
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.rulesets import RULE_SETS

MAX_WORDS: Final = 8
MAX_LABEL_LENGTH: Final = 64
MAX_PARAMETERS: Final = 100
"""The parameters of a query: rule sets have some forty options."""

WordField = Annotated[
    str,
    Meta(
        description=f"{MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters, A to Z in either case, accents allowed",
        examples=["QUIZ"],
    ),
]
RulesField = Annotated[
    str, Meta(description="The rule set, which decides the two-letter words.", extra_json_schema={"enum": [*RULE_SETS]})
]
GameField = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_LABEL_LENGTH,
        description="The client's own name for a game, which opens a budget for it; not the id of a sealed game.",
        extra=PRINTABLE,
    ),
]
PlayerField = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_LABEL_LENGTH,
        description="A player's pseudonym; required for operator keys.",
        extra=PRINTABLE,
    ),
]
ClockField = Annotated[int, Meta(ge=0, le=86_400, description="Seconds for each player, or each turn; 0: untimed.")]

OptionValue: TypeAlias = str | int | bool | list[str] | dict[str, int] | None
"""The value of an option: a layout may be a list of rows, a bonus an object of points by tiles; None is "none"."""

OPTIONS: Final = Meta(
    description="By name, as `GET /v1/rules/{id}` writes them. A layout may also be a list of rows, and a bonus an"
    " object of points by tiles; null means `none`.",
    examples=[{"small_word_cap": True}],
)

T = TypeVar("T", bound=Struct)
Body = TypeVar("Body")
JSON_TYPE: Final = "application/json"
_NO_PATH: Final[Mapping[str, str]] = {}
_decoder_of: Final = cache(msgspec.json.Decoder)  # building a decoder takes far longer than decoding a body


class Nothing(Struct, forbid_unknown_fields=True, frozen=True):
    """A request without parameters."""


def check_printable(label: str | None) -> None:
    """Raise ValueError for a label that is not printable; `request_faults.py` says so in words."""
    if label is not None and not label.isprintable():
        raise ValueError("not printable")


class Labelled(Struct, forbid_unknown_fields=True, frozen=True):
    """A request that may name a game of the client and one of its players."""

    game: GameField | None = None
    player: PlayerField | None = None

    def __post_init__(self) -> None:
        # Most requests name neither, and the calls would take as long as folding a word.
        if self.game is not None:
            check_printable(self.game)
        if self.player is not None:
            check_printable(self.player)


class PathAndBody(NamedTuple, Generic[T]):
    """The body of a request, and the values of the fields in its path."""

    path: Mapping[str, str]
    body: T


class Sent(NamedTuple, Generic[Body]):
    """The body of a request, the address that it comes from, and the seat that the sender's cookie stands for."""

    address: str
    body: Body
    cookie: SeatCookie | None = None


def read_body(kind: type[T], content_type: str, body: bytes) -> T:
    """Decode the JSON body of a request; raise a Problem that names the place of an error and repeats no text."""
    if content_type != JSON_TYPE and content_type.partition(";")[0].strip().lower() != JSON_TYPE:
        sent = "another type" if content_type else "none"
        raise Problem("not-json", f"Content-Type: got {sent}, expected application/json, and a body in JSON")
    try:
        decoded: T = _decoder_of(kind).decode(body)
    except (UnicodeDecodeError, msgspec.DecodeError) as err:
        raise bad_body(kind, body) from err
    return decoded


def read_query(kind: type[T], query: str, path: Mapping[str, str] = _NO_PATH) -> T:
    """Read the query of a request and the fields of its path, as strictly as a body."""
    if kind is Nothing and not query:
        return kind()
    try:
        sent = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError as err:
        raise bad_request(f"query: more than {MAX_PARAMETERS} parameters") from err
    values = {**dict(sent), **path}
    if len(values) < len(sent) + len(path):
        raise bad_query(kind, sent, path)
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as err:
        raise bad_query(kind, sent, path) from err
