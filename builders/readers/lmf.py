"""WordNet-LMF, the XML of the Global WordNet Association, as the Open English WordNet is handed out. (SOURCES 7)"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from builders.entry import Entry, Label, Pos, Slot, StatedForm
from builders.readers.forms import guess_slot
from builders.readers.letter_case import case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler, find_single_file, read_decompressed
from builders.readers.terms import SenseLabels, is_word, parse_gloss_labels, parse_labels
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
"""What a tag of the Penn Treebank says of a form."""

_ENGLISH: Final = {"en", "eng"}
_USAGE: Final = "exemplifies"
_ElementHandler: TypeAlias = Callable[[Element, Element, int], None]
_DOMAINS: Final[dict[str, Label]] = {"trade name": "trademark", "combining form": "affix"}


class LmfEntry(NamedTuple):
    """One lexical entry, the line that it ends in, and the synsets of its senses."""

    line: int
    word: str
    pos: Pos
    forms: tuple[StatedForm, ...]
    senses: tuple[tuple[str, tuple[str, ...]], ...]
    """The synset of each sense, and what the sense is an example of."""


class LmfSynset(NamedTuple):
    """The definition of a synset, and what its words are examples of."""

    gloss: str
    usages: tuple[str, ...]


class LmfLexicon:
    """What is gathered of a file, as senses come before the synsets that explain them."""

    def __init__(self) -> None:
        self.words: list[LmfEntry] = []
        self.synsets: dict[str, LmfSynset] = {}
        self.names: dict[str, list[str]] = defaultdict(list)
        """The words of each synset and sense, multi-word ones too: others may be examples of it."""

    def add(self, element: Element, line: int) -> None:
        """Take in a finished element; ValueError says what it should have held."""
        match element.tag:
            case "LexicalEntry":
                self._add_word(element, line)
            case "Synset":
                gloss = " / ".join(text for part in element.iter("Definition") if (text := _text(part)))
                self.synsets[_required_attribute(element, "id")] = LmfSynset(gloss, _usages(element, "SynsetRelation"))

    def _add_word(self, element: Element, line: int) -> None:
        lemma = element.find("Lemma")
        if lemma is None:
            raise ValueError("expected a Lemma in the LexicalEntry")
        word, pos = _required_attribute(lemma, "writtenForm"), _pos(lemma)
        senses = element.findall("Sense")
        synsets = [_required_attribute(sense, "synset") for sense in senses]
        for name in (*synsets, *[sense.get("id", "") for sense in senses]):
            self.names[name].append(word)
        if is_word(word):
            forms = tuple(_stated_forms(word, pos, element))
            usages = [_usages(sense, "SenseRelation") for sense in senses]
            self.words.append(LmfEntry(line, word, pos, forms, tuple(zip(synsets, usages, strict=True))))

    def usage_labels(self, usages: tuple[str, ...]) -> SenseLabels:
        """What it says of a word to be an example of "slang" or "ethnic slur"."""
        said = SenseLabels()
        for usage in usages:
            named = self.names.get(usage, [])
            ours: frozenset[Label] = frozenset(_DOMAINS[name] for name in named if name in _DOMAINS)
            said = said.union(parse_labels(" ".join(named))).union(SenseLabels(ours))
        return said


def files(path: Path) -> tuple[Path, ...]:
    """The file that is named, or the only one in a folder."""
    return (find_single_file(path, "*.xml*", "a WordNet-LMF file"),)


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries of the English lexicons, in the order of the file."""
    yield from merge_senses(_all_senses(files[0], report))


def _all_senses(file: Path, report: FaultHandler) -> Iterator[Sense]:
    lexicon = _read_lexicon(file, report)
    for word in lexicon.words:
        for name, usages in word.senses or (("", ()),):
            synset = lexicon.synsets.get(name, LmfSynset("", ()))
            if name and name not in lexicon.synsets:
                report(BadSource(str(file), f"line {word.line}", "expected the synset of each sense in the file"))
            yield _sense(word, synset.gloss, lexicon.usage_labels(usages + synset.usages))


def _sense(word: LmfEntry, gloss: str, usage: SenseLabels) -> Sense:
    labels, some = usage.union(parse_gloss_labels(gloss))
    if not word.word.endswith("s"):
        labels -= {"plural"}  # "relation" is a word used in the plural and not a plural itself
    return Sense(word.word, word.pos, labels | case_labels(word.word), some, gloss, word.forms)


def _read_lexicon(file: Path, report: FaultHandler) -> LmfLexicon:
    """The English lexicons of a file as far as it can be read."""
    gathered, languages = LmfLexicon(), set()

    def take(lexicon: Element, element: Element, line: int) -> None:
        language = lexicon.get("language", "")
        languages.add(language)
        if language.partition("-")[0] in _ENGLISH:
            try:
                gathered.add(element, line)
            except ValueError as error:
                report(BadSource(str(file), f"line {line}", str(error)))

    _parse(file, take, report)
    if not gathered.names:
        found = ", ".join(f'"{language}"' for language in sorted(languages)) or "no Lexicon"
        report(BadSource(str(file), "line 1", f'expected words in a Lexicon with language="en", found {found}'))
    return gathered


def _parse(file: Path, handle: _ElementHandler, report: FaultHandler) -> None:
    """Hands on each element right beneath a Lexicon: the lexicon, the element and the line that it ends in."""
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
        if not is_parameter:
            raise ValueError("found an entity that is not defined")

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.SkippedEntityHandler = builder.data, skip
    try:
        parser.Parse(read_decompressed(file), True)
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two where it does not know the encoding
        report(BadSource(str(file), f"line {parser.CurrentLineNumber}", f"expected XML, {error}"))


def _required_attribute(element: Element, attribute: str) -> str:
    if value := element.get(attribute):
        return value
    raise ValueError(f"expected an attribute {attribute} of the {element.tag}")


def _pos(lemma: Element) -> Pos:
    letter = _required_attribute(lemma, "partOfSpeech")
    if letter not in _POS:
        raise ValueError(f"expected a partOfSpeech as one of {', '.join(_POS)}")
    return _POS[letter]


def _stated_forms(word: str, pos: Pos, element: Element) -> Iterator[StatedForm]:
    for form in element.findall("Form"):
        text = _required_attribute(form, "writtenForm")
        if text != word and is_word(text):
            tags = [_SLOTS[tag] for part in form.findall("Tag") if (tag := _text(part)) in _SLOTS]
            yield StatedForm(text, tags[0] if tags else guess_slot(pos, text))


def _usages(element: Element, relation: str) -> tuple[str, ...]:
    return tuple(part.get("target", "") for part in element.iter(relation) if part.get("relType") == _USAGE)


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
