"""Changes of a draft by hand: what it costs to let two meet who were drafted apart."""

from __future__ import annotations

import math
from typing import NamedTuple

from ordws.errors import BadInput
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.pairing.problem import Draft, PairingProblem


class ChangeCost(NamedTuple):
    """A draft in which two meet whom the director puts together, beside the draft without that."""

    draft: Draft
    rms_before: float
    """How far everyone's opponents stand from the field after the round as drafted, root mean square in PPT."""
    rms_after: float
    """The same after the changed round."""
    repeats_more: int
    """Repeats that the change brings; negative where it saves some."""
    moved: int
    """Pairings of the draft that are not in the changed one."""

    def in_words(self) -> str:
        """Return the cost in a sentence for the director."""
        rise = self.rms_after - self.rms_before
        sentence = f"costs {rise:+.2f} points per turn ({self.rms_before:.2f} to {self.rms_after:.2f})"
        sentence += f" and moves {self.moved} pairing{'' if self.moved == 1 else 's'}"
        if self.repeats_more > 0:
            sentence += f", with {self.repeats_more} more repeat{'' if self.repeats_more == 1 else 's'}"
        return sentence


def cost_of_change(problem: PairingProblem, draft: Draft, a: int, b: int) -> ChangeCost:
    """Return what it costs that entrants `a` and `b` meet in this round, everyone else being drafted anew.

    Raises BadInput if one of them is not present, or both are the same.
    """
    if a == b or not {a, b} <= set(problem.present):
        raise BadInput(f"entrants {a} and {b} cannot meet: two who are present are needed")
    pair = (min(a, b), max(a, b))
    kept = {other for other in problem.together if not {a, b} & set(other)}
    changed = draft_round(problem._replace(together=frozenset(kept | {pair}), forbidden=problem.forbidden - {pair}))
    met = {frozenset((each.first, each.second)) for each in changed.pairings}
    return ChangeCost(
        changed,
        _rms(draft),
        _rms(changed),
        sum(each.is_repeat for each in changed.pairings) - sum(each.is_repeat for each in draft.pairings),
        sum(frozenset((each.first, each.second)) not in met for each in draft.pairings),
    )


def _rms(draft: Draft) -> float:
    if not draft.pairings:
        return 0.0
    return math.sqrt(math.fsum(each.cost * each.cost for each in draft.pairings) / len(draft.pairings))
