"""The rule sets: their type, of which every field is an option, and the five there are (docs/rules.md 1, 11).

For the browser, ordws/web/pages/static/rules.js reads rule sets and options as data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Final, NamedTuple

from ordws.rules.layout import STANDARD, WITH_WINGS, Layout
from ordws.rules.published_lists import DISALLOWED_LISTS, TWO_LETTER_LISTS, PublishedLists
from ordws.rules.tiles import CLASSIC_TILES, EIGHT_I, POOL_300, THREE_SETS, TileSet


class MinimumLength(Enum):
    """The shortest words that a play may form (docs/rules.md 3.4)."""

    NONE = "none"
    MAIN3 = "main3"
    ANY3 = "any3"


class Wings(Enum):
    """The part of a play that has to lie on the inner board (docs/rules.md 3.5)."""

    ANYWHERE = "anywhere"
    MAIN_WORD = "main-word"
    NEW_TILE = "new-tile"


class Premium(Enum):
    """The rule by which several word squares under one word combine (docs/rules.md 4.2)."""

    ADD = "add"
    MULTIPLY = "multiply"


class Challenge(Enum):
    """The price of a challenge that fails (docs/rules.md 6.1, 6.2).

    NONE is good words only: there are no challenges, every play is checked. Under VOID a play with an unacceptable word
    cannot be made.
    """

    NONE = "none"
    VOID = "void"
    SINGLE = "single"
    DOUBLE = "double"
    FIVE = "five"
    TEN = "ten"
    TRIPLE = "triple"


class CheckOspd(Enum):
    """The form in which a player may check the OSPD for a rejected play (docs/rules.md 6.4, 6.5)."""

    NONE = "none"
    OFFICIAL = "official"
    DOVER = "dover"


class HomeRules(Enum):
    """The rules by which players check a word at home, in books of their own (docs/rules.md 6.3, 6.7, 6.8)."""

    REFERENCE = "reference"
    TWO_BOOKS = "two-books"
    DOVER = "dover"


class Offensive(Enum):
    """The verdict on words that the dictionaries label offensive or vulgar in every sense (docs/rules.md 6.9)."""

    ALLOWED = "allowed"
    DISALLOWED = "disallowed"


class EndRule(Enum):
    """The condition on which a game ends although nobody went out (docs/rules.md 7.2)."""

    SCORELESS = "scoreless"
    CYCLE_PLUS_ONE = "cycle-plus-one"
    CYCLE = "cycle"


class UnplayedTiles(Enum):
    """The effect on the scores of the tiles left on the racks (docs/rules.md 7.3, A-27)."""

    DOUBLE = "double"
    TRANSFER = "transfer"


class UnplayedReward(Enum):
    """The reward of the unplayed tiles round: the play's score, or the face value of its tiles (docs/rules.md 9.5)."""

    SCORE = "score"
    FACE = "face"


class Clock(Enum):
    """The consequences of time (docs/rules.md 8)."""

    NONE = "none"
    OVERTIME = "overtime"
    TOTAL = "total"
    TURN = "turn"


class Overdraw(Enum):
    """The procedure after a player drew too many tiles (docs/rules.md 9.1, 9.2)."""

    PLUS_TWO = "plus-two"
    ALL_EXPOSED = "all-exposed"


class LateBadPlay(Enum):
    """The time within which a bad play that nobody noticed can be undone (docs/rules.md 9.3, A-31)."""

    STANDS = "stands"
    UNTIL_NEXT_TURN = "until-next-turn"
    ALWAYS = "always"


class Ties(Enum):
    """The way to break a tie (docs/rules.md 1)."""

    TIE = "tie"
    BEFORE_UNPLAYED = "before-unplayed"


class OptionInfo(NamedTuple):
    """The purpose of an option in one line, and the smallest and largest value of a number."""

    description: str
    minimum: int = 0
    maximum: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """The rules of a game. Holds no words and loads nothing."""

    id: str
    title: str

    layout: Annotated[Layout, OptionInfo("premium squares: standard, or drawn row by row (docs/rules.md 2.3)")]
    wings: Annotated[Wings, OptionInfo("the part of a play that has to lie on the inner board (docs/rules.md 3.5)")]
    tiles: Annotated[TileSet, OptionInfo("the tiles from which the bag is filled (docs/rules.md 2.2)")]
    scoop: Annotated[
        int, OptionInfo("the number of these tiles that a game is played with (docs/rules.md 2.2.2)", 1, 300)
    ]
    three_i_to_aeo: Annotated[bool, OptionInfo("three of the I's are replaced by A, E and O (docs/rules.md A-33)")]
    rack_size: Annotated[int, OptionInfo("tiles on a full rack (docs/rules.md 3.1)", 1, 12)]
    minimum: Annotated[MinimumLength, OptionInfo("the shortest words that a play may form (docs/rules.md 3.4)")]
    big_play: Annotated[tuple[int, ...], OptionInfo("bonus by tiles placed, as 5:10,6:30,7:50 (docs/rules.md 4.4)")]
    stretch: Annotated[
        tuple[int, ...], OptionInfo("bonus by tiles added to a decent word, as 2:20,3:40 (docs/rules.md 4.5)")
    ]
    stretch_from: Annotated[int, OptionInfo("letters that make a word on the board decent (docs/rules.md 4.5)", 2, 21)]
    swap: Annotated[
        bool, OptionInfo("a blank on the board may be taken for the letter it stands for (docs/rules.md 5)")
    ]
    premium: Annotated[
        Premium, OptionInfo("the rule by which several word squares under one word combine (docs/rules.md 4.2)")
    ]
    small_word_cap: Annotated[
        bool, OptionInfo("in words of up to four letters no letter counts more than their length (docs/rules.md 4.3)")
    ]
    challenge: Annotated[
        Challenge,
        OptionInfo("the price of a challenge that fails; none: every play is checked (docs/rules.md 6.1, 6.2)"),
    ]
    check_ospd: Annotated[
        CheckOspd, OptionInfo("the form of the check of the OSPD for a rejected play (docs/rules.md 6.4, 6.5)")
    ]
    two_letter_words: Annotated[
        str, OptionInfo("the published list that decides words of two letters (docs/rules.md 6.6)")
    ]
    disallowed_words: Annotated[str, OptionInfo("the published lists whose words are struck out (docs/rules.md 6.7)")]
    offensive: Annotated[
        Offensive, OptionInfo("words labelled offensive or vulgar in every sense of theirs (docs/rules.md 6.9)")
    ]
    allow: Annotated[frozenset[str], OptionInfo("words that are good here, as ZIG,ZAG (docs/rules.md 6.10)")]
    strike: Annotated[frozenset[str], OptionInfo("words that are no good here, as ZIG,ZAG (docs/rules.md 6.10)")]
    twos: Annotated[
        frozenset[str], OptionInfo("two-letter words in place of those of the published list (docs/rules.md 6.10)")
    ]
    home_rules: HomeRules
    """Not an option that a game may change. It says how a check at home asks books, and, where it is DOVER, that a game
    takes the words that Dover leaves to the players' reference beside the word set (docs/rules.md 6.3)."""

    end: Annotated[
        EndRule, OptionInfo("the condition on which a game ends although nobody went out (docs/rules.md 7.2)")
    ]
    scoreless_turns: Annotated[int, OptionInfo("idle turns in a row that end a game (docs/rules.md 7.2)", 2, 24)]
    exchange_min: Annotated[int, OptionInfo("tiles the bag must hold for an exchange (docs/rules.md 7.1)", 1, 21)]
    unplayed_tiles: Annotated[
        UnplayedTiles, OptionInfo("the effect on the scores of tiles left on racks (docs/rules.md 7.3)")
    ]
    unplayed_tiles_round: Annotated[bool, OptionInfo("the unplayed tiles challenge round (docs/rules.md 9.5)")]
    unplayed_reward: Annotated[
        UnplayedReward | int,
        OptionInfo("the reward of that round: of the play, or a number (docs/rules.md 9.5)", 1, 500),
    ]
    expose_final_rack: Annotated[
        bool, OptionInfo("two players show their racks once the bag is empty (docs/rules.md 9.4)")
    ]
    clock: Annotated[Clock, OptionInfo("the consequences of time (docs/rules.md 8)")]
    clock_seconds: Annotated[
        int, OptionInfo("seconds for a player, or for a turn; 0: untimed (docs/rules.md 8)", 0, 86_400)
    ]
    overtime_points: Annotated[
        int, OptionInfo("points lost for each minute begun over time (docs/rules.md 8.1)", 0, 1_000)
    ]
    overtime_minutes: Annotated[
        int, OptionInfo("minutes over time beyond which the game is lost (docs/rules.md 8.1)", 0, 1_440)
    ]
    overdraw: Annotated[
        Overdraw, OptionInfo("the procedure after a player drew too many tiles (docs/rules.md 9.1, 9.2)")
    ]
    late_bad_play: Annotated[
        LateBadPlay, OptionInfo("the time within which an unnoticed bad play can be undone (docs/rules.md 9.3)")
    ]
    ties: Annotated[Ties, OptionInfo("the way to break a tie (docs/rules.md 7.4)")]
    most_players: Annotated[int, OptionInfo("players a game may have (docs/rules.md 3.1)", 2, 4)]


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
