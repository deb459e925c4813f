"""Tests of the reader of StarDict dictionaries, made here byte by byte."""

from __future__ import annotations

import gzip

import pytest
from each_row import each_row

from builders.entry import Entry, StatedForm
from builders.readers import files_of, read_entries
from ordws.errors import BadSource, Missing

BASH = b"bash\nn 1: a party\nv 1: to hit\n2: (slang) to berate"


def index_of(words, bits=32):
    index, offset = b"", 0
    for word, text in words:
        index += word.encode() + b"\0" + offset.to_bytes(bits // 8) + len(text).to_bytes(4)
        offset += len(text)
    return index


def write(folder, *words, bits=32, types="m", synonyms=b"", **changed):
    """Write a dictionary into a folder; settings of the .ifo file may be given."""
    index = index_of(words, bits)
    settings = {"version": "3.0.0", "wordcount": len(words), "idxfilesize": len(index), "bookname": "ours"}
    settings |= {"idxoffsetbits": bits} if bits != 32 else {}
    settings |= {"sametypesequence": types} if types else {}
    lines = [f"{name}={value}\n" for name, value in (settings | changed).items()]
    (folder / "ours.ifo").write_text("StarDict's dict ifo file\n" + "".join(lines))
    (folder / "ours.idx").write_bytes(index)
    (folder / "ours.dict").write_bytes(b"".join(text for _, text in words))
    if synonyms:
        (folder / "ours.syn").write_bytes(synonyms)
    return folder


def read(folder, faults=None):
    return list(read_entries("stardict", folder, faults=faults))


def test_each_part_of_speech_begins_an_entry(tmp_path):
    """A line that begins with a part of speech begins an entry, and numbers separate its senses."""
    assert read(write(tmp_path, ("bash", BASH))) == [
        Entry("bash", "noun", gloss="a party"),
        Entry("bash", "verb", frozenset(), frozenset({"slang"}), "to hit / (slang) to berate"),
    ]


@each_row(
    ("text", "pos", "gloss"),
    [
        ("n. a dance", "noun", "a dance"),
        ("/ˈkoʊloʊ/ noun: a dance", "noun", "a dance"),
        ("a. round", "adjective", "round"),
        ("v. t. to dance", "verb", "to dance"),
        ("a small dance", "other", "a small dance"),
        ("nouns are many", "other", "nouns are many"),
    ],
)
def test_an_abbreviated_part_of_speech_needs_its_dot(tmp_path, text, pos, gloss):
    """An abbreviated part of speech needs its dot, so that the article "a" is no adjective."""
    (entry,) = read(write(tmp_path, ("kolo", text.encode())))
    assert (entry.pos, entry.gloss) == (pos, gloss)


@pytest.mark.parametrize("bits", [32, 64])
def test_offsets_have_four_bytes_or_eight(tmp_path, bits):
    """The .ifo file sets the width of an offset."""
    entries = read(write(tmp_path, ("bash", b"n. a party"), ("kolo", b"n. a dance"), bits=bits))
    assert [(entry.word, entry.gloss) for entry in entries] == [("bash", "a party"), ("kolo", "a dance")]


def test_index_and_texts_may_be_packed(tmp_path):
    """Index and texts may be gzip under their own names, found from the .ifo file."""
    write(tmp_path, ("kolo", b"n. a dance"))
    for name, packed in (("ours.idx", "ours.idx.gz"), ("ours.dict", "ours.dict.dz")):
        (tmp_path / packed).write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        (tmp_path / name).unlink()
    assert [file.name for file in files_of("stardict", tmp_path)] == ["ours.ifo", "ours.idx.gz", "ours.dict.dz"]
    assert [entry.gloss for entry in read(tmp_path / "ours.ifo")] == ["a dance"]


@each_row(
    ("types", "data"),
    [
        ("g", b"<b>n.</b> a <i>small</i> dance &amp; song"),
        ("h", b"<p>n.</p> a small dance &amp; song"),
        ("x", b"<k>kolo</k> n. a small dance &amp; song"),
        ("tm", b"koloo\0n. a small dance & song"),
        ("Wm", b"\0\0\0\x04wave" + b"n. a small dance & song"),
        ("", b"tkoloo\0mn. a small dance & song\0"),
        ("", b"W\0\0\0\x02\0\0mn. a small dance & song\0"),
    ],
)
def test_text_is_found_among_the_fields(tmp_path, types, data):
    """Text fields are read without markup, and other fields are skipped by their end or their length."""
    (entry,) = read(write(tmp_path, ("kolo", data), types=types))
    assert (entry.pos, entry.gloss) == ("noun", "a small dance & song")


def test_synonyms_are_forms(tmp_path):
    """Synonyms of the .syn file are stated forms of the word at their place in the index."""
    synonyms = b"bashes\0" + (1).to_bytes(4) + b"to bash\0" + (1).to_bytes(4)
    first, second = read(write(tmp_path, ("axe", b"n. a tool"), ("bash", b"v. to hit"), synonyms=synonyms))
    assert first.forms == ()
    assert second.forms == (StatedForm("bashes", "form"),)


@each_row(
    ("changed", "place", "expected"),
    [
        ({"wordcount": "two"}, "line 3", '"two"'),
        ({"wordcount": 9}, "offset 13", "9 words"),
        ({"idxfilesize": 99}, "offset 13", "99 bytes"),
        ({"idxoffsetbits": 16}, "line 7", '"16"'),
        ({"sametypesequence": "k"}, "line 6", '"k"'),
    ],
)
def test_files_that_contradict_the_ifo_file_are_refused(tmp_path, changed, place, expected):
    """Counts, widths and types that contradict the .ifo file are refused with their line or offset."""
    with pytest.raises(BadSource) as fault:
        read(write(tmp_path, ("kolo", b"n. a dance"), **changed))
    assert fault.value.place == place
    assert expected in str(fault.value)


def test_another_file_is_refused(tmp_path):
    """An .ifo file without the first line that all of them have is refused."""
    write(tmp_path, ("kolo", b"n. a dance"))
    (tmp_path / "ours.ifo").write_text("bookname=ours\n")
    with pytest.raises(BadSource, match="line 1"):
        read(tmp_path)


def test_unreadable_texts_are_named_and_the_rest_is_read(tmp_path):
    """All faults are collected with their offsets, and synonyms still find their words behind them."""
    synonyms = b"kolos\0" + (2).to_bytes(4) + b"lost\0" + (9).to_bytes(4)
    words = (("axe", b"a tool"), ("bash", b"caf\xe9"), ("kolo", b"n. a dance"), ("zax", b"n."))
    write(tmp_path, *words, synonyms=synonyms)
    (tmp_path / "ours.dict").write_bytes((tmp_path / "ours.dict").read_bytes()[:-1])
    faults: list[BadSource] = []
    entries = {entry.word: entry.forms for entry in read(tmp_path, faults)}
    assert entries == {"axe": (), "kolo": (StatedForm("kolos", "form"),)}
    assert sorted((fault.file.rpartition(".")[2], fault.place) for fault in faults) == [
        ("dict", "offset 6"),
        ("idx", "offset 38"),
        ("syn", "offset 10"),
    ]


def test_a_truncated_index_record_is_a_fault(tmp_path):
    """An index record without its numbers is a fault."""
    write(tmp_path, ("axe", b"a tool"), ("kolo", b"a dance"), idxfilesize=20)
    (tmp_path / "ours.idx").write_bytes((tmp_path / "ours.idx").read_bytes()[:20])
    with pytest.raises(BadSource) as fault:
        read(tmp_path)
    assert fault.value.place == "offset 12"


def test_a_missing_file_is_named(tmp_path):
    """A file that is missing beside the .ifo file is named."""
    (write(tmp_path, ("kolo", b"a dance")) / "ours.dict").unlink()
    with pytest.raises(Missing, match=r"\.dict"):
        files_of("stardict", tmp_path)
