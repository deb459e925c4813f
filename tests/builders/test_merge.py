"""Tests of the merge: words that meet the quorum, and families that go to the curators."""

from __future__ import annotations

from dataclasses import replace

from builders.entry import Entry, StatedForm
from builders.families import collect_families
from builders.inflect import InflectionTable
from builders.merge import MergeResult, SourceOptions, merge
from builders.public_lists import PublicLists, classify_scowl_words
from builders.readers.scowl import ScowlWord
from ordws.curation.family import priority

A, B, C = SourceOptions("a"), SourceOptions("b"), SourceOptions("c")
OLD = SourceOptions("old", capitals="all", alone="attested")


def make_public_lists(words: str = "", **others: str) -> PublicLists:
    """Return public lists with these ordinary words, and others by category."""
    listed = [ScowlWord(word, 50, "words", "english") for word in words.split()]
    for category, more in others.items():
        listed += [ScowlWord(word, 50, category.replace("_", "-"), "english") for word in more.split()]
    return classify_scowl_words(listed, published=())


def nouns(words: str, **fields) -> list[Entry]:
    return [Entry(word, "noun", **fields) for word in words.split()]


def merge_sources(
    *sources: tuple[SourceOptions, list[Entry]], quorum: int = 2, lists: PublicLists, uncountable: str = ""
) -> MergeResult:
    return merge(sources, quorum, InflectionTable({}, frozenset(uncountable.split())), lists)


def queued_families(result: MergeResult, lists: PublicLists) -> dict[str, set[str]]:
    families = collect_families(result, lists, zipf=lambda word: 1.0)
    return {family.base: {candidate.word for candidate in family.candidates} for family in families}


def test_a_word_in_two_of_three_is_settled_with_its_forms():
    """A headword of two sources is settled, with the forms that both inflect it to."""
    lists = make_public_lists("bash bashes kolo")
    result = merge_sources((A, nouns("bash")), (B, nouns("bash kolo")), (C, []), lists=lists)
    assert result.settled == {"BASH", "BASHES"}
    assert queued_families(result, lists) == {"KOLO": {"KOLO"}}


def test_a_form_may_be_as_long_as_the_larger_board():
    """A plural of 21 letters is settled with its noun, and one of 22 is no form."""
    long, too_long = "baseballbaseballball", "baseballsbaseballball"
    lists = make_public_lists(f"{long} {long}s {too_long} {too_long}s")
    result = merge_sources((A, nouns(f"{long} {too_long}")), (B, nouns(f"{long} {too_long}")), lists=lists)
    assert result.settled == {"BASEBALLBASEBALLBALL", "BASEBALLBASEBALLBALLS", "BASEBALLSBASEBALLBALL"}


def test_forms_are_compared_after_inflection():
    """A headword of one source counts as the inflected form of another (docs/dictionaries.md Decision 3)."""
    lists = make_public_lists("loaf loaves")
    result = merge_sources((A, nouns("loaf")), (B, nouns("loaves", labels=frozenset({"plural"}))), lists=lists)
    assert result.settled == {"LOAVES"}
    assert queued_families(result, lists) == {"LOAF": {"LOAF"}}


def test_a_quorum_may_be_both_of_two_sources():
    """A quorum of both of two sources leaves a word of one source borderline (docs/rules.md 6.3)."""
    lists = make_public_lists("bash kolo")
    assert merge_sources((A, nouns("bash kolo")), (B, nouns("bash")), lists=lists).settled == {"BASH"}


def test_one_source_never_counts_twice():
    """A word that one source lists under two parts of speech is in one source."""
    lists = make_public_lists("run")
    assert merge_sources((A, [Entry("run", "noun"), Entry("run", "verb")]), (B, []), lists=lists).settled == set()


def test_names_affixes_and_abbreviations_do_not_count():
    """Entries of names, affixes and abbreviations do not count; other entries of the word do (docs/rules.md A-37)."""
    lists = make_public_lists("turkeys")
    for label in ("proper", "affix", "abbreviation"):
        labelled = nouns("turkey", labels=frozenset({label}))
        assert merge_sources((A, labelled), (B, labelled), lists=lists).settled == set()
        assert merge_sources((A, labelled + nouns("turkey")), (B, nouns("turkey")), lists=lists).settled >= {"TURKEY"}


def test_names_of_a_capitalising_source_are_found_by_the_public_lists():
    """MARY and HUNGARIAN of a source that capitalises all are names by the public lists (docs/dictionaries.md 1c)."""
    lists = make_public_lists("bash", upper="Mary Hungarian")
    result = merge_sources((OLD, nouns("Mary Hungarian Bash")), (A, nouns("bash")), lists=lists, quorum=1)
    assert result.settled == {"BASH"}


def test_a_lower_case_entry_of_another_source_makes_a_word():
    """A lower-case entry of another source makes a word of a headword that a capitalising source leaves open."""
    lists = make_public_lists("bash")
    doubtful = nouns("Vlog", labels=frozenset({"capitalised"}))
    assert "VLOG" not in merge_sources((OLD, doubtful), (A, []), lists=lists, quorum=1).settled
    assert "VLOG" in merge_sources((OLD, doubtful), (A, nouns("vlog")), lists=lists).settled


def test_a_word_listed_only_as_a_name_is_left_to_the_curators():
    """TROJAN in lower case in two dictionaries is not settled: the public lists only know the name."""
    lists = make_public_lists("", upper="Trojan")
    result = merge_sources((A, nouns("trojan")), (B, nouns("trojan")), lists=lists)
    assert result.settled == set()
    assert queued_families(result, lists) == {"TROJAN": {"TROJAN", "TROJANS"}}


def test_a_doubtful_capital_is_a_name_unless_the_lists_have_the_word():
    """A doubtful name of a capitalising source counts as a word only if the players' reference has it."""
    doubtful = nouns("Scaphopoda Damask", labels=frozenset({"capitalised"}))
    lists = make_public_lists("damask")
    assert merge_sources((OLD, doubtful), (B, nouns("x")), lists=lists, quorum=1).settled == {"DAMASK"}


def test_roman_numerals_and_vowelless_symbols_are_dropped():
    """Roman numerals and vowelless symbols that the reference lacks are dropped from every source."""
    lists = make_public_lists("mix nth")
    entries = nouns("lxxvi mph mix nth")
    assert merge_sources((A, entries), (B, entries), lists=lists).settled == {"MIX", "NTH"}


def test_a_lower_case_acronym_in_the_reference_is_a_word():
    """LASER, printed in lower case and in the reference, counts though its source calls it an acronym."""
    acronym = frozenset({"abbreviation"})
    lists = make_public_lists("laser lasers led")
    entries = [Entry("laser", "noun", acronym), Entry("LED", "noun", acronym), Entry("vdu", "noun", acronym)]
    assert merge_sources((A, entries), (B, entries), lists=lists).settled == {"LASER", "LASERS"}


def test_a_short_form_listed_as_an_abbreviation_is_out():
    """A short form of a longer headword does not count if the lists have it as an abbreviation alone."""
    lists = make_public_lists("lab", abbreviations="rbi lab")
    entries = nouns("rbi lab", labels=frozenset({"shortened"}))
    assert merge_sources((A, entries), (B, entries), lists=lists).settled == {"LAB"}


def test_a_source_does_not_count_for_a_word_it_labels_wholly_offensive():
    """A source that labels all senses offensive or vulgar does not count for the word (docs/dictionaries.md 8)."""
    lists = make_public_lists("slur slurs")
    bad = nouns("slur", labels=frozenset({"offensive"}))
    assert merge_sources((A, bad), (B, nouns("slur")), lists=lists).settled == set()
    assert merge_sources((A, [*bad, Entry("slur", "verb")]), (B, nouns("slur")), lists=lists).settled >= {"SLUR"}


def test_partly_offensive_is_settled_and_flagged():
    """A word with some offensive senses is in, and its family goes to the curators with a flag."""
    lists = make_public_lists("ass asses")
    some = nouns("ass", partial_labels=frozenset({"vulgar"}))
    result = merge_sources((A, some), (B, nouns("ass")), lists=lists)
    families = {family.base: family.standing for family in collect_families(result, lists, zipf=lambda word: 4.0)}
    assert result.settled == {"ASS", "ASSES"}
    assert families == {"ASS": "flagged"}


def test_a_plural_of_an_uncountable_noun_is_a_family_of_its_own():
    """PEACES is not licensed with PEACE and goes to the curators as a family (docs/rules.md A-41)."""
    lists = make_public_lists("peace peaces")
    result = merge_sources((A, nouns("peace")), (B, nouns("peace")), lists=lists, uncountable="PEACE")
    assert result.settled == {"PEACE"}
    assert queued_families(result, lists) == {"PEACES": {"PEACES"}}


def test_an_uncountable_plural_that_the_quorum_states_is_settled():
    """The plural of an uncountable noun is in if the quorum of sources prints it (docs/rules.md A-41)."""
    lists = make_public_lists("peace peaces")
    stated = nouns("peace", forms=(StatedForm("peaces", "plural"),))
    assert "PEACES" in merge_sources((A, stated), (B, stated), lists=lists, uncountable="PEACE").settled
    assert "PEACES" not in merge_sources((A, stated), (B, nouns("peace")), lists=lists, uncountable="PEACE").settled


def test_a_word_of_an_old_source_alone_needs_the_reference():
    """A word of an old source alone is borderline only if the reference has it (docs/dictionaries.md Decision 7)."""
    lists = make_public_lists("imprimis")
    result = merge_sources((OLD, nouns("Imprimis Tannigen")), (A, nouns("kolo")), lists=lists)
    assert queued_families(result, lists) == {"IMPRIMIS": {"IMPRIMIS"}, "KOLO": {"KOLO", "KOLOS"}}
    alone = merge_sources((OLD, nouns("Tannigen")), (A, nouns("kolo")), lists=lists, uncountable="TANNIGEN")
    assert "TANNIGENS" not in queued_families(alone, lists)


def test_a_pointer_to_another_word_is_not_inflected():
    """A headword that only points to its base, or is a plural already, takes no forms of its own."""
    lists = make_public_lists("held helds geese geeses")
    pointers = [Entry("held", "verb", frozenset({"inflection"})), Entry("geese", "noun", frozenset({"plural"}))]
    assert merge_sources((A, pointers), (B, pointers), lists=lists).settled == {"HELD", "GEESE"}


def test_two_letter_words_never_come_from_dictionaries():
    """Two-letter words come from the rule set's list, but their inflected forms count (docs/rules.md 6.6)."""
    listed = [ScowlWord(word, 50, "words", "english") for word in ("going", "goes")]
    lists = classify_scowl_words(listed, published=["GO"])
    entries = [Entry("go", "verb"), Entry("eq", "noun")]
    assert merge_sources((A, entries), (B, entries), lists=lists).settled == {"GOING", "GOES"}


def test_a_form_longer_than_the_board_is_no_word():
    """A word of 21 letters is in without its plural, which no board holds."""
    entries = nouns("counterrevolutionists")
    assert merge_sources((A, entries), (B, entries), lists=make_public_lists()).settled == {"COUNTERREVOLUTIONISTS"}


def test_a_form_belongs_to_one_family():
    """A form that two bases share, or that is a headword too, goes to the curators once."""
    lists = make_public_lists("leaf leave leaves flout flouting floutings")
    entries = [
        Entry("leaf", "noun"),
        Entry("leave", "verb"),
        Entry("flout", "verb"),
        Entry("flouting", "noun"),
    ]
    result = merge_sources((A, entries), (B, []), lists=lists)
    members = [word for words in queued_families(result, lists).values() for word in words]
    assert sorted(members) == sorted(set(members))
    assert queued_families(result, lists)["FLOUT"] == {"FLOUT", "FLOUTING", "FLOUTINGS"}


def test_a_headword_whose_base_is_settled_is_a_family_of_its_own():
    """BYPAST, a headword that could be a form of the settled BYPASS, is a family of its own."""
    lists = make_public_lists("bypass bypast")
    form = Entry("bypass", "verb", forms=(StatedForm("bypast", "past"),))
    other = [Entry("bypast", "adjective")]
    result = merge_sources((A, [Entry("bypass", "verb"), *other]), (B, [Entry("bypass", "verb")]), lists=lists)
    assert queued_families(result, lists) == {"BYPAST": {"BYPAST"}}
    result = merge_sources((A, [form, *other]), (B, [Entry("bypass", "verb")]), lists=lists)
    assert queued_families(result, lists) == {"BYPAST": {"BYPAST"}}


def test_a_borderline_form_of_a_flagged_word_is_a_family_of_its_own():
    """A vote against REDDED does not remove RED, which is settled and flagged."""
    lists = make_public_lists("red reds redded redding")
    flagged = [Entry("red", "noun", partial_labels=frozenset({"offensive"})), Entry("red", "verb")]
    result = merge_sources((A, flagged), (B, nouns("red")), lists=lists)
    assert queued_families(result, lists) == {"RED": {"RED", "REDS"}, "REDDED": {"REDDED"}, "REDDING": {"REDDING"}}


def test_the_evidence_names_source_sense_and_standing():
    """A candidate carries each source's witnesses, its frequency and its band."""
    lists = make_public_lists("kolo kolos")
    result = merge_sources((A, nouns("kolo", gloss="a round dance")), (B, []), lists=lists)
    (family,) = collect_families(result, lists, zipf=lambda word: 2.456)
    base, plural = family.candidates
    assert (base.word, base.zipf, base.band) == ("KOLO", 2.46, 50)
    assert [(w.source, w.provenance, w.slot, w.gloss) for w in base.witnesses] == [
        ("a", "headword", "base", "a round dance")
    ]
    assert [(w.source, w.provenance, w.slot) for w in plural.witnesses] == [("a", "attested", "plural")]


def test_a_form_that_scowl_has_as_a_name_says_so():
    """TROJAN, listed with a capital alone, MALIK, a rare word and a name, and a fictional SMURF come last, not CIS."""
    lists = make_public_lists("kolo cis", upper="Trojan Cis Malik")
    lists = replace(lists, bands={**lists.bands, "MALIK": 80})
    smurf = nouns("smurf", gloss="fictional character")
    result = merge_sources((A, [*nouns("kolo trojan cis malik"), *smurf]), (B, []), lists=lists)
    plain = {
        family.base: priority(family).is_plain for family in collect_families(result, lists, zipf=lambda word: 3.0)
    }
    assert plain == {"KOLO": True, "TROJAN": False, "MALIK": False, "SMURF": False, "CIS": True}


def test_an_abbreviation_says_so_and_is_not_inflected_by_rule():
    """SCOWL has TEX as an abbreviation, whose frequency its letters share, and nobody attests TEXES."""
    lists = make_public_lists(abbreviations="tex")
    (family,) = collect_families(merge_sources((A, nouns("tex")), (B, []), lists=lists), lists, zipf=lambda word: 3.5)
    (tex,) = family.candidates
    assert [(each.source, each.labels) for each in tex.witnesses] == [("a", ()), ("scowl", ("also an abbreviation",))]


def test_the_frequency_of_what_an_old_dictionary_alone_has_is_not_told():
    """SAM and VERITAS are met as names, and MENS as MEN'S: their use is that of no word; REFRAME is made of FRAME."""
    lists = make_public_lists("kolo sam veritas reframe frame men mens")
    lists = replace(lists, northern_bands={**lists.northern_bands, "SAM": 80, "VERITAS": 80, "REFRAME": 80, "MENS": 80})
    old, verbs = SourceOptions("old", alone="attested"), [Entry("frame", "verb")]
    old_words = [*nouns("kolo sam veritas"), Entry("reframe", "verb"), *verbs]
    result = merge_sources((old, old_words), (B, [*nouns("men"), *verbs]), (C, verbs), lists=lists)
    found = {
        each.word: each.zipf
        for family in collect_families(result, lists, zipf=lambda word: 4.6)
        for each in family.candidates
        if each.word in ("KOLO", "SAM", "VERITAS", "REFRAME", "MENS")
    }
    assert found == {"KOLO": 4.6, "SAM": None, "VERITAS": None, "REFRAME": 4.6, "MENS": None}


def test_each_source_gives_at_most_three_witnesses():
    """A source with many entries gives at most three witnesses, and every other source gives its own."""
    lists = make_public_lists("slur slurs")
    many = [Entry("slur", "noun", partial_labels=frozenset({"vulgar"}), gloss=f"sense {number}") for number in range(9)]
    result = merge_sources((A, many), (B, nouns("slur")), (C, nouns("slur")), lists=lists)
    (family,) = collect_families(result, lists, zipf=lambda word: 1.0)
    assert [witness.source for witness in family.candidates[0].witnesses] == ["a", "a", "a", "b", "c"]


def test_the_core_list_comes_from_public_lists_alone():
    """Core words are the common words of the reference; a dictionary cannot add one (docs/guard.md Decision 6)."""
    listed = [
        ScowlWord("common", 35, "words", "english"),
        ScowlWord("rare", 80, "words", "english"),
        ScowlWord("colour", 35, "words", "british"),
        ScowlWord("arcane", 95, "words", "english"),
    ]
    lists = classify_scowl_words(listed, published=["QI"])
    assert lists.reference == {"COMMON", "RARE", "QI"}
    assert lists.core == {"COMMON"}


LISTED = SourceOptions("listed", kind="spelling-list", alone="attested")


def listed(words: str) -> list[Entry]:
    """Return words as the reader of SCOWL gives them: under no part of speech."""
    return [Entry(word, "other") for word in words.split()]


def test_a_spelling_list_seconds_a_dictionary():
    """A word of one dictionary is settled if the spelling list has it too; what the list alone has is borderline."""
    lists = make_public_lists("exam exams cyber")
    result = merge_sources((A, nouns("exam kolo")), (B, []), (LISTED, listed("exam exams cyber")), lists=lists)
    assert result.settled == {"EXAM", "EXAMS"}
    assert queued_families(result, lists) == {"KOLO": {"KOLO", "KOLOS"}, "CYBER": {"CYBER"}}


def test_a_spelling_list_inflects_nothing():
    """A word of the list alone brings no forms, and one that the reference lacks is not put to the curators."""
    lists = make_public_lists("cyber cybers")
    result = merge_sources((A, nouns("kolo")), (LISTED, listed("cyber zib")), lists=lists)
    assert queued_families(result, lists) == {"KOLO": {"KOLO", "KOLOS"}, "CYBER": {"CYBER"}}


def test_words_of_a_spelling_list_are_no_headwords():
    """A learned plural stays beside the English one though the list has it as a word of its own: TESTATRICES."""
    lists = make_public_lists("testatrix testatrixes testatrices")
    sources = (A, nouns("testatrix")), (B, nouns("testatrix"))
    result = merge_sources(*sources, (LISTED, listed("testatrix testatrices")), lists=lists)
    assert result.settled == {"TESTATRIX", "TESTATRIXES", "TESTATRICES"}


def test_a_form_is_not_attested_twice():
    """A form that one dictionary takes from the reference alone is not seconded if others lack it: MUTTERINGS.

    The reference and the list are both SCOWL. A form that the dictionary states, or the table, is seconded.
    """
    lists = make_public_lists("theme themes themed theming")
    noun, verb = Entry("theme", "noun"), Entry("theme", "verb")
    sources = (A, [noun, verb]), (B, [noun]), (LISTED, listed("theme themes themed"))
    assert merge_sources(*sources, lists=lists).settled == {"THEME", "THEMES"}
    stated = verb._replace(forms=(StatedForm("themed", "past"),))
    sources = (A, [noun, stated]), *sources[1:]
    assert merge_sources(*sources, lists=lists).settled == {"THEME", "THEMES", "THEMED"}


def test_forms_of_a_word_that_the_list_has_lifted_are_lifted_too():
    """Where the headword itself needs the list, its attested forms may have it as well: HOTLINES beside HOTLINE."""
    lists = make_public_lists("hotline hotlines")
    result = merge_sources((A, nouns("hotline")), (B, []), (LISTED, listed("hotline hotlines")), lists=lists)
    assert result.settled == {"HOTLINE", "HOTLINES"}


def test_a_spelling_list_does_not_lift_what_dictionaries_label():
    """A word that every dictionary that has it labels offensive or vulgar, if in part, is not lifted, nor its forms."""
    lists = make_public_lists("slur slurs")
    for labels in ({"labels": frozenset({"vulgar"})}, {"partial_labels": frozenset({"offensive"})}):
        result = merge_sources((A, nouns("slur", **labels)), (B, []), (LISTED, listed("slur slurs")), lists=lists)
        assert result.settled == set()
    clean = merge_sources((A, nouns("slur", **labels)), (B, nouns("slur")), (LISTED, listed("slur")), lists=lists)
    assert clean.settled == {"SLUR", "SLURS"}


def test_a_spelling_list_does_not_lift_what_is_rather_a_name():
    """SABBATH stands among the names at a smaller size than among the words, so that the list does not count for it."""
    words = [ScowlWord("sabbath", 60, "words", "english"), ScowlWord("teddy", 35, "words", "english")]
    names = [ScowlWord("Sabbath", 35, "upper", "english"), ScowlWord("Teddy", 50, "proper-names", "english")]
    lists = classify_scowl_words([*words, *names], published=())
    result = merge_sources((OLD, nouns("Sabbath Teddy")), (LISTED, listed("sabbath teddy")), lists=lists)
    assert result.settled == {"TEDDY"}


def test_an_abbreviation_that_two_dictionaries_define_is_a_word():
    """MATHS, a short form and listed as an abbreviation alone, counts if two dictionaries define it as a noun.

    An entry that is labelled as an abbreviation, written in capitals or another part of speech defines no noun.
    """
    lists = make_public_lists("", abbreviations="maths abs", upper="Abs")
    short = nouns("maths", labels=frozenset({"shortened"}))
    assert merge_sources((A, short), (B, nouns("maths")), lists=lists).settled >= {"MATHS"}
    assert merge_sources((A, nouns("abs")), (OLD, nouns("Abs")), lists=lists).settled >= {"ABS"}
    for other in (nouns("maths", labels=frozenset({"abbreviation"})), nouns("MATHS"), [Entry("maths", "verb")]):
        assert merge_sources((A, short), (B, other), lists=lists).settled == set()


def test_forms_that_the_list_alone_has_are_voted_on_together():
    """A word that only the list has and what may be its regular form are one family, with the list as their witness."""
    lists = make_public_lists("tailbone tailbones rewarm rewarmed rewarming cyber")
    every = listed("tailbones tailbone rewarming rewarmed rewarm cyber")
    result = merge_sources((A, nouns("kolo")), (LISTED, every), lists=lists)
    families = {family.base: family for family in collect_families(result, lists, zipf=lambda word: 1.0)}
    assert {base: {each.word for each in family.candidates} for base, family in families.items()} == {
        "KOLO": {"KOLO", "KOLOS"},
        "TAILBONE": {"TAILBONE", "TAILBONES"},
        "REWARM": {"REWARM", "REWARMED", "REWARMING"},
        "CYBER": {"CYBER"},
    }
    (witness,) = families["CYBER"].candidates[0].witnesses
    assert (witness.source, witness.provenance, witness.slot) == ("listed", "listed", "base")
