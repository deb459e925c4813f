"""Every JSON shape that leaves, but for problems."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ordws.guard.gate import Allowance
from ordws.guard.price import BudgetName as Named
from ordws.rules import receipt as receipts
from ordws.rules.board import square_name
from ordws.rules.move import Legal
from ordws.rules.receipt import BonusReason, build_receipt

HttpHeader: TypeAlias = tuple[str, str]
_JSON: Final = ("Content-Type", "application/json")
_TEXT: Final = ("Content-Type", "text/plain; charset=utf-8")
PRIVATE: Final = ("Cache-Control", "no-store")
_PUBLIC: Final = ("Cache-Control", "public, max-age=86400")


class Reply(NamedTuple):
    """What a door sends."""

    status: int
    headers: tuple[HttpHeader, ...]
    body: bytes


class Verdict(Struct, frozen=True):
    """The one bit that leaves: whether all the words asked together are acceptable."""

    valid: bool


class TwoLetterWords(Struct, frozen=True):
    """The two-letter words of a rule set, which are published."""

    rules: str
    words: list[str]


class DisallowedWords(Struct, frozen=True):
    """The words that a rule set strikes out and publishes."""

    rules: str
    words: list[str]


class RuleSetEntry(Struct, frozen=True):
    """A rule set by its id."""

    id: str
    title: str


class RuleSets(Struct, frozen=True):
    """The rule sets there are."""

    rules: list[RuleSetEntry]


class OptionEntry(Struct, frozen=True):
    """An option: what it is set to, what it may be set to, and what it is for."""

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
    """A letter of a new word: its face value, what the small word cap left of it, its premium, and its points.

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
    """The one bonus of a play, and for how many tiles it is; of a stretch also the run that was stretched."""

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
    """What a play scores and the words it forms, the main word first; nothing was looked up."""

    score: int
    words: list[str]
    receipt: ReceiptOfPlay


class JudgedPlay(Struct, frozen=True):
    """The one verdict on all words of a play, and what it scores if it is good."""

    valid: bool
    score: int
    words: list[str]
    receipt: ReceiptOfPlay


class Budget(Struct, frozen=True):
    """What is left of one budget, in public-cost units, and when it begins anew."""

    budget: Annotated[
        Named,
        Meta(
            description="Units a day: `units` in all, `outside` games. Units in a game: `game`, of a seat `seat`."
            " Plays in a game: `plays`, of these with a word that will not do `invalid`, of a seat `seat-invalid`."
            " A day: `core` words, `games`; of an operator `operator`, units of all players, and `players`, new ones."
            " The limits of units fall to a quarter while a sign of mining is seen."
        ),
    ]
    limit: int
    left: int
    resets: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Quota(Struct, frozen=True):
    """What the caller has left."""

    budgets: list[Budget]


class State(Struct, frozen=True):
    """That the service is up, or ready to answer."""

    status: Literal["up", "ready"]


class Entrance(Struct, frozen=True):
    """What this is, and where it is explained."""

    service: str
    edition: str
    reference: str
    openapi: str


# Both have the same length, so that the length of what is sent tells nothing.
_VERDICTS: Final = {
    True: Reply(200, (_JSON, PRIVATE), b'{"valid":true }'),
    False: Reply(200, (_JSON, PRIVATE), b'{"valid":false}'),
}


def verdict(valid: bool) -> Reply:
    return _VERDICTS[valid]


def scored(ruling: Legal) -> Scored:
    """The score of a play with its receipt."""
    explained = build_receipt(ruling)
    lines = [_word_line(line) for line in explained.words]
    bonus = BonusLine(*explained.bonus[:4])
    return Scored(ruling.score, ruling.words, ReceiptOfPlay(lines, bonus, explained.score))


def _word_line(line: receipts.WordScore) -> WordLine:
    letters = [
        LetterLine(letter, square_name(row, column), new, face, value, premium, points)
        for letter, row, column, new, face, value, premium, points in line.letters
    ]
    return WordLine(line.word, letters, list(line.premiums), line.factor, line.score)


def judged_play(valid: bool, score_of_play: Scored) -> Reply:
    """As for words: nothing but the verdict differs between yes and no."""
    return Reply(200, (_JSON, PRIVATE), _VERDICTS[valid].body[:-1] + b"," + msgspec.json.encode(score_of_play)[1:])


def public(shape: Struct) -> Reply:
    """An answer that everybody may have and keep for a day."""
    return Reply(200, (_JSON, _PUBLIC), msgspec.json.encode(shape))


def private(shape: Struct) -> Reply:
    """An answer for this caller at this moment."""
    return Reply(200, (_JSON, PRIVATE), msgspec.json.encode(shape))


def quota(allowances: Iterable[Allowance]) -> Reply:
    return private(Quota([Budget(a.budget, a.limit, a.left, format_utc(a.ends)) for a in allowances]))


def created(shape: Struct) -> Reply:
    """An answer that tells of something new, to this caller alone."""
    return Reply(201, (_JSON, PRIVATE), msgspec.json.encode(shape))


def text(body: bytes) -> Reply:
    """An answer in plain text, for this caller."""
    return Reply(200, (_TEXT, PRIVATE), body)


def format_utc(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
