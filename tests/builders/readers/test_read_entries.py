"""Tests for every format: the registry, faults, digests, and files that change while they are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from each_row import each_row

from builders.readers import READERS, digest, files_of, read_entries
from builders.readers.scowl import read_scowl_words
from builders.readers.senses import Sense, merge_senses
from ordws.errors import BadRecipe, BadSource, Missing, SourceChanged


def test_every_format_of_the_sources_has_a_reader():
    """Every open and licensed format has a reader (docs/dictionaries.md 7)."""
    assert sorted(READERS) == [
        "collegiate",
        "dictd",
        "gcide",
        "kaikki",
        "lmf",
        "plain",
        "scowl",
        "stardict",
        "table",
        "wikdict",
        "wndb",
    ]


def test_an_unknown_format_names_those_that_exist(tmp_path: Path):
    """An unknown format is an error of the recipe, raised before anything is read."""
    with pytest.raises(BadRecipe, match=r'no format "hunspell": expected one of collegiate, dictd, .*wndb'):
        files_of("hunspell", tmp_path)
    with pytest.raises(BadRecipe):
        read_entries("hunspell", tmp_path)


@each_row("format", sorted(READERS))
def test_a_missing_source_is_named_before_anything_is_read(format: str, tmp_path: Path):
    """Every reader names a missing folder or file before anything is read."""
    with pytest.raises(Missing, match="missing"):
        read_entries(format, tmp_path / "nothing")


@each_row("format", ["plain", "kaikki", "lmf", "table"])
def test_an_empty_file_is_no_dictionary(format: str, tmp_path: Path):
    """A source without a headword is a fault, never an empty vote in a quorum."""
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(BadSource, match="expected"):
        list(read_entries(format, path))


def test_a_digest_is_of_names_and_contents(tmp_path: Path):
    """A digest depends on the names and contents of files and not on their folder."""
    for folder, name, text in (("a", "x", "zib"), ("b", "x", "zib"), ("c", "x", "zab"), ("d", "y", "zib")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    first = digest([tmp_path / "a" / "x"])
    assert first[:12] == "9b267359f15a"
    assert digest([tmp_path / "b" / "x"]) == first
    assert digest([tmp_path / "c" / "x"]) != first
    assert digest([tmp_path / "d" / "y"]) != first


def test_a_source_that_changes_is_noticed(tmp_path: Path):
    """A source that changes while it is read is an error even if all its lines are well formed."""
    path = tmp_path / "list.txt"
    path.write_text("zib\nzab\n")
    entries = read_entries("plain", path)
    assert next(entries).word == "zib"
    path.write_text("zib\nzub\n")
    with pytest.raises(SourceChanged, match=r'"[^"]*list\.txt" changed while it was read'):
        list(entries)


def test_a_source_that_vanishes_is_noticed(tmp_path: Path):
    """A list of SCOWL that is deleted before it is read is an error."""
    for name in ("english-words.10", "english-words.20"):
        (tmp_path / name).write_text("zib\nzab\n")
    listed = read_scowl_words(tmp_path)
    next(listed)
    (tmp_path / "english-words.20").unlink()
    with pytest.raises(SourceChanged, match=r"english-words\.20"):
        list(listed)
    (tmp_path / "english-words.20").write_text("zab\n")
    listed = read_scowl_words(tmp_path)
    next(listed)
    (tmp_path / "english-words.20").write_text("zub\n")
    with pytest.raises(SourceChanged, match=r"english-words\.20"):
        list(listed)


def test_a_fault_caused_by_a_change_is_reported_as_a_change(tmp_path: Path):
    """A fault in a file that is being written is reported as a change of the file."""
    for name in ("english-words.10", "english-words.20"):
        (tmp_path / name).write_text("zib\nzab\n")
    listed = read_scowl_words(tmp_path)
    next(listed)
    (tmp_path / "english-words.20").write_text("zib zab\n")
    with pytest.raises(SourceChanged, match=r"english-words\.20"):
        list(listed)


@pytest.mark.parametrize("faults", [None, []])
def test_the_first_fault_is_raised_unless_faults_are_collected(tmp_path: Path, faults: list[BadSource] | None):
    """The first fault is raised; with a list all are collected, and the good places between them are read."""
    path = tmp_path / "words.csv"
    path.write_text("word,pos\nzib,noun,x\nzab,noun\nzub,noun,x\nzob,noun\n")
    if faults is None:
        with pytest.raises(BadSource, match="line 2"):
            list(read_entries("table", path))
    else:
        assert [entry.word for entry in read_entries("table", path, faults=faults)] == ["zab", "zob"]
        assert [fault.place for fault in faults] == ["line 2", "line 4"]


def test_senses_of_one_word_are_merged_into_one_entry():
    """Senses of one word and part of speech are one entry, however far apart they stand."""
    slang, rare = frozenset({"slang"}), frozenset({"rare"})
    senses = [Sense("zib", "noun", slang | rare), Sense("zab", "noun", rare), Sense("zib", "noun", slang, gloss="a")]
    first, second = merge_senses(senses)
    assert (first.word, first.labels, first.partial_labels, first.gloss) == ("zib", {"slang"}, {"rare"}, "a")
    assert (second.word, second.labels, second.partial_labels) == ("zab", {"rare"}, frozenset())


def test_a_headword_is_no_run_on():
    """A word that is a run-on of one entry and a headword itself is no run-on."""
    senses = [Sense("zib", "noun", run_on=True), Sense("zib", "noun"), Sense("zab", "noun", run_on=True)]
    assert [(entry.word, entry.run_on) for entry in merge_senses(senses)] == [("zib", False), ("zab", True)]


def test_a_long_gloss_ends_with_a_sentence_or_clause():
    """Whole senses, and of a single sense whole sentences or clauses, fill at most 240 characters."""
    rest = "; " + "and so on " * 30
    (entry,) = merge_senses([Sense("word", "noun", gloss="a unit of language" + rest)])
    assert entry.gloss == "a unit of language."
    senses = [Sense("word", "noun", gloss=each) for each in ("a unit of language", "a promise " + "given " * 50)]
    (entry,) = merge_senses(senses)
    assert entry.gloss == "a unit of language"


def test_long_glosses_are_cut_between_words():
    """A gloss has at most three senses and 240 characters, and is cut between words."""
    (entry,) = merge_senses([Sense("zib", "noun", gloss="word " * 60)])
    assert entry.gloss.endswith("word ...")
    assert len(entry.gloss) == 243
    (entry,) = merge_senses([Sense("zib", "noun", gloss=gloss) for gloss in "abcd"])
    assert entry.gloss == "a / b / c"
