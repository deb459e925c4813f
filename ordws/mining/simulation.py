"""Whole games that nobody plays, as events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias

from ordws.mining.dawg import Dawg
from ordws.mining.move_generator import generate_plays
from ordws.mining.swaps import after_swaps
from ordws.rules.bag import draw_tiles, fill_bag
from ordws.rules.draws import tiles_to_draw
from ordws.rules.event import Challenged, Drew, Event, Exchanged, Passed, Played, Resigned, Stood, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove

Strategy: TypeAlias = Callable[[GameState, Dawg, Random], Event]
"""What happens next in a game that is not over; the words of the graph are the acceptable ones."""

MAX_IDLE_TURNS: Final = 24
"""Turns in a row that add nothing, after which an honest player gives up.

The rules end such a game themselves, but for an empty board and where a clock is to do it. (RULES 7.2, A-25)
"""


def honest_strategy(state: GameState, dawg: Dawg, rng: Random) -> Event:
    """Players who know all words make the play that scores most, swaps before it included, and challenge what is bad.

    Who has no play exchanges his rack, or else passes.
    """
    match state.phase:
        case ToDraw(players):
            return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
        case ToMove(player):
            return _best_play(state, dawg, player) or _exchange_pass_or_resign(state, player)
        case MayReplay(player):
            return _best_play(state, dawg, player) or Passed(player)
        case MayBeChallenged(player, ruling):
            is_good = all(word in dawg for word in ruling.words)
            doubters = [] if is_good else other_players(state, player)
            return Challenged(doubters[0], (), upheld=True) if doubters else Stood()
        case MayCheckOspd():
            return Stood()
        case GameOver():
            raise ValueError("the game is over")


def play_out(rules: RuleSet, dawg: Dawg, players: int, rng: Random, strategy: Strategy = honest_strategy) -> Game:
    """A whole game of so many players, from the filling of the bag on; all that happens is chosen by `choose`.

    Raises ValueError on an event that cannot happen. Where players who never give up cannot end a game, it has no end.
    """
    game = Game(rules, players, fill_bag(rules, rng))
    state = initial_state(game)
    events: list[Event] = []
    while not isinstance(state.phase, GameOver):
        event = strategy(state, dawg, rng)
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise ValueError(f"{event} cannot happen: {following.message}")
        events.append(event)
        state = following
    return replace(game, events=tuple(events))


def _best_play(state: GameState, dawg: Dawg, player: int) -> Swapped | Played | None:
    """The play that scores most, or the first of the swaps before it; None without a play."""
    rules = state.rules
    choices = (
        (legal.score, squares, play)
        for squares, board, rack in after_swaps(rules, state.board, state.seats[player].rack)
        for play, legal in generate_plays(rules, dawg, board, rack)
    )
    best = max(choices, key=lambda choice: choice[0], default=None)
    if best is None:
        return None
    _, squares, play = best
    return Swapped(player, *squares[0]) if squares else Played(player, play)


def _exchange_pass_or_resign(state: GameState, player: int) -> Exchanged | Passed | Resigned:
    if len(state.turns) >= MAX_IDLE_TURNS and not any(turn.added_tiles for turn in state.turns[-MAX_IDLE_TURNS:]):
        return Resigned(player)
    exchange = Exchanged(player, state.seats[player].rack)
    return Passed(player) if isinstance(apply_event(state, exchange), Illegal) else exchange


def other_players(state: GameState, player: int) -> list[int]:
    """Who are still in the game beside a player."""
    return [other for other in state.active_players if other != player]
