"""Games of two computer players, in which the order of the tiles is dealt beforehand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from ordws.computer.choose import Choice, SeatTask, VisibleGame, once_drawn
from ordws.computer.words import PublicWords
from ordws.records.notation import read_move_with_swaps
from ordws.rules.bag import fill_bag
from ordws.rules.event import Challenged, Checked, Drew, Event, Exchanged, Passed, Played, Proposed, Stood, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Move, Pass, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import (
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayPropose,
    MayReplay,
    ToDraw,
    ToMove,
    TurnOutcome,
    unseen_tiles,
    visible_racks,
)
from ordws.rules.turn_order import tiles_to_draw

Player: TypeAlias = Callable[[VisibleGame], Choice]
Watch: TypeAlias = Callable[[int, VisibleGame, Choice], None]


class DealtGame:
    """A game whose tiles are drawn in the order of a deal, whoever draws them."""

    def __init__(self, rules: RuleSet, words: PublicWords, deal: str) -> None:
        rng = Random(deal)
        bag = fill_bag(rules, rng)
        self._words, self._order = words, "".join(rng.sample(bag, len(bag)))
        self.state = initial_state(Game(rules, 2, bag))

    def play(self, players: tuple[Player, Player], watch: Watch = lambda seat, view, choice: None) -> GameState:
        """Play the game to its end, and return how it ended; raises ValueError for a turn that the rules refuse."""
        while not isinstance(self.state.phase, GameOver):
            match self.state.phase:
                case ToDraw((seat, *_)):
                    self._draw(seat)
                    continue
                case MayBeChallenged(mover):
                    seat = 1 - mover
                case MayCheckOspd(seat) | MayReplay(seat) | ToMove(seat):
                    pass
                case MayPropose((seat, *_)):
                    pass
            view = view_of(self.state, seat)
            choice = players[seat](view)
            watch(seat, view, choice)
            self._take(seat, view.task, choice)
        return self.state

    def _draw(self, seat: int) -> None:
        tiles = self._order[: tiles_to_draw(self.state, seat)]
        # Tiles that were given back in an exchange are drawn last.
        self._order = self._order[len(tiles) :] + self.state.exchanged_tiles
        self._apply(Drew(seat, tiles))

    def _take(self, seat: int, task: SeatTask, choice: Choice) -> None:
        phase, rules = self.state.phase, self.state.rules
        if choice.move == "challenge":
            assert isinstance(phase, MayBeChallenged)
            self._apply(Challenged(seat, (), upheld=not self._words.are_acceptable(rules, phase.ruling.words)))
            return
        if choice.move == "check-ospd":
            self._apply(Checked(seat, found=True, word=choice.word))
            return
        if task is SeatTask.CHALLENGE:
            self._apply(Stood())
            while isinstance(self.state.phase, ToDraw):
                self._draw(self.state.phase.players[0])
            if isinstance(self.state.phase, GameOver):
                return
        swaps, move = read_move_with_swaps(choice.move)
        for row, column in swaps:
            self._apply(Swapped(seat, row, column))
        if task is SeatTask.PROPOSE:
            play = move if isinstance(move, Play) else None
            self._apply(Proposed(seat, play, accepted=play is not None and self._is_good(play)))
        elif task is SeatTask.CHECK:
            self._apply(Stood())
        else:
            self._apply(self._event(seat, move))

    def _event(self, seat: int, move: Move) -> Event:
        match move:
            case Play():
                return Played(seat, move, accepted=self._is_good(move))
            case Exchange(tiles):
                return Exchanged(seat, tiles)
            case Pass():
                return Passed(seat)

    def _is_good(self, play: Play) -> bool:
        ruling = judge(self.state.rules, self.state.board, play)
        return isinstance(ruling, Legal) and self._words.are_acceptable(self.state.rules, ruling.words)

    def _apply(self, event: Event) -> None:
        following = apply_event(self.state, event)
        if isinstance(following, Illegal):
            raise ValueError(f"{event} cannot happen: {following.message}")
        self.state = following


def view_of(state: GameState, seat: int) -> VisibleGame:
    """Return what a seat may see of a game in which it is to decide."""
    other = 1 - seat
    phase, task = state.phase, SeatTask.MOVE
    words: tuple[str, ...] = ()
    match phase:
        case MayReplay():
            task = SeatTask.REPLAY
        case MayBeChallenged(_, ruling):
            task, words = SeatTask.CHALLENGE, tuple(ruling.words)
        case MayCheckOspd(_, ruling, left):
            task, words = SeatTask.CHECK, left or tuple(ruling.words)
        case MayPropose():
            task = SeatTask.PROPOSE
        case _:
            pass
    off = [turn for turn in state.turns if turn.player == seat and turn.outcome is TurnOutcome.OFF and turn.ruling]
    seen = VisibleGame(
        state.rules,
        state.board,
        state.seats[seat].rack,
        "".join([tile * count for tile, count in unseen_tiles(state, seat).items()]),
        len(state.bag),
        len(state.seats[other].rack),
        visible_racks(state, seat)[other],
        state.scores[seat] - state.scores[other],
        task,
        words,
        frozenset([word for turn in off if turn.ruling for word in turn.ruling.words if len(word) > 2]),
    )
    return once_drawn(seen)
