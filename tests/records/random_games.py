"""Random games under any rule set, with every event that may happen in a game; their words are random letters."""

from __future__ import annotations

from random import Random

from ordws.rules.bag import draw_tiles, fill_bag
from ordws.rules.board import Axis
from ordws.rules.event import (
    Adjusted,
    Caught,
    Challenged,
    Checked,
    Clocked,
    Drew,
    Event,
    Exchanged,
    Passed,
    Played,
    Resigned,
    ScoreEntryKind,
    Stood,
    Swapped,
    TimeUp,
)
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, ToDraw
from ordws.rules.turn_order import tiles_to_draw

_LONGEST = 400


def play_at_random(rules: RuleSet, players: int, rng: Random, *, oddities: bool = True) -> tuple[Game, GameState]:
    """Return a random game and its last state; without `oddities` it has plays, and passes if no play is found."""
    game = Game(rules, players, fill_bag(rules, rng))
    state = initial_state(game)
    events: list[Event] = []
    while not isinstance(state.phase, GameOver) and len(events) < _LONGEST:
        event = _random_event(state, rng, oddities)
        following = apply_event(state, event)
        if not isinstance(following, Illegal):
            state = following
            events.append(event)
    return Game(rules, players, game.bag, tuple(events)), state


def _random_event(state: GameState, rng: Random, oddities: bool) -> Event:
    match state.phase:
        case ToDraw(players, _):
            return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
        case MayCheckOspd(player, _, words):
            word = rng.choice(words) if words else ""
            return Checked(player, rng.random() < 0.5, word) if rng.random() < 0.6 else Stood()
        case MayBeChallenged(player, ruling):
            if not oddities or rng.random() < 0.8:
                return Stood()
            words = rng.sample(ruling.words, rng.randint(0, len(ruling.words)))
            return Challenged(_other_player(state, player, rng), tuple(words), rng.random() < 0.5)
        case _:
            return _rare_event(state, rng) if oddities and rng.random() < 0.2 else _move(state, rng, oddities)


def _other_player(state: GameState, player: int, rng: Random) -> int:
    return rng.choice([other for other in range(len(state.seats)) if other != player])


def _rare_event(state: GameState, rng: Random) -> Event:
    """Return an event other than a play, which may not be allowed."""
    player = state.player_to_move or 0
    rack = state.seats[player].rack
    anybody = rng.randrange(len(state.seats))
    rare = [
        Clocked(anybody, rng.randint(0, 900_000)),
        TimeUp(player),
        Resigned(anybody),
        Adjusted(anybody, rng.randint(-20, 20), ScoreEntryKind.DIRECTOR, "a tile was seen"),
    ]
    blanks = [
        (row, column)
        for row in range(state.board.side)
        for column in range(state.board.side)
        if state.board.letter_at(row, column).islower()
    ]
    common: list[Event] = [Passed(player), Caught(rng.randrange(len(state.turns) + 1))]
    common += [Exchanged(player, "".join(rng.sample(rack, rng.randint(1, len(rack)))))] if rack else []
    common += [Swapped(player, *rng.choice(blanks))] * 3 if blanks else []
    return rng.choice(rare if rng.random() < 0.15 else common)


def _move(state: GameState, rng: Random, oddities: bool) -> Event:
    player = state.player_to_move or 0
    for _ in range(120):
        ruling = _try_play(state, player, rng)
        if ruling is not None:
            return Played(player, ruling, not oddities or rng.random() < 0.85)
    return Passed(player)


def _try_play(state: GameState, player: int, rng: Random) -> Play | None:
    """Return a play of some tiles of the rack from a random square, None if it does not fit."""
    board, rack = state.board, list(state.seats[player].rack)
    rng.shuffle(rack)
    tiles = [tile if tile != "?" else rng.choice("aeiou") for tile in rack[: rng.randint(1, max(len(rack), 1))]]
    row, column, axis = rng.randrange(board.side), rng.randrange(board.side), rng.choice([*Axis])
    letters, at = "", [row, column]
    while tiles and max(at) < board.side:
        letters += tiles.pop() if board.letter_at(*at) == "." else "."
        at[1 - axis] += 1
    play = Play(row, column, axis, letters.encode())
    return play if isinstance(judge(state.rules, board, play, state.seats[player].rack), Legal) else None
