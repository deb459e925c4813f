"""The turns that a seat could take, by their equity: the score, and the value of what it leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from ordws.computer.leaves import LeaveValues
from ordws.movegen.found import FoundPlays
from ordws.movegen.graph import Graph
from ordws.movegen.moves import Moves, SwapChoice, find_plays
from ordws.movegen.swaps import AfterSwaps, after_swaps
from ordws.rules.bag import exchange_needs, remove_tiles, sort_tiles
from ordws.rules.board import EMPTY, Board
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Move, Pass, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK, face_value

MOST_LOOKED_AT: Final = 2_000
"""The most plays of a turn whose leaves are looked at."""
MOST_BLANKS: Final = 2
"""The most blanks of a rack that plays are looked for with; a third one stays on the rack."""


class Position(NamedTuple):
    """What plays are looked for on: the rules, the words, the board, a rack, and what is known of the rest."""

    rules: RuleSet
    graph: Graph
    board: Board
    rack: str
    bag: int
    other_face: float
    """The face value of the opponent's rack, as far as it is known."""


class Candidate(NamedTuple):
    """A turn: its swaps, its move, its score, and its equity in points."""

    swaps: SwapChoice
    move: Move
    score: int
    leave: str
    equity: float


class Turns:
    """The plays of a position, the best score first, with the boards that their swaps lead to."""

    def __init__(self, rules: RuleSet, graph: Graph, board: Board, rack: str) -> None:
        self.rules = rules
        reached = _swaps_to_try(rules, board, rack)
        self.after: dict[SwapChoice, AfterSwaps] = {each.squares: each for each in reached}
        self.moves = Moves((each.squares, _find(rules, graph, each)) for each in reached)

    def ruling(self, move: Play, swaps: SwapChoice) -> Legal:
        """Return the engine's ruling on a play."""
        ruling = judge(self.rules, self.after[swaps].board, move)
        assert isinstance(ruling, Legal)
        return ruling


def _swaps_to_try(rules: RuleSet, board: Board, rack: str) -> list[AfterSwaps]:
    """Return the position without swaps, and that after as many as the rack can make: a blank is worth its letter."""
    none = AfterSwaps((), board, rack)
    if not rules.swap:
        return [none]
    *_, most = after_swaps(rules, board, rack)
    return [none, most] if most.squares else [none]


def _find(rules: RuleSet, graph: Graph, reached: AfterSwaps) -> FoundPlays:
    surplus = reached.rack.count(BLANK) - MOST_BLANKS
    rack = reached.rack[:-surplus] if surplus > 0 else reached.rack
    return find_plays(rules, graph, reached.board, rack)


def used_tiles(play: Play) -> str:
    """Return the tiles that a play takes from the rack."""
    return "".join([BLANK if letter > 96 else chr(letter) for letter in play.letters if letter != EMPTY])


class Equity:
    """The equity of turns in a position."""

    def __init__(self, position: Position, leaves: LeaveValues) -> None:
        self._position, self._leaves = position, leaves
        # What stays on the rack is worth less the fewer tiles there are to play it with, and in the end it costs.
        self._share = min(1.0, position.bag / position.rules.rack_size)

    def __call__(self, score: int, leave: str) -> float:
        if not leave and not self._position.bag:
            return score + 2 * self._position.other_face
        return score + self._share * self._leaves[leave] - (1 - self._share) * face_value(leave)

    def best_leave(self, rack: str) -> float:
        """Return the most that any leave of a rack is worth."""
        distinct = {"".join(kept) for size in range(len(rack) + 1) for kept in combinations(rack, size)}
        return max([self(0, leave) for leave in distinct])


def best_candidates(
    position: Position, leaves: LeaveValues, most: int, barred: frozenset[str] = frozenset()
) -> list[Candidate]:
    """Return the turns of the highest equity, the best first; a pass where nothing else can be done."""
    equity = Equity(position, leaves)
    turns = Turns(position.rules, position.graph, position.board, position.rack)
    found = sorted([*_exchanges(position, equity), *_plays(turns, equity, most, barred)], key=_by_equity)
    return found[:most] or [Candidate((), Pass(), 0, position.rack, equity(0, position.rack))]


def _by_equity(candidate: Candidate) -> float:
    return -candidate.equity


def _plays(turns: Turns, equity: Equity, most: int, barred: frozenset[str]) -> list[Candidate]:
    """Return the best plays; the others score too little for the best of leaves to make up for it."""
    found: list[Candidate] = []
    highest = {squares: equity.best_leave(each.rack) for squares, each in turns.after.items()}
    best_leave, worst = max(highest.values()), float("-inf")
    for play, score, swaps in _first(turns.moves, MOST_LOOKED_AT):
        if len(found) >= most and score + best_leave <= worst:
            break
        leave = sort_tiles(remove_tiles(turns.after[swaps].rack, used_tiles(play)))
        value = equity(score, leave)
        if (len(found) < most or value > worst) and (not barred or barred.isdisjoint(turns.ruling(play, swaps).words)):
            found.append(Candidate(swaps, play, score, leave, value))
            if len(found) >= 2 * most:
                found = sorted(found, key=_by_equity)[:most]
            if len(found) >= most:
                worst = sorted([each.equity for each in found])[-most]
    return found


def _first(moves: Moves, most: int) -> Iterator[tuple[Play, int, SwapChoice]]:
    for number in range(min(len(moves), most)):
        yield moves[number]


def _exchanges(position: Position, equity: Equity) -> Iterable[Candidate]:
    """Yield the exchanges that the bag allows, each leave once."""
    rack = position.rack
    leaves = {"".join(kept) for size in range(len(rack)) for kept in combinations(rack, size)}
    for leave in sorted(leaves):
        if position.bag >= exchange_needs(position.rules, len(rack) - len(leave)):
            yield Candidate((), Exchange(remove_tiles(rack, leave)), 0, leave, equity(0, leave))
