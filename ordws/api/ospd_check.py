"""Checks of the OSPD: whether words stand in the players' reference, and what it costs a player where they do not.

The open check reads that public list and nothing else (GUARD, decision 13); inside a sealed game, for the play just
rejected, a word counts as found that ever was acceptable. (RULES A-22)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from ordws.api.problems import Problem, budget_spent
from ordws.api.replies import PRIVATE, Reply
from ordws.api.requests import CheckWords
from ordws.api.services import Services
from ordws.api.words import fold_all, identity_of, rule_set
from ordws.guard.gate import Refused
from ordws.guard.price import Question
from ordws.identity.register import RegisteredClient
from ordws.lexicon.edition import Edition
from ordws.rules.published_lists import PublishedLists, is_acceptable
from ordws.rules.ruleset import CheckOspd
from ordws.rules.rulesets import DEFAULT_RULES_ID
from ordws.rules.tiles import FACE_VALUES

_JSON: Final = ("Content-Type", "application/json")


class Found(Struct, frozen=True):
    """Whether all the words stand in the players' reference, and how many points are deducted from the player's score.

    Points are told where a rule set, or the score of the play, was sent.
    """

    found: bool
    deduct: int | UnsetType = UNSET


class _AllWordsCore:
    """As if every word were a core word: what is public costs no unit, and counts against the core words of a day."""

    def __contains__(self, word: object) -> bool:
        return True


def check_ospd(services: Services, client: RegisteredClient, request: CheckWords, now: int) -> Reply:
    """Whether all words stand in the players' reference, a public list; the word set is not asked."""
    words = fold_all(request.words)
    cost = _deduction(request, words)
    edition = services.editions.current
    question = Question(words, edition.number, is_doubt=True)
    services.housekeeping.log_alarms(services.gate.update_detectors(now))
    ticket = services.gate.admit(identity_of(client, request.player), question, _AllWordsCore(), now)
    if isinstance(ticket, Refused):
        raise budget_spent(ticket)
    return _to_reply(is_in_reference(edition, words), cost)


def is_in_reference(edition: Edition, words: Sequence[str]) -> bool:
    """Whether all words stand in the players' reference. All are looked up, whatever the first ones say."""
    found = [word in edition.reference for word in words]
    return all(found)


def is_found_in_game(edition: Edition, published: PublishedLists, words: Sequence[str]) -> bool:
    """Whether all words stand in the players' reference, or are or were acceptable; all are looked up. (RULES A-22)"""
    found = [
        (word in edition.reference) | (word in edition.retired) | is_acceptable(published, word, word in edition.words)
        for word in words
    ]
    return all(found)


def _deduction(request: CheckWords, words: Sequence[str]) -> int | None:
    """The points that a no costs under the rule set, or None where nobody asked for them. (RULES 6.4, 6.5)"""
    if request.rules is None and request.score is None:
        return None
    rules = rule_set(request.rules or DEFAULT_RULES_ID)
    match rules.check_ospd:
        case CheckOspd.NONE:
            raise Problem("check-not-allowed", f"there is no check of the OSPD under {rules.id}")
        case CheckOspd.OFFICIAL if request.score is None:
            raise Problem("bad-request", f'under {rules.id} the would-be score is deducted: send it as "score"')
        case CheckOspd.OFFICIAL:
            return request.score
        case CheckOspd.DOVER if len(words) != 1:
            raise Problem("bad-request", f"under {rules.id} the single word in question is checked")
        case CheckOspd.DOVER:
            tiles = request.words[0] if request.words[0].isascii() else words[0]
            return sum(tiles.encode("ascii").translate(FACE_VALUES))


def _to_reply(found: bool, deduction: int | None) -> Reply:
    """The answer, of the same length for yes and no."""
    verdict = "true " if found else "false"
    if deduction is None:
        return Reply(200, (_JSON, PRIVATE), f'{{"found":{verdict}}}'.encode())
    deduct = f"{0 if found else deduction:<{len(str(deduction))}}"
    return Reply(200, (_JSON, PRIVATE), f'{{"found":{verdict},"deduct":{deduct}}}'.encode())
