"""One headword of one dictionary, in the form that all readers produce."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Pos: TypeAlias = Literal[
    "noun",
    "verb",
    "adjective",
    "adverb",
    "pronoun",
    "preposition",
    "conjunction",
    "interjection",
    "determiner",
    "numeral",
    "other",
]
"""The part of speech; `other` if a source gives none, or one that is not in this list."""

Slot: TypeAlias = Literal["plural", "third", "past", "participle", "gerund", "comparative", "superlative", "form"]
"""The inflection of a form; `form` if the source does not say which."""

Label: TypeAlias = Literal[
    "proper",
    "capitalised",
    "abbreviation",
    "affix",
    "offensive",
    "vulgar",
    "obsolete",
    "archaic",
    "rare",
    "dialect",
    "slang",
    "colloquial",
    "poetic",
    "foreign",
    "trademark",
    "plural",
    "uncountable",
    "inflection",
    "shortened",
]
"""Labels that decide something or are shown to the curators.

`capitalised`: the source capitalises every headword, and its own text suggests a name; other sources settle it.
`plural`: the headword is a plural already. `inflection`: the headword only points to the word that it is a form of, as
"Held, imp. & p. p. of Hold". `shortened`: the source gives a longer headword for the same sense, of which this is a
contraction or the initials.
"""


class StatedForm(NamedTuple):
    """A form that the source itself prints for a headword."""

    form: str
    slot: Slot


class Entry(NamedTuple):
    """One headword of a source under one part of speech.

    `word` and the forms are as printed: case and accents are evidence, folding comes later. A label that every sense of
    the entry has is in `labels`; a label that only some senses have is in `partial_labels`.
    """

    word: str
    pos: Pos
    labels: frozenset[Label] = frozenset()
    partial_labels: frozenset[Label] = frozenset()
    gloss: str = ""
    forms: tuple[StatedForm, ...] = ()
    run_on: bool = False
    """True for a word that is printed, undefined, at the end of another headword's entry."""
