"""A replay of honest games against an installation, which counts refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.mining.attack_driver import BenchTarget
from ordws.mining.attackers.steps import BenchCaller, BenchRequest, judge_request
from ordws.mining.installation import BenchInstallation
from ordws.mining.recorded_games import RULES, honest_games
from ordws.mining.traffic import HonestQuestion, TrafficKind, honest_traffic

OPERATOR_UNITS: Final = 40_000
"""The daily total that a keeper has set for an operator of a thousand games a day."""


class HonestResult(NamedTuple):
    """The number of games, and the number of those that met a refusal."""

    games: int
    refused: int

    @property
    def share(self) -> float:
        return self.refused / self.games if self.games else 0.0


def honest_questions(kind: TrafficKind, rng: Random, *, identities: int, days: int) -> list[HonestQuestion]:
    """Return the questions of so many identities of a kind on so many days."""
    return list(honest_traffic(kind, honest_games(), rng, identities=identities, days=days))


def add_clients(
    installation: BenchInstallation, questions: Iterable[HonestQuestion], now: int, *, verified: bool, age_days: int
) -> dict[str, BenchCaller]:
    """Register a client for every identity.

    Clubs and operators are verified; each identity has one address, and operators have their keeper's total.
    """
    callers: dict[str, BenchCaller] = {}
    for kind, identity in sorted({(each.kind, each.identity) for each in questions}):
        # A club is an operator whose tables are its players.
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
    """Make the regular players of operators known, twenty a day, as they would be after weeks of play."""
    seen: dict[str, list[str]] = {}
    for each in questions:
        if each.kind == "operator" and each.player is not None:
            seen.setdefault(each.identity, []).append(each.player)
    for identity, players in seen.items():
        # Twenty a day, as the default policy admits new players.
        for number, player in enumerate(dict.fromkeys(players)):
            day = begin - (40 - number // 20) * DAY
            installation.ask(judge_request(callers[identity]._replace(player=player), ["AN"], None), day)


def replay(
    target: BenchTarget, questions: Iterable[HonestQuestion], callers: Mapping[str, BenchCaller], begin: int
) -> HonestResult:
    """Ask all questions, whatever was refused; a game that met one refusal counts as refused."""
    games: set[tuple[str, str]] = set()
    refused: set[tuple[str, str]] = set()
    for each in questions:
        turn = each.turn
        body = {"rules": RULES.id, "position": turn.position, "rack": turn.rack, "move": turn.move, "game": each.game}
        if each.player is not None:
            body["player"] = each.player
        reply = target.ask(BenchRequest(callers[each.identity], "/v1/plays", body), begin + each.moment)
        games.add((each.identity, each.game))
        if reply.status == 429:
            refused.add((each.identity, each.game))
        elif reply.status != 200:
            raise ValueError(f"an honest play was not answered: {reply.body}")
    return HonestResult(len(games), len(refused))


def replay_bystanders(target: BenchTarget, seed: int, identities: int, begin: int) -> tuple[HonestResult, HonestResult]:
    """Replay a day of home games after an attack: of unverified players, then of verified ones."""
    results = []
    for verified in (False, True):
        questions = honest_questions("home", Random(f"{seed}/{verified}"), identities=identities, days=1)
        questions = [each._replace(identity=f"{each.identity} {verified}") for each in questions]
        callers = add_clients(target.installation, questions, begin, verified=verified, age_days=400)
        results.append(replay(target, questions, callers, begin))
    return results[0], results[1]
