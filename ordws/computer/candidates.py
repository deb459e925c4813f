"""The turns that a seat could take, by their equity: the score, and the value of the tiles that they leave."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Final, NamedTuple

from ordws.movegen.graph import Graph
from ordws.movegen.moves import AfterSwaps, Moves, SwapChoice, after_swaps, find_plays
from ordws.rules.bag import exchange_needs, remove_tiles
from ordws.rules.board import Board
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Move, Pass, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK, LETTERS, face_value

COPIES: Final = 3
"""The copies of a tile that have values of their own; a further copy has that of the last."""
IMBALANCES: Final = range(-4, 5)
"""How many vowels a leave has more than consonants."""
_VOWELS: Final = frozenset("AEIOU")
FEATURES: Final = (
    *[f"{tile}{copy}" for tile in LETTERS + BLANK for copy in range(1, COPIES + 1)],
    *[f"{balance:+}" for balance in IMBALANCES if balance],
    "QU",
)
"""Each copy of a tile, the balance of vowels and consonants, and Q with U."""


def features(leave: str) -> list[str]:
    """Return the features of a leave, as some of `FEATURES`."""
    named: list[str] = []
    vowels = consonants = 0
    for tile in LETTERS + BLANK:
        if not (count := leave.count(tile)):
            continue
        named += [f"{tile}{min(copy, COPIES)}" for copy in range(1, count + 1)]
        if tile in _VOWELS:
            vowels += count
        elif tile != BLANK:
            consonants += count
    if vowels != consonants:
        named.append(f"{max(min(vowels - consonants, IMBALANCES[-1]), IMBALANCES[0]):+}")
    if "Q" in leave and "U" in leave:
        named.append("QU")
    return named


class LeaveValues:
    """The values of leaves under a rule set: the sum of the values of their features."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values
        self._known: dict[str, float] = {"": 0.0}

    def __getitem__(self, leave: str) -> float:
        """Return the value of a leave, written in the order of a rack."""
        value = self._known.get(leave)
        if value is None:
            value = self._known[leave] = sum([self._values.get(feature, 0.0) for feature in features(leave)])
        return value


@cache
def leave_values(rules_id: str) -> LeaveValues:
    """Return the values of a rule set as `make computer-values` has learned them; before it has, those of classic."""
    table = tomllib.loads(files(__package__).joinpath("leaves.toml").read_text("utf-8"))
    return LeaveValues(table.get(rules_id, table["classic"]))


class Breadth(NamedTuple):
    """The breadth with which turns are looked for."""

    candidates: int
    """The turns that are returned."""
    plays: int
    """The plays of the highest scores whose leaves are looked at."""
    blanks: int
    """The blanks of a rack that plays are looked for with; a further one stays on the rack."""
    both: bool
    """Whether plays are looked for without swaps for the blank as well, where there can be swaps."""


class RackPosition(NamedTuple):
    """A rack at a board: the rules, the words, and what is known of the other tiles."""

    rules: RuleSet
    graph: Graph
    board: Board
    rack: str
    bag: int
    other_face: float
    """The face value of the opponent's rack, as far as it is known."""


class RatedTurn(NamedTuple):
    """A turn: its swaps, its move, its score, what it leaves, and its equity in points."""

    swaps: SwapChoice
    move: Move
    score: int
    leave: str
    equity: float


class RackPlays:
    """The plays of a rack on a board, the best score first, with the positions that their swaps lead to."""

    def __init__(self, rules: RuleSet, graph: Graph, board: Board, rack: str, breadth: Breadth) -> None:
        self._rules = rules
        none = AfterSwaps((), board, rack)
        reached = [none]
        if rules.swap:
            # A blank is worth any letter, so that as many are taken as the rack has letters for, or none.
            *_, most = after_swaps(rules, board, rack)
            reached = ([none, most] if breadth.both else [most]) if most.squares else [none]
        self.after: dict[SwapChoice, AfterSwaps] = {each.squares: each for each in reached}
        self.moves = Moves(
            (each.squares, find_plays(rules, graph, each.board, _with_blanks(each.rack, breadth.blanks)))
            for each in reached
        )

    def words(self, play: Play, swaps: SwapChoice) -> list[str]:
        """Return the words that a play makes."""
        ruling = judge(self._rules, self.after[swaps].board, play)
        assert isinstance(ruling, Legal)
        return ruling.words


def _with_blanks(rack: str, most: int) -> str:
    """Return a rack without its blanks beyond so many; they come last."""
    surplus = rack.count(BLANK) - most
    return rack[:-surplus] if surplus > 0 else rack


def worth_of_leaves(position: RackPosition, leaves: LeaveValues, rack: str) -> dict[str, float]:
    """Return what each part of a rack is worth if it is left after a turn.

    It is worth less the fewer tiles there are to play it with. In the end it costs its face value, and who has nothing
    left gains that of the other rack twice, or once while the other player loses it (docs/rules.md 7.3).
    """
    share = min(1.0, position.bag / position.rules.rack_size)
    worth = {}
    for size in range(len(rack) + 1):
        for kept in combinations(rack, size):
            leave = "".join(kept)
            if leave not in worth:
                worth[leave] = share * leaves[leave] - ((1 - share) * face_value(leave) if share < 1 else 0.0)
    if not position.bag:
        worth[""] = 2 * position.other_face
    return worth


def best_candidates(
    position: RackPosition, leaves: LeaveValues, breadth: Breadth, barred: frozenset[str] = frozenset()
) -> list[RatedTurn]:
    """Return the turns of the highest equity, the best first; a pass where nothing else can be done."""
    turns = RackPlays(position.rules, position.graph, position.board, position.rack, breadth)
    worth = {squares: worth_of_leaves(position, leaves, each.rack) for squares, each in turns.after.items()}
    plays = _plays(turns, worth, breadth, barred)
    *_, (squares, _, rack) = turns.after.values()
    found = sorted([*plays, *_exchanges(position, squares, rack, worth[squares], breadth)], key=_falling_equity)
    return found[: breadth.candidates] or [RatedTurn(squares, Pass(), 0, rack, worth[squares][rack])]


def _falling_equity(candidate: RatedTurn) -> float:
    return -candidate.equity


def _plays(
    turns: RackPlays, worth: dict[SwapChoice, dict[str, float]], breadth: Breadth, barred: frozenset[str]
) -> Iterator[RatedTurn]:
    """Yield the best plays; the others score too little for the best of leaves to make up for it."""
    moves, most = turns.moves, breadth.candidates
    best_leave = max([max(each.values()) for each in worth.values()])
    kept: dict[tuple[SwapChoice, str], str] = {}
    found: list[tuple[float, int, str]] = []
    for number in range(min(len(moves), breadth.plays)):
        score, swaps, tiles = moves.score(number), moves.swaps(number), moves.tiles(number)
        if len(found) == most and score + best_leave <= found[-1][0]:
            break
        leave = kept.get((swaps, tiles))
        if leave is None:
            leave = kept[swaps, tiles] = remove_tiles(turns.after[swaps].rack, tiles)
        equity = score + worth[swaps][leave]
        if len(found) == most and equity <= found[-1][0]:
            continue
        if barred and not barred.isdisjoint(turns.words(moves[number].play, swaps)):
            continue
        found = sorted([*found, (equity, number, leave)], key=lambda each: -each[0])[:most]
    for equity, number, leave in found:
        play, score, swaps = moves[number]
        yield RatedTurn(swaps, play, score, leave, equity)


def _exchanges(
    position: RackPosition, swaps: SwapChoice, rack: str, worth: dict[str, float], breadth: Breadth
) -> Iterator[RatedTurn]:
    """Yield the best exchanges that the bag allows, after the swaps that bring most blanks."""
    if position.bag < exchange_needs(position.rules, 1):
        return
    left = sorted([leave for leave in worth if len(leave) < len(rack)], key=lambda leave: (-worth[leave], leave))
    left = [leave for leave in left if position.bag >= exchange_needs(position.rules, len(rack) - len(leave))]
    for leave in left[: breadth.candidates]:
        yield RatedTurn(swaps, Exchange(remove_tiles(rack, leave)), 0, leave, worth[leave])


def board_after(position: RackPosition, candidate: RatedTurn) -> Board:
    """Return the board after a turn."""
    board = position.board
    for row, column in candidate.swaps:
        board = board.with_letters({(row, column): board.letter_at(row, column).upper()})
    if not isinstance(candidate.move, Play):
        return board
    ruling = judge(position.rules, board, candidate.move)
    assert isinstance(ruling, Legal)
    return board.with_letters(ruling.tiles)
