"""A player's dictionary or players' reference: a file of theirs, or the answers they give.

A file has a word a line, or columns separated by tabs: word, part of speech, `main` or the main entry that the word
stands under, label. Words are folded, so that diacritics do not matter (docs/rules.md 6.7 rule 1). For the browser,
ordws/web/pages/static/book.js reads such files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from ordws.errors import BadSource, Missing
from ordws.fold import find_fold
from ordws.homeplay.formatives import PartsOfSpeech, TaggedWordList

LookupKind: TypeAlias = Literal["dictionary", "main-entry", "label", "reference"]
"""The subject of a look-up: the player's dictionary, a main entry or a label there, or the players' reference."""

_PARTS_OF_SPEECH: Final = {
    "n": "noun",
    "noun": "noun",
    "v": "verb",
    "vt": "verb",
    "vi": "verb",
    "verb": "verb",
    "adj": "adjective",
    "a": "adjective",
    "adjective": "adjective",
    "adv": "adverb",
    "adverb": "adverb",
    "prep": "preposition",
    "preposition": "preposition",
    "conj": "conjunction",
    "conjunction": "conjunction",
    "pron": "pronoun",
    "pronoun": "pronoun",
    "interj": "interjection",
    "interjection": "interjection",
    "num": "numeral",
    "numeral": "numeral",
    "det": "determiner",
    "determiner": "determiner",
    "article": "determiner",
    "other": "other",
}
_OFFENSIVE_LABELS: Final = frozenset({"offensive", "vulgar"})
_UNPLAYABLE: Final = frozenset(" '’-.")
"""The characters of headwords that are no words for the board: CAN'T, MID-AIR, AD HOC (docs/rules.md A-37)."""

_HEADER_CELLS: Final = ("word", "headword")
_MAIN_ENTRY_VALUES: Final = {"": None, "main": True, "secondary": False}


class DictionaryEntry(NamedTuple):
    """The facts of a dictionary about a word as one part of speech; empty or None if it says nothing."""

    part_of_speech: str = ""
    is_main: bool | None = None
    """True if the word has a main entry, False if it is named in the entry of another word."""
    is_offensive: bool = False
    """True if the word is labelled offensive or vulgar."""


_UNSPECIFIED: Final = (DictionaryEntry(),)


@dataclass(frozen=True)
class WordBook(TaggedWordList):
    """A book that was read whole."""

    entries: Mapping[str, tuple[DictionaryEntry, ...]] = field(repr=False)
    states_labels: bool = False
    """True if the book labels any of its words, whatever the label."""

    @classmethod
    def from_words(cls, words: Iterable[str]) -> WordBook:
        """Return a book of folded words of which nothing else is known."""
        return cls(dict.fromkeys(words, _UNSPECIFIED))

    def __contains__(self, word: object) -> bool:
        return word in self.entries

    def holds(self, word: str) -> bool | None:
        """Return whether the book has a word."""
        return word in self.entries

    def parts_of_speech(self, word: str) -> PartsOfSpeech:
        """Return the parts of speech of a word; none if one of its entries states none, so that it may be any."""
        kinds = {entry.part_of_speech for entry in self.entries.get(word, _UNSPECIFIED)}
        return () if "" in kinds else kinds

    def has_main_entry(self, word: str, part_of_speech: str) -> bool | None:
        """Return whether a word has a main entry as that part of speech; None if the book does not say."""
        stated = {
            entry.is_main
            for entry in self.entries.get(word, ())
            if entry.part_of_speech in (part_of_speech, "") and entry.is_main is not None
        }
        return any(stated) if stated else None

    def is_offensive(self, word: str) -> bool:
        """Return whether the book has a word and labels all its entries offensive or vulgar."""
        return all(entry.is_offensive for entry in self.entries.get(word, _UNSPECIFIED))


@dataclass(frozen=True)
class PlayerAnswers:
    """The answers of a player about their book so far."""

    lookups: Mapping[str, bool]
    main_entries: Mapping[str, bool] = field(default_factory=dict)
    labels: Mapping[str, bool] = field(default_factory=dict)
    """True of a word that the dictionary labels offensive or vulgar in every sense."""
    states_labels: ClassVar[bool] = True

    def with_answer(self, about: LookupKind, word: str, is_so: bool) -> PlayerAnswers:
        """Return the answers with one more, about a word of the dictionary."""
        answer = {word: is_so}
        match about:
            case "main-entry":
                return replace(self, main_entries={**self.main_entries, **answer})
            case "label":
                return replace(self, labels={**self.labels, **answer})
            case "dictionary" | "reference":
                return replace(self, lookups={**self.lookups, **answer})

    def holds(self, word: str) -> bool | None:
        """Return whether the book has a word; None if the player has not looked yet."""
        return self.lookups.get(word)

    def has_main_entry(self, word: str, part_of_speech: str) -> bool | None:
        """Return whether a word has a main entry, whatever the part of speech; None if the player has not said."""
        return self.main_entries.get(word)

    def parts_of_speech(self, word: str) -> PartsOfSpeech:
        """Return none, which stands for unknown: players are not asked for parts of speech."""
        return ()

    def is_offensive(self, word: str) -> bool | None:
        """Return whether the dictionary labels a word in every sense; None if the player has not said."""
        return self.labels.get(word)


def read_book(path: Path) -> WordBook:
    """Return the book in a player's file.

    Raises BadSource with the line that cannot be understood, Missing if the file cannot be read.
    """
    try:
        raw = path.read_bytes()
        # Editors and spreadsheets of other systems write byte order marks and other line ends.
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as err:
        line = raw.count(b"\n", 0, err.start) + 1
        raise BadSource(str(path), f"line {line}", "expected UTF-8: save the file as UTF-8 text") from err
    except OSError as err:
        raise Missing(f'"{path}" cannot be read: {err.strerror}') from err
    lines = text.upper().split("\n")
    # A plain list of A to Z, as large references are, need not be folded and checked line by line.
    if text.isascii() and "".join(lines).isalpha():
        book = WordBook({line: _UNSPECIFIED for line in lines if 2 <= len(line) <= 21})
    else:
        book = _read_columns(text, str(path))
    if not book.entries:
        raise BadSource(str(path), "line 1", "expected a word a line, found none")
    return book


def _read_columns(text: str, file: str) -> WordBook:
    """Return the entries of a file by their folded words; headwords that are never played are left out."""
    entries: dict[str, tuple[DictionaryEntry, ...]] = {}
    states_labels = False
    for number, line in enumerate(text.split("\n"), 1):
        first, tab, rest = line.partition("\t")
        first = first.strip()
        is_header = number == 1 and tab and first.lower() in _HEADER_CELLS
        if not (first or rest.strip()) or first.startswith("#") or is_header:
            continue
        word = find_fold(first)
        if word is None:
            letters = "".join([c for c in first if c not in _UNPLAYABLE])
            # Too short, too long, hyphenated, or several words: no fault of the file.
            if letters.isalpha() and (letters != first or not 2 <= len(first) <= 21):
                continue
            raise BadSource(file, f"line {number}", f'expected a word of letters, found "{_excerpt(first)}"')
        added = _UNSPECIFIED
        if rest:
            cells = _read_cells(rest)
            if isinstance(cells, str):
                raise BadSource(file, f"line {number}", cells)
            part_of_speech, main, labels = cells
            states_labels = states_labels or bool(labels)
            is_offensive = not _OFFENSIVE_LABELS.isdisjoint(labels)
            is_main = word == main if isinstance(main, str) else main
            added = (DictionaryEntry(part_of_speech, is_main, is_offensive),)
        entries[word] = entries[word] + added if word in entries else added
    return WordBook(entries, states_labels)


def _excerpt(text: str) -> str:
    """Return the beginning of a text of a file without what would control a terminal."""
    return "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:40]])


@lru_cache(maxsize=1_024)  # most lines differ in the word alone
def _read_cells(text: str) -> tuple[str, str | bool | None, frozenset[str]] | str:
    """Return what the cells behind the word state, or the fault in them.

    That is the part of speech, whether it is a main entry or under which it stands, and its labels.
    """
    kind, main, labels, *more = [cell.strip() for cell in [*text.split("\t"), "", ""]]
    name = kind.lower().replace(".", "").replace(" ", "")
    if any(more):
        return "expected at most four columns: word, part of speech, entry, label"
    if name and name not in _PARTS_OF_SPEECH:
        return f'expected a part of speech such as noun, found "{_excerpt(kind)}"'
    is_main = _MAIN_ENTRY_VALUES.get(main.lower()) if main.lower() in _MAIN_ENTRY_VALUES else find_fold(main)
    if is_main is None and main:
        return f'expected main, secondary or a main entry, found "{_excerpt(main)}"'
    return (
        _PARTS_OF_SPEECH.get(name, ""),
        is_main,
        frozenset(labels.lower().replace(",", " ").split()),
    )
