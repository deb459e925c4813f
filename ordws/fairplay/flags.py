"""Flags, and what reviewers may see behind one (docs/fairplay.md 5): bands, never words, never best plays."""

from __future__ import annotations

from contextlib import closing
from enum import Enum
from typing import Final, NamedTuple

from ordws.errors import Missing
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
