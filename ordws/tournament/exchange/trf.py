"""A text like FIDE's tournament report file (TRF16): players and results in its columns, scores in lines of ours.

Followed: FIDE Handbook C.04 annex 2 (TRF16) for `012`, `042`, `062` and `001`, and JaVaFo's `XXR` (rounds), `XXP` (a
pair that may not meet) and `XXS`. The code `ORD` begins our lines, which readers of TRF pass over:

    ORD game ROUND TABLE GAME FIRST SECOND SCORE:POINTS/TURNS SCORE:POINTS/TURNS [forfeit|resigned SIDE]

FIDE's `w` and `b` say who began. A bye counts nothing here (docs/rules.md 10.3), hence `XXS PAB=0.0`.
"""

from __future__ import annotations

import re
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
    check_width,
    numbered_lines,
    outcome_of,
    wall_chart,
    with_outcome,
)

_NAME_WIDTH: Final = 33
_SIDE: Final = re.compile(r"(-?\d{1,6})(?::(\d{1,6})/(\d{1,6}))?$")


def write_trf(sheet: Sheet) -> str:
    """Return the sheet as a TRF-like text; clubs are not in it."""
    check_width(sheet, "a TRF file")
    lines = [f"012 {sheet.name}"]
    if sheet.date:
        lines.append(f"042 {sheet.date.replace('-', '/')}")
    lines += [f"062 {len(sheet.players)}", f"XXR {sheet.rounds * sheet.games_a_round}", "XXS PAB=0.0"]
    for number, (player, cells) in enumerate(zip(sheet.players, wall_chart(sheet), strict=True), 1):
        points = sum([cell.half_points for cell in cells]) / 2
        rank = f"{sheet.ranks[number - 1] if sheet.ranks else number:>4}"
        person = f"{player.name[:_NAME_WIDTH]:<{_NAME_WIDTH}} {0:>4} {'':3} {'':11} {'':10}"
        columns = ""
        for cell in cells:
            result = "U" if cell.is_bye else "Z"
            if cell.game is not None and cell.game.forfeit is not None:
                result = "-" if cell.has_forfeited else "+"
            elif cell.game is not None:
                result = " " if cell.result is None else "0=1"[cell.half_points]
            columns += f"  {cell.opponent:04} {'-' if cell.game is None else 'wb'[cell.side]} {result}"
        lines.append(f"001 {number:>4} {'':1}{'':3} {person} {points:>4.1f} {rank}{columns}")
        if len(player.name) > _NAME_WIDTH or player.name != player.name.strip():
            lines.append(f"ORD name {number} {player.name}")
        if player.is_withdrawn:
            lines.append(f"ORD withdrawn {number}")
    if sheet.games_a_round > 1:
        lines.append(f"ORD games-a-round {sheet.games_a_round}")
    lines += [f"ORD bye {bye.round} {bye.player}" for bye in sheet.byes]
    for game in sheet.games:
        places = f"{game.round} {game.table} {game.game} {game.first} {game.second}"
        sides = [
            f"{side.score}" + (f":{side.points}/{side.turns}" if side.turns is not None else "")
            for side in game.sides or ()
        ]
        lines.append(" ".join(["ORD game", places, *sides, outcome_of(game)]).rstrip())
    return "\n".join([*lines, ""])


def read_trf(text: str, *, file: str = "the file") -> Sheet:
    """Return the players of a TRF file, and the games and byes of its `ORD` lines.

    Raises BadSheet, which names the line, where a line is not of the form or contradicts another.
    """
    sheet = Sheet(name="", players=())
    names: dict[int, tuple[int, str]] = {}
    gone: set[int] = set()
    games: dict[SheetGame, int] = {}
    byes: dict[Bye, int] = {}
    for line, content in numbered_lines(file, text):
        code, rest = content[:3], content[4:].rstrip("\n")
        if code == "012":
            sheet = sheet._replace(name=rest)
        elif code == "042":
            sheet = sheet._replace(date=rest.strip().replace("/", "-"))
        elif code == "XXR":
            sheet = sheet._replace(rounds=_integers(file, line, [rest])[0])
        elif code == "001":
            number = _integers(file, line, [content[4:8]])[0]
            if number != len(names) + 1:
                raise BadSheet(file, line, f"expected player {len(names) + 1}, found {number}")
            names[number] = (line, content[14 : 14 + _NAME_WIDTH].rstrip(" "))
        elif code == "ORD":
            kind, _, values = rest.partition(" ")
            if kind == "game":
                games[_read_game(file, line, values.split(), len(names))] = line
            elif kind == "bye":
                byes[Bye(*_integers(file, line, values.split(), count=2))] = line
            elif kind == "name":
                place, _, name = values.partition(" ")
                names[_integers(file, line, [place])[0]] = (line, name)
            elif kind == "withdrawn":
                gone.add(_integers(file, line, [values])[0])
            elif kind == "games-a-round":
                sheet = sheet._replace(games_a_round=_integers(file, line, [values])[0])
            else:
                raise BadSheet(file, line, f'expected "game", "bye", "name", "withdrawn" or "games-a-round": "{kind}"')
    check_names(file, dict(names.values()))
    lines = tuple([line for line, _ in names.values()])
    players = tuple([SheetPlayer(name, is_withdrawn=number in gone) for number, (_, name) in names.items()])
    rounds = sheet.rounds // max(1, sheet.games_a_round)
    sheet = sheet._replace(players=players, games=tuple(games), byes=tuple(byes), rounds=rounds, lines=lines)
    check_games(file, sheet, [*games.values()].__getitem__, [*byes.values()].__getitem__)
    return sheet


def _integers(file: str, line: int, words: list[str], *, count: int | None = None) -> list[int]:
    """Return words as whole numbers, as many as are expected."""
    if count is not None and len(words) != count:
        raise BadSheet(file, line, f"expected {count} numbers, found {len(words)}")
    try:
        return [int(word) for word in words]
    except ValueError:
        raise BadSheet(file, line, f'expected whole numbers, found "{" ".join(words)[:40]}"') from None


def _read_game(file: str, line: int, words: list[str], players: int) -> SheetGame:
    """Return the game of an `ORD game` line."""
    round_number, table, number, first, second = _integers(file, line, words[:5], count=5)
    game = SheetGame(round_number, table, number, first, second)
    if not (0 < game.first <= players and 0 < game.second <= players and game.first != game.second):
        raise BadSheet(file, line, f"players {game.first} and {game.second} are not two of the {players} players")
    sides = [match for word in words[5:7] if (match := _SIDE.match(word))]
    pair = [SheetSide(int(each[1]), *[int(part) for part in each.groups()[1:] if part]) for each in sides]
    both = (pair[0], pair[1]) if len(pair) == 2 else None
    finished = with_outcome(game, both, " ".join(words[5 + len(pair) :]))
    if isinstance(finished, str):
        raise BadSheet(file, line, finished)
    return finished
