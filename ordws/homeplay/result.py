"""What is said of a word at home: a ruling with its reason, or the question that is still open."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

from ordws.homeplay.derivation import WordDerivation

Consequence: TypeAlias = Literal["turn-lost", "another-play"]
LookupKind: TypeAlias = Literal["dictionary", "main-entry", "reference"]
"""Whether a word is in the player's dictionary, has a main entry of its own there, or is in the players' reference."""

ANOTHER_PLAY: Final[Consequence] = "another-play"
TURN_LOST: Final[Consequence] = "turn-lost"


@dataclass(frozen=True, kw_only=True)
class WordRuling:
    """Whether a word may be played, by which rule, and why in a sentence."""

    word: str
    acceptable: bool
    rule: str
    """An id that does not change; `sentences.toml` has one section for each."""
    source: str
    """Where the rule book says so."""
    because: str
    base: str | None = None
    steps: tuple[str, ...] = ()
    """From the base to the word."""
    affix: str = ""
    follows: Consequence | None = None
    """What becomes of the play where the word is not acceptable."""


@dataclass(frozen=True, kw_only=True)
class LookupRequest:
    """What has to be looked up first: the first of `words`, and then, after a no, the next."""

    word: str
    about: LookupKind
    words: tuple[str, ...]

    @property
    def question(self) -> str:
        """As it is put to the players."""
        asked: str = read_sentences()["question"][self.about].format(asked=self.words[0])
        return asked


@cache
def read_sentences() -> dict[str, Any]:
    """All that rulings say, as it stands in its file."""
    return tomllib.loads(resources.files(__package__).joinpath("sentences.toml").read_text("utf-8"))


def consequence_text(follows: Consequence) -> str:
    said: str = read_sentences()["follows"][follows]
    return said


def allow(word: str, rule: str, derivation: WordDerivation | None = None, **values: str) -> WordRuling:
    """The word may be played; without a derivation it is its own base."""
    return _make_ruling(word, True, rule, derivation or WordDerivation(word, (), 0), None, values)


def refuse(
    word: str, rule: str, derivation: WordDerivation | None = None, follows: Consequence = TURN_LOST, **values: str
) -> WordRuling:
    """The word may not be played."""
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
    told = {"word": word, "base": made.base, "affix": made.affix, "chain": ", ".join(made.words)} | values
    return WordRuling(
        word=word,
        acceptable=acceptable,
        rule=rule,
        source=sentence["source"],
        because=sentence["says"].format(**told),
        base=made.base or None,
        steps=made.words if made.base else (),
        affix=made.affix,
        follows=follows,
    )
