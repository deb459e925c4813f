"""The frequency of a word among those that people meet, by wordfreq."""

from __future__ import annotations

from wordfreq import get_frequency_dict, zipf_frequency


def find_zipf(word: str) -> float:
    """Return the Zipf frequency of a lower-case word; 0 for a word that wordfreq does not know."""
    # Most words asked about are not in its list, and it would search them for several words first.
    return zipf_frequency(word, "en") if word in get_frequency_dict("en") else 0.0
