"""What honest games meet at a house: refusals, and alarms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.mining import traffic
from ordws.mining.attackers.steps import Ask, Caller, judge
from ordws.mining.drive import Front
from ordws.mining.house import House
from ordws.mining.recorded import RULES, honest_games
from ordws.mining.traffic import Asked, Kind

OPERATOR_UNITS: Final = 40_000
"""The daily total that its keeper has set for an operator of a thousand games a day."""

_STREAMS: Final = {
    "home": traffic.home,
    "duel": traffic.duel,
    "club": traffic.club,
    "operator": traffic.operator,
}


class Met(NamedTuple):
    """How many games there were, and how many of them met a refusal."""

    games: int
    refused: int

    @property
    def share(self) -> float:
        return self.refused / self.games if self.games else 0.0


def questions(kind: Kind, rng: Random, *, identities: int, days: int) -> list[Asked]:
    """What so many of a kind ask on so many days."""
    return list(_STREAMS[kind](honest_games(), rng, identities=identities, days=days))


def let_in_all(house: House, asked: Iterable[Asked], now: int, *, verified: bool, age_days: int) -> dict[str, Caller]:
    """A key for every identity. What many people share has one address, and operators their keeper's total."""
    callers: dict[str, Caller] = {}
    for kind, identity in sorted({(each.kind, each.identity) for each in asked}):
        is_operator = kind in ("club", "operator")
        callers[identity] = house.let_in(
            identity,
            now,
            kind="operator" if is_operator else "home",
            age_days=age_days,
            verified=verified or is_operator,
            units=OPERATOR_UNITS if kind == "operator" else None,
        )
    return callers


def introduce(house: House, asked: Iterable[Asked], callers: Mapping[str, Caller], begin: int) -> None:
    """Let operators' regulars be known, as they would be who have come for weeks: so many new ones a day."""
    seen: dict[str, list[str]] = {}
    for each in asked:
        if each.kind == "operator" and each.player is not None:
            seen.setdefault(each.identity, []).append(each.player)
    for identity, players in seen.items():
        for number, player in enumerate(dict.fromkeys(players)):
            day = begin - (40 - number // 20) * DAY
            house.ask(judge(callers[identity]._replace(player=player), ["AN"], None), day)


def play(front: Front, asked: Iterable[Asked], callers: Mapping[str, Caller], begin: int) -> Met:
    """Ask all of it, whatever was refused; a game that met one refusal counts."""
    games: set[tuple[str, str]] = set()
    refused: set[tuple[str, str]] = set()
    for each in asked:
        answer = front.ask(_ask(each, callers[each.identity]), begin + each.moment)
        games.add((each.identity, each.game))
        if answer.status == 429:
            refused.add((each.identity, each.game))
        elif answer.status != 200:
            raise ValueError(f"an honest play was not answered: {answer.body}")
    return Met(len(games), len(refused))


def _ask(asked: Asked, caller: Caller) -> Ask:
    turn = asked.turn
    body = {"rules": RULES.id, "position": turn.position, "rack": turn.rack, "move": turn.move, "game": asked.game}
    return Ask(caller, "/v1/plays", body if asked.player is None else {**body, "player": asked.player})
