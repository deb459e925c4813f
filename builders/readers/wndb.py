"""WordNet's database files: index.*, data.* and, where they are delivered, *.exc (docs/dictionaries.md 1a)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Label, Pos, StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, numbered_lines, require_file
from builders.readers.terms import case_labels, guess_slot, is_phrase, is_word, parse_gloss_labels
from ordws.errors import BadSource

_POS_FILES: Final[dict[str, tuple[str, Pos]]] = {
    "n": ("noun", "noun"),
    "v": ("verb", "verb"),
    "a": ("adj", "adjective"),
    "r": ("adv", "adverb"),
}
_SYNTAX: Final = re.compile(r"\((?:a|p|ip)\)$")  # the position of an adjective: "galore(ip)"
_DOMAINS: Final[dict[str, Label]] = {
    "trade_name": "trademark",
    "trademark": "trademark",
    "colloquialism": "colloquial",
    "plural": "plural",
    "slang": "slang",
    "archaism": "archaic",
    "ethnic_slur": "offensive",
    "obscenity": "vulgar",
    "combining_form": "affix",
    "acronym": "abbreviation",
    "abbreviation": "abbreviation",
    "dialect": "dialect",
    "regionalism": "dialect",
}
_DISPARAGEMENT: Final = "disparagement"
"""A usage that is a hint alone, since WordNet has it at EFFEMINACY and RAGTAG too (docs/dictionaries.md 8)."""
_WORD_SEPARATOR: Final = re.compile(r"[ _-]")
_MAX_CLIP_LENGTH: Final = 3
"""A longer beginning of another word is mostly its base, as "courage" is of "courageousness"."""


class UsagePointer(NamedTuple):
    """A pointer `;u` to the synset that names a usage. Its word is counted from one; word 0 stands for all words."""

    word: int
    letter: str
    offset: int


class Synset(NamedTuple):
    """One line of data.*, its words as printed."""

    words: tuple[str, ...]
    usages: tuple[UsagePointer, ...]
    gloss: str


def files(path: Path) -> tuple[Path, ...]:
    """Return the files of WordNet in a folder, without *.exc where there are none; raises Missing."""
    needed = [path / f"{kind}.{part}" for part, _ in _POS_FILES.values() for kind in ("index", "data")]
    stated = [path / f"{part}.exc" for part, _ in _POS_FILES.values()]
    return (*[require_file(file, "a file of WordNet") for file in needed], *[file for file in stated if file.is_file()])


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses in the order of the index, those of a lemma by their frequency."""
    named = {file.name: file for file in files}
    data = {letter: SynsetFile(named[f"data.{part}"]) for letter, (part, _) in _POS_FILES.items()}
    for letter, (part, pos) in _POS_FILES.items():
        # Irregular forms by lower-case lemma; each line is a form and the lemmas it belongs to.
        exceptions: dict[str, tuple[StatedForm, ...]] = {}
        file = named.get(f"{part}.exc")
        for number, line in numbered_lines(file, report) if file else ():
            form, *bases = line.split() or [""]
            if form and not bases:
                report(BadSource(str(file), f"line {number}", "expected a form and its bases"))
            for base in bases:
                if base != form and is_word(form):
                    exceptions[base] = (*exceptions.get(base, ()), StatedForm(form, guess_slot(pos, form)))
        for lemma, offsets in _read_index(named[f"index.{part}"], report):
            if is_phrase(phrase := lemma.replace("_", " ")):
                yield Sense(phrase, pos)
            for offset in offsets if is_word(lemma) else ():
                try:
                    synset = data[letter].synset(offset)
                    yield from _senses(lemma, pos, synset, data, exceptions.get(lemma, ()))
                except BadSource as fault:
                    report(fault)


class SynsetFile:
    """One data.* file, read by the byte offsets that are its synsets' names."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._bytes = file.read_bytes()

    def synset(self, offset: int) -> Synset:
        """Return the synset at an offset; raises BadSource if none begins there."""
        try:
            line = self._bytes[offset : self._bytes.index(b"\n", offset)].decode("ascii")
            fields, bar, gloss = line.partition(" | ")
            if not line.startswith(f"{offset:08d} ") or not bar:
                raise ValueError
            values = fields.split(" ")
            words_end = 4 + 2 * int(values[3], 16)  # the words are counted in hexadecimal, the pointers in decimal
            pointers_end = words_end + 1 + 4 * int(values[words_end])
            if words_end == 4 or pointers_end > len(values):
                raise ValueError
            usages = []
            for at in range(words_end + 1, pointers_end, 4) if " ;u " in fields else ():
                if values[at] == ";u":
                    usages.append(UsagePointer(int(values[at + 3][:2], 16), values[at + 2], int(values[at + 1])))
            if not {usage.letter for usage in usages} <= _POS_FILES.keys():
                raise ValueError
        except (ValueError, IndexError) as error:
            expected = "expected a synset: offset lexfile type count words pointers | gloss"
            raise BadSource(str(self.file), f"offset {offset}", expected) from error
        return Synset(tuple(values[4:words_end:2]), tuple(usages), gloss.strip())


def _read_index(file: Path, report: FaultHandler) -> Iterator[tuple[str, list[int]]]:
    """Yield each lemma, in lower case, with underscores, and the offsets of its synsets, the most frequent first."""
    for number, line in numbered_lines(file, report):
        if line.startswith("  ") or not line:  # the licence
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
        yield values[0], offsets


def _senses(
    lemma: str, pos: Pos, synset: Synset, data: dict[str, SynsetFile], forms: tuple[StatedForm, ...]
) -> Iterator[Sense]:
    """Yield the senses of a lemma in one synset, in each spelling that is printed: only data.* tells the case."""
    for number, printed in enumerate(synset.words, 1):
        word = _SYNTAX.sub("", printed) if "(" in printed else printed
        if word.lower() != lemma:
            continue
        labels = parse_gloss_labels(synset.gloss)
        usages = [usage for usage in synset.usages if usage.word in (0, number)]
        names = [data[usage.letter].synset(usage.offset).words[0].replace(" ", "_") for usage in usages]
        own: set[Label] = {_DOMAINS[name] for name in names if name in _DOMAINS}
        if is_shortened(word, synset.words):
            own.add("shortened")
        if not word.endswith("s"):
            own.discard("plural")  # "relation" is a word used in the plural and not a plural itself
        all_labels = (case_labels(word) | own | labels.labels) - labels.partial
        hinted: frozenset[Label] = frozenset({"offensive"}) if _DISPARAGEMENT in names else frozenset()
        partial = labels.partial | (hinted - all_labels)
        # Irregular forms belong to the lower-case headword: not to a name that is spelled alike.
        yield Sense(word, pos, all_labels, partial, synset.gloss, forms if word == lemma else ())


def is_shortened(word: str, others: Iterable[str]) -> bool:
    """Tell whether one of the others, for the same sense, is the word in full: "run_batted_in" for "rbi".

    The word is then its initials, or leaves letters out of it and keeps their order.
    """
    short = word.lower()
    for other in others:
        long = other.lower()
        if len(long) < 2 * len(short):
            continue
        if len(parts := _WORD_SEPARATOR.split(long)) > 1:
            is_short_form = short == "".join(part[:1] for part in parts)
        elif long.startswith(short):
            is_short_form = len(short) <= _MAX_CLIP_LENGTH
        else:
            rest = iter(long)
            is_short_form = short[0] == long[0] and all(letter in rest for letter in short)
        if is_short_form:
            return True
    return False
