"""A round to be paired, and its draft: plain values that neither numpy nor a matching library is needed for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple


class PairingMethod(NamedTuple):
    """A method by which a director may have the rounds of an event paired; `draft.py` has how it pairs."""

    title: str
    why: str = ""
    """What a player is told of every pairing, in place of averages of opponents."""


PAIRING_METHODS: Final = {"average": PairingMethod("everyone's opponents near the average player")}
"""The methods by their names in the settings of an event."""


class PairingPlayer(NamedTuple):
    """An entrant as the pairing sees them: everything from closed rounds, nothing of a game that was forfeited."""

    number: int
    points: int
    """Turn points of all games, as standings count them."""
    turns: int
    opponents: tuple[int, ...] = ()
    """The entrants they have met, in the order of the meetings; a forfeit is no meeting."""
    rounds_met: tuple[int, ...] = ()
    """The round of each meeting, as long as `opponents` and in its order."""
    starts: int = 0
    """Meetings in which they went first; with two games a round, in the first game."""
    replies: int = 0
    """Meetings in which they went second."""
    byes: int = 0


class PairingProblem(NamedTuple):
    """All that decides a draft: equal problems have equal drafts, on every machine (docs/tournaments.md)."""

    players: tuple[PairingPlayer, ...]
    """All entrants, those who left too, for others have met them; by number."""
    present: tuple[int, ...]
    """The numbers of those who are to be paired, ascending."""
    rounds: int
    """Rounds of the whole event."""
    rounds_played: int
    """Rounds before this one that count."""
    games_a_round: int = 1
    forbidden: frozenset[tuple[int, int]] = frozenset()
    """Pairs that must not meet, the smaller number first."""
    together: frozenset[tuple[int, int]] = frozenset()
    """Pairs that must meet in this round, the smaller number first."""
    seed: int = 0
    """The seed of the event, the same in all rounds: a draft counts on what the next one will find."""
    method: str = "average"
    redraws: int = 0
    """Drafts of this round that were published and voided: the lots are drawn anew after each."""


class DraftedPairing(NamedTuple):
    """Two who shall meet in the round; the order of the pairings of a draft is that of their tables."""

    first: int
    second: int
    is_repeat: bool = False
    cost: float = 0.0
    """Root mean square, in points per turn, of where the opponents of the two stand from the field's after it."""


class Draft(NamedTuple):
    """A proposal for a round, which nothing but its problem has decided."""

    pairings: tuple[DraftedPairing, ...]
    bye: int | None = None
    notes: tuple[str, ...] = ()
    """Sentences for the director: repeats, broken constraints, a second bye; entrants appear as `{7}`.

    `fill_names` puts the names in.
    """


def fill_names(note: str, names: Mapping[int, str]) -> str:
    """Return a note with the names of entrants in place of their numbers in braces."""
    return re.sub(r"\{(\d+)\}", lambda found: names[int(found[1])], note)
