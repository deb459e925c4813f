"""Questions of visitors: where a keeper wants it, the front page judges a word without a key (docs/guard.md 3.2)."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.problems import Problem, ProblemCode, budget_spent
from ordws.api.replies import Reply
from ordws.api.requests import Nothing, Sent, WordField
from ordws.api.services import Services
from ordws.api.verdicts import are_acceptable, charged_question
from ordws.api.words import fold_field, rule_set
from ordws.guard.question import Question
from ordws.rules.rulesets import DEFAULT_RULES_ID

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
