"""Inflected forms as dictionaries print them: as an ending alone ("-ies" beside "bothy"), or unnamed."""

from __future__ import annotations

from typing import Final

from builders.entry import Pos, Slot

_REGULAR_ENDINGS: Final = {"s", "es", "d", "ed", "ing", "r", "er", "st", "est"}


def complete_form(word: str, printed: str) -> str | None:
    """Return the whole form: as printed, or the word with its end replaced; None if the ending does not fit.

    A longer ending repeats the last letter that stays, as "-cated" does beside "abdicate".
    """
    if not printed.startswith("-"):
        return printed
    ending = printed[1:]
    lower_word, lower_ending = word.lower(), ending.lower()
    if not lower_ending:
        return None
    if lower_ending in _REGULAR_ENDINGS:
        return word + ending
    if lower_ending.startswith("i") and lower_word.endswith("y"):
        return word[:-1] + ending
    overlap = lower_word.rfind(lower_ending[0], 1)
    return word[:overlap] + ending if overlap > 0 else None


def guess_slot(pos: Pos, form: str) -> Slot:
    """Return the inflection that a form's last letters suggest under a part of speech; `form` if they do not."""
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
