"""Tests that crafted texts are read fast: each would take minutes if the time grew with the square of its length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dictionary_files import write_dictd, write_stardict
from each_row import each_row

from builders.readers import read_entries
from ordws.errors import BadSource

SIZE = 400_000


def words(format: str, path: Path) -> set[str]:
    return {entry.word for entry in read_entries(format, path)}


@each_row(
    ("types", "text"),
    [
        ("m", "\n" * SIZE + "x"),
        ("m", " \n" * (SIZE // 2) + "x"),
        ("m", "/a/\n" * (SIZE // 4)),
        ("m", "[" * SIZE),
        ("h", "<k>" * (SIZE // 3)),
        ("h", "<" * SIZE),
        ("h", "<br " * (SIZE // 4)),
    ],
)
def test_hostile_stardict_texts_are_read_fast(tmp_path: Path, types: str, text: str) -> None:
    """StarDict texts of blank lines, endless pronunciations and unclosed tags are read fast."""
    write_stardict(tmp_path, {"zib": text})
    info = tmp_path / "own.ifo"
    info.write_text(info.read_text().replace("sametypesequence=m", f"sametypesequence={types}"))
    assert words("stardict", tmp_path) == {"zib"}


def test_a_headword_between_its_tags_is_cut(tmp_path: Path) -> None:
    """The text from the first <k> to the next </k> is cut, in either case; an unpaired tag is only a tag."""
    write_stardict(tmp_path, {"zib": "</k>a <k>zab<K>zeb</K>thing <k>zob</k>of <k>old"})
    info = tmp_path / "own.ifo"
    info.write_text(info.read_text().replace("sametypesequence=m", "sametypesequence=h"))
    assert [entry.gloss for entry in read_entries("stardict", tmp_path)] == ["a thing of old"]


@each_row("setting", ["wordcount", "idxfilesize", "idxoffsetbits"])
def test_a_number_of_5000_digits_is_a_fault(tmp_path: Path, setting: str) -> None:
    """A number of 5,000 digits, which Python refuses to convert, is a fault."""
    write_stardict(tmp_path, {"zib": "a thing"})
    info = tmp_path / "own.ifo"
    info.write_text(f"{info.read_text()}{setting}={'9' * 5000}\n")
    with pytest.raises(BadSource, match=f"expected {setting}=") as fault:
        words("stardict", tmp_path)
    assert len(fault.value.expected) < 120


@each_row(
    "text",
    [
        "n." + "\n" * SIZE + "x",
        "n.\n" + " \n" * (SIZE // 2) + "x",
        "n.\n  (a) x " + "\n" * SIZE + "x",
        "n.\n  A thing. [x] A" + " " * SIZE + ".",
        "n.\n  A thing. [" + "Webster" * (SIZE // 7),
        "v. [imp. " + "a" * SIZE + "]",
    ],
)
def test_hostile_gcide_texts_are_read_fast(tmp_path: Path, text: str) -> None:
    """GCIDE texts of blank lines and unclosed or formless brackets are read fast."""
    assert words("gcide", write_dictd(tmp_path, [f"Zib \\Zib\\, {text}"])) == {"Zib"}


@each_row("text", ["{a|" * (SIZE // 3), "{a|" + "b" * SIZE, "{" * SIZE])
def test_hostile_collegiate_texts_are_read_fast(tmp_path: Path, text: str) -> None:
    """Collegiate texts of unclosed links and marks are read fast."""
    sense = ["sense", {"dt": [["text", text]]}]
    entry = {"meta": {"id": "zib:1"}, "hwi": {"hw": "zib"}, "fl": "noun", "def": [{"sseq": [[sense]]}]}
    (tmp_path / "own.json").write_text(json.dumps([entry]))
    assert words("collegiate", tmp_path / "own.json") == {"zib"}


def test_hostile_lmf_comments_are_read_fast(tmp_path: Path) -> None:
    """An LMF comment of many lines is read fast, and its lines are counted."""
    entry = '<LexicalEntry id="e"><Lemma writtenForm="zib" partOfSpeech="n"/></LexicalEntry>'
    comment = "<!--" + "\n" * SIZE + "-->"
    text = f'<LexicalResource><Lexicon language="en">{comment}\n{entry}\n<LexicalEntry/></Lexicon></LexicalResource>'
    (tmp_path / "own.xml").write_text(text)
    faults: list[BadSource] = []
    read = read_entries("lmf", tmp_path / "own.xml", faults=faults)
    assert [entry.word for entry in read] == ["zib"]
    assert [fault.place for fault in faults] == ["line 400003", "line 1"]  # line 1: no word has a sense
