"""The published rules and lists: the public actions, which need no key and are not charged, and the pages' data.

The pages keep these data on a device for use without a connection, as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, TypeAlias

import msgspec
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
from ordws.api.requests import Nothing, RulesField, join_choices
from ordws.api.services import Services
from ordws.api.words import published_lists
from ordws.homeplay.affixes import read_affix_table
from ordws.homeplay.decide import two_letter_list_name
from ordws.homeplay.word_check import read_sentences
from ordws.rules.bag import pool
from ordws.rules.layout import LARGEST_SIDE, MARKS, STANDARD_ROWS, Layout
from ordws.rules.options import OPTION_INFO, WINGS, WORD_LISTS, list_options
from ordws.rules.published_lists import DISALLOWED_LISTS, TWO_LETTER_LISTS
from ordws.rules.ruleset import DEFAULT_RULES_ID, RULE_SETS, RuleSet, UnplayedReward, published_word_lists
from ordws.rules.tiles import BLANK, LETTERS, TILE_SETS, TILE_VALUES


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


OfflineData: TypeAlias = dict[str, Any]
"""A JSON object; tuples and enumerations are written as msgspec does."""


@cache
def rules_document() -> bytes:
    """Return all rule sets by their ids, `{"default": id, "rules": {id: ...}}`, and what options may change in them.

    `options` describes each option, `originals` has their values as text by rule set. `tile_sets`, `two_letter_lists`
    and `disallowed_lists` (the words struck out and the words granted) hold what options choose by name.
    """
    return msgspec.json.encode(
        {
            "default": DEFAULT_RULES_ID,
            "rules": {id: describe_rule_set(rules) for id, rules in RULE_SETS.items()},
            "originals": {
                id: {option.name: option.value for option in list_options(RULE_SETS[id])} for id in RULE_SETS
            },
            "options": [{"name": name, **describe_option(name)} for name in OPTION_INFO],
            "tile_sets": {
                name: dict(zip(LETTERS + BLANK, tiles.counts, strict=True)) for name, tiles in TILE_SETS.items()
            },
            "two_letter_lists": {name: sorted(words) for name, words in TWO_LETTER_LISTS.items()},
            "disallowed_lists": {name: [*map(sorted, lists)] for name, lists in DISALLOWED_LISTS.items()},
            "standard_layout": STANDARD_ROWS,
        }
    )


def describe_option(name: str) -> OfflineData:
    """Return the `kind` of an option's values: switch, number, choice, words, bonus, layout or board; and their limits.

    Choices have their `values`, numbers `least` and `most`, words their `longest` and the `most` that a list holds.
    """
    choices: dict[str, Iterable[str]] = {
        "tiles": TILE_SETS,
        "two_letter_words": TWO_LETTER_LISTS,
        "disallowed_words": DISALLOWED_LISTS,
    }
    if name in choices:
        return {"kind": "choice", "values": [*choices[name]]}
    if name in WORD_LISTS:
        longest, most = WORD_LISTS[name]
        return {"kind": "words", "longest": longest, "most": most}
    if name == "unplayed_reward":
        least, most = OPTION_INFO[name].minimum, OPTION_INFO[name].maximum
        return {"kind": "reward", "values": [*UnplayedReward], "least": least, "most": most}
    match None if name == "board" else getattr(RULE_SETS[DEFAULT_RULES_ID], name):
        case None:
            return {"kind": "board", "wings": WINGS}
        case bool():
            return {"kind": "switch"}
        case Enum() as value:
            return {"kind": "choice", "values": [*type(value)]}
        case int():
            return {"kind": "number", "least": OPTION_INFO[name].minimum, "most": OPTION_INFO[name].maximum}
        case Layout():
            return {"kind": "layout", "most": LARGEST_SIDE}
        case _:
            return {"kind": "bonus", "most": LARGEST_SIDE}


def describe_rule_set(rules: RuleSet) -> OfflineData:
    """Return a rule set as the pages' JavaScript engine takes it: the fields of RuleSet and the data they refer to.

    `tiles` counts the tiles of the pool.
    """
    lists, tiles, layout = published_word_lists(rules), pool(rules), rules.layout
    own = {name: sorted(getattr(rules, name)) for name in ("allow", "strike", "twos")}
    return (
        {field.name: getattr(rules, field.name) for field in fields(rules)}
        | own
        | {
            "layout": {
                "side": layout.side,
                "wings": layout.wings,
                "inner": layout.rows,
                "start": layout.start,
                "marks": MARKS,
            },
            "tiles": {tile: tiles.count(tile) for tile in LETTERS + BLANK},
            "values": TILE_VALUES,
            "two_letter_list": two_letter_list_name(rules),
            "two_letter_words": sorted(lists.twos),
            "disallowed_words": sorted(lists.struck),
            "granted_words": sorted(lists.granted),
        }
    )


@cache
def affixes_document() -> bytes:
    """Return the table of affixes, by which the pages derive words as `ordws.homeplay` does."""
    return msgspec.json.encode(read_affix_table())


@cache
def sentences_document() -> bytes:
    """Return the sentences of rulings at home, by the ids of their rules."""
    return msgspec.json.encode(read_sentences())
