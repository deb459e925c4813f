"""Whole games of chance under any rule set: what may happen in a game happens, and its words are soup."""

from __future__ import annotations

from random import Random

from ordws.rules.bag import draw_tiles, fill_bag
from ordws.rules.board import Axis
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

_LONGEST = 400


def play_at_random(rules: RuleSet, players: int, chance: Random, *, oddities: bool = True) -> tuple[Game, GameState]:
    """A game and where it ended; without oddities it is plays, and passes where no play is found."""
    game = Game(rules, players, fill_bag(rules, chance))
    state = initial_state(game)
    events: list[Event] = []
    while not isinstance(state.phase, GameOver) and len(events) < _LONGEST:
        event = _random_event(state, chance, oddities)
        following = apply_event(state, event)
        if not isinstance(following, Illegal):
            state = following
            events.append(event)
    return Game(rules, players, game.bag, tuple(events)), state


def _random_event(state: GameState, chance: Random, oddities: bool) -> Event:
    match state.phase:
        case ToDraw(players, _):
            return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), chance))
        case MayCheckOspd(player, _, words):
            word = chance.choice(words) if words else ""
            return Checked(player, chance.random() < 0.5, word) if chance.random() < 0.6 else Stood()
        case MayBeChallenged(player, ruling):
            if not oddities or chance.random() < 0.8:
                return Stood()
            words = chance.sample(ruling.words, chance.randint(0, len(ruling.words)))
            return Challenged(_other_player(state, player, chance), tuple(words), chance.random() < 0.5)
        case _:
            return _rare_event(state, chance) if oddities and chance.random() < 0.2 else _move(state, chance, oddities)


def _other_player(state: GameState, player: int, chance: Random) -> int:
    return chance.choice([other for other in range(len(state.seats)) if other != player])


def _rare_event(state: GameState, chance: Random) -> Event:
    """Something that is no play; it may not be allowed."""
    player = state.player_to_move or 0
    rack = state.seats[player].rack
    anybody = chance.randrange(len(state.seats))
    rare = [
        Clocked(anybody, chance.randint(0, 900)),
        TimeUp(player),
        Resigned(anybody),
        Adjusted(anybody, chance.randint(-20, 20), ScoreEntryKind.DIRECTOR, "a tile was seen"),
    ]
    blanks = [
        (row, column)
        for row in range(state.board.side)
        for column in range(state.board.side)
        if state.board.letter_at(row, column).islower()
    ]
    common: list[Event] = [Passed(player), Caught(chance.randrange(len(state.turns) + 1))]
    common += [Exchanged(player, "".join(chance.sample(rack, chance.randint(1, len(rack)))))] if rack else []
    common += [Swapped(player, *chance.choice(blanks))] * 3 if blanks else []
    return chance.choice(rare if chance.random() < 0.15 else common)


def _move(state: GameState, chance: Random, oddities: bool) -> Event:
    player = state.player_to_move or 0
    for _ in range(120):
        ruling = _try_play(state, player, chance)
        if ruling is not None:
            return Played(player, ruling, not oddities or chance.random() < 0.85)
    return Passed(player)


def _try_play(state: GameState, player: int, chance: Random) -> Play | None:
    """A play of some tiles of the rack from some square on, if it fits."""
    board, rack = state.board, list(state.seats[player].rack)
    chance.shuffle(rack)
    tiles = [tile if tile != "?" else chance.choice("aeiou") for tile in rack[: chance.randint(1, max(len(rack), 1))]]
    row, column, axis = chance.randrange(board.side), chance.randrange(board.side), chance.choice([*Axis])
    letters, at = "", [row, column]
    while tiles and max(at) < board.side:
        letters += tiles.pop() if board.letter_at(*at) == "." else "."
        at[1 - axis] += 1
    play = Play(row, column, axis, letters.encode())
    return play if isinstance(judge(state.rules, board, play, state.seats[player].rack), Legal) else None
