"""Whole simulated games, as events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias

from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate
from ordws.rules.bag import draw_tiles, fill_bag
from ordws.rules.event import Challenged, Drew, Event, Exchanged, Passed, Played, Resigned, Stood, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayPropose, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import tiles_to_draw

Strategy: TypeAlias = Callable[[GameState, Graph, Random], Event]
"""A choice of the next event in a game that is not over; the words of the graph are the acceptable ones."""

MAX_IDLE_TURNS: Final = 24
"""The number of consecutive turns without new tiles after which an honest player resigns.

The rules end such a game themselves, except on an empty board and where a clock is to do it (docs/rules.md 7.2, A-25).
"""


def honest_strategy(state: GameState, graph: Graph, rng: Random) -> Event:
    """Return the next event among players who know all words.

    They make the play that scores most, swaps before it included, and challenge bad plays. A player without a play
    exchanges the whole rack, or else passes.
    """
    match state.phase:
        case ToDraw(players):
            return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
        case ToMove(player):
            if best := _best_play(state, graph, player):
                return best
            last_turns = state.turns[-MAX_IDLE_TURNS:]
            if len(last_turns) == MAX_IDLE_TURNS and not any(turn.added_tiles for turn in last_turns):
                return Resigned(player)
            exchange = Exchanged(player, state.seats[player].rack)
            return Passed(player) if isinstance(apply_event(state, exchange), Illegal) else exchange
        case MayReplay(player):
            return _best_play(state, graph, player) or Passed(player)
        case MayBeChallenged(player, ruling):
            is_good = all(word in graph for word in ruling.words)
            challengers = [] if is_good else other_players(state, player)
            return Challenged(challengers[0], (), upheld=True) if challengers else Stood()
        case MayCheckOspd():
            return Stood()
        case MayPropose() | GameOver():
            raise ValueError("the game is over")


def play_out(rules: RuleSet, graph: Graph, players: int, rng: Random, strategy: Strategy = honest_strategy) -> Game:
    """Play a whole game, from the filling of the bag on, in which a strategy chooses every event.

    Raises ValueError for an event that does not fit. If the rules let players go on for ever, the game may not end.
    """
    game = Game(rules, players, fill_bag(rules, rng))
    state = initial_state(game)
    events: list[Event] = []
    while not isinstance(state.phase, GameOver):
        event = strategy(state, graph, rng)
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise ValueError(f"{event} cannot happen: {following.message}")
        events.append(event)
        state = following
    return replace(game, events=tuple(events))


def _best_play(state: GameState, graph: Graph, player: int) -> Swapped | Played | None:
    """Return the play that scores most, or the first of the swaps before it; None without a play."""
    # Of plays that score the same the first one is taken, so that a game follows from its seed.
    moves = generate(state.rules, graph, state.board, state.seats[player].rack)
    if not moves:
        return None
    play, _, squares = moves[0]
    return Swapped(player, *squares[0]) if squares else Played(player, play)


def other_players(state: GameState, player: int) -> list[int]:
    """Return the players still in the game, without this one."""
    return [other for other in state.active_players if other != player]
