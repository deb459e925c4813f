"""Events as CSV: entrants for a director's import, games for spreadsheets.

Readers take commas, semicolons and tabs, as programs of several countries write them. A cell that a spreadsheet would
take for a formula has an apostrophe before it, which readers take away.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from ordws.errors import BadSheet
from ordws.tournament.exchange.sheet import (
    Bye,
    Sheet,
    SheetGame,
    SheetPlayer,
    SheetSide,
    check_games,
    check_names,
    numbered_lines,
    outcome_of,
    with_outcome,
)

GAME_COLUMNS: Final = (
    "round",
    "table",
    "game",
    "first",
    "second",
    "first_score",
    "first_points",
    "first_turns",
    "second_score",
    "second_points",
    "second_turns",
    "outcome",
)
"""`outcome` is empty for a game that was played out, else `bye`, `unplayed`, `forfeit first`, `resigned second`."""

_FORMULA: Final = r"(?=[=+\-@'\uff1d\uff0b\uff0d\uff20])"
_CELL: Final = r'((?:^|[;\t])[" ]*)'
"""Programs that part cells by semicolons or tabs, as those of many countries do, begin a cell behind each of them."""
_UNMARKED: Final = re.compile(_CELL + _FORMULA)
_MARKED: Final = re.compile(f"{_CELL}'{_FORMULA}")
_YES: Final = ("yes", "y", "1", "true", "x")
_NO: Final = ("", "no", "n", "0", "false")


def write_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; text that looks like a formula is marked as text."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [[_UNMARKED.sub(r"\1'", cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    )
    return written.getvalue()


def write_games(sheet: Sheet) -> str:
    """Return a line for each game and bye as CSV with a header; players without either are not in it."""
    names = [player.name for player in sheet.players]
    rows: list[tuple[object, ...]] = []
    for game in sheet.games:
        cells = [cell for side in game.sides or () for cell in side] or [None] * 6
        pair = names[game.first - 1], names[game.second - 1]
        rows.append((game.round, game.table, game.game, *pair, *cells, outcome_of(game)))
    rows += [(bye.round, "", "", names[bye.player - 1], "", *[None] * 6, "bye") for bye in sheet.byes]
    return write_csv([GAME_COLUMNS, *rows])


def read_csv(text: str, *, file: str = "the file") -> Sheet:
    """Return the players of a CSV file, and the games where it holds games.

    The first line names the columns, of which `name`, or `first` and `second` for games, are needed. Without such a
    line, each line is the name of a player.

    Raises BadSheet, which names the line, where a line is not of the form.
    """
    lines = list(numbered_lines(file, text))
    if not lines:
        raise BadSheet(file, 1, "expected names of players, found nothing")
    start, header = lines[0]
    delimiter = max(",;\t", key=header.count)
    try:
        columns = [cell.strip().lower() for cell in next(csv.reader([header], delimiter=delimiter))]
    except csv.Error as fault:
        raise BadSheet(file, start, str(fault)) from None
    if "name" not in columns and not {"round", "first", "second"} <= {*columns}:
        names = {line: _unmark(content.strip().strip('"')) for line, content in lines}
        check_names(file, names)
        return Sheet(name="", players=tuple([SheetPlayer(name) for name in names.values()]), lines=tuple(names))
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter, strict=True)
    rows: list[tuple[int, dict[str, str]]] = []
    try:
        for cells in reader:
            if reader.line_num > start and any(cells):
                if len(cells) > len(columns):
                    raise BadSheet(file, reader.line_num, f"{len(cells)} cells under {len(columns)} columns")
                named = zip(columns, cells, strict=False)
                rows.append((reader.line_num, {column: _unmark(cell.strip()) for column, cell in named}))
    except csv.Error as fault:
        raise BadSheet(file, reader.line_num, str(fault)) from None
    if "name" not in columns:
        return _read_games(file, rows)
    check_names(file, {line: row.get("name", "") for line, row in rows})
    players = []
    for line, row in rows:
        flags = {column: row.get(column, "").lower() for column in ("minor", "withdrawn")}
        for column, value in flags.items():
            if value not in (*_YES, *_NO):
                raise BadSheet(file, line, f'{column} is "yes" or empty, found "{value}"')
        is_minor, is_withdrawn = [value in _YES for value in flags.values()]
        member = row.get("member", "")
        players.append(SheetPlayer(row["name"], row.get("club", ""), is_minor, is_withdrawn, member))
    return Sheet(name="", players=tuple(players), lines=tuple([line for line, _ in rows]))


def _unmark(cell: str) -> str:
    """Return a cell without the apostrophes that mark it as text."""
    return _MARKED.sub(r"\1", cell)


def _read_games(file: str, rows: list[tuple[int, dict[str, str]]]) -> Sheet:
    numbers: dict[str, int] = {}
    lines: list[int] = []
    games: list[SheetGame] = []
    game_lines: list[int] = []
    counts = Counter[int]()
    byes: dict[Bye, int] = {}
    for line, row in rows:
        pair = [row.get("first", ""), row.get("second", "")]
        outcome = row.get("outcome", "")
        if not pair[0] or (outcome != "bye" and (not pair[1] or pair[0] == pair[1])):
            raise BadSheet(file, line, "expected the names of two players")
        for name in pair:
            if name and name not in numbers:
                numbers[name] = len(numbers) + 1
                lines.append(line)
        first, second = [numbers.get(name, 0) for name in pair]
        values = {column: _integer(file, line, column, row.get(column, "")) for column in GAME_COLUMNS[:3]}
        round_number = values["round"] or 0
        if round_number < 1:
            raise BadSheet(file, line, "expected the number of a round from 1 on")
        if outcome == "bye":
            byes[Bye(round_number, first)] = line
            continue
        counts[round_number] += 1
        table = values["table"] or counts[round_number]
        game = SheetGame(round_number, table, values["game"] or 1, first, second)
        sides = []
        for which in ("first", "second"):
            score, points, turns = [
                _integer(file, line, f"{which}_{what}", row.get(f"{which}_{what}", ""))
                for what in ("score", "points", "turns")
            ]
            sides += [] if score is None else [SheetSide(score, points, turns)]
        both = (sides[0], sides[1]) if len(sides) == 2 else None
        finished = with_outcome(game, both, row.get("outcome", ""))
        if isinstance(finished, str):
            raise BadSheet(file, line, finished)
        games.append(finished)
        game_lines.append(line)
    sheet = Sheet(
        name="",
        players=tuple([SheetPlayer(name) for name in numbers]),
        games=tuple(games),
        byes=tuple(byes),
        rounds=max([*[game.round for game in games], *[bye.round for bye in byes]], default=0),
        games_a_round=max([game.game for game in games], default=1),
        lines=tuple(lines),
    )
    check_games(file, sheet, game_lines.__getitem__, [*byes.values()].__getitem__)
    return sheet


def _integer(file: str, line: int, column: str, cell: str) -> int | None:
    """Return a cell as a whole number, None if it is empty."""
    if not cell:
        return None
    try:
        return int(cell)
    except ValueError:
        raise BadSheet(file, line, f'{column} should be a whole number, found "{cell[:40]}"') from None
