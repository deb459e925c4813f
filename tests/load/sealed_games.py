"""Sealed games of one client that plays both seats: each request needs the reply to the one before it.

Their plays are a staircase of three-letter words, each from the last letter of the word before; a player who has no
such word exchanges three tiles. A seat fetches the game before it moves, as clients do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ordws.client import operations
from ordws.client.replies import OpenedGame, Standing, Turn
from ordws.client.wire import Request as Operation
from tests.load.http_request import Request, headers_of, request

MOST_TURNS: Final = 14
"""The turns after which the seat to move resigns, so that games end."""

_RULES: Final = "scrabble-o"
_SIDE: Final = 15
_REACH: Final = 2


class Stair(NamedTuple):
    """The end of the staircase: a square, the direction, and the letter that lies there, if any."""

    row: int = 7
    column: int = 5
    is_across: bool = True
    letter: str = ""


def by_first(words: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the three-letter words by their first letter, and all of them under the empty string."""
    found: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(word) == 1 + _REACH:
            found[""].append(word)
            found[word[0]].append(word)
    return found


class SealedGameTable:
    """Sealed games in sequence. `next` must not be called again before its request was answered."""

    def __init__(self, key: str, words: Mapping[str, Sequence[str]], games: int) -> None:
        self._headers, self._words, self._left = headers_of(key), words, games
        self.is_waiting = False
        self._begin()

    @property
    def is_done(self) -> bool:
        """True if all its games are over."""
        return not self._left

    def next(self) -> Request:
        """Return the next request; a refused or lost request is repeated, since a turn takes only one move."""
        self.is_waiting = True
        return request("sealed", self._operation, self._headers, self._answered)

    def _answered(self, answer: Any) -> None:
        self.is_waiting = False
        match answer:
            case OpenedGame():
                self._game, self._tokens = answer.game, [seat.token for seat in answer.seats]
                self._look(0)
            case Standing():
                move, self._laid = self._choice(answer)
                self._plan(operations.take_turn(self._game, self._tokens[answer.you], answer.turn, move))
            case Turn():
                self._stair = self._laid
                if answer.standing.mover is None:
                    self._plan(operations.record(self._game, self._tokens[0]))
                else:
                    self._look(answer.standing.mover)
            case str():
                self._left -= 1
                self._begin()
            case None:
                pass

    def _begin(self) -> None:
        self._stair = self._laid = Stair()
        self._plan(operations.open_game(["ann", "ben"], rules=_RULES))

    def _look(self, seat: int) -> None:
        self._plan(operations.standing(self._game, self._tokens[seat]))

    def _plan(self, operation: Operation[Any]) -> None:
        self._operation = operation

    def _choice(self, standing: Standing) -> tuple[str, Stair]:
        """Return a move, and the end of the staircase after it."""
        rack, stair = standing.rack, self._stair
        if standing.turn > MOST_TURNS:
            return "resign", stair
        end = (stair.column if stair.is_across else stair.row) + _REACH
        word = next((word for word in self._words.get(stair.letter, ()) if _is_held(word, stair.letter, rack)), None)
        if word is None or end >= _SIDE:
            return f"-{rack[:3]}", stair
        column = chr(ord("A") + stair.column)
        square = f"{stair.row + 1}{column}" if stair.is_across else f"{column}{stair.row + 1}"
        spelt = f"{square} {'.' if stair.letter else word[0]}{word[1:]}"
        if stair.is_across:
            return spelt, Stair(stair.row, end, False, word[-1])
        return spelt, Stair(end, stair.column, True, word[-1])


def _is_held(word: str, letter: str, rack: str) -> bool:
    return not Counter(word[len(letter) :]) - Counter(rack)
