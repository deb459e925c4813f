"""The answer to a check at home: a ruling with its reason, or the question that is still open.

For the browser, ordws/web/pages/static/word-check.js makes them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

from ordws.homeplay.book import LookupKind
from ordws.homeplay.derivation import WordDerivation

Consequence: TypeAlias = Literal["turn-lost", "another-play"]

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
    labels_checked: bool = True
    """False if labelled words are barred and the dictionary, a file, states no labels."""


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


def playable_hint() -> str:
    """Return the sentence on headwords that are no words for the board, to be read before the first question."""
    return str(read_sentences()["notes"]["playable"])


def describe_ruling(ruling: WordRuling) -> str:
    """Return a ruling as lines of text: the reason, the way from the base, what follows, and the source."""
    sentences = read_sentences()
    lines = [f"{ruling.word}: {'acceptable' if ruling.acceptable else 'not acceptable'}", f"  {ruling.because}"]
    if len(ruling.steps) > 1:
        lines.append(f"  {' > '.join(ruling.steps)}")
    if ruling.follows is not None:
        lines.append(f"  {sentences['follows'][ruling.follows]}")
    if not ruling.labels_checked:
        lines.append(f"  {sentences['notes']['labels-unchecked']}")
    return "\n".join([*lines, f"  ({ruling.source})"])


def refuse_unplayable(text: str) -> WordRuling:
    """Return the ruling on a text that is not one word of letters, so that no rule set knows it."""
    shown = "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:40]])
    return make_ruling(shown, "not-playable", acceptable=False, derivation=None)


def make_ruling(
    word: str,
    rule: str,
    *,
    acceptable: bool,
    derivation: WordDerivation | None,
    follows: Consequence | None = None,
    values: Mapping[str, str] | None = None,
) -> WordRuling:
    """Return a ruling with its sentence, whose fields are filled in from the derivation and from `values`."""
    sentence = read_sentences()["rules"][rule]
    made = derivation or WordDerivation("", (), 0)
    fields = {"word": word, "base": made.base, "affix": made.affix, "chain": ", ".join(made.words), **(values or {})}
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
