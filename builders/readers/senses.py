"""Senses as a dictionary prints them, merged into one entry per word and part of speech."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from builders.entry import Entry, Label, Pos, StatedForm
from builders.readers.glosses import SENSE_SEPARATOR, find_definition

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
