"""What a member may be called: the name that his ballots bear."""

from __future__ import annotations

import re
import unicodedata

from ordws.curation.ballot import is_name
from ordws.errors import BadInput


def read_member_name(text: str) -> str:
    """The name that a text gives, without spaces to spare; raises BadInput where it cannot stand on a ballot."""
    name = unicodedata.normalize("NFC", _collapse_spaces(text))
    if not is_name(name):
        raise BadInput(f'"{text}" is no name: 1 to 100 printable characters, the first none of = + - @')
    return name


def fold_member_name(text: str) -> str:
    """What two names share that people would take for one: capitals, widths and spaces to spare do not count."""
    folded = unicodedata.normalize("NFKC", _collapse_spaces(text)).casefold()
    return unicodedata.normalize("NFKC", folded)


def _collapse_spaces(text: str) -> str:
    return re.sub(" +", " ", text.strip())
