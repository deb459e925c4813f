"""What the pages on a device know without a connection, as JSON: all of it published."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, Final, TypeAlias

import msgspec

from ordws.homeplay.affixes import read_affix_table
from ordws.homeplay.result import read_sentences
from ordws.rules.bag import pool
from ordws.rules.layout import MARKS, Layout
from ordws.rules.ruleset import Challenge, CheckOspd, Premium, RuleSet
from ordws.rules.rulesets import DEFAULT_RULES_ID, RULE_SETS, published_word_lists
from ordws.rules.tiles import BLANK, LETTERS, TILE_VALUES

OfflineData: TypeAlias = dict[str, Any]
"""By name: what JSON can hold, tuples and enumerations being written as msgspec does."""

_TABLE_OPTIONS: Final[OfflineData] = {
    "small_word_cap": [False, True],
    "check_ospd": [*CheckOspd],
    "premium": [*Premium],
    "board": [15, 21],
}
_CHALLENGE_KINDS: Final = [each for each in Challenge if each is not Challenge.NONE]


@cache
def rules_document() -> bytes:
    """All rule sets by their ids, `{"default": id, "rules": {id: ...}}`, with every option; it is the same for all."""
    return msgspec.json.encode(
        {"default": DEFAULT_RULES_ID, "rules": {id: describe_rule_set(rules) for id, rules in RULE_SETS.items()}}
    )


def describe_rule_set(rules: RuleSet) -> OfflineData:
    """A rule set as the engine of the pages takes it: the fields of RuleSet, with what those stand for that are names.

    `tiles` are those of the pool, by tile; `options` what may be set at the table, by name, with the values there are.
    """
    lists, tiles = published_word_lists(rules), pool(rules)
    return {field.name: getattr(rules, field.name) for field in fields(rules)} | {
        "layout": _layout(rules.layout),
        "tiles": {tile: tiles.count(tile) for tile in LETTERS + BLANK},
        "values": TILE_VALUES,
        "two_letter_words": sorted(lists.twos),
        "disallowed_words": sorted(lists.struck),
        "granted_words": sorted(lists.granted),
        "options": _options(rules),
    }


def _layout(layout: Layout) -> OfflineData:
    """The inner board drawn, what its marks multiply, the wings around it, and the centre."""
    return {
        "side": layout.side,
        "wings": layout.wings,
        "inner": layout.rows,
        "start": layout.start,
        "marks": MARKS,
    }


def _options(rules: RuleSet) -> OfflineData:
    """Who plays with challenges may choose another kind; good words only is not an option but another game."""
    return _TABLE_OPTIONS | ({} if rules.challenge is Challenge.NONE else {"challenge": _CHALLENGE_KINDS})


@cache
def affixes_document() -> bytes:
    """The table of affixes as its file has it, from which the pages take words apart as we do."""
    return msgspec.json.encode(read_affix_table())


@cache
def sentences_document() -> bytes:
    """What rulings at home say, by the ids of their rules, as its file has it."""
    return msgspec.json.encode(read_sentences())
