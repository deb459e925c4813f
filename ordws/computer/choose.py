"""The turn that the computer player takes: a pure function of what its seat sees, the public words and a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from random import Random
from typing import Final, NamedTuple

from ordws.computer.candidates import Breadth, RackPlays, RackPosition, RatedTurn, best_candidates, leave_values
from ordws.computer.look_ahead import look_ahead, play_endgame
from ordws.computer.words import PublicWords, Strength
from ordws.movegen.graph import Graph
from ordws.records.notation import MoveWithSwaps, write_move_with_swaps
from ordws.rules.bag import exchange_needs, sort_tiles
from ordws.rules.board import Board
from ordws.rules.move import Exchange, Pass
from ordws.rules.ruleset import CheckOspd, RuleSet
from ordws.rules.tiles import face_value


class SeatTask(Enum):
    """The decision that is asked of a seat."""

    MOVE = "move"
    """A play, an exchange or a pass; a play that could be challenged stands with it."""
    REPLAY = "replay"
    """Another play or a pass, after a check of the OSPD."""
    CHALLENGE = "challenge"
    """To challenge the opponent's last play, or else to move."""
    CHECK = "check"
    """To check the OSPD for the own play, which was rejected, or to go on without."""
    PROPOSE = "propose"
    """A play with the opponent's tiles, or none (docs/rules.md 9.5)."""


class VisibleGame(NamedTuple):
    """The part of a game that a seat may see."""

    rules: RuleSet
    board: Board
    rack: str
    unseen: str
    """The tiles of the pool that the seat does not see, in any order (docs/rules.md 2.2.3)."""
    bag: int
    """The number of tiles in the bag."""
    other_count: int
    """The number of tiles on the opponent's rack."""
    other_rack: str | None = None
    """The opponent's rack where the rules show it."""
    lead: int = 0
    """The seat's score less the opponent's."""
    task: SeatTask = SeatTask.MOVE
    words: tuple[str, ...] = ()
    """The words in question of a challenge or a check; in Dover's check those left to name."""
    barred: frozenset[str] = frozenset()
    """Words of the seat's own plays that came off, which it tries no second time."""

    @property
    def known_other_rack(self) -> str | None:
        """The opponent's rack where it is shown, or follows from the tiles: nothing else is unseen."""
        if self.other_rack is not None:
            return self.other_rack
        return self.unseen if len(self.unseen) == self.other_count and not self.bag else None


def once_drawn(view: VisibleGame) -> VisibleGame:
    """Return the view as it is once the opponent has drawn, if the opponent's play is still in question."""
    drawn = min(view.rules.rack_size - view.other_count, view.bag) if view.task is SeatTask.CHALLENGE else 0
    return view._replace(bag=view.bag - drawn, other_count=view.other_count + drawn)


OWN_TURN: Final = Breadth(candidates=8, plays=1_000, blanks=2, both=True)
"""How widely a turn of the computer's own is looked for."""
LOOKS_AHEAD: Final = frozenset({"classic"})
"""The rule sets under which looking at replies wins more games than it loses, as measured (docs/computer.md 5)."""
EASY_SHARES: Final = (0.45, 0.85)
"""The scores that `easy` is content with, as shares of the best score that it sees."""


class Choice(NamedTuple):
    """A turn as a seat sends it: the move as records write it, `challenge` or `check-ospd`."""

    move: str
    word: str = ""
    """The word that Dover's check names."""


def choose(
    view: VisibleGame,
    words: PublicWords,
    strength: Strength,
    seed: str,
    is_time_up: Callable[[], bool] = lambda: False,
) -> Choice:
    """Return the turn that the computer takes.

    It follows from the arguments alone: the same view with the same seed gives the same turn, unless the time is up
    first, which ends the look ahead.
    """
    view = once_drawn(view)
    rng = Random(f"{seed}/{view.board.across.hex()}/{view.rack}/{view.task.value}")
    graph = words.graph(view.rules, strength)
    match view.task:
        case SeatTask.CHALLENGE if not words.are_acceptable(view.rules, view.words):
            return Choice("challenge")
        case SeatTask.CHALLENGE if not (view.bag or view.other_count):
            # The play has ended the game, and a pass says that it stands.
            return Choice("-")
        case SeatTask.CHECK:
            return _check(view, words)
        case SeatTask.PROPOSE:
            return _propose(view, graph)
        case _:
            pass
    if strength is Strength.EASY:
        return Choice(write_move_with_swaps(_easy_move(view, graph, rng)))
    best = rank_turns(view, graph, strength, rng, is_time_up)[0]
    return Choice(write_move_with_swaps(MoveWithSwaps(best.swaps, best.move)))


def _check(view: VisibleGame, words: PublicWords) -> Choice:
    """Check the OSPD where the public list has every word of the play, for then it costs nothing."""
    if not all(word in words.reference for word in view.words):
        return Choice("-")
    return Choice("check-ospd", view.words[0] if view.rules.check_ospd is CheckOspd.DOVER else "")


def _propose(view: VisibleGame, graph: Graph) -> Choice:
    """Propose the play with the opponent's tiles that scores most; swaps are not allowed."""
    turns = RackPlays(view.rules, graph, view.board, view.other_rack or "", OWN_TURN)
    plays = [play for play, _, swaps in turns.moves if not swaps]
    return Choice(write_move_with_swaps(MoveWithSwaps((), plays[0] if plays else Pass())))


def position_of(view: VisibleGame, graph: Graph) -> RackPosition:
    """Return the position that a seat is in, with what follows of the opponent's rack on the mean."""
    other = view.known_other_rack
    mean = face_value(view.unseen) / max(len(view.unseen), 1) * view.other_count
    return RackPosition(
        view.rules, graph, view.board, view.rack, view.bag, mean if other is None else face_value(other)
    )


def rank_turns(
    view: VisibleGame, graph: Graph, strength: Strength, rng: Random, is_time_up: Callable[[], bool] = lambda: False
) -> list[RatedTurn]:
    """Return the best turns of a seat as a strength sees them, the best first; there is always one."""
    position, other = position_of(view, graph), view.known_other_rack
    leaves = leave_values(view.rules.id)
    found = best_candidates(position, leaves, OWN_TURN, view.barred)
    if view.task is SeatTask.REPLAY:
        # After a check of the OSPD there is another play, or a pass.
        plays = [each for each in found if not isinstance(each.move, Exchange)]
        found = plays or [RatedTurn((), Pass(), 0, view.rack, 0.0)]
    if strength is not Strength.STRONG or len(found) == 1:
        return found
    if not view.bag and other is not None and not view.barred:
        best = play_endgame(position, other, is_time_up)
        return [best.turn._replace(equity=best.spread), *[each for each in found if each.move != best.turn.move]]
    if view.rules.id not in LOOKS_AHEAD:
        return found
    return look_ahead(position, found, leaves, partial(draw_other_rack, view, rng), is_time_up)


def draw_other_rack(view: VisibleGame, rng: Random) -> str:
    """Return a rack that the opponent may hold, as likely as any other; the one that is known, if it is."""
    if view.known_other_rack is not None:
        return view.known_other_rack
    return sort_tiles("".join(rng.sample(sorted(view.unseen), min(view.other_count, len(view.unseen)))))


def _easy_move(view: VisibleGame, graph: Graph, rng: Random) -> MoveWithSwaps:
    """Return a play of middling score, or an exchange of the whole rack, or a pass."""
    turns = RackPlays(view.rules, graph, view.board, view.rack, OWN_TURN)
    moves = turns.moves
    good: Sequence[int] = range(len(moves))
    if view.barred:
        good = [at for at in good if view.barred.isdisjoint(moves.ruling(at).words)]
    if good:
        enough = moves.score(good[0]) * rng.uniform(*EASY_SHARES)
        most = next((score for at in good if (score := moves.score(at)) <= enough), moves.score(good[-1]))
        play, _, swaps = moves[rng.choice([at for at in good if moves.score(at) == most])]
        return MoveWithSwaps(swaps, play)
    may_exchange = view.task is not SeatTask.REPLAY and view.bag >= exchange_needs(view.rules, len(view.rack))
    return MoveWithSwaps((), Exchange(view.rack) if may_exchange and view.rack else Pass())
