"""Tests of the reader of WordNet's database files (docs/dictionaries.md 1a)."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries, write_wordnet
from each_row import each_row

from builders.entry import Entry, StatedForm
from builders.readers import files_of, read_entries
from ordws.errors import BadSource, Missing

NOUNS = (
    "slang 0||informal language",
    "disparagement 0||a low opinion",
    "ethnic_slur 0||a hostile name",
    "obscenity 0||an indecent word",
    "trade_name 0||a name for trade",
    "plural 0||more than one",
    "combining_form 0||a form in compounds",
    "archaism 0||an old word",
    "china 0||fine pottery",
    "China 0 Cathay 0||a country in the east",
    "DNA 0||an acid of the cell",
    'zibble 0 zibblet 0|;u slang|a small zib; "she ate a zibble"',
    "zibble 1||a large zib",
    "morgle 0 Morglex 0|;u2 trade_name|a drug",
    "grumps 0|;u plural|a bad mood",
    "relation 0|;u plural|mutual dealings",
    "decker 0|;u combining_form|something with decks",
    "yoof 0|;u disparagement|a young person",
    "blick 0|;u obscenity|a bad thing",
    "frump 0||offensive term for a dull person",
    "gamble 9||(sometimes offensive) a child of the street",
    "snack_bar 0||a place to eat",
    "run_batted_in 0 rbi 0||a point in a game",
    "zorf 0 a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0||one of ten words for the same",
)
VERBS = ("abide 0||stay", "sleep 0 kip 0||be asleep")
ADJECTIVES = ("galore(ip) 0||in great numbers", "airy 0||open to the air", "Dutch 0||of the Dutch")
EXCEPTIONS = {"n": "zibblen zibble zobble\n", "v": "abode abide\nabiding abide\n", "a": "airier airy\nairiest airy\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path, {"n": NOUNS, "v": VERBS, "a": ADJECTIVES}, EXCEPTIONS)


def test_headwords_and_their_case_come_from_the_data(folder: Path):
    """The headword is printed in data.* with its capitals, since the index is in lower case."""
    entries = read_unique_entries("wndb", folder)
    assert entries["china", "noun"].labels == frozenset()
    assert entries["China", "noun"].labels == {"proper"}
    assert entries["Dutch", "adjective"].labels == {"proper"}


def test_capitals_throughout_are_initials(folder: Path):
    """A headword all in capitals is labelled an abbreviation as well."""
    assert read_unique_entries("wndb", folder)["DNA", "noun"].labels == {"proper", "abbreviation"}


def test_one_entry_merges_the_senses_of_a_word(folder: Path):
    """A label of one sense of two is partial; glosses are in the order of the index, without examples."""
    entry = read_unique_entries("wndb", folder)["zibble", "noun"]
    assert entry.labels == frozenset()
    assert entry.partial_labels == {"slang"}
    assert entry.gloss == "a small zib / a large zib"


def test_a_usage_pointer_labels_only_its_own_word(folder: Path):
    """The first two hexadecimal digits of a pointer number the word that it labels, 00 the whole synset."""
    entries = read_unique_entries("wndb", folder)
    assert entries["morgle", "noun"].labels == frozenset()
    assert entries["Morglex", "noun"].labels == {"proper", "trademark"}
    assert entries["zibblet", "noun"].labels == {"slang"}


@each_row(
    ("word", "label"),
    [("grumps", "plural"), ("decker", "affix"), ("blick", "vulgar"), ("frump", "offensive")],
)
def test_usages_become_labels(folder: Path, word: str, label: str):
    """Usage pointers and glosses that name a kind of term give a word the label for it."""
    assert read_unique_entries("wndb", folder)[word, "noun"].labels == {label}


def test_disparagement_is_a_hint_alone(folder: Path):
    """A usage that WordNet has at many an inoffensive word is a label in part, never one of the whole sense."""
    yoof = read_unique_entries("wndb", folder)["yoof", "noun"]
    assert (yoof.labels, yoof.partial_labels) == (frozenset(), {"offensive"})


def test_the_usage_plural_does_not_label_a_plural(folder: Path):
    """The usage "plural" of a word in the singular does not label it a plural."""
    assert read_unique_entries("wndb", folder)["relation", "noun"].labels == frozenset()


def test_a_word_offensive_only_sometimes_has_a_partial_label(folder: Path):
    """A word that is offensive only sometimes has a partial label, which excludes nothing."""
    entry = read_unique_entries("wndb", folder)["gamble", "noun"]
    assert (entry.labels, entry.partial_labels) == (frozenset(), {"offensive"})


def test_word_counts_are_hexadecimal(folder: Path):
    """The word count of a synset is hexadecimal: ten words are 0a."""
    assert ("zorf", "noun") in read_unique_entries("wndb", folder)


def test_syntactic_markers_are_no_part_of_an_adjective(folder: Path):
    """The position of an adjective, printed behind it in brackets, is no part of the word."""
    assert ("galore", "adjective") in read_unique_entries("wndb", folder)


def test_irregular_forms_belong_to_their_bases(folder: Path):
    """A form of *.exc belongs to its bases, and its inflection follows from part of speech and shape."""
    entries = read_unique_entries("wndb", folder)
    assert entries["zibble", "noun"].forms == (StatedForm("zibblen", "plural"),)
    assert entries["abide", "verb"].forms == (StatedForm("abode", "form"), StatedForm("abiding", "gerund"))
    assert entries["airy", "adjective"].forms == (
        StatedForm("airier", "comparative"),
        StatedForm("airiest", "superlative"),
    )


def test_initials_of_a_longer_headword_are_short_forms(folder: Path):
    """A word that another word of its synset spells out is labelled a short form, for the merge to weigh."""
    assert read_unique_entries("wndb", folder)["rbi", "noun"].labels == {"shortened"}


def test_phrases_have_no_meaning_and_the_licence_is_skipped(folder: Path):
    """Headwords of several words are told without a meaning; the licence, behind two spaces, is skipped."""
    entries = read_unique_entries("wndb", folder)
    assert entries["snack bar", "noun"] == Entry("snack bar", "noun")
    assert "1" not in {word for word, _ in entries}


def test_the_exceptions_may_be_missing(folder: Path):
    """A delivery of WordNet without *.exc is read."""
    for file in folder.glob("*.exc"):
        file.unlink()
    assert read_unique_entries("wndb", folder)["airy", "adjective"].forms == ()


def test_a_missing_data_file_is_named(folder: Path):
    """A missing index.* or data.* file is named, and nothing is read."""
    (folder / "data.adj").unlink()
    with pytest.raises(Missing, match=r"data\.adj"):
        files_of("wndb", folder)


def test_a_wrong_synset_offset_is_a_fault(folder: Path):
    """An index entry that points into the middle of a line is a fault of the data at that offset."""
    index = folder / "index.verb"
    lines = [line[:-3] + "50\n" if line.startswith("kip ") else line for line in index.read_text().splitlines(True)]
    index.write_text("".join(lines))
    faults: list[BadSource] = []
    entries = [entry.word for entry in read_entries("wndb", folder, faults=faults)]
    assert [(Path(fault.file).name, fault.place) for fault in faults] == [("data.verb", "offset 50")]
    assert "expected a synset" in str(faults[0])
    assert "sleep" in entries
    assert "kip" not in entries


def test_a_broken_index_line_is_named(folder: Path):
    """An index line whose counts do not fit is a fault with its number, and the lines behind it are read."""
    index = folder / "index.verb"
    index.write_text(index.read_text().replace("kip v 1", "kip v 2"))
    with pytest.raises(BadSource, match=r"index\.verb, line 3: expected lemma"):
        list(read_entries("wndb", folder))


def test_a_form_without_a_base_is_a_fault(folder: Path):
    """A line of *.exc with fewer than two words is a fault."""
    (folder / "verb.exc").write_text("abode abide\nslept\n")
    with pytest.raises(BadSource, match=r"verb\.exc, line 2: expected a form and its bases"):
        list(read_entries("wndb", folder))
