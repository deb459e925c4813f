"""The JSON shapes of requests, and the functions that read them strictly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct

from ordws.api.problems import Problem
from ordws.api.request_faults import DIGITS, EXPECTED, NOT_BLANK, PRINTABLE, bad_body, bad_query, bad_request
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.identity.devices import MAX_TABLE_NAME_LENGTH, is_table_name
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.rulesets import DEFAULT_RULES_ID, RULE_SETS

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

CursorField = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=18,
        pattern="^[0-9]{1,18}$",
        description="The value of `before` in the page before.",
        extra=DIGITS,
    ),
]

ClockField = Annotated[int, Meta(ge=0, le=86_400, description="Seconds for each player, or each turn; 0: untimed.")]

OptionValue: TypeAlias = str | int | bool | list[str] | dict[str, int] | None
"""The value of an option: a layout may be a list of rows, a bonus an object of points by tiles; None is "none"."""

T = TypeVar("T", bound=Struct)
Body = TypeVar("Body")
_NO_PATH: Final[Mapping[str, str]] = {}
_JSON: Final = "application/json"
_decoder_of: Final = cache(msgspec.json.Decoder)  # building a decoder takes far longer than decoding a body


class Nothing(Struct, forbid_unknown_fields=True, frozen=True):
    """A request without parameters."""


class WhichRules(Struct, forbid_unknown_fields=True, frozen=True):
    """The rule set that a list is asked of."""

    rules: RulesField = DEFAULT_RULES_ID


def check_printable(label: str | None) -> None:
    """Raise ValueError for a label that is not printable; `request_faults.py` says so in words."""
    if label is not None and not label.isprintable():
        raise ValueError("not printable")


class _Labelled(Struct, forbid_unknown_fields=True, frozen=True):
    """A request that may name a game of the client and one of its players."""

    game: GameField | None = None
    player: PlayerField | None = None

    def __post_init__(self) -> None:
        # Most requests name neither, and the calls would take as long as folding a word.
        if self.game is not None:
            check_printable(self.game)
        if self.player is not None:
            check_printable(self.player)


class WhoseQuota(_Labelled, frozen=True):
    """The player and the game whose budgets are asked for."""


OPTIONS: Final = Meta(
    description="By name, as `GET /v1/rules/{id}` writes them. A layout may also be a list of rows, and a bonus an"
    " object of points by tiles; null means `none`.",
    examples=[{"small_word_cap": True}],
)


class JudgeWords(_Labelled, frozen=True, kw_only=True):
    """A question of words, which get one verdict together."""

    words: Annotated[list[WordField], Meta(min_length=1, max_length=MAX_WORDS)]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None


class CheckWords(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Words of a rejected play to find in the players' reference; under a rule set, also the points to deduct."""

    words: Annotated[
        list[WordField],
        Meta(
            min_length=1,
            max_length=MAX_WORDS,
            description="Under Dover's form the single word in question, as its tiles: lower case letters are blanks.",
        ),
    ]
    rules: Annotated[RulesField | None, Meta(description="The rule set that decides the deduction.")] = None
    score: (
        Annotated[
            int, Meta(ge=0, le=100_000, description="What the play would have scored, which the official form deducts.")
        ]
        | None
    ) = None
    player: PlayerField | None = None

    def __post_init__(self) -> None:
        check_printable(self.player)


class PairDevice(Struct, forbid_unknown_fields=True, frozen=True):
    """A code from a director."""

    code: Annotated[
        str, Meta(max_length=32, description="In either case, with or without a hyphen.", examples=["K7QXF-93MD2"])
    ]


class NewDevice(Struct, forbid_unknown_fields=True, frozen=True):
    """A table for which a device is to be paired."""

    table: Annotated[str, Meta(min_length=1, max_length=MAX_TABLE_NAME_LENGTH, examples=["Table 3"], extra=NOT_BLANK)]
    log: Annotated[bool, Meta(description="Whether its questions are logged, without their words.")] = False
    director: Annotated[
        bool, Meta(description="Whether it is the director's own device, which looks over finished boards.")
    ] = False
    address: (
        Annotated[
            str,
            Meta(
                max_length=200,
                pattern=r"^https?://[0-9A-Za-z.\-:\[\]]+/?$",
                description="The address of the service as the device reaches it, for a link and its QR code.",
                examples=["https://ordws.example"],
                extra={EXPECTED: "an address of at most 200 characters, as https://ordws.example"},
            ),
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        if not is_table_name(self.table):
            raise ValueError("not printable, or blank")


class KeepBoard(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A finished game that the calling device has kept, and the label under which it asked about it."""

    game: GameField
    record: Annotated[str, Meta(max_length=14_000, description="The game record (GCG).")]
    checked: Annotated[
        list[Annotated[int, Meta(ge=1, le=300)]],
        Meta(max_length=300, description="The plays on the final board whose words were judged, by numbers from 1."),
    ] = []

    def __post_init__(self) -> None:
        check_printable(self.game)


class WhichBoard(Struct, forbid_unknown_fields=True, frozen=True):
    """The finished board to show."""

    id: str


class WhichEntries(Struct, forbid_unknown_fields=True, frozen=True):
    """The page of the log to read."""

    before: CursorField | None = None


class FindWords(Struct, forbid_unknown_fields=True, frozen=True):
    """Words that were asked together, and the page of the log to read."""

    words: Annotated[list[WordField], Meta(min_length=1, max_length=MAX_WORD_LENGTH)]
    before: CursorField | None = None


class WhichRuleSet(Struct, forbid_unknown_fields=True, frozen=True):
    """The rule set to show."""

    id: RulesField


_POSITION: Final = Meta(
    max_length=4_096,
    description="CGP, with as many rows as the rule set's board; racks, scores and zero turns may be missing",
    examples=[f"{'21/' * 10}10FiSH7{'/21' * 10}"],
)
_MOVE: Final = Meta(
    max_length=256,
    description="`8D STAiNER` across, `D8` down; lower case is a blank; a tile on the board is `.` or its letter."
    " Swaps for the blank come first: `=H8`.",
    examples=["=L11 11O ING"],
)
_TURN_MOVE: Final = Meta(
    max_length=256,
    description="A play `8D STAiNER`, an exchange `-ABC`, a pass `-`, `challenge`, `check-ospd` or `resign`.",
    examples=["8D STAiNER"],
)
_RACK: Final = Meta(
    max_length=21, description="Capitals, `?` for a blank; by default the position's first rack.", examples=["EIINGTY"]
)


class JudgePlay(_Labelled, frozen=True, kw_only=True):
    """A play, and the position it is made on."""

    position: Annotated[str, _POSITION]
    move: Annotated[str, _MOVE]
    rules: RulesField = DEFAULT_RULES_ID
    rack: Annotated[str, _RACK] | None = None
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None


class Seat(Struct, forbid_unknown_fields=True, frozen=True):
    """The player of a seat: a pseudonym for operator keys, and for other keys a name for the record."""

    player: PlayerField | None = None

    def __post_init__(self) -> None:
        check_printable(self.player)


class OpenGame(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A sealed game to open."""

    seats: Annotated[list[Seat], Meta(min_length=2, max_length=4, description="In the order of play.")]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None
    invitations: Annotated[
        bool,
        Meta(
            description="Whether each seat gets an invitation too; the game begins when all players have taken their"
            " seats and the oath."
        ),
    ] = False


class WhichGame(Struct, forbid_unknown_fields=True, frozen=True):
    """The sealed game to show, the seat that may see it, and the form of the reply."""

    id: str
    as_record: bool
    seat_token: Annotated[
        str, Meta(description="The token that `POST /v1/games` gave for the seat; left out with a seat's cookie.")
    ] = ""


class TakeTurn(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A move for a turn of a sealed game."""

    turn: Annotated[int, Meta(ge=1, le=1_000_000, description="The `turn` of the game's standing.")]
    move: Annotated[str, _TURN_MOVE]
    swaps: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=12, examples=[["=H8"]])] = []
    words: (
        Annotated[list[WordField], Meta(max_length=21, description="The words challenged; by default all.")] | None
    ) = None
    word: Annotated[str, Meta(description="The single word that is checked in Dover's form.")] | None = None
    nonce: (
        Annotated[str, Meta(max_length=100, description="What the stream sent last: measures the network.")] | None
    ) = None
    held: Annotated[
        int, Meta(ge=0, le=2**53, description="The ms for which the position was there before this move was sent.")
    ] = 0
    seat: Annotated[str, Meta(description="The seat token; left out with a seat's cookie.")] = ""


class CheckAtHome(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A word of a game at home, and the player's findings in their own dictionary."""

    word: WordField
    base_in_dictionary: Annotated[WordField | None, Meta(description="The base that is in the dictionary.")] = None
    word_in_dictionary: Annotated[
        bool | None, Meta(description="Whether the word itself is there; assumed false where a base is named.")
    ] = None
    base_has_main_entry: Annotated[
        bool | None,
        Meta(description="Under dover, with the electronic edition: whether the base has a main entry of its own."),
    ] = None
    labelled_offensive: Annotated[
        bool | None,
        Meta(
            description="Whether the dictionary labels the base, or the word that it has, offensive or vulgar in every"
            " sense; asked where `offensive=disallowed`, as under dover."
        ),
    ] = None
    not_in_dictionary: Annotated[
        list[WordField], Meta(max_length=16, description="Other words that were looked up and are not there.")
    ] = []
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    edition: Annotated[Literal["print", "electronic"], Meta(description="The form of the dictionary.")] = "print"
    by_exclusion: Annotated[
        bool, Meta(description="Without a dictionary: all words of the OSPD, except for short lists.")
    ] = False
    player: Annotated[
        PlayerField | None,
        Meta(description="Where the service has its own players' reference, and an operator's key asks."),
    ] = None

    def __post_init__(self) -> None:
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
    if content_type != _JSON and content_type.partition(";")[0].strip().lower() != _JSON:
        sent = "another type" if content_type else "none"
        raise Problem("not-json", f"Content-Type: got {sent}, expected application/json, and a body in JSON")
    try:
        decoded: T = _decoder_of(kind).decode(body)
    except (UnicodeDecodeError, msgspec.DecodeError) as err:
        raise bad_body(kind, body) from err
    return decoded


def read_play(line: bytes, rules: str | None = None) -> JudgePlay:
    """Read a play outside HTTP, as strictly as a body; `rules` is the rule set of a play that names none."""
    play = read_body(JudgePlay, _JSON, line)
    # The default of `JudgePlay.rules` cannot be told from the same rule set named by the play.
    if rules is None or read_body(_RulesOnly, _JSON, line).rules is not None:
        return play
    return msgspec.structs.replace(play, rules=rules)


class _RulesOnly(Struct):
    """The rule set that a play names, or None."""

    rules: str | None = None


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
