"""The acts that a seat may choose from, so that no page has to repeat the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.referee.deal import apply_events, run_automatic_events
from ordws.referee.sealed_game import SealedGame
from ordws.referee.time_control import on_clock
from ordws.rules.bag import exchange_needs
from ordws.rules.challenges import dover_deduction
from ordws.rules.event import Stood
from ordws.rules.ruleset import CheckOspd
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayPropose, MayReplay, ToMove

ACTS: Final = ("play", "exchange", "pass", "swap", "challenge", "check-ospd", "propose", "resign")
MAX_TURNS: Final = 200
"""The limit of turns in a game: passes cost nothing, and by some rules a game of passes alone never ends."""


class WordToCheck(NamedTuple):
    """A word of a rejected play that its player may look up in the OSPD, and the points that it costs in vain."""

    word: str
    price: int


def find_acts(sealed_game: SealedGame, seat: int) -> list[str]:
    """Return what a seat may do now, as some of `ACTS` in their order.

    Each of them is accepted in some form: of many plays perhaps only one is legal.
    """
    if sealed_game.is_waiting or sealed_game.is_called_off:
        return []
    state, turns = sealed_game.state, sum(row.is_turn for row in sealed_game.rows)
    acts = {"resign"} if turns >= MAX_TURNS else {"resign", *find_moves(state, seat)}
    if isinstance(state.phase, MayPropose):
        return ["pass", "propose"] if seat in state.phase.players else []
    if isinstance(state.phase, GameOver) or state.seats[seat].departure is not None:
        acts.remove("resign")
    return [act for act in ACTS if act in acts]


def find_check_price(state: GameState, seat: int) -> int | None:
    """Return the points that the official check of the OSPD costs a seat in vain; None if it may not ask for it."""
    match state.phase:
        case MayCheckOspd(player, ruling) if player == seat and state.rules.check_ospd is CheckOspd.OFFICIAL:
            return ruling.score
        case _:
            return None


def find_words_to_check(state: GameState, seat: int) -> list[WordToCheck]:
    """Return the words that a seat may still name in Dover's check (docs/rules.md 6.5); none in any other case."""
    match state.phase:
        case MayCheckOspd(player, ruling, words) if player == seat:
            tiles = [written for written, _, _, _ in ruling.spans]
            return [WordToCheck(word, dover_deduction(tiles, word)) for word in words]
        case _:
            return []


class _FirstTiles:
    """A source of draws that needs no chance, for questions whose answer does not depend on the tiles drawn."""

    def sample(self, population: Sequence[str], k: int) -> list[str]:
        return list(population[:k])


def find_moves(state: GameState, seat: int) -> set[str]:
    """Return what the rules let a seat do now, but for resigning."""
    acts: set[str] = set()
    match state.phase:
        case MayBeChallenged(player):
            # A player whose time is up may still challenge (docs/rules.md 6.2).
            if seat != player and not state.seats[seat].has_lost:
                acts.add("challenge")
            if seat != on_clock(state):
                return acts
            _, state = run_automatic_events(apply_events(state, Stood()), _FirstTiles())
            if isinstance(state.phase, GameOver | MayPropose):
                return {*acts, "pass"}
        case MayCheckOspd(player) if player == seat:
            return {"check-ospd", "pass"}
        case _:
            pass
    if state.player_to_move != seat or not isinstance(state.phase, ToMove | MayReplay):
        return acts
    acts.add("pass")
    rack = state.seats[seat].rack
    if not rack:
        return acts
    acts.add("play")
    if isinstance(state.phase, ToMove) and len(state.bag) >= exchange_needs(state.rules, 1):
        acts.add("exchange")
    if state.rules.swap and not set(rack.lower()).isdisjoint("".join(state.board.rows())):
        acts.add("swap")
    return acts
