"""The influence of each curator on the decisions, and their consistency: signs of capture and of fatigue. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ordws.curation.acts import CheckAnswered, CheckRetracted, RecordedAct
from ordws.curation.agreement import Share, is_decided_by_ballots, judgements
from ordws.curation.ballot import Ballot, Vote
from ordws.curation.decision import DECIDING_LEAD, decide
from ordws.curation.family import FamilyStanding
from ordws.curation.voting_rounds import FamilyState

MAX_INFLUENCE: Final = 0.02
"""The share of decisions that may hang on one curator: above it the other curators look at that curator's votes."""


class Consistency(NamedTuple):
    """A curator's answers to cards that were shown as a check."""

    repeats: Share
    """Of the silent repeats, those answered as before."""
    known_items: Share
    """Of the known items, those answered as they were decided."""


def influence(families: Iterable[FamilyState], *, panel: int) -> dict[str, Share]:
    """Return, by curator, the share of the ballots' decisions that would include other forms without their vote.

    If the other ballots decide nothing the decision does not differ, since further votes would have been taken.
    """
    differing, decisions, curators = Counter[str](), 0, set[str]()
    for family in families:
        if not is_decided_by_ballots(family):
            continue
        decisions += 1
        curators |= family.voters
        # Two voters decide only by equal votes, and without either of them nothing would be decided.
        if len(family.voters) <= DECIDING_LEAD:
            continue
        # If every vote is on the whole family all its forms have one outcome, and any name stands for them.
        is_whole = not any(ballot.forms for ballot in family.ballots)
        forms = ("",) if is_whole else family.forms
        included = _included_forms(family, forms, family.ballots, panel)
        for curator in family.voters:
            others = [ballot for ballot in family.ballots if ballot.curator != curator]
            differing[curator] += _included_forms(family, forms, others, panel) not in (included, None)
    return {curator: Share(differing[curator], decisions) for curator in sorted(curators)}


def consistency(acts: Iterable[RecordedAct], families: Mapping[str, FamilyState]) -> dict[str, Consistency]:
    """Return how curators answered repeats and known items, by name; doubts and open families are left out."""
    acts = list(acts)
    retracted = {recorded.act.id for recorded in acts if isinstance(recorded.act, CheckRetracted)}
    agreed: dict[str, dict[str, list[bool]]] = {}
    for recorded in acts:
        act, family = recorded.act, families.get(recorded.subject)
        if not isinstance(act, CheckAnswered) or act.id in retracted or family is None or family.is_open:
            continue
        if act.purpose == "repeat":
            expected = judgements(family.ballots).get(recorded.actor)
        else:
            outcome = family.decision.outcome if family.decision else "open"
            expected = outcome == "in" if outcome in ("in", "out") else None
        if expected is not None and act.vote != "doubt":
            by_purpose = agreed.setdefault(recorded.actor, {"repeat": [], "known": []})
            by_purpose[act.purpose].append(expected == (act.vote == "in"))
    return {
        curator: Consistency(*[Share(sum(each), len(each)) for each in by_purpose.values()])
        for curator, by_purpose in sorted(agreed.items())
    }


def _included_forms(
    family: FamilyState, forms: tuple[str, ...], ballots: Iterable[Ballot], panel: int
) -> frozenset[str] | None:
    """Return those of these forms that the ballots let in; None if they leave the family open."""
    # Curators are replaced by numbers, so that families with the same sequence of votes share an entry of the cache.
    numbers: dict[str, int] = {}
    votes = tuple([(numbers.setdefault(each.curator, len(numbers)), each.vote, each.forms) for each in ballots])
    return _cached_included_forms(family.standing or "borderline", forms, votes, panel)


@lru_cache(maxsize=10_000)
def _cached_included_forms(
    standing: FamilyStanding, forms: tuple[str, ...], votes: tuple[tuple[int, Vote, tuple[str, ...]], ...], panel: int
) -> frozenset[str] | None:
    ballots = [Ballot("", "", str(number), vote, named, "", "") for number, vote, named in votes]
    decision = decide("", standing, forms, ballots, panel=panel)
    return None if decision.outcome == "open" else frozenset([form for form in forms if decision.includes(form)])
