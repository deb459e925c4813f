"""Events as JSON: all of a sheet, with players by name, for programs that know none of the other formats."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, Literal

import msgspec

from ordws.errors import BadInput, BadSheet
from ordws.tournament.exchange.sheet import (
    Bye,
    Sheet,
    SheetGame,
    SheetPlayer,
    SheetSide,
    check_games,
    outcome_of,
    with_outcome,
)
from ordws.tournament.facts import OneSide

_GAP: Final = re.compile(r"[\s,:]*")
_PATH: Final = re.compile(r"\$\.(\w+)\[(\d+)\]")


class JsonPlayer(msgspec.Struct, omit_defaults=True):
    """A player by name."""

    name: str
    club: str = ""
    minor: bool = False
    withdrawn: bool = False
    member: str = ""
    rank: int = 0


class JsonGame(msgspec.Struct, omit_defaults=True):
    """A game; a side is score, turn points and turns, or the score alone where the others are not known."""

    round: int
    table: int
    game: int
    first: str
    second: str
    sides: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    outcome: str = ""
    time_up: OneSide | None = None


class JsonBye(msgspec.Struct):
    """A player without an opponent in a round."""

    round: int
    name: str


class JsonEvent(msgspec.Struct, kw_only=True):
    """An event, as `ordws tournament export --format json` writes it (docs/tournaments.md)."""

    format: Literal["ordws-tournament"] = "ordws-tournament"
    version: Literal[1] = 1
    name: str
    date: str = ""
    rounds: int = 0
    games_a_round: int = 1
    players: list[JsonPlayer]
    games: list[JsonGame] = []
    byes: list[JsonBye] = []


def write_json(sheet: Sheet) -> str:
    """Return the sheet as JSON, a line for each player, game and bye."""
    names = [player.name for player in sheet.players]
    event = JsonEvent(
        name=sheet.name,
        date=sheet.date,
        rounds=sheet.rounds,
        games_a_round=sheet.games_a_round,
        players=[JsonPlayer(*player, sheet.ranks[at] if sheet.ranks else 0) for at, player in enumerate(sheet.players)],
        games=[
            JsonGame(
                *(game.round, game.table, game.game),
                names[game.first - 1],
                names[game.second - 1],
                game.sides and (_write_side(game.sides[0]), _write_side(game.sides[1])),
                outcome_of(game),
                game.time_up,
            )
            for game in sheet.games
        ],
        byes=[JsonBye(bye.round, names[bye.player - 1]) for bye in sheet.byes],
    )
    fields: Mapping[str, Any] = msgspec.to_builtins(event)
    parts = []
    for field, value in fields.items():
        written = _dump(value)
        if isinstance(value, list) and value:
            written = "[\n    " + ",\n    ".join(map(_dump, value)) + "\n  ]"
        parts.append(f"  {_dump(field)}: {written}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_side(side: SheetSide) -> tuple[int, ...]:
    return (side.score,) if side.points is None or side.turns is None else (side.score, side.points, side.turns)


def read_json(text: str, *, file: str = "the file") -> Sheet:
    """Return the sheet of a JSON text.

    Raises BadSheet, which names the line, if the text is no JSON, not of this form, or names an unknown player.
    """
    try:
        event = msgspec.convert(json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_read_object), JsonEvent)
    except json.JSONDecodeError as fault:
        raise BadSheet(file, fault.lineno, f"not JSON: {fault.msg}") from None
    except msgspec.ValidationError as fault:
        raise BadSheet(file, _line_of(text, str(fault)), str(fault)) from None
    except BadInput as fault:
        raise BadSheet(file, 1, str(fault)) from None
    except (RecursionError, ValueError):
        raise BadSheet(file, 1, "not an event: lists within lists without end, or a number without end") from None
    numbers: dict[str, int] = {}
    for at, player in enumerate(event.players):
        if not player.name or player.name in numbers:
            problem = f'"{player.name}" is there already' if player.name else "a player without a name"
            raise BadSheet(file, _line_of(text, f"$.players[{at}]"), problem)
        numbers[player.name] = at + 1
    games: list[SheetGame] = []
    for at, found in enumerate(event.games):
        game = _read_game(found, numbers)
        if isinstance(game, str):
            raise BadSheet(file, _line_of(text, f"$.games[{at}]"), game)
        games.append(game)
    for at, bye in enumerate(event.byes):
        if bye.name not in numbers:
            raise BadSheet(file, _line_of(text, f"$.byes[{at}]"), f'"{bye.name}" is not among the players')
    ranks = tuple([player.rank for player in event.players])
    sheet = Sheet(
        name=event.name,
        players=tuple(
            [SheetPlayer(each.name, each.club, each.minor, each.withdrawn, each.member) for each in event.players]
        ),
        games=tuple(games),
        byes=tuple([Bye(bye.round, numbers[bye.name]) for bye in event.byes]),
        date=event.date,
        rounds=event.rounds,
        games_a_round=event.games_a_round,
        ranks=ranks if all(ranks) else (),
        lines=tuple(_lines_of(text, "players")),
    )
    check_games(file, sheet, lambda at: _line_of(text, f"$.games[{at}]"), lambda at: _line_of(text, f"$.byes[{at}]"))
    return sheet


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise BadInput for a name that is there twice, of which readers take one or the other."""
    if repeated := [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]:
        raise BadInput(f'"{repeated[0]}" is there twice in one object')
    return dict(pairs)


def _read_game(found: JsonGame, numbers: Mapping[str, int]) -> SheetGame | str:
    """Return a game, or what is wrong with it."""
    for name in (found.first, found.second):
        if name not in numbers:
            return f'"{name}" is not among the players'
    if found.first == found.second:
        return f'"{found.first}" plays against themselves'
    sides = None
    if found.sides is not None:
        if any(len(side) not in (1, 3) for side in found.sides):
            return "a side is [score] or [score, points, turns]"
        sides = SheetSide(*found.sides[0]), SheetSide(*found.sides[1])
    pair = numbers[found.first], numbers[found.second]
    game = SheetGame(found.round, found.table, found.game, *pair, time_up=found.time_up)
    return with_outcome(game, sides, found.outcome)


def _line_of(text: str, path: str) -> int:
    """Return the line on which an element of one of the lists begins, as in `$.games[3]`; 1 for anything else."""
    match = _PATH.search(path)
    return next(islice(_lines_of(text, match[1]), int(match[2]), None), 1) if match else 1


def _lines_of(text: str, field: str) -> Iterator[int]:
    """Yield the lines on which the elements of one of the lists of a JSON object begin."""
    decoder, line, counted = json.JSONDecoder(), 1, 0
    at = _skip(text, text.find("{") + 1)
    while text[at] == '"':
        key, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        if key == field and text[at] == "[":
            at += 1
            break
        at = _skip(text, decoder.raw_decode(text, at)[1])
    else:
        return
    while text[at := _skip(text, at)] != "]":
        line, counted = line + text.count("\n", counted, at), at
        yield line
        at = decoder.raw_decode(text, at)[1]


def _skip(text: str, at: int) -> int:
    """Return where the next value, or end, of a JSON text begins."""
    gap = _GAP.match(text, at)
    return gap.end() if gap else at
