"""Where chance comes into a sealed game. What was drawn is a fact of its row, so that a game replays without chance."""

from __future__ import annotations

from dataclasses import replace

from ordws.errors import Broken
from ordws.rules.bag import RandomSource, draw_tiles, fill_bag
from ordws.rules.draws import tiles_to_draw
from ordws.rules.event import Drew, Event, Stood
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import GameState, MayBeChallenged, ToDraw


def new_game(rules: RuleSet, players: int, chance: RandomSource) -> Game:
    """A game with its bag filled and its racks drawn; raises ValueError where the rules know no such game."""
    game = Game(rules, players, fill_bag(rules, chance))
    drawn, _ = run_automatic_events(initial_state(game), chance)
    return replace(game, events=drawn)


def run_automatic_events(state: GameState, chance: RandomSource) -> tuple[tuple[Event, ...], GameState]:
    """What happens of itself when somebody has acted, and where the game stands then.

    Tiles are drawn, and a play stands that nobody is left to answer.
    """
    events: list[Event] = []
    while True:
        match state.phase:
            case ToDraw((player, *_)):
                event: Event = Drew(player, draw_tiles(state.bag, tiles_to_draw(state, player), chance))
            case MayBeChallenged() if not state.active_players:
                event = Stood()
            case _:
                return tuple(events), state
        events.append(event)
        state = apply_events(state, event)


def apply_events(state: GameState, *events: Event) -> GameState:
    """Where the game stands after events that fit; raises Broken where one does not."""
    for event in events:
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise Broken(f"a sealed game holds an event that does not fit: {following.fault.value}")
        state = following
    return state
