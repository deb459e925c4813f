"""A simulated panel of five before the real queue, ledger and class rules: the cost of the open recipe's queue.

All but the opinions of the curators is the console's own: the choice of cards, when a family is decided, checks,
audits, second votes. Time is virtual, 8 seconds a card.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.console.panel_statistics import DailyFigures, WeeklyTables, collect_source, compute_figures, compute_tables
from ordws.console.state import ConsoleState, open_console_state
from ordws.curation import family_classes
from ordws.curation.acts import CheckAnswered, ClassProposed
from ordws.curation.curator_cards import Lease
from ordws.curation.decision import Ballot, Decision, Vote
from ordws.curation.family import Family
from ordws.curation.family_classes import ClassProposal
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from tests.benchmarks.curator_opinions import CuratorOpinions, draw_opinions
from tests.benchmarks.figure import Figure

CURATORS = ("Ann", "Ben", "Cleo", "Dora", "Emil")
SECONDS_PER_CARD = 8
START = 1_795_262_400
"""2026-11-21, 12:00 UTC."""
REVIEW_INTERVAL = 200
"""The number of cards of each curator after which the keeper looks at audits and the chair at contested families."""
SEED = 5
SAMPLING_KEY = b"k" * 32
"""The key from which the checks of curators are drawn."""
SAMPLE_SIZE = 20_000
QUICK_SAMPLE_SIZE = 5_000
MEMORY_FOLDER = Path("/dev/shm")
"""A folder in memory: a vote waits for no disk there, and its figures are not about disks."""


class AnsweredCard(NamedTuple):
    """A card on which a curator has decided."""

    id: str
    name: str
    lease: Lease
    vote: Vote


@dataclass
class PanelCounts:
    """Counts of the events of a run."""

    cards: int = 0
    ballots: int = 0
    discussions: int = 0
    family_classes: Counter[str] = field(default_factory=Counter)


class SimulatedPanel:
    """Five curators, a chair and a keeper, who settle a queue."""

    def __init__(self, state: ConsoleState, opinions: CuratorOpinions, clock: list[int], rng: Random) -> None:
        self.state, self.opinions, self.clock, self.rng = state, opinions, clock, rng
        self.counts = PanelCounts()

    def run(self, *, by_class: bool) -> None:
        """Run until nobody has a card."""
        if by_class:
            self.propose()
        for turn in count():
            self.clock[0] += SECONDS_PER_CARD
            is_idle = not self.deal_round()
            if is_idle or turn % REVIEW_INTERVAL == 0:
                self.audit()
                if not self.discuss() and is_idle:
                    return

    def deal_round(self) -> bool:
        """Answer one card of every curator at the same instant; returns False if nobody has one."""
        dealt = [(name, leases[0]) for name in CURATORS if (leases := self.state.queue.deal(name, self.clock[0]))]
        votes = [AnsweredCard(f"{self.counts.cards + i}", *each, self.vote(each[1])) for i, each in enumerate(dealt)]
        self.cast_ballots([each for each in votes if each.lease.purpose == "vote"])
        for each in votes:
            if each.lease.purpose != "vote":
                self.record_check(each)
            self.state.queue.answer(each.name, each.lease, each.vote, SECONDS_PER_CARD, self.clock[0])
        self.counts.cards += len(votes)
        return bool(votes)

    def vote(self, lease: Lease) -> Vote:
        return "in" if self.rng.random() < self.opinions.families[lease.base] else "out"

    def cast_ballots(self, votes: list[AnsweredCard]) -> None:
        at, bases = self.state.timestamp(), {each.lease.base for each in votes}
        ballots = {each.id: Ballot(each.id, each.lease.base, each.name, each.vote, (), "", at) for each in votes}
        rounds = {each.lease.base: each.lease.round for each in votes}
        with self.state.appending(bases) as ledger:
            ledger.cast(ballots, at, panel=len(CURATORS), rounds=rounds)
        self.counts.ballots += len(ballots)

    def record_check(self, answered: AnsweredCard) -> None:
        lease = answered.lease
        assert lease.purpose != "vote"
        act = CheckAnswered(id=answered.id, purpose=lease.purpose, vote=answered.vote)
        with self.state.appending([lease.base]) as ledger:
            ledger.append_acts([(lease.base, act)], answered.name, self.state.timestamp())

    def discuss(self) -> bool:
        """Open contested families, give a reason, and let all vote again; returns False if nothing is contested."""
        bases = [base for base, matter in self.state.family_states.items() if matter.is_contested]
        for base in bases:
            at = self.state.timestamp()
            with self.state.appending([base]) as ledger:
                ledger.open_discussion(base, "Kim", at)
            with self.state.appending([base]) as ledger:
                ledger.add_comment(base, "Ann", "here is my reason", at)
            with self.state.appending([base]) as ledger:
                ledger.open_second_vote(base, "Kim", at)
        self.counts.discussions += len(bases)
        return bool(bases)

    def propose(self) -> None:
        """Propose every class that is worth its audit, with the verdict that it leans to."""
        among = family_classes.class_members(self.state.derivations, self.state.family_states)
        for now in family_classes.classes_worth_auditing(among):
            act = ClassProposed(
                pattern=now.pattern,
                verdict=self.opinions.family_classes[now.pattern] or "in",
                sample=family_classes.draw_sample(now, self.rng),
            )
            with self.state.appending([]) as ledger:
                ledger.append_acts([(now.name, act)], "Kay", self.state.timestamp())
        self.prefer_classes()

    def audit(self) -> None:
        """Adopt the classes whose audit has ended well, and end the others whose audit is over."""
        among = family_classes.class_members(self.state.derivations, self.state.family_states)
        for proposal in self.proposals():
            audit = family_classes.audit_class(proposal, self.state.family_states)
            if proposal.state == "audited" and audit.judged == audit.size:
                self.end_class(proposal, among[proposal.pattern], family_classes.adoption_obstacle(proposal, audit))
        self.prefer_classes()

    def end_class(self, proposal: ClassProposal, among: list[FamilyState], obstacle: str | None) -> None:
        at = self.state.timestamp()
        if obstacle is not None:
            self.counts.classes["given up"] += 1
            with self.state.appending([]) as ledger:
                ledger.revert_class(proposal.name, "Kay", obstacle, at, panel=len(CURATORS))
            return
        self.counts.classes["adopted"] += 1
        bases = family_classes.families_to_decide(proposal, family_classes.preview_class(proposal.pattern, among))
        with self.state.appending(bases) as ledger:
            ledger.adopt_class(proposal.name, proposal.verdict, bases, "Kay", at)

    def proposals(self) -> list[ClassProposal]:
        with self.state.reading() as ledger:
            names = {family_classes.class_name(pattern) for pattern in self.opinions.family_classes}
            return list(family_classes.replay_proposals(ledger.acts(names)).values())

    def prefer_classes(self) -> None:
        self.state.queue.set_audited(family_classes.families_awaiting_audit(self.proposals(), self.state.family_states))


class PanelResult(NamedTuple):
    """The result of a panel on all families, and how long the figures of the progress page took over it."""

    counts: PanelCounts
    matters: dict[str, FamilyState]
    opinions: CuratorOpinions
    figures: DailyFigures
    tables: WeeklyTables
    copy_seconds: float
    """Seconds for which the ledger was locked to be copied."""
    figures_seconds: float

    @property
    def cards_a_word(self) -> float:
        return self.counts.cards / sum([len(matter.forms) for matter in self.matters.values()])

    @property
    def hours(self) -> float:
        return self.counts.cards * SECONDS_PER_CARD / 3600

    @property
    def agreement(self) -> float:
        """Return the share of families that an endless panel would decide likewise."""
        decisions = {base: matter.decision for base, matter in self.matters.items() if matter.decision is not None}
        return sum([self.is_right(base, decision) for base, decision in decisions.items()]) / len(decisions)

    def is_right(self, base: str, decision: Decision) -> bool:
        return decision.includes(base) == (self.opinions.families[base] > 0.5)


def simulate(families: Sequence[Family], *, are_regular: bool, by_class: bool, seed: int = SEED) -> PanelResult:
    """Simulate a panel on these families, with regular classes or without, with class rules or without."""
    chance = Random(seed)
    opinions = draw_opinions(families, chance, are_regular=are_regular)
    with tempfile.TemporaryDirectory(dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None) as folder:
        instance, clock = Instance(Path(folder)), [START]
        instance.make_folders()
        keyring = Keyring.create(instance.keys)
        for path in (instance.console_key, instance.ledger_key):
            write_atomically(path, SAMPLING_KEY, SECRET_MODE)
        with Ledger.create(instance.ledger, instance.ledger_head, SAMPLING_KEY, keyring) as ledger:
            ledger.set_queue(families, "2026-11-21T12:00:00Z")
        state = open_console_state(
            instance, Ledger.open(instance.ledger, instance.ledger_head, SAMPLING_KEY, keyring), lambda: clock[0]
        )
        with closing(state):
            panel = SimulatedPanel(state, opinions, clock, chance)
            panel.run(by_class=by_class)
            started = perf_counter()
            tomorrow = datetime.fromtimestamp(clock[0] + 86_400, UTC).date().isoformat()
            known = collect_source(state, tomorrow)
            copied = perf_counter()
            figures, tables = compute_figures(known), compute_tables(known)
            return PanelResult(
                panel.counts,
                dict(state.family_states),
                opinions,
                figures,
                tables,
                copied - started,
                perf_counter() - copied,
            )


def measure(families: Sequence[Family]) -> Iterator[Figure]:
    """Yield the panel's figures for a sample of the families, without regular classes."""
    plain = simulate(
        Random(SEED).sample(families, min(QUICK_SAMPLE_SIZE, len(families))), are_regular=False, by_class=False
    )
    yield from vote_figures(plain)


def measure_full(families: Sequence[Family]) -> Iterator[Figure]:
    """Yield the panel's figures without regular classes, and with class rules where classes are regular.

    Without rules regular classes are measured on a sample of the families; the calibration set weighs more there.
    """
    plain = simulate(families, are_regular=False, by_class=False)
    yield from vote_figures(plain)
    yield Figure("panel-cards", "cards a word, without class rules", round(plain.cards_a_word, 3), "cards", "<= 1.8")
    yield Figure("panel-hours", "hours of five together, without class rules", round(plain.hours), "h", "<= 360")
    yield Figure("panel-copy", "ledger held for the figures of progress", round(plain.copy_seconds, 2), "s", "<= 2")
    yield Figure("panel-figures", "figures of progress, beside votes", round(plain.figures_seconds, 1), "s", "<= 10")
    some = Random(SEED).sample(families, min(SAMPLE_SIZE, len(families)))
    regular = simulate(some, are_regular=True, by_class=False)
    yield Figure("panel-regular", "cards a word, regular classes", round(regular.cards_a_word, 3), "cards", "<= 1.8")
    ruled = simulate(families, are_regular=True, by_class=True)
    yield Figure("panel-ruled-cards", "the same, with class rules", round(ruled.cards_a_word, 3), "cards", "<= 1.6")
    yield Figure("panel-ruled-hours", "hours of five together, with class rules", round(ruled.hours), "h", "<= 320")
    right = round(100 * ruled.agreement, 1)
    yield Figure("panel-ruled-endless", "decided as an endless panel would, with class rules", right, "%", ">= 92")
    for name, outcome in (("without classes", plain), ("with class rules", ruled)):
        print_summary(name, outcome)


def vote_figures(result: PanelResult) -> Iterator[Figure]:
    """Return the figures of what votes cost and settle."""
    decisions = sum(result.tables.margins.values()) + result.counts.discussions
    what = f"simulated panel on {len(result.matters):,} families: votes a decision"
    yield Figure("panel-votes", what, round(result.counts.ballots / decisions, 3), "votes", "<= 2.6")
    yield Figure("panel-open", "families that stay open", result.figures.outcomes["open"], "families", "== 0")
    yield Figure("panel-endless", "decided as an endless panel would", round(100 * result.agreement, 1), "%", ">= 92")
    discussed = 1_000 * result.counts.discussions / len(result.matters)
    yield Figure("panel-discussions", "discussions for 1,000 families", round(discussed, 1), "", "<= 70")


def print_summary(name: str, result: PanelResult) -> None:
    """Print counts alone to standard error."""
    whole, outcomes = result.tables.whole, result.figures.outcomes
    moved = max([share.ratio or 0.0 for share in result.tables.influence.values()])
    print(
        f"  {name}: {len(result.matters):,} families, {result.counts.cards:,} cards, in {outcomes['in']:,}, out"
        f" {outcomes['out']:,}, still split {outcomes['contested']:,}, by class {result.figures.by_class:,};"
        f" classes {dict(result.counts.classes)}; raw agreement {whole.raw or 0:.3f}, alpha {whole.alpha or 0:.3f},"
        f" most moved by one curator {moved:.2%}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    from ordws.instance import Sources
    from tests.benchmarks import open_recipe
    from tests.benchmarks.figure import format_table as tell_figures

    print(tell_figures(list(measure_full(open_recipe.merge_open(Sources.locate()).families))))
