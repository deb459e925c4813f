"""Checks of the OSPD: whether words are in the players' reference, and the points deducted where they are not.

These checks are outside sealed games, and read that list and nothing else. It is public, or the installation's own;
then its words have a budget of their own (docs/guard.md Decision 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from ordws.api.problems import Problem, budget_spent
from ordws.api.replies import Reply
from ordws.api.request_faults import bad_request, describe_value
from ordws.api.requests import MAX_WORDS, PlayerField, RulesField, WordField, check_printable
from ordws.api.services import Services
from ordws.api.words import find_editions, fold_all, identity_of, rule_set
from ordws.guard.charge import Admitted, Refused
from ordws.guard.question import Identity, Question
from ordws.identity.register import RegisteredClient
from ordws.lexicon.edition import Edition
from ordws.rules.challenges import dover_deduction
from ordws.rules.ruleset import CheckOspd
from ordws.rules.rulesets import DEFAULT_RULES_ID


class CheckWords(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Words of a rejected play to find in the players' reference; under a rule set, also the points to deduct."""

    words: Annotated[
        list[WordField],
        Meta(
            min_length=1,
            max_length=MAX_WORDS,
            description="Under Dover's form the single word in question, as its tiles: lower case letters are blanks.",
        ),
    ]
    rules: Annotated[RulesField | None, Meta(description="The rule set that decides the deduction.")] = None
    score: (
        Annotated[
            int, Meta(ge=0, le=100_000, description="What the play would have scored, which the official form deducts.")
        ]
        | None
    ) = None
    player: PlayerField | None = None

    def __post_init__(self) -> None:
        check_printable(self.player)


class Found(Struct, frozen=True):
    """The result of a check: whether all words are in the players' reference, and the points that are deducted.

    The points are given only where a rule set, or the score of the play, was sent.
    """

    found: bool
    deduct: int | UnsetType = UNSET


def check_ospd(services: Services, client: RegisteredClient, request: CheckWords, now: int) -> Reply:
    """Check whether all words are in the players' reference; the word set is not consulted.

    The words count as core words; where the service has a list of its own, against `reference_a_day` instead. The
    official form needs `score`, and Dover's form exactly one word.
    """
    words = fold_all(request.words)
    deduction = _deduction(request, words)
    found = find_in_reference(services, identity_of(client, request.player), words, now)
    # Padded with spaces, which JSON allows, so that both results have the same length.
    body = f'{{"found":{"true " if found else "false"}'
    if deduction is not None:
        body += f',"deduct":{0 if found else deduction:<{len(str(deduction))}}'
    return Reply(f"{body}}}".encode())


def find_in_reference(services: Services, identity: Identity, words: Sequence[str], now: int) -> bool:
    """Charge for a check of folded words, and return whether the players' reference has all of them.

    Raises a Problem where a budget is spent.
    """
    edition = services.editions.current
    admitted = charge_reference(services, identity, edition, words, now)
    charged_under = find_editions(services, admitted.editions)
    # Every word is looked up, whatever the first yield.
    found = [word in charged_under.get(word, edition).reference for word in words]
    return all(found)


def charge_reference(
    services: Services, identity: Identity, edition: Edition, words: Sequence[str], now: int
) -> Admitted:
    """Charge for a look at folded words in the players' reference; raise a Problem where a budget is spent."""
    question = Question(tuple(words), edition.number, is_check=True, is_own_list=edition.has_own_reference)
    outcome = services.gate.admit(identity, question, edition.core, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    return outcome


def _deduction(request: CheckWords, words: Sequence[str]) -> int | None:
    """Return the points deducted where a word is not found, or None if not asked for (docs/rules.md 6.4, 6.5)."""
    if request.rules is None and request.score is None:
        return None
    rules = rule_set(request.rules or DEFAULT_RULES_ID)
    match rules.check_ospd:
        case CheckOspd.NONE:
            raise Problem("check-not-allowed", f"there is no check of the OSPD under {rules.id}")
        case CheckOspd.OFFICIAL if request.score is None:
            raise bad_request(f'"score": missing, expected the would-be score, which {rules.id} deducts')
        case CheckOspd.OFFICIAL:
            return request.score
        case CheckOspd.DOVER if len(words) != 1:
            raise bad_request(f'"words": got {describe_value([*words])}, expected the one in question')
        case CheckOspd.DOVER:
            # Folding would turn blanks, which are lower case, into letters with a value.
            tiles = request.words[0] if request.words[0].isascii() else words[0]
            return dover_deduction([tiles.encode("ascii")], tiles.upper())
