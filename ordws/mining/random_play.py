"""Games in which anything happens that the rules allow, for tests of what follows a game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ordws.mining.dawg import Dawg
from ordws.mining.move_generator import generate_plays
from ordws.mining.simulation import other_players
from ordws.mining.swaps import after_swaps
from ordws.rules.bag import draw_tiles
from ordws.rules.board import EMPTY
from ordws.rules.draws import tiles_to_draw
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
from ordws.rules.move import Legal, Play
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove


def random_event(state: GameState, dawg: Dawg, rng: Random) -> Event:
    """What happens next among players who do anything that the rule set allows."""
    return next(
        event for event in _candidate_events(state, dawg, rng) if not isinstance(apply_event(state, event), Illegal)
    )


def _candidate_events(state: GameState, dawg: Dawg, rng: Random) -> Iterator[Event]:
    """What might happen next, of which the last can."""
    match state.phase:
        case ToDraw(players):
            yield from _draw_events(state, players[0], rng)
        case ToMove(player) | MayReplay(player):
            yield from _events_but_plays(state, player, rng)
            yield from _play_events(state, dawg, player, rng)
        case MayBeChallenged(player, ruling):
            doubted = rng.sample(ruling.words, rng.randint(1, len(ruling.words)))
            upheld = not all(word in dawg for word in doubted)
            doubters = [other for other in other_players(state, player) if rng.random() < (0.7 if upheld else 0.2)]
            yield from [Challenged(other, tuple(doubted), upheld) for other in doubters]
            yield Stood()
        case MayCheckOspd(player, _, words):
            if rng.random() < 0.8:
                yield Checked(player, rng.random() < 0.6, rng.choice(words) if words else "")
            yield Stood()
        case GameOver():
            return


def _draw_events(state: GameState, player: int, rng: Random) -> Iterator[Event]:
    """Too many tiles now and then, in the form of either rule; or as many as are owed."""
    count, held = tiles_to_draw(state, player), state.seats[player].rack
    tiles = draw_tiles(state.bag, count + 1, rng)
    if rng.random() < 0.1:
        for shown in (rng.sample(tiles, min(3, len(tiles))), [*held, *tiles]):
            yield Overdrew(player, tiles, "".join(shown), rng.choice(shown))
    yield Drew(player, tiles[:count])


def _events_but_plays(state: GameState, player: int, rng: Random) -> Iterator[Event]:
    """Anything but a play, each with its chance."""
    rack = state.seats[player].rack
    reached = [squares[0] for squares, _, _ in after_swaps(state.rules, state.board, rack) if squares]
    chances: list[tuple[float, Event]] = [
        (0.20, Clocked(player, rng.randrange(200))),
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


def _play_events(state: GameState, dawg: Dawg, player: int, rng: Random) -> Iterator[Event]:
    """Any play, often with its tiles in disorder; the verdict on one that is bad is wrong now and then."""
    rules, board, rack = state.rules, state.board, state.seats[player].rack
    plays = [play for play, _ in generate_plays(rules, dawg, board, rack)]
    if plays:
        play = rng.choice(plays)
        if rng.random() < 0.25:
            bad = _shuffled(play, rng)
            ruling = judge(rules, board, bad)
            is_good = isinstance(ruling, Legal) and all(word in dawg for word in ruling.words)
            yield Played(player, bad, accepted=is_good or rng.random() < 0.2)
        yield Played(player, play)
    yield Exchanged(player, rack)
    yield Passed(player)


def _shuffled(play: Play, rng: Random) -> Play:
    tiles = [letter for letter in play.letters if letter != EMPTY]
    rng.shuffle(tiles)
    return play._replace(letters=bytes([EMPTY if letter == EMPTY else tiles.pop() for letter in play.letters]))
