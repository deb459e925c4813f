"""A table at which two seats of one client play sealed games: each request needs what the one before it was answered.

Their plays are a staircase of three-letter words, each on the last letter of the one before it; who cannot go on
exchanges three tiles. A seat looks at the game before it moves, as clients do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ordws.client import operations
from ordws.client.replies import OpenedGame, Standing, Turn
from ordws.client.wire import Request as Asked
from tests.load.http_request import Request, headers_of, request

MOST_TURNS: Final = 14
"""Then the seat to move resigns, so that games have an end."""

_RULES: Final = "scrabble-o"
_SIDE: Final = 15
_REACH: Final = 2


class Stair(NamedTuple):
    """Where the staircase goes on: a square, whether across or down, and the letter that lies there, if any."""

    row: int = 7
    column: int = 5
    is_across: bool = True
    letter: str = ""


def by_first(words: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """The three-letter words by their first letter, and all of them by none."""
    found: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(word) == 1 + _REACH:
            found[""].append(word)
            found[word[0]].append(word)
    return found


class SealedGameTable:
    """One game after another. What `next` gives is not asked for again before it was answered."""

    def __init__(self, key: str, words: Mapping[str, Sequence[str]], games: int) -> None:
        self._headers, self._words, self._left = headers_of(key), words, games
        self.is_waiting = False
        self._begin()

    @property
    def is_done(self) -> bool:
        """Whether all its games are over."""
        return not self._left

    def next(self) -> Request:
        """What it sends now. What was refused or lost is sent again: a turn takes one move, however often it comes."""
        self.is_waiting = True
        return request("sealed", self._asked, self._headers, self._answered)

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

    def _plan(self, asked: Asked[Any]) -> None:
        self._asked = asked

    def _choice(self, standing: Standing) -> tuple[str, Stair]:
        """A move, and where the staircase ends after it."""
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
