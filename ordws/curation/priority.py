"""The order in which families are best decided: by how often they are played, and how doubtful the answer is. Pure.

The priority is the expected cost of a wrong answer: frequency of play times uncertainty. It is a plain model of the
evidence with weights set by judgement. It only sorts cards: curators do not see it, and no decision depends on it.
"""

from __future__ import annotations

from math import exp
from typing import Final

from ordws.curation.family import Candidate, Family

_WEIGHT_BY_LENGTH: Final = (0.0, 0.0, 1.0, 0.9, 0.7, 0.5, 0.35, 0.35, 0.25)
"""The likelihood of a word to be played, by its length from 0 on; seven and eight letters empty a rack."""
_LONG_WORD_WEIGHT: Final = 0.05
_RARE_LETTERS: Final = frozenset("JQXZ")
_RARE_LETTER_FACTOR: Final = 1.5
"""Players look for short words with a letter that scores high."""
_DEFAULT_ZIPF: Final = 1.5
"""The Zipf figure assumed for a word without a measured frequency: about one in thirty million words."""
_MIDDLE_BAND: Final = 65.0
"""The SCOWL band at which large dictionaries begin to differ; 20 bands below or above nearly all of them agree."""
_MAX_LABELS: Final = 3


def priority(family: Family) -> float:
    """Return the expected cost of a wrong answer on a family, in arbitrary units."""
    return sum([play_likelihood(each) for each in family.candidates]) * uncertainty(family)


def play_likelihood(candidate: Candidate) -> float:
    """Return how likely a form is to be played, in arbitrary units; the forms of a family add up."""
    length = len(candidate.word)
    fits = _WEIGHT_BY_LENGTH[length] if length < len(_WEIGHT_BY_LENGTH) else _LONG_WORD_WEIGHT
    sought = _RARE_LETTER_FACTOR if length <= 5 and not _RARE_LETTERS.isdisjoint(candidate.word) else 1.0
    met = 0.25 + max(0.0, _DEFAULT_ZIPF if candidate.zipf is None else candidate.zipf) / 4
    return fits * sought * met


def uncertainty(family: Family) -> float:
    """Return how uncertain the answer on a family is, from 0 to 1: most where the evidence for and against balances."""
    sources = {witness.source for each in family.candidates for witness in each.witnesses}
    labels = {label for each in family.candidates for witness in each.witnesses for label in witness.labels}
    bands = [each.band for each in family.candidates if each.band is not None]
    zipf = max([each.zipf for each in family.candidates if each.zipf is not None], default=_DEFAULT_ZIPF)
    weight = 0.8 * (len(sources) - 2) + 0.6 * (zipf - 2) - 0.7 * min(len(labels), _MAX_LABELS)
    weight += (_MIDDLE_BAND - min(bands)) / 20 if bands else -0.5
    weight += 2.0 if family.standing == "flagged" else 0.0
    likely = 1 / (1 + exp(-weight))
    return 4 * likely * (1 - likely)
