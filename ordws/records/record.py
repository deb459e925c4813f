"""The lines of a game record, as they were written (docs/interfaces.md 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

PLAYER_PRAGMAS: Final = ("player1", "player2", "player3", "player4")


@dataclass(frozen=True, slots=True)
class TilePlacement:
    """A play: `8D` and `WORD`, where a lower case letter is a blank and `.` a tile already on the board."""

    start: str
    word: str


@dataclass(frozen=True, slots=True)
class TileExchange:
    """An exchange: the tiles given back, or their number in digits if only that is known."""

    tiles: str


@dataclass(frozen=True, slots=True)
class PassedTurn:
    """A pass; a turn lost to a failed challenge is written in the same way (docs/interfaces.md 4.4)."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The withdrawal of the play just made: it comes off the board and loses its points."""


@dataclass(frozen=True, slots=True)
class ChallengeBonus:
    """The points for a play that was challenged and stood."""


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """The points lost for overtime."""


@dataclass(frozen=True, slots=True)
class UnplayedTilesScore:
    """The points for tiles left on racks, gained by going out or lost for one's own rack."""

    tiles: str


@dataclass(frozen=True, slots=True)
class UnknownMove:
    """A text that stands where a move was expected and is none."""

    text: str


GcgMove: TypeAlias = (
    TilePlacement
    | TileExchange
    | PassedTurn
    | Withdrawal
    | ChallengeBonus
    | TimePenalty
    | UnplayedTilesScore
    | UnknownMove
)


@dataclass(frozen=True, slots=True)
class GcgEvent:
    """A line that begins with `>`: a move of one player, or a change of their score.

    A part that is not written is empty or None.
    """

    line: int
    nick: str
    rack: str
    move: GcgMove
    points: int | None
    total: int | None
    extra: str = ""
    """The text behind the total, such as the cross-words."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on the event before it; it may have several lines."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Pragma:
    """A line that begins with `#` and a name and is no note; the name is kept in lower case."""

    line: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class UnparsedLine:
    """A line that is neither an event nor a note nor a pragma, and the reason why not."""

    line: int
    text: str
    reason: str


RecordItem: TypeAlias = GcgEvent | Note | Pragma | UnparsedLine


class Player(NamedTuple):
    """A player who is named in a `#player` line."""

    line: int
    number: int
    nick: str
    name: str


@dataclass(frozen=True)
class Record:
    """The lines of a record in their order, and how its text was encoded."""

    items: tuple[RecordItem, ...]
    encoding: str = "UTF-8"
    faults: tuple[str, ...] = ()
    """Sentences on what was wrong about the encoding."""

    @property
    def players(self) -> list[Player]:
        """The players who are declared, in the order of their numbers; a number may be declared twice."""
        players = []
        for item in self.items:
            if isinstance(item, Pragma) and item.name in PLAYER_PRAGMAS:
                nick, _, name = item.text.partition(" ")
                players.append(Player(item.line, int(item.name[-1]), nick, name.strip()))
        return sorted(players, key=lambda player: player.number)

    @property
    def events(self) -> list[GcgEvent]:
        """The events alone, without notes and pragmata."""
        return [item for item in self.items if isinstance(item, GcgEvent)]

    def find_pragma(self, name: str) -> Pragma | None:
        """Return the first pragma of this name, None if there is none."""
        return next((item for item in self.items if isinstance(item, Pragma) and item.name == name), None)
