"""The random events of a sealed game. Tiles drawn are recorded in its rows, so that a replay needs no chance."""

from __future__ import annotations

from dataclasses import replace

from ordws.errors import Broken
from ordws.rules.bag import RandomSource, draw_tiles, fill_bag
from ordws.rules.draws import tiles_to_draw
from ordws.rules.event import Drew, Event, RoundOpened, Stood
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import GameOver, GameState, MayBeChallenged, ToDraw
from ordws.rules.unplayed_round import find_proposers


def new_game(rules: RuleSet, players: int, chance: RandomSource) -> Game:
    """Return a game with its bag filled and its racks drawn.

    Raises ValueError if the rule set has no game of so many players.
    """
    game = Game(rules, players, fill_bag(rules, chance))
    drawn, _ = run_automatic_events(initial_state(game), chance)
    return replace(game, events=drawn)


def run_automatic_events(state: GameState, chance: RandomSource) -> tuple[tuple[Event, ...], GameState]:
    """Return the events that follow by themselves, and the state after them.

    Tiles are drawn, a play stands if no player is left to challenge it, and after the end follows the unplayed tiles
    round, if there is one.
    """
    events: list[Event] = []
    while True:
        match state.phase:
            case ToDraw((player, *_)):
                event: Event = Drew(player, draw_tiles(state.bag, tiles_to_draw(state, player), chance))
            case MayBeChallenged() if not state.active_players:
                event = Stood()
            case GameOver() if find_proposers(state):
                event = RoundOpened()
            case _:
                return tuple(events), state
        events.append(event)
        state = apply_events(state, event)


def apply_events(state: GameState, *events: Event) -> GameState:
    """Return the state after these events; raises Broken if one does not fit."""
    for event in events:
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise Broken(f"a sealed game holds an event that does not fit: {following.fault.value}")
        state = following
    return state
