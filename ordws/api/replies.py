"""Replies, and the JSON shapes of their bodies, except for problems and the shapes of single actions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ordws.guard.charge import BudgetName
from ordws.guard.gate import Allowance
from ordws.rules.board import square_name
from ordws.rules.move import Legal
from ordws.rules.receipt import BonusReason, build_receipt

DATE_TIME: Final = Meta(extra_json_schema={"format": "date-time"})
TimeField = Annotated[str, DATE_TIME]


class Cookie(NamedTuple):
    """A cookie of a reply, which scripts cannot read; for no seconds it is taken back."""

    name: str
    value: str
    seconds: int
    path: str
    same_site: Literal["Lax", "Strict"] = "Lax"


class Reply(NamedTuple):
    """The body of a reply and what kind of reply it is; `ordws.web` adds the status and the headers."""

    body: bytes
    cookie: Cookie | None = None
    is_public: bool = False
    """True where anybody may see it, and caches may keep it."""
    is_text: bool = False
    """True for plain text, in place of JSON."""
    is_repeated: bool = False
    """True where it is the stored reply to an earlier request."""


class Verdict(Struct, frozen=True):
    """The verdict on a question: whether all its words together are acceptable."""

    valid: bool


class TwoLetterWords(Struct, frozen=True):
    """The two-letter words of a rule set, which are published."""

    rules: str
    words: list[str]


class DisallowedWords(Struct, frozen=True):
    """The words that a rule set disallows and publishes."""

    rules: str
    words: list[str]


class RuleSetEntry(Struct, frozen=True):
    """A rule set: its id and its title."""

    id: str
    title: str


class RuleSets(Struct, frozen=True):
    """All rule sets."""

    rules: list[RuleSetEntry]


class OptionEntry(Struct, frozen=True):
    """An option: its value, the values it may have, and its meaning."""

    name: str
    value: str
    values: str
    says: str


class RuleSetOptions(Struct, frozen=True):
    """A rule set with all its options."""

    id: str
    title: str
    options: list[OptionEntry]


class LetterLine(Struct, frozen=True):
    """A letter of a new word: its face value, its value after the small word cap, its premium, and its points.

    A lower case letter is a blank.
    """

    letter: str
    square: str
    new: bool
    face: int
    value: int
    premium: int
    points: int


class WordLine(Struct, frozen=True):
    """A new word: its letters, the word premiums newly covered, the factor they make together, and its score."""

    word: str
    letters: list[LetterLine]
    premiums: list[int]
    factor: int
    score: int


class BonusLine(Struct, frozen=True):
    """The bonus of a play, its number of tiles, and for a stretch the run of tiles that was stretched."""

    points: int
    reason: BonusReason
    tiles: int
    stretched: str


class ReceiptOfPlay(Struct, frozen=True):
    """Every point of a play: the score is the sum of the lines and the bonus."""

    lines: list[WordLine]
    bonus: BonusLine
    score: int


class Scored(Struct, frozen=True):
    """The score of a play and the words it forms, the main word first; nothing was looked up."""

    score: int
    words: list[str]
    receipt: ReceiptOfPlay


class JudgedPlay(Struct, frozen=True):
    """The verdict on all words of a play together, and its score if they are acceptable."""

    valid: bool
    score: int
    words: list[str]
    receipt: ReceiptOfPlay


class Budget(Struct, frozen=True):
    """The rest of a budget, in units, and the time when it is full again."""

    budget: Annotated[
        BudgetName,
        Meta(
            description="Units a day: `units` in all, `outside` games. Units in a game: `game`; plays in it: `plays`."
            " A day: `core` words and `games`; for an operator, `operator` units of all players and new `players`."
            " Words checked in the service's own players' reference: `reference`; of all players: `operator-reference`."
            " The limits of units and core words fall to a quarter while a detector of mining is in alarm."
        ),
    ]
    limit: int
    left: int
    resets: TimeField


class Quota(Struct, frozen=True):
    """The caller's remaining budgets."""

    budgets: list[Budget]


class State(Struct, frozen=True):
    """The state of the service: up, or ready to answer questions."""

    status: Literal["up", "ready"]


class About(Struct, frozen=True):
    """The name of the service and its edition, and the paths of its documentation."""

    service: str
    edition: str
    reference: str
    openapi: str


# Both bodies have the same length, so that the length of an encrypted reply reveals nothing.
_VERDICTS: Final = {
    True: Reply(b'{"valid":true }'),
    False: Reply(b'{"valid":false}'),
}


def verdict(valid: bool) -> Reply:
    return _VERDICTS[valid]


def scored(ruling: Legal) -> Scored:
    """Return the score of a play with its receipt."""
    receipt = build_receipt(ruling)
    lines = []
    for line in receipt.words:
        letters = [
            LetterLine(letter, square_name(row, column), new, face, value, premium, points)
            for letter, row, column, new, face, value, premium, points in line.letters
        ]
        lines.append(WordLine(line.word, letters, list(line.premiums), line.factor, line.score))
    return Scored(ruling.score, ruling.words, ReceiptOfPlay(lines, BonusLine(*receipt.bonus[:4]), receipt.score))


def judged_play(valid: bool, score_of_play: Scored) -> Reply:
    """Return the verdict on a play with its score; as for words, replies differ in the padded verdict alone."""
    return Reply(_VERDICTS[valid].body[:-1] + b"," + msgspec.json.encode(score_of_play)[1:])


def public(content: Struct) -> Reply:
    """Return a reply that anybody may see and caches may keep."""
    return Reply(msgspec.json.encode(content), is_public=True)


def private(content: Struct, cookie: Cookie | None = None) -> Reply:
    """Return a reply for this caller alone, which no cache keeps."""
    return Reply(msgspec.json.encode(content), cookie)


def quota(allowances: Iterable[Allowance]) -> Reply:
    return private(Quota([Budget(a.budget, a.limit, a.left, format_utc(a.ends)) for a in allowances]))


def format_utc(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
