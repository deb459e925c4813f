"""Forms of which a dictionary prints the ending alone: "-ies" beside "bothy"."""

from __future__ import annotations

from typing import Final

from builders.entry import Pos, Slot

_REGULAR_ENDINGS: Final = {"s", "es", "d", "ed", "ing", "r", "er", "st", "est"}


def complete_form(word: str, printed: str) -> str | None:
    """The whole form: as printed, or the word with its end replaced; None where the ending does not fit.

    A longer ending repeats the last letter that stays, as "-cated" does beside "abdicate".
    """
    if not printed.startswith("-"):
        return printed
    ending = printed[1:]
    small, tail = word.lower(), ending.lower()
    if not tail:
        return None
    if tail in _REGULAR_ENDINGS:
        return word + ending
    if tail.startswith("i") and small.endswith("y"):
        return word[:-1] + ending
    kept = small.rfind(tail[0], 1)
    return word[:kept] + ending if kept > 0 else None


def guess_slot(pos: Pos, form: str) -> Slot:
    """What an inflected form is, as far as its part of speech and its last letters tell."""
    match pos:
        case "noun" | "pronoun":
            return "plural"
        case "verb":
            return "gerund" if form.endswith("ing") else "form"
        case "adjective" | "adverb" if form.endswith("er"):
            return "comparative"
        case "adjective" | "adverb":
            return "superlative" if form.endswith("est") else "form"
        case "preposition" | "conjunction" | "interjection" | "determiner" | "numeral" | "other":
            return "form"
