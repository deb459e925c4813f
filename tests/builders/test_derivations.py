"""Tests of the guesses how headwords were made from others that the sources know."""

from __future__ import annotations

from dataclasses import replace

from each_row import each_row

from builders.derivations import DerivationFinder, candidate_bases, suffixed_spellings
from builders.entry import Entry, Pos, StatedForm
from builders.families import collect_families
from builders.inflect import InflectionTable
from builders.merge import MergeResult, SourceOptions, merge
from builders.public_lists import PublicLists, classify_scowl_words
from builders.readers.scowl import ScowlWord
from ordws.curation.family import Derivation

LISTS = "vote votes voted voting revote fish fishes happy unhappy toe toeless peace peaces"


def make_public_lists() -> PublicLists:
    return classify_scowl_words([ScowlWord(word, 50, "words", "english") for word in LISTS.split()], published=())


def make_entries(words: str, pos: Pos = "noun", **fields) -> list[Entry]:
    return [Entry(word, pos, **fields) for word in words.split()]


def merge_sources(both: list[Entry], one: list[Entry], uncountable: str = "") -> MergeResult:
    """Merge two sources of which both must have a word, so that the rest is at stake."""
    sources = [(SourceOptions("first"), both + one), (SourceOptions("second"), both)]
    return merge(sources, 2, InflectionTable({}, frozenset(uncountable.split())), make_public_lists())


def derivations_of(head: str, *sources: list[Entry]) -> list[tuple[str, str, bool]]:
    return [
        (each.pattern, each.base, each.is_settled)
        for each in DerivationFinder(merge_sources(*sources), [head]).derivations(head)
    ]


def test_a_prefix_before_a_settled_verb_is_a_derivation():
    """REVOTE may be RE- and the verb VOTE, which both sources have."""
    both, one = make_entries("vote", "verb"), make_entries("revote", "verb")
    assert derivations_of("REVOTE", both, one) == [("RE- + verb", "VOTE", True)]


def test_a_base_at_stake_is_shown_as_not_settled():
    """A headword of one source may be a base, and the curators see that it is not settled."""
    assert derivations_of("REVOTE", [], make_entries("vote revote", "verb")) == [("RE- + verb", "VOTE", False)]


def test_a_base_must_be_a_headword_of_a_source():
    """A base must be a headword of some source, not merely a word of the public lists."""
    assert derivations_of("REVOTE", [], make_entries("revote", "verb")) == []


@each_row(
    ("head", "head_pos", "base", "base_pos", "pattern"),
    [
        ("unhappy", "adjective", "happy", "adjective", "UN- + adjective"),
        ("toeless", "adjective", "toe", "noun", "noun + -LESS"),
        ("happiness", "noun", "happy", "adjective", "adjective + -NESS"),
        ("happily", "adverb", "happy", "adjective", "adjective + -LY"),
        ("gently", "adverb", "gentle", "adjective", "adjective + -LY"),
        ("basically", "adverb", "basic", "adjective", "adjective + -LY"),
        ("baker", "noun", "bake", "verb", "verb + -ER"),
        ("stopper", "noun", "stop", "verb", "verb + -ER"),
        ("trafficker", "noun", "traffic", "verb", "verb + -ER"),
        ("outvote", "verb", "vote", "verb", "OUT- + verb"),
        ("likeable", "adjective", "like", "verb", "verb + -ABLE"),
        ("babyish", "adjective", "baby", "noun", "noun + -ISH"),
        ("biologist", "noun", "biology", "noun", "noun + -IST"),
        ("besmoke", "verb", "smoke", "noun", "BE- + noun"),
        ("unbashed", "adjective", "bashed", "adjective", "UN- + adjective"),
    ],
)
def test_patterns_with_their_changes_of_spelling(head, head_pos, base, base_pos, pattern):
    """A base is found behind a dropped E, a doubled consonant, a changed Y and the other usual changes."""
    both, one = make_entries(base, base_pos), make_entries(head, head_pos)
    assert derivations_of(head.upper(), both, one) == [(pattern, base.upper(), True)]


@each_row(
    ("head", "head_pos", "base", "base_pos"),
    [
        ("revote", "noun", "vote", "verb"),  # RE- leaves a verb a verb
        ("toeless", "noun", "toe", "noun"),  # -LESS makes adjectives
        ("hoper", "noun", "hop", "verb"),  # HOP doubles its P
        ("inking", "noun", "in", "noun"),  # no base of two letters
    ],
)
def test_a_base_must_fit_in_part_of_speech_spelling_and_length(head, head_pos, base, base_pos):
    """A base must fit in part of speech, spelling and length."""
    patterns = [
        pattern
        for pattern, of, _ in derivations_of(head.upper(), make_entries(base, base_pos), make_entries(head, head_pos))
    ]
    assert [each for each in patterns if each in ("RE- + verb", "noun + -LESS", "verb + -ER", "noun + -ING")] == []


def test_participles_serve_as_adjective_bases():
    """UNVOTED may come from VOTED, a form of VOTE that no source has as a headword."""
    both = [Entry("vote", "verb", forms=(StatedForm("voted", "past"), StatedForm("voting", "gerund")))]
    assert derivations_of("UNVOTED", both, make_entries("unvoted", "adjective")) == [
        ("UN- + participle", "VOTED", True)
    ]


def test_a_head_without_part_of_speech_may_be_anything():
    """A headword without a part of speech, and a word that no source has, get the patterns of all parts of speech."""
    expected = [("RE- + verb", "VOTE", True)]
    assert derivations_of("REVOTE", make_entries("vote", "verb"), make_entries("revote", "other")) == expected
    assert derivations_of("REVOTE", make_entries("vote", "verb"), []) == expected


def test_two_settled_nouns_make_a_compound():
    """A compound is named after its second noun, and comes after the guesses by affix."""
    assert derivations_of("WHALEFISH", make_entries("whale fish"), make_entries("whalefish")) == [
        ("noun + noun", "FISH", True)
    ]
    assert derivations_of("WHALEFISH", make_entries("whale"), make_entries("whalefish fish")) == []
    assert derivations_of("CATFISH", make_entries("cat fish"), make_entries("catfish")) == []


def test_at_most_three_derivations_are_kept_likeliest_first():
    """At most three guesses are kept: settled bases first, then commoner affixes, one guess for each base."""
    both = make_entries("unread", "adjective") + make_entries("readership")
    one = (
        make_entries("readable", "adjective") + make_entries("unreadable", "adjective") + make_entries("unread", "verb")
    )
    assert derivations_of("UNREADABLE", both, one) == [
        ("verb + -ABLE", "UNREAD", True),
        ("UN- + adjective", "READABLE", False),
    ]


def test_a_plural_without_singular_comes_from_its_noun():
    """PEACES, a family of its own beside the uncountable PEACE, has a pattern of its class (docs/rules.md A-37)."""
    result = merge_sources(make_entries("peace"), [], uncountable="PEACE")
    assert result.withheld == {"PEACES"}
    assert DerivationFinder(result, []).derivations("PEACES") == (
        Derivation("noun without number + -S", "PEACE", True),
    )


def test_derivations_stand_with_the_head_of_the_family_alone():
    """The derivations of a family stand with its head and not with its other forms."""
    result = merge_sources(make_entries("vote", "verb"), make_entries("outvote", "verb"))
    (family,) = collect_families(result, make_public_lists(), zipf=lambda word: 1.0)
    assert [(each.word, each.derivations) for each in family.candidates] == [
        ("OUTVOTE", (Derivation("OUT- + verb", "VOTE", is_settled=True),)),
        ("OUTVOTED", ()),
        ("OUTVOTES", ()),
        ("OUTVOTING", ()),
    ]


def test_a_name_that_ends_as_a_word_is_made_of_none():
    """No source has RAZER or PROFILER; people write PROFILERS, so that this one is a word made of PROFILE."""
    result = replace(
        merge_sources(make_entries("raze profile", "verb"), []), borderline=frozenset({"RAZER", "PROFILER"})
    )
    families = collect_families(result, make_public_lists(), zipf=lambda word: 1.9 if word == "profilers" else 0.0)
    found = {each.word: each.derivations for family in families for each in family.candidates}
    assert (found["RAZER"], [each.base for each in found["PROFILER"]]) == ((), ["PROFILE"])


def test_settled_forms_of_the_headword_are_related():
    """A form at stake of a settled headword is shown with the settled forms of that headword."""
    both = [Entry("fish", "noun", forms=(StatedForm("fishes", "plural"),))]
    one = [Entry("fish", "noun", forms=(StatedForm("fishen", "plural"),))]
    sources = [(SourceOptions("first", stated="trusted"), both + one), (SourceOptions("second"), both)]
    result = merge(sources, 2, InflectionTable({}, frozenset()), make_public_lists())
    (family,) = collect_families(result, make_public_lists(), zipf=lambda word: 1.0)
    assert [(each.word, each.related) for each in family.candidates] == [("FISHEN", ("FISH", "FISHES"))]


def test_spellings_and_bases_agree():
    """Every spelling of a word with a suffix has the word among its candidate bases."""
    words = ("HAPPY", "GENTLE", "FULL", "BASIC", "BAKE", "STOP", "BABY", "TRAFFIC", "AGREE", "PLAY", "QUIZ")
    for word in words:
        for suffix in ("NESS", "LY", "ER", "ISH", "ABLE", "Y", "ING", "LESS"):
            for spelled in suffixed_spellings(word, suffix):
                assert word in candidate_bases(spelled.removesuffix(suffix)), (word, spelled)
