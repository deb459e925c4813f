"""WordNet-LMF, the XML format of the Global WordNet Association (docs/dictionaries.md 7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from builders.entry import Label, Pos, Slot, StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, find_single_file, read_decompressed
from builders.readers.terms import case_labels, guess_slot, is_word, parse_gloss_labels, parse_labels
from ordws.errors import BadSource

_POS: Final[dict[str, Pos]] = {
    "n": "noun",
    "v": "verb",
    "a": "adjective",
    "s": "adjective",
    "r": "adverb",
    "c": "conjunction",
    "p": "preposition",
    "t": "other",
    "x": "other",
    "u": "other",
}
_SLOTS: Final[dict[str, Slot]] = {
    "NNS": "plural",
    "VBZ": "third",
    "VBD": "past",
    "VBN": "participle",
    "VBG": "gerund",
    "JJR": "comparative",
    "RBR": "comparative",
    "JJS": "superlative",
    "RBS": "superlative",
}
"""Inflections by tags of the Penn Treebank."""

_ENGLISH: Final = {"en", "eng"}
_USAGE: Final = "exemplifies"
_ElementHandler: TypeAlias = Callable[[Element, Element, int], None]
_DOMAINS: Final[dict[str, Label]] = {"trade name": "trademark", "combining form": "affix"}


class LmfEntry(NamedTuple):
    """One lexical entry, the number of its last line, and its senses."""

    line: int
    word: str
    pos: Pos
    forms: tuple[StatedForm, ...]
    senses: tuple[tuple[str, tuple[str, ...]], ...]
    """The id of each sense's synset, and the ids of the usages that the sense is an example of."""


class LmfSynset(NamedTuple):
    """The definition of a synset, and the ids of the usages that its words are examples of."""

    gloss: str
    usages: tuple[str, ...]


class LmfLexicon:
    """The words and synsets of a file, collected first, as senses come before the synsets that explain them."""

    def __init__(self) -> None:
        self.words: list[LmfEntry] = []
        self.synsets: dict[str, LmfSynset] = {}
        self.names: dict[str, list[str]] = defaultdict(list)
        """The words of each synset and sense, multi-word ones too: others may be examples of it."""

    def add(self, element: Element, line: int) -> None:
        """Add a finished element; ValueError says what was expected of it."""
        if element.tag == "Synset":
            gloss = " / ".join(text for part in element.iter("Definition") if (text := _text(part)))
            self.synsets[_required_attribute(element, "id")] = LmfSynset(gloss, _usages(element, "SynsetRelation"))
        if element.tag != "LexicalEntry":
            return
        lemma = element.find("Lemma")
        if lemma is None:
            raise ValueError("expected a Lemma in the LexicalEntry")
        word = _required_attribute(lemma, "writtenForm")
        pos = _POS.get(_required_attribute(lemma, "partOfSpeech"))
        if pos is None:
            raise ValueError(f"expected a partOfSpeech as one of {', '.join(_POS)}")
        senses = element.findall("Sense")
        synsets = [_required_attribute(sense, "synset") for sense in senses]
        for name in (*synsets, *[sense.get("id", "") for sense in senses]):
            self.names[name].append(word)
        if not is_word(word):
            return
        forms = []
        for form in element.findall("Form"):
            text = _required_attribute(form, "writtenForm")
            if text != word and is_word(text):
                slots = [_SLOTS[tag] for part in form.findall("Tag") if (tag := _text(part)) in _SLOTS]
                forms.append(StatedForm(text, slots[0] if slots else guess_slot(pos, text)))
        usages = [_usages(sense, "SenseRelation") for sense in senses]
        self.words.append(LmfEntry(line, word, pos, tuple(forms), tuple(zip(synsets, usages, strict=True))))


def files(path: Path) -> tuple[Path, ...]:
    """Return the file at the path, or the only one in a folder; raises Missing."""
    return (find_single_file(path, "*.xml*", "a WordNet-LMF file"),)


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses of the English lexicons, in the order of the file."""
    (file,) = files
    english, languages = LmfLexicon(), set()

    def handle(lexicon: Element, element: Element, line: int) -> None:
        language = lexicon.get("language", "")
        languages.add(language)
        if language.partition("-")[0] in _ENGLISH:
            try:
                english.add(element, line)
            except ValueError as error:
                report(BadSource(str(file), f"line {line}", str(error)))

    _parse(file, handle, report)
    if not english.names:
        found = ", ".join(f'"{language}"' for language in sorted(languages)) or "no Lexicon"
        report(BadSource(str(file), "line 1", f'expected words in a Lexicon with language="en", found {found}'))
    for word in english.words:
        for name, usages in word.senses or (("", ()),):
            synset = english.synsets.get(name, LmfSynset("", ()))
            if name and name not in english.synsets:
                report(BadSource(str(file), f"line {word.line}", "expected the synset of each sense in the file"))
            labels, partial = parse_gloss_labels(synset.gloss)
            # A usage is a synset such as "slang" or "ethnic slur": the words in it are labels.
            for names in [english.names.get(usage, []) for usage in usages + synset.usages]:
                named = parse_labels(" ".join(names))
                labels |= named.labels | {_DOMAINS[name] for name in names if name in _DOMAINS}
                partial |= named.partial
            if not word.word.endswith("s"):
                labels -= {"plural"}  # "relation" is a word used in the plural and not a plural itself
            yield Sense(word.word, word.pos, labels | case_labels(word.word), partial, synset.gloss, word.forms)


def _parse(file: Path, handle: _ElementHandler, report: FaultHandler) -> None:
    """Call `handle` for each element right beneath a Lexicon: with the lexicon, the element and its last line."""
    parser, builder = expat.ParserCreate(namespace_separator="}"), TreeBuilder()
    within: list[Element] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        within.append(builder.start(tag, attributes))

    def end(tag: str) -> None:
        element = builder.end(tag)
        within.pop()
        if len(within) == 2:
            handle(within[1], element, parser.CurrentLineNumber)
            within[1].remove(element)  # or the whole file stays in memory

    def skip(name: str, is_parameter: bool) -> None:
        # Of an entity that no DTD here defines, the text is unknown; dropping it silently would change a word.
        if not is_parameter:
            raise ValueError("found an entity that is not defined")

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.SkippedEntityHandler = builder.data, skip
    try:
        parser.Parse(read_decompressed(file), True)
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two where the encoding is unknown
        report(BadSource(str(file), f"line {parser.CurrentLineNumber}", f"expected XML, {error}"))


def _required_attribute(element: Element, attribute: str) -> str:
    if value := element.get(attribute):
        return value
    raise ValueError(f"expected an attribute {attribute} of the {element.tag}")


def _usages(element: Element, relation: str) -> tuple[str, ...]:
    return tuple(part.get("target", "") for part in element.iter(relation) if part.get("relType") == _USAGE)


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
