"""Tests that hold the engine of the pages equal to ordws/rules: the same plays, with all answers compared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from node_programs import run_in_page_modules
from rule_cases import (
    OPTIONS,
    Case,
    blanks,
    broken_cases,
    deduction_cases,
    expected_ruling,
    game_cases,
    key_of,
    rules_of,
    vector_cases,
    wing_cases,
)

from ordws.api import plays, public
from ordws.api.plays import read_play
from ordws.api.problems import Problem
from ordws.records.notation import (
    BadMove,
    BadPosition,
    MoveWithSwaps,
    read_cgp,
    read_move_with_swaps,
    write_board,
    write_move_with_swaps,
)
from ordws.rules.board import board_from_rows
from ordws.rules.fault import Illegal
from ordws.rules.move import Exchange, Move, Play
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.swap import swap

JUDGE = """
(engine, [rules, cases]) => cases.map(([key, board, play, rack]) => {
  const ruling = engine.judge(rules[key], board, play, rack);
  return ruling.legal ? { ...ruling, after: engine.apply(board, play), taken: engine.tilesOf(board, play) } : ruling;
})
"""


class Engine:
    """A module of the pages, whose functions take and return JSON."""

    def run(self, function: str, given: Any, module: str = "rules") -> Any:
        script = f"""async (given) => {{
          const engine = await page("{module}.js"), rules = await page("rules.js");
          return ({function})(engine, given, rules);
        }}"""
        return run_in_page_modules(script, json.loads(msgspec.json.encode(given)))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def ruled(engine: Engine, cases: list[Case]) -> list[dict[str, Any]]:
    rules = {
        key_of(name, options): public.describe_rule_set(rules_of(name, options))
        for name, options in {c[:2] for c in cases}
    }
    answers: list[dict[str, Any]] = engine.run(JUDGE, [rules, [case.arguments() for case in cases]])
    return answers


def check(engine: Engine, cases: list[Case]) -> Counter[str]:
    """Compare the rulings of the engine with those of ordws/rules; return how often each fault or bonus occurred."""
    seen: Counter[str] = Counter()
    for case, answer in zip(cases, ruled(engine, cases), strict=True):
        ruling = case.ruling()
        if isinstance(ruling, Illegal):
            details = answer.pop("details")
            assert answer == expected_ruling(ruling), case
            assert all(is_told(value, ruling.message) for value in details.values()), (case, details)
            seen[ruling.fault.value] += 1
        else:
            after, taken = answer.pop("after"), answer.pop("taken")
            assert answer == expected_ruling(ruling), case
            assert after == case.board.with_letters(ruling.tiles).rows()
            letters = ruling.tiles.values()
            assert taken == "".join(["?" if letter.islower() else letter for letter in letters])
            seen[answer["receipt"]["bonus"]["reason"]] += 1
    return seen


def is_told(value: Any, sentence: str) -> bool:
    """Return whether a sentence of ordws/rules has a detail that the engine returns with the code."""
    return ("blank" if value == "?" else str(value)) in sentence


def test_every_play_of_the_vectors_is_ruled_alike(engine):
    """The vectors' plays, with every fault, every bonus and every receipt, have the same rulings."""
    seen = check(engine, list(vector_cases()))
    assert sum(seen.values()) > 200
    assert {"none", "big-play", "stretch", "too-many-tiles", "main-word-in-wings", "gap"} <= seen.keys()


@pytest.mark.parametrize("share", [6, pytest.param(1, marks=pytest.mark.long)])
def test_plays_of_games_and_broken_ones_are_ruled_alike(share, engine):
    """Thousands of plays under all rule sets and options, most of them broken in one way, have the same rulings."""
    cases = list(generated(share))
    seen = check(engine, cases)
    assert sum(seen.values()) > 10_000 / share
    assert sum([seen[reason] for reason in ("none", "big-play", "stretch")]) > 2_000 / share
    assert len(seen) == 16
    assert min(seen.values()) >= 5 / share, seen
    assert sum(not isinstance(case.ruling(), Illegal) and bool(blanks(case.board)) for case in cases) > 200 / share


def generated(share: int) -> Iterator[Case]:
    """Yield the plays of every so manieth pair of rule set and options."""
    chance = Random(20_261_121)
    for name, options in [*product(RULE_SETS, OPTIONS)][::share]:
        for case in game_cases(name, options, chance):
            yield case
            yield from broken_cases(case, chance)
    yield from wing_cases(chance)


DEDUCT = """
(challenges, [rules, cases], rulesModule) => cases.map(([[key, board, play], named]) => {
  const { receipt } = rulesModule.judge(rules[key], board, play);
  const words = receipt.lines.map((line) => line.letters.map(({ letter }) => letter).join("")).join(" ");
  return [words, challenges.doverDeduction(receipt, named)];
})
"""


def test_dover_deducts_the_face_value_of_the_word_named(engine):
    """The deduction of Dover's check is that of the vectors, which ordws/rules meets too (docs/rules.md 6.5, A-14)."""
    cases = list(deduction_cases())
    rules = {
        key_of(case.name, case.options): public.describe_rule_set(rules_of(case.name, case.options))
        for case, _, _, _ in cases
    }
    given = [rules, [[case.arguments()[:3], named] for case, _, named, _ in cases]]
    assert engine.run(DEDUCT, given, "game-challenges") == [[words, points] for _, words, _, points in cases]


SWAP = """
(engine, [rules, cases]) => cases.map(([key, board, rack, square]) => engine.swap(rules[key], board, rack, square))
"""


def test_swaps_are_made_alike(engine):
    """Swaps of a blank, a tile, an empty square and off the board are equal, with and without the letter on a rack."""
    board = board_from_rows(["." * 15] * 7 + ["." * 7 + "FiSh" + "." * 4] + ["." * 15] * 7)
    larger = board_from_rows(["." * 21] * 10 + ["." * 10 + "FiSh" + "." * 7] + ["." * 21] * 10)
    squares = [(7, 8), (7, 10), (10, 11), (10, 13), (7, 7), (0, 0), (-1, 3), (15, 2), (25, 25)]
    rules = {name: public.describe_rule_set(rules) for name, rules in RULE_SETS.items()}
    cases = [
        (name, board if RULE_SETS[name].layout.side == 15 else larger, rack, square)
        for name in RULE_SETS
        for rack in (None, "", "AEI", "IIH?", "?")
        for square in squares
    ]
    answers = engine.run(SWAP, [rules, [[name, lying.rows(), rack, square] for name, lying, rack, square in cases]])
    for (name, lying, rack, square), answer in zip(cases, answers, strict=True):
        swapped = swap(RULE_SETS[name], lying, rack, *square)
        if isinstance(swapped, Illegal):
            assert (answer["legal"], answer["fault"]) == (False, swapped.fault.value)
            assert all(is_told(value, swapped.message) for value in answer["details"].values())
        else:
            after, left = swapped
            assert answer == {"legal": True, "board": after.rows(), "rack": left}
    assert {answer.get("fault") for answer in answers} == {None, "swap-not-allowed", "no-such-blank", "not-on-rack"}


TURNS = (
    "8D STAiNER",
    "D8 STAiNER",
    "h15 Qua...",
    "=H8 8D CAT",
    "=H8 =a1 =15O K21 x",
    "-",
    "-ABC",
    "-?",
    "=8H -",
    "=J10 -QZ?",
    "21U A",
    "8D A.......................",
    "8V CAT",
    "0A CAT",
    "22A CAT",
    "A0 X",
    "8D",
    "",
    "  ",
    "8D CAT DOG",
    "- ABC",
    "-abc",
    "8D C4T",
    "8D CÄT",
    "=H8",
    "= 8D CAT",
    "=H8 =H8 8D CAT",
    "=H8 =8H 8D CAT",
    "8D CAT =H8",
    "8DD CAT",
    "D108 X",
    "\t8D   cat ",
    "8D CAT.",
    "=H8 =I9",
    "--",
    "-A B",
    "8D ABCDEFGHIJKLMNOPQRSTU",
    "8D ABCDEFGHIJKLMNOPQRSTUV",
)
READ_TURNS = """
(engine, texts) => texts.map((text) => {
  const turn = engine.readTurn(text);
  return turn && { ...turn, written: engine.writeTurn(turn) };
})
"""


def test_moves_are_read_and_written_alike(engine):
    """The same texts are moves, mean the same and are written the same."""
    answers = engine.run(READ_TURNS, TURNS)
    read = [find_turn(text) for text in TURNS]
    assert answers == [turn and shown(turn) for turn in read]
    assert (len(read) - read.count(None), read.count(None)) == (14, 24)


def find_turn(text: str) -> MoveWithSwaps | None:
    try:
        return read_move_with_swaps(text)
    except BadMove:
        return None


def shown(turn: MoveWithSwaps) -> dict[str, Any]:
    return {
        "swaps": [list(square) for square in turn.swaps],
        "move": move_of(turn.move),
        "written": write_move_with_swaps(turn),
    }


def move_of(move: Move) -> dict[str, Any]:
    if isinstance(move, Play):
        row, column, axis, letters = move
        return {"play": {"row": row, "column": column, "down": bool(axis), "letters": letters.decode()}}
    return {"exchange": move.tiles} if isinstance(move, Exchange) else {"pass": True}


BARE = "/".join(["15"] * 15)
LAID = "/".join(["15"] * 7 + ["7FiSH4"] + ["15"] * 7)
LARGE = "/".join(["21"] * 10 + ["10Za9"] + ["21"] * 10)
BOARDS = (
    BARE,
    LAID,
    LARGE,
    "",
    "15/15",
    f"{BARE}/15",
    BARE.replace("15", "14"),
    BARE.replace("15", "015"),
    "x" * 5000,
    BARE.replace("15", "9a5"),
    BARE.replace("15", "9-5"),
    BARE.replace("15", "999"),
    BARE.replace("15", "111"),
    BARE.replace("15", "A14"),
)
READ_BOARDS = """
(engine, texts) => texts.map((text) => {
  const board = engine.readBoard(text);
  return board && { board, written: engine.writeBoard(board) };
})
"""


def test_boards_are_read_and_written_alike(engine):
    """The same texts are boards, hold the same and are written the same."""
    answers = engine.run(READ_BOARDS, BOARDS)
    read = [find_board(text) for text in BOARDS]
    assert answers == read
    assert (len(read) - read.count(None), read.count(None)) == (5, 9)


def test_pages_read_the_boards_of_all_layouts(engine):
    """A game may be played on a layout of up to 21 rows of its own (docs/rules.md 2.3): pages read its board."""
    eleven = "/".join(["11"] * 10 + ["3CAT5"])
    read = {"board": ["." * 11] * 10 + ["...CAT....."], "written": eleven}
    assert engine.run(READ_BOARDS, [eleven, "/".join(["22"] * 22)]) == [read, None]


def find_board(text: str) -> dict[str, Any] | None:
    try:
        board = read_cgp(text).board
    except BadPosition:
        return None
    return {"board": board.rows(), "written": write_board(board)}


ACTION = "/".join(["15"] * 7 + ["7ACTION2"] + ["15"] * 7)
WINGED = "/".join(["21"] * 10 + ["13EVENT3"] + ["21"] * 10)
COMPARED: tuple[dict[str, Any], ...] = (
    {"position": ACTION, "move": "N8 SO"},
    {"position": LAID, "move": "=I8 8L ERY", "rack": "IERY"},
    {"position": LAID, "move": "=H8 8L ERY"},
    {"position": LAID, "move": "8L ERY", "rack": "ER"},
    {"position": LAID, "move": "7H ZA", "options": {"small_word_cap": True}},
    {"position": WINGED, "move": "11S FUL"},
    {"position": WINGED, "move": "A1 FUL"},
    {"position": WINGED, "move": "R12 AT", "options": {"board": 21}},
    {"position": LARGE, "move": "11M X", "options": {"board": 15, "premium": "add"}},
    {"position": "/".join(["A20"] + ["21"] * 20), "move": "A2 X"},
)
COMPARE = """
(engine, [document, cases], rules) => cases.map(({ position, move, rack = null, options = {} }) => {
  const { swaps, move: { play } } = rules.readTurn(move);
  return engine.compare(document, options, rules.readBoard(position), rack, { swaps, play });
})
"""


def test_rule_sets_are_compared_alike(engine):
    """The comparison of a play is equal under all rule sets, on boards of both sizes, with swaps, racks and options."""
    answers = engine.run(COMPARE, [json.loads(public.rules_document()), COMPARED], "compare")
    for case, answer in zip(COMPARED, answers, strict=True):
        rulings = plays.compare(read_play(json.dumps(case).encode()))
        assert answer.keys() == RULE_SETS.keys()
        for id, ruling in rulings.items():
            answer[id].pop("details", None)
            expected = (
                {"legal": False, "fault": ruling.code} if isinstance(ruling, Problem) else expected_ruling(ruling)
            )
            assert answer[id] == expected, (case, id)


def test_tiles_are_counted(engine):
    """The engine counts face values, unseen tiles, and the tiles of a set: Scrabble I has 300."""
    rules = {name: public.describe_rule_set(rules_of(name)) for name in RULE_SETS}
    found = engine.run(
        """(engine, [rules, fish, large]) => [
          engine.worth(rules.dover, "QZ?AK"), engine.unseen(rules.classic, fish, "AAQ?"),
          engine.countTiles(rules["scrabble-i"].tiles), engine.countTiles({}),
          engine.unseen(rules.classic, Array(15).fill("Q".repeat(15))).Q ?? null,
        ]""",
        [rules, read_cgp(LAID).board.rows(), read_cgp(LARGE).board.rows()],
    )
    worth, unseen, pool, none, past = found
    assert worth == 26
    assert (unseen["A"], unseen["F"], unseen["S"], unseen["H"], unseen["I"]) == (7, 1, 3, 1, 9)
    assert {"Q", "?"} & unseen.keys() == set()
    assert sum(unseen.values()) == 92
    assert (pool, none, past) == (300, 0, None)


def test_published_lists_are_read_alike(engine):
    """The engine finds unlisted two-letter words and disallowed words, and judges no word that is not published."""
    rules = {name: public.describe_rule_set(rules_of(name)) for name in RULE_SETS}
    words = ["QI", "AT", "SI", "ZAX", "ZEP", "XYZZY", "AA"]
    found = engine.run(
        """(engine, [rules, words]) => Object.values(rules).map((each) =>
          [engine.unlistedTwosOf(each, words), engine.disallowedOf(each, words)])""",
        [rules, words],
    )
    assert dict(zip(rules, found, strict=True)) == {
        "classic": [[], []],
        "scrabble-i-classic": [["QI", "AA"], []],
        "scrabble-o": [["QI", "AA"], []],
        "scrabble-i": [["QI", "AA"], []],
        "dover": [["QI", "SI", "AA"], ["QI", "SI", "ZEP", "AA"]],
    }
