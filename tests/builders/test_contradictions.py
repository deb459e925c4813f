"""Tests of the contradictions that a build reports."""

from __future__ import annotations

from builders.build_report import find_missing_forms, find_stray_forms
from builders.entry import Entry
from builders.inflect import InflectionTable
from builders.merge import SourceOptions, merge
from builders.public_lists import PublicLists


def test_forms_and_bases_that_contradict_each_other():
    """APPS without APP strays and BRAMBLES is missing beside BRAMBLE; PEACES and plurals seldom formed are excepted."""
    bases = ("app", "bramble", "gleaming", "peace")
    reference = frozenset(["APP", "APPS", "BRAMBLE", "BRAMBLES", "GLEAMING", "GLEAMINGS", "PEACE", "PEACES"])
    entries = [Entry(word, "noun") for word in bases]
    lists = PublicLists(reference, {}, frozenset(), frozenset())
    merged = merge([(SourceOptions("a"), entries)], 1, InflectionTable({}, frozenset()), lists)
    words = {"APPS", "BRAMBLE", "GLEAMING", "PEACE"}
    assert find_stray_forms(merged, words) == {"APPS": "APP"}
    assert find_missing_forms(merged, words, reference) == {"BRAMBLES": "BRAMBLE"}
