"""What a game is played by: one type for all rule sets, every field an option. (RULES 1, 11)"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, NamedTuple

from ordws.rules.layout import Layout
from ordws.rules.tiles import TileSet


class MinimumLength(Enum):
    """How long the words of a play have to be. (RULES 3.4)"""

    NONE = "none"
    MAIN3 = "main3"
    ANY3 = "any3"


class Wings(Enum):
    """What has to lie on the inner board. (RULES 3.5)"""

    ANYWHERE = "anywhere"
    MAIN_WORD = "main-word"
    NEW_TILE = "new-tile"


class Premium(Enum):
    """What several word squares under one word do together. (RULES 4.2)"""

    ADD = "add"
    MULTIPLY = "multiply"


class Challenge(Enum):
    """Who loses what when words are doubted; NONE is good words only: every play is checked. (RULES 6.1, 6.2)"""

    NONE = "none"
    VOID = "void"
    SINGLE = "single"
    DOUBLE = "double"
    FIVE = "five"
    TEN = "ten"
    TRIPLE = "triple"


class CheckOspd(Enum):
    """What a player may do about a rejected play. (RULES 6.4, 6.5)"""

    NONE = "none"
    OFFICIAL = "official"
    DOVER = "dover"


class EndRule(Enum):
    """When a game ends though nobody went out. (RULES 7.2)"""

    SCORELESS = "scoreless"
    CYCLE_PLUS_ONE = "cycle-plus-one"
    CYCLE = "cycle"


class UnplayedTiles(Enum):
    """What the tiles left on the racks do to the scores. (RULES 7.3, A-27)"""

    DOUBLE = "double"
    TRANSFER = "transfer"


class Clock(Enum):
    """What time does. (RULES 8)"""

    NONE = "none"
    OVERTIME = "overtime"
    TOTAL = "total"
    TURN = "turn"


class Overdraw(Enum):
    """What happens to a player who drew too many tiles. (RULES 9.1, 9.2)"""

    PLUS_TWO = "plus-two"
    ALL_EXPOSED = "all-exposed"


class LateBadPlay(Enum):
    """How long a bad play that nobody noticed can be undone. (RULES 9.3, A-31)"""

    STANDS = "stands"
    UNTIL_NEXT_TURN = "until-next-turn"
    ALWAYS = "always"


class Ties(Enum):
    """Who wins a tie."""

    TIE = "tie"
    BEFORE_UNPLAYED = "before-unplayed"


class OptionInfo(NamedTuple):
    """What an option is for, and the least and most where it is a number."""

    description: str
    minimum: int = 0
    maximum: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """What a game is played by. Holds no words and loads nothing."""

    id: str
    title: str

    layout: Annotated[Layout, OptionInfo("the premium squares: standard, or drawn row by row (RULES 2.3)")]
    wings: Annotated[Wings, OptionInfo("what has to lie on the inner board (RULES 3.5)")]
    tiles: Annotated[TileSet, OptionInfo("what the bag is filled from (RULES 2.2)")]
    scoop: Annotated[int, OptionInfo("how many of these tiles a game is played with (RULES 2.2.2)", 1, 300)]
    three_i_to_aeo: Annotated[bool, OptionInfo("three of the I's are replaced by A, E and O (RULES A-33)")]
    rack_size: Annotated[int, OptionInfo("tiles on a full rack (RULES 1, row 5)", 1, 12)]
    minimum: Annotated[MinimumLength, OptionInfo("how long the words of a play have to be (RULES 3.4)")]
    big_play: Annotated[tuple[int, ...], OptionInfo("bonus by tiles placed, as 5:10,6:30,7:50 (RULES 4.4)")]
    stretch: Annotated[tuple[int, ...], OptionInfo("bonus by tiles added to a decent word, as 2:20,3:40 (RULES 4.5)")]
    stretch_from: Annotated[int, OptionInfo("letters that make a word on the board decent (RULES 4.5)", 2, 21)]
    swap: Annotated[bool, OptionInfo("a blank on the board may be taken for the letter it stands for (RULES 5)")]
    premium: Annotated[Premium, OptionInfo("what several word squares under one word do together (RULES 4.2)")]
    small_word_cap: Annotated[bool, OptionInfo("in words to four letters no letter counts more than that (RULES 4.3)")]
    challenge: Annotated[
        Challenge, OptionInfo("who loses what for doubted words; none: all are checked (RULES 6.1, 6.2)")
    ]
    check_ospd: Annotated[CheckOspd, OptionInfo("what a player may do about a rejected play (RULES 6.4, 6.5)")]
    two_letter_words: Annotated[str, OptionInfo("which published list decides words of two letters (RULES 6.6)")]
    disallowed_words: Annotated[str, OptionInfo("whose published lists strike words out (RULES 6.7)")]
    end: Annotated[EndRule, OptionInfo("when a game ends though nobody went out (RULES 7.2)")]
    scoreless_turns: Annotated[int, OptionInfo("scoreless turns in a row that end such a game (RULES 7.2)", 2, 24)]
    exchange_min: Annotated[int, OptionInfo("tiles the bag must hold for an exchange (RULES 7.1)", 1, 21)]
    unplayed_tiles: Annotated[UnplayedTiles, OptionInfo("what tiles left on racks do to the scores (RULES 7.3)")]
    unplayed_tiles_round: Annotated[bool, OptionInfo("the unplayed tiles challenge round (RULES 9.5)")]
    expose_final_rack: Annotated[bool, OptionInfo("two players show their racks once the bag is empty (RULES 9.4)")]
    clock: Annotated[Clock, OptionInfo("what time does (RULES 8)")]
    clock_seconds: Annotated[int, OptionInfo("seconds a player, or a turn, has; 0: untimed (RULES 8)", 0, 86_400)]
    overtime_points: Annotated[int, OptionInfo("points lost for each minute begun over time (RULES 8.1)", 0, 1_000)]
    overtime_minutes: Annotated[
        int, OptionInfo("minutes over time beyond which the game is lost (RULES 8.1)", 0, 1_440)
    ]
    overdraw: Annotated[Overdraw, OptionInfo("what happens to a player who drew too many tiles (RULES 9.1, 9.2)")]
    late_bad_play: Annotated[
        LateBadPlay, OptionInfo("how long a bad play that nobody noticed can be undone (RULES 9.3)")
    ]
    ties: Annotated[Ties, OptionInfo("who wins a tie (RULES 1, row 23)")]
    most_players: Annotated[int, OptionInfo("players a game may have (RULES 1, row 24)", 2, 4)]
