"""`make computer-bench`."""

from __future__ import annotations

from builders.dover_charged import begin_dover_charged
from builders.public_lists import read_public_lists
from ordws.computer.words import PublicWords
from ordws.instance import Sources


def read_public_words(sources: Sources) -> PublicWords:
    """Return the public lists of the fetched dictionaries."""
    lists = read_public_lists(sources.debian / "scowl")
    with begin_dover_charged(lists) as charged:
        return PublicWords(lists.core, lists.reference, lists.common, charged())
