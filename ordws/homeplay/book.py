"""The books on the shelf: a player's dictionary or players' reference, read from his file or told by him.

A file has a word a line, or columns parted by tabs: word, part of speech, `main` or the main entry that the word stands
under, label. Words fold as everywhere, so that diacritics do not matter. (RULES 6.7, rule 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from ordws.errors import BadSource, Missing
from ordws.fold import find_fold
from ordws.homeplay.derivation import PartsOfSpeech, TaggedWordList

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
"""What a headword may hold that is nonetheless no word for the board: CAN'T, MID-AIR, AD HOC. (RULES A-37)"""

_HEADER_CELLS: Final = ("word", "headword")


class DictionaryEntry(NamedTuple):
    """What a dictionary says of a word under one part of speech; empty or None where it says nothing."""

    part_of_speech: str = ""
    is_main: bool | None = None
    """Whether it has a main entry, or else is named in that of another word."""
    is_offensive: bool = False
    """Whether it is labelled offensive or vulgar."""


class DictionaryLookup(Protocol):
    """A book, or what is known of one so far."""

    def holds(self, word: str) -> bool | None:
        """Whether the word is in; None where nobody has looked yet."""

    def has_main_entry(self, word: str, part_of_speech: str) -> bool | None:
        """Whether a word that is in has a main entry as that part of speech; None where that is not known."""


_UNSPECIFIED: Final = (DictionaryEntry(),)


@dataclass(frozen=True)
class WordBook(TaggedWordList):
    """A book read whole."""

    entries: Mapping[str, tuple[DictionaryEntry, ...]] = field(repr=False)

    @classmethod
    def from_words(cls, words: Iterable[str]) -> WordBook:
        """A book of folded words of which nothing else is known."""
        return cls(dict.fromkeys(words, _UNSPECIFIED))

    def __contains__(self, word: object) -> bool:
        return word in self.entries

    def holds(self, word: str) -> bool | None:
        return word in self.entries

    def parts_of_speech(self, word: str) -> PartsOfSpeech:
        """The parts of speech of a word; none where one of its entries states none."""
        kinds = {entry.part_of_speech for entry in self.entries.get(word, _UNSPECIFIED)}
        return () if "" in kinds else kinds

    def has_main_entry(self, word: str, part_of_speech: str) -> bool | None:
        stated = {
            e.is_main
            for e in self.entries.get(word, ())
            if e.part_of_speech in (part_of_speech, "") and e.is_main is not None
        }
        return any(stated) if stated else None

    def is_offensive(self, word: str) -> bool:
        """Whether all entries of a word are labelled offensive or vulgar."""
        return all(entry.is_offensive for entry in self.entries.get(word, _UNSPECIFIED))


@dataclass(frozen=True)
class PlayerAnswers:
    """What a player has said of his book so far."""

    lookups: Mapping[str, bool]
    main_entries: Mapping[str, bool] = field(default_factory=dict)

    def holds(self, word: str) -> bool | None:
        return self.lookups.get(word)

    def has_main_entry(self, word: str, part_of_speech: str) -> bool | None:
        return self.main_entries.get(word)


def read_book(path: Path) -> WordBook:
    """The book in a player's file; raises BadSource with the line where it cannot be followed, Missing without it."""
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as err:
        line = raw.count(b"\n", 0, err.start) + 1
        raise BadSource(str(path), f"line {line}", "expected UTF-8: save the file as UTF-8 text") from err
    except OSError as err:
        raise Missing(f'"{path}" cannot be read: {err.strerror}') from err
    entries = _read_word_list(text) or _read_columns(text, str(path))
    if not entries:
        raise BadSource(str(path), "line 1", "expected a word a line, found none")
    return WordBook(entries)


def _read_word_list(text: str) -> dict[str, tuple[DictionaryEntry, ...]]:
    """The words of a file that holds nothing but letters of A to Z, a word a line; empty where it is not such a one."""
    lines = text.upper().split("\n")
    if not text.isascii() or not "".join(lines).isalpha():
        return {}
    return {line: _UNSPECIFIED for line in lines if 2 <= len(line) <= 21}


def _read_columns(text: str, file: str) -> dict[str, tuple[DictionaryEntry, ...]]:
    found: dict[str, tuple[DictionaryEntry, ...]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        first, tab, rest = line.partition("\t")
        first = first.strip()
        is_header = number == 1 and tab and first.lower() in _HEADER_CELLS
        if not (first or rest.strip()) or first.startswith("#") or is_header:
            continue
        word = _read_word(first, file, number)
        if word is not None:
            entries = (_read_entry(word, rest, file, number),) if rest else _UNSPECIFIED
            found[word] = found[word] + entries if word in found else entries
    return found


def _read_word(text: str, file: str, number: int) -> str | None:
    """The folded word; None for a headword that is never played: too short, too long, hyphenated, several words."""
    folded = find_fold(text)
    if folded is not None:
        return folded
    letters = "".join([c for c in text if c not in _UNPLAYABLE])
    if letters.isalpha() and (letters != text or not 2 <= len(text) <= 21):
        return None
    raise BadSource(file, f"line {number}", f'expected a word of letters, found "{_excerpt(text)}"')


def _excerpt(text: str) -> str:
    """The beginning of what a file holds, of which nothing steers a terminal."""
    return "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:40]])


def _read_entry(word: str, cells: str, file: str, number: int) -> DictionaryEntry:
    stated = _read_cells(cells)
    if isinstance(stated, str):
        raise BadSource(file, f"line {number}", stated)
    kind, main, is_out = stated
    return DictionaryEntry(kind, word == main if isinstance(main, str) else main, is_out)


@lru_cache(maxsize=1_024)  # most lines are alike but for the word
def _read_cells(text: str) -> tuple[str, str | bool | None, bool] | str:
    """Part of speech, whether that is a main entry or which is, whether it is out; or what was expected instead."""
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
        not _OFFENSIVE_LABELS.isdisjoint(labels.lower().replace(",", " ").split()),
    )


_MAIN_ENTRY_VALUES: Final = {"": None, "main": True, "secondary": False}
