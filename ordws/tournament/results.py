"""Results of games as text, and the checks that an impossible one does not pass. Pure."""

from __future__ import annotations

import re
from typing import Final

from ordws.errors import BadInput
from ordws.tournament.counts import count_of
from ordws.tournament.facts import OneSide, SideResult, TableResult
from ordws.tournament.state import MOST_TURNS_A_GAME

MOST_POINTS_A_TURN: Final = 2_000
"""More than the dearest play that anybody has put together, under any rule set."""

MOST_BESIDE_TURNS: Final = 500
"""How far the score may be from the points of the turns: unplayed tiles, time, challenges and their rewards."""

_SIDE: Final = re.compile(r"\s*([+-]?\d{1,6})\s*:\s*([+-]?\d{1,6})\s*/\s*(\d{1,6})\s*", re.ASCII)
_UNUSUAL_AVERAGE: Final = (5, 50)
_UNUSUAL_DIFFERENCE: Final = 60
_UNUSUAL_TURNS: Final = 35


def parse_side(text: str) -> SideResult:
    """Read SCORE:POINTS/TURNS, as in "412:398/13"; raise BadInput with the form that is expected."""
    match = _SIDE.fullmatch(text)
    if match is None:
        raise BadInput(
            f'"{text}" is not a result: expected SCORE:POINTS/TURNS, such as 412:398/13',
            hint="the final score, the points of the player's turns, and their number",
        )
    return SideResult(*map(int, match.groups()))


def format_side(side: SideResult) -> str:
    """Return the text from which `parse_side` reads a side."""
    return f"{side.score}:{side.points}/{side.turns}"


def format_result(result: TableResult) -> str:
    """Return a result as one line: "412:398/13 371:380/13", or "forfeit by first"."""
    if result.forfeit is not None:
        return f"forfeit by {result.forfeit}"
    sides = " ".join([format_side(side) for side in (result.first, result.second) if side is not None])
    remarks = [
        f", {side} {remark}"
        for side, remark in ((result.resigned, "resigned"), (result.time_up, "ran out of time"))
        if side is not None
    ]
    return sides + "".join(remarks)


def check_result(result: TableResult) -> None:
    """Raise BadInput for a result that no game can have, with the reason."""
    sides: dict[OneSide, SideResult | None] = {"first": result.first, "second": result.second}
    if result.forfeit is not None:
        if any(sides.values()) or result.resigned or result.time_up:
            raise BadInput(
                "a forfeited game was not begun, so it has no scores",
                hint="for a player who gave up after a turn give the scores, and who resigned",
            )
        return
    for name, side in sides.items():
        if side is None:
            raise BadInput(f"the result of the {name} player is missing")
        _check_side(name, side)
    first, second = result.first, result.second
    assert first is not None
    assert second is not None
    if result.time_up is not None:
        less, more = (first, second) if result.time_up == "first" else (second, first)
        if less.turns > more.turns + 1:
            raise BadInput(f"the {result.time_up} player ran out of time and has more turns than the other")
    elif abs(first.turns - second.turns) > 1:
        raise BadInput(
            f"{first.turns} and {second.turns} turns differ by more than one, and players take turns",
            hint="count passes, exchanges and lost turns too; or say whose time was up",
        )
    if first.turns + second.turns == 0:
        raise BadInput("nobody made a turn: such a game is forfeited", hint="say by whom")
    resigned = sides[result.resigned] if result.resigned else None
    if resigned is not None and resigned.turns == 0:
        raise BadInput(f"the {result.resigned} player made no turn: the game is forfeited, not resigned")


def find_doubts(result: TableResult) -> list[str]:
    """Return what is unusual about a possible result, for a director to look at again."""
    doubts = []
    for name, side in (("first", result.first), ("second", result.second)):
        if side is None or not side.turns:
            continue
        low, high = _UNUSUAL_AVERAGE
        if not low * side.turns <= side.points <= high * side.turns:
            turns, average = count_of(side.turns, "turn", "turns"), side.points / side.turns
            doubts.append(f"the {name} player has {side.points} points in {turns}, {average:.0f} a turn")
        if abs(side.score - side.points) > _UNUSUAL_DIFFERENCE:
            doubts.append(f"the {name} player's score is {side.score} and the turns make {side.points}")
        if side.turns > _UNUSUAL_TURNS:
            doubts.append(f"the {name} player has {side.turns} turns")
    return doubts


def _check_side(name: str, side: SideResult) -> None:
    if side.turns > MOST_TURNS_A_GAME:
        raise BadInput(f"the {name} player has {side.turns} turns, and no game has more than {MOST_TURNS_A_GAME}")
    if side.turns == 0 and side.points:
        raise BadInput(f"the {name} player has {side.points} points and no turn to have made them in")
    if abs(side.points) > MOST_POINTS_A_TURN * side.turns:
        turns = count_of(side.turns, "turn", "turns")
        raise BadInput(f"the {name} player has {side.points} points in {turns}, which no plays can make")
    if abs(side.score - side.points) > MOST_BESIDE_TURNS:
        raise BadInput(
            f"the {name} player's score of {side.score} is more than {MOST_BESIDE_TURNS} from the {side.points} points"
            " of the turns",
            hint="the score is the turns and what the end of the game adds or takes",
        )
