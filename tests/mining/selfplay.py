"""Self-play of honest people, who know a part of the words, find a part of the plays, and gamble now and then.

The shipped games were played by
`python -m tests.mining.selfplay --games 400 | xz -9e > ordws/fairplay/honest.jsonl.xz`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache, partial
from multiprocessing import Pool
from random import Random
from typing import Final, NamedTuple

from ordws.fairplay.recorded_games import RULES, SEED, draw_played_words
from ordws.fairplay.synthetic_lexicon import draw_words
from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps, words_for
from ordws.records.notation import MoveWithSwaps, SwapSquares, write_move_with_swaps
from ordws.rules.bag import draw_tiles
from ordws.rules.event import Drew, Event, Exchanged, Passed, Played, Stood, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import apply_event, iter_states
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.ruleset import published_word_lists
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove, TurnOutcome
from ordws.rules.turn_order import tiles_to_draw
from tests.judged_plays import judged_plays
from tests.mining.mined_lexicon import MinedLexicon, make_mined_lexicon
from tests.mining.simulation import play_out

KNOWN_BY_TIER: Final = (0.99, 0.97, 0.08, 0.06, 0.06, 0.06)
"""The chance, by tier, that a person is sure of a word: some 73,000 words in all, not all of them true."""

GAMBLING_SHARE: Final = 0.16
DESPERATE_SHARE: Final = 0.5
"""The shares of turns in which a person tries a doubtful word: `GAMBLING_SHARE` with other plays to make, else this."""

PLAYS_CONSIDERED: Final = (8, 16, 24, 48)
"""The numbers of possible plays that people think of, each number as likely as the others."""

POINTS_PER_KEPT_TILE: Final = 2
"""The points that a tile kept on the rack is worth to people."""

PLAYER_COUNTS: Final = (2, 2, 2, 3, 4)
"""The numbers of players of a game, weighted by repetition."""


class StoredTurn(NamedTuple):
    """A turn as it is stored."""

    rack: str
    move: str
    accepted: bool
    seconds: int


class SelfPlaySetup(NamedTuple):
    """The lexicon of a run of games, its true words, and the graph of all words."""

    lexicon: MinedLexicon
    true_words: frozenset[str]
    graph: Graph


@cache
def shipped_setup() -> SelfPlaySetup:
    """Return the setup of the shipped games."""
    lexicon = make_mined_lexicon(SEED)
    return SelfPlaySetup(lexicon, draw_played_words(lexicon), Graph.from_words(words_for(RULES, lexicon.words)))


def play_game(setup: SelfPlaySetup, seed: int, number: int) -> str:
    """Play a game and return its line, which follows from the seed and its number alone."""
    rng = Random(f"{seed}/{number}")
    players = [
        SimulatedPlayer(draw_words(setup.lexicon, KNOWN_BY_TIER, rng), rng.choice(PLAYS_CONSIDERED))
        for _ in range(rng.choice(PLAYER_COUNTS))
    ]
    game = play_out(RULES, setup.graph, len(players), rng, SimulatedPlayers(setup.true_words, players).choose)
    turns: list[StoredTurn] = []
    # The state before the first swap of a turn, whose rack is the one that the turn began with.
    begun: GameState | None = None
    swaps: SwapSquares = ()
    for state, event in zip(iter_states(game), game.events, strict=False):
        move: Play | Exchange | Pass
        match event:
            case Swapped(_, row, column):
                begun, swaps = begun or state, (*swaps, (row, column))
                continue
            case Played():
                move = event.play
            case Exchanged():
                move = Exchange(event.tiles)
            case Passed():
                move = Pass()
            case _:
                continue
        rack = (begun or state).seats[event.player].rack
        accepted = not isinstance(event, Played) or event.accepted
        seconds = round(rng.triangular(15, 140, 45))
        turns.append(StoredTurn(rack, write_move_with_swaps(MoveWithSwaps(swaps, move)), accepted, seconds))
        begun, swaps = None, ()
    return write_game(len(players), turns)


def write_game(players: int, turns: Iterable[StoredTurn]) -> str:
    """Return the line of a game."""
    return json.dumps({"players": players, "turns": [*turns]}, separators=(",", ":"))


class SimulatedPlayer(NamedTuple):
    """The words that a person is sure of, and the number of plays that come to mind."""

    vocabulary: frozenset[str]
    plays_considered: int


class SimulatedPlayers:
    """The players of a game, and the words that their plays are judged by."""

    def __init__(self, true_words: frozenset[str], players: Sequence[SimulatedPlayer]) -> None:
        twos = published_word_lists(RULES).twos
        self.acceptable = true_words | twos
        self.players = [SimulatedPlayer(vocabulary | twos, found) for vocabulary, found in players]

    def choose(self, state: GameState, graph: Graph, rng: Random) -> Event:
        """Return the next event: a swap, the best play that comes to mind, an exchange, or a pass."""
        match state.phase:
            case ToDraw(players):
                return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
            case MayBeChallenged() | MayCheckOspd():
                return Stood()
            case GameOver():
                raise ValueError("the game is over")
            case ToMove(player) | MayReplay(player):
                rack = state.seats[player].rack
        # A blank on the board is taken whenever the rack has its letter.
        *_, (squares, _, _) = after_swaps(RULES, state.board, rack)
        if squares:
            return Swapped(player, *squares[0])
        sure: list[tuple[Play, Legal]] = []
        doubtful: list[tuple[Play, Legal]] = []
        rejected = {
            word
            for turn in state.turns
            if turn.outcome is TurnOutcome.OFF and turn.ruling
            for word in turn.ruling.words
        }
        vocabulary, plays_considered = self.players[player]
        for play, legal in judged_plays(RULES, graph, state.board, rack):
            doubts = sum(word not in vocabulary for word in legal.words)
            # People remember which plays were rejected, and do not risk two doubtful words at once.
            if doubts < 2 and rejected.isdisjoint([word for word in legal.words if len(word) > 2]):
                (doubtful if doubts else sure).append((play, legal))
        plays = doubtful if doubtful and rng.random() < (GAMBLING_SHARE if sure else DESPERATE_SHARE) else sure
        if plays:
            play, legal = max(rng.sample(plays, min(plays_considered, len(plays))), key=_utility)
            return Played(player, play, accepted=self.acceptable.issuperset(legal.words))
        exchange = Exchanged(player, "".join(rng.sample(rack, rng.randint(min(3, len(rack)), len(rack)))))
        return Passed(player) if isinstance(apply_event(state, exchange), Illegal) else exchange


def _utility(option: tuple[Play, Legal]) -> int:
    """Return the apparent value of a play to people, who part with tiles unwillingly."""
    legal = option[1]
    return legal.score - POINTS_PER_KEPT_TILE * len(legal.spans[0][2])


def _game_line(seed: int, number: int) -> str:
    return play_game(shipped_setup(), seed, number)


def main(arguments: Sequence[str]) -> None:
    """Play games on all cores and write their lines."""
    parser = argparse.ArgumentParser(prog="python -m tests.mining.selfplay", description="Play honest games.")
    parser.add_argument("--games", type=int, default=400, help="the number of games (default: 400)")
    parser.add_argument("--seed", type=int, default=SEED, help="the random seed (default: that of the shipped games)")
    options = parser.parse_args(arguments)
    # Made before the pool forks its processes, so that each of them has it already.
    shipped_setup()
    with Pool(os.cpu_count()) as pool:
        for line in pool.imap(partial(_game_line, options.seed), range(options.games)):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
