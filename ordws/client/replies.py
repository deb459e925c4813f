"""What the service answers, typed. Fields and values of later versions do no harm: what is not known is left out.

Answers with a verdict are true where it is yes, so that `if client.judge("QUIZ")` means what it says.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Verdict(Struct, frozen=True):
    """Whether all the words asked together are acceptable."""

    valid: bool

    def __bool__(self) -> bool:
        return self.valid


class Found(Struct, frozen=True):
    """Whether all the words stand in the players' reference, and what a no costs, where a rule set was sent."""

    found: bool
    deduct: int | None = None

    def __bool__(self) -> bool:
        return self.found


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
    """The one bonus of a play, why and for how many tiles; of a stretch also the run that was stretched."""

    points: int
    reason: str
    tiles: int
    stretched: str


class Receipt(Struct, frozen=True):
    """Every point of a play: the score is the sum of the lines and the bonus."""

    lines: list[WordLine]
    bonus: BonusLine
    score: int


class Scored(Struct, frozen=True):
    """What a play scores and the words it forms, the main word first; nothing was looked up."""

    score: int
    words: list[str]
    receipt: Receipt


class JudgedPlay(Struct, frozen=True):
    """The one verdict on all words of a play, and what it scores if it is good."""

    valid: bool
    score: int
    words: list[str]
    receipt: Receipt

    def __bool__(self) -> bool:
        return self.valid


class HomeRuling(Struct, frozen=True, kw_only=True):
    """Whether a word may be played at home, and why; `acceptable` is None where `ask` is to be looked up first."""

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

    def __bool__(self) -> bool:
        return self.acceptable is True


class Budget(Struct, frozen=True):
    """What is left of one budget, and when it begins anew."""

    budget: str
    limit: int
    left: int
    resets: datetime


class Quota(Struct, frozen=True):
    budgets: list[Budget]


class WordList(Struct, frozen=True):
    rules: str
    words: list[str]


class RuleSetEntry(Struct, frozen=True):
    """A rule set by its id."""

    id: str
    title: str


class RuleSets(Struct, frozen=True):
    rules: list[RuleSetEntry]


class OptionEntry(Struct, frozen=True):
    """An option: what it is set to, what it may be set to, and what it is for."""

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
    """What the service is, and where it is explained."""

    service: str
    edition: str
    reference: str
    openapi: str


class State(Struct, frozen=True):
    status: str


class SeatGiven(Struct, frozen=True):
    """A seat, and the token by which it is seen and played; printing it leaves the token out."""

    player: str | None
    token: str

    def __repr__(self) -> str:
        return f"SeatGiven(player={self.player!r})"


class OpenedGame(Struct, frozen=True):
    """A sealed game that has begun."""

    game: str
    rules: str
    edition: str
    expires: datetime
    turn: int
    seats: list[SeatGiven]


class SeatStanding(Struct, frozen=True):
    """A player as one seat sees him: the rack is None where it is hidden, `left` says how he is out of the game."""

    player: str | None
    score: int
    tiles: int
    rack: str | None
    seconds: int
    left: str | None


class Happened(Struct, frozen=True):
    """A turn: the move, its words and would-be score, and what became of it.

    `outcome` is stands, rejected, unacceptable, laid, exchanged, passed, upheld, failed, found, not-found, resigned,
    time-up, or one of a later version. Of an exchange others see the number of tiles.
    """

    turn: int
    seat: int
    move: str
    swaps: list[str]
    outcome: str
    words: list[str]
    score: int
    receipt: Receipt | None


class Standing(Struct, frozen=True):
    """Where a sealed game stands, as one seat may see it. Seats are numbered from 0.

    `phase` is to-move, may-replay, may-check, may-be-challenged or over; `mover` is who is to act.
    """

    game: str
    rules: str
    options: dict[str, str]
    edition: str
    expires: datetime
    turn: int
    phase: str
    mover: int | None
    you: int
    position: str
    rack: str
    seats: list[SeatStanding]
    bag: int
    unseen: dict[str, int]
    last: Happened | None
    ending: str | None
    winners: list[int]

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def is_mine(self) -> bool:
        """Whether it is this seat that is to act."""
        return self.mover == self.you


class Turn(Struct, frozen=True):
    """What happened by a move, and where the game stands since."""

    happened: Happened
    standing: Standing


class PairingCode(Struct, frozen=True):
    """A code that pairs one device, once; printing it leaves the code out."""

    code: str
    table: str
    expires: datetime

    def __repr__(self) -> str:
        return f"PairingCode(table={self.table!r}, expires={self.expires!r})"


class Device(Struct, frozen=True):
    """A paired device: its table, since when it is paired, and whether a log is kept of what is asked on it."""

    id: int
    table: str
    paired: datetime
    log: bool


class Devices(Struct, frozen=True):
    devices: list[Device]


class LogEntry(Struct, frozen=True):
    """A question that was judged at a table: so many words, each as a keyed hash."""

    at: datetime
    table: str
    words: int
    hashes: list[str]


class LogPage(Struct, frozen=True):
    """Questions that were judged, the last one first; `before` asks for those before them, None where none are."""

    entries: list[LogEntry]
    before: str | None
