"""Tests that a reader, whatever the bytes of a source, yields entries or reports where the source is damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dictionary_files import write_dictd, write_json_lines, write_stardict, write_wordnet
from each_row import each_row

from builders.readers import files_of, read_entries
from ordws.errors import BadSource, OrdwsError

GCIDE = 'Zib \\Zib\\ (z[i^]b), n.; pl. {Zibs}. [OE. zib.]\n   1. A thing. [Obs.]\n\n   2. Another. -- {Zib"ly}, adv.\n'
WIKDICT = "zib /zɪb/ <n>\n1. sipuli 2.\n(slang) a thing\n 3.\nanother\n"
COLLEGIATE = {
    "meta": {"offensive": True},
    "hwi": {"hw": "zib"},
    "fl": "noun",
    "ins": [{"il": "plural", "if": "zibs"}],
    "def": [{"sseq": [[["sense", {"sls": ["slang"]}]]]}],
    "uros": [{"ure": "zibly", "fl": "adverb"}],
}
KAIKKI = {
    "word": "zib",
    "pos": "noun",
    "lang_code": "en",
    "senses": [{"glosses": ["a thing"], "tags": ["slang"]}],
    "forms": [{"form": "zibs", "tags": ["plural"]}],
}
LMF = (
    '<LexicalResource><Lexicon><LexicalEntry id="e"><Lemma writtenForm="zib" partOfSpeech="n"/>'
    '<Sense id="a" synset="s"/></LexicalEntry>\n<Synset id="s"><Definition>a thing</Definition></Synset>\n'
    "</Lexicon></LexicalResource>\n"
)


def scowl(folder: Path) -> Path:
    (folder / "english-words.10").write_text("zib\nzibs\n")
    return folder


def wordnet(folder: Path) -> Path:
    return write_wordnet(folder, {"n": ["slang 0||talk", "zib 0|;u slang|a thing"]}, {"n": "zibben zib\n"})


def stardict(folder: Path) -> Path:
    return write_stardict(folder, {"zib": "n. A thing."}, synonyms={"zibs": 0})


def text(content: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "own.txt").write_text(content)
        return folder / "own.txt"

    return write


SOURCES: dict[str, Callable[[Path], Path]] = {
    "collegiate": text(json.dumps([COLLEGIATE])),
    "dictd": lambda folder: write_dictd(folder, ["zib n. A thing.", "zab n. Another."], packed=False),
    "gcide": lambda folder: write_dictd(folder, [GCIDE], packed=False),
    "kaikki": lambda folder: write_json_lines(folder / "own.jsonl", [KAIKKI]),
    "lmf": text(LMF),
    "plain": text("ZIB a thing [n -S]\nZAB\n"),
    "scowl": scowl,
    "stardict": stardict,
    "table": text('word,pos,forms\nzib,noun,plural:zibs\n"zab",verb,\n'),
    "wikdict": lambda folder: write_dictd(folder, [WIKDICT], packed=False),
    "wndb": wordnet,
}


def survives(format: str, path: Path) -> None:
    """Read all that can be read; any error but our own is a failure of the reader."""
    faults: list[BadSource] = []
    with suppress(OrdwsError):
        assert all(entry.word for entry in read_entries(format, path, faults=faults))
    assert all(fault.place and fault.expected for fault in faults)
    expectations = [fault.expected.lower() for fault in faults if "expected a header" not in fault.expected]
    assert not any("zib" in text for text in expectations), "a fault quotes the names of columns, and no words"


@each_row("format", sorted(SOURCES))
def test_a_file_cut_at_any_length_raises_only_reader_errors(format: str, tmp_path: Path):
    """A file cut at any length raises only our own errors."""
    path = SOURCES[format](tmp_path)
    for file in files_of(format, path):
        whole = file.read_bytes()
        for length in range(len(whole)):
            file.write_bytes(whole[:length])
            survives(format, path)
        file.write_bytes(whole)


@each_row("format", sorted(SOURCES))
def test_any_corrupted_byte_raises_only_reader_errors(format: str, tmp_path: Path):
    """A file with any byte replaced, by zero, quotation mark, backslash or 0xff in turn, raises only our errors."""
    path = SOURCES[format](tmp_path)
    for file in files_of(format, path):
        whole = file.read_bytes()
        for at in range(len(whole)):
            file.write_bytes(whole[:at] + b'\x00"\\\xff'[at % 4 : at % 4 + 1] + whole[at + 1 :])
            survives(format, path)
        file.write_bytes(whole)
