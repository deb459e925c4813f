"""The state of a case, folded from its facts: its phase at a moment, its deadlines, and who may see what. Pure.

Deadlines are whole days, UTC: the day on which something happened does not count, and the last day counts whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.cases import facts
from ordws.cases.facts import ExhibitKind, FiledFact, ReviewerFinding, Stage
from ordws.public_register import Offence
from ordws.retention import DAY

ANSWER_DAYS: Final = 14
APPEAL_DAYS: Final = 30
ENTRY_YEARS: Final = 3


def end_of_days(at: int, days: int) -> int:
    """Return the second since 1970 at which the last of so many whole days after `at` is over."""
    return at - at % DAY + (days + 1) * DAY


def years_after(at: int, years: int) -> int:
    """Return the beginning of the same day of the year, so many years later; of 29 February, of 1 March."""
    day = datetime.fromtimestamp(at, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        later = day.replace(year=day.year + years)
    except ValueError:
        later = day.replace(year=day.year + years, month=3, day=1)
    return int(later.timestamp())


def date_text(at: int) -> str:
    """Return the UTC date of a second since 1970, as 2026-11-23."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def last_day(deadline: int) -> str:
    """Return the date of the last day before a deadline."""
    return date_text(deadline - 1)


PANEL_SIZE: Final = 3
MAJORITY: Final = 2
"""The reviewers who have to see a case to answer, and of those who decide the ones who have read the file before."""

CasePhase: TypeAlias = Literal[
    "reviewers-needed",
    "opinions",
    "notice-due",
    "time-to-answer",
    "decision-due",
    "time-to-appeal",
    "publication-due",
    "published",
    "entry-review-due",
    "closed",
]
CaseEnding: TypeAlias = Literal["dismissed", "dropped", "not-established", "overturned", "struck", "under-age"]
"""The end of a closed case; `under-age` is an established one without an entry."""

CLEARED: Final[frozenset[CaseEnding]] = frozenset(["dismissed", "dropped", "not-established", "overturned"])
"""The outcomes after which prizes are paid."""


class Opinion(NamedTuple):
    """An opinion of a reviewer; `reasons` is the digest of an exhibit."""

    stage: Stage
    reviewer: str
    finding: ReviewerFinding
    reasons: str
    at: int

    @property
    def is_against_player(self) -> bool:
        return self.finding in ("case-to-answer", "established")


class CaseRuling(NamedTuple):
    """The decision of a case or of its appeal; `reasons` is the digest of an exhibit."""

    is_established: bool
    reasons: str
    at: int
    by: str


class FiledExhibit(NamedTuple):
    """An exhibit in the order of the file."""

    kind: ExhibitKind
    digest: str
    at: int
    actor: str


@dataclass(frozen=True, kw_only=True)
class CaseState:
    """A case as its facts leave it; times are seconds since 1970, None before their fact."""

    case: str
    subject: str
    offence: Offence
    is_minor: bool
    is_calibrated: bool
    first_game: int
    last_game: int
    opened_at: int
    opened_by: str
    held: tuple[tuple[str, int], ...] = ()
    exhibits: tuple[FiledExhibit, ...] = ()
    panels: Mapping[Stage, tuple[str, ...]] = field(default_factory=dict)
    ever_assigned: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    """The reviewers who left a panel: they do not come back."""

    opinions: tuple[Opinion, ...] = ()
    dismissed_at: int | None = None
    dropped_at: int | None = None
    noticed_at: int | None = None
    code: str = ""
    answered_at: int | None = None
    decision: CaseRuling | None = None
    appealed_at: int | None = None
    appeal: CaseRuling | None = None
    published_at: int | None = None
    looked_at: int | None = None
    note: str = ""
    struck_at: int | None = None

    @property
    def stage(self) -> Stage:
        """The reading that the case has come to."""
        if self.appealed_at is not None:
            return "appeal"
        if self.noticed_at is None:
            return "first"
        return "answer" if "answer" in self.panels else "decision"

    @property
    def panel(self) -> tuple[str, ...]:
        """The reviewers of the present reading."""
        return self.panels.get(self.stage, ())

    def opinions_of(self, stage: Stage) -> dict[str, Opinion]:
        """Return the opinions of a reading by reviewer."""
        return {opinion.reviewer: opinion for opinion in self.opinions if opinion.stage == stage}

    @property
    def first_readers(self) -> tuple[str, ...]:
        """Those with an opinion of the first reading who have left no panel since."""
        return tuple([name for name in self.opinions_of("first") if name not in self.left])

    @property
    def is_unanimous(self) -> bool:
        """True if all three reviewers of the present reading hold the pattern established."""
        findings = [opinion.finding for opinion in self.opinions_of(self.stage).values()]
        return findings == ["established"] * PANEL_SIZE

    @property
    def answer_deadline(self) -> int | None:
        return None if self.noticed_at is None else end_of_days(self.noticed_at, ANSWER_DAYS)

    @property
    def appeal_deadline(self) -> int | None:
        return None if self.decision is None else end_of_days(self.decision.at, APPEAL_DAYS)

    @property
    def entry_review_due(self) -> int | None:
        """The moment from which the entry is not shown before somebody has looked at it again."""
        return None if self.looked_at is None else years_after(self.looked_at, ENTRY_YEARS)

    @property
    def is_established(self) -> bool:
        """True if a decision stands that the pattern is established."""
        return self.decision is not None and self.decision.is_established and self.outcome != "overturned"

    @property
    def outcome(self) -> CaseEnding | None:
        """The end of a case that no step of its own moves on any more; None while there is one."""
        if self.dropped_at is not None:
            return "dropped"
        if self.dismissed_at is not None:
            return "dismissed"
        if self.appeal is not None and not self.appeal.is_established:
            return "overturned"
        if self.struck_at is not None:
            return "struck"
        if self.decision is not None and not self.decision.is_established:
            return "not-established"
        return None

    @property
    def holds_prizes(self) -> bool:
        """True while prizes wait: from the notice while the case is open, and where the pattern was established."""
        return self.noticed_at is not None and self.outcome not in CLEARED

    def holds_prizes_due(self, due: int | None) -> bool:
        """Return whether prizes wait that nobody is paid before `due`; None where no such time holds.

        Before the notice nothing that a player can see may change, and after that time all others have theirs.
        """
        return self.holds_prizes and (due is None or (self.noticed_at or 0) < due)

    def phase(self, now: int) -> CasePhase:
        """Return what the case waits for at a moment."""
        if self.outcome is not None:
            return "closed"
        if self.appealed_at is not None and self.appeal is None:
            return self._reading() or "decision-due"
        if self.decision is None:
            if self.answer_deadline is None:
                return self._reading() or "notice-due"
            if self.answered_at is None and now < self.answer_deadline:
                return "time-to-answer"
            return self._reading() or "decision-due"
        deadline = self.appeal_deadline
        assert deadline is not None
        if self.published_at is not None and not self.is_minor:
            due = self.entry_review_due
            return "entry-review-due" if due is not None and due <= now else "published"
        if self.appeal is None and now < deadline:
            return "time-to-appeal"
        return "closed" if self.is_minor else "publication-due"

    def ending(self, now: int) -> CaseEnding | None:
        """Return the outcome of a closed case; None while it is open or published."""
        if self.outcome is None and self.is_minor and self.phase(now) == "closed":
            return "under-age"
        return self.outcome

    def _reading(self) -> Literal["reviewers-needed", "opinions"] | None:
        """Return what the present reading lacks, None where all three opinions are in."""
        if len(self.panel) < PANEL_SIZE:
            return "reviewers-needed"
        return "opinions" if len(self.opinions_of(self.stage)) < PANEL_SIZE else None


def fold_cases(recorded: Iterable[FiledFact]) -> dict[str, CaseState]:
    """Return the state of every case by its id, in the order in which they were opened."""
    states: dict[str, CaseState] = {}
    for each in recorded:
        states[each.case] = apply_fact(states.get(each.case), each)
    return states


def apply_fact(state: CaseState | None, recorded: FiledFact) -> CaseState:
    """Return the state after a fact; the first fact of a case is `Opened`."""
    fact, at, actor = recorded.fact, recorded.at, recorded.actor
    if isinstance(fact, facts.Opened):
        return CaseState(
            case=recorded.case,
            subject=fact.subject,
            offence=fact.offence,
            is_minor=fact.is_minor,
            is_calibrated=fact.is_calibrated,
            first_game=fact.first_game,
            last_game=fact.last_game,
            opened_at=at,
            opened_by=actor,
        )
    assert state is not None, f"case {recorded.case} begins with {facts.kind_of_fact(fact)}"
    match fact:
        case facts.ExhibitsErased():
            return state
        case facts.ExhibitAdded():
            filed = FiledExhibit(fact.exhibit, fact.digest, at, actor)
            return replace(state, exhibits=(*state.exhibits, filed))
        case facts.PrizeHeld():
            return replace(state, held=(*state.held, (fact.event, fact.entrant)))
        case facts.ReviewersAssigned() | facts.ReviewerLeft() | facts.OpinionGiven():
            return _apply_to_panel(state, fact, at)
        case facts.Dismissed():
            return replace(state, dismissed_at=at)
        case facts.Dropped():
            return replace(state, dropped_at=at)
        case facts.NoticeGiven():
            return replace(state, noticed_at=at, code=fact.code)
        case facts.AnswerReceived():
            return replace(state, answered_at=at)
        case facts.Decided():
            return replace(state, decision=CaseRuling(fact.finding == "established", fact.reasons, at, fact.keeper))
        case facts.Appealed():
            return replace(state, appealed_at=at)
        case facts.AppealDecided():
            return replace(state, appeal=CaseRuling(not fact.is_upheld, fact.reasons, at, fact.keeper))
        case facts.EntryPublished():
            return replace(state, published_at=at, looked_at=at)
        case facts.EntryReviewed():
            return replace(state, looked_at=at, note=fact.note or state.note)
        case facts.EntryStruck():
            return replace(state, struck_at=at)
        case facts.MarkedUnderAge():
            return replace(state, is_minor=True)


def _apply_to_panel(
    state: CaseState, fact: facts.ReviewersAssigned | facts.ReviewerLeft | facts.OpinionGiven, at: int
) -> CaseState:
    if isinstance(fact, facts.OpinionGiven):
        opinion = Opinion(fact.stage, fact.reviewer, fact.finding, fact.reasons, at)
        panels = {**state.panels, fact.stage: _panel_before(state, fact.stage)}
        return replace(state, opinions=(*state.opinions, opinion), panels=panels)
    panel = _panel_before(state, fact.stage)
    if isinstance(fact, facts.ReviewersAssigned):
        joined = (*panel, *fact.reviewers)
        ever = state.ever_assigned | set(fact.reviewers)
        return replace(state, panels={**state.panels, fact.stage: joined}, ever_assigned=ever)
    stayed = tuple([name for name in panel if name != fact.reviewer])
    return replace(state, panels={**state.panels, fact.stage: stayed}, left=state.left | {fact.reviewer})


def _panel_before(state: CaseState, stage: Stage) -> tuple[str, ...]:
    """Return the panel of a reading before a fact of it; the reading `answer` began with the three of the first."""
    return state.panels.get(stage, state.panels["first"] if stage == "answer" else ())


PHASES_OF_READING: Final[tuple[CasePhase, ...]] = ("reviewers-needed", "opinions")


def is_opinion_due(state: CaseState, reviewer: str, now: int) -> bool:
    """Return whether a reviewer has an opinion to give."""
    is_reading = state.phase(now) in PHASES_OF_READING
    return is_reading and reviewer in state.panel and reviewer not in state.opinions_of(state.stage)


def is_over(state: CaseState, now: int) -> bool:
    """Return whether no opinion is asked for any more, nor can be without an appeal."""
    return state.phase(now) in ("time-to-appeal", "publication-due", "published", "entry-review-due", "closed")


def opinions_for_reviewer(state: CaseState, reviewer: str, now: int) -> tuple[Opinion, ...]:
    """Return a reviewer's own opinions, and those of all once the case is over: nobody is led by another's."""
    if reviewer in state.ever_assigned and is_over(state, now):
        return state.opinions
    return tuple([opinion for opinion in state.opinions if opinion.reviewer == reviewer])


def opinions_for_keeper(state: CaseState) -> tuple[Opinion, ...]:
    """Return the opinions of every reading whose three are in, which a decision has to rest on."""
    return tuple([opinion for opinion in state.opinions if len(state.opinions_of(opinion.stage)) == PANEL_SIZE])


def may_read(state: CaseState, reviewer: str) -> bool:
    """Return whether a reviewer may open a file: on the panel now, or with an opinion given in it."""
    return reviewer in state.panel or reviewer in [opinion.reviewer for opinion in state.opinions]


def due_day(state: CaseState, now: int) -> str:
    """Return the last day of the time that runs now, "" where none does."""
    deadlines = {
        "time-to-answer": state.answer_deadline,
        "time-to-appeal": state.appeal_deadline,
        "published": state.entry_review_due,
    }
    deadline = deadlines.get(state.phase(now))
    return "" if deadline is None else last_day(deadline)
