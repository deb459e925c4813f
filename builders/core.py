"""The public lists: the players' reference and the core words. From public lists alone, whatever the recipe.

A question's price follows from these, so nothing of the word set may reach them: this file reads SCOWL and what the
rule books publish, and no dictionary, decision or edition. (GUARD decisions 2, 6)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from builders.public_lists import PublicLists, classify_scowl_words
from builders.readers.scowl import read_scowl_words
from ordws.rules.published_lists import DISALLOWED_THREES, TWOS_101


def read_public_lists(scowl: Path) -> PublicLists:
    """The public lists as SCOWL's folder and the rule books give them."""
    return classify_scowl_words(read_scowl_words(scowl), [*TWOS_101, *DISALLOWED_THREES])


def encode_word_list(words: Iterable[str]) -> bytes:
    """A public list as it is stored: a word a line, sorted."""
    return "".join(f"{word}\n" for word in sorted(words)).encode("ascii")


def digest_word_list(data: bytes) -> str:
    """What an edition's header says of a public list."""
    return hashlib.sha256(data).hexdigest()
