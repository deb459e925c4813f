"""What happens in a game. Chance, time and verdicts are facts here, so that a game replays without asking for them.

Players are numbered from 0 in the order of play. Tiles are written as on a rack: capitals, `?` for a blank. These are
dataclasses since two tuples of equal fields are equal, and a pass is no resignation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ordws.rules.move import Play


class ScoreEntryKind(Enum):
    """What points are for that no turn earned."""

    CHALLENGE = "challenge"
    OVERTIME = "overtime"
    UNPLAYED_TILES = "unplayed-tiles"
    UNPLAYED_TILES_ROUND = "unplayed-tiles-round"
    DIRECTOR = "director"


@dataclass(frozen=True)
class Drew:
    """A player took as many tiles from the bag as his rack lacked."""

    player: int
    tiles: str


@dataclass(frozen=True)
class Overdrew:
    """A player took too many; what was seen of them, and what was put back into the bag. (RULES 9.1, 9.2)"""

    player: int
    tiles: str
    seen: str
    returned: str
    mixed: bool = False
    """The tiles drawn could no longer be told from those on the rack."""


@dataclass(frozen=True)
class Swapped:
    """A player took a blank off the board for the letter it stood for. (RULES 5)"""

    player: int
    row: int
    column: int


@dataclass(frozen=True)
class Played:
    """A player put a play down. `accepted` is the verdict on its words, where the rule set asks for one at once."""

    player: int
    play: Play
    accepted: bool = True


@dataclass(frozen=True)
class Exchanged:
    """A player gave tiles back; what he gets for them is drawn first. (RULES 7.1)"""

    player: int
    tiles: str


@dataclass(frozen=True)
class Passed:
    """A player did nothing with his turn."""

    player: int


@dataclass(frozen=True)
class Challenged:
    """A player doubted some new words of the play just made, or all where none is named. (RULES 6.2)

    `upheld`: one of the words in doubt is not acceptable, so that the play comes off.
    """

    player: int
    words: tuple[str, ...]
    upheld: bool


@dataclass(frozen=True)
class Stood:
    """Nobody challenges, as drawing and the next move say too; or whose play was rejected does not check."""


@dataclass(frozen=True)
class Checked:
    """A player had his rejected play looked up: all of it, or in Dover's form the word he names. (RULES 6.4, 6.5)"""

    player: int
    found: bool
    word: str = ""


@dataclass(frozen=True)
class Caught:
    """The play of an earlier turn, counted from 0, was found to be bad. (RULES 9.3)"""

    turn: int


@dataclass(frozen=True)
class Clocked:
    """A player used so much time."""

    player: int
    seconds: int


@dataclass(frozen=True)
class TimeUp:
    """A player has no time left: for his turn, or for all of his game. (RULES 8)"""

    player: int


@dataclass(frozen=True)
class Adjusted:
    """A director changed a score."""

    player: int
    points: int
    kind: ScoreEntryKind
    reason: str


@dataclass(frozen=True)
class Resigned:
    """A player gave the game up."""

    player: int


Event: TypeAlias = (
    Drew
    | Overdrew
    | Swapped
    | Played
    | Exchanged
    | Passed
    | Challenged
    | Stood
    | Checked
    | Caught
    | Clocked
    | TimeUp
    | Adjusted
    | Resigned
)
