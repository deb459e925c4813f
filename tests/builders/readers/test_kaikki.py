"""Tests of the reader of Wiktionary's entries, a JSON object a line."""

from __future__ import annotations

import gzip
import json

import pytest

from builders.entry import Entry, StatedForm
from builders.readers import read_entries
from ordws.errors import BadSource

BASH = {
    "word": "bash",
    "pos": "verb",
    "lang_code": "en",
    "head_templates": [{"name": "en-verb"}],
    "senses": [
        {"glosses": ["To act.", "To strike."], "tags": ["transitive"]},
        {"glosses": ["To berate."], "tags": ["informal", "often", "offensive"]},
    ],
    "forms": [
        {"form": "bashes", "tags": ["present", "singular", "third-person"]},
        {"form": "bashing", "tags": ["participle", "present"]},
        {"form": "bashed", "tags": ["participle", "past"]},
        {"form": "bashed", "tags": ["past"]},
        {"form": "bashest", "tags": ["archaic", "second-person", "singular"]},
        {"form": "no-table-tags", "tags": ["table-tags"]},
        {"form": "basch", "tags": ["alternative"]},
    ],
}


def line(word, pos="noun", **more):
    return {"word": word, "pos": pos, "lang_code": "en", "senses": [{"glosses": ["what it means"]}], **more}


def sense(*tags, **more):
    return {"glosses": ["what it means"], "tags": list(tags), **more}


def read(path, *lines, faults=None):
    path.write_text("\n".join(text if isinstance(text, str) else json.dumps(text) for text in lines), "utf-8")
    return list(read_entries("kaikki", path, faults=faults))


def test_an_entry_has_its_senses_and_its_forms(tmp_path):
    """The last, narrowest gloss counts, and tagged forms are stated except those of other times or spellings."""
    assert read(tmp_path / "en.jsonl", BASH) == [
        Entry(
            "bash",
            "verb",
            frozenset(),
            frozenset({"colloquial", "offensive"}),
            "To strike. / To berate.",
            (
                StatedForm("bashes", "third"),
                StatedForm("bashing", "gerund"),
                StatedForm("bashed", "participle"),
                StatedForm("bashed", "past"),
            ),
        )
    ]


def test_comparisons_and_plurals_are_stated(tmp_path):
    """A form's inflection comes from its tags, and a comparison with "more" is no form."""
    lovely = line(
        "lovely",
        "adj",
        forms=[
            {"form": "lovelier", "tags": ["comparative"]},
            {"form": "more lovely", "tags": ["comparative"]},
            {"form": "loveliest", "tags": ["superlative"]},
        ],
    )
    index = line("index", forms=[{"form": "indices", "tags": ["plural"]}])
    assert [entry.forms for entry in read(tmp_path / "en.jsonl", lovely, index)] == [
        (StatedForm("lovelier", "comparative"), StatedForm("loveliest", "superlative")),
        (StatedForm("indices", "plural"),),
    ]


def test_only_english_is_read(tmp_path):
    """Lines of other languages and redirects are skipped."""
    entries = read(tmp_path / "all.jsonl", line("kolo"), line("kolo", lang_code="cs"), {"title": "a", "redirect": "b"})
    assert [entry.word for entry in entries] == ["kolo"]


def test_a_word_whose_senses_all_have_form_of_is_an_inflection(tmp_path):
    """A word is an inflection if all its senses have form_of, and partly one if some have."""
    points = sense("form-of", "plural", form_of=[{"word": "bash"}])
    held, bashes, leaves = read(
        tmp_path / "en.jsonl",
        line("held", "verb", senses=[sense("form-of", "past", form_of=[{"word": "hold"}])]),
        line("bashes", senses=[points]),
        line("leaves", senses=[points, sense()]),
    )
    assert held.labels == {"inflection"}
    assert bashes.labels == {"inflection"}
    assert leaves.labels == frozenset()


def test_tags_are_labels(tmp_path):
    """Tags become labels; "countable" beside "uncountable" makes it partial, "derogatory" is a hint."""
    entries = read(
        tmp_path / "en.jsonl",
        line("peace", senses=[sense("uncountable")]),
        line("cheese", senses=[sense("countable", "uncountable")]),
        line("wop", senses=[sense("slang", "offensive", "slur")]),
        line("toff", senses=[sense("derogatory")]),
        line("trousers", senses=[sense("plural-only")]),
        line("relation", senses=[sense("in-plural")]),
        line("thou", senses=[sense("obsolete")]),
    )
    assert {entry.word: (set(entry.labels), set(entry.partial_labels)) for entry in entries} == {
        "peace": ({"uncountable"}, set()),
        "cheese": (set(), {"uncountable"}),
        "wop": ({"slang", "offensive"}, set()),
        "toff": (set(), {"offensive"}),
        "trousers": ({"plural"}, set()),
        "relation": (set(), set()),
        "thou": ({"obsolete"}, set()),
    }


def test_names_affixes_and_symbols_are_labelled(tmp_path):
    """Part of speech and capitals label names, affixes and symbols."""
    entries = read(
        tmp_path / "en.jsonl", line("mary", "name"), line("Pole"), line("ish", "suffix"), line("kg", "symbol")
    )
    assert [set(entry.labels) for entry in entries] == [{"proper"}, {"proper"}, {"affix"}, {"abbreviation"}]


def test_a_misspelling_is_no_entry(tmp_path):
    """Common misspellings, which Wiktionary lists, are no entries."""
    wrong = line("definately", "adv", senses=[sense("alt-of", "misspelling")])
    assert [entry.word for entry in read(tmp_path / "en.jsonl", wrong, line("kolo"))] == ["kolo"]


def test_etymologies_of_one_word_are_one_entry(tmp_path):
    """Lines of one word and part of speech are one entry, wherever they stand."""
    vulgar = line("ass", senses=[sense("vulgar")])
    entries = read(tmp_path / "en.jsonl", line("ass"), line("kolo"), vulgar)
    assert [(entry.word, set(entry.labels), set(entry.partial_labels)) for entry in entries] == [
        ("ass", set(), {"vulgar"}),
        ("kolo", set(), set()),
    ]


def test_faults_are_collected_without_quoting_words(tmp_path):
    """All faults are collected, each with its line, and none quotes a word."""
    faults: list[BadSource] = []
    lines = ["{", line("kolo"), "[]", {"word": 7, "lang_code": "en"}, {"lang_code": "en", "pos": "noun"}, line("bash")]
    assert [entry.word for entry in read(tmp_path / "en.jsonl", *lines, faults=faults)] == ["kolo", "bash"]
    assert [fault.place for fault in faults] == ["line 1", "line 3", "line 4", "line 5"]


def test_a_truncated_packed_file_is_noticed(tmp_path):
    """A compressed file that was cut is a fault and not a shorter dictionary."""
    data = gzip.compress(b"".join(json.dumps(line(word)).encode() + b"\n" for word in ("kolo", "bash", "glime")))
    (tmp_path / "en.jsonl.gz").write_bytes(data)
    assert len(list(read_entries("kaikki", tmp_path / "en.jsonl.gz"))) == 3
    (tmp_path / "en.jsonl.gz").write_bytes(data[:-6])
    with pytest.raises(BadSource):
        list(read_entries("kaikki", tmp_path / "en.jsonl.gz"))
