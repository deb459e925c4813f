"""The false flags that were simulated, with the shipped forms or those of an installation (docs/fairplay.md 3, 7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordws.errors import BadInput

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
