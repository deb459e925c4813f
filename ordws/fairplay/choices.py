"""The likelihood of choosing a play: the best of those that are known and seen, in closed form (docs/fairplay.md 2)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.fairplay.forms import FIRST_BORDERLINE_BAND, HonestForms, Numbers

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
