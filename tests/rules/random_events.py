"""Games at random: events that mostly fit, whatever the rule set, and some that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import get_args

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
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import (
    Challenge,
    CheckOspd,
    Clock,
    EndRule,
    LateBadPlay,
    Overdraw,
    RuleSet,
    UnplayedTiles,
)
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove

STEPS = 160


def random_game(rules: RuleSet, chance: Random) -> Game:
    """A game of few tiles, so that it comes to an end, with the rules about its course set at random."""
    players = chance.randint(2, 4)
    varied = replace(
        rules,
        scoop=players * rules.rack_size + chance.randint(0, 24),
        most_players=4,
        swap=chance.random() < 0.7,
        challenge=chance.choice([*Challenge]),
        check_ospd=chance.choice([*CheckOspd]),
        end=chance.choice([*EndRule]),
        scoreless_turns=chance.choice([2, 6]),
        exchange_min=chance.choice([1, rules.rack_size]),
        unplayed_tiles=chance.choice([*UnplayedTiles]),
        unplayed_tiles_round=chance.random() < 0.5,
        clock=chance.choice([*Clock]),
        clock_seconds=chance.choice([0, 600]),
        overtime_minutes=chance.choice([0, 10]),
        overdraw=chance.choice([*Overdraw]),
        late_bad_play=chance.choice([*LateBadPlay]),
    )
    return Game(varied, players, fill_bag(varied, chance))


def random_events(
    game: Game, chance: Random, steps: int = STEPS
) -> Iterator[tuple[GameState, Event, GameState | Illegal]]:
    """Where the game stood, what was to happen, and what came of it; on and on, a little past the end."""
    state = initial_state(game)
    for _ in range(steps):
        event = _stray(state, chance) if chance.random() < 0.12 else _fitting(state, chance)
        following = apply_event(state, event)
        yield state, event, following
        if isinstance(state.phase, GameOver) and chance.random() < 0.3:
            return
        state = state if isinstance(following, Illegal) else following


def _fitting(state: GameState, chance: Random) -> Event:
    """What might well happen next."""
    player = chance.randrange(len(state.seats))
    match state.phase:
        case ToDraw(players):
            return _draw(state, chance.choice(players), chance)
        case ToMove(mover) | MayReplay(mover):
            return _move(state, mover, chance)
        case MayCheckOspd(mover, _, words):
            if chance.random() < 0.3:
                return Stood()
            return Checked(mover, chance.random() < 0.6, chance.choice(words) if words else "")
        case MayBeChallenged(_, ruling):
            if chance.random() < 0.5:
                return Stood()
            words = tuple(chance.sample(ruling.words, chance.randint(0, len(ruling.words))))
            return Challenged(player, words, chance.random() < 0.5)
        case GameOver():
            return chance.choice(
                [
                    Clocked(player, 400),
                    Adjusted(player, 3, ScoreEntryKind.UNPLAYED_TILES_ROUND, "a play"),
                    _late(state, chance),
                ]
            )


def _draw(state: GameState, player: int, chance: Random) -> Event:
    count, bag = tiles_to_draw(state, player), state.bag
    if count + 2 <= len(bag) and chance.random() < 0.15:
        surplus = chance.randint(1, 2)
        tiles = draw_tiles(bag, count + surplus, chance)
        held = state.seats[player].rack + tiles
        seen = held if state.rules.overdraw is Overdraw.ALL_EXPOSED else tiles[: surplus + 2]
        return Overdrew(player, tiles, seen, draw_tiles(seen, surplus, chance))
    return Drew(player, draw_tiles(bag, count, chance))


def _move(state: GameState, player: int, chance: Random) -> Event:
    rack = state.seats[player].rack
    blanks = [
        Swapped(player, row, column)
        for row, line in enumerate(state.board.rows())
        for column, letter in enumerate(line)
        if letter.islower()
    ]
    lot = chance.random()
    if blanks and lot < 0.3:
        return chance.choice(blanks)
    if lot < 0.07:
        return chance.choice([Passed(player), TimeUp(player), Clocked(player, chance.randint(0, 500))])
    if rack and lot < 0.12:
        return Exchanged(player, draw_tiles(rack, chance.randint(1, len(rack)), chance))
    play = find_play(state, rack, chance)
    return Passed(player) if play is None else Played(player, play, chance.random() < 0.75)


def find_play(state: GameState, rack: str, chance: Random) -> Play | None:
    """A play that fits, of letters as they come; None where forty attempts found none."""
    side = state.board.side
    for _ in range(40):
        axis = chance.choice([*Axis])
        row, column = _start(state, chance)
        letters, left = b"", chance.sample(rack, chance.randint(0, len(rack)))
        while left and 0 <= row < side and 0 <= column < side and row + axis * len(letters) < side:
            along = column + (1 - axis) * len(letters)
            if along >= side:
                break
            taken = state.board.letter_at(row + axis * len(letters), along) != "."
            tile = "." if taken else left.pop()
            letters += (chance.choice("aeiourst") if tile == "?" else tile).encode()
        play = Play(row, column, axis, letters)
        if isinstance(judge(state.rules, state.board, play, rack), Legal):
            return play
    return None


def _start(state: GameState, chance: Random) -> tuple[int, int]:
    """A square near a tile, or near the centre of an empty board."""
    tiles = [
        (row, column)
        for row, line in enumerate(state.board.rows())
        for column, letter in enumerate(line)
        if letter != "."
    ]
    row, column = chance.choice(tiles or [state.rules.layout.start])
    return row - chance.randint(0, 3), column - chance.randint(0, 3)


def _late(state: GameState, chance: Random) -> Event:
    return Caught(chance.randrange(len(state.turns) + 1))


def _stray(state: GameState, chance: Random) -> Event:
    """Any event at all, of any player, even of one who is not there."""
    player = chance.randint(0, len(state.seats))
    tiles = draw_tiles(state.bag + "QZ?", chance.randint(0, 9), chance)
    row, column = chance.randint(-2, 22), chance.randint(-2, 22)
    kind: type[Event] = chance.choice(get_args(Event))
    made: dict[type[Event], Event] = {
        Drew: Drew(player, tiles),
        Overdrew: Overdrew(player, tiles, tiles[:3], tiles[:1], mixed=True),
        Swapped: Swapped(player, row, column),
        Played: Played(player, Play(row, column, chance.choice([*Axis]), b"CaT."), chance.random() < 0.5),
        Exchanged: Exchanged(player, tiles),
        Passed: Passed(player),
        Challenged: Challenged(player, ("CAT",) * chance.randint(0, 1), chance.random() < 0.5),
        Stood: Stood(),
        Checked: Checked(player, chance.random() < 0.5, chance.choice(["", "CAT"])),
        Caught: _late(state, chance),
        Clocked: Clocked(player, chance.randint(-5, 300)),
        TimeUp: TimeUp(player),
        Adjusted: Adjusted(
            player, chance.randint(-9, 9), chance.choice([*ScoreEntryKind]), chance.choice(["", "a reason"])
        ),
        Resigned: Resigned(player) if chance.random() < 0.1 else Passed(player),
    }
    return made[kind]
