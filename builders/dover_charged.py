"""The core words that are charged under Dover: a free answer about them could tell of a word outside the core list.

Under Dover a word is good where a base of it is in the word set, so that UNKEMPT, which is core, would tell of KEMPT,
which is not. Prices must not know the word set, so this module knows the public lists alone: a base is any word that
SCOWL lists, at any size and in any region (docs/guard.md Decision 6).
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from pathlib import Path

import ordws.homeplay
from builders.processes import FilteredWords, begin_filter
from builders.public_lists import PublicLists
from builders.readers import digest, files_of
from ordws.homeplay.formatives import find_possible_bases
from ordws.rules import published_lists


def begin_dover_charged(public_lists: PublicLists) -> AbstractContextManager[FilteredWords]:
    """Begin to find the core words that some base outside the core list could have made."""
    core = public_lists.core
    others = (public_lists.bands.keys() | public_lists.reference) - core
    return begin_filter(core, lambda word: any(base in others for base in find_possible_bases(word)))


def digest_charged_inputs(scowl: Path) -> str:
    """Return a digest of all that these words follow from: SCOWL's folder, the public lists, the rules on words."""
    code = [Path(__file__).with_name(name) for name in ("dover_charged.py", "public_lists.py")]
    files = [files_of("scowl", scowl), (*code, *word_rule_files())]
    return hashlib.sha256(repr([digest(each) for each in files]).encode()).hexdigest()


def word_rule_files() -> tuple[Path, ...]:
    """Return the files of the rules on words: with others, words have other bases and an edition has other forms."""
    home = Path(ordws.homeplay.__path__[0])
    return (*sorted(home.glob("*.py")), home / "affixes.toml", Path(published_lists.__file__))
