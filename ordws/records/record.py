"""The lines of a game record, and the notes that say what GCG has no form for (docs/interfaces.md 4.1, 4.3).

These notes begin with `ordws`. For the browser, ordws/web/pages/static/gcg-export.js writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from ordws.records.notation import SwapSquares, find_start
from ordws.rules.board import square_name
from ordws.rules.options import BadOption, changed_options, with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet

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


_EXTENSION_PATTERN: Final = re.compile(r"ordws\s+(\S+)\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SwapsBefore:
    """Blanks that were swapped before this line; the rack of a move is written as it was after the swaps."""

    squares: SwapSquares


@dataclass(frozen=True, slots=True)
class CheckedOspd:
    """The result of a check of the OSPD for the play just withdrawn, and the word that was named, if any."""

    found: bool
    word: str = ""


@dataclass(frozen=True, slots=True)
class OspdDeduction:
    """The statement that the points of a line are the cost of a failed check of the OSPD."""


@dataclass(frozen=True, slots=True)
class DirectorAdjustment:
    """The statement that a director gave the points of a line, with their kind and the reason."""

    kind: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CaughtPlay:
    """A bad play that was caught late: the number of its line in the record, or its text."""

    play: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """The departure of a player, who has no further turns, and its reason."""

    nick: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The end of the game, and its reason."""

    reason: str


GcgExtension: TypeAlias = (
    SwapsBefore | CheckedOspd | OspdDeduction | DirectorAdjustment | CaughtPlay | PlayerLeft | GameEnded
)


def read_extension(note: str) -> GcgExtension | str | None:
    """Return the extension that a note says; None if it is no such note, a sentence if it cannot be understood."""
    found = _EXTENSION_PATTERN.fullmatch(note)
    if found is None:
        return None
    name, rest = found[1], found[2].strip()
    match name, rest.split():
        case "swap", [_, *_] as texts:
            starts = [find_start(text.removeprefix("=")) for text in texts]
            squares = tuple([start[:2] for start in starts if start is not None])
            return SwapsBefore(squares) if len(squares) == len(texts) else f'"{" ".join(texts)}" are no squares'
        case "check-ospd", ["found" | "not-found" as result, *word]:
            return CheckedOspd(result == "found", " ".join(word).upper())
        case "deducted", ["check-ospd"]:
            return OspdDeduction()
        case "adjusted", [_, *_]:
            kind, _, reason = rest.partition(":")
            return DirectorAdjustment(kind.strip(), reason.strip())
        case "caught", [_, *_]:
            return CaughtPlay(rest)
        case "left", [nick, *reason]:
            return PlayerLeft(nick, " ".join(reason))
        case "ended", _:
            return GameEnded(rest)
        case _:
            return f'the note "{note}" begins as one of ours and is none'


def events_with_extensions(items: Iterable[RecordItem]) -> Iterator[tuple[GcgEvent | None, list[GcgExtension]]]:
    """Yield each event with what the notes behind it say; first, without an event, what stands before all events."""
    event: GcgEvent | None = None
    extensions: list[GcgExtension] = []
    for item in items:
        if isinstance(item, GcgEvent):
            yield event, extensions
            event, extensions = item, []
        elif isinstance(item, Note):
            extension = read_extension(item.text)
            if extension is not None and not isinstance(extension, str):
                extensions.append(extension)
    yield event, extensions


def write_extension(extension: GcgExtension) -> str:
    """Return the text of the note that says an extension."""
    match extension:
        case SwapsBefore(squares):
            return "ordws swap " + " ".join(["=" + square_name(*square) for square in squares])
        case CheckedOspd(found, word):
            return f"ordws check-ospd {'found' if found else 'not-found'} {word}".rstrip()
        case OspdDeduction():
            return "ordws deducted check-ospd"
        case DirectorAdjustment(kind, reason):
            return f"ordws adjusted {kind}: {reason}".rstrip()
        case CaughtPlay(play):
            return f"ordws caught {play}"
        case PlayerLeft(nick, reason):
            return f"ordws left {nick} {reason}".rstrip()
        case GameEnded(reason):
            return f"ordws ended {reason}".rstrip()


def read_rules_description(description: str) -> RuleSet | str | None:
    """Return the rule set that a description names; None if it names none, a sentence if it cannot be followed."""
    found = _EXTENSION_PATTERN.fullmatch(description)
    if found is None or not found[1].startswith("rules="):
        return None
    first, *options = description.split()[1:]
    name = first.removeprefix("rules=")
    if name not in RULE_SETS:
        return f'"{name}" is none of {", ".join(RULE_SETS)}'
    try:
        return with_options(RULE_SETS[name], dict([option.partition("=")[::2] for option in options]))
    except BadOption as err:
        return str(err)


def write_rules_description(rules: RuleSet) -> str:
    """Return the text of a description that names the rule set and the options that are changed in it."""
    return " ".join(
        ["ordws", f"rules={rules.id}", *(f"{name}={value}" for name, value in changed_options(rules).items())]
    )
