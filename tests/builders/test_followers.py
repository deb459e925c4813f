"""Tests of the words that follow from settled ones: inflections, run-ons and variants (docs/dictionaries.md 9.3)."""

from __future__ import annotations

from builders.entry import Entry, StatedForm
from builders.followers import settle_followers
from builders.inflect import InflectionTable
from builders.merge import MergeResult, SourceOptions, merge
from builders.public_lists import classify_scowl_words
from builders.readers.scowl import ScowlWord
from builders.recipe import Source, read_recipe

A, B = SourceOptions("a"), SourceOptions("b")
OLD = SourceOptions("old", capitals="all", alone="attested")


def follow(
    words: str,
    *entries: Entry,
    met: str = "",
    known: str = "",
    often: str = "",
    uncountable: str = "",
    old: tuple[Entry, ...] = (),
) -> MergeResult:
    """Merge two dictionaries that have all entries, an old one, and a list that has all words up to size 50."""
    scowl = [ScowlWord(word, 50, "words", "english") for word in words.split()]
    lists = classify_scowl_words(scowl, published=())
    source = Source(
        name="l",
        format="scowl",
        path="l",
        kind="spelling-list",
        alone="attested",
        inflections=50,
        run_ons=50,
        variants=50,
        compounds=50,
        met=50,
        everyday=50,
    )
    listed = [Entry(word, "other") for word in words.split()]
    table = InflectionTable({}, frozenset(uncountable.split()))
    merged = merge(((A, entries), (B, entries), (OLD, old), (source, listed)), 2, table, lists)
    frequencies = dict.fromkeys(met.lower().split(), 1.5) | dict.fromkeys(known.split(), 2.0)
    frequencies |= dict.fromkeys(often.split(), 3.75)
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
    """AUTONOMOUSLY, BASICALLY and REROUTE follow from the affix's part of speech; -ICLY and a rare -ABLE do not."""
    words = "autonomous autonomously route reroute reroutes routable happy rehappy basic basicly basically"
    bases = Entry("route", "verb"), *[Entry(word, "adjective") for word in ("autonomous", "happy", "basic")]
    result = follow(words, *bases)
    assert {word: (each.kind, each.base) for word, each in result.followers.items()} == {
        "AUTONOMOUSLY": ("run-on", "AUTONOMOUS"),
        "BASICALLY": ("run-on", "BASIC"),
        "REROUTE": ("run-on", "ROUTE"),
        "REROUTES": ("inflection", "REROUTE"),
    }


def test_what_is_familiar_follows_more_easily():
    """EDITABLE is met once in ten million words; MARKETABILITY follows from MARKETABLE however seldom it is met."""
    bases = Entry("edit", "verb"), Entry("marketable", "adjective")
    words = "edit editable marketable marketability"
    assert follow(words, *bases).followers.keys() == {"MARKETABILITY"}
    assert follow(words, *bases, known="editable").followers.keys() == {"MARKETABILITY", "EDITABLE"}


def test_irregular_forms_follow():
    """CELLI is a learned plural, and JOYRODE of JOYRIDE as RODE is of RIDE; CELLRODE has no base."""
    bases = Entry("cello", "noun"), Entry("joyride", "verb"), Entry("ride", "verb", forms=(StatedForm("rode", "past"),))
    result = follow("cello cellos celli joyride joyrode ride rode cellrode", *bases)
    assert result.followers.keys() == {"CELLI", "JOYRODE"}


def test_a_comparative_needs_its_superlative():
    """DORKIER and DORKIEST are both listed, so that DORKY is an adjective whatever dictionaries say; TONIER is not."""
    bases = Entry("dorky", "noun"), Entry("tony", "noun")
    assert follow("dorky dorkier dorkiest tony toniest", *bases).followers.keys() == {"DORKIER", "DORKIEST"}


def test_a_compound_of_settled_words_follows():
    """TRUCKLOAD and SPINOFF are made of settled words, and LAYWOMAN of LAYMAN; HOTKEY is short, and STRAY is out."""
    bases = *[Entry(word, "noun") for word in ("truck", "load", "key", "hot", "layman")], Entry("spin", "verb")
    words = "truck load key hot spin layman truckload truckloads spinoff hotkey strayload laywoman"
    result = follow(words, *bases, met="truckload hotkey strayload")
    assert {word: (each.kind, each.base) for word, each in result.followers.items()} == {
        "TRUCKLOAD": ("compound", "LOAD"),
        "TRUCKLOADS": ("inflection", "TRUCKLOAD"),
        "SPINOFF": ("compound", "SPIN"),
        "LAYWOMAN": ("compound", "LAYMAN"),
    }


def test_a_compound_that_dictionaries_write_as_two_words_is_none():
    """Dictionaries have TIMEZONE with a space and SUREFIRE with a hyphen; SHOWBIZ has a space and is met every day."""
    bases = [Entry(word, "noun") for word in ("time", "zone", "sure", "fire", "show", "biz", "time zone", "show biz")]
    words = "time zone sure fire show biz timezone surefire showbiz"
    met = {"known": "timezone", "met": "surefire", "often": "showbiz"}
    result = follow(words, *bases, Entry("sure-fire", "adjective"), **met)
    assert result.followers.keys() == {"SUREFIRE", "SHOWBIZ"}


def test_an_everyday_word_follows_unless_it_is_a_part_of_phrases():
    """CONGRATS is in no dictionary and met every day; VERSA is met in VICE VERSA, MULTI as an affix, SITU is rarer."""
    phrases = Entry("vice versa", "adverb"), Entry("multi-", "adjective", frozenset({"affix"}))
    words = "congrats versa multi situ"
    result = follow(words, *phrases, often="congrats versa multi", met="situ")
    assert result.settled == {"CONGRATS"}


def test_a_familiar_word_that_is_inflected_follows():
    """TELETHON and FETA are familiar; SITU is a part of IN SITU, TURDUCKEN is seldom met, and so is YUKKED."""
    words = "telethon telethons situ turducken turduckens feta yuk yuks yukked"
    result = follow(words, Entry("in situ", "adverb"), known="telethon situ feta yuk", met="telethons yuks")
    assert result.settled == {"TELETHON", "TELETHONS", "FETA", "YUK", "YUKS"}


def test_a_familiar_word_that_no_source_has_is_for_the_curators():
    """PROFILER, which the reference has and no source, is put to the curators; the seldom met PROFILIST is not."""
    words = [ScowlWord(word, 80, "words", "english") for word in ("profiler", "profilist")]
    lists = classify_scowl_words(words, published=())
    merged = merge(((A, []), (B, [])), 2, InflectionTable({}, frozenset()), lists)
    result = settle_followers(merged, lists, lambda word: 2.0 if word == "profiler" else 1.0)
    assert result.borderline == {"PROFILER"}


def test_a_british_part_makes_no_compound():
    """COLOURBLIND follows neither from COLOUR nor as a variant of COLORBLIND, since a dictionary writes its hyphen."""
    entries = [Entry(word, "noun") for word in ("color", "colour", "blind", "way", "colour-blind")]
    lists = classify_scowl_words(
        [ScowlWord(word, 50, "words", "english") for word in ("color", "blind", "colorblind", "colorway", "way")]
        + [ScowlWord(word, 50, "words", "british") for word in ("colour", "colourblind", "colourway")],
        published=(),
    )
    source = Source(name="l", format="scowl", path="l", kind="spelling-list", inflections=50, compounds=50, variants=50)
    listed = [Entry(word.lower(), "other") for word in lists.bands]
    merged = merge(((A, entries), (B, entries), (source, listed)), 2, InflectionTable({}, frozenset()), lists)
    assert settle_followers(merged, lists, lambda word: 1.6).followers.keys() == {"COLORBLIND", "COLORWAY", "COLOURWAY"}


def test_what_is_made_of_a_variant_must_be_met():
    """Of BRUSK, which SCOWL has as a variant of BRUSQUE alone, BRUSKLY is never met, and BRUSKNESS is."""
    lists = classify_scowl_words(
        [ScowlWord(word, 50, "words", "variant_2") for word in ("brusk", "bruskly", "bruskness")], published=()
    )
    options = Source(name="l", format="scowl", path="l", kind="spelling-list", run_ons=50)
    listed, entries = [Entry(word.lower(), "other") for word in lists.bands], [Entry("brusk", "adjective")]
    merged = merge(((A, entries), (B, entries), (options, listed)), 2, InflectionTable({}, frozenset()), lists)
    found = settle_followers(merged, lists, lambda word: 1.5 if word == "bruskness" else 0.0)
    assert found.followers.keys() == {"BRUSKNESS"}


def test_a_british_variant_follows():
    """A spelling follows that differs from a settled one by a class: -OUR, -RE, a doubled L, an -ISE that is met."""
    bases = [Entry(word, "noun") for word in ("honor", "center", "organizer", "traveler", "her", "weatherizer")]
    result = follow("honour centre organiser traveller hoer weatheriser", *bases, met="organiser")
    assert result.followers.keys() == {"HONOUR", "CENTRE", "ORGANISER", "TRAVELLER"}


def test_an_ise_is_met_in_any_of_its_forms():
    """People write RADICALISED, so that RADICALISE and RADICALISING follow too."""
    verbs = [Entry(word, "verb") for word in ("radicalize", "routinize")]
    words = "radicalize radicalise radicalised radicalising routinise"
    assert follow(words, *verbs, met="radicalised").followers.keys() == {"RADICALISE", "RADICALISED", "RADICALISING"}


def test_a_singular_follows_its_plural():
    """EAVE counts where EAVES does, and SEAMAN where SEAMEN does: the set does not contradict itself."""
    plurals = [Entry(word, "noun", frozenset({"plural"})) for word in ("eaves", "seamen")]
    result = follow("eave eaves seaman seamen", *plurals)
    assert result.settled == {"EAVE", "EAVES", "SEAMAN", "SEAMEN"}


def test_words_that_are_out_for_a_reason_follow_from_nothing():
    """SLUMDOG is listed as a common word, and met in a title alone."""
    bases = Entry("slum", "noun"), Entry("dog", "noun")
    assert follow("slum dog slumdog slumdogs", *bases, known="slumdog").followers == {}


def test_nothing_follows_from_what_every_dictionary_labels():
    """A word labelled vulgar in some senses is in by two dictionaries; a list does not add forms that it makes."""
    slur = Entry("slur", "noun", partial_labels=frozenset({"vulgar"}))
    assert follow("slur slurry", slur).settled == {"SLUR"}


def test_a_size_bounds_what_follows_and_the_licensed_recipe_has_none():
    """A word beyond the size of its list is left to the curators; dictionaries of the licensed recipe print theirs."""
    lists = classify_scowl_words(
        [ScowlWord("bramble", 50, "words", "english"), ScowlWord("brambles", 60, "words", "english")], published=()
    )
    options = Source(name="l", format="scowl", path="l", kind="spelling-list", inflections=55)
    entries = [Entry("bramble", "noun")]
    listed = [Entry("bramble", "other"), Entry("brambles", "other")]
    table = InflectionTable({}, frozenset({"BRAMBLE"}))
    merged = merge(((A, entries), (B, entries), (options, listed)), 2, table, lists)
    assert settle_followers(merged, lists, lambda word: 1.5).settled == {"BRAMBLE"}
    assert [source.sizes for source in read_recipe("licensed").source] == [{}, {}]
