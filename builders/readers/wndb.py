"""WordNet's database files: index.*, data.* and, where they are delivered, *.exc. (SOURCES 1a)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Entry, Label, Pos, StatedForm
from builders.readers.forms import guess_slot
from builders.readers.letter_case import case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.shortening import is_shortened
from builders.readers.source_files import FaultHandler, numbered_lines, require_file
from builders.readers.terms import is_word, parse_gloss_labels
from ordws.errors import BadSource

_POS_FILES: Final[dict[str, tuple[str, Pos]]] = {
    "n": ("noun", "noun"),
    "v": ("verb", "verb"),
    "a": ("adj", "adjective"),
    "r": ("adv", "adverb"),
}
_SYNTAX: Final = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand: "galore(ip)"
_DOMAINS: Final[dict[str, Label]] = {
    "trade_name": "trademark",
    "trademark": "trademark",
    "colloquialism": "colloquial",
    "plural": "plural",
    "slang": "slang",
    "archaism": "archaic",
    "disparagement": "offensive",
    "ethnic_slur": "offensive",
    "obscenity": "vulgar",
    "combining_form": "affix",
    "acronym": "abbreviation",
    "abbreviation": "abbreviation",
    "dialect": "dialect",
    "regionalism": "dialect",
}


def usage_label(name: str) -> Label | None:
    """The label for the first word of a synset that names a usage; None where the usage is none of ours."""
    return _DOMAINS.get(name.replace(" ", "_"))


class UsagePointer(NamedTuple):
    """A pointer `;u`: the synset that names how a word is used, counted from one; word 0 stands for all."""

    word: int
    letter: str
    offset: int


class Synset(NamedTuple):
    """One line of data.*, its words as printed."""

    words: tuple[str, ...]
    usages: tuple[UsagePointer, ...]
    gloss: str


def files(path: Path) -> tuple[Path, ...]:
    """The files of WordNet in a folder."""
    needed = [path / f"{kind}.{part}" for part, _ in _POS_FILES.values() for kind in ("index", "data")]
    stated = [path / f"{part}.exc" for part, _ in _POS_FILES.values()]
    return (*[require_file(file, "a file of WordNet") for file in needed], *[file for file in stated if file.is_file()])


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries in the order of the index; their glosses begin with the most frequent sense."""
    named = {file.name: file for file in files}
    data = {letter: SynsetFile(named[f"data.{part}"]) for letter, (part, _) in _POS_FILES.items()}
    for letter, (part, pos) in _POS_FILES.items():
        exceptions = _read_exceptions(named.get(f"{part}.exc"), pos, report)
        for lemma, offsets in _read_index(named[f"index.{part}"], report):
            forms = exceptions.get(lemma, ())
            yield from merge_senses(_senses(lemma, pos, offsets, letter, data, forms, report))


class SynsetFile:
    """One data.* file, read by the byte offsets that are its synsets' names."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._bytes = file.read_bytes()

    def synset(self, offset: int) -> Synset:
        """The synset at an offset; raises BadSource where none begins there."""
        try:
            line = self._bytes[offset : self._bytes.index(b"\n", offset)].decode("ascii")
            return _parse_synset(line, f"{offset:08d} ")
        except (ValueError, IndexError) as error:
            expected = "expected a synset: offset lexfile type count words pointers | gloss"
            raise BadSource(str(self.file), f"offset {offset}", expected) from error


def _parse_synset(line: str, start: str) -> Synset:
    """A synset from its line. The words are counted in hexadecimal, the pointers in decimal."""
    fields, bar, gloss = line.partition(" | ")
    if not line.startswith(start) or not bar:
        raise ValueError
    values = fields.split(" ")
    behind = 4 + 2 * int(values[3], 16)
    pointers_end = behind + 1 + 4 * int(values[behind])
    if behind == 4 or pointers_end > len(values):
        raise ValueError
    usages = []
    if " ;u " in fields:
        for at in range(behind + 1, pointers_end, 4):
            if values[at] == ";u":
                usages.append(UsagePointer(int(values[at + 3][:2], 16), values[at + 2], int(values[at + 1])))
    if not {usage.letter for usage in usages} <= _POS_FILES.keys():
        raise ValueError
    return Synset(tuple(values[4:behind:2]), tuple(usages), gloss.strip())


def _read_index(file: Path, report: FaultHandler) -> Iterator[tuple[str, list[int]]]:
    """Each lemma that is one word, in lower case, and its synsets, the most frequent first."""
    for number, line in numbered_lines(file, report):
        if line.startswith("  ") or not line:
            continue
        try:
            values = line.split()
            count = int(values[2])
            offsets = [int(value) for value in values[-count:]]
            if len(values) != 6 + int(values[3]) + count or count == 0:
                raise ValueError
        except (ValueError, IndexError):
            expected = "expected lemma, part of speech, counts and as many offsets as the line says"
            report(BadSource(str(file), f"line {number}", expected))
            continue
        if is_word(values[0]):
            yield values[0], offsets


def _senses(
    lemma: str,
    pos: Pos,
    offsets: list[int],
    letter: str,
    data: dict[str, SynsetFile],
    forms: tuple[StatedForm, ...],
    report: FaultHandler,
) -> Iterator[Sense]:
    """The senses of a lemma under every way it is printed: case stands in data.* only."""
    for offset in offsets:
        try:
            synset = data[letter].synset(offset)
            for number, printed in enumerate(synset.words, 1):
                word = _SYNTAX.sub("", printed)
                if word.lower() == lemma:
                    labels = _usage_labels(synset, number, data)
                    if is_shortened(word, synset.words):
                        labels.add("shortened")
                    yield _sense(word, pos, labels, synset.gloss, forms if word == lemma else ())
        except BadSource as fault:
            report(fault)


def _usage_labels(synset: Synset, number: int, data: dict[str, SynsetFile]) -> set[Label]:
    """The labels that usage pointers give a synset's word, counted from one."""
    meant = [usage for usage in synset.usages if usage.word in (0, number)]
    named = [usage_label(data[usage.letter].synset(usage.offset).words[0]) for usage in meant]
    return {label for label in named if label}


def _sense(word: str, pos: Pos, labels: set[Label], gloss: str, forms: tuple[StatedForm, ...]) -> Sense:
    if not word.endswith("s"):
        labels.discard("plural")  # "relation" is a word used in the plural and not a plural itself
    said = parse_gloss_labels(gloss)
    return Sense(word, pos, (case_labels(word) | labels | said.labels) - said.partial, said.partial, gloss, forms)


def _read_exceptions(file: Path | None, pos: Pos, report: FaultHandler) -> dict[str, tuple[StatedForm, ...]]:
    """Irregular forms by the lower-case lemma they belong to: each line is a form and its bases."""
    found: dict[str, list[StatedForm]] = {}
    for number, line in numbered_lines(file, report) if file else ():
        form, *bases = line.split() or [""]
        if form and not bases:
            report(BadSource(str(file), f"line {number}", "expected a form and its bases"))
        for base in bases:
            if base != form and is_word(form):
                found.setdefault(base, []).append(StatedForm(form, guess_slot(pos, form)))
    return {base: tuple(forms) for base, forms in found.items()}
