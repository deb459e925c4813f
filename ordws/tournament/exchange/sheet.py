"""An event as the exchange formats hold it: players, games and byes, without who did what and when.

Every format has a writer, which takes a sheet, and a reader, which returns one or raises `BadSheet`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from ordws.errors import BadInput, BadSheet
from ordws.tournament.facts import ForfeitedBy, OneSide
from ordws.tournament.state import MOST_GAMES

MAX_PLAYERS: Final = 9_999
"""The most players of the formats whose numbers have four digits."""

MOST_GAMES_A_ROUND: Final = 2
LONGEST_LINE: Final = 16_384
"""The characters of a line: a player of 320 games needs 10,000, and what reads a line may take longer than it is."""

WORDS: Final = re.compile(r"[^ \t]+")
"""The words of a line: found one after another, so that no line of spaces or digits takes more time than another."""

_NO_BREAK_SPACE: Final = "\u00a0"


class SheetPlayer(NamedTuple):
    """A player; the number is the place in the sheet, from 1."""

    name: str
    club: str = ""
    is_minor: bool = False
    is_withdrawn: bool = False
    member: str = ""


class SheetSide(NamedTuple):
    """The final score of one player of a game, and the turn points and turns where the format holds them."""

    score: int
    points: int | None = None
    turns: int | None = None


class SheetGame(NamedTuple):
    """A game of a pairing; `first` and `second` are numbers of players, and `first` is the one who begins this game.

    Without sides and without a forfeit it has not been played. `resigned` is the side that gave the game up, which has
    lost whatever the scores are; `time_up` the side whose time was used up.
    """

    round: int
    table: int
    game: int
    first: int
    second: int
    sides: tuple[SheetSide, SheetSide] | None = None
    forfeit: ForfeitedBy | None = None
    resigned: OneSide | None = None
    time_up: OneSide | None = None

    def half_points(self) -> tuple[int, int]:
        """Return what each side has won, in half games: 2 for a win, 1 for a tie."""
        if self.forfeit is not None:
            return {"first": (0, 2), "second": (2, 0), "both": (0, 0)}[self.forfeit]
        if self.sides is None:
            return 0, 0
        if self.resigned is not None:
            return (0, 2) if self.resigned == "first" else (2, 0)
        first, second = self.sides[0].score, self.sides[1].score
        return (1, 1) if first == second else (2, 0) if first > second else (0, 2)


class Bye(NamedTuple):
    """A player without an opponent in a round."""

    round: int
    player: int


class Sheet(NamedTuple):
    """An event: `date` is of its first day, as in 2026-11-21, or empty.

    `ranks` are those of the players, and `lines` the numbers of the lines on which a file names them, in their order.
    """

    name: str
    players: tuple[SheetPlayer, ...]
    games: tuple[SheetGame, ...] = ()
    byes: tuple[Bye, ...] = ()
    date: str = ""
    rounds: int = 0
    games_a_round: int = 1
    ranks: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()


class SheetCell(NamedTuple):
    """A player's cell of a wall chart: a game, seen from one side, or a bye, or nothing."""

    game: SheetGame | None = None
    side: Literal[0, 1] = 0
    is_bye: bool = False

    @property
    def opponent(self) -> int:
        """The number of the opponent, 0 without one."""
        return 0 if self.game is None else (self.game.second, self.game.first)[self.side]

    @property
    def result(self) -> SheetSide | None:
        """The player's own score, turn points and turns, None for a game that was not played."""
        return None if self.game is None or self.game.sides is None else self.game.sides[self.side]

    @property
    def half_points(self) -> int:
        """The half games that the player has won."""
        return 0 if self.game is None else self.game.half_points()[self.side]

    @property
    def has_forfeited(self) -> bool:
        """True where the player did not play a game that was paired."""
        return self.game is not None and self.game.forfeit in (("first", "second")[self.side], "both")


def outcome_of(game: SheetGame) -> str:
    """Return what is special about a game: `forfeit first`, `resigned second`, `unplayed`, or nothing."""
    if game.forfeit is not None:
        return f"forfeit {game.forfeit}"
    if game.sides is None:
        return "unplayed"
    return f"resigned {game.resigned}" if game.resigned else ""


def with_outcome(game: SheetGame, sides: tuple[SheetSide, SheetSide] | None, outcome: str) -> SheetGame | str:
    """Return the game with its result, or what is wrong with it; `outcome` is as `outcome_of` returns it."""
    kind, _, side = outcome.partition(" ")
    match kind, side:
        case "unplayed", "":
            return game
        case "forfeit", ("first" | "second" | "both"):
            return game._replace(forfeit=side)
        case "resigned", ("first" | "second") if sides is not None:
            return game._replace(sides=sides, resigned=side)
        case "", "" if sides is not None:
            return game._replace(sides=sides)
        case ("resigned", ("first" | "second")) | ("", ""):
            return "expected the scores of both players"
    return f'the outcome "{outcome}" is not known'


def wall_chart(sheet: Sheet) -> list[list[SheetCell]]:
    """Return a line for each player with a cell for each game of each round, in order."""
    last = max([*[game.round for game in sheet.games], *[bye.round for bye in sheet.byes], 0])
    per_round = sheet.games_a_round
    chart = [[SheetCell()] * (last * per_round) for _ in sheet.players]
    for game in sheet.games:
        column = (game.round - 1) * per_round + game.game - 1
        chart[game.first - 1][column] = SheetCell(game, 0)
        chart[game.second - 1][column] = SheetCell(game, 1)
    for bye in sheet.byes:
        for column in range((bye.round - 1) * per_round, bye.round * per_round):
            chart[bye.player - 1][column] = SheetCell(is_bye=True)
    return chart


def check_names(file: str, lines: Mapping[int, str]) -> None:
    """Raise BadSheet where two lines name the same player; `lines` are names by the number of their line."""
    counts = Counter(lines.values())
    for line, name in lines.items():
        if not name:
            raise BadSheet(file, line, "a player without a name")
        if counts[name] > 1:
            first = next(each for each, other in lines.items() if other == name)
            if line != first:
                raise BadSheet(file, line, f'"{name}" stands in line {first} already')


def check_games(file: str, sheet: Sheet, line_of_game: Callable[[int], int], line_of_bye: Callable[[int], int]) -> None:
    """Raise BadSheet for a game or bye that cannot be: of no round, of no such player, or of one who plays already.

    The lines of games and byes are asked for by their places in the sheet.
    """
    taken: set[tuple[int, int, int]] = set()
    places = [
        *[(line_of_game, at, each.round, each.game, (each.first, each.second)) for at, each in enumerate(sheet.games)],
        *[
            (line_of_bye, at, each.round, number, (each.player,))
            for at, each in enumerate(sheet.byes)
            for number in range(1, sheet.games_a_round + 1)
        ],
    ]
    for line_of, at, round_number, game, players in places:
        if not 1 <= round_number <= MOST_GAMES:
            raise BadSheet(file, line_of(at), f"expected a round from 1 to {MOST_GAMES}, found {round_number}")
        if not 1 <= game <= sheet.games_a_round <= MOST_GAMES_A_ROUND:
            raise BadSheet(file, line_of(at), f"game {game} of {sheet.games_a_round} a round: expected 1 or 2")
        for player in players:
            if not 1 <= player <= len(sheet.players):
                raise BadSheet(file, line_of(at), f"{player} is not among the {len(sheet.players)} players")
            if (round_number, game, player) in taken:
                name = sheet.players[player - 1].name
                raise BadSheet(file, line_of(at), f'"{name}" is there already in round {round_number}')
            taken.add((round_number, game, player))


def check_width(sheet: Sheet, format_name: str) -> None:
    """Raise BadInput if the sheet has more players than the format has numbers for."""
    if len(sheet.players) > MAX_PLAYERS:
        raise BadInput(
            f"{format_name} numbers at most {MAX_PLAYERS:,} players, the event has {len(sheet.players):,}",
            hint="export it as json or csv",
        )


def numbered_lines(file: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that are not empty, each with its number from 1, without the mark of byte order.

    Raises BadSheet for one that is too long.
    """
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if len(line) > LONGEST_LINE:
            raise BadSheet(file, number, f"the line has {len(line):,} characters, and {LONGEST_LINE:,} are the most")
        if line.strip(" \t"):
            yield number, line


def shield_name(name: str, *, banned: str = "") -> str:
    """Return a name whose spaces before digits do not break, so that no reader takes its digits for a column.

    `banned` characters, which the format uses itself, become commas.
    """
    shielded = "".join(["," if character in banned else character for character in name])
    words = shielded.split(" ")
    is_number = [word[:1].isdigit() or word[:1] in ("+", "-") for word in words]
    return words[0] + "".join(
        [(_NO_BREAK_SPACE if sign else " ") + word for word, sign in zip(words[1:], is_number[1:], strict=True)]
    )


def unshield_name(name: str) -> str:
    """Return the name that `shield_name` was given, but for characters that it replaced."""
    return name.replace(_NO_BREAK_SPACE, " ").strip()
