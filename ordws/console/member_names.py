"""The names of members, which their ballots carry."""

from __future__ import annotations

import re
import unicodedata

from ordws.curation.ballot import is_name
from ordws.errors import BadInput


def read_member_name(text: str) -> str:
    """Return the name that a text gives, without spare spaces; raises BadInput where a ballot cannot carry it."""
    name = unicodedata.normalize("NFC", _collapse_spaces(text))
    if not is_name(name):
        raise BadInput(f'"{text}" is not a valid name: 1 to 100 printable characters, the first none of = + - @')
    return name


def fold_member_name(text: str) -> str:
    """Return the form that two names share which people take for one: capitals, widths and spaces do not count."""
    # Folding the case of a compatible form can give an incompatible one, so it is normalized once more.
    folded = unicodedata.normalize("NFKC", _collapse_spaces(text)).casefold()
    return unicodedata.normalize("NFKC", folded)


def _collapse_spaces(text: str) -> str:
    return re.sub(" +", " ", text.strip())
