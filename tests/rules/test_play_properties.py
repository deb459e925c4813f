"""Random plays on random boards under every rule set and random options."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeAlias

import naive_oracle
from hypothesis import given
from hypothesis import strategies as st
from naive_oracle import Fits
from play_vectors import plain, squares, tiles_of

from ordws.records.notation import read_board, read_move, write_board, write_move
from ordws.rules.board import Axis, Board, empty_board
from ordws.rules.fault import Fault
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play, Ruling
from ordws.rules.options import with_options
from ordws.rules.receipt import build_receipt
from ordws.rules.ruleset import RULE_SETS, RuleSet

LETTERS = "AEINQZTaez"
TABLES = st.sampled_from(["none", "1:3,2:7", "5:10,6:30,7:50", "2:20,3:40,4:60,5:90", "7:50"])
DRAWINGS = st.lists(
    st.text(".'\"^-=~", min_size=5, max_size=5).map(lambda fifth: 3 * fifth), min_size=15, max_size=15
).map("/".join)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "minimum": st.sampled_from(["none", "main3", "any3"]),
        "wings": st.sampled_from(["anywhere", "main-word", "new-tile"]),
        "premium": st.sampled_from(["add", "multiply"]),
        "small_word_cap": st.sampled_from(["on", "off"]),
        "rack_size": st.integers(3, 9).map(str),
        "big_play": TABLES,
        "stretch": TABLES,
        "stretch_from": st.integers(2, 5).map(str),
        "board": st.sampled_from(["15", "21"]),
        "layout": DRAWINGS,
    },
)


Options: TypeAlias = tuple[tuple[str, str], ...]


@cache
def rules_of(name: str, options: Options) -> RuleSet:
    return with_options(RULE_SETS[name], dict(options))


@cache
def oracle_of(name: str, options: Options) -> naive_oracle.Options:
    return naive_oracle.options_of(name, plain(dict(options)))


class Case(NamedTuple):
    """A play on a board, the rule set with its changed options, and the rack if it is checked."""

    name: str
    options: Options
    board: Board
    play: Play
    rack: str | None

    def rule(self, **changes: Any) -> Ruling:
        name, options, board, play, rack = self._replace(**changes)
        return judge(rules_of(name, options), board, play, rack)

    def rule_by_oracle(self) -> Fits | str:
        row, column, axis, letters = self.play
        options, down = oracle_of(self.name, self.options), axis is Axis.DOWN
        return naive_oracle.rule(options, tiles_of(self.board), (row, column), down, letters.decode(), self.rack)


def random_board(side: int, rng: Random) -> Board:
    """Return a board with strings anywhere, across each other, as few games have and any request may send."""
    tiles: dict[tuple[int, int], str] = {}
    for _ in range(rng.choice((0, 1, 2, 4, 8, 16))):
        row, column, down = rng.randrange(side), rng.randrange(side), rng.random() < 0.5
        for i in range(rng.randint(1, 7)):
            at = (row + i, column) if down else (row, column + i)
            if max(at) < side:
                tiles.setdefault(at, rng.choice(LETTERS))
    return empty_board(side).with_letters(tiles)


def random_play(board: Board, rng: Random) -> Play:
    """Return mostly tiles on free squares near a tile or the centre, with dots or letters where tiles lie."""
    axis, length = rng.choice([*Axis]), rng.choice((1, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    row, column = rng.choice([*tiles_of(board)] or [(board.side // 2, board.side // 2)])
    back, aside = rng.randint(0, length), rng.choice((0, 0, 0, -1, 1))
    row, column = (row - back, column + aside) if axis is Axis.DOWN else (row + aside, column - back)
    play = Play(max(row, 0), max(column, 0), axis, b"." * length)
    letters = ""
    for square in squares(play):
        there = board.letter_at(*square) if max(square) < board.side else "."
        letters += rng.choice([".", ".", there, there.swapcase()] if there != "." else LETTERS)
        if rng.random() < 0.02:
            letters = letters[:-1] + rng.choice("QZ.")
    return play._replace(letters=letters.encode())


@st.composite
def cases(draw: st.DrawFn, options: st.SearchStrategy[dict[str, str]] = OPTIONS) -> list[Case]:
    """Return several cases under the same options.

    Hypothesis repeats the numbers it draws, and boards have to differ.
    """
    name, changes, number = draw(st.sampled_from([*RULE_SETS])), draw(options), draw(st.integers(0))
    rng = Random(f"{name} {changes} {number}")
    return [random_case(name, tuple(changes.items()), rng) for _ in range(12)]


def random_case(name: str, options: Options, rng: Random) -> Case:
    board = random_board(rules_of(name, options).layout.side, rng)
    rack = "".join(rng.choices("AEINQZT?", k=9)) if rng.random() < 0.2 else None
    return Case(name, options, board, random_play(board, rng), rack)


@given(cases())
def test_the_engine_and_the_oracle_agree(cases: list[Case]):
    """The engine and the oracle agree on every ruling, and the receipt adds up to the score."""
    for case in cases:
        ruling, slow = case.rule(), case.rule_by_oracle()
        if not isinstance(ruling, Legal):
            assert ruling.fault.value == slow
            continue
        assert isinstance(slow, Fits)
        told = build_receipt(ruling)
        assert (ruling.words, [line.score for line in told.words]) == (slow.words, slow.scores)
        assert (ruling.bonus, told.bonus.points, told.bonus.reason) == (slow.bonus, slow.bonus, slow.reason)
        assert ruling.score == told.score == slow.total
        for line in told.words:
            assert line.score == line.sum * line.factor
            assert "".join(letter.letter for letter in line.letters).upper() == line.word
            assert [letter for letter in line.letters if letter.premium > 1 and not letter.is_new] == []
            for letter in line.letters:
                assert letter.points == letter.value * letter.premium <= letter.face * letter.premium
        assert sorted(ruling.new_squares) == sorted({(x.row, x.column) for x in told.words[0].letters if x.is_new})


DOTS = bytes.maketrans(b"AEINQZTaez", b"::::::::::")


def over(letters: bytes, there: bytes) -> bytes:
    """Return the letters of a play with other ones for tiles already there; `:` stands for the dot of such a tile."""
    pairs = zip(letters, there, strict=True)
    return bytes([letter if under == ord(".") else under for letter, under in pairs]).replace(b":", b".")


@given(cases())
def test_the_notation_of_a_play_does_not_matter(cases: list[Case]):
    """Tiles already there may be written as dots, in either case, or left out at the ends."""
    for case in cases:
        ruling, board = case.rule(), case.board
        row, column, axis, letters = case.play
        if not isinstance(ruling, Legal):
            continue
        there = "".join(board.letter_at(*square) for square in squares(case.play)).encode()
        spelt, swapped = over(letters, there), over(letters, there.swapcase())
        dotted = over(letters, there.translate(DOTS))
        cut = len(dotted) - len(dotted.lstrip(b"."))
        start = (row + cut, column) if axis is Axis.DOWN else (row, column + cut)
        assert case.rule(play=case.play._replace(letters=spelt)) == ruling
        assert case.rule(play=case.play._replace(letters=swapped)) == ruling
        assert case.rule(play=Play(*start, axis, dotted.strip(b"."))) == ruling
        if len(ruling.new_squares) == 1:
            (square,) = ruling.new_squares
            assert case.rule(play=Play(*square, axis.other, dotted.strip(b"."))) == ruling


OF_THE_PLACEMENT = {
    Fault.OFF_BOARD,
    Fault.SQUARE_TAKEN,
    Fault.NO_NEW_TILE,
    Fault.GAP,
    Fault.MISSES_CENTRE,
    Fault.NOT_CONNECTED,
}


@given(cases())
def test_a_rack_with_the_tiles_of_a_play_changes_nothing(cases: list[Case]):
    """A rack with the tiles of a play changes no ruling, and without one of them the play is refused."""
    for case in cases:
        ruling = case.rule(rack=None)
        lying = tiles_of(case.board)
        pairs = zip(squares(case.play), case.play.letters.decode(), strict=True)
        taken = [letter for square, letter in pairs if letter != "." and square not in lying]
        rack = "".join(sorted("?" if letter.islower() else letter for letter in taken))
        assert case.rule(rack=rack) == ruling
        if isinstance(ruling, Legal) or ruling.fault not in OF_THE_PLACEMENT:
            for i in range(len(rack)):
                refused = case.rule(rack=rack[:i] + rack[i + 1 :])
                assert not isinstance(refused, Legal)
                assert refused.fault is Fault.NOT_ON_RACK


@given(cases(options=st.just({})))
def test_a_transposed_board_gives_the_same_ruling(cases: list[Case]):
    """Rows exchanged for columns give the same fault, or the same words and score, on a symmetric layout."""
    for case in cases:
        ruling, board = case.rule(), case.board
        row, column, axis, letters = case.play
        mirror = Board(board.side, board.down, board.across)
        turned = case.rule(board=mirror, play=Play(column, row, axis.other, letters))
        assert outcome(turned) == outcome(ruling)


def outcome(ruling: Ruling) -> object:
    if isinstance(ruling, Legal):
        return sorted(ruling.words), ruling.score, ruling.bonus
    return ruling.fault


@given(cases(options=st.just({})))
def test_boards_and_plays_survive_their_notations(cases: list[Case]):
    """Boards and plays survive being written in their notations and read again."""
    for case in cases:
        assert read_board(write_board(case.board)) == case.board
        play = case.play._replace(row=case.play.row % case.board.side, column=case.play.column % case.board.side)
        assert read_move(write_move(play)) == play
