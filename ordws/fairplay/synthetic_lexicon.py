"""A synthetic lexicon: words made of syllables, taken from no list, in families, some likelier to be true than others.

The true words are drawn anew for each seed, so that an attack is measured against words that nobody owns. Sizes and
probabilities are those of the real candidates: a quarter are core, the others uncertain by more than half a bit each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final

SIZE: Final = 243_458
TIERS: Final = (1, 2, 3, 4, 5, 6)
CORE_OUT: Final = 0.03
"""The share of core words that are not true: an edition of the open recipe lacks 2,128 of 63,730."""

PRIORS: Final = (1 - CORE_OUT, 1 - CORE_OUT, 0.85, 0.60, 0.35, 0.10)
"""The probability, by tier, that a word is true."""

FAMILY_WEIGHT: Final = 0.85
"""The probability that a word is decided together with its family."""

SHARES: Final = (0.1643, 0.0922, 0.2465, 0.1766, 0.1397, 0.1807)
"""The share of all words in each tier."""

SHORTEST: Final = 3
LONGEST: Final = 21


@dataclass(frozen=True)
class SyntheticLexicon:
    """All words that might be true, and how rare they are."""

    families: tuple[tuple[str, ...], ...]
    """Base words, each with the forms made from it."""

    tiers: Mapping[str, int]


def make_lexicon(seed: int, size: int = SIZE) -> SyntheticLexicon:
    """Make the lexicon of a seed, with so many words.

    Families are rare as a whole, long ones more so, and their members are about as rare as each other.
    """
    rng = Random(seed)
    taken: set[str] = set()
    families: list[tuple[str, ...]] = []
    while len(taken) < size:
        # A pronounceable base: groups of vowels and of consonants in turn.
        length, base = rng.choice(_LENGTHS), ""
        groups = rng.choice((_ONSETS, _ONSETS, _ONSETS, _VOWELS))
        while len(base) < length:
            base += rng.choice(groups)
            groups = _VOWELS if groups is not _VOWELS else _MIDDLES
        base = base[:length]
        if base in taken:
            continue
        forms = [base]
        for ending in rng.choice(_PATTERNS):
            if ending[0] in "EI" and base[-1] == "E":
                forms.append(base[:-1] + ending)
            else:
                forms.append(base + ("ES" if ending == "S" and base[-1] in "SXZ" else ending))
        distinct = dict.fromkeys([form for form in forms if len(form) <= LONGEST and form not in taken])
        family = tuple(distinct)[: size - len(taken)]
        taken.update(family)
        families.append(family)
    rarity: dict[str, float] = {}
    for family in families:
        shared = rng.random() + len(family[0]) / 30
        rarity |= {word: shared + rng.random() / 8 for word in family}
    ranked = sorted(rarity, key=rarity.__getitem__)
    ends = [round(len(ranked) * share) for share in accumulate(SHARES)]
    # The shares are rounded, so the last tier takes whatever is left.
    ends[-1] = len(ranked)
    starts = [0, *ends]
    tiers = {word: tier for tier in TIERS for word in ranked[starts[tier - 1] : ends[tier - 1]]}
    return SyntheticLexicon(tuple(families), tiers)


def draw_words(lexicon: SyntheticLexicon, chances: Sequence[float], rng: Random) -> frozenset[str]:
    """Draw words by the probabilities of their tiers, those of a family mostly together."""
    drawn = []
    for family in lexicon.families:
        shared = rng.random()
        for word in family:
            number = shared if rng.random() < FAMILY_WEIGHT else rng.random()
            if number < chances[lexicon.tiers[word] - 1]:
                drawn.append(word)
    return frozenset(drawn)


def _weighted(text: str) -> tuple[str, ...]:
    """Return each group of letters as often as its number says: `"T6 ST2"` gives six T and two ST."""
    return tuple([group for group, count in re.findall(r"([A-Z]+)(\d+)", text) for _ in range(int(count))])


_ONSETS: Final = _weighted("""
    B20 C28 D24 F18 G16 H22 J5 K7 L22 M26 N14 P28 QU3 R26 S32 T24 V9 W14 Y4 Z3 BL5 BR8 CH9 CL7 CR9 DR7 FL7 FR6 GL4
    GR8 PH3 PL6 PR10 SC6 SH9 SK5 SL6 SM4 SN4 SP8 ST13 STR5 SW5 TH6 TR9 TW2 WH4
""")
_VOWELS: Final = _weighted("""
    A150 E185 I140 O125 U72 Y22 AI12 AU7 EA20 EE12 EI4 EO3 EU2 IA10 IE8 IO8 OA8 OI6 OO12 OU16 UI3
""")
_MIDDLES: Final = _weighted("""
    B16 C24 D26 F9 G16 H6 J2 K14 L40 M28 N44 P22 QU2 R52 S30 T48 V14 W9 X7 Z6 BB3 BL4 CH8 CK12 CT9 DD3 FF5 FT3 GG4
    GH4 GN3 LD6 LF2 LK2 LL12 LM3 LP3 LT6 MB5 MM4 MP7 NC7 ND16 NG14 NK7 NN5 NT18 PH4 PP5 PT4 RB4 RC5 RD8 RG4 RK5 RL3
    RM6 RN6 RR5 RS5 RT9 RV2 SC4 SH9 SK3 SM4 SP4 SS9 ST18 STR3 TCH4 TH9 TR5 TT9 ZZ2
""")
_COUNTS: Final = (38, 80, 115, 145, 165, 150, 115, 82, 58, 38, 24, 14, 8, 5, 3, 2, 1)
_LENGTHS: Final = tuple([length for length, count in enumerate(_COUNTS, start=SHORTEST) for _ in range(count)])
"""The lengths of base words, each as often as such words occur."""

_PATTERNS: Final = (
    (),
    (),
    (),
    ("S",),
    ("S",),
    ("S",),
    ("S",),
    ("S", "ED", "ING"),
    ("S", "ED", "ING"),
    ("S", "ED", "ING", "INGS", "ER", "ERS"),
    ("ER", "EST", "LY", "NESS", "NESSES"),
    ("LY",),
)
"""The endings of a family, weighted by repetition."""
