"""Honest forms: what people of a vocabulary and an attention know, see and so choose (docs/fairplay.md 2).

A play is known with a probability that falls with the rarity of its rarest word, and seen with one that falls with the
number of its tiles. The best of those that are known and seen is chosen, whose likelihood has a closed form. Forms are
a grid of vocabularies and attentions, with a form that plays at random, and forms that try doubtful words.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.errors import BadInput

Numbers = NDArray[np.float64]

BANDS_OF_RARITY: Final = 3
"""The rarity bands that public lists tell: 0 core, 1 in the players' reference alone, 2 in neither."""

FIRST_BORDERLINE_BAND: Final = 1

TILE_CLASSES: Final = (0, 0, 0, 1, 1, 2, 2, 3)
"""The class of a play by the number of its tiles, up to seven and more."""

_LEAST: Final = 1e-4


class FormParameters(NamedTuple):
    """The numbers that honest forms are made of; both grids are logits, of the easiest word and the shortest play."""

    vocabularies: tuple[float, ...] = (0.0, 1.5, 3.0, 4.5, 6.0)
    attentions: tuple[float, ...] = (-3.2, -2.3, -1.4, -0.7, 0.05)
    """The last one is the ceiling: nobody honest sees more in the long run."""

    rarity: tuple[float, ...] = (-1.8, 2.0, 4.0)
    """The difficulty of knowing a word of each band."""

    tiles: tuple[float, ...] = (-0.25, 0.1, 0.5, 1.0)
    """The difficulty of seeing a play of each class of tiles."""

    doubtful_success: float = 0.55
    """The share of doubtful words, tried by people who do not know them, that are acceptable."""

    slip: float = 0.02
    """The share of plays that people think they know and that are rejected."""


@dataclass(frozen=True)
class HonestForms:
    """All honest forms. Their columns: each vocabulary with each attention, the random form, the gamblers."""

    parameters: FormParameters
    calibrated: bool
    """Whether the parameters were fitted to games in person."""

    @property
    def version(self) -> str:
        """The digest of the parameters; numbers of other versions are not counted together."""
        text = json.dumps([self.parameters, self.calibrated])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def knowers(self) -> int:
        """The number of forms with a vocabulary and an attention."""
        return len(self.parameters.vocabularies) * len(self.parameters.attentions)

    @property
    def count(self) -> int:
        return self.knowers + 1 + len(self.gambler_attentions)

    @property
    def gambler_attentions(self) -> tuple[float, ...]:
        """The attentions of people who try a doubtful word: all but the ceiling, every other one."""
        return self.parameters.attentions[1:-1:2]

    def knowing(self, bands: NDArray[np.integer[Any]]) -> Numbers:
        """Return the probability that each play is known, by play and vocabulary."""
        difficulty = np.array(self.parameters.rarity)[bands]
        return logistic(np.array(self.parameters.vocabularies) - difficulty[:, None])

    def seeing(self, tiles: NDArray[np.integer[Any]], attentions: tuple[float, ...]) -> Numbers:
        """Return the probability that each play is seen, by play and attention."""
        classes = np.array(TILE_CLASSES)[np.minimum(tiles, len(TILE_CLASSES) - 1)]
        return logistic(np.array(attentions) - np.array(self.parameters.tiles)[classes][:, None])


DEFAULT_FORMS: Final = HonestForms(FormParameters(), calibrated=False)


def logistic(value: Numbers) -> Numbers:
    """Return the probability of a logit, kept away from 0 and 1."""
    return np.clip(1 / (1 + np.exp(-value)), _LEAST, 1 - _LEAST)


def read_forms(path: Path) -> HonestForms:
    """Return the forms of an installation: those that `write_forms` left there, else the uncalibrated ones."""
    try:
        written = json.loads(path.read_text("utf-8"))
        parameters = FormParameters(**written["parameters"])
        grids = [tuple(map(float, grid)) for grid in parameters[:4]]
        shares = [float(share) for share in parameters[4:]]
        return HonestForms(FormParameters(*grids, *shares), bool(written["calibrated"]))  # type: ignore[arg-type]
    except FileNotFoundError:
        return DEFAULT_FORMS
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        raise BadInput(f'"{path}" has no honest forms: {err}', hint="ordws fairplay calibrate writes it anew") from err


def write_forms(forms: HonestForms) -> str:
    """Return the forms as `read_forms` reads them."""
    return json.dumps({"calibrated": forms.calibrated, "parameters": forms.parameters._asdict()}, indent=2) + "\n"


Integers = NDArray[np.integer[Any]]

_HARDLY_EVER: Final = 1e-9


class RankedPlays(NamedTuple):
    """The plays of many positions, end to end: of each position by falling score; numbers only."""

    starts: Integers
    """The number of the first play of each position, and behind them the number of all plays."""

    scores: Integers
    bands: Integers
    """The rarity band of the rarest word of each play."""

    tiles: Integers

    @property
    def positions(self) -> Integers:
        """The number of the position of each play."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def is_borderline(self) -> NDArray[np.bool_]:
        return np.asarray(self.bands >= FIRST_BORDERLINE_BAND)

    @property
    def tied_bests(self) -> Integers:
        """The number of plays of each position that score most."""
        return np.add.reduceat(
            (self.scores == self.scores[self.starts[:-1]][self.positions]).astype(int), self.starts[:-1]
        )

    @property
    def engine(self) -> Numbers:
        """The probability that a program chooses each play: it takes any of the tied bests, and nothing else."""
        positions, best = self.positions, self.scores[self.starts[:-1]]
        return np.asarray((self.scores == best[positions]) / self.tied_bests[positions])


def join(positions: list[RankedPlays]) -> RankedPlays:
    """Put the plays of several positions end to end."""
    sizes = np.cumsum([0, *[len(each.scores) for each in positions]])
    starts = [each.starts[:-1] + begin for each, begin in zip(positions, sizes, strict=False)]
    fields = [np.concatenate([each[field] for each in positions]) for field in (1, 2, 3)]
    return RankedPlays(np.concatenate([*starts, sizes[-1:]]), *fields)


def choice_probabilities(plays: RankedPlays, seen: Numbers) -> Numbers:
    """Return the probability of choosing each play, given that one is chosen; those of a position add up to 1.

    `seen` has, by play and form, the probability q that the play is known and seen: a play is chosen if it is, and no
    better one is. Of plays with the same score that are seen each is chosen in proportion to its q, so that ties do
    not count as several bests.
    """
    unseen = np.concatenate([np.zeros((1, seen.shape[1])), np.cumsum(np.log1p(-seen), axis=0)])
    positions, starts = plays.positions, plays.starts
    is_first = np.ones(len(plays.scores), bool)
    is_first[1:] = (plays.scores[1:] != plays.scores[:-1]) | (positions[1:] != positions[:-1])
    ties, tie = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    none_better = np.exp(unseen[ties] - unseen[starts[positions[ties]]])
    any_of_tie = -np.expm1(unseen[np.append(ties[1:], len(tie))] - unseen[ties])
    any_at_all = -np.expm1(unseen[starts[1:]] - unseen[starts[:-1]])
    of_tie = none_better * any_of_tie / np.add.reduceat(seen, ties, axis=0)
    return np.asarray(of_tie[tie] * seen / any_at_all[positions])


def likelihoods(plays: RankedPlays, forms: HonestForms) -> Numbers:
    """Return the probability that each honest form chooses each play, by play and form; 0 for what no form does."""
    knowing = forms.knowing(plays.bands)
    seeing = forms.seeing(plays.tiles, forms.parameters.attentions)
    grid = (knowing[:, :, None] * seeing[:, None, :]).reshape(len(plays.scores), forms.knowers)
    at_random = 1 / np.diff(plays.starts)[plays.positions]
    # People who try words that they do not know choose among borderline plays, where there are any.
    borderline = plays.is_borderline
    has_borderline = (np.add.reduceat(borderline.astype(int), plays.starts[:-1]) > 0)[plays.positions]
    seen = forms.seeing(plays.tiles, forms.gambler_attentions)
    tried = choice_probabilities(plays, np.where((borderline | ~has_borderline)[:, None], seen, _HARDLY_EVER))
    gambles = np.where(borderline[:, None], tried, 0.0)
    return np.concatenate([choice_probabilities(plays, grid), at_random[:, None], gambles], axis=1)
