"""Which words an affix may have been put to: STOPP before -ED is of STOP, BAK of BAKE, LINTI of LINTY."""

from __future__ import annotations

from typing import Final

from ordws.homeplay.affixes import Affix, Affixes

SHORTEST_BASE: Final = 3
VOWELS: Final = frozenset("AEIOU")
_VOWELS_AND_Y: Final = frozenset("AEIOUY")
_DOUBLING_CONSONANTS: Final = frozenset("BDFGKLMNPRSTVZ")


def matching_affixes(word: str, affixes: Affixes) -> list[Affix]:
    """The affixes whose letters the word ends or begins with: suffixes first, of each the longer ones first."""
    found: list[Affix] = []
    for length in affixes.suffix_lengths.get(word[-1], ()):
        if ending := affixes.suffixes.get(word[-length:]):
            found += ending
    for length in affixes.prefix_lengths.get(word[0], ()):
        if beginning := affixes.prefixes.get(word[:length]):
            found += beginning
    return found


def possible_bases(word: str, affix: Affix) -> list[str]:
    """The words that an affix which fits may have been put to, so that this one came of it; the likeliest first."""
    if affix.spelling == "prefix":
        base = word[len(affix.letters) :]
        found = [base] if not affix.before or base[:1] in affix.before else []
    elif affix.spelling == "irregular":
        found = [word[: -len(affix.letters)] + affix.drops[0]]
    else:
        found = _before_suffix(word, word[: -len(affix.letters)], affix)
    return [base for base in found if is_word(base)]


def is_word(base: str) -> bool:
    """Whether three letters stand there and a vowel among them."""
    return len(base) >= SHORTEST_BASE and not _VOWELS_AND_Y.isdisjoint(base)


def _before_suffix(word: str, stem: str, affix: Affix) -> list[str]:
    if not stem:
        return []
    match affix.spelling:
        case "s":
            found = _before_s(word)
        case "native":
            found = _before_native(stem, affix)
        case "learned":
            found = _before_learned(stem, affix)
        case "ly":
            found = _before_ly(stem)
        case "turned":
            found = [stem + ending for ending in affix.drops]
        case _:
            found = [*_before_consonant(stem), *[stem + ending for ending in affix.drops]]
    return [base for base in found if base.endswith(affix.after)] if affix.after else found


def _before_s(word: str) -> list[str]:
    """BERRIES, BASHS that nobody writes, BASHES, BUSSES."""
    found = []
    if word.endswith("IES") and len(word) > 4 and is_consonant(word, len(word) - 4):
        found.append(word[:-3] + "Y")
    if not word[:-1].endswith(("S", "X", "Z", "SH")):
        found.append(word[:-1])
    if word.endswith(("SES", "XES", "ZES", "SHES", "CHES", "OES")):
        found.append(word[:-2])
    if word.endswith(("SSES", "ZZES")):
        found.append(word[:-3])
    return found


def _before_native(stem: str, affix: Affix) -> list[str]:
    """LINTY before -ER, STOP before -ED, SEE and DIE before -ING, BAKE, PANIC, WOLF."""
    last, after_i = stem[-1], affix.letters[0] == "I"
    found = []
    if last == "I" and not after_i and len(stem) > 2 and is_consonant(stem, len(stem) - 2):
        found.append(stem[:-1] + "Y")
    if last == "E":
        if affix.keeps_e or (after_i and stem[-2:] in ("EE", "OE", "YE", "GE")):
            found.append(stem)
    elif not must_double(stem) and not (affix.letters[0] == "E" and must_turn_y_to_i(stem)):
        found.append(stem)
    if len(stem) > 3 and last == stem[-2] and last in _DOUBLING_CONSONANTS and _is_lone_vowel(stem, len(stem) - 3):
        found.append(stem[:-1])
    if last != "E" or (affix.letters[0] == "E" and not stem.endswith("EE")):
        found.append(stem + "E")
    if stem.endswith("CK"):
        found.append(stem[:-1])
    if last == "Y" and affix.letters == "ING":
        found.append(stem[:-1] + "IE")
    if last == "V":
        found.extend([stem[:-1] + "F", stem[:-1] + "FE"])
    return found


def _before_learned(stem: str, affix: Affix) -> list[str]:
    """What stands in `drops` is gone; VARY before -ATION, and stems that change as the table says."""
    found = [stem, *[stem + ending for ending in affix.drops]]
    if stem[-1] == "I" and affix.letters[0] != "I":
        found.append(stem[:-1] + "Y")
    found.extend([stem[: -len(changed)] + ending for changed, ending in affix.stems if stem.endswith(changed)])
    return found


def _before_consonant(stem: str) -> list[str]:
    """PENNY before -LESS, SKILL before -FUL."""
    found = [stem]
    if stem[-1] == "I" and len(stem) > 2 and is_consonant(stem, len(stem) - 2):
        found.insert(0, stem[:-1] + "Y")
    if stem[-1] == "L":
        found.append(stem + "L")
    return found


def _before_ly(stem: str) -> list[str]:
    """As before any consonant, and TRUE, WHOLE, GENTLE."""
    found = _before_consonant(stem)
    if stem[-1] in "LU":
        found.append(stem + "E")
    if stem[-1] not in _VOWELS_AND_Y:
        found.append(stem + "LE")
    return found


def is_consonant(word: str, place: int) -> bool:
    """Whether the letter is no vowel; the U of QU is none."""
    return word[place] not in VOWELS or _is_after_q(word, place)


def must_double(stem: str) -> bool:
    """Whether a stem is one closed syllable, whose last letter would be doubled: HOP, not HOOP or HELP."""
    if (
        len(stem) < 2
        or stem[-1] not in _DOUBLING_CONSONANTS
        or stem[-1] == "S"
        or not _is_lone_vowel(stem, len(stem) - 2)
    ):
        return False
    return all(is_consonant(stem, place) and (place == 0 or stem[place] != "Y") for place in range(len(stem) - 2))


def must_turn_y_to_i(stem: str) -> bool:
    """Whether a last Y would have turned to I: HAPPY and CARRY, not DRY or BOY."""
    if stem[-1] != "Y" or len(stem) < 2 or not is_consonant(stem, len(stem) - 2):
        return False
    return not _VOWELS_AND_Y.isdisjoint(stem[:-2])


def _is_lone_vowel(word: str, place: int) -> bool:
    """Whether a vowel stands there without another before it."""
    if word[place] not in _VOWELS_AND_Y or _is_after_q(word, place):
        return False
    return place == 0 or is_consonant(word, place - 1)


def _is_after_q(word: str, place: int) -> bool:
    return word[place] == "U" and place > 0 and word[place - 1] == "Q"
