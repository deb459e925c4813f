"""Texts made to be slow to read: each would take minutes where the work grew with the square of its length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dictionary_files import write_dictd, write_stardict

from builders.readers import read_entries
from ordws.errors import BadSource

SIZE = 400_000


def words(format: str, path: Path) -> set[str]:
    return {entry.word for entry in read_entries(format, path)}


@pytest.mark.parametrize(
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
def test_stardict(tmp_path: Path, types: str, text: str) -> None:
    """Blank lines, sounds without end, and tags that nobody closes."""
    write_stardict(tmp_path, {"zib": text})
    info = tmp_path / "own.ifo"
    info.write_text(info.read_text().replace("sametypesequence=m", f"sametypesequence={types}"))
    assert words("stardict", tmp_path) == {"zib"}


def test_a_headword_between_its_tags_is_cut(tmp_path: Path) -> None:
    """From the first <k> to the next </k>, in either case; a tag without its other half is but a tag."""
    write_stardict(tmp_path, {"zib": "</k>a <k>zab<K>zeb</K>thing <k>zob</k>of <k>old"})
    info = tmp_path / "own.ifo"
    info.write_text(info.read_text().replace("sametypesequence=m", "sametypesequence=h"))
    assert [entry.gloss for entry in read_entries("stardict", tmp_path)] == ["a thing of old"]


@pytest.mark.parametrize("setting", ["wordcount", "idxfilesize", "idxoffsetbits"])
def test_a_number_has_an_end(tmp_path: Path, setting: str) -> None:
    """Python itself refuses to read 5,000 digits, which must not end the program."""
    write_stardict(tmp_path, {"zib": "a thing"})
    info = tmp_path / "own.ifo"
    info.write_text(f"{info.read_text()}{setting}={'9' * 5000}\n")
    with pytest.raises(BadSource, match=f"expected {setting}=") as fault:
        words("stardict", tmp_path)
    assert len(fault.value.expected) < 120


@pytest.mark.parametrize(
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
def test_gcide(tmp_path: Path, text: str) -> None:
    """Blank lines, and brackets without an end or without a form."""
    assert words("gcide", write_dictd(tmp_path, [f"Zib \\Zib\\, {text}"])) == {"Zib"}


@pytest.mark.parametrize("text", ["{a|" * (SIZE // 3), "{a|" + "b" * SIZE, "{" * SIZE])
def test_collegiate(tmp_path: Path, text: str) -> None:
    """Links and marks that nobody closes."""
    sense = ["sense", {"dt": [["text", text]]}]
    entry = {"meta": {"id": "zib:1"}, "hwi": {"hw": "zib"}, "fl": "noun", "def": [{"sseq": [[sense]]}]}
    (tmp_path / "own.json").write_text(json.dumps([entry]))
    assert words("collegiate", tmp_path / "own.json") == {"zib"}


def test_lmf(tmp_path: Path) -> None:
    """A comment of many lines; those behind it are counted on."""
    entry = '<LexicalEntry id="e"><Lemma writtenForm="zib" partOfSpeech="n"/></LexicalEntry>'
    comment = "<!--" + "\n" * SIZE + "-->"
    text = f'<LexicalResource><Lexicon language="en">{comment}\n{entry}\n<LexicalEntry/></Lexicon></LexicalResource>'
    (tmp_path / "own.xml").write_text(text)
    faults: list[BadSource] = []
    read = read_entries("lmf", tmp_path / "own.xml", faults=faults)
    assert [entry.word for entry in read] == ["zib"]
    assert [fault.place for fault in faults] == ["line 400003", "line 1"]  # the last as no word has a sense
