"""What each curator moves, and how steadily each answers: so that capture and fatigue are seen. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ordws.curation.acts import CheckAnswered, CheckRetracted, RecordedAct
from ordws.curation.agreement import Share, is_decided_by_ballots, judgements
from ordws.curation.ballot import Ballot, Vote
from ordws.curation.decision import DECIDING_LEAD, decide
from ordws.curation.family import FamilyStanding
from ordws.curation.voting_rounds import FamilyState

MAX_INFLUENCE: Final = 0.02
"""Of all decisions: a curator without whom more would differ is looked at by the others. (EXPERIENCE A3)"""


class Consistency(NamedTuple):
    """How a curator answered cards that were shown to see how he judges."""

    repeats: Share
    """Silent repeats: answered as before."""
    known_items: Share
    """Known items: answered as they were decided."""


def influence(families: Iterable[FamilyState], *, panel: int) -> dict[str, Share]:
    """Of all decisions of ballots, how many would let in other forms had a curator not voted; by curator.

    Where the other ballots decide nothing the decision does not differ: further votes would have been taken.
    """
    differing, decisions, curators = Counter[str](), 0, set[str]()
    for matter in families:
        if not is_decided_by_ballots(matter):
            continue
        decisions += 1
        curators |= matter.voters
        if len(matter.voters) > DECIDING_LEAD:
            differing.update(_decisive_curators(matter, panel))
    return {curator: Share(differing[curator], decisions) for curator in sorted(curators)}


def consistency(acts: Iterable[RecordedAct], families: Mapping[str, FamilyState]) -> dict[str, Consistency]:
    """How curators answered repeats and known items; doubts, and families that are voted on, count for nothing."""
    acts = list(acts)
    back = {done.act.id for done in acts if isinstance(done.act, CheckRetracted)}
    agreed: dict[str, dict[str, list[bool]]] = {}
    for done in acts:
        matter = families.get(done.subject)
        if not isinstance(done.act, CheckAnswered) or done.act.id in back or matter is None or matter.is_open:
            continue
        expected = _expected_vote(matter, done.actor, done.act)
        if expected is not None and done.act.vote != "doubt":
            by_purpose = agreed.setdefault(done.actor, {"repeat": [], "known": []})
            by_purpose[done.act.purpose].append(expected == (done.act.vote == "in"))
    return {
        curator: Consistency(*[Share(sum(each), len(each)) for each in by_purpose.values()])
        for curator, by_purpose in sorted(agreed.items())
    }


def _decisive_curators(family: FamilyState, panel: int) -> Iterator[str]:
    """Those without whom a family would have come out otherwise."""
    is_whole = not any(ballot.forms for ballot in family.ballots)
    forms = ("",) if is_whole else family.forms
    held = _included_forms(family, forms, family.ballots, panel)
    for curator in family.voters:
        others = [ballot for ballot in family.ballots if ballot.curator != curator]
        if _included_forms(family, forms, others, panel) not in (held, None):
            yield curator


def _included_forms(
    family: FamilyState, forms: tuple[str, ...], ballots: Iterable[Ballot], panel: int
) -> frozenset[str] | None:
    """Which of these forms the ballots let in; None where they leave it open.

    Families that were voted on alike, as wholes, come out alike: few of them need counting.
    """
    places: dict[str, int] = {}
    said = tuple([(places.setdefault(each.curator, len(places)), each.vote, each.forms) for each in ballots])
    return _cached_included_forms(family.standing or "borderline", forms, said, panel)


@lru_cache(maxsize=10_000)
def _cached_included_forms(
    standing: FamilyStanding, forms: tuple[str, ...], votes: tuple[tuple[int, Vote, tuple[str, ...]], ...], panel: int
) -> frozenset[str] | None:
    ballots = [Ballot("", "", str(who), vote, named, "", "") for who, vote, named in votes]
    decision = decide("", standing, forms, ballots, panel=panel)
    return None if decision.outcome == "open" else frozenset([form for form in forms if decision.includes(form)])


def _expected_vote(family: FamilyState, curator: str, act: CheckAnswered) -> bool | None:
    """What a curator's own vote was, or how a known item came out; None where there is nothing to go by."""
    if act.purpose == "repeat":
        return judgements(family.ballots).get(curator)
    outcome = family.decision.outcome if family.decision else "open"
    return outcome == "in" if outcome in ("in", "out") else None
