"""WordNet's database files. (SOURCES 1a)"""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries, write_wordnet

from builders.entry import StatedForm
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
    """The index is in lower case, so what is printed in data.* is the headword, with its capitals."""
    found = read_unique_entries("wndb", folder)
    assert found["china", "noun"].labels == frozenset()
    assert found["China", "noun"].labels == {"proper"}
    assert found["Dutch", "adjective"].labels == {"proper"}


def test_capitals_throughout_are_initials(folder: Path):
    """A headword all in capitals is an abbreviation as well."""
    assert read_unique_entries("wndb", folder)["DNA", "noun"].labels == {"proper", "abbreviation"}


def test_one_entry_merges_the_senses_of_a_word(folder: Path):
    """A label of one sense of two stands in `some`, and the glosses follow each other in the order of the index."""
    entry = read_unique_entries("wndb", folder)["zibble", "noun"]
    assert entry.labels == frozenset()
    assert entry.partial_labels == {"slang"}
    assert entry.gloss == 'a small zib; "she ate a zibble" / a large zib'


def test_a_usage_of_one_word_is_not_its_neighbours(folder: Path):
    """The first two hexadecimal digits of a pointer number the word it belongs to; 00 is the whole synset."""
    found = read_unique_entries("wndb", folder)
    assert found["morgle", "noun"].labels == frozenset()
    assert found["Morglex", "noun"].labels == {"proper", "trademark"}
    assert found["zibblet", "noun"].labels == {"slang"}


@pytest.mark.parametrize(
    ("word", "label"),
    [("grumps", "plural"), ("decker", "affix"), ("yoof", "offensive"), ("blick", "vulgar"), ("frump", "offensive")],
)
def test_usages_become_labels(folder: Path, word: str, label: str):
    """Usage pointers and glosses that say what kind of term a word is give it our label for that."""
    assert read_unique_entries("wndb", folder)[word, "noun"].labels == {label}


def test_a_word_used_in_the_plural_is_no_plural(folder: Path):
    """The usage "plural" of a word in the singular says how it is used, not what it is."""
    assert read_unique_entries("wndb", folder)["relation", "noun"].labels == frozenset()


def test_sometimes_offensive_is_a_hint(folder: Path):
    """What is offensive only at times stands in `some`, so that it excludes nothing."""
    entry = read_unique_entries("wndb", folder)["gamble", "noun"]
    assert (entry.labels, entry.partial_labels) == (frozenset(), {"offensive"})


def test_word_counts_are_hexadecimal(folder: Path):
    """A synset of ten words says 0a."""
    assert ("zorf", "noun") in read_unique_entries("wndb", folder)


def test_syntactic_markers_are_no_part_of_an_adjective(folder: Path):
    """Where an adjective may stand is printed behind it in brackets."""
    assert ("galore", "adjective") in read_unique_entries("wndb", folder)


def test_irregular_forms_belong_to_their_bases(folder: Path):
    """A line of *.exc is a form and its bases; slots follow from the part of speech and the shape."""
    found = read_unique_entries("wndb", folder)
    assert found["zibble", "noun"].forms == (StatedForm("zibblen", "plural"),)
    assert found["abide", "verb"].forms == (StatedForm("abode", "form"), StatedForm("abiding", "gerund"))
    assert found["airy", "adjective"].forms == (
        StatedForm("airier", "comparative"),
        StatedForm("airiest", "superlative"),
    )


def test_initials_of_a_longer_headword_are_short_forms(folder: Path):
    """A word that another of its synset spells out is labelled, as the merge weighs that against the public lists."""
    assert read_unique_entries("wndb", folder)["rbi", "noun"].labels == {"shortened"}


def test_phrases_and_the_licence_are_passed_over(folder: Path):
    """Headwords of several words cannot be played, and lines that begin with two spaces are the licence."""
    words = {word for word, _ in read_unique_entries("wndb", folder)}
    assert not {"snack_bar", "run_batted_in", "1"} & words


def test_the_exceptions_may_be_missing(folder: Path):
    """Some deliveries of WordNet have no *.exc."""
    for file in folder.glob("*.exc"):
        file.unlink()
    assert read_unique_entries("wndb", folder)["airy", "adjective"].forms == ()


def test_a_missing_data_file_is_named(folder: Path):
    """Without all of index.* and data.* nothing is read."""
    (folder / "data.adj").unlink()
    with pytest.raises(Missing, match=r"data\.adj"):
        files_of("wndb", folder)


def test_a_synset_that_is_not_at_its_offset_is_named_by_it(folder: Path):
    """An index entry that points into the middle of a line is a fault of the data at that offset."""
    index = folder / "index.verb"
    lines = [line[:-3] + "50\n" if line.startswith("kip ") else line for line in index.read_text().splitlines(True)]
    index.write_text("".join(lines))
    faults: list[BadSource] = []
    found = [entry.word for entry in read_entries("wndb", folder, faults=faults)]
    assert [(Path(fault.file).name, fault.place) for fault in faults] == [("data.verb", "offset 50")]
    assert "expected a synset" in str(faults[0])
    assert "sleep" in found
    assert "kip" not in found


def test_a_broken_index_line_is_named(folder: Path):
    """A line whose counts do not fit is named by its number, and the lines behind it are read."""
    index = folder / "index.verb"
    index.write_text(index.read_text().replace("kip v 1", "kip v 2"))
    with pytest.raises(BadSource, match=r"index\.verb, line 3: expected lemma"):
        list(read_entries("wndb", folder))


def test_a_form_without_a_base_is_a_fault(folder: Path):
    """Each line of *.exc has two words at least."""
    (folder / "verb.exc").write_text("abode abide\nslept\n")
    with pytest.raises(BadSource, match=r"verb\.exc, line 2: expected a form and its bases"):
        list(read_entries("wndb", folder))
