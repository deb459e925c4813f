"""The public actions: they need no key and are not charged."""

from __future__ import annotations

from msgspec import Struct

from ordws.api import replies
from ordws.api.problems import Problem
from ordws.api.replies import (
    About,
    DisallowedWords,
    OptionEntry,
    Reply,
    RuleSetEntry,
    RuleSetOptions,
    RuleSets,
    State,
    TwoLetterWords,
)
from ordws.api.request_faults import join_choices
from ordws.api.requests import Nothing, RulesField
from ordws.api.services import Services
from ordws.api.words import published_lists
from ordws.rules.options import list_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import DEFAULT_RULES_ID, RULE_SETS


class WhichRules(Struct, forbid_unknown_fields=True, frozen=True):
    """The rule set that a list is asked of."""

    rules: RulesField = DEFAULT_RULES_ID


class WhichRuleSet(Struct, forbid_unknown_fields=True, frozen=True):
    """The rule set to show."""

    id: RulesField


def enter(services: Services, request: Nothing, now: int) -> Reply:
    """Show the name of the service and the addresses of its documentation."""
    return replies.private(
        About(service="ordws", edition=services.editions.current.name, reference="/docs", openapi="/openapi.json")
    )


def list_twos(services: Services, request: WhichRules, now: int) -> Reply:
    """List the two-letter words of a rule set, the only published part of the word set."""
    return replies.public(TwoLetterWords(request.rules, sorted(published_lists(request.rules).twos)))


def list_disallowed(services: Services, request: WhichRules, now: int) -> Reply:
    """List the words that a rule set disallows, which are published."""
    return replies.public(DisallowedWords(request.rules, sorted(published_lists(request.rules).struck)))


def list_rules(services: Services, request: Nothing, now: int) -> Reply:
    """List the rule sets."""
    return replies.public(rule_sets())


def show_rules(services: Services, request: WhichRuleSet, now: int) -> Reply:
    """Show a rule set with all its options."""
    if request.id not in RULE_SETS:
        raise Problem("not-found", f"no such rule set, expected {join_choices(RULE_SETS)}")
    return replies.public(rule_set_options(RULE_SETS[request.id]))


def rule_sets() -> RuleSets:
    return RuleSets([RuleSetEntry(rules.id, rules.title) for rules in RULE_SETS.values()])


def rule_set_options(rules: RuleSet) -> RuleSetOptions:
    return RuleSetOptions(rules.id, rules.title, [OptionEntry(*option) for option in list_options(rules)])


def be_up(services: Services, request: Nothing, now: int) -> Reply:
    """Report that the process answers."""
    return replies.private(State("up"))


def be_ready(services: Services, request: Nothing, now: int) -> Reply:
    """Report that questions are answered: an edition is open, the register answers, the meters can be written.

    It is refused while the register cannot be read or the meters cannot be written. While today's budgets count as
    spent it stays ready.
    """
    services.register.check()
    services.gate.check_writable(now)
    return replies.private(State("ready"))
