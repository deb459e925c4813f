"""Tests of what an edition holds for the Dover club's rules: forms, labelled words, core words that are charged."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from each_row import each_row

from builders import processes
from builders.dover_charged import begin_dover_charged
from builders.dover_forms import begin_dover_forms, make_word_set_book
from builders.entry import Entry, Label, StatedForm
from builders.inflect import InflectionTable
from builders.labelled import find_labelled, find_mostly_labelled
from builders.merge import MergeResult, SourceOptions, merge
from builders.public_lists import PublicLists
from ordws.cli import ordws
from ordws.homeplay.decide import decide_word
from ordws.homeplay.formatives import find_derivations, find_possible_bases
from ordws.rules.ruleset import RULE_SETS

BASES = (
    "vote v, trim v n, fling v n, jowl n, lint n, bash v, tax n v, feed v, eat v, mix v, toe n, blade n, dope n v,"
    " gate n v, bale n v, demo n, ire n, ozone n, hex n v, frank adj, meet v n"
)
IN = "REVOTE UNTRIM FLINGER JOWLED LINTIER BASHINGS ANTITAX MISFEED OUTEAT OVERMIX BLADINGS DOPINGS GATINGS BALERS"
OUT = "IRES OZONES FRANKER KOLO TITMEET HEXES"
"""IRE and OZONE have no plural in the set, FRANK shows no comparative there, HEX is labelled; the rest has no base."""
POS = {"n": "noun", "v": "verb", "adj": "adjective"}


def entries_of(text: str, **fields: object) -> list[Entry]:
    """Return entries of `vote v, trim v n`."""
    return [
        Entry(word, POS[pos], **fields) for item in text.split(", ") for word, *kinds in [item.split()] for pos in kinds
    ]


def merge_two(*sources: list[Entry], reference: str = "", quorum: int = 2) -> MergeResult:
    reference = f"{reference} MIX"  # which reads as a Roman numeral otherwise
    lists = PublicLists(frozenset(reference.split()), dict.fromkeys(reference.split(), 80), frozenset(), frozenset())
    named = [(SourceOptions(f"source {number}"), entries) for number, entries in enumerate(sources)]
    return merge(named, quorum, InflectionTable({}, frozenset()), lists)


@pytest.fixture
def merged() -> MergeResult:
    return merge_two(entries_of(BASES), entries_of(BASES), reference=f"{IN} {OUT}")


def make_forms(merged: MergeResult, labelled: str = "HEX HEXES") -> frozenset[str]:
    words = merged.settled - frozenset({"IRES", "OZONES", "FRANKER", "HEXES", *IN.split()})
    reference = frozenset(f"{IN} {OUT}".split())
    with begin_dover_forms(words, reference, frozenset(labelled.split()), merged) as forms:
        return forms()


def test_forms_are_those_that_the_rules_name(merged: MergeResult) -> None:
    """The examples of the rules are forms; plurals of main entries, comparatives and chance spellings are not."""
    assert make_forms(merged) == frozenset(IN.split())


def test_what_is_made_of_a_labelled_word_is_no_form(merged: MergeResult) -> None:
    """A labelled word is a base of nothing, and no form itself (docs/rules.md 6.7 rule 2)."""
    assert make_forms(merged, "BASH BASHING VOTE OUTEAT") == frozenset(IN.split()) - {"BASHINGS", "REVOTE", "OUTEAT"}


def test_a_form_of_a_labelled_word_is_not_taken_for_one_of_its_base() -> None:
    """PISSANTS is of PISSANT, which is labelled, though PISS is in the set."""
    both = entries_of("piss n v")
    merged = merge_two(both, both, reference="PISSES")
    reference = frozenset({"PISSANT", "PISSANTS", "PISSLESS"})
    with begin_dover_forms(merged.settled, reference, frozenset({"PISSANT"}), merged) as forms:
        assert forms() == {"PISSLESS"}


def test_forms_agree_with_the_home_check(merged: MergeResult, tmp_path: Path) -> None:
    """`ordws home` rules alike on the same words from books, and gives the reason."""
    words = merged.settled - frozenset({"IRES", "OZONES", "FRANKER", "HEXES", *IN.split()})
    book = make_word_set_book(words, frozenset({"HEX"}), merged)
    names = {"noun": "noun", "verb": "verb", "adjective": "adj"}
    rows = [
        f"{word}\t{names[entry.part_of_speech]}\t{'main' if entry.part_of_speech == 'adjective' else ''}"
        f"\t{'vulgar' if entry.is_offensive else ''}"
        for word, entries in book.entries.items()
        for entry in entries
        if entry.part_of_speech in names
    ]
    (tmp_path / "dictionary.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "ospd.txt").write_text("\n".join(f"{IN} {OUT}".split()))
    forms = make_forms(merged)
    for word in f"{IN} {OUT}".split():
        line = ["home", word, "--rules", "dover", "--edition", "electronic", "--dictionary"]
        line += [str(tmp_path / "dictionary.tsv"), "--reference", str(tmp_path / "ospd.txt")]
        done = CliRunner().invoke(ordws, line)
        assert (f"{word}: acceptable" in done.output) == (word in forms), done.output


def test_forms_are_those_that_decide_word_admits(merged: MergeResult) -> None:
    """The short way of the builders and the full ruling at home say the same of every word."""
    words = merged.settled - frozenset(f"{IN} {OUT}".split())
    book, reference = make_word_set_book(words, frozenset(), merged), frozenset(f"{IN} {OUT}".split())
    with begin_dover_forms(words, reference, frozenset(), merged) as forms:
        found = forms()
    rulings = {word: decide_word(word, RULE_SETS["dover"], book, reference, "electronic") for word in reference}
    assert found == {word for word, ruling in rulings.items() if ruling.acceptable}


def test_plurals_and_comparatives_are_bases_of_nothing() -> None:
    """A plural is no base of a derivation, its singular is: REVOTES is of REVOTE, BITESIZE is not of BITES."""
    both = entries_of("vote n v, bite n v, warm adj")
    merged = merge_two(both, both, reference="VOTES BITES WARMER WARMEST")
    reference = frozenset({"REVOTES", "BITESIZE", "BITESY", "WARMERS"})
    with begin_dover_forms(merged.settled, reference, frozenset(), merged) as forms:
        assert forms() == {"REVOTES"}


def test_several_processes_find_what_one_finds(merged: MergeResult, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are tested in processes beside this one with the same result."""
    monkeypatch.setattr(processes, "_MIN_WORDS", 0)
    monkeypatch.setattr(processes, "_CHUNK", 3)
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda process: {0, 1})
    assert make_forms(merged) == frozenset(IN.split())


def label(*labels: Label) -> frozenset[Label]:
    return frozenset(labels)


def test_a_word_is_labelled_where_every_sense_of_every_dictionary_is() -> None:
    """One sense, one source or one base without a label clears a word; spelling lists, which have none, do not."""
    first = [
        *entries_of("drek n, pish n v, zarf n", labels=label("vulgar")),
        Entry("cock", "noun", partial_labels=label("vulgar")),
        Entry("slurs", "noun", label("offensive", "plural")),
        Entry("slur", "verb"),
        Entry("Drek", "noun", label("proper")),
    ]
    second = [*entries_of("drek n", labels=label("offensive", "slang")), Entry("zarf", "noun"), Entry("plain", "noun")]
    merged = merge_two(first, second, reference="DREK DREKS PISH PISHES PISHED PISHING COCK ZARF ZARFS SLUR SLURS")
    listed = SourceOptions("listed", kind="spelling-list")
    with_list = merge(
        [(SourceOptions("a"), first), (listed, [Entry("drek", "other")])],
        2,
        InflectionTable({}, frozenset()),
        PublicLists(frozenset({"DREKS"}), {}, frozenset(), frozenset()),
    )
    assert find_labelled(merged.source_claims) == {"DREK", "DREKS", "PISH", "PISHES", "PISHED", "PISHING"}
    assert {"DREK", "DREKS"} <= find_labelled(with_list.source_claims)
    assert find_labelled(()) == frozenset()


def test_a_form_that_a_source_states_has_the_label_of_its_headword() -> None:
    """Stated forms of a labelled headword are labelled too."""
    entry = Entry("drek", "noun", label("vulgar"), forms=(StatedForm("drekken", "plural"),))
    merged = merge_two([entry], [], reference="DREK DREKKEN")
    assert find_labelled(merged.source_claims) == {"DREK", "DREKKEN"}


def test_agreement_stands_for_the_labels_of_open_sources() -> None:
    """One entry labelled in every sense, and as many labelled as not, label a word; two plain entries clear it."""
    vulgar, gloss = label("vulgar"), "what it means"
    first = [
        Entry("drek", "noun", vulgar, gloss=gloss),
        Entry("ball", "verb", vulgar, gloss=gloss),
        Entry("cock", "noun", partial_labels=vulgar, gloss=gloss),
        Entry("pish", "verb", partial_labels=vulgar, gloss=gloss),
    ]
    second = [
        Entry("drek", "noun", gloss=gloss),
        Entry("drek", "interjection", gloss=gloss),
        *[Entry("ball", pos, gloss=gloss) for pos in ("noun", "verb")],
        Entry("cock", "noun", gloss=gloss),
    ]
    merged = merge_two(first, second, reference="DREK DREKS BALL BALLS COCK PISH")
    assert find_mostly_labelled(merged.source_claims) == {"DREK", "DREKS"}
    assert find_labelled(merged.source_claims) == frozenset()


def test_an_entry_with_both_labels_is_labelled() -> None:
    """DREK is offensive in one sense and vulgar in another; KREP is vulgar in one, and nothing in the other."""
    both = label("offensive") | label("vulgar")
    first = [
        Entry("drek", "noun", partial_labels=both, gloss="a / b"),
        Entry("krep", "noun", partial_labels=label("vulgar"), gloss="a / b"),
    ]
    second = entries_of("drek n, krep n", gloss="what it means")
    assert find_mostly_labelled(merge_two(first, second, reference="DREK KREP").source_claims) == {"DREK"}


def test_what_is_made_of_a_vulgar_word_is_labelled() -> None:
    """DREKKY and DREKHEAD go with DREK, of which each dictionary labels an entry, and KREPKY does not go with KREP."""
    vulgar = label("vulgar")
    made = entries_of("drekky adj, drekhead n, head n, krepky adj", gloss="what it means")
    first = [Entry("drek", "noun", vulgar), Entry("krep", "noun", vulgar), *made]
    second = [Entry("drek", "verb", partial_labels=vulgar), Entry("krep", "noun"), *made]
    merged = merge_two(first, second, reference="DREK KREP DREKKY DREKHEAD DREKHEADS HEAD KREPKY")
    assert find_mostly_labelled(merged.source_claims) == {"DREK", "DREKKY", "DREKHEAD", "DREKHEADS", "KREP"}


def test_a_form_of_a_labelled_and_of_another_word_is_not_labelled() -> None:
    """COOLIES is a form of COOLY, which agreement labels, and of COOLIE too."""
    first = [*entries_of("coolie n"), Entry("cooly", "noun", label("offensive"))]
    merged = merge_two(first, entries_of("cooly n"), reference="COOLIE COOLY COOLIES")
    assert find_mostly_labelled(merged.source_claims) == {"COOLY"}


def charged(core: str, others: str) -> frozenset[str]:
    bands = dict.fromkeys(core.split(), 50) | dict.fromkeys(others.split(), 95)
    lists = PublicLists(frozenset(core.split()), bands, frozenset(), frozenset())
    with begin_dover_charged(lists) as found:
        return found()


def test_core_words_of_other_bases_are_charged() -> None:
    """UNKEMPT would tell of KEMPT; UNHAPPY tells of HAPPY alone, which is core, and TABLE of nothing."""
    assert charged("UNKEMPT UNHAPPY HAPPY TABLE", "KEMPT KOLO") == {"UNKEMPT"}


def test_one_base_outside_the_core_list_is_enough() -> None:
    """A word with two bases is charged for the one that is not core, though the other is likelier."""
    assert charged("BARRED BAR", "KOLO") == frozenset()
    assert charged("BARRED BAR", "BARRE") == {"BARRED"}


@each_row("word", ["UNKEMPT", "BASHINGS", "LINTIER", "INFLEXIONS", "PARAMILITARY", "DECEPTION", "MICE", "BARRED"])
def test_possible_bases_are_more_than_any_dictionary_gives(word: str) -> None:
    """Whatever words a dictionary has, each derivation in it is from a base that is charged for."""
    bases = frozenset(find_possible_bases(word))
    assert word not in bases
    for hidden in [frozenset(), *({base} for base in bases)]:
        assert {each.base for each in find_derivations(word, bases - hidden)} <= bases - hidden
    assert all(find_derivations(word, frozenset({base})) for base in bases)
