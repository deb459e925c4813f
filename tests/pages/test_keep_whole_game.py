"""Tests of one whole game on one phone, from the first tile to the final score."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from browser_windows import TOUCH_PHONE
from keep_page import KeepPage, open_installed
from playwright.sync_api import expect

from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.rules.board import EMPTY, square_name
from ordws.rules.ending import winners
from ordws.rules.event import Adjusted, Checked, Drew, Event, Exchanged, Passed, Played, ScoreEntryKind, Stood, Swapped
from ordws.rules.game import Game, iter_states
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.options import with_options
from ordws.rules.published_lists import TWOS_72
from ordws.rules.ruleset import SCRABBLE_O
from ordws.rules.state import GameOver, GameState, MayCheckOspd, MayReplay, ToMove
from ordws.rules.statistics import board_statistics
from tests.mining.simulation import honest_strategy, play_out

pytestmark = pytest.mark.long

COMMON = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()
PLAYERS = ("Ann", "Bob", "Čeněk")
TILES = 48
"""Enough for all that can happen, and half of a whole set takes half of the time."""
RULES = with_options(SCRABBLE_O, {"scoop": TILES})


def evening(state: GameState, graph: Graph, rng: Random) -> Event:
    """Return players who know all words except two: one bad play is in the OSPD, and another is not."""
    turns = len(state.turns)
    match state.phase:
        case MayCheckOspd(player):
            return Checked(player, found=turns < 4)
        case MayReplay():
            return honest_strategy(state, graph, rng)
        case ToMove(player) if turns in (2, 5) and isinstance(event := honest_strategy(state, graph, rng), Played):
            return Played(player, backwards(event.play), accepted=False)
        case ToMove(player) if turns == 7 and not state.entries:
            return Adjusted(player, -5, ScoreEntryKind.DIRECTOR, "Čeněk's turn was long")
        case _:
            return honest_strategy(state, graph, rng)


def backwards(play: Play) -> Play:
    """Return the same play with its letters reversed."""
    tiles = [letter for letter in play.letters if letter != EMPTY]
    return play._replace(letters=bytes([EMPTY if letter == EMPTY else tiles.pop() for letter in play.letters]))


@pytest.fixture(scope="module")
def played() -> Game:
    """Return the game by ordws/rules, from the first tile to the last."""
    graph = Graph.from_words(words_for(RULES, COMMON[::3]))
    return play_out(RULES, graph, 3, Random(31), evening)


def test_an_evening_has_all_that_can_happen(played):
    """The game of the next test has plays, swaps, an exchange, passes, both answers of the OSPD and an adjustment."""
    kinds = {type(event) for event in played.events}
    assert kinds >= {Played, Swapped, Exchanged, Passed, Adjusted, Checked, Drew}
    assert {event.found for event in played.events if isinstance(event, Checked)} == {True, False}


def act(window: KeepPage, event: Event, state: GameState) -> None:
    """Tap what the players tap for this event of their game."""
    match event:
        case Swapped(_, row, column):
            window.press("Swap for the blank")
            letter = state.board.letter_at(row, column).upper()
            blank = f"{square_name(row, column)}: lay {letter}, take the blank"
            window.dialog.get_by_label("Which blank").select_option(blank)
            window.answer("Swap")
        case Played(_, play, accepted):
            lay(window, play, state)
            verdict = "Yes, all are good" if accepted else "No"
            window.play(verdict if is_for_books(state, play) else None)
        case Exchanged(_, tiles):
            window.press("Exchange")
            window.dialog.get_by_label("How many tiles").select_option(str(len(tiles)))
            window.answer("Exchange")
        case Passed():
            window.do("Pass", "Pass")
        case Checked(_, found):
            window.press("All are in the OSPD" if found else "Not all")
        case Adjusted(player, points, _, reason):
            window.press("Director")
            window.dialog.get_by_role("button", name="Adjust a score").click()
            window.dialog.get_by_label("Player").select_option(PLAYERS[player])
            window.dialog.get_by_label("Points").fill(str(points))
            window.dialog.get_by_label("Reason").fill(reason)
            window.answer("Adjust")
        case Drew() | Stood():
            pass


def is_for_books(state: GameState, play: Play) -> bool:
    """Return whether the list of two-letter words leaves the play undecided."""
    ruling = judge(state.rules, state.board, play)
    assert isinstance(ruling, Legal)
    return set(ruling.words) - TWOS_72 != set() and all(word in TWOS_72 for word in ruling.words if len(word) == 2)


def lay(window: KeepPage, play: Play, state: GameState) -> None:
    letters = play.letters.decode()
    new = [i for i, letter in enumerate(letters) if letter != "."]
    row, column = play.row, play.column
    first = (row + new[0], column) if play.axis else (row, column + new[0])
    window.lay(*first, "".join(letters[i] for i in new), down=bool(play.axis))


def test_a_family_keeps_an_evening(played, tables):
    """A whole game of three players on one phone has the scores of ordws/rules and an exact record.

    It has undo and redo, a reload, a dead battery, and no connection for part of it.
    """
    window = open_installed(tables, **TOUCH_PHONE)
    window.begin(PLAYERS, "scrabble-o", Tiles_in_the_game=str(TILES))
    states = [*iter_states(played)]
    steps = [step for step in zip(played.events, states, states[1:], strict=False) if not isinstance(step[0], Drew)]
    for number, (event, before, now) in enumerate(steps):
        act(window, event, before)
        if not isinstance(now.phase, GameOver):
            window.expect_scores(*now.scores)
        match number:
            case 5:
                slip(window, now)
            case 8 | 17:
                window.reload()
            case 11:
                window = window.kill()
            case 14 | 20:
                window.page.context.set_offline(number == 14)
    finish(window, states[-1])


def slip(window: KeepPage, state: GameState) -> None:
    """Undo an event, and redo it."""
    tiles = window.tiles
    window.do("Undo", "Undo")
    window.expect_told("Undone.")
    window.reload()
    window.press("Redo")
    window.expect_told("Done again.")
    assert window.tiles == tiles
    window.expect_scores(*state.scores)


def finish(window: KeepPage, state: GameState) -> None:
    """Enter the tiles left; the page and the record show the result of ordws/rules."""
    for name, seat in zip(PLAYERS, state.seats, strict=True):
        if seat.rack:
            window.page.get_by_label(f"On the rack of {name}").fill(seat.rack.lower())
    window.press("Count them")
    window.expect_scores(*state.scores)
    (best,) = winners(state)
    expect(window.panel.get_by_role("heading")).to_have_text(f"{PLAYERS[best]} wins with {state.scores[best]} points")
    expect(window.panel).to_contain_text(re.compile(r"\d+\.\d points a turn"))
    words = board_statistics(state.board)
    expect(window.panel).to_contain_text(f"{words.words} words on the board, of {words.mean_length:.2f} letters")
    found = audit_record(read_gcg(window.record()))
    assert (found.is_exact, found.rules, found.board, found.findings) == (True, RULES, state.board, ())
    assert tuple(found.totals.values()) == state.scores
