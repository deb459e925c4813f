"""The turns that the computer player chooses: the cases of `tests/vectors/computer/turns.txt`."""

from __future__ import annotations

from pathlib import Path

from ordws.computer.candidates import leave_values
from ordws.computer.choose import SeatTask, VisibleGame, choose
from ordws.computer.words import PublicWords, Strength
from ordws.records.notation import read_board
from ordws.rules.bag import pool, remove_tiles, sort_tiles
from ordws.rules.board import empty_board
from ordws.rules.ruleset import RULE_SETS

VECTORS = Path(__file__).parents[1] / "vectors/computer/turns.txt"


def read_cases() -> list[dict[str, str]]:
    """Return the paragraphs of the vectors by their keys."""
    lines = [line for line in VECTORS.read_text("utf-8").split("\n") if not line.startswith("#")]
    paragraphs = "\n".join(lines).strip().split("\n\n")
    return [{line[:10].strip(): line[10:].strip() for line in each.splitlines()} for each in paragraphs]


def view_of_case(case: dict[str, str]) -> VisibleGame:
    """Return what the seat of a case sees."""
    rules = RULE_SETS[case["rules"]]
    board = read_board(case["board"]) if "board" in case else empty_board(rules.layout.side)
    laid = "".join(["?" if letter.islower() else letter for row in board.rows() for letter in row if letter != "."])
    rack = sort_tiles(case["rack"])
    return VisibleGame(
        rules,
        board,
        rack,
        case.get("other") or remove_tiles(pool(rules), laid + rack),
        int(case.get("bag", "50")),
        len(case["other"]) if "other" in case else rules.rack_size,
        case.get("other"),
        task=SeatTask(case.get("task", "move")),
        words=tuple(case.get("question", "").split()),
        barred=frozenset(case.get("barred", "").split()),
    )


def test_turns_are_those_of_the_vectors() -> None:
    """Each case of the vectors gets the turn that it names, twice, since a turn follows from the view and the seed."""
    cases = read_cases()
    assert len(cases) == 15
    for case in cases:
        core = case["words"].split()
        public = [*core, *case.get("public", "").split()]
        words = PublicWords(core, public, case.get("common", "").split(), case.get("charged", "").split())
        view, strength = view_of_case(case), Strength(case["strength"])
        chosen = choose(view, words, strength, "7")
        assert f"{chosen.move} {chosen.word}".strip() == case["turn"], case["why"]
        assert choose(view, words, strength, "7") == chosen


def test_a_rule_set_without_learned_values_has_those_of_classic():
    """A rule set that is new is played before the values of its leaves are learned, which takes hours."""
    assert leave_values("new")["EINRST"] == leave_values("classic")["EINRST"] != leave_values("dover")["EINRST"]
