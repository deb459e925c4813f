"""The replies of the service, typed; unknown fields and values of later versions do no harm.

Replies with a verdict are true if it is yes, so that `if client.judge("QUIZ")` works.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Verdict(Struct, frozen=True):
    """The one verdict on all the words of a question."""

    valid: bool

    def __bool__(self) -> bool:
        return self.valid


class Found(Struct, frozen=True):
    """The result of a look-up in the players' reference, with what a no deducts if a rule set was sent."""

    found: bool
    deduct: int | None = None

    def __bool__(self) -> bool:
        return self.found


class LetterLine(Struct, frozen=True):
    """A letter of a new word: its face value, the value that the small word cap leaves, its premium and points.

    A lower-case letter is a blank.
    """

    letter: str
    square: str
    new: bool
    face: int
    value: int
    premium: int
    points: int


class WordLine(Struct, frozen=True):
    """A new word: its letters, the word premiums that it newly covers, their combined factor, and its score."""

    word: str
    letters: list[LetterLine]
    premiums: list[int]
    factor: int
    score: int


class BonusLine(Struct, frozen=True):
    """The one bonus of a play: its reason and number of tiles, and for a stretch also the run that was stretched."""

    points: int
    reason: str
    tiles: int
    stretched: str


class Receipt(Struct, frozen=True):
    """The explanation of every point of a play; the score is the sum of the lines and the bonus."""

    lines: list[WordLine]
    bonus: BonusLine
    score: int


class Scored(Struct, frozen=True):
    """The score of a play and the words that it forms, the main word first; nothing was looked up."""

    score: int
    words: list[str]
    receipt: Receipt


class JudgedPlay(Struct, frozen=True):
    """The one verdict on all words of a play, and its score if it is acceptable."""

    valid: bool
    score: int
    words: list[str]
    receipt: Receipt

    def __bool__(self) -> bool:
        return self.valid


class HomeRuling(Struct, frozen=True, kw_only=True):
    """The ruling on a word at home; `acceptable` is None if the words in `ask` have to be looked up first."""

    word: str
    acceptable: bool | None
    because: str
    base: str | None = None
    steps: list[str] = []
    affix: str = ""
    rule: str | None = None
    source: str = ""
    follows: str | None = None
    ask: list[str] = []
    about: str | None = None
    reference: str = ""

    def __bool__(self) -> bool:
        return self.acceptable is True


class Budget(Struct, frozen=True):
    """The rest of one budget, and the time at which it begins anew."""

    budget: str
    limit: int
    left: int
    resets: datetime


class Quota(Struct, frozen=True):
    """All budgets of a caller."""

    budgets: list[Budget]


class WordList(Struct, frozen=True):
    """A published word list of a rule set."""

    rules: str
    words: list[str]


class RuleSetEntry(Struct, frozen=True):
    """A rule set in the list of all rule sets."""

    id: str
    title: str


class RuleSets(Struct, frozen=True):
    """The list of all rule sets."""

    rules: list[RuleSetEntry]


class OptionEntry(Struct, frozen=True):
    """An option: its name, its value, its possible values, and its purpose."""

    name: str
    value: str
    values: str
    says: str


class RuleSet(Struct, frozen=True):
    """A rule set with all its options."""

    id: str
    title: str
    options: list[OptionEntry]


class About(Struct, frozen=True):
    """The service, its edition, and the addresses of its reference."""

    service: str
    edition: str
    reference: str
    openapi: str


class State(Struct, frozen=True):
    """The state of the service."""

    status: str


class PairingCode(Struct, frozen=True):
    """A code that pairs one device, once; its repr leaves the code out."""

    code: str
    table: str
    expires: datetime
    link: str | None = None
    """The page that pairs by this code, where the address of the service was given."""
    qr: str | None = None
    """A QR code of that link, as the `data:` address of an SVG picture."""

    def __repr__(self) -> str:
        return f"PairingCode(table={self.table!r}, expires={self.expires!r})"


class Device(Struct, frozen=True):
    """A paired device: its table, when it was paired, and whether its questions are logged."""

    id: int
    table: str
    paired: datetime
    log: bool
    director: bool = False
    """Whether it is the director's own, which looks over finished boards."""
    seen: datetime | None = None
    """Its last request, to within five minutes."""


class Devices(Struct, frozen=True):
    """All paired devices of a client, with its kind, and how many it may have."""

    kind: str
    most: int
    devices: list[Device]


class LogEntry(Struct, frozen=True):
    """A question that was judged at a table: the number of its words, and a keyed hash of each."""

    at: datetime
    table: str
    words: int
    hashes: list[str]


class LogPage(Struct, frozen=True):
    """A page of logged questions, the newest first; `before` asks for the next page, and is None on the last."""

    entries: list[LogEntry]
    before: str | None
