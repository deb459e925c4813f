"""The end of a game in which nothing is unknown, against a search of every line to its end."""

from __future__ import annotations

from random import Random

from ordws.computer.candidates import RackPosition
from ordws.computer.look_ahead import play_endgame
from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate, words_for
from ordws.rules.bag import remove_tiles
from ordws.rules.board import Board, board_from_rows
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import CLASSIC
from ordws.rules.tiles import face_value

WORDS = ("CAT", "CATS", "SCAT", "COAT", "COATS", "TAXI", "TAXIS", "AXIS", "SIX", "OAT", "OATS", "TACO", "STOAT", "TIC")
GRAPH = Graph.from_words(words_for(CLASSIC, WORDS))
BOARD = board_from_rows(["." * 15] * 7 + ["......CAT......"] + ["." * 15] * 7)


def best_spread(board: Board, rack: str, other: str, passed: bool = False) -> int:
    """Return by how many points the player to move wins the rest of the game, by trying every play and a pass."""
    best = face_value(other) - face_value(rack) if passed else -best_spread(board, other, rack, passed=True)
    for play, score, _ in generate(CLASSIC, GRAPH, board, rack):
        ruling = judge(CLASSIC, board, play)
        assert isinstance(ruling, Legal)
        left = remove_tiles(rack, "".join(ruling.tiles.values()))
        rest = -best_spread(board.with_letters(ruling.tiles), other, left) if left else 2 * face_value(other)
        best = max(best, score + rest)
    return best


def test_an_endgame_wins_what_the_best_play_wins() -> None:
    """With two tiles on each rack every line is followed, and the turn wins what trying all of them wins."""
    rng = Random(5)
    for _ in range(25):
        tiles = rng.sample("AOSTXICSO", 4)
        rack, other = "".join(sorted(tiles[:2])), "".join(sorted(tiles[2:]))
        position = RackPosition(CLASSIC, GRAPH, BOARD, rack, 0, face_value(other))
        found = play_endgame(position, other, lambda: False)
        assert found.spread == best_spread(BOARD, rack, other), (rack, other)


def test_an_endgame_without_time_still_has_a_turn() -> None:
    """When the time is up at once, the turn that promises most is taken."""
    position = RackPosition(CLASSIC, GRAPH, BOARD, "OS", 0, 1)
    assert play_endgame(position, "T", lambda: True).turn.score > 0
