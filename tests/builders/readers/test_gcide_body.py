"""Tests of GCIDE's senses, labels, run-ons and names, and of what is no entry (docs/dictionaries.md 1b, 1c)."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionary_files import read_unique_entries, write_dictd
from each_row import each_row

from builders.entry import Entry
from builders.readers import read_entries
from ordws.errors import BadSource


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read(folder: Path, *texts: str) -> dict[tuple[str, str], Entry]:
    return read_unique_entries("gcide", write_dictd(folder, texts))


def test_labels_of_some_senses_are_partial(folder: Path):
    """A label of all senses is in `labels`, a label of some senses in `partial_labels`."""
    entries = read(
        folder,
        "Zib \\Zib\\, n.\n   1. A thing. [Obs.] --Chaucer.\n      [1913 Webster]\n\n"
        "            A zib of old.   --Shak.\n      [1913 Webster]\n\n"
        "   2. Another. [Obs. or Prov. Eng.]\n      [1913 Webster]\n",
    )
    assert entries["Zib", "noun"].labels == {"obsolete"}
    assert entries["Zib", "noun"].partial_labels == {"dialect"}


def test_lettered_senses_are_senses(folder: Path):
    """A labelled sub-sense labels neither the other sub-senses nor the text before them."""
    entry = read(
        folder,
        "Zib \\Zib\\, n.\n   The act of zibbing, as:\n   (a) Hindrance. [Obs.]\n   (b) Accusation. [Obs.]\n"
        "       [1913 Webster]\n",
    )["Zib", "noun"]
    assert (entry.labels, entry.partial_labels) == (frozenset(), {"obsolete"})


def test_the_first_sense_may_have_no_number(folder: Path):
    """An unnumbered first sense before a second that has a number is kept."""
    text = "Zib \\Zib\\, n.\n   A thing. [Obs.]\n   [1913 Webster]\n\n   2. another thing.\n      [PJC]\n"
    entry = read(folder, text)["Zib", "noun"]
    assert (entry.partial_labels, entry.gloss) == ({"obsolete"}, "A thing. / another thing.")


def test_a_number_followed_by_letters_alone_is_no_sense(folder: Path):
    """A number that is followed by letters alone is no sense itself."""
    text = "Zib \\Zib\\, n.\n   1.\n      (a) Hindrance. [R.]\n      (b) Accusation. [R.]\n          [1913 Webster]\n"
    assert read(folder, text)["Zib", "noun"].labels == {"rare"}


@each_row(
    ("bracket", "labels"),
    [
        ("Obs.", {"obsolete"}),
        ("R.", {"rare"}),
        ("Prov. Eng. & Scot.", {"dialect"}),
        ("Local, U. S.", {"dialect"}),
        ("Colloq. or Slang", {"colloquial", "slang"}),
        ("Archaic & Poetic", {"archaic", "poetic"}),
        ("vulgar slang", {"vulgar", "slang"}),
        ("Vulgar", {"slang"}),
        ("Sailors' Cant", {"slang"}),
        ("Obsoles.", {"archaic"}),
        ("disparaging and offensive", {"offensive"}),
        ("acronym", {"abbreviation"}),
        ("Trade name", {"trademark"}),
        ("Written also zibb", set()),
        ("L. rarus rare", set()),
        ("Abbrev. from zibble", set()),
        ("Called also R", set()),
    ],
)
def test_labels_are_read_by_the_word(folder: Path, bracket: str, labels: set[str]):
    """Labels are read word by word, and brackets of origin and spelling hold none."""
    entry = read(folder, f"Zib \\Zib\\, n.\n   A thing. [{bracket}]\n   [1913 Webster]\n")["Zib", "noun"]
    assert entry.labels == labels


@each_row(
    ("remark", "labels", "some"),
    [
        ("-- an older term now considered offensive.", {"offensive"}, set()),
        ("-- disparaging and offensive.", {"offensive"}, {"offensive"}),
        ("-- now (1998) usually considered offensive or contemptuous.", {"offensive"}, set()),
        ("-- used contemptuously, considered disparaging and offensive.", {"offensive"}, {"offensive"}),
        ("-- usually used derogatorily and considered obscene.", {"vulgar"}, set()),
        ("-- an offensive designation applied to dull persons by others.", {"offensive"}, set()),
        ("usually intended and considered as an ethnic slur.", {"offensive"}, set()),
        ("-- sometimes considered offensive and sexist; as, quite a zib.", set(), {"offensive"}),
        ("-- a vulgar sign of contempt.", set(), set()),
        ("-- opposed to offensive; as, a defensive zib.", set(), set()),
        ("-- this term some zibs find offensive.", set(), set()),
        ("modifying the parts considered offensive; one who zibs.", set(), set()),
        ("offensive to the eye; ugly.", set(), set()),
    ],
)
def test_a_later_editor_says_what_is_offensive_now(folder: Path, remark: str, labels: set[str], some: set[str]):
    """The words of a later editor label a sense; what they say of the thing, or of some times or persons, does not."""
    entry = read(folder, f"Zib \\Zib\\, n.\n   A dull person, {remark}\n")["Zib", "noun"]
    assert (entry.labels, entry.partial_labels) == (labels, some - labels)


def test_a_label_in_the_head_applies_to_every_sense(folder: Path):
    """A label before the first sense applies to all senses."""
    text = "Zib \\Zib\\, n. [OF. zib.] [Scot.]\n   1. A thing.\n      [1913 Webster]\n\n   2. Another.\n"
    assert read(folder, text)["Zib", "noun"].labels == {"dialect"}


def test_a_label_before_its_definition(folder: Path):
    """A label may stand before its definition as well as behind it."""
    assert read(folder, "Zib \\Zib\\, n.\n   1. [Slang] A thing.\n")["Zib", "noun"].labels == {"slang"}


def test_a_label_half_way_through_a_definition_is_partial(folder: Path):
    """A label half way through a definition is partial, unless only a pointer or a quotation follows it."""
    halved = read(folder, "Zib \\Zib\\, n.\n   A thing of wood; [R.] a cudgel of some weight.\n")["Zib", "noun"]
    assert (halved.labels, halved.partial_labels) == (frozenset(), {"rare"})
    whole = read(folder, 'Zib \\Zib\\, n.\n   A thing. [R.] "A fine zib indeed." See Zibble. --Drayton.\n')
    assert whole["Zib", "noun"].labels == {"rare"}


def test_notes_phrases_and_quotations_label_nothing(folder: Path):
    """Labels of phrases in braces, of notes and of quotations are not the headword's."""
    text = (
        "Zib \\Zib\\, n.\n   A thing.\n   [1913 Webster]\n\n         Zib [Obs.] and more.\n   [1913 Webster]\n\n"
        "   {Zib off}, to leave. [Slang]\n\n   Note: Zib is [Obs.] here.\n   [1913 Webster]\n"
    )
    entry = read(folder, text)["Zib", "noun"]
    assert (entry.labels, entry.partial_labels, entry.gloss) == (frozenset(), frozenset(), "A thing.")


def test_run_ons_are_headwords(folder: Path):
    """Undefined words behind a dash are entries with their own labels."""
    entries = read(
        folder,
        'Zibbive \\Zib"bive\\ a.\n   Like a zib. -- {Zib"bive*ly},\n   adv. [Obs.] -- {Zib"bive*ness}, n.\n'
        "   [1913 Webster]\n",
    )
    assert entries["Zibbive", "adjective"] == Entry("Zibbive", "adjective", gloss="Like a zib.")
    assert entries["Zibbively", "adverb"] == Entry("Zibbively", "adverb", labels=frozenset({"obsolete"}), run_on=True)
    assert entries["Zibbiveness", "noun"] == Entry("Zibbiveness", "noun", run_on=True)


def test_variants_are_headwords_too(folder: Path):
    """Spellings that an entry gives beside its own are headwords without stated forms (docs/rules.md A-37)."""
    entries = read(
        folder,
        'Zibor \\Zib"or\\, v. t. [imp. {Zibored}.] [Written also zibour.]\n   1. To zib. [1913 Webster]\n',
        'Zabbel \\Zab"bel\\, n. A zab. [Spelled\n   also {zabel} and {zab-el}, {zabil}, etc.]\n   [1913 Webster]\n',
        "Zub \\Zub\\, n. A zub. [Written formerly {zubbe}.]\n   [1913 Webster]\n",
    )
    assert {word for word, _ in entries} == {"Zibor", "zibour", "Zabbel", "zabel", "zabil", "Zub"}
    assert entries["zibour", "verb"].gloss == "To zib."
    assert entries["zibour", "verb"].forms == ()


def test_entries_from_wordnet_alone_are_dropped(folder: Path):
    """Entries from WordNet alone are dropped, since they are no independent source, and mixed entries stay."""
    entries = read(
        folder,
        "zibling \\zibling\\ n.\n   a young zib.\n\n   Syn: zib.\n        [WordNet 1.5]\n",
        "Zib \\Zib\\, n.\n   1. A thing.\n      [1913 Webster]\n\n   2. another.\n      [WordNet 1.5]\n",
        "zibbed \\zibbed\\ adj.\n   with zibs.\n   [PJC]\n",
    )
    assert list(entries) == [("Zib", "noun"), ("zibbed", "adjective")]


@each_row("grammar", ["prop. n.", "prop. a.", "pr. n.", "prop. n. pl."])
def test_parts_of_speech_mark_names_and_participles(folder: Path, grammar: str):
    """The part of speech "prop. n." marks a name, and "p. pr." marks a participle."""
    entries = read(folder, f'Zibland \\Zib"land\\, {grammar}\n   A country.\n', 'Zibbing \\Zib"bing\\, p. pr. & a.\n')
    assert "proper" in next(iter(entries.values())).labels
    assert "proper" not in entries["Zibbing", "adjective"].labels


def test_abbreviations_and_affixes_are_labelled_by_part_of_speech(folder: Path):
    """Abbreviations and affixes are labelled by their part of speech, abbreviations also by their capitals."""
    entries = read(
        folder,
        "zibb \\zibb\\ n. abbr.\n   A zibble.\n",
        "ZIB \\ZIB\\ n.\n   A thing.\n",
        'Zibo \\Zi"bo\\, pref.\n   With zibs.\n',
    )
    assert [set(entry.labels) for entry in entries.values()] == [{"abbreviation"}, {"abbreviation"}, {"affix"}]


PROSE = "Prose \\Prose\\, n.\n   They met Zibber and again Zibber, and drank morgle from a cup. The old Zibland.\n"


def test_a_headword_never_written_small_is_a_doubtful_name(folder: Path):
    """A headword that running text never writes small and twice with a capital is labelled as a doubtful name."""
    entries = read(folder, PROSE, 'Zibber \\Zib"ber\\, n.\n   A man.\n', 'Morgle \\Mor"gle\\, n.\n   A drink.\n')
    assert entries["Zibber", "noun"].labels == {"capitalised"}
    assert entries["Morgle", "noun"].labels == frozenset()


def test_a_native_of_a_place_is_a_doubtful_name(folder: Path):
    """A headword explained as a native of a place is a doubtful name unless running text writes it small."""
    entries = read(
        folder,
        PROSE,
        'Ziblander \\Zib"land*er\\, n.\n   A native of Zibland.\n',
        'Zibbic \\Zib"bic\\, a.\n   Of or pertaining to the Zibs.\n',
        'Morglic \\Mor"glic\\, a.\n   Pertaining to morgle.\n',
        'Zibus \\Zi"bus\\, n.\n   A genus of snails.\n',
    )
    doubtful = {word for (word, _), entry in entries.items() if "capitalised" in entry.labels}
    assert doubtful == {"Ziblander", "Zibbic", "Zibus"}


def test_a_headword_in_lower_case_is_no_doubtful_name(folder: Path):
    """A headword printed in lower case is no doubtful name."""
    assert read(folder, "zibus \\zibus\\ n.\n   A genus of Snails.\n")["zibus", "noun"].labels == frozenset()


def test_the_second_half_of_a_broken_entry_is_skipped(folder: Path):
    """The second half of an entry that the delivery breaks in two has no respelling and is no fault."""
    entries = read(folder, "Zib \\Zib\\, n.\n   A thing.\n", "Barnyard grass, for hay. South.\n   More of it.\n")
    assert list(entries) == [("Zib", "noun")]


def test_a_respelling_that_never_ends_is_a_fault(folder: Path):
    """A respelling without an end is a fault at the offset of its text, and the entries behind it are read."""
    path = write_dictd(folder, ["Zib \\Zib, n.\n   A thing.\n", "Zab \\Zab\\, n.\n   A thing.\n"])
    faults: list[BadSource] = []
    assert [entry.word for entry in read_entries("gcide", path, faults=faults)] == ["Zab"]
    assert [(Path(fault.file).name, fault.place, fault.expected) for fault in faults] == [
        ("own.dict.dz", "offset 0", "expected a headword and its respelling between backslashes")
    ]


def test_another_dictionary_is_refused_as_gcide(folder: Path):
    """Files in which no text has a respelling are refused as not GCIDE's."""
    path = write_dictd(folder, ["cache <n>\n1. foo\n"])
    with pytest.raises(BadSource, match="expected a headword and its respelling between backslashes, found no text"):
        list(read_entries("gcide", path))
