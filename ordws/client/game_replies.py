"""The replies about sealed games, typed; unknown fields and values of later versions do no harm."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from ordws.client.replies import Receipt


class SeatGiven(Struct, frozen=True):
    """A seat with the token that allows to see and play it, and its invitation; its repr leaves both out."""

    player: str | None
    token: str
    invitation: str | None = None

    def __repr__(self) -> str:
        return f"SeatGiven(player={self.player!r})"


class OpenedGame(Struct, frozen=True):
    """A sealed game that was opened, with the tokens of its seats."""

    game: str
    rules: str
    edition: str
    expires: datetime
    turn: int
    seats: list[SeatGiven]


class SeatStanding(Struct, frozen=True):
    """A player as one seat sees them: a hidden rack is None, and `left` says how they left the game."""

    player: str | None
    score: int
    tiles: int
    rack: str | None
    seconds: int
    left: str | None
    turns: int
    points_per_turn: float | None
    seconds_per_turn: float | None
    milliseconds: int = 0
    taken: bool | None = None
    """Whether somebody has the seat; with `sworn` and `attested` None in games without promises."""
    sworn: bool | None = None
    attested: bool | None = None


class BoardWords(Struct, frozen=True):
    """The number of words on a board, and their mean length in letters."""

    words: int
    mean_length: float


class Happened(Struct, frozen=True):
    """A turn: the move, its words, the score that it would have, and its outcome.

    `outcome` is stands, rejected, unacceptable, laid, exchanged, passed, upheld, failed, found, not-found, resigned,
    time-up, or a value of a later version. Of an exchange the other seats see the number of tiles.
    """

    turn: int
    seat: int
    move: str
    swaps: list[str]
    outcome: str
    words: list[str]
    score: int
    receipt: Receipt | None


class GameClock(Struct, frozen=True):
    """The clock of a game: none, overtime, total or turn, and its time in ms; `running_ms` of it the mover has used."""

    kind: str
    milliseconds: int
    overtime_minutes: int
    overtime_points: int
    running_ms: int = 0


class CheckableWord(Struct, frozen=True):
    """A word that may be named in Dover's check of the OSPD, and the points that it costs if not found."""

    word: str
    price: int


class PromiseWording(Struct, frozen=True):
    """The wording of a promise, and its version."""

    version: int
    text: str


class Promises(Struct, frozen=True):
    """The promises of a game on line: the oath before it, the attestation after it."""

    oath: PromiseWording
    attestation: PromiseWording


class Rematch(Struct, frozen=True):
    """The next game of the same players, and this seat's invitation to it; its repr leaves the invitation out."""

    game: str
    invitation: str

    def __repr__(self) -> str:
        return f"Rematch(game={self.game!r})"


class EventPlace(Struct, frozen=True):
    """The place of a game in an event, and whether it was called off because it did not begin in time."""

    event: str
    round: int
    table: int
    game: int
    called_off: bool


class StreamTicketGiven(Struct, frozen=True):
    """The right to open the stream of a seat, once, within a minute; its repr leaves the ticket out."""

    ticket: str
    expires: datetime
    events: str

    def __repr__(self) -> str:
        return f"StreamTicketGiven(expires={self.expires!r})"


class ViewedProposal(Struct, frozen=True):
    """A proposal of the unplayed tiles round; no words where there was none."""

    seat: int
    words: list[str]
    acceptable: bool
    points: int
    receipt: Receipt | None = None


class UnplayedRound(Struct, frozen=True):
    """The unplayed tiles round: the seats that may still propose, the time in ms, and then all proposals at once."""

    seats: list[int]
    milliseconds: int
    running_ms: int
    proposals: list[ViewedProposal]


class Standing(Struct, frozen=True):
    """The state of a sealed game, as one seat may see it; seats are numbered from 0.

    `phase` is waiting (for seats and oaths), to-move, may-replay, may-check, may-be-challenged, may-propose or over;
    `mover` is the seat that is to act.
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
    board: BoardWords
    bag: int
    unseen: dict[str, int]
    last: Happened | None
    ending: str | None
    winners: list[int]
    row: int = 0
    """The rows of the game so far, as the stream counts them."""
    moment_ms: int = 0
    """The server's time of this standing, in ms since 1970."""
    acts: list[str] = []
    """What this seat may do now: play, exchange, pass, swap, challenge, check-ospd, propose, resign."""
    check_price: int | None = None
    check_words: list[CheckableWord] = []
    clock: GameClock | None = None
    credit_ms: int = 0
    """The time of this seat that was the network's, and was not counted."""
    unplayed_round: UnplayedRound | None = None
    promises: Promises | None = None
    rematch: Rematch | None = None
    event_table: EventPlace | None = None

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def is_mine(self) -> bool:
        """True while this seat is to act, or may propose a play after the end."""
        return self.mover == self.you or "propose" in self.acts


class Turn(Struct, frozen=True):
    """The outcome of a move, and the state of the game after it."""

    happened: Happened
    standing: Standing


class TurnEntry(Struct, frozen=True):
    """A turn as one seat may see it, and the scores of all seats after it."""

    happened: Happened
    scores: list[int]


class Turns(Struct, frozen=True):
    """All turns of a game so far."""

    turns: list[TurnEntry]
