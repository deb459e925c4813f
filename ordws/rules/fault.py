"""The faults for which a move is refused: a closed list; each refusal adds a sentence."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Fault(Enum):
    """A reason why a move is refused before it is made, at no cost (docs/rules.md 3.6).

    The faults of a play stand in the order in which it is examined: a play with several is refused for the first.
    """

    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    DRAW_FIRST = "draw-first"
    BAD_DRAW = "bad-draw"
    SWAP_NOT_ALLOWED = "swap-not-allowed"
    NO_SUCH_BLANK = "no-such-blank"
    EXCHANGE_NOT_ALLOWED = "exchange-not-allowed"
    BAG_TOO_LOW = "bag-too-low"
    OFF_BOARD = "off-board"
    SQUARE_TAKEN = "square-taken"
    NO_NEW_TILE = "no-new-tile"
    GAP = "gap"
    MISSES_CENTRE = "misses-centre"
    NOT_CONNECTED = "not-connected"
    NOT_ON_RACK = "not-on-rack"
    TOO_MANY_TILES = "too-many-tiles"
    NO_WORD_FORMED = "no-word-formed"
    MAIN_WORD_TOO_SHORT = "main-word-too-short"
    ONLY_TWO_LETTER_WORDS = "only-two-letter-words"
    MAIN_WORD_IN_WINGS = "main-word-in-wings"
    NO_TILE_ON_INNER_BOARD = "no-tile-on-inner-board"
    DISALLOWED_WORD = "disallowed-word"
    UNACCEPTABLE_PLAY = "unacceptable-play"
    CHALLENGE_NOT_ALLOWED = "challenge-not-allowed"
    CHECK_NOT_ALLOWED = "check-not-allowed"
    NOT_A_NEW_WORD = "not-a-new-word"
    PLAY_STANDS = "play-stands"
    BAD_TIME = "bad-time"
    ADJUSTMENT_NOT_ALLOWED = "adjustment-not-allowed"


class Illegal(NamedTuple):
    """A refused move: its first fault, and a sentence for the player."""

    fault: Fault
    message: str
