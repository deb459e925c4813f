"""When a player is looked at, and how much gain raises a flag (docs/fairplay.md 3)."""

from __future__ import annotations

import json
from importlib.resources import files
from math import log
from typing import Any, Final

MILESTONES: Final = (120, 240, 480, 960, 1_920)
"""The numbers of turns at which a player is looked at, each time at just so many of the first turns."""

FEWEST_GAMES: Final = 8

_MEASURED: Final = "false_flags.json"

EVENT_PLAYERS: Final = 200
EVENT_MILESTONES: Final = 3

FLAGGED_SHARE: Final = 1 / 200
"""The share of fields in which anybody honest is flagged, as planned: a field is all players at all milestones."""


def threshold(players: int, milestones: int, share: float = FLAGGED_SHARE) -> float:
    """Return the gain in nats that raises a flag, with the planned share of error spent evenly over all looks.

    A likelihood ratio of two fixed hypotheses is above its inverse with at most that probability, so looks that are
    each allowed share / (players x milestones) raise a false flag in no more than this share of such fields together.
    The gains have fitted mixtures on both sides, so for them this is a plan, and simulation says what it comes to.
    """
    if players < 1 or milestones < 1 or not 0 < share < 1:
        raise ValueError("a field has players and milestones, and a share of it lies between 0 and 1")
    return log(players * milestones) - log(share)


def reached(turns: int, games: int, milestones: int = len(MILESTONES)) -> list[int]:
    """Return those of the first so many milestones that a player with so many turns and games has reached."""
    if games < FEWEST_GAMES:
        return []
    return [milestone for milestone in MILESTONES[:milestones] if turns >= milestone]


def simulated_bound(forms: str, in_use: float) -> dict[str, Any] | None:
    """Return the false flags that were simulated at the largest threshold not above this one; None without any.

    They hold for the forms of one version alone.
    """
    measured = json.loads(files(__package__).joinpath(_MEASURED).read_text("utf-8"))
    rows = [row for row in measured["thresholds"] if row["threshold"] <= in_use + 0.005]
    if measured["forms"] != forms or not rows:
        return None
    row: dict[str, Any] = max(rows, key=lambda each: each["threshold"])
    return row
