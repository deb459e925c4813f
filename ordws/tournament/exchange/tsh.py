"""The division file of tsh, `.t`: a line a player with the opponent and the score of each round.

    Doe, Jane                      1534 3 0; 412 50; p12 1 0; board 2 0

A name, a rating, the numbers of the opponents (the lines of their players; 0 for none) and the scores, then fields
with a name and a value a round: `p12` says who began (1 the player, 2 the opponent, 0 without a game, 3 unknown),
`board` names the table, `off` a player who has left. tsh keeps fields that it does not know, so that turn points and
turns travel in fields of ours: `turnpoints` and `turns`, `byes`, `forfeits` (the opponent of a forfeited game, which
tsh counts as a bye of 50 or -50 points), `resigned`, and `games` for two games a round.

Followed: the manual of tsh (poslarchive.com/tsh/doc), the readers of github.com/houtens/tsh2csv and of the pairing
plug-in COP, and what the latter's tests write for tsh itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ordws.errors import BadSheet
from ordws.tournament.exchange.sheet import (
    WORDS,
    Bye,
    Sheet,
    SheetGame,
    SheetPlayer,
    SheetSide,
    check_names,
    numbered_lines,
    shield_name,
    unshield_name,
    wall_chart,
)
from ordws.tournament.facts import OneSide
from ordws.tournament.state import MOST_GAMES

_RATING: Final = re.compile(r"\d+(?:[.+]\d+)*", re.ASCII)
_FORFEIT_SPREAD: Final = 50


def write_tsh(sheet: Sheet) -> str:
    """Return the sheet as a `.t` file; clubs and the names of event and date are not in it."""
    lines = []
    for player, cells in zip(sheet.players, wall_chart(sheet), strict=True):
        scores: list[int | None] = []
        for cell in cells:
            if cell.game is not None and cell.game.forfeit is not None:
                # For tsh a forfeited game is won or lost without an opponent.
                scores.append(-_FORFEIT_SPREAD if cell.has_forfeited else _FORFEIT_SPREAD)
            else:
                scores.append(0 if cell.game is None else None if cell.result is None else cell.result.score)
        known = scores.index(None) if None in scores else len(scores)
        fields: dict[str, Sequence[object]] = {
            "p12": [0 if cell.game is None else 1 + cell.side for cell in cells],
            "board": [cell.game.table if cell.game else 0 for cell in cells],
            "turnpoints": [cell.result.points or 0 if cell.result else 0 for cell in cells],
            "turns": [cell.result.turns or 0 if cell.result else 0 for cell in cells],
            "byes": [int(cell.is_bye) for cell in cells],
            "forfeits": [cell.opponent if cell.game and cell.game.forfeit else 0 for cell in cells],
            "resigned": [
                int(cell.game is not None and cell.game.resigned == ("first", "second")[cell.side]) for cell in cells
            ],
        }
        # tsh takes a field without a value for one of the rounds to come.
        kept = {name: values for name, values in fields.items() if name == "p12" or any(values)}
        if player.is_withdrawn:
            kept["off"] = [0]
        if sheet.games_a_round > 1:
            kept["games"] = [sheet.games_a_round]
        opponents = [0 if cell.game and cell.game.forfeit else cell.opponent for cell in cells]
        parts = [
            " ".join([f"{shield_name(player.name, banned=';'):<30} 0", *map(str, opponents)]),
            " ".join(map(str, scores[:known])),
            *[" ".join([name, *map(str, values)]) for name, values in kept.items() if values],
        ]
        lines.append("; ".join(parts) + ";\n")
    return "".join(lines)


class _TshLine:
    """A line of the file, taken apart: columns from 0, fields by name."""

    def __init__(self, file: str, line: int, text: str) -> None:
        self.file, self.line = file, line
        head, scores, *fields = [*text.rstrip().split(";"), ""]
        words = [*WORDS.finditer(head)]
        # The numbers at the end are the rating and the opponents; a rating may have parts.
        rating = len(words) - 1
        while rating > 1 and _RATING.fullmatch(words[rating - 1][0]) and words[rating][0].isdecimal():
            rating -= 1
        if rating < 1 or head[:1].isspace() or not _RATING.fullmatch(words[rating][0]):
            raise self.fault(f'expected "NAME RATING OPPONENTS; SCORES; ...", found "{text.strip()[:40]}"')
        self.name = unshield_name(head[: words[rating - 1].end()])
        self.opponents = self._integers("opponents", head[words[rating].end() :])
        if len(self.opponents) > MOST_GAMES:
            raise self.fault(f"{len(self.opponents)} opponents, and {MOST_GAMES} are the most")
        self.scores = self._integers("scores", scores)
        self.fields: dict[str, list[int]] = {}
        for field in fields:
            name, _, values = field.strip().partition(" ")
            # Fields of tsh that hold texts, such as the time of entry, are none of ours.
            if name in ("p12", "board", "turnpoints", "turns", "byes", "forfeits", "resigned", "games", "off"):
                self.fields[name] = self._integers(name, values)
        if len(self.scores) > len(self.opponents):
            raise self.fault(f"{len(self.scores)} scores for {len(self.opponents)} opponents")

    def _integers(self, what: str, text: str) -> list[int]:
        try:
            return [int(word) for word in text.split()]
        except ValueError:
            raise self.fault(f'{what} should be whole numbers, found "{text.strip()[:40]}"') from None

    def fault(self, problem: str) -> BadSheet:
        return BadSheet(self.file, self.line, problem)

    def value(self, name: str, column: int) -> int:
        """Return the value of a field in a column, 0 where it has none."""
        values = self.fields.get(name, [])
        return values[column] if column < len(values) else 0

    def opponent(self, column: int) -> int:
        """Return the opponent that was paired, of a forfeited game too; 0 without one."""
        paired = self.opponents[column] if column < len(self.opponents) else 0
        return paired or self.value("forfeits", column)

    def score(self, column: int) -> int | None:
        return self.scores[column] if column < len(self.scores) else None


def read_tsh(text: str, *, file: str = "the file") -> Sheet:
    """Return the players, games and byes of a `.t` file.

    Raises BadSheet, which names the line, where a line is not of the form or contradicts another.
    """
    players = {number: _TshLine(file, *numbered) for number, numbered in enumerate(numbered_lines(file, text), 1)}
    check_names(file, {each.line: each.name for each in players.values()})
    per_round = max([each.value("games", 0) for each in players.values()], default=1) or 1
    width = max([len(each.opponents) for each in players.values()], default=0)
    games: list[SheetGame] = []
    byes: dict[Bye, None] = {}
    paired = players
    for column in range(width):
        round_number, game_number = column // per_round + 1, column % per_round + 1
        tables = 0
        paired = {number: player for number, player in paired.items() if len(player.opponents) > column}
        for number, player in paired.items():
            opponent = player.opponent(column)
            if opponent == 0:
                if player.value("byes", column) or ("byes" not in player.fields and (player.score(column) or 0) > 0):
                    byes[Bye(round_number, number)] = None
                continue
            where = f"opponent {opponent} in column {column + 1}"
            if opponent == number:
                raise player.fault(f"{where} is the player")
            if opponent not in players:
                raise player.fault(f"{where} is not among the {len(players)} players")
            other = players[opponent]
            if other.opponent(column) != number:
                raise player.fault(f"{where}, who has opponent {other.opponent(column)} there (line {other.line})")
            if number < opponent:
                tables += 1
                game = _read_game(players, number, column)
                table = player.value("board", column) or tables
                games.append(game._replace(round=round_number, table=table, game=game_number))
    return Sheet(
        name="",
        players=tuple([SheetPlayer(each.name, is_withdrawn="off" in each.fields) for each in players.values()]),
        games=tuple(games),
        byes=tuple(byes),
        rounds=-(-width // per_round),
        games_a_round=per_round,
        lines=tuple([each.line for each in players.values()]),
    )


def _read_game(players: Mapping[int, _TshLine], number: int, column: int) -> SheetGame:
    """Return the game of a player in a column, seen from the side that began, or from the player's if nobody knows."""
    player, opponent = players[number], players[players[number].opponent(column)]
    starters = player.value("p12", column), opponent.value("p12", column)
    if starters in ((1, 1), (2, 2)):
        raise player.fault(f"in column {column + 1} both players have p12 {starters[0]} (line {opponent.line})")
    one, two = (opponent, player) if starters[0] == 2 or starters[1] == 1 else (player, opponent)
    pair = (player.opponent(column), number) if one is opponent else (number, player.opponent(column))
    game = SheetGame(0, 0, 1, *pair)
    scores = one.score(column), two.score(column)
    if scores[0] is None or scores[1] is None:
        return game
    if one.value("forfeits", column):
        lost = (scores[0] < 0, scores[1] < 0)
        return game._replace(forfeit="both" if all(lost) else "first" if lost[0] else "second")
    sides = tuple(
        SheetSide(score, each.value("turnpoints", column), each.value("turns", column))
        if each.value("turns", column)
        else SheetSide(score)
        for each, score in ((one, scores[0]), (two, scores[1]))
    )
    resigned: OneSide | None = (
        "first" if one.value("resigned", column) else "second" if two.value("resigned", column) else None
    )
    return game._replace(sides=(sides[0], sides[1]), resigned=resigned)
