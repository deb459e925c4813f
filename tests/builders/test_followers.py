"""Tests of the words that follow from settled ones: inflections, run-ons and variants (docs/dictionaries.md 9.3)."""

from __future__ import annotations

from builders.entry import Entry
from builders.followers import settle_followers
from builders.inflect import InflectionTable
from builders.merge import MergeResult, SourceOptions, merge
from builders.public_lists import classify_scowl_words
from builders.readers.scowl import ScowlWord
from builders.recipe import Source, read_recipe

A, B = SourceOptions("a"), SourceOptions("b")
OLD = SourceOptions("old", capitals="all", alone="attested")


def follow(
    words: str, *entries: Entry, met: str = "", often: str = "", uncountable: str = "", old: tuple[Entry, ...] = ()
) -> MergeResult:
    """Merge two dictionaries that have all entries, an old one, and a list that has all words up to size 50."""
    scowl = [ScowlWord(word, 50, "words", "english") for word in words.split()]
    lists = classify_scowl_words(scowl, published=())
    source = Source(
        name="l", format="scowl", path="l", kind="spelling-list", alone="attested", inflections=50, run_ons=50,
        variants=50,
    )  # fmt: skip
    listed = [Entry(word, "other") for word in words.split()]
    table = InflectionTable({}, frozenset(uncountable.split()))
    merged = merge(((A, entries), (B, entries), (OLD, old), (source.options, listed)), 2, table, lists)
    frequencies = dict.fromkeys(met.lower().split(), 1.5) | dict.fromkeys(often.split(), 3.75)
    return settle_followers(merged, lists, lambda word: frequencies.get(word, 0.0))


def test_an_inflection_follows_where_a_dictionary_inflects_its_base():
    """BRAMBLES and UMPED count, whatever the inflection table says of BRAMBLE; the rule book's PEACES not."""
    nouns = Entry("bramble", "noun"), Entry("peace", "noun"), Entry("ump", "verb")
    result = follow("bramble brambles peace peaces ump umped", *nouns, uncountable="BRAMBLE PEACE")
    assert {"BRAMBLES", "UMPED"} <= result.settled
    assert result.withheld == {"PEACES"}


def test_a_verb_that_no_modern_dictionary_has_must_be_met():
    """BOOKMARKED is met, and SCUBAED listed with SCUBAING; DINNER and LATERAL are met often, and their verbs never."""
    words = "bookmark bookmarked scuba scubaed scubaing dinner dinnered dinnering lateral lateraled lateraling"
    bases = [Entry(word, "noun") for word in ("bookmark", "scuba", "dinner", "lateral")]
    result = follow(words, *bases, met="BOOKMARKED", often="dinner lateral", old=(Entry("Lateral", "verb"),))
    assert {"BOOKMARKED", "SCUBAED", "SCUBAING"} <= result.settled
    assert result.settled.isdisjoint({"DINNERED", "DINNERING", "LATERALED", "LATERALING"})


def test_a_plural_that_is_seldom_one_must_be_met():
    """GLEAMINGS, HERTZES and OBSOLETES count where they are met, and else not."""
    bases = Entry("gleaming", "noun"), Entry("hertz", "noun"), Entry("obsolete", "adjective")
    words = "gleaming gleamings hertz hertzes obsolete obsoletes"
    plurals = {"GLEAMINGS", "HERTZES", "OBSOLETES"}
    uncountable = "GLEAMING HERTZ"
    assert follow(words, *bases, uncountable=uncountable).settled.isdisjoint(plurals)
    assert follow(words, *bases, uncountable=uncountable, met=" ".join(plurals)).settled >= plurals


def test_a_run_on_follows_with_its_own_inflections():
    """AUTONOMOUSLY and REROUTE follow from bases of the affix's part of speech; -ABLE and -ICLY make none."""
    words = "autonomous autonomously route reroute reroutes routable happy rehappy basic basicly"
    bases = Entry("route", "verb"), *[Entry(word, "adjective") for word in ("autonomous", "happy", "basic")]
    result = follow(words, *bases)
    assert {word: (each.kind, each.base) for word, each in result.followers.items()} == {
        "AUTONOMOUSLY": ("run-on", "AUTONOMOUS"),
        "REROUTE": ("run-on", "ROUTE"),
        "REROUTES": ("inflection", "REROUTE"),
    }


def test_a_british_variant_follows():
    """A spelling follows that differs from a settled one by a class: -OUR, -RE, -ISE, a doubled L."""
    bases = [Entry(word, "noun") for word in ("honor", "center", "organizer", "traveler", "her")]
    result = follow("honour centre organiser traveller hoer", *bases)
    assert result.followers.keys() == {"HONOUR", "CENTRE", "ORGANISER", "TRAVELLER"}


def test_a_singular_follows_its_plural():
    """EAVE counts where EAVES does: the set does not contradict itself."""
    result = follow("eave eaves", Entry("eaves", "noun", frozenset({"plural"})))
    assert result.settled == {"EAVE", "EAVES"}


def test_nothing_follows_from_what_every_dictionary_labels():
    """A word labelled vulgar in some senses is in by two dictionaries; a list does not add forms that it makes."""
    slur = Entry("slur", "noun", partial_labels=frozenset({"vulgar"}))
    assert follow("slur slurry", slur).settled == {"SLUR"}


def test_a_size_bounds_what_follows_and_the_licensed_recipe_has_none():
    """A word beyond the size of its list is left to the curators; dictionaries of the licensed recipe print theirs."""
    lists = classify_scowl_words(
        [ScowlWord("bramble", 50, "words", "english"), ScowlWord("brambles", 60, "words", "english")], published=()
    )
    options = Source(name="l", format="scowl", path="l", kind="spelling-list", inflections=55).options
    entries = [Entry("bramble", "noun")]
    listed = [Entry("bramble", "other"), Entry("brambles", "other")]
    table = InflectionTable({}, frozenset({"BRAMBLE"}))
    merged = merge(((A, entries), (B, entries), (options, listed)), 2, table, lists)
    assert settle_followers(merged, lists, lambda word: 1.5).settled == {"BRAMBLE"}
    assert [source.options.sizes for source in read_recipe("licensed").source] == [{}, {}]
