"""Rulings at home, by a player's own dictionary and the players' reference, never by the word set. (RULES 6.3, 6.7)"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.api.requests import CheckAtHome
from ordws.api.services import Services
from ordws.api.words import rule_set
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH, find_fold
from ordws.homeplay.book import PlayerAnswers
from ordws.homeplay.decide import decide_word
from ordws.homeplay.result import Consequence, LookupKind, LookupRequest, WordRuling


class HomeRuling(Struct, frozen=True, kw_only=True):
    """Whether a word may be played at home, by which rule and why; or what to look up first."""

    word: str
    acceptable: Annotated[bool | None, Meta(description="Null where something has to be looked up first.")]
    base: str | None = None
    steps: Annotated[list[str], Meta(description="From the base to the word.")] = []
    affix: str = ""
    rule: Annotated[str | None, Meta(description="The id of the rule.")] = None
    source: Annotated[str, Meta(description="Where the rule book says so.")] = ""
    because: Annotated[str, Meta(description="The reason, or the question to be asked next.")]
    follows: Annotated[Consequence | None, Meta(description="What becomes of a play that is not acceptable.")] = None
    ask: Annotated[list[str], Meta(description="What to look up, the likeliest first.")] = []
    about: Annotated[
        LookupKind | None,
        Meta(description="Whether these are in the dictionary, or have a main entry of their own there."),
    ] = None


def rule_at_home(services: Services, request: CheckAtHome, now: int) -> Reply:
    """The ruling on a word, as far as what was said of the player's dictionary decides it."""
    rule_set(request.rules)
    word = _fold(request.word, "word")
    found = decide_word(
        word,
        request.rules,
        _read_lookups(word, request),
        services.editions.current.reference,
        request.edition,
        by_exclusion=request.by_exclusion,
    )
    return replies.private(_to_home_ruling(found))


def _read_lookups(word: str, request: CheckAtHome) -> PlayerAnswers:
    """Who names a base has looked for the word itself, and did not find it unless he says so. (RULES 6.3)"""
    answers = {_fold(other, f"not_in_dictionary[{n}]"): False for n, other in enumerate(request.not_in_dictionary)}
    if request.base_in_dictionary is None:
        if request.word_in_dictionary is not None:
            answers[word] = request.word_in_dictionary
        return PlayerAnswers(answers)
    base = _fold(request.base_in_dictionary, "base_in_dictionary")
    main_entries = {} if request.base_has_main_entry is None else {base: request.base_has_main_entry}
    return PlayerAnswers({**answers, base: True, word: bool(request.word_in_dictionary) or base == word}, main_entries)


def _to_home_ruling(found: WordRuling | LookupRequest) -> HomeRuling:
    if isinstance(found, LookupRequest):
        return HomeRuling(
            word=found.word, acceptable=None, because=found.question, ask=list(found.words), about=found.about
        )
    return HomeRuling(
        word=found.word,
        acceptable=found.acceptable,
        base=found.base,
        steps=list(found.steps),
        affix=found.affix,
        rule=found.rule,
        source=found.source,
        because=found.because,
        follows=found.follows,
    )


def _fold(text: str, field_name: str) -> str:
    word = find_fold(text)
    if word is None:
        raise Problem(
            "bad-word", f"{field_name} is not a word of {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters, A to Z"
        )
    return word
