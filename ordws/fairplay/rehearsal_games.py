"""A made-up player for a rehearsal: games by the real rules over invented words, their numbers, and the flag on them.

The games are simulated, all else is what it is for real games. The forms are called calibrated, which they are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from ordws.atomic_files import write_atomically
from ordws.errors import Missing
from ordws.fairplay.flags import FalseFlagCounts, Flag, create_store, read_false_flags
from ordws.fairplay.forms import DEFAULT_FORMS, HonestForms, write_forms
from ordws.fairplay.looks import LookTerms, look, measure_field
from ordws.fairplay.milestones import FieldSize
from ordws.fairplay.recorded_games import TRUE_BY_TIER
from ordws.fairplay.store import FairPlayStore, SeatNumbers, TurnNumbers
from ordws.fairplay.synthetic_lexicon import draw_words, make_lexicon
from ordws.fairplay.turns import ChosenPlay, RarityLists, TurnReader
from ordws.instance import Instance
from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate, words_for
from ordws.records.gcg import write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.referee.sealed_game import SubmissionOutcome, apply_events, new_game, run_automatic_events
from ordws.rules.event import Event, Exchanged, Passed, Played
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, current_state, iter_states
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.state import GameState

PLAYER: Final = "practice player"
OPPONENT: Final = "opponent"
RULES: Final = with_options(RULE_SETS["classic"], {"challenge": "none"})
FORMS: Final = HonestForms(DEFAULT_FORMS.parameters, calibrated=True)

_WORDS: Final = 60_000
_CORE_TIER: Final = 2
_REFERENCE_TIER: Final = 4
_MOST_GAMES: Final = 40
_HELPED: Final = 0.7
"""The share of the player's turns on which a program is asked."""

_SEEN: Final = 0.12
"""The chance that somebody sees a play, of the best ones downwards."""


class RehearsalGames(NamedTuple):
    """A made-up player: the flag on them, and the records of their games, in which they are called PLAYER."""

    flag: Flag
    records: tuple[bytes, ...]


class _Table(NamedTuple):
    """The words of the games, the reader of their turns, and chance."""

    graph: Graph
    reader: TurnReader
    rng: Random


def make_rehearsal_games(instance: Instance, now: int, seed: int) -> RehearsalGames:
    """Play games in the installation of a rehearsal until its player is flagged."""
    write_atomically(instance.fairplay_forms, write_forms(FORMS).encode())
    # The shipped counts are those of the same numbers, under which nobody is accused for real.
    (shipped,) = read_false_flags(instance.fairplay_false_flags)
    counts = FalseFlagCounts(FORMS.version, *shipped[1:])
    write_atomically(instance.fairplay_false_flags, counts.to_text().encode())
    rng = Random(seed)
    lexicon = make_lexicon(seed, _WORDS)
    graph = Graph.from_words(words_for(RULES, draw_words(lexicon, TRUE_BY_TIER, rng)))
    core, reference = [
        {word for word, tier in lexicon.tiers.items() if tier <= last} for last in (_CORE_TIER, _REFERENCE_TIER)
    ]
    table = _Table(graph, TurnReader(FORMS, graph, RarityLists(core, reference)), rng)
    with closing(create_store(instance)) as store:
        records: list[bytes] = []
        for number in range(1, _MOST_GAMES + 1):
            records.append(_play_game(store, table, number, now - (_MOST_GAMES - number + 2) * 86_400))
            terms = LookTerms(FORMS, FieldSize().threshold, measure_field(store.all_seats(), FORMS))
            if raised := look(store, PLAYER, terms, now):
                return RehearsalGames(raised[0], tuple(records))
    raise Missing("these games raised no flag", hint="rehearse with another --seed")


def _play_game(store: FairPlayStore, table: _Table, number: int, now: int) -> bytes:
    """Play a game against a new opponent, keep its numbers, and return its record."""
    game = new_game(RULES, 2, table.rng)
    state, events = current_state(game), [*game.events]
    while (mover := state.player_to_move) is not None:
        event = _choose_move(state, mover, table)
        drawn, state = run_automatic_events(apply_events(state, event), table.rng)
        events += [event, *drawn]
    game = replace(game, events=tuple(events))
    players = (PLAYER, f"{OPPONENT} {number}")
    seats = [
        SeatNumbers(
            player,
            f"practice {number}",
            seat,
            now,
            FORMS.version,
            False,
            state.scores[seat] < max(state.scores),
            0.3,
            tuple(_read_turns(game, seat, table)),
        )
        for seat, player in enumerate(players)
    ]
    store.keep_game(f"practice {number}", now, seats)
    return write_gcg(to_gcg_record(game, [player.replace(" ", "-") for player in players]))


def _choose_move(state: GameState, seat: int, table: _Table) -> Event:
    """Return the next move: the player asks a program on most turns, and people see what they see."""
    rack = state.seats[seat].rack
    moves = generate(RULES, table.graph, state.board, rack)
    if not moves:
        exchange = Exchanged(seat, rack)
        return Passed(seat) if isinstance(apply_event(state, exchange), Illegal) else exchange
    at = 0
    if seat or table.rng.random() >= _HELPED:
        at = next((at for at in range(len(moves)) if table.rng.random() < _SEEN), len(moves) - 1)
    return Played(seat, moves[at].play)


def _read_turns(game: Game, seat: int, table: _Table) -> Iterator[TurnNumbers]:
    for state, event in zip(iter_states(game), game.events, strict=False):
        if isinstance(event, Played) and event.player == seat:
            milliseconds = round(table.rng.triangular(8_000, 70_000, 25_000))
            taken = ChosenPlay(RULES, state.board, state.seats[seat].rack, event.play, (), milliseconds)
            if (numbers := table.reader.read(taken, SubmissionOutcome.STANDS)) is not None:
                yield numbers
