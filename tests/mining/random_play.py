"""Games in which everything happens that the rules allow, for tests of what follows a game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps
from ordws.rules.bag import draw_tiles
from ordws.rules.board import EMPTY
from ordws.rules.event import (
    Adjusted,
    Caught,
    Challenged,
    Checked,
    Clocked,
    Drew,
    Event,
    Exchanged,
    Overdrew,
    Passed,
    Played,
    Resigned,
    ScoreEntryKind,
    Stood,
    Swapped,
    TimeUp,
)
from ordws.rules.fault import Illegal
from ordws.rules.game import apply_event
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import tiles_to_draw
from tests.judged_plays import judged_plays
from tests.mining.simulation import other_players


def random_event(state: GameState, graph: Graph, rng: Random) -> Event:
    """Return the next event among players who do anything that the rule set allows."""
    return next(
        event for event in _candidate_events(state, graph, rng) if not isinstance(apply_event(state, event), Illegal)
    )


def _candidate_events(state: GameState, graph: Graph, rng: Random) -> Iterator[Event]:
    """Yield events that might happen next, of which the last can."""
    match state.phase:
        case ToDraw((player, *_)):
            count, rack = tiles_to_draw(state, player), state.seats[player].rack
            tiles = draw_tiles(state.bag, count + 1, rng)
            if rng.random() < 0.1:
                # Too many tiles, in the form of either rule: some of them are shown, or the whole rack.
                for shown in (rng.sample(tiles, min(3, len(tiles))), [*rack, *tiles]):
                    yield Overdrew(player, tiles, "".join(shown), rng.choice(shown))
            yield Drew(player, tiles[:count])
        case ToMove(player) | MayReplay(player):
            yield from _player_events(state, graph, player, rng)
        case MayBeChallenged(player, ruling):
            doubted = rng.sample(ruling.words, rng.randint(1, len(ruling.words)))
            upheld = not all(word in graph for word in doubted)
            chance = 0.7 if upheld else 0.2
            challengers = [other for other in other_players(state, player) if rng.random() < chance]
            yield from [Challenged(other, tuple(doubted), upheld) for other in challengers]
            yield Stood()
        case MayCheckOspd(player, _, words):
            if rng.random() < 0.8:
                yield Checked(player, rng.random() < 0.6, rng.choice(words) if words else "")
            yield Stood()
        case GameOver():
            return


def _player_events(state: GameState, graph: Graph, player: int, rng: Random) -> Iterator[Event]:
    """Yield anything that a player on turn might do: rare events, a bad play, a play, an exchange, a pass."""
    rules, board, rack = state.rules, state.board, state.seats[player].rack
    reached = [squares[0] for squares, _, _ in after_swaps(rules, board, rack) if squares]
    chances: list[tuple[float, Event]] = [
        (0.20, Clocked(player, 125 * rng.randrange(1_600))),
        (0.02, TimeUp(player)),
        (0.005, Resigned(player)),
        (0.03, Adjusted(player, rng.randint(-20, 20), ScoreEntryKind.DIRECTOR, "manners")),
        (0.05, Caught(rng.randint(0, len(state.turns)))),
        (0.08, Passed(player)),
        (0.08, Exchanged(player, "".join(rng.sample(rack, rng.randint(0, len(rack)))))),
    ]
    if reached and rng.random() < 0.5:
        yield Swapped(player, *rng.choice(reached))
    yield from [event for chance, event in chances if rng.random() < chance]
    plays = [play for play, _ in judged_plays(rules, graph, board, rack)]
    if plays:
        play = rng.choice(plays)
        if rng.random() < 0.25:
            # Tiles in another order are mostly no words; the verdict on a bad play is wrong now and then.
            tiles = [letter for letter in play.letters if letter != EMPTY]
            rng.shuffle(tiles)
            letters = bytes([EMPTY if letter == EMPTY else tiles.pop() for letter in play.letters])
            shuffled = play._replace(letters=letters)
            ruling = judge(rules, board, shuffled)
            is_good = isinstance(ruling, Legal) and all(word in graph for word in ruling.words)
            yield Played(player, shuffled, accepted=is_good or rng.random() < 0.2)
        yield Played(player, play)
    yield Exchanged(player, rack)
    yield Passed(player)
