"""Honest games: people who know a part of the words, find a part of the plays, and gamble now and then.

`python -m ordws.mining.selfplay --games 400 | xz -9e > ordws/mining/honest.jsonl.xz` plays those that are shipped.
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

from ordws.mining.dawg import Dawg, build_dawg
from ordws.mining.move_generator import generate_plays, words_for
from ordws.mining.recorded_games import RULES, StoredTurn, write_game
from ordws.mining.simulation import play_out
from ordws.mining.swaps import after_swaps
from ordws.mining.synthetic_lexicon import SyntheticLexicon, draw_true_words, draw_words, make_lexicon
from ordws.records.move_notation import MoveWithSwaps, SwapSquares, write_move_with_swaps
from ordws.rules.bag import draw_tiles
from ordws.rules.draws import tiles_to_draw
from ordws.rules.event import Drew, Event, Exchanged, Passed, Played, Stood, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, iter_states
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.rulesets import published_word_lists
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove, TurnOutcome

SEED: Final = 1
"""Of the games that are shipped, of their world and of the truth that they were played by."""

KNOWN_BY_TIER: Final = (0.99, 0.97, 0.08, 0.06, 0.06, 0.06)
"""By tier, the chance that a person is sure of a word: some 73,000 in all, and not all of them words."""

GAMBLING_SHARE: Final = 0.16
DESPERATE_SHARE: Final = 0.5
"""The parts of turns in which somebody tries a word that he is not sure of: with other plays to make, and without."""

PLAYS_CONSIDERED: Final = (8, 16, 24, 48)
"""So many of the plays that could be made come to people's minds, of each kind of people as many as of any other."""

POINTS_PER_KEPT_TILE: Final = 2
"""Points that a tile kept on the rack is worth to people."""

PLAYER_COUNTS: Final = (2, 2, 2, 3, 4)
"""Players of a game, each number as often as it stands here."""


class SelfPlaySetup(NamedTuple):
    """Where all games are played: what there is to be known, and every word as a graph."""

    lexicon: SyntheticLexicon
    true_words: frozenset[str]
    dawg: Dawg


@cache
def shipped_setup() -> SelfPlaySetup:
    """The room of the games that are shipped."""
    world = make_lexicon(SEED)
    return SelfPlaySetup(world, draw_true_words(world, SEED), build_dawg(words_for(RULES, world.words)))


def play_game(setup: SelfPlaySetup, seed: int, number: int) -> str:
    """The line of a game, which follows from its number alone."""
    rng = Random(f"{seed}/{number}")
    people = [
        SimulatedPlayer(draw_words(setup.lexicon, KNOWN_BY_TIER, rng), rng.choice(PLAYS_CONSIDERED))
        for _ in range(rng.choice(PLAYER_COUNTS))
    ]
    game = play_out(RULES, setup.dawg, len(people), rng, SimulatedPlayers(setup.true_words, people).choose)
    return write_game(len(people), _stored_turns(game, rng))


class SimulatedPlayer(NamedTuple):
    """The words that somebody is sure of, and how many plays come to mind."""

    vocabulary: frozenset[str]
    plays_considered: int


class SimulatedPlayers:
    """People at a table, and the truth that their plays are judged by."""

    def __init__(self, true_words: frozenset[str], players: Sequence[SimulatedPlayer]) -> None:
        twos = published_word_lists(RULES).twos
        self.acceptable = true_words | twos
        self.players = [SimulatedPlayer(vocabulary | twos, found) for vocabulary, found in players]

    def choose(self, state: GameState, dawg: Dawg, rng: Random) -> Event:
        """What happens next."""
        match state.phase:
            case ToDraw(players):
                return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
            case ToMove(player) | MayReplay(player):
                return (
                    _find_swap(state, player)
                    or self._play(state, player, dawg, rng)
                    or _exchange_or_pass(state, player, rng)
                )
            case MayBeChallenged() | MayCheckOspd():
                return Stood()
            case GameOver():
                raise ValueError("the game is over")

    def _play(self, state: GameState, player: int, dawg: Dawg, rng: Random) -> Played | None:
        """The best of the plays that come to mind; None where none does."""
        sure: list[tuple[Play, Legal]] = []
        doubtful: list[tuple[Play, Legal]] = []
        rejected = {
            word
            for turn in state.turns
            if turn.outcome is TurnOutcome.OFF and turn.ruling
            for word in turn.ruling.words
        }
        known, found = self.players[player]
        for play, legal in generate_plays(RULES, dawg, state.board, state.seats[player].rack):
            doubts = sum(word not in known for word in legal.words)
            if doubts < 2 and rejected.isdisjoint([word for word in legal.words if len(word) > 2]):
                (doubtful if doubts else sure).append((play, legal))
        plays = doubtful if doubtful and rng.random() < (GAMBLING_SHARE if sure else DESPERATE_SHARE) else sure
        if not plays:
            return None
        play, legal = max(rng.sample(plays, min(found, len(plays))), key=_utility)
        return Played(player, play, accepted=self.acceptable.issuperset(legal.words))


def _utility(option: tuple[Play, Legal]) -> int:
    """What a play seems to be worth to people, who part with tiles unwillingly."""
    legal = option[1]
    return legal.score - POINTS_PER_KEPT_TILE * len(legal.spans[0][2])


def _find_swap(state: GameState, player: int) -> Swapped | None:
    """A blank of the board taken for its letter, wherever that can be."""
    *_, (squares, _, _) = after_swaps(RULES, state.board, state.seats[player].rack)
    return Swapped(player, *squares[0]) if squares else None


def _exchange_or_pass(state: GameState, player: int, rng: Random) -> Exchanged | Passed:
    """Some tiles exchanged where there is no play; a pass where the bag does not let them."""
    rack = state.seats[player].rack
    exchange = Exchanged(player, "".join(rng.sample(rack, rng.randint(min(3, len(rack)), len(rack)))))
    return Passed(player) if isinstance(apply_event(state, exchange), Illegal) else exchange


def _stored_turns(game: Game, rng: Random) -> Iterator[StoredTurn]:
    """The turns of a game, each with a time that somebody might have taken over it."""
    begun: GameState | None = None
    swaps: SwapSquares = ()
    for state, event in zip(iter_states(game), game.events, strict=False):
        if isinstance(event, Swapped):
            begun, swaps = begun or state, (*swaps, (event.row, event.column))
        elif isinstance(event, Played | Exchanged | Passed):
            rack = (begun or state).seats[event.player].rack
            accepted = not isinstance(event, Played) or event.accepted
            yield StoredTurn(
                rack,
                write_move_with_swaps(MoveWithSwaps(swaps, _move(event))),
                accepted,
                round(rng.triangular(15, 140, 45)),
            )
            begun, swaps = None, ()


def _move(event: Played | Exchanged | Passed) -> Play | Exchange | Pass:
    match event:
        case Played(_, play):
            return play
        case Exchanged(_, tiles):
            return Exchange(tiles)
        case Passed():
            return Pass()


def _game_line(seed: int, number: int) -> str:
    return play_game(shipped_setup(), seed, number)


def main(arguments: Sequence[str]) -> None:
    """Play games on all cores and write their lines."""
    parser = argparse.ArgumentParser(prog="python -m ordws.mining.selfplay", description="Play honest games.")
    parser.add_argument("--games", type=int, default=400, help="how many (default: 400)")
    parser.add_argument("--seed", type=int, default=SEED, help="what chance begins with (default: the shipped games')")
    asked = parser.parse_args(arguments)
    shipped_setup()
    with Pool(os.cpu_count()) as pool:
        for line in pool.imap(partial(_game_line, asked.seed), range(asked.games)):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
