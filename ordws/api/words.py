"""Questions of words: the only place where words meet the word set."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ordws.api import replies
from ordws.api.problems import Problem, budget_spent
from ordws.api.replies import Reply
from ordws.api.requests import JudgeWords, WhoseQuota
from ordws.api.services import Services
from ordws.errors import StoreDown
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH, find_fold
from ordws.guard.gate import Refused
from ordws.guard.price import Identity, Question
from ordws.identity.register import RegisteredClient
from ordws.lexicon.edition import Edition
from ordws.rules.published_lists import PublishedLists, is_acceptable
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS, published_word_lists

_log = logging.getLogger("ordws.api")


def answer_question(services: Services, client: RegisteredClient, request: JudgeWords, now: int) -> Reply:
    """One verdict for up to eight words."""
    published = published_lists(request.rules)
    who = identity_of(client, request.player)
    edition = services.editions.current
    words = fold_all(request.words)
    # At a club's table a judge is asked of what is in doubt, and so mostly of what lies outside the core list. Any key
    # can pair a program of its own as a device, so that this is believed of clubs alone that a keeper knows.
    question = Question(words, edition.number, request.game, is_doubt=who.is_club_device)
    outcome = charge_and_judge(services, who, question, edition, published, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    log_question(services, client, words, now)
    return replies.verdict(outcome)


def answer_quota(services: Services, client: RegisteredClient, request: WhoseQuota, now: int) -> Reply:
    """What the caller has left, in public-cost units."""
    is_sealed = request.game is not None and services.games.is_opened_by(request.game, str(client.id), now)
    return replies.quota(
        services.gate.quota(identity_of(client, request.player), request.game, now, is_sealed=is_sealed)
    )


def charge_and_judge(
    services: Services, identity: Identity, question: Question, edition: Edition, published: PublishedLists, now: int
) -> bool | Refused:
    """The verdict on a question of folded words, after they were charged for."""
    # What earlier verdicts have added to signs is written now: this question's own writes are the same for yes and no.
    services.housekeeping.log_alarms(services.gate.update_detectors(now))
    ticket = services.gate.admit(identity, question, edition.core, now)
    if isinstance(ticket, Refused):
        return ticket
    verdict = are_acceptable(edition, published, question.words)
    services.gate.settle(ticket, verdict, now)
    return verdict


def log_question(services: Services, client: RegisteredClient, words: Sequence[str], now: int) -> None:
    """Leave a question in the log where a director wanted one of this device; not of test keys, who ask toy words.

    It has been charged, and so is answered, though it could not be noted.
    """
    if client.device is None or not client.device.is_logged or client.is_test:
        return
    try:
        services.judge_log.write(client.id, client.device.id, client.device.table, words, now)
    except StoreDown as down:
        _log.warning("a question was judged that is in no directors' log: %s", down)


def are_acceptable(edition: Edition, published: PublishedLists, words: Sequence[str]) -> bool:
    """Whether all the words are acceptable. All are looked up, whatever the first ones say: time tells nothing."""
    known = edition.words
    return all([is_acceptable(published, word, word in known) for word in words])  # noqa: C419 - every word is looked up


def fold_all(texts: Sequence[str]) -> tuple[str, ...]:
    """The words as they are priced and looked up, or one and the same refusal for all that is no word."""
    words = []
    for place, text in enumerate(texts):
        word = find_fold(text)
        if word is None:
            raise Problem(
                "bad-word", f"words[{place}] is not a word of {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters, A to Z"
            )
        words.append(word)
    return tuple(words)


def published_lists(rules: str) -> PublishedLists:
    """What a rule set publishes about words."""
    return published_word_lists(rule_set(rules))


def rule_set(rules: str) -> RuleSet:
    """The rule set of that id, without options."""
    if rules not in RULE_SETS:
        raise Problem("unknown-rules", f"there are {', '.join(RULE_SETS)}")
    return RULE_SETS[rules]


def identity_of(client: RegisteredClient, player: str | None) -> Identity:
    """Whom the meters know: a client, or a player of an operator's, such as a paired device. (GUARD, decision 4)

    A device is a player whom no pseudonym can name, as pseudonyms are printable.
    """
    is_verified = client.verified is not None or client.is_test
    if client.kind == "home":
        return Identity(str(client.id), client.created, is_verified=is_verified)
    if client.device is not None:
        player = f"device\N{NO-BREAK SPACE}{client.device.id}"
    if player is None:
        raise Problem("player-required", 'an operator\'s key asks for a player: send a pseudonym as "player"')
    is_club_device = is_verified and client.device is not None
    return Identity(str(client.id), client.created, player, is_verified, client.units, is_club_device=is_club_device)
