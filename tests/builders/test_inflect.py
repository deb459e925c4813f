"""Tests of inflected forms: possible spellings, licensed ones, and their provenance."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from each_row import each_row

from builders.entry import StatedForm
from builders.inflect import (
    InflectedForm,
    InflectionTable,
    Inflector,
    default_spellings,
    find_inflection_table,
    read_inflection_table,
    regular_spellings,
)
from ordws.errors import BadSource

VECTORS = Path(__file__).parents[1] / "vectors" / "inflections.txt"
LINES = [line for line in VECTORS.read_text().splitlines() if line and not line.startswith("#")]
NO_TABLE = InflectionTable({}, frozenset())


@each_row("line", LINES)
def test_regular_spellings(line):
    """A word inflects by the regular spellings that its line of the vectors lists, in that order."""
    word, pos, rest = line.split(None, 2)
    expected = [token for token in rest.split("   ")[0].split() if token != "-"]
    assert list(dict.fromkeys(s for s, _ in regular_spellings(word.upper(), pos) if s != word.upper())) == expected


def test_attested_spellings_alone_are_licensed():
    """Of the spellings that a word may take, those in the players' reference are its forms."""
    inflector = Inflector(NO_TABLE, {"TRAVEL", "TRAVELS", "TRAVELED", "TRAVELLED", "TRAVELING"})
    assert [(form.word, form.provenance) for form in inflector.inflect("TRAVEL", "verb").licensed] == [
        ("TRAVELS", "attested"),
        ("TRAVELED", "attested"),
        ("TRAVELLED", "attested"),
        ("TRAVELING", "attested"),
    ]


def test_a_lemma_not_in_the_reference_takes_its_plain_forms():
    """A lemma not in the reference takes its plain -S, -ED and -ING (docs/dictionaries.md Decision 4)."""
    inflector = Inflector(NO_TABLE, set())
    assert inflector.inflect("VLOG", "verb").licensed == (
        InflectedForm("VLOGS", "third", "rule"),
        InflectedForm("VLOGGED", "past", "rule"),
        InflectedForm("VLOGGING", "gerund", "rule"),
    )
    assert inflector.inflect("BLOATWARE", "noun").licensed == (InflectedForm("BLOATWARES", "plural", "rule"),)


def test_a_headword_that_is_a_plural_takes_no_other():
    """FINANCIALS, of a noun of the reference, has no plural FINANCIALSES; ALBUS has ALBUSES."""
    inflector = Inflector(NO_TABLE, {"FINANCIAL"})
    assert inflector.inflect("FINANCIALS", "noun").licensed == ()
    assert [form.word for form in inflector.inflect("ALBUS", "noun").licensed] == ["ALBUSES"]


def test_a_lemma_not_in_the_reference_takes_no_comparative():
    """A lemma not in the reference never takes -ER or -EST (docs/dictionaries.md Decision 4)."""
    assert Inflector(NO_TABLE, set()).inflect("MEH", "adjective").licensed == ()
    assert list(default_spellings("MEH", "adjective")) == []


def test_a_comparative_needs_its_superlative():
    """The agent nouns LASTER and OWNER are no comparatives without LASTEST and OWNEST (docs/dictionaries.md 3)."""
    reference = {"LAST", "LASTER", "BIG", "BIGGER", "BIGGEST", "HONEST"}
    inflector = Inflector(NO_TABLE, reference)
    assert inflector.inflect("LAST", "adjective").licensed == ()
    assert [form.word for form in inflector.inflect("BIG", "adjective").licensed] == ["BIGGER", "BIGGEST"]
    assert inflector.inflect("HON", "adjective").licensed == ()


def test_a_learned_plural_that_is_a_headword_needs_the_table():
    """GENI, a headword, is no plural of GENUS, which has GENUSES; TRIVIA is that of TRIVIUM, and the table has DATA."""
    reference = {"GENUS", "GENUSES", "GENI", "DATUM", "DATUMS", "DATA", "TRIVIUM", "TRIVIA"}
    table = InflectionTable({("DATUM", "noun"): (StatedForm("DATA", "plural"),)}, frozenset())
    inflector = Inflector(table, reference, headwords={"GENUS", "GENI", "DATUM", "DATA", "TRIVIUM", "TRIVIA"})
    assert [form.word for form in inflector.inflect("GENUS", "noun").licensed] == ["GENUSES"]
    assert [form.word for form in inflector.inflect("DATUM", "noun").licensed] == ["DATA", "DATUMS"]
    assert [form.word for form in inflector.inflect("TRIVIUM", "noun").licensed] == ["TRIVIA"]


def test_an_uncountable_noun_has_its_plural_withheld():
    """The plural of a noun that the table marks uncountable is withheld (docs/dictionaries.md Decision 5)."""
    table = InflectionTable({}, frozenset({"PEACE"}))
    forms = Inflector(table, {"PEACE", "PEACES"}).inflect("PEACE", "noun")
    assert forms.licensed == ()
    assert forms.withheld == (InflectedForm("PEACES", "plural", "attested"),)


def test_irregular_forms_come_from_the_table():
    """A form of the table is licensed if the reference has it, with the table as its provenance."""
    table = InflectionTable(
        {("SPEAK", "verb"): (StatedForm("SPOKE", "past"), StatedForm("SPAKE", "past"))}, frozenset()
    )
    inflector = Inflector(table, {"SPEAK", "SPOKE", "SPEAKS", "SPEAKING"})
    assert inflector.inflect("SPEAK", "verb").licensed[0] == InflectedForm("SPOKE", "past", "table")
    assert "SPAKE" not in {form.word for form in inflector.inflect("SPEAK", "verb").licensed}


def test_stated_forms_of_a_trusted_source_need_no_attestation():
    """Forms of a trusted source are licensed; of other sources the reference decides, if it has the headword."""
    inflector = Inflector(NO_TABLE, {"ABACUS", "ABACI"})
    stated = [StatedForm("abaci", "plural"), StatedForm("abaca-", "plural"), StatedForm("abacoi", "plural")]
    assert [form.word for form in inflector.license_stated("ABACUS", stated, trusted=True)] == ["ABACI", "ABACOI"]
    assert [form.word for form in inflector.license_stated("ABACUS", stated, trusted=False)] == ["ABACI"]
    assert [form.word for form in inflector.license_stated("ABACO", stated, trusted=False)] == ["ABACI", "ABACOI"]


def test_a_form_of_the_table_precedes_the_regular_form():
    """PLOUGHMAN, not in the reference, takes PLOUGHMEN and never PLOUGHMANS."""
    table = InflectionTable({("DRAUGHTSMAN", "noun"): (StatedForm("DRAUGHTSMEN", "plural"),)}, frozenset())
    inflector = Inflector(table, set())
    assert inflector.inflect("DRAUGHTSMAN", "noun").licensed == (InflectedForm("DRAUGHTSMEN", "plural", "table"),)
    assert inflector.inflect("PLOUGHMAN", "noun").licensed == (InflectedForm("PLOUGHMEN", "plural", "rule"),)
    assert inflector.inflect("KETOACIDOSIS", "noun").licensed == (InflectedForm("KETOACIDOSES", "plural", "rule"),)
    assert inflector.inflect("PROTEOMICS", "noun").licensed == ()


def test_a_word_that_looks_like_a_learned_plural_is_none():
    """CARTA, TANGI and MOMI are no plurals of CARTON, TANGO and MOMO, which have English ones; the table has none."""
    reference = {"CARTON", "CARTONS", "CARTA", "TANGO", "TANGOS", "TANGI", "CURSE", "CURSES", "CURSI", "MOMI"}
    inflector = Inflector(NO_TABLE, reference)
    for word in ("CARTON", "TANGO", "CURSE", "MOMO"):
        assert [form.word for form in inflector.inflect(word, "noun").licensed] == [f"{word}S"]


def test_a_table_is_read_by_lemma_and_part_of_speech(tmp_path):
    """Variants are separated by a slash, an empty slot is no form, and a plural like its singular marks uncountable."""
    path = tmp_path / "table.csv.gz"
    lines = [
        "peace,noun,peace",
        "travel,verb,traveled/travelled,,traveling,travels",
        "Slavic,noun,Slavics",
        "o.k.,adj,,",
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    table = read_inflection_table(path)
    assert table.uncountable == {"PEACE"}
    assert [stated.form for stated in table.lookup("TRAVEL", "verb")] == [
        "TRAVELED",
        "TRAVELLED",
        "TRAVELING",
        "TRAVELS",
    ]
    assert table.lookup("SLAVIC", "noun") == ()


def test_a_malformed_table_is_refused_with_its_line(tmp_path):
    """A line of the table that is not lemma, part of speech and forms is named."""
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b"cat,noun,cats\ndog,noun\n"))
    with pytest.raises(BadSource, match="line 2"):
        read_inflection_table(path)


def test_the_installed_table_has_the_uncountable_nouns():
    """The installed table has the nouns that are uncountable by docs/rules.md 6.7."""
    assert {"PEACE", "IRE", "OZONE", "SEDITION"} <= read_inflection_table(find_inflection_table()).uncountable
