"""Families as curators have voted on them, from lines such as `ann+ ben- cleo?`."""

from __future__ import annotations

from ordws.curation.decision import Ballot, Vote, decide
from ordws.curation.voting_rounds import FamilyState, Round

VOTES: dict[str, Vote] = {"+": "in", "-": "out", "?": "doubt"}
AT = "2026-11-21T08:30:00Z"


def ballots(base: str, line: str, at: str = AT) -> tuple[Ballot, ...]:
    """Return a ballot for each word of the line: `+` in, `-` out, `?` doubt; `ben-:BASHED` names forms."""
    found = []
    for place, word in enumerate(line.split()):
        choice, _, forms = word.partition(":")
        named = tuple(forms.split(",")) if forms else ()
        found.append(Ballot(f"{base} {at} {place}", base, choice[:-1], VOTES[choice[-1]], named, "", at))
    return tuple(found)


def voted(
    line: str,
    base: str = "BASH",
    *,
    forms: tuple[str, ...] = (),
    number: int = 1,
    panel: int = 5,
    at: str = AT,
    is_second: bool = False,
    decided_by_class: str = "",
) -> FamilyState:
    """A family after these ballots in its present round, open if they do not decide it."""
    cast = ballots(base, line, at)
    decision = decide(base, "borderline", forms or (base,), cast, panel=panel)
    is_decided = decision.outcome != "open" or bool(decided_by_class)
    return FamilyState(
        base,
        "borderline",
        forms or (base,),
        Round(number, is_second=is_second, is_decided=is_decided),
        cast,
        decision if is_decided else None,
        decided_by_class,
    )
