"""The normal form of a word: 2 to 21 capital letters, A to Z.

For the browser, ordws/web/pages/static/fold.js holds this function.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ordws.errors import BadWord

MIN_WORD_LENGTH: Final = 2
MAX_WORD_LENGTH: Final = 21  # the side of the larger board
# A letter may carry combining marks. Longer texts are refused before they are normalised, which would take long.
_MAX_INPUT_LENGTH: Final = 4 * MAX_WORD_LENGTH

# Letters that Unicode does not decompose.
_UNDECOMPOSED: Final = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ß": "ss",
        "ð": "d",
        "þ": "th",
        "ł": "l",
        "đ": "d",
        "ı": "i",
        "ħ": "h",
        "ŋ": "n",
        "Æ": "AE",
        "Œ": "OE",
        "Ø": "O",
        "ẞ": "SS",
        "Ð": "D",
        "Þ": "TH",
        "Ł": "L",
        "Đ": "D",
        "Ħ": "H",
        "Ŋ": "N",
    }
)
_WORD: Final = re.compile(rf"[A-Z]{{{MIN_WORD_LENGTH},{MAX_WORD_LENGTH}}}")


def find_fold(text: str) -> str | None:
    """Return the word that a text spells, or None where it holds anything but letters A to Z and accents.

    Apostrophes, hyphens, spaces and digits are never stripped: CAN'T is not CANT (docs/dictionaries.md 6).
    """
    if text.isascii():
        return text.upper() if MIN_WORD_LENGTH <= len(text) <= MAX_WORD_LENGTH and text.isalpha() else None
    if len(text) > _MAX_INPUT_LENGTH:
        return None
    decomposed = unicodedata.normalize("NFKD", text.translate(_UNDECOMPOSED))
    folded = "".join([c for c in decomposed if not unicodedata.combining(c)]).upper()
    return folded if _WORD.fullmatch(folded) else None


def fold(text: str) -> str:
    """Return the word that a text spells; raise BadWord, whose message does not repeat the text."""
    folded = find_fold(text)
    if folded is None:
        raise BadWord(f"not a word of {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters, A to Z with or without accents")
    return folded
