"""Games of ordws/rules as players at a table would record them, and the visible part of their states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.rules.board import Axis
from ordws.rules.ending import winners
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
from ordws.rules.game import Game, apply_event, iter_states
from ordws.rules.move import Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet
from ordws.rules.state import EndReason, GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToMove
from tests.mining.random_play import random_event
from tests.mining.simulation import honest_strategy, play_out

COMMON: Final = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()[::3]
COUNTED: Final = (EndReason.OUT, EndReason.SCORELESS, EndReason.IDLE)
FULL_GAMES: Final = [
    ("classic", {}, 2, 0),
    ("classic", {"challenge": "void"}, 2, 4),
    ("scrabble-i-classic", {}, 4, 1),
    ("scrabble-i", {"premium": "multiply", "board": 15}, 4, 1),
    ("dover", {}, 3, 0),
]
SHORT_GAMES: Final = [
    ("classic", {"challenge": "five", "late_bad_play": "always"}, 2),
    ("classic", {"challenge": "ten", "clock_seconds": 300}, 2),
    ("classic", {"challenge": "triple"}, 2),
    ("classic", {"clock_seconds": 600, "overtime_minutes": 2}, 2),
    ("scrabble-i-classic", {"check_ospd": "dover", "small_word_cap": True}, 2),
    ("scrabble-i-classic", {"clock_seconds": 300}, 3),
    ("scrabble-o", {}, 2),
    ("dover", {}, 3),
    ("dover", {"check_ospd": "official", "clock_seconds": 0}, 2),
]
ALL_GAMES: Final = [
    *FULL_GAMES,
    *[
        (rules, options | {"scoop": 36}, players, seed)
        for rules, options, players in SHORT_GAMES
        for seed in (1, 2, 3, 4)
    ],
    ("scrabble-o", {"scoop": 36}, 2, 10),
]
"""Rule set, options, number of players, and the random seed; with seed 0 the players make the best plays."""
SOME_GAMES: Final = ALL_GAMES[len(FULL_GAMES) + 1 :: 3]
"""Short games of each kind, with every kind of event: all games take ten times as long."""


@cache
def graph_for(rules: RuleSet) -> Graph:
    return Graph.from_words(words_for(rules, COMMON))


def to_page_event(event: Event, state: GameState) -> dict[str, Any] | None:
    """Return the event as the page keeps it; None for tiles drawn, which nobody shows."""
    player = getattr(event, "player", None)
    rack = state.seats[player].rack if player is not None else ""
    match event:
        case Drew() | Overdrew():
            return {"kind": "stand"} if isinstance(state.phase, MayBeChallenged) else None
        case Swapped(_, row, column):
            return {"kind": "swap", "player": player, "square": [row, column]}
        case Played(_, (row, column, axis, letters), accepted):
            play = {"row": row, "column": column, "down": axis is Axis.DOWN, "letters": letters.decode()}
            return {"kind": "play", "player": player, "play": play, "accepted": accepted, "rack": rack}
        case Exchanged(_, tiles):
            return {"kind": "exchange", "player": player, "count": len(tiles), "rack": rack}
        case Passed():
            return {"kind": "pass", "player": player, "rack": rack}
        case Challenged(_, words, upheld):
            return {"kind": "challenge", "player": player, "words": words, "upheld": upheld}
        case Stood():
            return {"kind": "stand"}
        case Checked(_, found, word):
            return {"kind": "check", "player": player, "found": found, "word": word}
        case Caught(turn):
            return {"kind": "catch", "turn": turn}
        case Clocked(_, milliseconds):
            return {"kind": "time", "player": player, "seconds": milliseconds / 1_000}
        case TimeUp():
            return {"kind": "time-up", "player": player}
        case Adjusted(_, points, _, reason):
            return {"kind": "adjust", "player": player, "points": points, "reason": reason}
        case Resigned():
            return {"kind": "leave", "player": player}


def events_of(game: Game) -> list[tuple[dict[str, Any], GameState]]:
    """Return the events that a table would record, each with the state after the draws that follow it."""
    states = [*iter_states(game)]
    found: list[tuple[dict[str, Any], GameState]] = []
    for event, before, now in zip(game.events, states, states[1:], strict=False):
        if (line := to_page_event(event, before)) is not None:
            found.append((line, now))
        else:
            found[-1:] = [(line, now) for line, _ in found[-1:]]
        if isinstance(now.phase, GameOver) and now.phase.reason in COUNTED and needs_counting(before, now):
            found.append(({"kind": "unplayed", "racks": [seat.rack for seat in now.seats]}, now))
    return found


def needs_counting(before: GameState, now: GameState) -> bool:
    """Return whether the game has just ended and its unplayed tiles count."""
    return not isinstance(before.phase, GameOver) or before.phase.reason is not now.phase.reason


def page_state(state: GameState, rules: RuleSet) -> dict[str, Any]:
    """Return the visible part of a state in the form of the page."""
    phase = state.phase
    name = {
        ToMove: "to-move",
        MayReplay: "may-replay",
        MayCheckOspd: "may-check",
        MayBeChallenged: "may-be-challenged",
        GameOver: "over",
    }[type(phase)]
    return {
        "scores": [*state.scores],
        "mover": state.player_to_move,
        "phase": name,
        "board": state.board.rows(),
        "bag": len(state.bag),
        "winners": [*winners(state)],
        "skips": [*state.lost_turns],
        "why": phase.reason.value if isinstance(phase, GameOver) else None,
        "words": [*phase.words] if isinstance(phase, MayCheckOspd) else [],
        "seats": [
            [len(seat.rack), seat.milliseconds / 1_000, seat.departure and seat.departure.reason.value]
            for seat in state.seats
        ],
        "turns": [[turn.player, turn.points, turn.outcome.value, turn.bag_count] for turn in state.turns],
        "entries": [[entry.player, entry.points, entry.kind.value] for entry in state.entries],
    }


def rules_with(rules_id: str, options: dict[str, Any]) -> RuleSet:
    return with_options(RULE_SETS[rules_id], options)


def random_game(rules: RuleSet, players: int, seed: int) -> Game:
    """Return a random game; after its end the director adds events, and it may go on."""
    rng = Random(seed)
    game = play_out(rules, graph_for(rules), players, rng, honest_strategy if seed == 0 else random_event)
    *_, state = iter_states(game)
    for event in (Adjusted(0, -7, ScoreEntryKind.DIRECTOR, "late"), Clocked(1, 400_000), Caught(len(state.turns) - 1)):
        game = with_event(game, event, rng)
    return game


def random_games(games: Sequence[tuple[str, dict[str, Any], int, int]]) -> Iterator[tuple[Game, str, dict[str, Any]]]:
    """Return these games with rule sets and options; in the last a player goes on alone (docs/rules.md A-28)."""
    for rules, options, players, seed in games:
        yield random_game(rules_with(rules, options), players, seed), rules, options
    options = {"scoop": 20, "clock_seconds": 60, "check_ospd": "none"}
    bad = Play(6, 7, Axis.DOWN, b"N.O")
    yield (
        Game(
            rules_with("scrabble-i-classic", options),
            2,
            "AEEFGHIINNNOORSSSTTT",
            (
                Drew(0, "FISHAEE"),
                Drew(1, "NNNOORT"),
                Played(0, Play(7, 7, Axis.ACROSS, b"FISH")),
                Drew(0, "GIST"),
                Clocked(0, 60_000),
                Played(1, bad, accepted=False),
                Played(1, bad, accepted=False),
            ),
        ),
        "scrabble-i-classic",
        options,
    )


def with_event(game: Game, event: Event, rng: Random) -> Game:
    """Return the game with one more event, if it can happen, and with the events that follow to the next end."""
    *_, state = iter_states(game)
    events = [*game.events]
    while not isinstance(following := apply_event(state, event), Illegal):
        events.append(event)
        state = following
        if isinstance(state.phase, GameOver):
            break
        event = random_event(state, graph_for(game.rules), rng)
    return Game(game.rules, game.players, game.bag, tuple(events))
