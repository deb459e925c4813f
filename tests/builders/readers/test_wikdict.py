"""Tests of the reader of WikDict dictionaries (docs/dictionaries.md 1d)."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries, write_dictd
from each_row import each_row

from builders.entry import Entry
from builders.readers import read_entries
from ordws.errors import BadSource


def read(folder: Path, *texts: str) -> dict[tuple[str, str], Entry]:
    return read_unique_entries("wikdict", write_dictd(folder, texts))


def test_glosses_are_the_english_lines(tmp_path: Path):
    """Glosses are all lines but the first, the numbered ones, and those that are a number alone."""
    text = (
        "zibble //zɪbl// //zɪbəl// <n>\n1. sipuli\nfood: round vegetable\n2. nappi, nuppi 3.\nsmall knob\n 4.\n"
        "round button\n"
    )
    assert read(tmp_path, text)["zibble", "noun"].gloss == "food: round vegetable / small knob / round button"


def test_a_single_translation_has_no_number(tmp_path: Path):
    """The first line behind the head is a translation, whatever it looks like."""
    assert read(tmp_path, "zib /zɪb/ <v>\nsipata, zib\nto make a zib\n")["zib", "verb"].gloss == "to make a zib"


def test_an_entry_without_a_gloss_is_an_entry(tmp_path: Path):
    """An entry that has only translations, as every fortieth has, is an entry."""
    assert read(tmp_path, "zib /zɪb/ <v>\n1. sipata\n2. nappia\n")["zib", "verb"] == Entry("zib", "verb")


def test_case_and_accents_are_as_printed(tmp_path: Path):
    """Headwords keep their case and accents: capitals mean names, and folding comes later."""
    entries = read(
        tmp_path, "zibbée /zɪ/ <n>\nsi\na zib\n", "Zibber /zɪ/ <n>\nsi\nresident of Zib\n", "ZB <n>\nsi\na\n"
    )
    assert entries["zibbée", "noun"].labels == frozenset()
    assert entries["Zibber", "noun"].labels == {"proper"}
    assert entries["ZB", "noun"].labels == {"proper", "abbreviation"}


@each_row(
    ("kind", "pos", "labels"),
    [
        ("n", "noun", set()),
        ("adj", "adjective", set()),
        ("v", "verb", set()),
        ("adv", "adverb", set()),
        ("pn", "noun", {"proper"}),
        ("preposition", "preposition", set()),
        ("interjection", "interjection", set()),
        ("determiner", "determiner", set()),
        ("article", "determiner", set()),
        ("numeral", "numeral", set()),
        ("prefix", "other", {"affix"}),
        ("suffix", "other", {"affix"}),
        ("abbreviation", "other", {"abbreviation"}),
        ("initialism", "other", {"abbreviation"}),
        ("proverb", "other", set()),
    ],
)
def test_parts_of_speech(tmp_path: Path, kind: str, pos: str, labels: set[str]):
    """The kind in angle brackets is the part of speech, and labels names, affixes and abbreviations."""
    assert read(tmp_path, f"zib /zɪb/ <{kind}>\nsi\na zib\n")["zib", pos].labels == labels


@each_row(
    ("gloss", "labels", "some"),
    [
        ("(obsolete) a zib", {"obsolete"}, set()),
        ("archaic: a zib", {"archaic"}, set()),
        ("a zib (vulgar)", {"vulgar"}, set()),
        ("(slang, dialect) a zib", {"slang", "dialect"}, set()),
        ("offensive term for a zib", {"offensive"}, set()),
        ("ethnic slur", {"offensive"}, set()),
        ("derogatory slur for a zib", {"offensive"}, set()),
        ("vulgar slang, a zib", {"vulgar", "slang"}, set()),
        ("coarse slang for a zib", {"vulgar", "slang"}, set()),
        ("Hence: an offensive term for a zib", {"offensive"}, set()),
        ("to zib—obscene or vulgar", {"vulgar"}, set()),
        ("non-offensive slang for a zib", set(), set()),
        ("coarse cloth: a zib", set(), set()),
        ("slur curve", set(), set()),
        ("derogatory: a zib", set(), {"offensive"}),
        ("(often offensive) a zib", set(), {"offensive"}),
        ("abbreviation of zibble", {"abbreviation"}, set()),
        ("Initialism of zib in box", {"abbreviation"}, set()),
        ("uncountable: much zib", {"uncountable"}, set()),
        ("a rare fish of the sea", set(), set()),
        ("offensive to the eye", set(), set()),
        ("basketball: offensive foul", set(), set()),
        ("logo that acts as a trademark", set(), set()),
    ],
)
def test_glosses_label_their_senses(tmp_path: Path, gloss: str, labels: set[str], some: set[str]):
    """A gloss labels its sense in brackets, before a colon or by the kind of term, and not by its subject."""
    entry = read(tmp_path, f"zib /zɪb/ <n>\nsi\n{gloss}\n")["zib", "noun"]
    assert (entry.labels, entry.partial_labels) == (labels, some)


def test_homographs_are_one_entry(tmp_path: Path):
    """Two texts of one word and part of speech are one entry; a label of one of them is partial."""
    entry = read(tmp_path, "zib /zɪb/ <n>\nsi\nslang: a zib\n", "zib /zaɪb/ <n>\nsa\na zab\n")["zib", "noun"]
    assert (entry.labels, entry.partial_labels, entry.gloss) == (frozenset(), {"slang"}, "slang: a zib / a zab")


def test_headwords_with_slashes_are_no_words(tmp_path: Path):
    """A headword with a slash, such as "and/zib", is no word, and its slash begins no pronunciation."""
    assert list(read(tmp_path, "and/zib //ænd// <conjunction>\nsi\na\n", "zib <n>\nsi\na\n")) == [("zib", "noun")]


def test_a_text_without_a_head_is_a_fault(tmp_path: Path):
    """A text without pronunciation and part of speech is a fault at its offset."""
    path = write_dictd(tmp_path, ["zab <n>\nsi\na zab\n", "zib\nsipuli\n"])
    with pytest.raises(BadSource, match=r"own\.dict\.dz, offset 18: expected a headword, its sounds"):
        list(read_entries("wikdict", path))
