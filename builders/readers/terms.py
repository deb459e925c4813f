"""The meaning of what dictionaries print beside a word: terms for parts of speech and labels, capitals, forms.

Forms may be printed as an ending alone ("-ies" beside "bothy"), or unnamed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from builders.entry import Label, Pos, Slot
from builders.readers.senses import NO_LABELS, Sense
from builders.readers.source_files import FaultHandler
from ordws.fold import find_fold

_POS: Final[dict[str, Pos]] = {
    "n": "noun",
    "noun": "noun",
    "nouns": "noun",
    "name": "noun",
    "pn": "noun",
    "substantive": "noun",
    "v": "verb",
    "vb": "verb",
    "verb": "verb",
    "a": "adjective",
    "adj": "adjective",
    "adjective": "adjective",
    "adv": "adverb",
    "ads": "adverb",
    "adverb": "adverb",
    "pron": "pronoun",
    "pronoun": "pronoun",
    "prep": "preposition",
    "preposition": "preposition",
    "postposition": "preposition",
    "postp": "preposition",
    "conj": "conjunction",
    "conjunction": "conjunction",
    "interj": "interjection",
    "interjection": "interjection",
    "intj": "interjection",
    "exclamation": "interjection",
    "det": "determiner",
    "determiner": "determiner",
    "article": "determiner",
    "num": "numeral",
    "numeral": "numeral",
    "number": "numeral",
}

_LABELS: Final[dict[str, Label]] = {
    "obs": "obsolete",
    "obsolete": "obsolete",
    "archaic": "archaic",
    "archaism": "archaic",
    "obsoles": "archaic",
    "obsolescent": "archaic",
    "rare": "rare",
    "dial": "dialect",
    "dialect": "dialect",
    "dialectal": "dialect",
    "regional": "dialect",
    "regionalism": "dialect",
    "slang": "slang",
    "colloq": "colloquial",
    "colloquial": "colloquial",
    "colloquialism": "colloquial",
    "informal": "colloquial",
    "poetic": "poetic",
    "vulgar": "vulgar",
    "vulgarism": "vulgar",
    "obscene": "vulgar",
    "obscenity": "vulgar",
    "offensive": "offensive",
    "slur": "offensive",
    "trademark": "trademark",
    "trademarks": "trademark",
    "tradename": "trademark",
    "abbreviation": "abbreviation",
    "abbrev": "abbreviation",
    "abbr": "abbreviation",
    "initialism": "abbreviation",
    "acronym": "abbreviation",
    "acron": "abbreviation",
    "symbol": "abbreviation",
    "prefix": "affix",
    "pref": "affix",
    "suffix": "affix",
    "suff": "affix",
    "infix": "affix",
    "affix": "affix",
    "uncountable": "uncountable",
    "foreign": "foreign",
    "proper": "proper",
    "plural": "plural",
}

_DEROGATORY_TERMS: Final = {
    "derogatory",
    "derogative",
    "derog",
    "disparaging",
    "disparagement",
    "pejorative",
    "insulting",
    "contempt",
    "contemptuous",
}
"""Terms that label many an inoffensive word too: a hint, never a reason to exclude (docs/dictionaries.md 8)."""

_FREQUENCY_ADVERBS: Final = {"sometimes", "often", "occasionally"}
_PHRASE: Final = re.compile(r"[A-Za-z]*(?:[ -][A-Za-z]*)+")
_WORDS: Final = re.compile(r"[A-Za-z]+")
_NO_LABEL: Final = re.compile(r"\bnon-\w+", re.IGNORECASE)  # "non-offensive slang for toilet"
_QUALIFIER: Final = re.compile(
    r"^\(([^()`]{3,60})\)"  # (slang) ...
    r"|\(([^()`]{3,60})\)[.;]?$"  # ... (vulgar)
    r"|^([^:;().]{3,40}):"  # archaic: ...
    r"|^((?:vulgar|offensive|coarse) slang)(?:,| for\b)"  # coarse slang for ...
    r"|(?:^|(?<=[:;)]) )(?:an? |the )?((?:[\w'-]+,? ){1,5})"
    r"(?:term|name|word|slang|expression)s? (?:for|of|used|meaning)\b"  # an offensive name for ...
    r"|^(slang) (?:for|meaning)\b"
    r"|^(terms? of abuse) for\b"
    r"|^((?:an? )?(?:ethnic|racial|derogatory|offensive) slur)(?: for\b|[.;]?$)"  # ethnic slur
    r"|—((?:obscene|vulgar|offensive)(?: (?:and|or) [a-z]+)?)[.;]?$",  # ...—obscene or vulgar
    re.IGNORECASE,
)
_LABELLED_LENGTH: Final = 80  # characters of a gloss; behind them stand examples and encyclopedic remarks
_LABEL_STEMS: Final = (
    "offens",
    "slur",
    "dispar",
    "derog",
    "pejor",
    "insult",
    "contempt",
    "abuse",
    "obscen",
    "vulgar",
    "slang",
    "informal",
    "colloq",
    "archa",
    "obsol",
    "rare",
    "poet",
    "dialect",
    "regional",
    "uncount",
    "abbrev",
    "Abbrev",
    "nitialism",
    "cronym",
)
"""Every gloss that labels its word has one of these; looking for them first saves nine tenths of the time."""

_SHORT_FOR: Final = re.compile(r"(?:an? )?(?:abbreviation|initialism|acronym) (?:of|for|meaning)\b", re.IGNORECASE)
_GLOSS_LABELS: Final[frozenset[Label]] = frozenset(
    {"obsolete", "archaic", "rare", "dialect", "slang", "colloquial", "poetic", "vulgar", "offensive", "uncountable"}
)
"""Labels that are taken from glosses.

Other labels would describe the thing and not the word: "(trademark Ping-Pong)" in a gloss of table tennis.
"""


def is_word(text: str) -> bool:
    """Tell whether a headword can be played at all: one token of letters (docs/dictionaries.md 6)."""
    return find_fold(text) is not None


def is_phrase(text: str) -> bool:
    """Tell whether a headword is several words, or an affix: "trash can", "sure-fire", "multi-"."""
    return _PHRASE.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def parse_parts_of_speech(text: str) -> tuple[Pos, ...]:
    """Return every part of speech that a text names, in its order: "a. & n." names two."""
    return tuple(dict.fromkeys(_POS[word] for word in _WORDS.findall(text.lower()) if word in _POS))


def parse_pos(text: str) -> Pos:
    """Return the first part of speech that a text names, `other` if it names none."""
    named = parse_parts_of_speech(text)
    return named[0] if named else "other"


class SenseLabels(NamedTuple):
    """The labels of a sense, and those that it has only in part or only at times."""

    labels: frozenset[Label] = NO_LABELS
    partial: frozenset[Label] = NO_LABELS

    def union(self, other: SenseLabels) -> SenseLabels:
        """Return the labels of a sense to which both apply."""
        if not (other.labels or other.partial):
            return self
        return SenseLabels(self.labels | other.labels, self.partial | other.partial)


UNLABELLED: Final = SenseLabels()


@lru_cache(maxsize=4096)
def parse_labels(text: str) -> SenseLabels:
    """Return every label that a text names.

    A text is read word by word, since there are hundreds of combinations: "Obs. or Prov. Eng." names two labels
    (docs/dictionaries.md 1c). Beside "sometimes" or "often" all labels are partial.
    """
    words = set(_WORDS.findall(_NO_LABEL.sub("", text).lower().replace("coarse slang", "vulgar slang")))
    words |= {"offensive"} if "of abuse" in text else set()
    named = frozenset([_LABELS[word] for word in words if word in _LABELS])
    hinted: frozenset[Label] = frozenset({"offensive"}) if words & _DEROGATORY_TERMS else NO_LABELS
    return SenseLabels(NO_LABELS, named | hinted) if words & _FREQUENCY_ADVERBS else SenseLabels(named, hinted - named)


def parse_gloss_labels(gloss: str) -> SenseLabels:
    """Return the labels that a gloss itself gives its sense.

    They stand in brackets or before a colon, or say what kind of term the word is: "offensive term for".
    """
    gloss = gloss[:_LABELLED_LENGTH]
    if not any(map(gloss.__contains__, _LABEL_STEMS)):
        return UNLABELLED
    labels: frozenset[Label] = frozenset({"abbreviation"}) if _SHORT_FOR.match(gloss) else NO_LABELS
    partial = NO_LABELS
    for match in _QUALIFIER.finditer(gloss):
        named = parse_labels(match[match.lastindex or 0])
        labels |= named.labels & _GLOSS_LABELS
        partial |= named.partial & _GLOSS_LABELS
    return SenseLabels(labels, partial)


_REGULAR_ENDINGS: Final = {"s", "es", "d", "ed", "ing", "r", "er", "st", "est"}


def complete_form(word: str, printed: str) -> str | None:
    """Return the whole form: as printed, or the word with its end replaced; None if the ending does not fit.

    A longer ending repeats the last letter that stays, as "-cated" does beside "abdicate".
    """
    if not printed.startswith("-"):
        return printed
    ending = printed[1:]
    lower_word, lower_ending = word.lower(), ending.lower()
    if not lower_ending:
        return None
    if lower_ending in _REGULAR_ENDINGS:
        return word + ending
    if lower_ending.startswith("i") and lower_word.endswith("y"):
        return word[:-1] + ending
    overlap = lower_word.rfind(lower_ending[0], 1)
    return word[:overlap] + ending if overlap > 0 else None


def guess_slot(pos: Pos, form: str) -> Slot:
    """Return the inflection that a form's last letters suggest under a part of speech; `form` if they do not."""
    match pos:
        case "noun" | "pronoun":
            return "plural"
        case "verb":
            return "gerund" if form.endswith("ing") else "form"
        case "adjective" | "adverb" if form.endswith("er"):
            return "comparative"
        case "adjective" | "adverb":
            return "superlative" if form.endswith("est") else "form"
        case "preposition" | "conjunction" | "interjection" | "determiner" | "numeral" | "other":
            return "form"


SenseReader: TypeAlias = Callable[[tuple[Path, ...], FaultHandler], Iterator[Sense]]
_NAME: Final[frozenset[Label]] = frozenset({"proper"})
_INITIALS: Final[frozenset[Label]] = frozenset({"proper", "abbreviation"})


def case_labels(word: str) -> frozenset[Label]:
    """Return the labels of a headword whose capitals are those of running text (docs/dictionaries.md 1a)."""
    if word.islower():
        return NO_LABELS
    return _INITIALS if word.isupper() and len(word) > 1 else _NAME


def label_by_case(read: SenseReader) -> SenseReader:
    """Decorate a reader whose source may capitalise every headword.

    Its senses get the labels of their capitals, unless no headword of the whole source begins with a small letter: then
    capitals say nothing about names.
    """

    @wraps(read)
    def read_labelled(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
        senses = list(read(files, report))
        is_informative = any(sense.word[:1].islower() for sense in senses)
        for sense in senses:
            yield sense._replace(labels=sense.labels | case_labels(sense.word)) if is_informative else sense

    return read_labelled
