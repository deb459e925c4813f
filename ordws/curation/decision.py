"""What a family's ballots amount to: votes are taken one after another until one side leads by two. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.curation.ballot import Ballot
from ordws.curation.family import FamilyStanding

Outcome: TypeAlias = Literal["open", "in", "out", "contested"]

DECIDING_LEAD: Final = 2
MIN_PANEL_SIZE: Final = 3
DEFAULT_PANEL_SIZE: Final = 5


class Tally(NamedTuple):
    """The votes on one form, and what they amount to."""

    ins: int
    outs: int
    outcome: Outcome


NO_VOTES: Final = Tally(0, 0, "open")


@dataclass(frozen=True)
class Decision:
    """How the forms of a family were voted, and whether each is in."""

    family: str
    standing: FamilyStanding
    forms: Mapping[str, Tally]
    rest: Tally
    """The votes on the family as a whole: they decide the forms that join it later."""

    @property
    def outcome(self) -> Outcome:
        """Open while one of its forms is; contested where one of them is; in where one of them is in."""
        outcomes = {tally.outcome for tally in self.forms.values()}
        order: tuple[Outcome, ...] = ("open", "contested", "in")
        return next((outcome for outcome in order if outcome in outcomes), "out")

    def outcome_of(self, word: str) -> Outcome:
        """What a form came to, also one that joined the family after the vote; open while the family is."""
        return "open" if self.outcome == "open" else self.forms.get(word, self.rest).outcome

    def includes(self, word: str) -> bool:
        """Whether a form is in. Where no vote settles it, a borderline form is out and a flagged one in."""
        match self.outcome_of(word):
            case "in":
                return True
            case "out":
                return False
            case "open" | "contested":
                return self.standing == "flagged"


def max_votes(panel: int) -> int:
    """How many votes a form may take: three where three or four may vote, else five. (EXPERIENCE A3)

    Two are left in the second round of a panel of three, without its chair: their two votes are all there can be.
    """
    if panel < DECIDING_LEAD:
        raise ValueError(f"a panel has {DECIDING_LEAD} who vote or more, not {panel}")
    return min(panel, 3) if panel <= 4 else 5


def decide(
    family: str,
    standing: FamilyStanding,
    forms: Iterable[str],
    ballots: Iterable[Ballot],
    *,
    panel: int = DEFAULT_PANEL_SIZE,
) -> Decision:
    """The decision that a round's ballots on a family have brought about so far, in the order they were cast."""
    most = max_votes(panel)
    decision = Decision(family, standing, dict.fromkeys(sorted(forms), NO_VOTES), NO_VOTES)
    newest: dict[str, Ballot] = {}
    for ballot in ballots:
        if decision.outcome != "open":
            break
        newest[ballot.curator] = ballot
        decision = _recount(decision, newest.values(), most, panel)
    return decision


def _recount(before: Decision, ballots: Iterable[Ballot], max_votes: int, panel: int) -> Decision:
    """Count again what is open; what is decided stays as it is."""
    forms = dict(before.forms)
    for form, past in forms.items():
        if past.outcome == "open":
            forms[form] = tally([_vote_on_form(ballot, form) for ballot in ballots], max_votes, panel)
    rest = before.rest
    if rest.outcome == "open":
        rest = tally([None if ballot.forms else _vote_on_family(ballot) for ballot in ballots], max_votes, panel)
    return Decision(before.family, before.standing, forms, rest)


def tally(votes: list[bool | None], max_votes: int, panel: int) -> Tally:
    """What votes in (True), votes out and abstentions amount to, where `most` may be taken of a panel of that size.

    Where all have said what they have to say, doubts too, no vote can come any more: it is contested.
    """
    ins, outs = votes.count(True), votes.count(False)
    if abs(ins - outs) >= DECIDING_LEAD:
        return Tally(ins, outs, "in" if ins > outs else "out")
    return Tally(ins, outs, "contested" if ins + outs >= max_votes or len(votes) >= panel else "open")


def _vote_on_family(ballot: Ballot) -> bool | None:
    match ballot.vote:
        case "in":
            return True
        case "out":
            return False
        case "doubt":
            return None


def _vote_on_form(ballot: Ballot, form: str) -> bool | None:
    """Naming forms in says that the others are out; naming forms out says nothing of the others."""
    vote = _vote_on_family(ballot)
    if not ballot.forms or form in ballot.forms:
        return vote
    return False if vote else None
