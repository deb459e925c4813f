"""The data that the pages keep on a device for use without a connection, as JSON; all of it is published."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, Final, TypeAlias

import msgspec

from ordws.homeplay.affixes import read_affix_table
from ordws.homeplay.decide import two_letter_list_name
from ordws.homeplay.result import read_sentences
from ordws.rules.bag import pool
from ordws.rules.layout import MARKS
from ordws.rules.ruleset import Challenge, CheckOspd, Offensive, Premium, RuleSet
from ordws.rules.rulesets import DEFAULT_RULES_ID, RULE_SETS, published_word_lists
from ordws.rules.tiles import BLANK, LETTERS, TILE_VALUES

OfflineData: TypeAlias = dict[str, Any]
"""A JSON object; tuples and enumerations are written as msgspec does."""

_TABLE_OPTIONS: Final[OfflineData] = {
    "small_word_cap": [False, True],
    "check_ospd": [*CheckOspd],
    "premium": [*Premium],
    "board": [15, 21],
    "offensive": [*Offensive],
}
_CHALLENGE_KINDS: Final = [each for each in Challenge if each is not Challenge.NONE]


@cache
def rules_document() -> bytes:
    """Return all rule sets by their ids, `{"default": id, "rules": {id: ...}}`, with every option."""
    return msgspec.json.encode(
        {"default": DEFAULT_RULES_ID, "rules": {id: describe_rule_set(rules) for id, rules in RULE_SETS.items()}}
    )


def describe_rule_set(rules: RuleSet) -> OfflineData:
    """Return a rule set as the pages' JavaScript engine takes it: the fields of RuleSet and the data they refer to.

    `tiles` counts the tiles of the pool; `options` has the values of each option that may be set at the table.
    """
    lists, tiles, layout = published_word_lists(rules), pool(rules), rules.layout
    # A game with challenges may be played with another kind of them; good words only is another game, not an option.
    challenges = {} if rules.challenge is Challenge.NONE else {"challenge": _CHALLENGE_KINDS}
    own = {name: sorted(getattr(rules, name)) for name in ("allow", "strike", "twos")}
    return {field.name: getattr(rules, field.name) for field in fields(rules)} | own | {
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
        "options": _TABLE_OPTIONS | challenges,
    }


@cache
def affixes_document() -> bytes:
    """Return the table of affixes, by which the pages derive words as `ordws.homeplay` does."""
    return msgspec.json.encode(read_affix_table())


@cache
def sentences_document() -> bytes:
    """Return the sentences of rulings at home, by the ids of their rules."""
    return msgspec.json.encode(read_sentences())
