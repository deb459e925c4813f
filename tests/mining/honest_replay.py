"""A replay of honest games against an installation, which counts refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final, NamedTuple

from ordws.fairplay.recorded_games import RULES, honest_games
from ordws.guard.policy import DAY
from tests.mining.attack_driver import BenchTarget
from tests.mining.attackers.steps import BenchCaller, BenchReply, BenchRequest, judge_request
from tests.mining.day_plans import TrafficKind
from tests.mining.installation import BenchInstallation
from tests.mining.sealed_replay import SealedReplay
from tests.mining.traffic import HonestQuestion, honest_traffic

OPERATOR_UNITS: Final = 16_000
"""The daily total that a keeper has set for an operator of a thousand games a day."""

HOME_KINDS: Final[frozenset[TrafficKind]] = frozenset({"home", "duel", "full-day", "new"})
UNVERIFIED_KINDS: Final[frozenset[TrafficKind]] = frozenset({"new", "new-operator"})
"""The kinds of callers on their first day, whom no keeper has verified."""

_BUDGETS_OF_A_GAME: Final = frozenset({"game", "plays"})


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
    installation: BenchInstallation,
    questions: Iterable[HonestQuestion],
    now: int,
    *,
    verified: bool | None = None,
    age_days: int | None = None,
) -> dict[str, BenchCaller]:
    """Register a client for every identity, verified and old unless its kind is new; guests have the play link.

    Each identity has one address, and operators have their keeper's total.
    """
    callers: dict[str, BenchCaller] = {}
    for kind, identity in sorted({(each.kind, each.identity) for each in questions}):
        if kind == "guests":
            callers[identity] = installation.add_guest(identity, now)
            continue
        is_new = kind in UNVERIFIED_KINDS
        callers[identity] = installation.add_client(
            identity,
            now,
            kind="home" if kind in HOME_KINDS else "operator",
            age_days=(0 if is_new else 400) if age_days is None else age_days,
            verified=not is_new if verified is None else verified,
            units=OPERATOR_UNITS if kind == "operator" else None,
        )
    return callers


def register_regulars(
    installation: BenchInstallation,
    questions: Iterable[HonestQuestion],
    callers: Mapping[str, BenchCaller],
    begin: int,
    new_a_day: int,
) -> None:
    """Make the regular players of operators known, so many a day, as they would be after weeks of play."""
    seen: dict[str, list[str]] = {}
    for each in questions:
        if each.kind == "operator" and each.player is not None:
            seen.setdefault(each.identity, []).append(each.player)
    for identity, players in seen.items():
        for number, player in enumerate(dict.fromkeys(players)):
            day = begin - (40 - number // new_a_day) * DAY
            installation.ask(judge_request(callers[identity]._replace(player=player), ["AN"], None), day)


def replay(
    target: BenchTarget, questions: Iterable[HonestQuestion], callers: Mapping[str, BenchCaller], begin: int
) -> HonestResult:
    """Ask all questions, whatever was refused; a game that met one refusal counts as refused."""
    replayed = HonestReplay(target, callers, begin)
    for each in questions:
        replayed.ask(each)
    return replayed.result


class HonestReplay:
    """A replay in progress, with the programs of its callers: their own, a paired tablet, or games that we deal."""

    def __init__(self, target: BenchTarget, callers: Mapping[str, BenchCaller], begin: int) -> None:
        self._target, self._callers, self._begin = target, callers, begin
        self._games: set[tuple[str, str]] = set()
        self._refused: set[tuple[str, str]] = set()
        self._sealed: dict[tuple[str, str], SealedReplay] = {}
        self._devices: dict[tuple[BenchCaller, str | None], BenchCaller] = {}
        self._labels: dict[BenchCaller, int] = {}

    @property
    def result(self) -> HonestResult:
        """The games so far."""
        return HonestResult(len(self._games), len(self._refused))

    def ask(self, question: HonestQuestion) -> None:
        """Ask about one turn, as the program of this kind of caller does; raises ValueError for a strange reply."""
        caller, now = self._callers[question.identity], self._begin + question.moment
        game = question.identity, question.label
        match question.kind:
            case "sealed-tournament" | "guests":
                if game not in self._sealed:
                    self._sealed[game] = SealedReplay(self._target.installation, Random(f"{game}"))
                reply = self._sealed[game].ask(caller, question, now)
            case "challenges":
                reply = self._judge_on_tablet(caller, question, now)
            case _:
                turn = question.turn
                body = {"rules": RULES.id, "position": turn.position, "rack": turn.rack, "move": turn.move}
                body["game"] = question.label
                if question.player is not None:
                    body["player"] = question.player
                reply = self._target.ask(BenchRequest(caller, "/v1/plays", body), now)
        self._games.add(game)
        if reply.status == 429:
            self._refused.add(game)
        elif reply.status != 200:
            raise ValueError(f"an honest play was not answered: {reply.body}")

    def _judge_on_tablet(self, caller: BenchCaller, question: HonestQuestion, now: int) -> BenchReply:
        """Judge a challenged play on the table's tablet, which begins a new game when the budget of one is spent."""
        table = caller, question.player
        if table not in self._devices:
            self._devices[table] = self._target.installation.pair_device(caller, question.player or "", now)
        device = self._devices[table]
        for _ in range(2):
            label = f"tablet game {self._labels.setdefault(device, 1)}"
            body = {"words": question.turn.words, "rules": RULES.id, "game": label}
            reply = self._target.ask(BenchRequest(device, "/v1/judge", body), now)
            if reply.budget not in _BUDGETS_OF_A_GAME:
                break
            self._labels[device] += 1
        return reply


def replay_bystanders(target: BenchTarget, seed: int, identities: int, begin: int) -> tuple[HonestResult, HonestResult]:
    """Replay a day of home games after an attack: of unverified players, then of verified ones."""
    results = []
    for verified in (False, True):
        questions = honest_questions("home", Random(f"{seed}/{verified}"), identities=identities, days=1)
        questions = [each._replace(identity=f"{each.identity} {verified}") for each in questions]
        callers = add_clients(target.installation, questions, begin, verified=verified)
        results.append(replay(target, questions, callers, begin))
    return results[0], results[1]


def replay_newcomers(target: BenchTarget, seed: int, newcomers: int, begin: int) -> HonestResult:
    """Replay the first game of the day of new, unverified players, one after another, after an attack."""
    questions = honest_questions("new", Random(f"{seed}/newcomers"), identities=newcomers, days=1)
    questions = sorted([each for each in questions if each.label == "0-1"], key=lambda each: each.identity)
    callers = add_clients(target.installation, questions, begin)
    return replay(target, questions, callers, begin)
