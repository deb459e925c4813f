"""Questions about words, of clients and of visitors: they are charged, then judged together, with one verdict."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.idempotency import MAX_BYTES_PER_DAY, MAX_OPERATOR_BYTES_PER_DAY, Caller
from ordws.api.problems import Problem, ProblemCode, budget_spent
from ordws.api.replies import Reply
from ordws.api.requests import (
    MAX_WORDS,
    OPTIONS,
    Labelled,
    Nothing,
    OptionValue,
    RulesField,
    Sent,
    WordField,
    bad_words,
    describe_value,
    join_choices,
)
from ordws.api.services import Services
from ordws.api.verdicts import are_acceptable, charged_question
from ordws.errors import StoreDown
from ordws.fold import find_fold
from ordws.guard.charge import Identity, Question, Refused
from ordws.identity.register import RegisteredClient
from ordws.lexicon.edition import Edition
from ordws.rules.options import BadOption, with_options
from ordws.rules.published_lists import PublishedLists
from ordws.rules.ruleset import DEFAULT_RULES_ID, RULE_SETS, RuleSet, published_word_lists

_log = logging.getLogger("ordws.api")


class WhoseQuota(Labelled, frozen=True):
    """The player and the game whose budgets are asked for."""


class JudgeWords(Labelled, frozen=True, kw_only=True):
    """A question of words, which get one verdict together."""

    words: Annotated[list[WordField], Meta(min_length=1, max_length=MAX_WORDS)]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None


def answer_question(services: Services, client: RegisteredClient, request: JudgeWords, now: int) -> Reply:
    """Judge up to eight words together, with one verdict.

    Which of the words is not acceptable is never told. Of `options` those that concern words have an effect:
    `offensive`, `allow`, `strike`, `twos`, `two_letter_words` and `disallowed_words`. A `game` has its budgets until
    the end of the next UTC day.
    """
    rules = rule_set_with_options(request.rules, request.options)
    identity = identity_of(client, request.player)
    edition = services.editions.current
    words = fold_all(request.words)
    question = Question(words, edition.number, request.game)
    outcome = charge_and_judge(services, identity, question, edition, rules, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    log_question(services, client, words, now)
    return replies.verdict(outcome)


def answer_quota(services: Services, client: RegisteredClient, request: WhoseQuota, now: int) -> Reply:
    """Return the caller's remaining budgets, in units; a device is not shown those of its operator.

    The budget of checks in the installation's own players' reference is shown where there is one.

    The reply always has `core`, `units`, `outside` and `games`; with a `game` also `game` and `plays`; of an
    operator's player also `operator` and `players`.
    """
    is_sealed = request.game is not None and bool(services.games.find_opened_by(request.game, str(client.id), now))
    identity, has_own_list = identity_of(client, request.player), services.editions.current.has_own_reference
    allowances = services.gate.quota(identity, request.game, now, is_sealed=is_sealed, has_own_list=has_own_list)
    hidden = () if client.device is None else ("operator", "operator-reference", "players")
    return replies.quota([each for each in allowances if each.budget not in hidden])


def charge_and_judge(
    services: Services, identity: Identity, question: Question, edition: Edition, rules: RuleSet, now: int
) -> bool | Refused:
    """Charge for a question of folded words under a rule set, and return its verdict, or the refusal of the guard."""
    outcome = charge_and_judge_plays(services, identity, question, edition, rules, [question.words], now)
    return outcome if isinstance(outcome, Refused) else outcome[0]


def charge_and_judge_plays(
    services: Services,
    identity: Identity,
    question: Question,
    edition: Edition,
    rules: RuleSet,
    plays: Sequence[Sequence[str]],
    now: int,
) -> list[bool] | Refused:
    """Charge for a question of folded words, and return a verdict on each play of them, or the refusal of the guard."""
    charged, core = charged_question(edition, rules, question)
    outcome = services.gate.admit(identity, charged, core, now)
    if isinstance(outcome, Refused):
        return outcome
    # Nothing is charged from here on: no charge depends on a verdict.
    charged_under = find_editions(services, outcome.editions) if outcome.editions else {}
    return [are_acceptable(edition, rules, words, charged_under) for words in plays]


def find_editions(services: Services, numbers: Mapping[str, int]) -> dict[str, Edition]:
    """Return the editions of the words that were charged under another one than the question's.

    Until midnight a word is free and is answered as it was, or a repeat would tell what an update has changed. Raises
    StoreDown where such an edition is not at hand.
    """
    found = {}
    for word, number in numbers.items():
        if (edition := services.editions.find(number)) is None:
            raise StoreDown(f"edition {number}, under which a word was charged today, cannot be opened any more")
        found[word] = edition
    return found


def log_question(services: Services, client: RegisteredClient, words: Sequence[str], now: int) -> None:
    """Write a question to the directors' log, where the director wanted one for this device and its key is no test key.

    A failure of the log is only reported: the question has been charged, and so is answered.
    """
    if client.device is None or not client.device.is_logged or client.is_test:
        return
    try:
        services.judge_log.write(client.id, client.device.id, client.device.table, words, now)
    except StoreDown as err:
        _log.warning("a question was judged but not written to the directors' log: %s", err)


def fold_all(texts: Sequence[str], field_name: str = "words") -> tuple[str, ...]:
    """Return the words as they are priced and looked up; raise a Problem that names the texts that are not words."""
    words = tuple(filter(None, map(find_fold, texts)))
    if len(words) < len(texts):
        places = enumerate(texts, start=1)
        raise bad_words({f'"{field_name}", item {n}': text for n, text in places if find_fold(text) is None})
    return words


def fold_field(text: str, field_name: str) -> str:
    """Return the word in a field of a request; raise a Problem that names the field and does not repeat its text."""
    word = find_fold(text)
    if word is None:
        raise bad_words({f'"{field_name}"': text})
    return word


def published_lists(rules_id: str) -> PublishedLists:
    """Return the word lists that a rule set publishes; raise a Problem where there is no such rule set."""
    return published_word_lists(rule_set(rules_id))


def rule_set(rules_id: str) -> RuleSet:
    """Return the rule set with this id, without options; raise a Problem where there is none."""
    if rules_id not in RULE_SETS:
        choices = join_choices([f'"{id}"' for id in RULE_SETS])
        raise Problem("unknown-rules", f'"rules": got {describe_value(rules_id)}, expected {choices}')
    return RULE_SETS[rules_id]


def rule_set_with_options(rules_id: str, options: Mapping[str, OptionValue] | None) -> RuleSet:
    """Return the rule set with this id and these options; raise a Problem where one of them does not exist."""
    rules = rule_set(rules_id)
    try:
        return with_options(rules, options or {})
    except BadOption as err:
        raise Problem("unknown-option", f'"options": {err}') from err


def identity_of(client: RegisteredClient, player: str | None) -> Identity:
    """Return the identity that is charged: a home client, or a player of an operator (docs/guard.md Decision 4).

    A paired device of an operator is a player too.
    """
    is_verified = client.verified is not None or client.is_test
    limits = client.terms.limits
    if not client.terms.names_players:
        return Identity(str(client.id), client.created, is_verified=is_verified, limits=limits)
    if client.device is not None:
        # Pseudonyms are printable and a no-break space is not, so that no pseudonym can name a device.
        player = f"device\N{NO-BREAK SPACE}{client.device.id}"
    if player is None:
        raise Problem("player-required", '"player": missing, expected a pseudonym, as the key is of an operator')
    is_club_device = is_verified and client.device is not None
    return Identity(
        str(client.id),
        client.created,
        player,
        is_verified,
        client.units,
        is_club_device=is_club_device,
        limits=limits,
    )


def caller_of(client: RegisteredClient) -> Caller:
    """Return the caller that may repeat a request of a client, or of one of its devices."""
    device = client.device.id if client.device else None
    answers_for_players = client.terms.names_players and client.verified is not None and device is None
    max_bytes = MAX_OPERATOR_BYTES_PER_DAY if answers_for_players else MAX_BYTES_PER_DAY
    return Caller(str(client.id), device, max_bytes)


VISITOR_PROBLEMS: Final[tuple[ProblemCode, ...]] = ("no-visitors", "bad-word", "budget-spent")


class AskAsVisitor(Struct, forbid_unknown_fields=True, frozen=True):
    """One word, by the default rule set."""

    word: WordField


class ForVisitors(Struct, frozen=True):
    """The answer to whether words are judged for visitors."""

    is_open: Annotated[bool, Meta(description="False where it judges for keys and paired devices alone.")]


def show_visitors(services: Services, request: Nothing, now: int) -> Reply:
    """Tell whether a word may be asked here without a key; what is left of the day is not told before it is spent."""
    return replies.private(ForVisitors(services.takes_visitors))


def judge_for_visitor(services: Services, request: Sent[AskAsVisitor], now: int) -> Reply:
    """Judge one word for whoever opened the front page. Every asking is charged, a word asked before as well.

    The keeper lets visitors in: `[pages] visitors`. The word is judged by the default rule set; `budget-spent` names
    `visitors` or `address`.
    """
    if not services.takes_visitors:
        raise Problem("no-visitors", "this service judges words for client keys and paired devices alone")
    word, rules, edition = fold_field(request.body.word, "word"), rule_set(DEFAULT_RULES_ID), services.editions.current
    charged, core = charged_question(edition, rules, Question((word,), edition.number))
    refused = services.gate.admit_visitor(charged.words, core, edition.number, request.address, now)
    if refused is not None:
        raise budget_spent(refused)
    return replies.verdict(are_acceptable(edition, rules, (word,)))
