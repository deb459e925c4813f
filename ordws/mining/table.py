"""Honest games: people who know a part of the words, find a part of the plays, and gamble now and then.

`python -m ordws.mining.table --games 400 | xz -9e > ordws/mining/honest.jsonl.xz` plays those that are shipped.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from multiprocessing import Pool
from random import Random
from typing import Final, NamedTuple

from ordws.mining.generator import generate, words_for
from ordws.mining.graph import Graph, graph_of
from ordws.mining.recorded import RULES, Noted, write_game
from ordws.mining.simulation import play_out
from ordws.mining.swaps import after_swaps
from ordws.mining.world import World, drawn, make_world, truth
from ordws.records.moves import SwapSquares, MoveWithSwaps, write_move_with_swaps
from ordws.rules.bag import draw_tiles
from ordws.rules.drawing import tiles_to_draw
from ordws.rules.event import Drew, Event, Exchanged, Passed, Played, Stood, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, iter_states
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.rulesets import published_word_lists
from ordws.rules.state import TurnOutcome, MayBeChallenged, MayCheckOspd, MayReplay, GameOver, GameState, ToDraw, ToMove

SEED: Final = 1
"""Of the games that are shipped, of their world and of the truth that they were played by."""

KNOWN: Final = (0.99, 0.97, 0.08, 0.06, 0.06, 0.06)
"""By tier, the chance that a person is sure of a word: some 73,000 in all, and not all of them words."""

GAMBLING: Final = 0.16
DESPERATE: Final = 0.5
"""The parts of turns in which somebody tries a word that he is not sure of: with other plays to make, and without."""

FOUND: Final = (8, 16, 24, 48)
"""So many of the plays that could be made come to people's minds, of each kind of people as many as of any other."""

KEPT: Final = 2
"""Points that a tile kept on the rack is worth to people."""

TABLES: Final = (2, 2, 2, 3, 4)
"""Players of a game, each number as often as it stands here."""


class Room(NamedTuple):
    """Where all games are played: what there is to be known, and every word as a graph."""

    world: World
    truth: frozenset[str]
    graph: Graph


@cache
def room() -> Room:
    """The room of the games that are shipped."""
    world = make_world(SEED)
    return Room(world, truth(world, SEED), graph_of(words_for(RULES, world.words)))


def play_game(room: Room, seed: int, number: int) -> str:
    """The line of a game, which follows from its number alone."""
    rng = Random(f"{seed}/{number}")
    people = [Person(drawn(room.world, KNOWN, rng), rng.choice(FOUND)) for _ in range(rng.choice(TABLES))]
    game = play_out(RULES, room.graph, len(people), rng, Table(room.truth, people).choose)
    return write_game(len(people), _noted(game, rng))


class Person(NamedTuple):
    """The words that somebody is sure of, and how many plays come to mind."""

    vocabulary: frozenset[str]
    found: int


class Table:
    """People at a table, and the truth that their plays are judged by."""

    def __init__(self, truth: frozenset[str], people: Sequence[Person]) -> None:
        twos = published_word_lists(RULES).twos
        self.acceptable = truth | twos
        self.people = [Person(vocabulary | twos, found) for vocabulary, found in people]

    def choose(self, state: GameState, graph: Graph, rng: Random) -> Event:
        """What happens next."""
        match state.phase:
            case ToDraw(players):
                return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
            case ToMove(player) | MayReplay(player):
                return _swap(state, player) or self._play(state, player, graph, rng) or _idle(state, player, rng)
            case MayBeChallenged() | MayCheckOspd():
                return Stood()
            case GameOver():
                raise ValueError("the game is over")

    def _play(self, state: GameState, player: int, graph: Graph, rng: Random) -> Played | None:
        """The best of the plays that come to mind; None where none does."""
        sure: list[tuple[Play, Legal]] = []
        doubtful: list[tuple[Play, Legal]] = []
        rejected = {word for turn in state.turns if turn.outcome is TurnOutcome.OFF and turn.ruling for word in turn.ruling.words}
        known, found = self.people[player]
        for play, legal in generate(RULES, graph, state.board, state.seats[player].rack):
            doubts = sum(word not in known for word in legal.words)
            if doubts < 2 and rejected.isdisjoint([word for word in legal.words if len(word) > 2]):
                (doubtful if doubts else sure).append((play, legal))
        plays = doubtful if doubtful and rng.random() < (GAMBLING if sure else DESPERATE) else sure
        if not plays:
            return None
        play, legal = max(rng.sample(plays, min(found, len(plays))), key=_worth)
        return Played(player, play, accepted=self.acceptable.issuperset(legal.words))


def _worth(option: tuple[Play, Legal]) -> int:
    """What a play seems to be worth to people, who part with tiles unwillingly."""
    legal = option[1]
    return legal.score - KEPT * len(legal.spans[0][2])


def _swap(state: GameState, player: int) -> Swapped | None:
    """A blank of the board taken for its letter, wherever that can be."""
    *_, (squares, _, _) = after_swaps(RULES, state.board, state.seats[player].rack)
    return Swapped(player, *squares[0]) if squares else None


def _idle(state: GameState, player: int, rng: Random) -> Exchanged | Passed:
    """Some tiles exchanged where there is no play; a pass where the bag does not let them."""
    rack = state.seats[player].rack
    exchange = Exchanged(player, "".join(rng.sample(rack, rng.randint(min(3, len(rack)), len(rack)))))
    return Passed(player) if isinstance(apply_event(state, exchange), Illegal) else exchange


def _noted(game: Game, rng: Random) -> Iterator[Noted]:
    """The turns of a game, each with a time that somebody might have taken over it."""
    begun: GameState | None = None
    swaps: SwapSquares = ()
    for state, event in zip(iter_states(game), game.events, strict=False):
        if isinstance(event, Swapped):
            begun, swaps = begun or state, (*swaps, (event.row, event.column))
        elif isinstance(event, Played | Exchanged | Passed):
            rack = (begun or state).seats[event.player].rack
            accepted = not isinstance(event, Played) or event.accepted
            yield Noted(rack, write_move_with_swaps(MoveWithSwaps(swaps, _move(event))), accepted, round(rng.triangular(15, 140, 45)))
            begun, swaps = None, ()


def _move(event: Played | Exchanged | Passed) -> Play | Exchange | Pass:
    match event:
        case Played(_, play):
            return play
        case Exchanged(_, tiles):
            return Exchange(tiles)
        case Passed():
            return Pass()


def _line(seed: int, number: int) -> str:
    return play_game(room(), seed, number)


def main(arguments: Sequence[str]) -> None:
    """Play games on all cores and write their lines."""
    parser = argparse.ArgumentParser(prog="python -m ordws.mining.table", description="Play honest games.")
    parser.add_argument("--games", type=int, default=400, help="how many (default: 400)")
    parser.add_argument("--seed", type=int, default=SEED, help="what chance begins with (default: the shipped games')")
    asked = parser.parse_args(arguments)
    room()
    with Pool(os.cpu_count()) as pool:
        for line in pool.imap(partial(_line, asked.seed), range(asked.games)):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
