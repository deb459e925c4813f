"""Games of simulated players by the real rules: honest ones, cheats of three kinds, and quitters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Literal, NamedTuple

from ordws.fairplay.store import SeatNumbers
from ordws.fairplay.turns import ChosenPlay, TurnReader
from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate
from ordws.records.gcg import write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.referee.sealed_game import SubmissionOutcome
from ordws.rules.bag import draw_tiles
from ordws.rules.board import EMPTY
from ordws.rules.event import Drew, Event, Exchanged, Passed, Played, Resigned, Stood
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, iter_states
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.state import GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import tiles_to_draw
from tests.mining.simulation import play_out

Habit = Literal["honest", "always best", "every third turn", "word checks", "quits"]
RULES: Final = with_options(RULE_SETS["classic"], {"challenge": "none"})
"""Good words only, so that a doubtful word is a miss at once; 15 x 15, where games are quick."""

_PLAYS_SEEN: Final = 120
_TIER_DIFFICULTY: Final = (-2.5, -1.0, 1.5, 2.5, 3.5, 4.5)
_TILE_DIFFICULTY: Final = (0.0, -0.3, -0.2, 0.0, 0.2, 0.4, 0.6, 1.0)
_GAMBLING_SHARE: Final = 0.08
_CHECKING_SHARE: Final = 0.25
_QUITS_BEHIND_BY: Final = 60
_SECONDS_A_GAME: Final = 1_500


class SeasonWords(NamedTuple):
    """The words of the simulation: all that people think of, those that are true, and the tier of each."""

    everything: Graph
    true: Graph
    true_words: frozenset[str]
    tiers: dict[str, int]


@dataclass
class SeasonPlayer:
    """A player of a season, with a vocabulary and an attention as logits."""

    number: int
    habit: Habit
    vocabulary: float
    attention: float
    turns: int = 0
    """The turns played so far, of all games."""

    days: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"Player {self.number}"


class PlayedGame(NamedTuple):
    """A finished game: the game itself, its record, and the numbers of its seats."""

    game: Game
    final: GameState
    record: bytes
    seats: tuple[SeatNumbers, ...]


class Table:
    """Two players at a game, who choose its events."""

    def __init__(self, players: Sequence[SeasonPlayer], words: SeasonWords) -> None:
        self._players, self._words = players, words
        self.milliseconds: dict[int, list[int]] = {0: [], 1: []}
        self._day = [0.0, 0.0]

    def choose(self, state: GameState, graph: Graph, rng: Random) -> Event:
        """Return the next event, as `tests.mining.simulation.play_out` asks for it."""
        match state.phase:
            case ToDraw(players):
                return Drew(players[0], draw_tiles(state.bag, tiles_to_draw(state, players[0]), rng))
            case ToMove(seat) | MayReplay(seat):
                return self._move(state, seat, rng)
            case MayBeChallenged() | MayCheckOspd():
                return Stood()
            case _:
                raise ValueError("the game is over")

    def _move(self, state: GameState, seat: int, rng: Random) -> Event:
        player = self._players[seat]
        player.turns += 1
        self.milliseconds[seat].append(round(rng.triangular(8_000, 70_000, 25_000)))
        behind = max(state.scores) - state.scores[seat]
        if player.habit == "quits" and behind > _QUITS_BEHIND_BY and rng.random() < 0.5:
            return Resigned(seat)
        if (event := self._play(state, seat, rng)) is not None:
            return event
        rack = state.seats[seat].rack
        exchange = Exchanged(seat, rack)
        return Passed(seat) if isinstance(apply_event(state, exchange), Illegal) else exchange

    def _play(self, state: GameState, seat: int, rng: Random) -> Event | None:
        player = self._players[seat]
        moves = generate(state.rules, self._words.true, state.board, state.seats[seat].rack)
        if not moves:
            return None
        if player.habit == "always best" or (player.habit == "every third turn" and player.turns % 3 == 0):
            best = moves.score(0)
            ties = [at for at in range(len(moves)) if moves.score(at) == best]
            return Played(seat, moves[rng.choice(ties)].play)
        share = _CHECKING_SHARE if player.habit == "word checks" else _GAMBLING_SHARE
        if rng.random() < share and (tried := self._try(state, seat, rng)) is not None:
            return tried
        attention = player.attention + rng.gauss(0, 0.35)
        for _ in range(3):
            for at in range(min(len(moves), _PLAYS_SEEN)):
                move = moves[at]
                if rng.random() < self._chance(moves.ruling(at).words, move.play, player.vocabulary, attention):
                    return Played(seat, move.play)
            attention += 1
        return Played(seat, moves[rng.randrange(len(moves))].play)

    def _try(self, state: GameState, seat: int, rng: Random) -> Event | None:
        """Return a play with one doubtful word, which a cheat has looked up; None where nothing comes to mind."""
        moves = generate(state.rules, self._words.everything, state.board, state.seats[seat].rack)
        attention = self._players[seat].attention
        for at in range(min(len(moves), _PLAYS_SEEN)):
            words = moves.ruling(at).words
            is_good = self._words.true_words.issuperset([word for word in words if len(word) > 2])
            if max(self._tier(word) for word in words) < 4 or rng.random() >= _logistic(attention):
                continue
            if is_good or self._players[seat].habit != "word checks":
                return Played(seat, moves[at].play, accepted=is_good)
        return None

    def _chance(self, words: Sequence[str], play: Any, vocabulary: float, attention: float) -> float:
        tier = max(self._tier(word) for word in words)
        tiles = min(len(play.letters) - play.letters.count(EMPTY), 7)
        return _logistic(vocabulary - _TIER_DIFFICULTY[tier]) * _logistic(attention - _TILE_DIFFICULTY[tiles])

    def _tier(self, word: str) -> int:
        return 0 if len(word) == 2 else self._words.tiers[word] - 1


def play_season_game(
    game_id: str, players: Sequence[SeasonPlayer], words: SeasonWords, reader: TurnReader, now: int, rng: Random
) -> PlayedGame:
    """Play a game, and return it with the numbers that fair play works out of it."""
    table = Table(players, words)
    game = play_out(RULES, words.true, 2, rng, table.choose)
    *_, final = iter_states(game)
    seats = [
        SeatNumbers(
            player.name,
            game_id,
            seat,
            now,
            reader.forms.version,
            final.seats[seat].departure is not None,
            final.scores[seat] < max(final.scores),
            max(1 - sum(table.milliseconds[seat]) / (1_000 * _SECONDS_A_GAME), 0.0),
            tuple(_read_turns(game, seat, table.milliseconds[seat], reader)),
        )
        for seat, player in enumerate(players)
    ]
    record = write_gcg(to_gcg_record(game, [player.name.replace(" ", "") for player in players]))
    return PlayedGame(game, final, record, tuple(seats))


def _read_turns(game: Game, seat: int, milliseconds: Sequence[int], reader: TurnReader) -> Iterator[Any]:
    """Yield the numbers of the turns of a seat that had a choice."""
    used = iter(milliseconds)
    for state, event in zip(iter_states(game), game.events, strict=False):
        if isinstance(event, (Exchanged, Passed, Played, Resigned)) and event.player == seat:
            spent = next(used, 0)
            if isinstance(event, Played):
                outcome = SubmissionOutcome.STANDS if event.accepted else SubmissionOutcome.REJECTED
                taken = ChosenPlay(state.rules, state.board, state.seats[seat].rack, event.play, (), spent)
                if (numbers := reader.read(taken, outcome)) is not None:
                    yield numbers


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))
