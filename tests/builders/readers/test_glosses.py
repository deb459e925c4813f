"""Tests of what a card shows of a gloss: its definition, and nothing that dictionaries print beside it."""

from __future__ import annotations

from pathlib import Path

from dictionary_files import read_unique_entries, write_dictd
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from builders.readers.senses import find_definition, is_hint


@each_row(
    ("gloss", "definition"),
    [
        ("A small zib.", "A small zib."),
        ("See Zibble.", ""),
        ("(Bot.) See Zibble.", ""),
        ("A small zib. See Zibble, n., 2.", "A small zib."),
        ("A zib (Zibus zibus). See Illust.", "A zib (Zibus zibus)."),
        ("quick; compare slow", "quick"),
        ("Same as Zibble.", "Same as Zibble."),
        ("to see a thing", "to see a thing"),
        ("without being able to see", "without being able to see"),
        ('One who zibs, as a tendril. "The zibbers of vines."', "One who zibs, as a tendril."),
        ('smiling; "Come, my boy!"- Lewis Carroll; "a smiling face"', "smiling"),
        ('The herb or "honesty".', 'The herb or "honesty".'),
        ('"they leave", usually in a theatre', '"they leave", usually in a theatre'),
        ("A zib. [Written also zibb.]", "A zib."),
        ("A zib. [Written also zi", "A zib."),
        ("A zib. (b) The zab. (c) The zob.", "A zib. / The zab. / The zob."),
        ("Pertaining to zibs. -- n. The zib.", "Pertaining to zibs."),
        ('One who zibs. -- Zib"arch*al (-al), a.', "One who zibs."),
        ("The quality of zibs. Zibless", "The quality of zibs."),
        ("of Zab. [OE. zabbe", ""),
        ("from Zab, v. t.", ""),
        ("form of Zab.", "form of Zab."),
        ("pl (Antiq.) An order of zibs.", "(Antiq.) An order of zibs."),
        ("Resembling the ? in appearance", ""),
        ("A zib (of the sort", ""),
        ("(algebra)", ""),
        ("typography:", ""),
        ("chemistry: a kind of zib", "chemistry: a kind of zib"),
        ("zab", ""),
        ("Zab.", ""),
        ("", ""),
    ],
)
def test_a_definition_is_what_stands_beside_nothing_else(gloss: str, definition: str):
    """References, quotations, other spellings and forms are left out; what is left of nothing else is none."""
    assert find_definition(gloss, "zab") == definition


@given(st.text(alphabet='ab ."()[]-;:?', max_size=40))
def test_a_definition_is_whole(gloss: str):
    """Whatever a gloss holds, its definition has every bracket and quotation mark closed, and no space around it."""
    definition = find_definition(gloss, "word")
    assert definition == definition.strip()
    assert definition.count('"') % 2 == 0
    assert definition.count("(") == definition.count(")")
    assert "[" not in definition


@each_row(
    ("gloss", "expected"),
    [
        ("translation", True),
        ("grammar: case", True),
        ("(algebra)", True),
        ("(order theory) map", True),
        ("small container", False),
        ("archaic: a zib", False),
        ("to zib", False),
    ],
)
def test_one_word_is_a_hint(gloss: str, expected: bool):
    """One word behind its subject only tells senses apart."""
    assert is_hint(gloss) is expected


def test_a_translators_hint_is_no_gloss(tmp_path: Path):
    """WHEREAFTER is not shown as "translation"; what a hint says of its use labels the word all the same."""
    text = "whereafter /weə/ <adv>\nminkä jälkeen\ntranslation\n", "zib /zɪb/ <n>\nsi\nslang: person\n"
    entries = read_unique_entries("wikdict", write_dictd(tmp_path, text))
    assert entries["whereafter", "adverb"].gloss == ""
    assert (entries["zib", "noun"].gloss, entries["zib", "noun"].labels) == ("", {"slang"})


def test_another_spelling_has_the_senses_that_name_it(tmp_path: Path):
    """COOMBE, another spelling of the valley COMB, is not shown as an instrument with teeth for the hair."""
    text = (
        "Comb \\Comb\\, n.\n   1. An instrument with teeth.\n      [1913 Webster]\n\n"
        "   2. A hollow in a hillside. [Written also {coombe}.]\n      [1913 Webster]\n",
        "Zib \\Zib\\, n. [Written also {zibb}.]\n   1. A thing.\n      [1913 Webster]\n\n   2. Another.\n",
    )
    entries = read_unique_entries("gcide", write_dictd(tmp_path, text))
    assert entries["coombe", "noun"].gloss == "A hollow in a hillside."
    assert entries["Comb", "noun"].gloss == "An instrument with teeth. / A hollow in a hillside."
    assert entries["zibb", "noun"].gloss == "A thing. / Another."


def test_a_letter_with_an_accent_ends_no_sense(tmp_path: Path):
    """The brackets of an accented letter are no label: the definition goes on, and its label is that of the whole."""
    text = 'Zib \\Zib\\, n.\n   A medi[ae]val a["e]rial thing. [Obs.]\n   [1913 Webster]\n'
    entry = read_unique_entries("gcide", write_dictd(tmp_path, (text,)))["Zib", "noun"]
    assert (entry.gloss, entry.labels) == ("A mediaeval aerial thing.", {"obsolete"})
