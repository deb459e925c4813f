"""The events of a game, from which it can be replayed: draws, times and verdicts are facts in them.

Players are numbered from 0 in the order of play. Tiles are written as on a rack: capitals, `?` for a blank. Events are
dataclasses because NamedTuples of equal fields compare equal, and a pass is not a resignation. For the browser,
ordws/web/pages/static/game.js has the events of a kept game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ordws.rules.move import Play


class ScoreEntryKind(Enum):
    """The reason for points that no turn earned."""

    CHALLENGE = "challenge"
    OVERTIME = "overtime"
    UNPLAYED_TILES = "unplayed-tiles"
    UNPLAYED_TILES_ROUND = "unplayed-tiles-round"
    DIRECTOR = "director"


@dataclass(frozen=True)
class Drew:
    """A player drew as many tiles as the rack lacked."""

    player: int
    tiles: str


@dataclass(frozen=True)
class Overdrew:
    """A player drew too many tiles: `seen` by the opponents, and `returned` to the bag (docs/rules.md 9.1, 9.2)."""

    player: int
    tiles: str
    seen: str
    returned: str
    mixed: bool = False
    """The tiles drawn cannot be told from those that were on the rack."""


@dataclass(frozen=True)
class Swapped:
    """A player took a blank off the board for the letter it stood for (docs/rules.md 5)."""

    player: int
    row: int
    column: int


@dataclass(frozen=True)
class Played:
    """A player made a play; `accepted` is the verdict on its words under rule sets that need it at once."""

    player: int
    play: Play
    accepted: bool = True


@dataclass(frozen=True)
class Exchanged:
    """A player set tiles aside for an exchange; they join the bag after the draw (docs/rules.md 7.1)."""

    player: int
    tiles: str


@dataclass(frozen=True)
class Passed:
    """A player passed."""

    player: int


@dataclass(frozen=True)
class Challenged:
    """A player challenged some new words of the play just made, or all of them if none is named (docs/rules.md 6.2).

    `upheld` means that one of these words is not acceptable, so that the play comes off.
    """

    player: int
    words: tuple[str, ...]
    upheld: bool


@dataclass(frozen=True)
class Stood:
    """Nobody challenges the play in question, or the player of a rejected play does not check the OSPD.

    A draw and the next player's move settle a play that could be challenged as well.
    """


@dataclass(frozen=True)
class Checked:
    """A player checked the OSPD for a rejected play, or in Dover's form for one word of it (docs/rules.md 6.4, 6.5)."""

    player: int
    found: bool
    word: str = ""


@dataclass(frozen=True)
class Caught:
    """The play of an earlier turn, counted from 0, was found to be bad (docs/rules.md 9.3)."""

    turn: int


@dataclass(frozen=True)
class Clocked:
    """A player used this much more time."""

    player: int
    milliseconds: int


@dataclass(frozen=True)
class TimeUp:
    """A player has no time left for the turn, or for the game (docs/rules.md 8)."""

    player: int


@dataclass(frozen=True)
class Adjusted:
    """A director changed a score."""

    player: int
    points: int
    kind: ScoreEntryKind
    reason: str


@dataclass(frozen=True)
class RoundOpened:
    """The unplayed tiles round begins, in a game that is over (docs/rules.md 9.5)."""


@dataclass(frozen=True)
class Proposed:
    """A player proposed a play with the tiles that the opponent could not play; None: no play, or too late.

    `accepted` is the verdict on its words.
    """

    player: int
    play: Play | None
    accepted: bool = False


@dataclass(frozen=True)
class Resigned:
    """A player resigned."""

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
    | RoundOpened
    | Proposed
    | Resigned
)
