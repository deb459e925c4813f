"""Tests of the reader of SCOWL's word lists (docs/dictionaries.md 1, 2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries

from builders.readers import files_of, read_entries
from builders.readers.scowl import ScowlWord, read_scowl_words
from ordws.errors import BadSource, Missing

LISTS = {
    "english-words.10": "zib\nzab\n",
    "variant_1-words.80": "zibb\n",
    "british_z-words.95": "zibbée\n",
    "american-upper.50": "Zib\nZibber's\n",
    "english-proper-names.80": "Zab\n",
    "english-abbreviations.35": "zb\nzab\n",
    "special-roman-numerals.35": "XII\n",
    "english-contractions.10": "zib's\n",
    "README": "no list\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in LISTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_file_name_gives_region_category_and_size(folder: Path):
    """A file's name gives region, category and size, and words are kept as printed."""
    assert set(read_scowl_words(folder)) == {
        ScowlWord("zib", 10, "words", "english"),
        ScowlWord("zab", 10, "words", "english"),
        ScowlWord("zibb", 80, "words", "variant_1"),
        ScowlWord("zibbée", 95, "words", "british_z"),
        ScowlWord("Zib", 50, "upper", "american"),
        ScowlWord("Zibber's", 50, "upper", "american"),
        ScowlWord("Zab", 80, "proper-names", "english"),
        ScowlWord("zb", 35, "abbreviations", "english"),
        ScowlWord("zab", 35, "abbreviations", "english"),
        ScowlWord("XII", 35, "roman-numerals", "special"),
        ScowlWord("zib's", 10, "contractions", "english"),
    }


def test_lists_as_entries(folder: Path):
    """Words of the upper-case lists are names; a label that only some lists give a word is partial."""
    entries = read_unique_entries("scowl", folder)
    assert entries["zib", "other"].labels == frozenset()
    assert entries["Zib", "other"].labels == {"proper"}
    assert entries["Zab", "other"].labels == {"proper"}
    assert entries["zb", "other"].labels == {"abbreviation"}
    assert (entries["zab", "other"].labels, entries["zab", "other"].partial_labels) == (frozenset(), {"abbreviation"})
    assert "abbreviation" in entries["XII", "other"].labels
    assert ("zib's", "other") not in entries


def test_a_folder_without_lists_is_an_error(tmp_path: Path):
    """The error for a folder without lists shows the name of such a file."""
    with pytest.raises(Missing, match=r'no file like "english-words\.80" in'):
        files_of("scowl", tmp_path)


def test_two_words_in_a_line_are_a_fault(folder: Path):
    """A line with two words is a fault."""
    (folder / "english-words.10").write_text("zib\nzib zab\nzub\n")
    with pytest.raises(BadSource, match=r'english-words\.10, line 2: expected one word, found "zib zab"'):
        list(read_scowl_words(folder))
    faults: list[BadSource] = []
    assert "zub" in {entry.word for entry in read_entries("scowl", folder, faults=faults)}
    assert [fault.place for fault in faults] == ["line 2"]


def test_latin_1_is_a_fault(folder: Path):
    """A list in Latin-1 is a fault, since Debian delivers UTF-8 whatever the README of the lists says."""
    (folder / "english-words.10").write_bytes("zib\nzibbée\n".encode("latin-1"))
    with pytest.raises(BadSource, match=r"english-words\.10, line 2: expected text in UTF-8, found 0xe9 at byte 5"):
        list(read_scowl_words(folder))
