"""A game record, line by line, as it was written. (INTERFACES 4)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class TilePlacement:
    """Tiles put on the board: `8D` and `WORD`, a lower case letter a blank, `.` a tile already there."""

    start: str
    word: str


@dataclass(frozen=True, slots=True)
class TileExchange:
    """Tiles given back; or, where only that is known, their number in digits."""

    tiles: str


@dataclass(frozen=True, slots=True)
class PassedTurn:
    """A turn given up, a challenge lost under the double rule included."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The play just made comes off the board, and its points are taken back."""


@dataclass(frozen=True, slots=True)
class ChallengeBonus:
    """Points for a play that was challenged and stood."""


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """Points lost for overtime."""


@dataclass(frozen=True, slots=True)
class UnplayedTilesScore:
    """What tiles left on racks do to a score."""

    tiles: str


@dataclass(frozen=True, slots=True)
class UnknownMove:
    """What stands where a move was expected and is none."""

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
    """What one player did or was given. What is not written is empty or None."""

    line: int
    nick: str
    rack: str
    move: GcgMove
    points: int | None
    total: int | None
    extra: str = ""
    """What stands behind the total, such as the cross-words."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on the event before it; it may run over several lines."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Pragma:
    """A line that begins with `#` and a name, in lower case here, and is no note."""

    line: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class UnparsedLine:
    """A line that is none of these, and what keeps it from being one."""

    line: int
    text: str
    reason: str


RecordItem: TypeAlias = GcgEvent | Note | Pragma | UnparsedLine


class Player(NamedTuple):
    """Who is named in a `#player` line."""

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
    """What was wrong about the encoding."""

    @property
    def players(self) -> list[Player]:
        """In the order of their numbers."""
        return sorted(
            [_parse_player(item) for item in self.items if isinstance(item, Pragma) and item.name in PLAYER_PRAGMAS],
            key=lambda player: player.number,
        )

    @property
    def events(self) -> list[GcgEvent]:
        """What happened, without what was remarked."""
        return [item for item in self.items if isinstance(item, GcgEvent)]

    def find_pragma(self, name: str) -> Pragma | None:
        """The first pragma of this name."""
        return next((item for item in self.items if isinstance(item, Pragma) and item.name == name), None)


PLAYER_PRAGMAS = ("player1", "player2", "player3", "player4")


def _parse_player(pragma: Pragma) -> Player:
    nick, _, name = pragma.text.partition(" ")
    return Player(pragma.line, int(pragma.name[-1]), nick, name.strip())
