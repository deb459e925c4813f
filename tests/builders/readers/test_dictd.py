"""Tests of dictd's files and of plain dictionaries in this format (docs/dictionaries.md 1b)."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from dictionary_files import read_unique_entries, write_dictd
from each_row import each_row

from builders.readers import files_of, read_entries
from ordws.errors import BadSource, Missing

TEXTS = (
    "Zibble /zibl/ n. (informal) A small zib.",
    "zab <v>\n  To make a zab.",
    "morgle\n   noun: [offensive] a drink",
)


def test_keys_are_the_headwords(tmp_path: Path):
    """Each key is an entry, and the headword, part of speech and labels in its text are no part of the gloss."""
    entries = read_unique_entries("dictd", write_dictd(tmp_path, TEXTS))
    assert list(entries) == [("Zibble", "noun"), ("zab", "verb"), ("morgle", "noun")]
    assert entries["Zibble", "noun"].labels == {"colloquial", "proper"}
    assert entries["zab", "verb"].gloss == "To make a zab."
    assert entries["morgle", "noun"].labels == {"offensive"}


def test_headwords_take_their_capitals_from_the_text(tmp_path: Path):
    """The headword takes its capitals from the text, since keys are mostly in lower case."""
    path = write_dictd(tmp_path, ["Zib n. A town.", "zab n. A thing."], keys={0: ["zib"], 1: ["zab", "zabb"]})
    entries = read_unique_entries("dictd", path)
    assert entries["Zib", "noun"].labels == {"proper"}
    assert [word for word, _ in entries] == ["Zib", "zab", "zabb"]


def test_a_dictionary_that_capitalises_all_has_no_names(tmp_path: Path):
    """Capitals make no names in a dictionary that capitalises every headword."""
    entries = read_unique_entries("dictd", write_dictd(tmp_path, ["Zib n. A thing.", "Zab n. Another."]))
    assert [set(entry.labels) for entry in entries.values()] == [set(), set()]


@each_row("given", ["own", "own.index", ""])
def test_a_dictionary_is_given_by_its_folder_its_index_or_its_name(tmp_path: Path, given: str):
    """A dictionary may be given by its index, by its name, or by a folder that holds no other."""
    write_dictd(tmp_path, TEXTS)
    assert [file.name for file in files_of("dictd", tmp_path / given)] == ["own.index", "own.dict.dz"]


def test_texts_may_be_unpacked(tmp_path: Path):
    """A .dict file is read like the .dict.dz that it was unpacked from."""
    path = write_dictd(tmp_path, TEXTS, packed=False)
    assert len(read_unique_entries("dictd", path)) == 3


def test_a_missing_index_or_text_file_is_named(tmp_path: Path):
    """A missing index, and an index without its texts, are named."""
    with pytest.raises(Missing, match="the index of a dictd dictionary"):
        files_of("dictd", tmp_path / "own")
    with pytest.raises(Missing, match=r'expected one file "\*\.index" in ".*", found 0'):
        files_of("dictd", tmp_path)
    (tmp_path / "own.index").touch()
    with pytest.raises(Missing, match=r"no own\.dict\.dz or own\.dict beside"):
        files_of("dictd", tmp_path)


@each_row(
    ("line", "expected"),
    [
        ("zib A B", "expected a key, an offset and a length in base 64, with tabs between"),
        ("zib\tA", "expected a key, an offset and a length in base 64"),
        ("zib\tA\t!", "expected a key, an offset and a length in base 64"),
        ("zib\t\tB", "expected a key, an offset and a length in base 64"),
        ("zib\tA\tZZZZ", "expected a text within 14 bytes, found one at 0 of length 6657625"),
    ],
)
def test_broken_index_lines_are_named(tmp_path: Path, line: str, expected: str):
    """A fault names file, line and what was expected, and the lines behind it are read."""
    path = write_dictd(tmp_path, ["zab n. A thing"[:13]])
    index = tmp_path / "own.index"
    index.write_text(line + "\n" + index.read_text())
    faults: list[BadSource] = []
    assert [entry.word for entry in read_entries("dictd", path, faults=faults)] == ["zab"]
    assert [fault.place for fault in faults] == ["line 1"]
    assert faults[0].expected.startswith(expected)


def test_texts_in_another_encoding_are_named_by_their_offset(tmp_path: Path):
    """A byte that is no UTF-8 is reported with its place in the text."""
    path = write_dictd(tmp_path, ["zab n. A thing", "zib n. A zib"])
    (tmp_path / "own.dict.dz").write_bytes(gzip.compress(b"zab n. A thing\nzib n. A z\xe9b\n"))
    with pytest.raises(BadSource, match=r"own\.dict\.dz, offset 15: expected text in UTF-8, found 0xe9 at byte 11"):
        list(read_entries("dictd", path))


@each_row(
    ("damage", "message"),
    [
        (lambda data: b"", r"offset 0: expected more gzip data, the file ends here"),
        (lambda data: data[:-10], r"offset \d+: expected more gzip data, the file ends here"),
        (lambda data: b"zib" + data, r"offset 0: expected gzip data"),
        (lambda data: data[:-8] + b"\0" + data[-7:], r"offset 0: expected gzip data, .*incorrect data check"),
    ],
)
def test_damaged_packed_texts_are_named(tmp_path: Path, damage, message: str):
    """Compressed texts that are empty, cut short, not gzip or not what was compressed are reported."""
    path = write_dictd(tmp_path, TEXTS)
    texts = tmp_path / "own.dict.dz"
    texts.write_bytes(damage(texts.read_bytes()))
    with pytest.raises(BadSource, match=message):
        list(read_entries("dictd", path))
