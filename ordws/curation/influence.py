"""What each curator moves, and how steadily each answers: so that capture and fatigue are seen. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ordws.curation.acts import Checked, Done, Unchecked
from ordws.curation.agreement import Share, is_voted, judgements
from ordws.curation.ballot import Ballot, Vote
from ordws.curation.decision import LEAD, decide
from ordws.curation.family import Standing
from ordws.curation.rounds import Matter

MOVES_TOO_MUCH: Final = 0.02
"""Of all decisions: a curator without whom more would differ is looked at by the others. (EXPERIENCE A3)"""


class Steadiness(NamedTuple):
    """How a curator answered cards that were shown to see how he judges."""

    same: Share
    """Silent repeats: answered as before."""
    right: Share
    """Known items: answered as they were decided."""


def influence(matters: Iterable[Matter], *, panel: int) -> dict[str, Share]:
    """Of all decisions of ballots, how many would let in other forms had a curator not voted; by curator.

    Where the other ballots decide nothing the decision does not differ: further votes would have been taken.
    """
    differing, decisions, curators = Counter[str](), 0, set[str]()
    for matter in matters:
        if not is_voted(matter):
            continue
        decisions += 1
        curators |= matter.voters
        if len(matter.voters) > LEAD:
            differing.update(_moved(matter, panel))
    return {curator: Share(differing[curator], decisions) for curator in sorted(curators)}


def steadiness(acts: Iterable[Done], matters: Mapping[str, Matter]) -> dict[str, Steadiness]:
    """How curators answered repeats and known items; doubts, and families that are voted on, count for nothing."""
    acts = list(acts)
    back = {done.act.id for done in acts if isinstance(done.act, Unchecked)}
    agreed: dict[str, dict[str, list[bool]]] = {}
    for done in acts:
        matter = matters.get(done.subject)
        if not isinstance(done.act, Checked) or done.act.id in back or matter is None or matter.is_open:
            continue
        expected = _expected(matter, done.who, done.act)
        if expected is not None and done.act.vote != "doubt":
            by_purpose = agreed.setdefault(done.who, {"repeat": [], "known": []})
            by_purpose[done.act.purpose].append(expected == (done.act.vote == "in"))
    return {
        curator: Steadiness(*[Share(sum(each), len(each)) for each in by_purpose.values()])
        for curator, by_purpose in sorted(agreed.items())
    }


def _moved(matter: Matter, panel: int) -> Iterator[str]:
    """Those without whom a family would have come out otherwise."""
    is_whole = not any(ballot.forms for ballot in matter.ballots)
    forms = ("",) if is_whole else matter.forms
    held = _admitted(matter, forms, matter.ballots, panel)
    for curator in matter.voters:
        others = [ballot for ballot in matter.ballots if ballot.curator != curator]
        if _admitted(matter, forms, others, panel) not in (held, None):
            yield curator


def _admitted(matter: Matter, forms: tuple[str, ...], ballots: Iterable[Ballot], panel: int) -> frozenset[str] | None:
    """Which of these forms the ballots let in; None where they leave it open.

    Families that were voted on alike, as wholes, come out alike: few of them need counting.
    """
    places: dict[str, int] = {}
    said = tuple([(places.setdefault(each.curator, len(places)), each.vote, each.forms) for each in ballots])
    return _admits(matter.standing or "borderline", forms, said, panel)


@lru_cache(maxsize=10_000)
def _admits(
    standing: Standing, forms: tuple[str, ...], said: tuple[tuple[int, Vote, tuple[str, ...]], ...], panel: int
) -> frozenset[str] | None:
    ballots = [Ballot("", "", str(who), vote, named, "", "") for who, vote, named in said]
    decision = decide("", standing, forms, ballots, panel=panel)
    return None if decision.outcome == "open" else frozenset([form for form in forms if decision.admits(form)])


def _expected(matter: Matter, curator: str, act: Checked) -> bool | None:
    """What a curator's own vote was, or how a known item came out; None where there is nothing to go by."""
    if act.purpose == "repeat":
        return judgements(matter.ballots).get(curator)
    outcome = matter.decision.outcome if matter.decision else "open"
    return outcome == "in" if outcome in ("in", "out") else None
