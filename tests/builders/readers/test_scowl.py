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


def test_a_list_stands_for_itself_and_all_smaller_ones(tmp_path: Path):
    """The path of a list gives its smaller lists too, of the same region and category."""
    for name in ("english-words.10", "english-words.20", "english-words.35", "american-words.10", "english-upper.10"):
        (tmp_path / name).write_text(f"{name.partition('.')[0]}\n".replace("-", "").replace("_", ""))
    found = files_of("scowl", tmp_path / "english-words.20", tmp_path / "american-words.10")
    assert [file.name for file in found] == ["english-words.10", "english-words.20", "american-words.10"]
    entries = list(read_entries("scowl", tmp_path / "english-words.20", tmp_path / "american-words.10"))
    assert [entry.word for entry in entries] == ["englishwords", "americanwords"]
    (tmp_path / "english-words.10").unlink()
    with pytest.raises(Missing, match=r'a list of SCOWL is missing: no file "[^"]*english-words\.10"'):
        files_of("scowl", tmp_path / "english-words.20")


def test_lists_of_names_need_not_have_every_size(tmp_path: Path):
    """SCOWL has no list of names for every size: those that are there are read, and the one asked for has to be."""
    for size in (35, 60):
        (tmp_path / f"english-upper.{size}").write_text("Zib\n")
    found = files_of("scowl", tmp_path / "english-upper.60")
    assert [file.name for file in found] == ["english-upper.35", "english-upper.60"]
    with pytest.raises(Missing, match=r"english-upper\.50"):
        files_of("scowl", tmp_path / "english-upper.50")
