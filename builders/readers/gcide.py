"""GCIDE, the Collaborative International Dictionary of English, over dictd. (SOURCES 1b, 1c)

Its index is no list of headwords: it finds inflected forms, cross references and phrases too. The headwords are
read from the texts. Those of 1913 are all capitalised.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builders.entry import Entry, Label
from builders.readers.dictd import Definition, files, read_definitions
from builders.readers.gcide_body import GcideSense, read_run_ons, read_senses
from builders.readers.gcide_head import GcideHeadword, forms_for_pos, read_head
from builders.readers.gcide_labels import is_from_wordnet
from builders.readers.gcide_names import WordUsage, collect_word_usage, looks_like_name
from builders.readers.gcide_variants import read_variants
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler
from builders.readers.terms import SenseLabels, is_word
from ordws.errors import BadSource

__all__ = ["files", "read"]

_ENCODING: Final = "cp1252"  # ASCII, but for three letters in quotations
_HEADWORD: Final = "expected a headword and its respelling between backslashes"
_NAME_LABELS: Final[frozenset[Label]] = frozenset({"capitalised"})
_INITIALS_LABELS: Final[frozenset[Label]] = frozenset({"abbreviation"})


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries in the order of the texts, without those that come from WordNet alone."""
    texts = list(read_definitions(files, _ENCODING, report))
    uses = collect_word_usage(definition.text for definition in texts)
    yield from merge_senses(_senses(texts, uses, files[1], report))


def _senses(texts: list[Definition], uses: WordUsage, file: Path, report: FaultHandler) -> Iterator[Sense]:
    entries, variants = 0, _find_variants(texts)
    for definition in texts:
        text = definition.text
        if is_from_wordnet(text):
            continue
        heads, shared, end = read_head(text)
        entries += len(heads)
        if not heads and "\\" in text.partition("\n\n")[0]:
            report(BadSource(str(file), f"offset {definition.offset}", _HEADWORD))
        body = text[end:]
        if words := [head for head in _add_variants(heads, variants) if is_word(head.word)]:
            meanings = read_senses(body, shared)
            for head in words:
                yield from _headword_senses(head, meanings, uses)
        yield from _run_on_senses(body, shared)
    if not entries:
        raise BadSource(str(file), "offset 0", f"{_HEADWORD}, found no text with one")


def _find_variants(texts: list[Definition]) -> dict[str, dict[str, None]]:
    """Other spellings by headword: what one entry of a word gives holds for its other parts of speech too."""
    found: dict[str, dict[str, None]] = {}
    for definition in texts:
        spellings = list(read_variants(definition.text))
        for head in read_head(definition.text).headwords[:1] if spellings else ():
            found.setdefault(head.word, {}).update(dict.fromkeys(spellings))
    return found


def _add_variants(heads: tuple[GcideHeadword, ...], variants: dict[str, dict[str, None]]) -> Iterator[GcideHeadword]:
    """The headwords of an entry, and the other spellings of the first, whose forms nobody states."""
    yield from heads
    known = {head.word.lower() for head in heads}
    for variant in variants.get(heads[0].word, ()) if heads else ():
        if variant.lower() not in known:
            yield GcideHeadword(variant, heads[0].pos, heads[0].labels)


def _headword_senses(head: GcideHeadword, meanings: list[GcideSense], uses: WordUsage) -> Iterator[Sense]:
    word, positions, labels, forms = head
    if looks_like_name(word, meanings[0].gloss, uses):
        labels |= _NAME_LABELS
    if word.isupper():
        labels |= _INITIALS_LABELS
    for pos in positions:
        stated = forms_for_pos(pos, forms) if forms else ()
        for said, gloss in meanings:
            shown = f"form {gloss}" if gloss.startswith("of ") and "inflection" in labels else gloss
            yield Sense(word, pos, labels | said.labels, said.partial, shown, stated)


def _run_on_senses(body: str, shared: SenseLabels) -> Iterator[Sense]:
    for word, grammar, said in read_run_ons(body):
        if is_word(word):
            borne = shared.union(said)
            for pos in grammar.pos or ("other",):
                yield Sense(word, pos, grammar.labels | borne.labels, borne.partial, run_on=True)
