"""An action and its request: who may ask it, the fields that several share, how a request is read, and its faults.

An action is the handler of a route, with what it takes and what it replies. Requests are read strictly.

A fault names the field, the shape of what was sent, and what is expected. No text that was sent is repeated, since it
may be a word or a key; only the name of an unknown field is, where it is written as names of fields are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
import msgspec.inspect as shapes
from msgspec import Meta, Struct

from ordws.api.problems import Problem, ProblemCode
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.identity.register import OPERATORS_SCOPE, RegisteredClient, Scope
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.ruleset import RULE_SETS

if TYPE_CHECKING:
    from ordws.api.replies import Reply
    from ordws.api.services import Services


MAX_BODY_BYTES: Final = 16 * 1024
"""The largest body of all requests but those whose action says otherwise."""

HttpMethod: TypeAlias = str
PathTemplate: TypeAlias = str
AuthMethod: TypeAlias = Literal["key", "device", "either", "seat"]
"""The credential of an action: a client's key, the cookie of a paired device, either of them, or a seat of a game.

A seat is a client's key with the seat's token, or the cookie of the browser that took the seat.
"""


@dataclass(frozen=True, kw_only=True)
class PublicAction:
    """An action that needs no key."""

    handler: Callable[[Services, Any, int], Reply]
    request_type: type[Struct]
    reply_type: type[Struct]
    problem_codes: tuple[ProblemCode, ...] = ()
    same_site_only: bool = False
    """True where pages of other sites must not call the action, because it sets a cookie."""
    with_own_reference: AuthenticatedAction | None = None
    """The action in place of this one where the installation's players' reference is its own, and no public list."""
    status: int = 200
    takes_address: bool = False
    """True where the handler gets the body with the address and the seat that it comes from, as `Sent`."""


@dataclass(frozen=True, kw_only=True)
class AuthenticatedAction:
    """An action that needs the key of a client, or the cookie of one of its devices."""

    handler: Callable[[Services, Any, Any, int], Reply]
    """Called with the client; where a seat is needed, with a `SeatCaller`."""
    request_type: type[Struct]
    reply_type: type[Struct]
    problem_codes: tuple[ProblemCode, ...] = ()
    scope: Scope = "judge"
    auth: AuthMethod = "key"
    commits: bool = False
    """True where the action spends or writes something, so that it takes an Idempotency-Key."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """The fields of a GET's request type that follow from a header, each with the header's name."""
    max_body_bytes: int = MAX_BODY_BYTES
    other_media_type: str | None = None
    """The media type of a reply that the Accept header may ask for in place of JSON."""

    def check_scope(self, client: RegisteredClient) -> None:
        """Raise a Problem where a key does not allow this action, or no keeper has verified its client."""
        if self.scope not in client.scopes:
            raise Problem("out-of-scope", "this client's scopes, which its keeper sets, do not include this request")
        if self.scope == OPERATORS_SCOPE and client.verified is None:
            raise Problem("out-of-scope", "the games of events are for operators whom a keeper has verified")


Action: TypeAlias = PublicAction | AuthenticatedAction


MAX_FAULTS: Final = 5
"""The number of faults that a reply names, so that it stays short whatever was sent."""

PRINTABLE: Final = {"characters": "printable characters"}
NOT_BLANK: Final = {"characters": "printable characters, not all of them spaces"}
DIGITS: Final = {"characters": "digits"}
"""What the characters of a string have to be, as the `extra` of its Meta."""

EXPECTED: Final = "expected"
"""The key in the `extra` of a Meta for words that say what is expected, where its limits do not say it."""

_FIELD_NAME: Final = re.compile(r"[a-z][A-Za-z0-9_-]{0,31}")
_JSON_TYPES: Final[dict[type[shapes.Type], type]] = {
    shapes.StrType: str,
    shapes.LiteralType: str,
    shapes.IntType: int,
    shapes.FloatType: float,
    shapes.BoolType: bool,
    shapes.NoneType: type(None),
    shapes.ListType: list,
    shapes.DictType: dict,
    shapes.StructType: dict,
}
"""The types that a field of a request may have, and what JSON is decoded to for each."""
_SENT: Final = {type(None): "null", dict: "an object", float: "a decimal number", int: "a whole number"}

_type_info: Final = cache(shapes.type_info)


def bad_body(kind: type[Struct], body: bytes) -> Problem:
    """Return the problem of a body that cannot be decoded as this type."""
    expected = describe_type(_type_info(kind))
    if not body.strip():
        return bad_request(f"body: empty, expected {expected}")
    try:
        value = msgspec.json.decode(body)
    except UnicodeDecodeError:
        return bad_request("body: not UTF-8, expected JSON in UTF-8")
    except RecursionError:
        return bad_request(f"body: nested too deeply, expected {expected}")
    except msgspec.DecodeError as err:
        reason = str(err).removeprefix("JSON is malformed: ").partition(" - at ")[0]
        reason = reason.replace("Input data was truncated", "it ends early")
        return bad_request(f"body: not JSON, {reason[0].lower()}{reason[1:]}, expected {expected}")
    return bad_request(*islice(find_faults(_type_info(kind), value), MAX_FAULTS))


def bad_query(kind: type[Struct], pairs: Iterable[tuple[str, str]], elsewhere: Mapping[str, str]) -> Problem:
    """Return the problem of a query that is not of this type; `elsewhere` has the fields that path and headers give."""
    pairs = [*pairs]
    info, names = _type_info(kind), [name for name, _ in pairs]
    assert isinstance(info, shapes.StructType)
    fields = [field for field in info.fields if field.encode_name not in elsewhere]
    faults = [f"{quote_name(name)}: given {n} times, expected once" for name, n in Counter(names).items() if n > 1]
    return bad_request(*islice(faults or find_field_faults(fields, dict(pairs), noun="parameter"), MAX_FAULTS))


def bad_words(texts: Mapping[str, str]) -> Problem:
    """Return the problem of texts that are not words, by their places."""
    faults = [
        f"{place}: got {describe_value(text)}{', not all letters' if text and not text.isalpha() else ''},"
        f" expected a word of {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters, A to Z, with or without accents"
        for place, text in texts.items()
    ]
    return Problem("bad-word", "; ".join(faults[:MAX_FAULTS]))


def bad_request(*faults: str) -> Problem:
    """Return the problem of a request with these faults."""
    return Problem("bad-request", "; ".join(faults) or "not as /openapi.json describes it")


def find_faults(kind: shapes.Type, value: object, place: str = "") -> Iterator[str]:
    """Yield the faults of a decoded value; `place` names its field, and is empty for the whole body."""
    bare, _ = unwrap(kind)
    if isinstance(bare, shapes.UnionType):
        fitting = [member for member in bare.types if has_shape(member, value)]
        if fitting:
            yield from find_faults(fitting[0], value, place)
            return
    if not (has_shape(kind, value) and is_within_limits(kind, value)):
        yield f"{place or 'body'}: got {describe_value(value)}, expected {describe_type(kind)}"
    elif isinstance(bare, shapes.StructType) and isinstance(value, dict):
        yield from find_field_faults(bare.fields, value, place)
    elif isinstance(bare, shapes.ListType) and isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from find_faults(bare.item_type, item, f"{place}, item {number}")
    elif isinstance(bare, shapes.DictType) and isinstance(value, dict):
        for name, item in value.items():
            yield from find_faults(bare.value_type, item, f"{place}, {quote_name(name)}")


def find_field_faults(
    fields: Iterable[shapes.Field], value: Mapping[str, object], place: str = "", noun: str = "field"
) -> Iterator[str]:
    """Yield the faults of an object with these fields, first of the fields that it should not have."""
    known = {field.encode_name: field for field in fields}
    before = f"{place}, " if place else ""
    for name in value:
        if name not in known:
            alike = get_close_matches(name[:32].lower(), known, n=1)
            allowed = join_choices([f'"{one}"' for one in alike or known])
            yield f"{before}{quote_name(name)}: no such {noun}, expected {allowed}"
    for name, known_field in known.items():
        if name in value:
            yield from find_faults(known_field.type, value[name], f'{before}"{name}"')
        elif known_field.required:
            yield f'{before}"{name}": missing, expected {describe_type(known_field.type)}'


def has_shape(kind: shapes.Type, value: object) -> bool:
    """Return True where JSON of this type is decoded to a Python object of the value's type."""
    bare, _ = unwrap(kind)
    return type(value) is _JSON_TYPES.get(type(bare)) or (isinstance(bare, shapes.FloatType) and type(value) is int)


def is_within_limits(kind: shapes.Type, value: object) -> bool:
    """Return True where a value of the right shape keeps the limits of its type: length, range, characters, choice."""
    bare, extra = unwrap(kind)
    if (
        isinstance(bare, shapes.StrType | shapes.ListType)
        and isinstance(value, str | list)
        and not (bare.min_length or 0) <= len(value) <= (len(value) if bare.max_length is None else bare.max_length)
    ):
        return False
    if isinstance(bare, shapes.StrType) and isinstance(value, str):
        return (
            re.search(bare.pattern or "", value) is not None
            and (extra not in (PRINTABLE, NOT_BLANK) or value.isprintable())
            and (extra != NOT_BLANK or not value.isspace())
        )
    if isinstance(bare, shapes.IntType) and isinstance(value, int):
        return (value if bare.ge is None else bare.ge) <= value <= (value if bare.le is None else bare.le)
    return not isinstance(bare, shapes.LiteralType) or value in bare.values


def describe_type(kind: shapes.Type) -> str:
    """Return what is expected, in words: `a list of 1 to 8 strings`."""
    bare, extra = unwrap(kind)
    if EXPECTED in extra:
        return extra[EXPECTED]
    if isinstance(kind, shapes.Metadata) and "enum" in (schema := kind.extra_json_schema or {}):
        return join_choices([f'"{value}"' for value in schema["enum"]])
    match bare:
        case shapes.UnionType():
            return join_choices([describe_type(member) for member in bare.types])
        case shapes.StrType():
            return f"a string{describe_length(bare.min_length, bare.max_length, extra.get('characters', 'characters'))}"
        case shapes.ListType():
            items = "objects" if isinstance(unwrap(bare.item_type)[0], shapes.StructType) else "strings"
            return f"a list{describe_length(bare.min_length, bare.max_length, items) or f' of {items}'}"
        case shapes.LiteralType():
            return join_choices([f'"{value}"' for value in bare.values])
        case shapes.IntType():
            return "a whole number" if bare.ge is None else f"a whole number from {bare.ge} to {bare.le}"
        case shapes.FloatType():
            return "a number"
        case shapes.StructType():
            required = [f'"{field.encode_name}"' for field in bare.fields if field.required]
            return f"an object with {' and '.join(required)}" if required else "an object"
        case shapes.BoolType():
            return "true or false"
        case shapes.NoneType():
            return "null"
        case shapes.DictType():
            return "an object"
    raise TypeError(f"no field of a request is of type {type(bare).__name__}")


def describe_length(shortest: int | None, longest: int | None, of: str) -> str:
    """Return how many characters or items there have to be, after a space; nothing where any number will do."""
    if longest is None:
        return ""
    return f" of {shortest} to {longest} {of}" if shortest else f" of at most {longest} {of}"


def unwrap(kind: shapes.Type) -> tuple[shapes.Type, Mapping[str, str]]:
    """Return a type without its metadata, and the `extra` of its Meta."""
    return (kind.type, kind.extra or {}) if isinstance(kind, shapes.Metadata) else (kind, {})


def describe_value(value: object) -> str:
    """Return the shape of what was sent, in words, and nothing of its content: `a list of 9 items`."""
    match value:
        case str():
            printable = "" if value.isprintable() else ", not all printable"
            return f"a string of {_count(value, 'character')}{printable}" if value else "an empty string"
        case list():
            return f"a list of {_count(value, 'item')}" if value else "an empty list"
        case bool():
            return "true" if value else "false"
        case _:
            return _SENT[type(value)]


def _count(counted: Sized, noun: str) -> str:
    return f"{len(counted)} {noun}{'' if len(counted) == 1 else 's'}"


def join_choices(choices: Iterable[str]) -> str:
    """Return choices as a text lists them: `a, b or c`, and `none` where there are none."""
    *others, last = [*choices] or ["none"]
    return f"{', '.join(others)} or {last}" if others else last


def quote_name(name: str) -> str:
    """Return the name of a field in quotes; one that is not written as such is not repeated, since it may be a word."""
    return f'"{name}"' if _FIELD_NAME.fullmatch(name) else f"a name of {_count(name, 'character')}"


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
    """Raise ValueError for a label that is not printable; `find_faults` says so in words."""
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
