"""The answer to a check at home: a ruling with its reason, or the question that is still open.

For the browser, ordws/web/pages/static/word-check.js makes them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

from ordws.homeplay.derivation import WordDerivation

Consequence: TypeAlias = Literal["turn-lost", "another-play"]
LookupKind: TypeAlias = Literal["dictionary", "main-entry", "reference"]
"""The subject of a look-up: the player's dictionary, main entries of its own there, or the players' reference."""

ANOTHER_PLAY: Final[Consequence] = "another-play"
TURN_LOST: Final[Consequence] = "turn-lost"


@dataclass(frozen=True, kw_only=True)
class WordRuling:
    """The ruling on a word: whether it may be played, by which rule, and why."""

    word: str
    acceptable: bool
    rule: str
    """An id that does not change; `sentences.toml` has one section for each."""
    source: str
    """The place in the rule book."""
    because: str
    """The reason, in a sentence."""
    base: str | None = None
    steps: tuple[str, ...] = ()
    """The words from the base to the word itself."""
    affix: str = ""
    follows: Consequence | None = None
    """The consequence for the play, if the word is not acceptable."""


@dataclass(frozen=True, kw_only=True)
class LookupRequest:
    """The words that have to be looked up: the first of `words`, and after a no the next."""

    word: str
    about: LookupKind
    words: tuple[str, ...]

    @property
    def question(self) -> str:
        """The question about the first word, as it is put to the players."""
        return str(read_sentences()["question"][self.about].format(asked=self.words[0]))


@cache
def read_sentences() -> dict[str, Any]:
    """Return the sentences of rulings, as they stand in their file."""
    return tomllib.loads(resources.files(__package__).joinpath("sentences.toml").read_text("utf-8"))


def consequence_text(follows: Consequence) -> str:
    """Return the sentence for a consequence."""
    return str(read_sentences()["follows"][follows])


def allow(word: str, rule: str, derivation: WordDerivation | None = None, **values: str) -> WordRuling:
    """Return the ruling that a word may be played; without a derivation it is its own base."""
    return _make_ruling(word, True, rule, derivation or WordDerivation(word, (), 0), None, values)


def refuse(
    word: str, rule: str, derivation: WordDerivation | None = None, follows: Consequence = TURN_LOST, **values: str
) -> WordRuling:
    """Return the ruling that a word may not be played."""
    return _make_ruling(word, False, rule, derivation, follows, values)


def _make_ruling(
    word: str,
    acceptable: bool,
    rule: str,
    derivation: WordDerivation | None,
    follows: Consequence | None,
    values: dict[str, str],
) -> WordRuling:
    sentence = read_sentences()["rules"][rule]
    made = derivation or WordDerivation("", (), 0)
    fields = {"word": word, "base": made.base, "affix": made.affix, "chain": ", ".join(made.words)} | values
    return WordRuling(
        word=word,
        acceptable=acceptable,
        rule=rule,
        source=sentence["source"],
        because=sentence["says"].format(**fields),
        base=made.base or None,
        steps=made.words if made.base else (),
        affix=made.affix,
        follows=follows,
    )
