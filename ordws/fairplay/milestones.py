"""When a player is looked at, and how much gain raises a flag (docs/fairplay.md 3)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple

MILESTONES: Final = (120, 240, 480, 960, 1_920)
"""The numbers of turns at which a player is looked at, each time at just so many of the first turns."""

FEWEST_GAMES: Final = 8
"""The number of games with a play that a look takes at least, whole."""

EVENT_PLAYERS: Final = 200
EVENT_MILESTONES: Final = 3

FLAGGED_SHARE: Final = 1 / 200
"""The share of fields in which anybody honest is flagged, as planned: a field is all players at all milestones."""


OUTAGE_ALLOWANCE: Final = 0.03
"""The share of games that anybody may leave beyond the field's share: lost networks, empty batteries."""


class FieldSize(NamedTuple):
    """The size of a field, from which the threshold follows: players, and milestones at which each is looked at."""

    players: int = EVENT_PLAYERS
    milestones: int = EVENT_MILESTONES

    @property
    def threshold(self) -> float:
        """The gain in nats that raises a flag, with the planned share of error spent evenly over all looks.

        A likelihood ratio of two fixed hypotheses is above its inverse with at most that probability, so looks that are
        each allowed FLAGGED_SHARE / (players x milestones) raise a false flag in no more than this share of such fields
        together. The gains have fitted mixtures on both sides, so for them this is a plan, and simulation says what it
        comes to.
        """
        return log(self.players * self.milestones) - log(FLAGGED_SHARE)


class DueLook(NamedTuple):
    """A look that a player has come to: its milestone, and the number of the first turns that it takes."""

    milestone: int
    turns: int


def looks_due(turns_of_games: Sequence[int], milestones: int = len(MILESTONES)) -> list[DueLook]:
    """Return the looks at the first so many milestones that a player has come to, by the turns of each game in order.

    A look takes as many of the first turns as its milestone says, and no fewer than those of the first 8 games that
    have any. Where these games reach beyond the next milestone, the two looks would be one, and the later one counts.
    """
    played = [turns for turns in turns_of_games if turns]
    if len(played) < FEWEST_GAMES:
        return []
    fewest = sum(played[:FEWEST_GAMES])
    passed = [milestone for milestone in MILESTONES[:milestones] if milestone <= sum(played)]
    by_turns = {max(milestone, fewest): milestone for milestone in passed}
    return [DueLook(milestone, turns) for turns, milestone in by_turns.items()]
