"""Tests of GCIDE's headwords, parts of speech and stated forms (docs/dictionaries.md 1b, 1c)."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries, write_dictd
from each_row import each_row

from builders.entry import Entry, StatedForm


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read(folder: Path, *texts: str) -> dict[tuple[str, str], Entry]:
    return read_unique_entries("gcide", write_dictd(folder, texts))


def test_the_index_is_no_list_of_headwords(folder: Path):
    """The headword is the text before the respelling; keys of phrases, forms and cross references are no headwords."""
    texts = ['Zibble \\Zib"ble\\, n.\n   A small {zib}.\n   [1913 Webster]\n']
    path = write_dictd(folder, texts, keys={0: ["Zibble", "zib", "All fours", "zibbles"]})
    assert list(read_unique_entries("gcide", path)) == [("Zibble", "noun")]


def test_descriptions_of_the_dictionary_are_not_entries(folder: Path):
    """Keys that begin with 00- find descriptions of the dictionary and are no entries."""
    texts = ["00-database-info\n   About \\this\\ dictionary\n", "Zibble \\Zib\\, n.\n   A zib.\n"]
    path = write_dictd(folder, texts, keys={0: ["00-database-info", "00-web1913-info"]})
    assert [word for word, _ in read_unique_entries("gcide", path)] == ["Zib"]


def test_several_headwords_share_part_of_speech_and_senses(folder: Path):
    """Headwords joined by a comma or "or" share part of speech and senses."""
    entries = read(
        folder,
        'Zibble \\Zib"ble\\ (z[i^]b"b\'l), Zibbel \\Zib"bel\\ (?), or\nZibil \\Zib"il\\, n. [OE. zib, L. zibulus.]\n'
        "   A small zib. [R.]\n   [1913 Webster]\n",
    )
    assert [(word, pos, set(entry.labels)) for (word, pos), entry in entries.items()] == [
        ("Zibble", "noun", {"rare"}),
        ("Zibbel", "noun", {"rare"}),
        ("Zibil", "noun", {"rare"}),
    ]


def test_headwords_may_each_have_their_own_part_of_speech(folder: Path):
    """A head "X, v. t., Y, n., etc." names two words under two parts of speech."""
    entries = read(folder, 'Miszib \\Mis*zib"\\, v. t., Miszibber \\Mis*zib"ber\\, n., etc.\n   See {Zib}, etc.\n')
    assert list(entries) == [("Miszib", "verb"), ("Miszibber", "noun")]


def test_accents_are_read_from_the_respelling(folder: Path):
    r"""The headword comes from the respelling: \\Zib"b['e]\\ is printed Zibb'e and is no word with an apostrophe."""
    assert list(read(folder, "Zibb'e \\Zib\"b['e]`\\, n.\n   A zib.\n")) == [("Zibbe", "noun")]


def test_real_apostrophes_and_hyphens_are_not_stripped(folder: Path):
    """A headword with an apostrophe is dropped, and one with a hyphen told as a phrase (docs/dictionaries.md 6)."""
    assert list(read(folder, "Zi'n't \\Zi'n't\\\n   A zib.\n", "Zib-ble \\Zib-ble\\, n.\n", "Zib \\Zib\\, n.\n")) == [
        ("Zib-ble", "other"),
        ("Zib", "noun"),
    ]


@each_row(
    ("grammar", "pos"),
    [
        ("n.", ["noun"]),
        ("n. pl.", ["noun"]),
        ("a.", ["adjective"]),
        ("adj.", ["adjective"]),
        ("adv.", ["adverb"]),
        ("v. t. & i.", ["verb"]),
        ("a. & n.", ["adjective", "noun"]),
        ("n., a., & v.", ["noun", "adjective", "verb"]),
        ("prep. & conj.", ["preposition", "conjunction"]),
        ("interj.", ["interjection"]),
        ("p. p.", ["adjective"]),
        ("indef. pron.", ["pronoun"]),
        ("v. t. or auxiliary.", ["verb"]),
        ("", ["other"]),
    ],
)
def test_every_named_part_of_speech_is_an_entry(folder: Path, grammar: str, pos: list[str]):
    """Every part of speech that the abbreviations behind the respelling name is an entry."""
    assert [entry_pos for _, entry_pos in read(folder, f"Zib \\Zib\\, {grammar}\n   The thing.\n")] == pos


def test_a_head_ends_behind_its_brackets(folder: Path):
    """A head ends behind its brackets of forms and origin, which may span several lines."""
    entry = read(
        folder,
        'Zibus \\Zi"bus\\ ([a^]b"[.a]*k[u^]s), n.; E. pl. {Zibuses}; L.\n'
        "   pl. {Zibi} (-s[imac]). [L. zibus, zibi, fr.\n   Gr. zi`bos. See {Zib}.]\n"
        "   1. A table. [Obs.]\n      [1913 Webster]\n\n   2. A tray.\n",
    )["Zibus", "noun"]
    assert entry.forms == (StatedForm("Zibuses", "plural"), StatedForm("Zibi", "plural"))
    assert entry.gloss == "A table. / A tray."
    assert (entry.labels, entry.partial_labels) == (frozenset(), {"obsolete"})


def test_verb_forms_have_their_slots(folder: Path):
    """The name "imp. & p. p." states two inflections, and a form behind "or" is the same inflection again."""
    entry = read(
        folder,
        "Zing \\Zing\\, v. t. [imp. & p. p. {Zinged} (z[i^]ngd) or {Zung}; p. pr. & vb. n. {Zinging}.] [OE. zing.]\n"
        "   To do. See {Zang}.\n",
    )["Zing", "verb"]
    assert [(form, slot) for form, slot in entry.forms] == [
        ("Zinged", "past"),
        ("Zinged", "participle"),
        ("Zung", "past"),
        ("Zung", "participle"),
        ("Zinging", "gerund"),
    ]


def test_words_that_are_only_mentioned_are_not_forms(folder: Path):
    """Words in braces behind "See", "thou" or a remark are no forms."""
    entry = read(
        folder,
        "Zing \\Zing\\, v. i. [imp. {Zang}; p. p. {Zung}. It is sometimes written {zingen}, {zangen}. See {Zonk}.]\n",
    )["Zing", "verb"]
    assert {form for form, _ in entry.forms} == {"Zang", "Zung"}


def test_comparatives_are_read_from_their_own_brackets(folder: Path):
    """Comparatives and superlatives are read from brackets of their own."""
    entry = read(folder, 'Zibby \\Zib"by\\, a. [Compar. {Zib"bi*er}; superl. {Zib"bi*est}.]\n   Like zibs.\n')
    assert entry["Zibby", "adjective"].forms == (
        StatedForm("Zibbier", "comparative"),
        StatedForm("Zibbiest", "superlative"),
    )


def test_endings_are_completed(folder: Path):
    """A form printed as an ending replaces the headword's end; a long one repeats the letter that stays."""
    entries = read(
        folder,
        'Zibby \\Zib"by\\, n.; pl. {-ies}.\n   A zib.\n',
        'Zibatrix \\Zi*ba"trix\\, n.; pl. {-trices}. [L.]\n   A zib.\n',
    )
    assert entries["Zibby", "noun"].forms == (StatedForm("Zibbies", "plural"),)
    assert entries["Zibatrix", "noun"].forms == (StatedForm("Zibatrices", "plural"),)


def test_a_plural_equal_to_the_singular_is_stated(folder: Path):
    """The note "n. sing. & pl." states that the plural is the word itself, and does not label it a plural."""
    entry = read(folder, "Zibbs \\Zibbs\\, n. sing. & pl.\n   A zib.\n")["Zibbs", "noun"]
    assert (entry.forms, entry.labels) == ((StatedForm("Zibbs", "plural"),), frozenset())


def test_a_plural_headword_is_labelled(folder: Path):
    """A headword with "n. pl." is labelled a plural."""
    assert read(folder, 'Zibata \\Zi*ba"ta\\, n. pl. [NL.]\n   Many.\n')["Zibata", "noun"].labels == {"plural"}


@each_row(
    ("head", "pos"),
    [
        ("imp. & p. p. of {Zing}", "verb"),
        ("n. pl. of {Zing}", "noun"),
        ("a., compar. of {Zing}", "adjective"),
        ("obs. imp. of 1st {Zing}", "verb"),
    ],
)
def test_a_headword_that_points_to_its_base_is_an_inflection(folder: Path, head: str, pos: str):
    """A headword such as "Held, imp. & p. p. of {Hold}" is labelled an inflection."""
    entries = read(folder, f"Zung \\Zung\\, {head}.\n   [1913 Webster]\n")
    assert "inflection" in entries["Zung", pos].labels
