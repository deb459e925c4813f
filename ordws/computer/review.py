"""A review of a game: for each turn the best plays from public words, and what the turn that was taken lost on them.

It asks no word set, and does not look at verdicts: a play counts as if it had stood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from ordws.computer.candidates import Breadth, RatedTurn, best_candidates, worth_of_leaves
from ordws.computer.choose import draw_other_rack, position_of
from ordws.computer.endgame import play_endgame
from ordws.computer.leaves import leave_values
from ordws.computer.look_ahead import look_ahead
from ordws.computer.visible_game import VisibleGame
from ordws.computer.words import PublicWords, Strength
from ordws.records.move_notation import MoveWithSwaps, write_move_with_swaps
from ordws.rules.bag import remove_tiles
from ordws.rules.move import Exchange, Move, Play
from ordws.rules.tiles import BLANK, as_drawn

SHOWN: Final = 5
"""The best turns that are told."""
REVIEW_DISCLAIMER: Final = "by words that everybody may know; a play of yours that is not among them may be better"
_BREADTH: Final = Breadth(candidates=SHOWN, plays=1_000, blanks=2, both=True)
_ROUNDS: Final = ((SHOWN + 1, 16),)
"""All of them and the own turn are answered by the same racks, so that none is looked at less closely."""


class OwnTurn(NamedTuple):
    """A turn as it was taken: what its player saw, the swaps and the move, and the score of the play."""

    player: str
    view: VisibleGame
    swaps: tuple[tuple[int, int], ...]
    move: Move
    score: int
    number: int
    """The number of the turn in its score sheet, or of its line among those of a record's players."""


class ReviewedTurn(NamedTuple):
    """A turn, the best turns that public words allow, and by how many points the best of them is better."""

    number: int
    player: str
    rack: str
    move: str
    score: int
    value: float
    """The equity of the turn, less what the opponent's replies take off it; of the best turns as well."""
    lost: float
    best: tuple[RatedTurn, ...]


def write_turn(turn: RatedTurn) -> str:
    """Return a turn as records write it."""
    return write_move_with_swaps(MoveWithSwaps(turn.swaps, turn.move))


def describe_best(best: Sequence[RatedTurn]) -> list[dict[str, Any]]:
    """Return the best turns as JSON has them."""
    return [{"move": write_turn(each), "score": each.score, "value": round(each.equity, 1)} for each in best]


def review_turns(
    turns: Iterable[OwnTurn], words: PublicWords, seed: str = "review", is_time_up: Callable[[], bool] = lambda: False
) -> Iterator[ReviewedTurn]:
    """Yield the review of each turn; it follows from the turns, the words and the seed alone."""
    for number, taken in enumerate(turns, start=1):
        best, own = _rate(taken, words, Random(f"{seed}/{number}"), is_time_up)
        move = write_move_with_swaps(MoveWithSwaps(taken.swaps, taken.move))
        lost = max(best[0].equity - own.equity, 0.0)
        yield ReviewedTurn(number, taken.player, taken.view.rack, move, taken.score, own.equity, lost, best)


def _rate(
    taken: OwnTurn, words: PublicWords, rng: Random, is_time_up: Callable[[], bool]
) -> tuple[tuple[RatedTurn, ...], RatedTurn]:
    """Return the best turns and the own one, with their values."""
    view = taken.view
    position, other = position_of(view, words.graph(view.rules, Strength.STRONG)), view.known_other_rack
    leaves = leave_values(view.rules.id)
    found = best_candidates(position, leaves, _BREADTH)
    leave = _leave(taken)
    own = RatedTurn(taken.swaps, taken.move, taken.score, leave, 0.0)
    own = own._replace(equity=taken.score + worth_of_leaves(position, leaves, leave)[leave])
    if not view.bag and other is not None:
        end = play_endgame(position, other, is_time_up)
        spread = play_endgame(position, other, is_time_up, own).spread
        return (end.turn._replace(equity=end.spread),), own._replace(equity=spread)
    others = [each for each in found if each[:2] != own[:2]]
    draw_rack = partial(draw_other_rack, view, rng)
    rated = look_ahead(position, [own, *others], leaves, draw_rack, is_time_up, _ROUNDS)
    # The own turn is always rated, but it is listed only where public words have it among the best.
    is_listed = len(others) < len(found)
    listed = [each for each in rated if is_listed or each[:2] != own[:2]]
    return tuple(listed[:SHOWN]), next(each for each in rated if each[:2] == own[:2])


def _leave(taken: OwnTurn) -> str:
    """Return what the turn left on the rack, in the order of a rack."""
    rack, board = taken.view.rack, taken.view.board
    for row, column in taken.swaps:
        rack = rack.replace(board.letter_at(row, column).upper(), "", 1) + BLANK
    match taken.move:
        case Play(letters=letters):
            return remove_tiles(rack, as_drawn(letters))
        case Exchange(tiles):
            return remove_tiles(rack, tiles)
        case _:
            return rack
