"""The order in which families come: priorities of pairs that differ in one respect."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from each_row import each_row

from ordws.curation.family import (
    ALSO_NAME_LABEL,
    NAME_LABEL,
    Candidate,
    Derivation,
    Family,
    FamilyStanding,
    Priority,
    Witness,
    by_priority,
    everyday_use,
    play_likelihood,
    priority,
    uncertainty,
)


def of(
    *words: str,
    sources: Sequence[str] = ("gcide",),
    labels: tuple[str, ...] = (),
    zipf: float | None = None,
    band: int | None = None,
    standing: FamilyStanding = "borderline",
) -> Family:
    seen = tuple([Witness(source, "headword", "base", "noun", labels) for source in sources])
    return Family(words[0], standing, tuple([Candidate(word, seen, zipf, band) for word in words]))


@each_row(
    ("first", "second"),
    [
        (of("TAV"), of("TAVERNS")),
        (of("QUOD"), of("RUOD")),
        (of("BRAE", zipf=3.5), of("BRAE", zipf=1.0)),
        (of("BASH", "BASHED", "BASHES"), of("BASH")),
    ],
)
def test_commonly_played_words_come_first(first: Family, second: Family) -> None:
    """Short words, J Q X Z, frequent words and large families come first, all else being equal."""
    assert sum(map(play_likelihood, first.candidates)) > sum(map(play_likelihood, second.candidates))


def test_a_rare_letter_helps_short_words_alone() -> None:
    """A rare letter raises the priority of short words only."""
    (long,), (plain,) = of("QUODLIBET").candidates, of("RUODLIBET").candidates
    assert play_likelihood(long) == play_likelihood(plain)


def test_doubt_is_greatest_where_evidence_is_balanced() -> None:
    """Uncertainty is greatest at two sources, an ordinary frequency and the middle band."""
    balanced = of("BRAE", sources=("gcide", "wikdict"), zipf=2.0, band=65)
    assert uncertainty(balanced) == 1.0
    common, rare = of("BRAE", sources=("a", "b"), zipf=2.0, band=10), of("BRAE", sources=("a", "b"), zipf=2.0, band=95)
    marked = of("BRAE", sources=("a", "b"), zipf=2.0, band=65, labels=("archaic", "dialect"))
    assert uncertainty(common) < 0.3
    assert uncertainty(rare) < 0.65
    assert uncertainty(marked) < 1.0


def test_a_family_without_evidence_has_a_priority() -> None:
    """A family without frequency, band or label has a priority like any other."""
    assert priority(of("ZORIL")).cost > 0
    assert priority(Family("ZORIL", "flagged", (Candidate("ZORIL", ()),))).cost > 0


def test_words_that_people_write_come_before_words_that_players_like() -> None:
    """A family comes before another if its forms are met more often, whatever else speaks for the other."""
    everyday = of("SOMEWHAT", sources=("a", "b", "c"), zipf=4.9, band=10)
    rest = [of("ZA", "ZAS", zipf=3.0, band=65), of("QI", zipf=None), of("ZEX", zipf=0.0)]
    assert max(rest, key=priority) == rest[0]
    assert max([*rest, everyday], key=priority) == everyday


def test_everyday_use_is_counted_in_a_million_words() -> None:
    """A Zipf figure of 3 is one word in a million; forms add up, and those that were not met add nothing."""
    assert everyday_use(of("BRAE", zipf=3.0).candidates) == pytest.approx(1.0)
    assert everyday_use(of("BASH", "BASHED", zipf=4.0).candidates) == pytest.approx(20.0)
    assert everyday_use([*of("BASH", zipf=0.0).candidates, *of("BASHED").candidates]) == 0.0


def test_the_queue_goes_by_priority_and_then_by_name() -> None:
    """Families of the same priority come in the order of their names."""
    priorities = {
        "ZORIL": Priority(True, 2.0),
        "QUOD": Priority(True, 2.0),
        "BRAE": Priority(True, 0.0, 9.0),
        "TAV": Priority(True, 0.0, 1.0),
        "RED": Priority(False, 300.0),
    }
    assert by_priority(reversed(priorities), priorities) == ["QUOD", "ZORIL", "BRAE", "TAV", "RED"]


def test_names_and_labelled_words_come_last() -> None:
    """Names, WAKANDA, which nothing is known of, labelled words, and RED, which is in, come after rare words."""
    rare, name = of("BRAE", zipf=1.0), of("VIRGINIA", zipf=4.8, labels=(NAME_LABEL,))
    also_name, slur = of("MALIK", zipf=3.6, labels=(ALSO_NAME_LABEL,)), of("SLUR", zipf=3.4, labels=("offensive",))
    flagged, vulgar = of("RED", zipf=5.4, standing="flagged"), of("POM", zipf=3.2, labels=("vulgar (some senses)",))
    unknown = of("WAKANDA", sources=(), zipf=2.5, band=80)
    assert max([rare, name, also_name, slur, flagged, vulgar, unknown], key=priority) == rare


def test_a_word_of_no_source_that_says_more_is_no_name() -> None:
    """DROID has a plural, PROFILER is made of a verb, and HOTKEY is a common word: none looks like a name."""
    plural, common = of("DROID", "DROIDS", sources=(), zipf=3.2, band=80), of("HOTKEY", sources=(), zipf=2.0, band=50)
    made = Family("PROFILER", "borderline", (Candidate("PROFILER", (), 2.5, 80, (Derivation("", "PROFILE", True),)),))
    assert all(priority(each).is_plain for each in (plural, common, made))
