"""Tests of the reader of plain lists, a word a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries
from each_row import each_row

from builders.entry import Entry, StatedForm
from builders.readers import read_entries
from ordws.errors import BadSource, Missing


def read(folder: Path, data: bytes | str) -> dict[tuple[str, str], Entry]:
    path = folder / "list.txt"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_unique_entries("plain", path)


@each_row(
    "data",
    [
        "zib\nzibbée\n".encode(),
        "zib\r\nzibbée\r\n".encode(),
        "\ufeffzib\nzibbée".encode(),
        "zib\nzibbée\n".encode("latin-1"),
        "zib\nzibbée\n".encode("utf-16"),
        "# ours\n\nzib\n  zibbée  \n".encode(),
    ],
)
def test_lists_of_any_encoding_and_line_end_are_read(tmp_path: Path, data: bytes):
    """Lists in UTF-8, UTF-16 and Latin-1 from any system are read without blank lines and remarks."""
    assert list(read(tmp_path, data)) == [("zib", "other"), ("zibbée", "other")]


def test_a_definition_follows_the_first_space_or_tab(tmp_path: Path):
    """The text behind the first space or tab is the definition, with or without a note in square brackets."""
    entries = read(tmp_path, "ZIB a small thing [n -S]\nZAB\tto zab [v ZABBED, ZABBING, ZABS]\nZUB\n")
    assert entries["ZIB", "noun"] == Entry("ZIB", "noun", gloss="a small thing", forms=(StatedForm("ZIBS", "plural"),))
    assert entries["ZAB", "verb"].forms == (
        StatedForm("ZABBED", "form"),
        StatedForm("ZABBING", "gerund"),
        StatedForm("ZABS", "form"),
    )
    assert entries["ZUB", "other"].gloss == ""


@each_row(
    ("line", "form"),
    [
        ("ZIBBY [n -BIES]", "ZIBBIES"),
        ("ZIBBY [n -IES]", "ZIBBIES"),
        ("ZIBICATE [v -CATED]", "ZIBICATED"),
        ("ZIBBY [adj -BIER]", "ZIBBIER"),
        ("ZIBUS [n ZIBI or ZIBUSES]", "ZIBI"),
    ],
)
def test_endings_are_completed(tmp_path: Path, line: str, form: str):
    """An ending that repeats the last letter that stays is completed."""
    (entry,) = read(tmp_path, line).values()
    assert entry.forms[0].form == form


def test_a_slash_separates_parts_of_speech(tmp_path: Path):
    """A slash separates the parts of speech of one note."""
    entries = read(tmp_path, "ZIB a thing [n -S / v -ED, -ING, -S]\n")
    assert entries["ZIB", "noun"].forms == (StatedForm("ZIBS", "plural"),)
    assert [form for form, _ in entries["ZIB", "verb"].forms] == ["ZIBED", "ZIBING", "ZIBS"]


def test_a_pointer_to_a_base_is_an_inflection(tmp_path: Path):
    """A pointer "<zib=n>" in place of a definition labels the word an inflection."""
    assert read(tmp_path, "ZIBS <zib=n> [n]\n")["ZIBS", "noun"].labels == {"inflection"}


def test_capitals_count_only_where_others_are_small(tmp_path: Path):
    """A capital makes a name only in a list that prints some words in lower case."""
    entries = read(tmp_path, "zib\nZibland\n")
    assert [set(entry.labels) for entry in entries.values()] == [set(), {"proper"}]
    entries = read(tmp_path, "Zib\nZABS\n")
    assert [set(entry.labels) for entry in entries.values()] == [set(), set()]


def test_a_binary_file_is_a_fault_with_its_line(tmp_path: Path):
    """A picture or an archive given by mistake is a fault with its line."""
    with pytest.raises(BadSource, match=r"list\.txt, line 2: expected text in UTF-8 or Latin-1, found .* 0x08"):
        read(tmp_path, b"zib\nz\x08\xffb\n")


def test_a_line_that_begins_with_no_word_is_a_fault(tmp_path: Path):
    """A line that does not begin with a word is a fault, and the lines behind it are read."""
    path = tmp_path / "list.txt"
    path.write_text("zib\n-- 12\nzab\n")
    faults: list[BadSource] = []
    assert [entry.word for entry in read_entries("plain", path, faults=faults)] == ["zib", "zab"]
    assert [str(fault) for fault in faults] == [f"{path}, line 2: expected a word first"]


def test_a_truncated_character_is_a_fault_with_its_offset(tmp_path: Path):
    """UTF-16 that is cut within a character is a fault with its offset."""
    with pytest.raises(BadSource, match=r"list\.txt, offset 8: expected text in UTF-16"):
        read(tmp_path, "zib".encode("utf-16") + b"\n")


def test_a_missing_list_is_named(tmp_path: Path):
    """The error of a missing list quotes the path as given."""
    with pytest.raises(Missing, match=r'a word list is missing: no file ".*list\.txt"'):
        list(read_entries("plain", tmp_path / "list.txt"))
