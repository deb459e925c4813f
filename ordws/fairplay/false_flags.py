"""The false flags that were simulated, with the shipped forms or those of an installation (docs/fairplay.md 3, 7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from math import exp
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordws.errors import BadInput
from ordws.fairplay.flags import FlagKind
from ordws.fairplay.milestones import OUTAGE_ALLOWANCE

_SHIPPED: Final = "false_flags.json"
_HINT: Final = "ordws fairplay simulate --in-force writes it anew"


class CountAtThreshold(NamedTuple):
    """The simulated honest players whom a threshold in nats has flagged, and the 95 % bound of their share."""

    threshold: float
    flagged: int
    players: int
    bound: float


class FalseFlagCounts(NamedTuple):
    """The false flags of one simulation; they hold for the forms of one version alone."""

    forms: str
    seed: int
    turns: int
    """The number of turns up to which players were looked at."""

    thresholds: tuple[CountAtThreshold, ...]

    def to_text(self) -> str:
        """Return the counts as `read_false_flags` reads them."""
        written = {**self._asdict(), "thresholds": [each._asdict() for each in self.thresholds]}
        return json.dumps(written, indent=2) + "\n"


def read_false_flags(path: Path) -> list[FalseFlagCounts]:
    """Return what was simulated in an installation, if anything, then what was simulated with the shipped forms.

    Raises BadInput where the file of the installation has something else.
    """
    found = []
    try:
        found.append(_read(path.read_text("utf-8")))
    except FileNotFoundError:
        pass
    except (ValueError, KeyError, TypeError) as err:
        raise BadInput(f'"{path}" has no counts of false flags: {err}', hint=_HINT) from err
    return [*found, _read(files(__package__).joinpath(_SHIPPED).read_text("utf-8"))]


def _read(text: str) -> FalseFlagCounts:
    written = json.loads(text)
    rows = tuple([CountAtThreshold(**row) for row in written["thresholds"]])
    return FalseFlagCounts(written["forms"], written["seed"], written["turns"], rows)


class SimulatedBound(NamedTuple):
    """The false flags that were simulated at a threshold, or a sentence that says why there are none."""

    counts: dict[str, Any] | None
    missing: str | None


def simulated_bound(measured: Sequence[FalseFlagCounts], forms: str, in_use: float) -> SimulatedBound:
    """Return what was simulated with these forms at the largest threshold not above this one.

    What was simulated with other forms is never returned: nobody knows what it would be worth for these.
    """
    counts = next((each for each in measured if each.forms == forms), None)
    if counts is None:
        missing = (
            "the false flags of these honest forms were not simulated, and no bound of other forms holds for them"
            " (ordws fairplay simulate --in-force)"
        )
        return SimulatedBound(None, missing)
    # Thresholds are written with one decimal or two.
    rows = [row for row in counts.thresholds if row.threshold <= in_use + 0.005]
    if not rows:
        return SimulatedBound(None, f"no false flags were simulated at a threshold as low as {in_use:.2f} nats")
    return SimulatedBound({**max(rows)._asdict(), "turns": counts.turns}, None)


class RaisedFlag(NamedTuple):
    """The part of a flag on which its rate of false ones depends."""

    kind: str
    forms: str
    turns: int
    """The milestone of the look that raised it."""

    threshold: float


def rate_in_words(flag: RaisedFlag, measured: Sequence[FalseFlagCounts], forms_in_force: str) -> str:
    """Return how often the test behind a flag flags honest players, its bound, and what that assumes.

    Raises BadInput where no figure holds for the flag: nobody is given notice without one (docs/fairplay.md 7).
    """
    if not flag.threshold:
        raise BadInput(
            "the figures of an older version do not say by which flag they were filed", hint="open a case on a new flag"
        )
    if flag.kind == FlagKind.QUITTING.value:
        return (
            f"At each look at a player, at most 1 honest player in {int(exp(flag.threshold)):,} is flagged for leaving"
            " games. That is computed, not simulated (Chernoff's bound). It assumes that a game which one loses to a"
            f" failure says nothing of the next, and that nobody loses more than {OUTAGE_ALLOWANCE:.0%} of their games"
            " to failures beyond what is usual."
        )
    if flag.forms != forms_in_force:
        raise BadInput(
            "the figures were worked out with honest forms that are not in force, and no rate of false flags holds for"
            " them",
            hint="open a case on a flag by the forms in force",
        )
    bound = simulated_bound(measured, flag.forms, flag.threshold)
    if bound.counts is None:
        raise BadInput(str(bound.missing), hint=_HINT)
    counts = bound.counts
    if flag.turns > counts["turns"]:
        raise BadInput(
            f"false flags were simulated up to {counts['turns']} turns, and this flag was raised at {flag.turns}",
            hint="nobody is given notice on it; ordws cases drop",
        )
    return (
        f"Of {counts['players']:,} simulated honest players {counts['flagged']} were flagged within {counts['turns']}"
        f" turns, so that at most 1 in {int(1 / counts['bound']):,} would be (with 95 % confidence). That assumes that"
        " real players find plays as the simulated ones do, and that none sees more in the long run than the strongest"
        " of those whose games in person the program was fitted to here."
    )
