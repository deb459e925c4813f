"""The results file of AUPAIR, `.tou`, which national and world ratings take.

    *M21.11.2026 Autumn Open
    *A
                                           0
    Doe, Jane                       2488  +16   458    4
    *** END OF FILE ***

A line a player: the name, then for each round a score and the number of the opponent, with `+` where the player began.
A winner's score has 2000 added, that of a tie 1000. A player's own number stands for no opponent: 1300 for a bye or an
absence, 2350 for a game won by forfeit, 250 for one lost so. The file holds no turns, clubs or tables.

Followed: the WESPA database's reader and writer (`TOU`, `Division` and `Result` in its Perl modules) and the readers of
WESPA's rating programs, as found in public repositories.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ordws.errors import BadInput, BadSheet
from ordws.tournament.exchange.sheet import (
    WORDS,
    Bye,
    Sheet,
    SheetCell,
    SheetGame,
    SheetPlayer,
    SheetSide,
    check_names,
    check_width,
    numbered_lines,
    shield_name,
    unshield_name,
    wall_chart,
)

LEAST_SCORE: Final = -49
MOST_SCORE: Final = 949
"""The scores that a file can hold, since a lost score has to be less than any tied or won one."""

_HEADER: Final = re.compile(r"\*.(\d\d)\.(\d\d)\.(\d{4}) (.*)")
_SCORE: Final = re.compile(r"-?\d{1,6}", re.ASCII)
_OPPONENT: Final = re.compile(r"\+?\d{1,6}", re.ASCII)
_NO_DATE: Final = "1970-01-01"
_BYE, _WON_BY_FORFEIT, _LOST_BY_FORFEIT = 1300, 2350, 250


def write_tou(sheet: Sheet) -> str:
    """Return the sheet as a `.tou` file of one section, `A`.

    Raises BadInput if a score or the number of players is beyond what the format holds.
    """
    check_width(sheet, "a .tou file")
    year, month, day = (sheet.date or _NO_DATE).split("-")
    lines = [f"*M{day}.{month}.{year} {sheet.name}", "*A", f"{'0':>40}"]
    for number, (player, cells) in enumerate(zip(sheet.players, wall_chart(sheet), strict=True), 1):
        columns = [_write_cell(player.name, number, cell) for cell in cells]
        # A name that began with a star would be taken for a section.
        name = shield_name(f"'{player.name}" if _has_star(player.name) else player.name)
        lines.append(f"{name:<30}{' '.join(columns)}".rstrip())
    return "\n".join([*lines, "*** END OF FILE ***", ""])


def _has_star(name: str) -> bool:
    """Return whether a name begins with a star, as it is or after quotes: such a name gets one more quote."""
    return name.lstrip("'").startswith("*")


def _write_cell(name: str, number: int, cell: SheetCell) -> str:
    if cell.game is None or cell.game.forfeit is not None:
        code = _BYE if cell.game is None else _LOST_BY_FORFEIT if cell.has_forfeited else _WON_BY_FORFEIT
        return f"{code:>6}{number:>5}"
    if cell.result is None:
        return f"{_BYE:>6}{number:>5}"
    if not LEAST_SCORE <= cell.result.score <= MOST_SCORE:
        raise BadInput(
            f'a .tou file holds scores from {LEAST_SCORE} to {MOST_SCORE}, "{name}" has {cell.result.score}'
            f" in round {cell.game.round}",
            hint="export it as t, csv or json",
        )
    opponent = f"{'+' if cell.side == 0 else ''}{cell.opponent}"
    return f"{cell.result.score + 1000 * cell.half_points:>6}{opponent:>5}"


def read_tou(text: str, *, file: str = "the file") -> Sheet:
    """Return the players, games and byes of a `.tou` file with one section.

    Raises BadSheet, which names the line, where a line is not of the form or contradicts another.
    """
    name = date = None
    rows: list[tuple[int, str]] = []
    sections = 0
    for line, content in numbered_lines(file, text):
        if name is None:
            header = _HEADER.match(content)
            if header is None:
                raise BadSheet(file, line, f'expected "*M21.11.2026 NAME", found "{content[:40]}"')
            day, month, year, name = header.groups()
            date = f"{year}-{month}-{day}"
        elif "END OF FILE" in content:
            break
        elif content.startswith("*"):
            sections += 1
            if sections > 1:
                raise BadSheet(file, line, "a second section", hint="write each section to a file of its own")
        # The line before the players has the number 0 alone.
        elif sections and not content[:1].isspace():
            rows.append((line, content))
    if name is None:
        raise BadSheet(file, 1, 'expected "*M21.11.2026 NAME", found nothing')
    return _read_rows(file, name.strip(), "" if date is None or date == _NO_DATE else date, rows)


def _read_rows(file: str, name: str, date: str, rows: list[tuple[int, str]]) -> Sheet:
    """Return the sheet of the players' lines, all of which have as many games as the line with the fewest."""
    widths = {line: width for line, content in rows if (width := _count_games(content))}
    width = min(widths.values(), default=0)
    # AUPAIR writes notes such as the highest word before the players; a file without games holds players alone.
    found = [(line, content) for line, content in rows if line in widths or not widths]
    players = {number: _TouLine(file, line, content, width) for number, (line, content) in enumerate(found, 1)}
    check_names(file, {each.line: each.name for each in players.values()})
    games: list[SheetGame] = []
    byes: list[Bye] = []
    for column in range(width):
        tables = 0
        for number, player in players.items():
            opponent = player.cells[column].opponent
            if opponent == number:
                byes += [Bye(column + 1, number)] * (player.cells[column].score == _BYE)
                continue
            other = players.get(opponent)
            if other is None:
                raise player.fault(f"opponent {opponent} in round {column + 1} is not among {len(players)} players")
            if other.cells[column].opponent != number:
                raise player.fault(
                    f"opponent {opponent} in round {column + 1} has opponent {other.cells[column].opponent} there"
                    f" (line {other.line})"
                )
            if number < opponent:
                tables += 1
                games.append(_read_game(players, number, column)._replace(round=column + 1, table=tables))
    names = tuple([SheetPlayer(each.name) for each in players.values()])
    lines = tuple([each.line for each in players.values()])
    return Sheet(name, names, tuple(games), tuple(byes), date, width, lines=lines)


def _count_games(content: str) -> int:
    """Return how many pairs of a score and an opponent stand at the end of a line, after a name."""
    words, games = WORDS.findall(content), 0
    while len(words) > 2 and _OPPONENT.fullmatch(words.pop()) and _SCORE.fullmatch(words.pop()):
        games += 1
    return games


class _TouLine:
    """A player's line: the name, and the cells of the rounds."""

    def __init__(self, file: str, line: int, content: str, width: int) -> None:
        self.file, self.line = file, line
        words = [*WORDS.finditer(content)]
        columns = words[len(words) - 2 * width :]
        name = unshield_name(content[: columns[0].start()] if columns else content).replace("\t", " ")
        self.name = name.removeprefix("'") if _has_star(name) else name
        self.cells = [_TouCell(columns[at][0], columns[at + 1][0]) for at in range(0, 2 * width, 2)]

    def fault(self, problem: str) -> BadSheet:
        return BadSheet(self.file, self.line, problem)


class _TouCell:
    """A score as it is written, and the opponent."""

    def __init__(self, score: str, opponent: str) -> None:
        self.score, self.has_begun, self.opponent = int(score), opponent.startswith("+"), int(opponent)

    @property
    def half_points(self) -> int:
        return next((won for won in (2, 1) if self.score >= 1000 * won + LEAST_SCORE), 0)

    @property
    def own_score(self) -> int:
        return self.score - 1000 * self.half_points


def _read_game(players: Mapping[int, _TouLine], number: int, column: int) -> SheetGame:
    """Return the game of a player in a column, seen from the side that began."""
    player = players[number]
    opponent = player.cells[column].opponent
    pair = (opponent, number) if players[opponent].cells[column].has_begun else (number, opponent)
    cells = [players[each].cells[column] for each in pair]
    if sum([cell.half_points for cell in cells]) != 2 or cells[0].has_begun is cells[1].has_begun is True:
        raise player.fault(
            f"round {column + 1} does not agree with line {players[opponent].line}: scores {cells[0].score} and"
            f" {cells[1].score}"
        )
    sides = SheetSide(cells[0].own_score), SheetSide(cells[1].own_score)
    game = SheetGame(0, 0, 1, *pair, sides=sides)
    by_score = game.half_points()
    if by_score == (cells[0].half_points, cells[1].half_points):
        return game
    return game._replace(resigned="second" if cells[0].half_points == 2 else "first")
