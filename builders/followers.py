"""Words that follow from settled ones: forms, run-ons and variants that a spelling list has (docs/dictionaries.md 9.3).

Open dictionaries lack what a college dictionary prints without a definition, or does not print because it is regular.
The spelling list attests the spelling, the settled base tells that it is a word and no name, and its part of speech,
the affix or the class of the variant tells how the one comes from the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from functools import cache
from typing import Final

from builders.derivations import (
    BY_PREFIX,
    BY_SUFFIX,
    MAX_AFFIX_LENGTH,
    MIN_BASE_LENGTH,
    PARTICIPLES,
    candidate_bases,
    suffixed_spellings,
)
from builders.entry import Pos
from builders.families import Zipf
from builders.inflect import irregular_singulars, regular_spellings, replace_ending, s_spellings
from builders.merge import (
    MIN_WORD_LENGTH,
    UNINFLECTED_LABELS,
    Follower,
    FollowerKind,
    MergeResult,
    claims_of,
    is_offensive,
)
from builders.public_lists import NEVER, PublicLists

_VERB_SLOTS: Final = PARTICIPLES | {"third"}
_INFLECTIONS: Final[tuple[tuple[str, Pos], ...]] = (
    ("S", "noun"),
    ("ES", "noun"),
    ("S", "verb"),
    ("ES", "verb"),
    ("ED", "verb"),
    ("ING", "verb"),
    ("ER", "adjective"),
    ("EST", "adjective"),
)
UNSAFE_PLURALS: Final = ("ING", "S", "X", "Z")
"""Nouns with these endings mostly have no plural, or the same one: GLEAMING, HERTZ. Theirs must be met."""
_VOWELS: Final = frozenset("AEIOUY")
_NO_RUN_ONS: Final = frozenset({"ED", "ING", "ISE"})
"""Of the first two a verb must tell (DINNERED is no adjective), of the last its American spelling."""
_NO_COMPOUNDS: Final = ("ABLE", "LY")
"""What ends so is made by an affix: SETTABLE is not of TABLE."""
_MIN_COMPOUND_LENGTH: Final = 7
"""Shorter words are two others by chance: HOTKEY."""
_OFTEN: Final = 3.7
"""The Zipf frequency of five in a million: DINNER and LATERAL are met so often that their verbs would be met."""
_BETWEEN_WORDS: Final = re.compile(r"[ -]")
_FAMILIAR: Final = 2.0
"""The Zipf frequency of one in ten million, from which on a word is familiar: EDITABLE, and not UNIMPLEMENTABLE."""
_WELL_KNOWN: Final = 2.3
"""The Zipf frequency of two in ten million: a compound beyond the size of forms is met so often, as SNAKESKIN is."""
_ONE_IN_A_MILLION: Final = 3.0
_SEEN_CLOSED: Final = 2.5
"""The Zipf frequency of three in ten million: TIMESCALE, and not TRASHCAN, is written as one word so often."""
_EVERYDAY: Final = 3.1
"""The Zipf frequency of more than one in a million: INTEL and RELATABLE, and not TWAS."""
_SEEN_VARIANT: Final = 1.5
"""The Zipf frequency from which on dictionaries print an -ISE: RADICALISE, and not WEATHERISE."""
_RARE_VARIANT: Final = re.compile(r"[IY]S(?:E[DS]?|ING)$|[IY]S(?=ING|E|AT|ABL)")
_PARTICLES: Final = frozenset({"AWAY", "BACK", "BY", "DOWN", "IN", "OFF", "ON", "OUT", "OVER", "UP"})
"""A verb before one of these makes a noun: SPINOFF."""
_OUT: Final[Mapping[str, str]] = {
    "PEACES": "Scrabble I 10.1 names it as a plural that no dictionary of the table has",
    "SLUMDOG": "met in the title of a film alone",
    "HIVEMIND": "written as two words",
    "MILF": "written with capitals",
    "MILFS": "written with capitals",
}
"""Words that follow from nothing, each with the reason; SCOWL has the young ones at a size of common words."""

# British spellings and what American dictionaries have in their place; each dictionary prints them as variants.
_VARIANTS: Final = tuple(
    (re.compile(pattern), american)
    for pattern, american in (
        (r"OUR", "OR"),
        (r"(?<=[BCDGHPTUV])RE(?=S?$)", "ER"),
        (r"(?<=[BCDGHPTUV])RED$", "ERED"),
        (r"(?<=[BCDGHPTUV])RING$", "ERING"),
        (r"IS(?=E|ING|ATION|ABL)", "IZ"),
        (r"YS(?=E|ING)", "YZ"),
        (r"LL(?=ED|ING|ER|OR|OUS|IST|ISH|ER)", "L"),
        (r"(?<=[AEIOU])L(?=FUL|MENT|S?$|NESS)", "LL"),
        (r"PP(?=ED|ING|ER)", "P"),
        (r"TT(?=ED|ING|ER)", "T"),
        (r"OGUE(?=S?$)", "OG"),
        (r"OGUED$", "OGED"),
        (r"OG(?=S?$)", "OGUE"),
        (r"EAB(?=L[EY]|ILIT)", "AB"),
        (r"AE", "E"),
        (r"OE(?!$|[DRS]S?$|ING$)", "E"),
        (r"ENCE(?=S?$|LESS)", "ENSE"),
        (r"MOULD", "MOLD"),
        (r"MOULT", "MOLT"),
        (r"PLOUGH", "PLOW"),
        (r"GREY", "GRAY"),
        (r"DRAUGHT", "DRAFT"),
        (r"I(?=NESS$)", "EY"),
        (r"SH(?=[LM])", "SCH"),
        (r"CHEQUER", "CHECKER"),
        (r"(?<=DG)EMENT", "MENT"),
    )
)


def settle_followers(merged: MergeResult, public_lists: PublicLists, zipf: Zipf) -> MergeResult:
    """Return the merge with the words of its spelling lists that follow from settled ones settled too.

    What follows from a follower follows as well: REROUTES from REROUTE, which follows from ROUTE.
    """
    finder = FollowerFinder(merged, public_lists, zipf)
    while found := {word: each for word in finder.candidates if (each := finder.find(word))}:
        finder.settle(found)
    return replace(
        merged,
        settled=frozenset(finder.settled),
        borderline=(merged.borderline | finder.find_missing(public_lists.reference)) - finder.followers.keys(),
        withheld=merged.withheld - finder.followers.keys(),
        followers=finder.followers,
    )


class FollowerFinder:
    """A finder of the words that follow from settled ones; what it finds must be settled before more is asked."""

    def __init__(self, merged: MergeResult, public_lists: PublicLists, zipf: Zipf) -> None:
        self.settled, self.followers = set(merged.settled), dict[str, Follower]()
        self._zipf, self._bands, self._variants = zipf, public_lists.northern_bands, public_lists.variants
        self._sources = merged.source_claims
        self._dictionaries = [each for each in merged.source_claims if each.options.kind == "dictionary"]
        self._pos = self._parts_of_speech()
        phrases = [each.upper() for each in merged.phrases]
        self._spaced = {each.replace(" ", "") for each in phrases if " " in each}
        self._hyphened = {each.replace("-", "") for each in phrases if "-" in each}
        self._phrase_parts = {part for each in phrases for part in _BETWEEN_WORDS.split(each)}
        self._sizes: dict[str, Mapping[FollowerKind, int]] = {}
        """By word of a spelling list that is not settled: the largest size up to which each kind follows."""
        self._listed: dict[str, int] = {}
        """By word of a spelling list: the size up to which an inflection follows."""
        for source in merged.source_claims:
            listed = source.licensed.keys() | {word for word, why in source.dropped.items() if why == "attested twice"}
            sizes = source.options.sizes
            self._listed |= dict.fromkeys(listed, sizes.get("inflection", 0))
            self._sizes |= dict.fromkeys(listed - merged.settled - _OUT.keys() if sizes else (), sizes)

    @property
    def candidates(self) -> Iterator[str]:
        """The words of the spelling lists that are not settled yet."""
        return iter(sorted(self._sizes))

    def find_missing(self, reference: Set[str]) -> set[str]:
        """Return the words of the players' reference that no source has, and that people meet: PROFILER, COURTSIDE."""
        claimed = {form for source in self._sources for form in (*source.licensed, *source.withheld, *source.barred)}
        return {word for word in reference - claimed if len(word) >= MIN_WORD_LENGTH and self._is_familiar(word)}

    def settle(self, found: Mapping[str, Follower]) -> None:
        """Take words that were found as settled."""
        self.followers |= found
        self.settled.update(found)
        for word, follower in found.items():
            del self._sizes[word]
            if follower.pos:
                self._pos[word].add(follower.pos)

    def find(self, word: str) -> Follower | None:
        """Return what a word follows from; None if it follows from nothing yet."""
        ways: dict[FollowerKind, Callable[[str], Iterator[tuple[str, str]]]] = {
            "inflection": self._inflected,
            "singular": self._singular,
            "variant": self._varied,
            "run-on": self._derived,
            "compound": self._compounded,
            "met": self._familiar,
            "everyday": self._everyday,
        }
        sizes = self._sizes[word]
        for kind, find_bases in ways.items():
            band = self._bands.get(word, NEVER)
            if band <= max(sizes.values()):
                for base, pos in find_bases(word):
                    # A form follows a follower up to the size of that.
                    is_of_compound = base in self.followers and self.followers[base].kind == "compound"
                    size = sizes.get("compound" if kind == "inflection" and is_of_compound else kind, 0)
                    is_word = base in self.settled or kind in ("met", "everyday")
                    if band <= size and is_word and not self._is_labelled(base) and self._is_formed(word, base, kind):
                        return Follower(kind, base, pos)
        return None

    def _is_formed(self, word: str, base: str, kind: FollowerKind) -> bool:
        """Tell whether a form is met, if it must be: of a word that no dictionary has (YUKKED), and TRAVELLINGS."""
        is_of_familiar = base in self.followers and self.followers[base].kind == "met"
        is_seldom = is_of_familiar if kind == "inflection" else kind == "variant" and word.endswith("INGS")
        return self._is_met(word) or not is_seldom or word.endswith(("ER", "EST"))

    def _inflected(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the bases of a word as a dictionary inflects them, and then as regular spelling does."""
        for source in self._dictionaries:
            for claim in (*source.licensed.get(word, ()), *source.withheld.get(word, ())):
                is_sure = source.options.alone == "counts"
                if claim.slot in _VERB_SLOTS:
                    if is_sure or self._is_met_verb(claim.base):
                        yield claim.base, "participle" if claim.slot in PARTICIPLES else "form"
                elif claim.slot == "plural":
                    if (is_sure and not claim.base.endswith(UNSAFE_PLURALS)) or self._is_met(word):
                        yield claim.base, "form"
                elif claim.slot in ("comparative", "superlative"):
                    yield claim.base, "form"
        yield from self._inflected_last_part(word)
        for base in irregular_singulars(word):
            if base in self.settled and "noun" in self._pos.get(base, {"noun"}):
                yield base, "form"
        for ending, pos in _INFLECTIONS:
            if word.endswith(ending) and len(word) >= MIN_BASE_LENGTH + len(ending):
                for base in candidate_bases(word.removesuffix(ending)):
                    if base in self.settled and self._may_inflect(base, pos, word):
                        yield base, "participle" if ending in ("ED", "ING") else "form"

    def _inflected_last_part(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the bases of a word whose last part is an irregular form of theirs: JOYRIDE of JOYRODE."""
        for cut in range(MIN_BASE_LENGTH, len(word) - MIN_BASE_LENGTH + 1):
            for source in self._dictionaries:
                for claim in source.licensed.get(word[cut:], ()):
                    base = word[:cut] + claim.base
                    pos: Pos = "verb" if claim.slot in _VERB_SLOTS else "noun"
                    is_regular = any(word[cut:] == spelling for spelling, _ in regular_spellings(claim.base, pos))
                    if claim.slot != "base" and not is_regular and pos in self._pos.get(base, ()):
                        yield base, "participle" if claim.slot in PARTICIPLES else "form"

    def _may_inflect(self, base: str, pos: Pos, word: str) -> bool:
        """Tell whether a word may be a regular form of a base under a part of speech that no dictionary gives it."""
        if word not in [spelling for spelling, _ in regular_spellings(base, pos)]:
            return False
        known = self._pos.get(base, set())
        match pos:
            case "verb":
                is_made_verb = base in self.followers and pos in known
                return is_made_verb or self._is_met_verb(base) or self._is_listed_verb(base)
            case "adjective":
                other = word[:-2] + "EST" if word.endswith("ER") else word[:-3] + "ER"
                return self._is_small(word) and self._is_small(other)
            case _:
                return not base.endswith(UNSAFE_PLURALS) if pos in known or not known else self._is_met(word)

    def _is_met(self, word: str) -> bool:
        return self._zipf(word.lower()) > 0

    def _is_small(self, word: str) -> bool:
        """Tell whether a spelling list has a word up to the size at which inflections follow."""
        return self._bands.get(word, NEVER) <= self._listed.get(word, 0)

    def _singular(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the plurals of a word: EAVES of EAVE."""
        if not word.endswith(UNSAFE_PLURALS):
            plurals = *replace_ending(word, (("MAN", ("MEN",)),)), s_spellings(word)[0]
            yield from ((plural, "noun") for plural in plurals)

    def _varied(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the American spellings of a British one, with one letter or group changed, and then two."""
        if (spelling := _RARE_VARIANT.search(word)) and not self._is_seen_variant(word, spelling):
            return
        once = vary(word)
        for each in (*once, *[twice for spelling in once for twice in vary(spelling)]):
            # Dictionaries have COLOUR-BLIND, and no variant of COLORBLIND without its hyphen.
            is_compound = each in self.followers and self.followers[each].kind == "compound"
            if not (is_compound and self._is_met_in_phrases(word)):
                yield each, ""

    def _is_seen_variant(self, word: str, spelling: re.Match[str]) -> bool:
        """Tell whether people write a British -ISE or -YSE: a verb in any of its forms."""
        stem = word[: spelling.start() + 2]
        forms = [stem + ending for ending in ("E", "ED", "ES", "ING")] if spelling.end() == len(word) else [word]
        return any(self._zipf(form.lower()) >= _SEEN_VARIANT for form in forms)

    def _derived(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the bases of a word that an affix makes of them, and the part of speech that it gives."""
        for cut in range(1, min(MAX_AFFIX_LENGTH, len(word) - MIN_BASE_LENGTH) + 1):
            prefix, suffix = word[:cut], word[-cut:]
            for affix in BY_PREFIX.get(prefix, ()):
                if self._may_be(word[cut:], affix.base_pos, word):
                    yield word[cut:], affix.result_pos
            for affix in BY_SUFFIX.get(suffix, ()) if suffix not in _NO_RUN_ONS else ():
                for base in candidate_bases(word[:-cut]):
                    # Words on -IC take -ALLY: SYMMETRICLY is a slip.
                    is_slip = base.endswith("IC") and word == base + "LY"
                    # Few dictionaries have a word on -ABLE that is seldom met.
                    is_seldom = suffix == "ABLE" and not self._is_familiar(word)
                    if (
                        not (is_slip or is_seldom)
                        and self._may_be(base, affix.base_pos, word)
                        and word in suffixed_spellings(base, suffix)
                    ):
                        yield base, affix.result_pos

    def _compounded(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the last part of a word that no dictionary has: TRUCKLOAD, of two words, and SPINOFF, of a verb.

        A compound of nouns that dictionaries write as two words, DATATYPE, is none. LAYWOMAN follows LAYMAN.
        """
        is_known = self._is_small(word) or self._zipf(word.lower()) >= _WELL_KNOWN
        if self._is_defined(word) or word.endswith(_NO_COMPOUNDS) or not is_known:
            return
        if word.endswith("WOMAN"):
            yield word.removesuffix("WOMAN") + "MAN", ""
        may_be_closed = len(word) >= _MIN_COMPOUND_LENGTH and not self._is_open(word, _ONE_IN_A_MILLION)
        for cut in range(MIN_BASE_LENGTH, len(word) - 1):
            first, last = self._pos.get(word[:cut], set()) - {"form"}, word[cut:]
            last_pos = self._pos.get(last, set())
            is_noun = "noun" in last_pos and last_pos.isdisjoint({"form", "participle"})
            is_variant = self._is_british(word[:cut]) or self._is_seldom_variant(word[:cut], word)
            if word[:cut] in self.settled and first and not is_variant:
                if may_be_closed and is_noun and len(last) >= MIN_BASE_LENGTH:
                    yield last, ""
                elif "verb" in first and last in _PARTICLES:
                    yield word[:cut], ""

    def _familiar(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield a word that no dictionary has, and that is met often, unless it is a part of phrases or an affix: SITU.

        A word that the list inflects is no part of phrases.
        """
        if self._is_familiar(word) and not self._is_defined(word) and not self._is_open(word, _SEEN_CLOSED):
            comparison = [form for form, _ in regular_spellings(word, "adjective") if self._is_small(form)]
            is_inflected = self._is_small(s_spellings(word)[0]) or len(comparison) > 1
            if is_inflected or not self._is_met_in_phrases(word):
                yield word, ""

    def _everyday(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield a word that no dictionary has, and that is met every day, unless it is a part of phrases: VERSA."""
        is_everyday = self._zipf(word.lower()) >= _EVERYDAY and not _VOWELS.isdisjoint(word)
        if is_everyday and not self._is_defined(word) and not self._is_met_in_phrases(word):
            yield word, ""

    def _is_met_in_phrases(self, word: str) -> bool:
        return word in self._phrase_parts or word in self._spaced or word in self._hyphened

    def _is_open(self, word: str, least: float) -> bool:
        """Tell whether dictionaries write a word as two, and none with a hyphen, and few people as one: DATATYPE."""
        return word in self._spaced and word not in self._hyphened and self._zipf(word.lower()) < least

    def _is_defined(self, word: str) -> bool:
        return any(claims_of(source, word) for source in self._dictionaries)

    def _is_familiar(self, word: str) -> bool:
        return self._zipf(word.lower()) >= _FAMILIAR

    def _may_be(self, base: str, pos: str, word: str) -> bool:
        known = self._pos.get(base)
        is_variant = self._is_british(base) or self._is_seldom_variant(base, word)
        return len(base) >= MIN_BASE_LENGTH and (not known or pos in known) and not is_variant

    def _is_british(self, part: str) -> bool:
        """Tell whether a part is a British spelling: REINITIALISE follows from REINITIALIZE alone."""
        return part in self._variants and not self.settled.isdisjoint(vary(part))

    def _is_seldom_variant(self, part: str, word: str) -> bool:
        """Tell whether a word is made of a variant and seldom met: BRUSKLY, REPROGRAMME, INTERNESHIP."""
        return part in self._variants and self._zipf(word.lower()) < _SEEN_VARIANT

    def _is_met_verb(self, base: str) -> bool:
        """Tell whether the past or the gerund of a word is met: BOOKMARKED, and neither DINNERED nor DINNERING."""
        return any(
            self._is_met(spelling) for spelling, slot in regular_spellings(base, "verb") if slot in ("past", "gerund")
        )

    def _is_listed_verb(self, base: str) -> bool:
        """Tell whether a spelling list has the past and the gerund of a seldom word alike: SCUBAED and SCUBAING."""
        if self._zipf(base.lower()) >= _OFTEN:
            return False
        spellings = [(slot, spelling) for spelling, slot in regular_spellings(base, "verb")]
        return {"past", "gerund"} <= {slot for slot, spelling in spellings if self._is_small(spelling)}

    def _is_labelled(self, word: str) -> bool:
        """Tell whether every dictionary that has a word labels it offensive or vulgar, at least in some senses."""
        by_source = [claims for source in self._dictionaries if (claims := claims_of(source, word))]
        return bool(by_source) and all(any(map(is_offensive, claims)) for claims in by_source)

    def _parts_of_speech(self) -> dict[str, set[str]]:
        """Return the parts of speech that dictionaries give each word, and `participle` for that form of a verb."""
        found: dict[str, set[str]] = defaultdict(set)
        for source in self._dictionaries:
            for word, claims in source.licensed.items():
                for claim in claims:
                    if claim.slot == "base" and claim.entry.labels.isdisjoint(UNINFLECTED_LABELS):
                        found[word].add(claim.entry.pos)
                    elif claim.slot != "base":
                        found[word].add("participle" if claim.slot in PARTICIPLES else "form")
        return found


@cache
def vary(word: str) -> tuple[str, ...]:
    """Return the spellings that differ from a British one in one place of one class."""
    found = [
        word[: match.start()] + american + word[match.end() :]
        for pattern, american in _VARIANTS
        for match in pattern.finditer(word)
    ]
    return tuple(dict.fromkeys(found))
