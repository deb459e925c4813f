"""GCIDE, the Collaborative International Dictionary of English, over dictd. (SOURCES 1b, 1c)

Its index is no list of headwords: it finds inflected forms, cross references and phrases too. The headwords are
read from the texts. Those of 1913 are all capitalised.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builders.entry import Entry, Label
from builders.readers.dictd import Definition, definitions, files
from builders.readers.gcide_body import Meaning, read_meanings, read_run_ons
from builders.readers.gcide_head import Head, forms_for, read_heads
from builders.readers.gcide_labels import is_copied
from builders.readers.gcide_names import Uses, is_like_a_name, read_uses
from builders.readers.gcide_variants import read_variants
from builders.readers.senses import Sense, entries_of
from builders.readers.source_files import Report
from builders.readers.terms import Borne, is_word
from ordws.errors import BadSource

__all__ = ["files", "read"]

_ENCODING: Final = "cp1252"  # ASCII, but for three letters in quotations
_HEADWORD: Final = "expected a headword and its respelling between backslashes"
_LIKE_A_NAME: Final[frozenset[Label]] = frozenset({"capitalised"})
_INITIALS: Final[frozenset[Label]] = frozenset({"abbreviation"})


def read(files: tuple[Path, ...], report: Report) -> Iterator[Entry]:
    """Entries in the order of the texts, without those that come from WordNet alone."""
    texts = list(definitions(files, _ENCODING, report))
    uses = read_uses(definition.text for definition in texts)
    yield from entries_of(_senses(texts, uses, files[1], report))


def _senses(texts: list[Definition], uses: Uses, file: Path, report: Report) -> Iterator[Sense]:
    entries, variants = 0, _find_variants(texts)
    for definition in texts:
        text = definition.text
        if is_copied(text):
            continue
        heads, shared, end = read_heads(text)
        entries += len(heads)
        if not heads and "\\" in text.partition("\n\n")[0]:
            report(BadSource(str(file), f"offset {definition.offset}", _HEADWORD))
        body = text[end:]
        if words := [head for head in _with_variants(heads, variants) if is_word(head.word)]:
            meanings = read_meanings(body, shared)
            for head in words:
                yield from _senses_of(head, meanings, uses)
        yield from _run_ons(body, shared)
    if not entries:
        raise BadSource(str(file), "offset 0", f"{_HEADWORD}, found no text with one")


def _find_variants(texts: list[Definition]) -> dict[str, dict[str, None]]:
    """Other spellings by headword: what one entry of a word gives holds for its other parts of speech too."""
    found: dict[str, dict[str, None]] = {}
    for definition in texts:
        spellings = list(read_variants(definition.text))
        for head in read_heads(definition.text).heads[:1] if spellings else ():
            found.setdefault(head.word, {}).update(dict.fromkeys(spellings))
    return found


def _with_variants(heads: tuple[Head, ...], variants: dict[str, dict[str, None]]) -> Iterator[Head]:
    """The headwords of an entry, and the other spellings of the first, whose forms nobody states."""
    yield from heads
    known = {head.word.lower() for head in heads}
    for variant in variants.get(heads[0].word, ()) if heads else ():
        if variant.lower() not in known:
            yield Head(variant, heads[0].pos, heads[0].labels)


def _senses_of(head: Head, meanings: list[Meaning], uses: Uses) -> Iterator[Sense]:
    word, positions, labels, forms = head
    if is_like_a_name(word, meanings[0].gloss, uses):
        labels |= _LIKE_A_NAME
    if word.isupper():
        labels |= _INITIALS
    for pos in positions:
        stated = forms_for(pos, forms) if forms else ()
        for said, gloss in meanings:
            shown = f"form {gloss}" if gloss.startswith("of ") and "inflection" in labels else gloss
            yield Sense(word, pos, labels | said.labels, said.some, shown, stated)


def _run_ons(body: str, shared: Borne) -> Iterator[Sense]:
    for word, grammar, said in read_run_ons(body):
        if is_word(word):
            borne = shared.with_(said)
            for pos in grammar.pos or ("other",):
                yield Sense(word, pos, grammar.labels | borne.labels, borne.some, run_on=True)
