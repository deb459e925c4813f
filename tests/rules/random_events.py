"""Random games: events that mostly fit, whatever the rule set, and some that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import get_args

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
    Overdrew,
    Passed,
    Played,
    Proposed,
    Resigned,
    RoundOpened,
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
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayPropose, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import tiles_to_draw

STEPS = 160


def random_game(rules: RuleSet, rng: Random) -> Game:
    """Return a game with few tiles, so that it comes to an end, and with random options for its course."""
    players = rng.randint(2, 4)
    varied = replace(
        rules,
        scoop=players * rules.rack_size + rng.randint(0, 24),
        most_players=4,
        swap=rng.random() < 0.7,
        challenge=rng.choice([*Challenge]),
        check_ospd=rng.choice([*CheckOspd]),
        end=rng.choice([*EndRule]),
        scoreless_turns=rng.choice([2, 6]),
        exchange_min=rng.choice([1, rules.rack_size]),
        unplayed_tiles=rng.choice([*UnplayedTiles]),
        unplayed_tiles_round=rng.random() < 0.5,
        clock=rng.choice([*Clock]),
        clock_seconds=rng.choice([0, 600]),
        overtime_minutes=rng.choice([0, 10]),
        overdraw=rng.choice([*Overdraw]),
        late_bad_play=rng.choice([*LateBadPlay]),
    )
    return Game(varied, players, fill_bag(varied, rng))


def random_events(
    game: Game, rng: Random, steps: int = STEPS
) -> Iterator[tuple[GameState, Event, GameState | Illegal]]:
    """Yield the state, the next event and what came of it, step by step, and a little past the end of the game."""
    state = initial_state(game)
    for _ in range(steps):
        event = _stray(state, rng) if rng.random() < 0.12 else _fitting(state, rng)
        following = apply_event(state, event)
        yield state, event, following
        if isinstance(state.phase, GameOver) and rng.random() < 0.3:
            return
        state = state if isinstance(following, Illegal) else following


def _fitting(state: GameState, rng: Random) -> Event:
    """Return an event that is likely to be allowed."""
    player = rng.randrange(len(state.seats))
    match state.phase:
        case ToDraw(players):
            return _draw(state, rng.choice(players), rng)
        case ToMove(mover) | MayReplay(mover):
            return _move(state, mover, rng)
        case MayCheckOspd(mover, _, words):
            if rng.random() < 0.3:
                return Stood()
            return Checked(mover, rng.random() < 0.6, rng.choice(words) if words else "")
        case MayBeChallenged(_, ruling):
            if rng.random() < 0.5:
                return Stood()
            words = tuple(rng.sample(ruling.words, rng.randint(0, len(ruling.words))))
            return Challenged(player, words, rng.random() < 0.5)
        case MayPropose(_, players):
            mover = rng.choice(players)
            play = find_play(state, state.seats[1 - mover].rack, rng) if rng.random() < 0.8 else None
            return Proposed(mover, play, rng.random() < 0.6)
        case GameOver():
            return rng.choice(
                [
                    RoundOpened(),
                    Clocked(player, 400_000),
                    Adjusted(player, 3, ScoreEntryKind.UNPLAYED_TILES_ROUND, "a play"),
                    _late(state, rng),
                ]
            )


def _draw(state: GameState, player: int, rng: Random) -> Event:
    count, bag = tiles_to_draw(state, player), state.bag
    if count + 2 <= len(bag) and rng.random() < 0.15:
        surplus = rng.randint(1, 2)
        tiles = draw_tiles(bag, count + surplus, rng)
        held = state.seats[player].rack + tiles
        seen = held if state.rules.overdraw is Overdraw.ALL_EXPOSED else tiles[: surplus + 2]
        return Overdrew(player, tiles, seen, draw_tiles(seen, surplus, rng))
    return Drew(player, draw_tiles(bag, count, rng))


def _move(state: GameState, player: int, rng: Random) -> Event:
    rack = state.seats[player].rack
    blanks = [
        Swapped(player, row, column)
        for row, line in enumerate(state.board.rows())
        for column, letter in enumerate(line)
        if letter.islower()
    ]
    lot = rng.random()
    if blanks and lot < 0.3:
        return rng.choice(blanks)
    if lot < 0.07:
        return rng.choice([Passed(player), TimeUp(player), Clocked(player, rng.randint(0, 500_000))])
    if rack and lot < 0.12:
        return Exchanged(player, draw_tiles(rack, rng.randint(1, len(rack)), rng))
    play = find_play(state, rack, rng)
    return Passed(player) if play is None else Played(player, play, rng.random() < 0.75)


def find_play(state: GameState, rack: str, rng: Random) -> Play | None:
    """Return a legal play of random letters; None if forty attempts found none."""
    side = state.board.side
    for _ in range(40):
        axis = rng.choice([*Axis])
        row, column = _start(state, rng)
        letters, left = b"", rng.sample(rack, rng.randint(0, len(rack)))
        while left and 0 <= row < side and 0 <= column < side and row + axis * len(letters) < side:
            along = column + (1 - axis) * len(letters)
            if along >= side:
                break
            taken = state.board.letter_at(row + axis * len(letters), along) != "."
            tile = "." if taken else left.pop()
            letters += (rng.choice("aeiourst") if tile == "?" else tile).encode()
        play = Play(row, column, axis, letters)
        if isinstance(judge(state.rules, state.board, play, rack), Legal):
            return play
    return None


def _start(state: GameState, rng: Random) -> tuple[int, int]:
    """Return a square near a tile, or near the centre of an empty board."""
    tiles = [
        (row, column)
        for row, line in enumerate(state.board.rows())
        for column, letter in enumerate(line)
        if letter != "."
    ]
    row, column = rng.choice(tiles or [state.rules.layout.start])
    return row - rng.randint(0, 3), column - rng.randint(0, 3)


def _late(state: GameState, rng: Random) -> Event:
    return Caught(rng.randrange(len(state.turns) + 1))


def _stray(state: GameState, rng: Random) -> Event:
    """Return any event, of any player, even of one who does not exist."""
    player = rng.randint(0, len(state.seats))
    tiles = draw_tiles(state.bag + "QZ?", rng.randint(0, 9), rng)
    row, column = rng.randint(-2, 22), rng.randint(-2, 22)
    kind: type[Event] = rng.choice(get_args(Event))
    made: dict[type[Event], Event] = {
        Drew: Drew(player, tiles),
        Overdrew: Overdrew(player, tiles, tiles[:3], tiles[:1], mixed=True),
        Swapped: Swapped(player, row, column),
        Played: Played(player, Play(row, column, rng.choice([*Axis]), b"CaT."), rng.random() < 0.5),
        Exchanged: Exchanged(player, tiles),
        Passed: Passed(player),
        Challenged: Challenged(player, ("CAT",) * rng.randint(0, 1), rng.random() < 0.5),
        Stood: Stood(),
        Checked: Checked(player, rng.random() < 0.5, rng.choice(["", "CAT"])),
        Caught: _late(state, rng),
        Clocked: Clocked(player, rng.randint(-5_000, 300_000)),
        TimeUp: TimeUp(player),
        Adjusted: Adjusted(player, rng.randint(-9, 9), rng.choice([*ScoreEntryKind]), rng.choice(["", "a reason"])),
        RoundOpened: RoundOpened(),
        Proposed: Proposed(player, Play(row, column, rng.choice([*Axis]), b"CaT."), rng.random() < 0.5),
        Resigned: Resigned(player) if rng.random() < 0.1 else Passed(player),
    }
    return made[kind]
