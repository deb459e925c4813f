"""Senses as a dictionary prints them, merged into one entry per word and part of speech with the definitions.

Beside a definition stand quotations, cross-references, other spellings, origins and hints to translators. A gloss of
which only those are left defines nothing, and a card shows none rather than a wrong one (docs/dictionaries.md 5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from builders.entry import Entry, Label, Pos, StatedForm

SENSE_SEPARATOR: Final = " / "

_REMARK: Final = re.compile(r"\s*\[[^\[\]]*(?:\]|\Z)")
_RUN_ON: Final = re.compile(r'\s*--\s+(?:[A-Z]\w*["*`]|(?:n|a|v|adv)\.\s+[A-Z]).*')  # a word, or another part of speech
_LETTER: Final = re.compile(r"(?:^|\s)\([a-h]\s?\)\s")
_QUOTATION: Final = re.compile(r'(?:^"[^"]*[.!?]"|(?<=[.;:!?)])\s*"[^"]*(?:"|\Z))(?:[;\s]*-\s?[A-Z][^;"]*)?')
_CROSS_REFERENCE: Final = re.compile(
    r"(?:^(?:\([A-Z][^()]*\)\s*)?|(?<=[.;:,])\s*|(?<=\))\s+)\W?(?:[Ss]ee|Cf\.|[Cc]ompare|Vide)\s.*"
)
_REFERRING: Final = ("ee", "Cf.", "ompare", "Vide")
"""Parts of the words that refer to another headword; looking for them first saves most of the searches."""
_HEAD_FORMS: Final = re.compile(r"pl(?:\s|\.\Z)|(?:(?:sing|E|L|Eng|n)\.\s[^.]*\.\s*)+")
_FORM_OF: Final = re.compile(r"(?:of|from)\s[A-Z]\w*\b.*")
_NEXT_HEADS: Final = re.compile(r"\.(?<=[a-z)]\.)(?:\s+[\w'-]+){1,2}\Z")  # misplaced behind a definition
_UNREADABLE: Final = re.compile(r"\?(?:(?<![^\s(]\?)|(?<=\w\?)(?=\w))|[\ufffd\[\]]")
_SUBJECT: Final = re.compile(r"\([^()]*\):?\s*|[^:()]{3,40}:")
"""A subject or a label, which tells senses apart and defines none: "(algebra)", "typography:"."""


def find_definition(gloss: str, word: str) -> str:
    """Return the part of a dictionary's gloss that defines a word; empty if no part does."""
    text = _REMARK.sub("", gloss) if "[" in gloss else gloss
    text = _RUN_ON.sub("", text) if "--" in text else text
    senses = []
    for part in _LETTER.split(text) if "(" in text else (text,):
        part = (_QUOTATION.sub("", part) if '"' in part else part).strip(" ;,")
        if any(map(part.__contains__, _REFERRING)):
            part = _CROSS_REFERENCE.sub("", part).strip(" ;,")
        for beginning in (_HEAD_FORMS, _FORM_OF):
            if match := beginning.match(part):
                part = part[match.end() :].strip(" ;,")
        part = _NEXT_HEADS.sub(".", part).strip(" ;,").lstrip(". ")
        is_broken = _UNREADABLE.search(part) or part.count("(") != part.count(")") or part.count('"') % 2
        says_nothing = _SUBJECT.fullmatch(part) or part.strip(".").casefold() in ("", word.casefold())
        if not is_broken and not says_nothing:
            senses.append(part)
    return SENSE_SEPARATOR.join(senses)


def is_hint(gloss: str) -> bool:
    """Tell whether a gloss is one word behind its subject: "mineral", "translation", "grammar: case".

    Glosses made for translators use such a word to tell the senses of one headword apart. It may be a synonym, the kind
    or the subject, and does not say which.
    """
    return len(_SUBJECT.sub("", gloss, count=1).split()) < 2


NO_LABELS: Final[frozenset[Label]] = frozenset()
_MAX_GLOSSES: Final = 3
_MAX_GLOSS_LENGTH: Final = 240
_END: Final = re.compile(r"[.;](?= )")


class Sense(NamedTuple):
    """One meaning as printed. `partial_labels` holds labels that it has only in part, or only at times."""

    word: str
    pos: Pos
    labels: frozenset[Label] = NO_LABELS
    partial_labels: frozenset[Label] = NO_LABELS
    gloss: str = ""
    forms: tuple[StatedForm, ...] = ()
    run_on: bool = False


def merge_senses(senses: Iterable[Sense]) -> Iterator[Entry]:
    """Yield one entry per word and part of speech, in the order in which they first appear."""
    groups: dict[tuple[str, Pos], list[Sense]] = {}
    for sense in senses:
        groups.setdefault((sense.word, sense.pos), []).append(sense)
    for group in groups.values():
        word, pos, labels, partial, _, forms, run_on = group[0]
        # Most words have one sense, which is its entry already.
        if len(group) > 1:
            labels = frozenset.intersection(*[sense.labels for sense in group])
            partial = frozenset[Label]().union(*[sense.labels | sense.partial_labels for sense in group])
            forms = tuple(dict.fromkeys(form for sense in group for form in sense.forms))
            run_on = all(sense.run_on for sense in group)
        glosses: list[str] = []
        for sense in group:
            if sense.gloss and len(glosses) < _MAX_GLOSSES:
                definition = find_definition(sense.gloss, word)
                glosses += [definition] if definition and definition not in glosses else []
        while len(glosses) > 1 and len(SENSE_SEPARATOR.join(glosses)) > _MAX_GLOSS_LENGTH:
            glosses.pop()
        gloss = shorten(SENSE_SEPARATOR.join(glosses))
        yield Entry(word, pos, labels, partial - labels, gloss, forms, run_on)


def shorten(gloss: str) -> str:
    """Return a gloss of at most 240 characters: whole sentences or clauses of it if it is longer, else whole words."""
    if len(gloss) <= _MAX_GLOSS_LENGTH:
        return gloss
    start = gloss[:_MAX_GLOSS_LENGTH]
    ends = [match.start() for match in _END.finditer(start)]
    return start[: ends[-1]] + "." if ends else start.rpartition(" ")[0] + " ..."
