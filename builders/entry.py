"""One headword of one dictionary, as every reader yields it."""

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
"""`other` where a source gives no part of speech, or one that has no name here."""

Slot: TypeAlias = Literal["plural", "third", "past", "participle", "gerund", "comparative", "superlative", "form"]
"""What an inflected form is to its headword; `form` where the source does not say."""

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
"""Labels that something is decided by or curators are shown. `capitalised`: the source capitalises every headword,
and its own text suggests a name here; other sources settle it. `plural`: a headword that is a plural already.
`inflection`: a headword that only points to the word it is a form of, as "Held, imp. & p. p. of Hold".
`shortened`: the source gives a longer headword, of which this is a contraction or the initials, for the same sense."""


class StatedForm(NamedTuple):
    """A form that the source itself prints for a headword."""

    form: str
    slot: Slot


class Entry(NamedTuple):
    """What a source says of one headword under one part of speech.

    `word` and the forms stand as printed: case and accents are evidence, folding comes later. A label stands
    in `labels` where every sense of this entry bears it, in `some` where one at least but not every one does.
    """

    word: str
    pos: Pos
    labels: frozenset[Label] = frozenset()
    partial_labels: frozenset[Label] = frozenset()
    gloss: str = ""
    forms: tuple[StatedForm, ...] = ()
    run_on: bool = False
    """Printed at the end of another headword's entry, undefined."""
