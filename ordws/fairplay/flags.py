"""Flags, what reviewers may see behind one, and how often honest players get one (docs/fairplay.md 3, 5, 7).

Reviewers see bands, never words, never best plays. False flags were simulated, with the shipped forms or those of an
installation.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from enum import Enum
from importlib.resources import files
from math import exp
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordws.errors import BadInput, Missing
from ordws.fairplay.milestones import OUTAGE_ALLOWANCE
from ordws.fairplay.store import FairPlayStore
from ordws.instance import Instance
from ordws.row_cipher import open_key


class FlagKind(Enum):
    """The test that raised a flag."""

    CHOICES = "choices"
    """The best play is chosen more often than any mixture of honest forms explains."""

    QUITTING = "quitting"
    """Games are left while the player is behind and has time, far oftener than the field leaves them."""


CATEGORIES: Final = ("choices", "times", "quitting")
"""The categories of evidence; `times` only corroborates and raises no flag."""

BANDS: Final = ("none", "slight", "marked", "strong", "overwhelming")
"""The five bands in which gains are shown, the weakest first."""


class Flag(NamedTuple):
    """A flag: it asks people to look, and the case that they open on it may hold prizes; it decides nothing."""

    number: int
    """The number under which the store keeps it, from 1 on; 0 before it is kept."""

    player: str
    """The identity that played: `CLIENT`, or `CLIENT/PLAYER` for an operator's player (`player_id`)."""

    kind: str
    """A value of `FlagKind`."""

    milestone: int
    """The milestone: the look took so many of the first turns, or those of the first 8 games where these have more."""

    games: int
    gain: float
    """The gain in log-likelihood, in nats; for the keeper alone, reviewers see its band."""

    threshold: float
    calibrated: bool
    """Whether the honest forms were refitted on games in person. Nobody is accused where they were not."""

    bands: dict[str, int]
    """The index in `BANDS` of each of `CATEGORIES`."""

    raised: int
    """Seconds since 1970."""

    forms: str = ""
    """The version of the honest forms; empty in flags that an older version of ordws has kept."""


class OwnPeriod(NamedTuple):
    """The player against themselves: the bands of the turns up to a milestone from the one before."""

    first_turn: int
    last_turn: int
    bands: dict[str, int]


class FlagEvidence(NamedTuple):
    """Everything that a reviewer may see beside the records that both seats saw."""

    player: str
    turns: int
    games: tuple[str, ...]
    """The ids of the games, the first one first; their results have the digests of their records."""

    first_ended: int
    """The second since 1970 at which the first of the games ended; `last_ended` that of the last."""

    last_ended: int
    bands: dict[str, int]
    """The bands of the first `counted` turns."""

    counted: int
    """The turns that the last look took; all of them before the first look."""

    periods: tuple[OwnPeriod, ...]
    calibrated: bool


def player_id(client: str, player: str | None) -> str:
    """Return the identity of a seat's holder, as flags name it."""
    return client if player is None else f"{client}/{player}"


def open_store(instance: Instance) -> FairPlayStore:
    """Open the numbers of an installation; raises Missing where `ordws fairplay run` has never run."""
    if not instance.fairplay.exists():
        raise Missing(f'no numbers of games in "{instance.root}"', hint="ordws fairplay run makes them")
    path = instance.fairplay_key
    try:
        key = path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint="ordws restore, from a backup") from err
    return FairPlayStore(instance.fairplay, key)


def create_store(instance: Instance) -> FairPlayStore:
    """Open the numbers of an installation, and make their key and file where there are none.

    Raises Missing where the key of a file that is there is gone.
    """
    return FairPlayStore.create(instance.fairplay, open_key(instance.fairplay_key, instance.fairplay))


def open_flags(instance: Instance) -> list[Flag]:
    """Return all flags that are kept, the first one first; a case file knows which of them it has taken up."""
    with closing(open_store(instance)) as store:
        return [Flag(*written) for written in store.flags()]


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
