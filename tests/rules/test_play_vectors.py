"""The statements of the rule books on single plays, case by case in tests/vectors/rules."""

from __future__ import annotations

import re

import pytest
from each_row import each_row
from naive_oracle import Fits
from play_vectors import FOLDER, Vector, plain, read_vectors, rule, rule_by_oracle

from ordws.rules import judge, scoring
from ordws.rules.board import square_name
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Legal
from ordws.rules.receipt import BonusScore, LetterScore, Receipt, WordScore, build_receipt
from ordws.rules.scoring import word_score

FILES = ("sources.txt", "claims.txt", "resolutions.txt", "placement.txt", "faults.txt")
VECTORS = [pytest.param(vector, id=f"{name[:-4]}: {vector.title}") for name in FILES for vector in read_vectors(name)]
RECEIPTS = [pytest.param(vector, id=vector.title) for vector in read_vectors("receipts.txt")]

OF_A_PLAY = [
    Fault.OFF_BOARD,
    Fault.SQUARE_TAKEN,
    Fault.NO_NEW_TILE,
    Fault.GAP,
    Fault.MISSES_CENTRE,
    Fault.NOT_CONNECTED,
    Fault.NOT_ON_RACK,
    Fault.TOO_MANY_TILES,
    Fault.NO_WORD_FORMED,
    Fault.MAIN_WORD_TOO_SHORT,
    Fault.ONLY_TWO_LETTER_WORDS,
    Fault.MAIN_WORD_IN_WINGS,
    Fault.NO_TILE_ON_INNER_BOARD,
]
"""The faults of a play, in the order in which it is examined."""


@pytest.mark.parametrize("vector", VECTORS)
def test_the_engine_agrees_with_every_case(vector: Vector):
    """The engine gives the words, scores and bonus of every case, or its fault with the sentence."""
    ruling = rule(*arguments_of(vector))
    if "fault" in vector.fields:
        fault, _, sentence = vector.fields["fault"].partition(": ")
        assert isinstance(ruling, Illegal)
        assert ruling.fault.value == fault
        assert sentence in ("", ruling.message)
    else:
        assert isinstance(ruling, Legal)
        assert ruling.words == vector.fields["words"].split()
        scores, bonus, reason, total = points(vector)
        assert [word_score(ruling.rules, span) for span in ruling.spans] == scores
        assert (ruling.bonus, build_receipt(ruling).bonus.reason) == (bonus, reason)
        assert ruling.score == build_receipt(ruling).score == total


@pytest.mark.parametrize("vector", VECTORS)
def test_the_oracle_agrees_with_every_case(vector: Vector):
    """The oracle gives the words, scores and bonus of every case, or its fault."""
    ruled = rule_by_oracle(*arguments_of(vector))
    if "fault" in vector.fields:
        assert ruled == vector.fields["fault"].partition(":")[0]
    else:
        assert isinstance(ruled, Fits)
        scores, bonus, reason, total = points(vector)
        assert ruled == Fits(vector.fields["words"].split(), scores, bonus, reason)
        assert ruled.total == total


def arguments_of(vector: Vector) -> tuple[str, dict[str, str], str, str, str | None]:
    fields = vector.fields
    return fields["rules"], vector.options, fields.get("before", ""), fields["play"], fields.get("rack")


def points(vector: Vector) -> tuple[list[int], int, str, int]:
    """Return the scores of the words, the bonus, its reason and the total from a text such as `9 + 20 stretch = 29`."""
    parts, _, total = vector.fields["score"].partition(" = ")
    *scores, last = parts.split(" + ")
    if last.isdigit():
        return [int(each) for each in [*scores, last]], 0, "none", int(total)
    bonus, reason = last.split()
    return [int(each) for each in scores], int(bonus), reason, int(total)


def test_the_scores_of_each_case_add_up():
    """The scores of each case add up to its total."""
    for name in FILES:
        for vector in read_vectors(name):
            if "score" in vector.fields:
                scores, bonus, _, total = points(vector)
                assert sum(scores) + bonus == total, vector.title


@each_row("number", range(1, 19))
def test_each_vector_of_one_play_is_a_case(number):
    """Each of T-01 to T-18 is a case; the later vectors are games (docs/rules.md 14)."""
    assert [vector for vector in read_vectors("sources.txt") if f"T-{number:02}" in vector.ids]


def test_each_fault_of_a_play_is_a_case():
    """Each fault of a play is a case with its sentence."""
    told = {vector.fields["fault"].partition(":")[0] for vector in read_vectors("faults.txt")}
    assert told == {fault.value for fault in OF_A_PLAY}


def order() -> list[list[str]]:
    _, *lines = (FOLDER / "fault_order.txt").read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines]


@each_row("row", order())
def test_the_first_of_two_faults_is_reported(row: list[str]):
    """A play with two faults is refused for the first, and after that is cured for the second."""
    first, second, rules, options, before, play, rack, cure = row
    given = {"options": options, "before": before, "play": play, "rack": rack}
    cured = given | dict([cure.split(" ", 1)])
    assert OF_A_PLAY.index(Fault(first)) < OF_A_PLAY.index(Fault(second))
    for fields, fault in ((given, first), (cured, second)):
        case = Vector("", {"rules": rules} | {key: value for key, value in fields.items() if value != "-"}, [])
        ruling = rule(*arguments_of(case))
        assert isinstance(ruling, Illegal)
        assert ruling.fault.value == rule_by_oracle(*arguments_of(case)) == fault


def test_faults_are_listed_in_the_order_of_the_engine():
    """The list of faults has those of a play in the order in which judge finds them."""
    assert [fault for fault in Fault if fault in OF_A_PLAY] == OF_A_PLAY


@pytest.mark.parametrize("vector", RECEIPTS)
def test_a_receipt_accounts_for_every_point(vector: Vector):
    """A receipt has each letter with square, value, cap and premium, each word, and the one bonus."""
    ruling = rule(*arguments_of(vector))
    assert isinstance(ruling, Legal)
    assert list(lines_of(build_receipt(ruling))) == vector.receipt


def test_judging_and_scoring_build_no_receipt():
    """The modules judge and scoring do not use receipts."""
    for module in (judge, scoring):
        assert "ordws.rules.receipt" not in {getattr(each, "__module__", "") for each in vars(module).values()}
        assert build_receipt not in vars(module).values()


def lines_of(receipt: Receipt) -> list[str]:
    lines = []
    for word in receipt.words:
        lines += ["  " + word.word, *("    " + letter_of(letter) for letter in word.letters), "    " + sum_of(word)]
    return [*lines, "  " + bonus_of(receipt.bonus), f"  {receipt.score}"]


def letter_of(line: LetterScore) -> str:
    text = f"{line.letter} {square_name(line.row, line.column):3} {line.face:2}"
    text += f" cap {line.value}" if line.value != line.face else ""
    text += f" x{line.premium}" if line.premium > 1 else ""
    text += f" = {line.points}" if line.points != line.value else ""
    return text if line.is_new else text + " there"


def sum_of(line: WordScore) -> str:
    premiums = " ".join(map(str, line.premiums))
    return f"{line.sum} x {line.factor} ({premiums}) = {line.score}" if premiums else f"{line.score}"


def bonus_of(line: BonusScore) -> str:
    match line.reason:
        case "none":
            return "no bonus"
        case "big-play":
            return f"big play of {line.tiles} tiles: {line.points}"
        case "stretch":
            first, last = square_name(*line.squares[0]), square_name(*line.squares[-1])
            return f"stretch of {line.stretched} {first}-{last} by {line.tiles} tiles: {line.points}"


def test_the_oracle_reads_options_from_text():
    """The text of an option becomes the value that the oracle takes."""
    assert plain({"big_play": "5:10,6:30", "small_word_cap": "on", "layout": "../.."}) == {
        "big_play": {5: 10, 6: 30},
        "small_word_cap": True,
        "layout": ["..", ".."],
    }


def test_every_key_of_a_case_is_known():
    """Every key of a case is known, since nothing would read a misspelt one."""
    known = {"rules", "options", "before", "rack", "play", "words", "score", "fault", "why", "receipt"}
    for name in (*FILES, "receipts.txt"):
        for vector in read_vectors(name):
            assert vector.fields.keys() <= known, vector.title
            assert re.search("[a-z]", vector.title)
