"""The rule sets (docs/rules.md 1, 11). The browser gets them as data: ordws/web/pages/static/rules.js."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ordws.rules.layout import STANDARD, WITH_WINGS
from ordws.rules.published_lists import DISALLOWED_LISTS, TWO_LETTER_LISTS, PublishedLists
from ordws.rules.ruleset import (
    Challenge,
    CheckOspd,
    Clock,
    EndRule,
    HomeRules,
    LateBadPlay,
    MinimumLength,
    Offensive,
    Overdraw,
    Premium,
    RuleSet,
    Ties,
    UnplayedReward,
    UnplayedTiles,
    Wings,
)
from ordws.rules.tiles import CLASSIC_TILES, EIGHT_I, POOL_300, THREE_SETS

CLASSIC: Final = RuleSet(
    id="classic",
    title="Classic, the regular North American tournament game",
    layout=STANDARD,
    wings=Wings.ANYWHERE,
    tiles=CLASSIC_TILES,
    scoop=100,
    three_i_to_aeo=False,
    rack_size=7,
    minimum=MinimumLength.NONE,
    big_play=(0, 0, 0, 0, 0, 0, 0, 50),
    stretch=(),
    stretch_from=4,
    swap=False,
    premium=Premium.MULTIPLY,
    small_word_cap=False,
    challenge=Challenge.DOUBLE,
    check_ospd=CheckOspd.NONE,
    two_letter_words="101",
    disallowed_words="none",
    offensive=Offensive.ALLOWED,
    allow=frozenset(),
    strike=frozenset(),
    twos=frozenset(),
    home_rules=HomeRules.REFERENCE,
    end=EndRule.SCORELESS,
    scoreless_turns=6,
    exchange_min=7,
    unplayed_tiles=UnplayedTiles.DOUBLE,
    unplayed_tiles_round=False,
    unplayed_reward=UnplayedReward.SCORE,
    expose_final_rack=False,
    clock=Clock.OVERTIME,
    clock_seconds=1_500,
    overtime_points=10,
    overtime_minutes=10,  # tournament practice, not in the rule books (docs/rules.md 8.1)
    overdraw=Overdraw.PLUS_TWO,  # the practice of clubs, not in the rule books (docs/rules.md A-29)
    late_bad_play=LateBadPlay.STANDS,
    ties=Ties.TIE,
    most_players=2,
)
SCRABBLE_I_CLASSIC: Final = replace(
    CLASSIC,
    id="scrabble-i-classic",
    title="Scrabble I with classic equipment",
    tiles=EIGHT_I,
    minimum=MinimumLength.MAIN3,
    big_play=(0, 0, 0, 0, 0, 10, 30, 50),
    stretch=(0, 0, 20, 40, 60, 90, 110, 130),
    swap=True,
    premium=Premium.ADD,
    challenge=Challenge.NONE,
    check_ospd=CheckOspd.OFFICIAL,
    two_letter_words="72",
    home_rules=HomeRules.TWO_BOOKS,
    end=EndRule.CYCLE_PLUS_ONE,
    clock=Clock.TOTAL,
    clock_seconds=0,  # each event sets its own total (docs/rules.md 8.2)
    late_bad_play=LateBadPlay.UNTIL_NEXT_TURN,  # Dover's rule needs a director (docs/rules.md A-31)
    most_players=4,
)
SCRABBLE_O: Final = replace(
    SCRABBLE_I_CLASSIC, id="scrabble-o", title="Scrabble O For Word Lovers", expose_final_rack=True
)
SCRABBLE_I: Final = replace(
    SCRABBLE_I_CLASSIC,
    id="scrabble-i",
    title="Scrabble I For Word Lovers",
    layout=WITH_WINGS,
    wings=Wings.MAIN_WORD,
    tiles=POOL_300,
)
DOVER: Final = replace(
    CLASSIC,
    id="dover",
    title="Scrabble II as played in the Dover club",
    layout=WITH_WINGS,
    wings=Wings.NEW_TILE,
    tiles=THREE_SETS,
    scoop=110,  # "about 110" in the rule book (docs/rules.md A-33)
    rack_size=8,
    minimum=MinimumLength.ANY3,
    big_play=(0, 0, 0, 0, 0, 0, 20, 50, 80),
    challenge=Challenge.NONE,
    check_ospd=CheckOspd.DOVER,
    two_letter_words="70",
    disallowed_words="dover",
    offensive=Offensive.DISALLOWED,
    home_rules=HomeRules.DOVER,
    end=EndRule.CYCLE,
    exchange_min=8,  # so that a full rack can be exchanged, as in the regular game (docs/rules.md A-24)
    clock=Clock.TURN,
    clock_seconds=120,
    overdraw=Overdraw.ALL_EXPOSED,
    late_bad_play=LateBadPlay.ALWAYS,
    most_players=4,
)

RULE_SETS: Final = {rules.id: rules for rules in (CLASSIC, SCRABBLE_I_CLASSIC, SCRABBLE_O, SCRABBLE_I, DOVER)}
DEFAULT_RULES_ID: Final = SCRABBLE_I.id


_PUBLISHED_LISTS: Final = {
    (number, name): PublishedLists(twos, struck, granted)
    for number, twos in TWO_LETTER_LISTS.items()
    for name, (struck, granted) in DISALLOWED_LISTS.items()
}


def published_word_lists(rules: RuleSet) -> PublishedLists:
    """Return the words that a rule set itself decides; the edition decides all others (docs/rules.md 6.3, 6.10)."""
    lists = _PUBLISHED_LISTS[rules.two_letter_words, rules.disallowed_words]
    if not (rules.twos or rules.allow or rules.strike):
        return lists
    allowed_twos = frozenset([word for word in rules.allow if len(word) == 2])
    twos = (rules.twos or lists.twos) | allowed_twos
    struck = lists.struck - rules.allow - rules.twos
    return PublishedLists(twos - rules.strike, struck, lists.granted | rules.allow, rules.strike)
