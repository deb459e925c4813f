"""From the senses that a dictionary prints to one entry per word and part of speech."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from builders.entry import Entry, Label, Pos, StatedForm

NO_LABELS: Final[frozenset[Label]] = frozenset()
_MAX_GLOSSES: Final = 3  # glosses that an entry carries, in the order of its source
_MAX_GLOSS_LENGTH: Final = 240


class Sense(NamedTuple):
    """One meaning as printed. `some` holds labels that it bears only in part, or only at times."""

    word: str
    pos: Pos
    labels: frozenset[Label] = NO_LABELS
    partial_labels: frozenset[Label] = NO_LABELS
    gloss: str = ""
    forms: tuple[StatedForm, ...] = ()
    run_on: bool = False


def merge_senses(senses: Iterable[Sense]) -> Iterator[Entry]:
    """One entry per word and part of speech, in the order in which they first appear."""
    groups: dict[tuple[str, Pos], list[Sense]] = {}
    for sense in senses:
        groups.setdefault((sense.word, sense.pos), []).append(sense)
    for group in groups.values():
        yield _merge_group(group)


def _merge_group(group: Sequence[Sense]) -> Entry:
    word, pos, labels, some, gloss, forms, run_on = group[0]
    if len(group) > 1:
        borne = [sense.labels for sense in group]
        labels = frozenset.intersection(*borne)
        some = frozenset[Label]().union(*borne, *[sense.partial_labels for sense in group])
        gloss = " / ".join(list(dict.fromkeys(sense.gloss for sense in group if sense.gloss))[:_MAX_GLOSSES])
        forms = tuple(dict.fromkeys(form for sense in group for form in sense.forms))
        run_on = all(sense.run_on for sense in group)
    return Entry(word, pos, labels, some - labels, _truncate_gloss(gloss), forms, run_on)


def _truncate_gloss(gloss: str) -> str:
    if len(gloss) <= _MAX_GLOSS_LENGTH:
        return gloss
    return gloss[:_MAX_GLOSS_LENGTH].rpartition(" ")[0] + " ..."
