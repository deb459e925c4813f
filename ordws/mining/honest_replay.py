"""What honest games meet at a house: refusals, and alarms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.mining import traffic
from ordws.mining.attack_driver import BenchTarget
from ordws.mining.attackers.steps import BenchCaller, BenchRequest, judge_request
from ordws.mining.installation import BenchInstallation
from ordws.mining.recorded_games import RULES, honest_games
from ordws.mining.traffic import HonestQuestion, TrafficKind

OPERATOR_UNITS: Final = 40_000
"""The daily total that its keeper has set for an operator of a thousand games a day."""

_STREAMS: Final = {
    "home": traffic.home_traffic,
    "duel": traffic.duel_traffic,
    "club": traffic.club_traffic,
    "operator": traffic.operator_traffic,
}


class HonestResult(NamedTuple):
    """How many games there were, and how many of them met a refusal."""

    games: int
    refused: int

    @property
    def share(self) -> float:
        return self.refused / self.games if self.games else 0.0


def honest_questions(kind: TrafficKind, rng: Random, *, identities: int, days: int) -> list[HonestQuestion]:
    """What so many of a kind ask on so many days."""
    return list(_STREAMS[kind](honest_games(), rng, identities=identities, days=days))


def add_clients(
    installation: BenchInstallation, questions: Iterable[HonestQuestion], now: int, *, verified: bool, age_days: int
) -> dict[str, BenchCaller]:
    """A key for every identity. What many people share has one address, and operators their keeper's total."""
    callers: dict[str, BenchCaller] = {}
    for kind, identity in sorted({(each.kind, each.identity) for each in questions}):
        is_operator = kind in ("club", "operator")
        callers[identity] = installation.add_client(
            identity,
            now,
            kind="operator" if is_operator else "home",
            age_days=age_days,
            verified=verified or is_operator,
            units=OPERATOR_UNITS if kind == "operator" else None,
        )
    return callers


def register_regulars(
    installation: BenchInstallation, questions: Iterable[HonestQuestion], callers: Mapping[str, BenchCaller], begin: int
) -> None:
    """Let operators' regulars be known, as they would be who have come for weeks: so many new ones a day."""
    seen: dict[str, list[str]] = {}
    for each in questions:
        if each.kind == "operator" and each.player is not None:
            seen.setdefault(each.identity, []).append(each.player)
    for identity, players in seen.items():
        for number, player in enumerate(dict.fromkeys(players)):
            day = begin - (40 - number // 20) * DAY
            installation.ask(judge_request(callers[identity]._replace(player=player), ["AN"], None), day)


def replay(
    target: BenchTarget, questions: Iterable[HonestQuestion], callers: Mapping[str, BenchCaller], begin: int
) -> HonestResult:
    """Ask all of it, whatever was refused; a game that met one refusal counts."""
    games: set[tuple[str, str]] = set()
    refused: set[tuple[str, str]] = set()
    for each in questions:
        answer = target.ask(_play_request(each, callers[each.identity]), begin + each.moment)
        games.add((each.identity, each.game))
        if answer.status == 429:
            refused.add((each.identity, each.game))
        elif answer.status != 200:
            raise ValueError(f"an honest play was not answered: {answer.body}")
    return HonestResult(len(games), len(refused))


def _play_request(question: HonestQuestion, caller: BenchCaller) -> BenchRequest:
    turn = question.turn
    body = {"rules": RULES.id, "position": turn.position, "rack": turn.rack, "move": turn.move, "game": question.game}
    return BenchRequest(caller, "/v1/plays", body if question.player is None else {**body, "player": question.player})
