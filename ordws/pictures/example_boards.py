"""The boards that pages show as examples: that of the front page, and those that explain the rules.

Examples of the rules are judged and scored by the rule set that they are shown for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from ordws.pictures.alt_text import describe_board
from ordws.pictures.svg import Part, draw_board, draw_part
from ordws.rules.board import Axis, Board, board_from_rows
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.layout import STANDARD_ROWS, Layout
from ordws.rules.move import Play
from ordws.rules.receipt import build_receipt
from ordws.rules.ruleset import CLASSIC, RULE_SETS, RuleSet

_TITLE: Final = "FISH is stretched to FISHING"
_ROWS: Final = [
    "...............",
    "...............",
    "...............",
    ".........W.....",
    "........LOVERS.",
    ".........R.....",
    ".........D.....",
    ".......FiSHING.",
    ".......R..O..A.",
    ".......I..U..M.",
    ".......E..S..E.",
    ".......N..E....",
    "....WORD.......",
    "...............",
    "...............",
]
_ROW: Final = 7
_STRETCHED: Final = [(_ROW, column) for column in range(7, 11)]
_LAST: Final = [(_ROW, column) for column in range(11, 14)]


class FrontBoard(NamedTuple):
    """The picture, and its description for those who do not see it."""

    svg: str
    description: str


@cache
def front_board() -> FrontBoard:
    """Return the picture of the front page; its words are common ones, and say nothing about the word set."""
    layout, board = RULE_SETS["scrabble-o"].layout, board_from_rows(_ROWS)
    svg = draw_board(layout, board, title=_TITLE, last=_LAST, stretched=_STRETCHED)
    return FrontBoard(svg, f"{_TITLE}. {describe_board(layout, board, _LAST, _STRETCHED)}")


ACROSS: Final = Axis.ACROSS
DOWN: Final = Axis.DOWN

_FISH: Final = (Play(7, 4, ACROSS, b"FISH"), Play(8, 7, ACROSS, b"ACTION"), Play(9, 7, DOWN, b"M"))
_AROUND_FISH: Final = Part(6, 3, 12, 6)


class Example(NamedTuple):
    """A play on a board, of the inner board unless it is told otherwise: rows and columns are counted from 0."""

    name: str
    """A part of the picture's address."""
    chapter: str
    before: tuple[Play, ...]
    play: Play
    part: Part
    needs: str = ""
    """What the rule set has to have for it: `wings`, `stretch` or `big_play`, or for the last two examples to know of:
    `small_word_cap`; empty for any rule set."""


EXAMPLES: Final = (
    Example("4a", "turn", _FISH, Play(8, 13, DOWN, b"S"), _AROUND_FISH),
    Example("4b", "turn", _FISH, Play(8, 13, DOWN, b"SO"), _AROUND_FISH),
    Example("4c", "turn", _FISH, Play(8, 13, DOWN, b"SOW"), _AROUND_FISH),
    Example(
        "wings",
        "turn",
        (Play(7, 10, ACROSS, b"EVENT"),),
        Play(7, 10, ACROSS, b".....FUL"),
        Part(6, 9, 9, 3),
        needs="wings",
    ),
    Example(
        "squares",
        "scoring",
        (Play(0, 1, DOWN, b"M"),),
        Play(0, 0, ACROSS, b"E.AcIATE"),
        Part(0, 0, 9, 3),
        needs="big_play",
    ),
    Example(
        "stretch",
        "scoring",
        (Play(8, 5, ACROSS, b"HEAT"),),
        Play(8, 5, ACROSS, b"....ING"),
        Part(7, 4, 9, 3),
        needs="stretch",
    ),
    Example(
        "cap-qoph",
        "scoring",
        (Play(7, 5, ACROSS, b"GLIME"),),
        Play(6, 7, ACROSS, b"QOPH"),
        Part(5, 4, 8, 4),
        needs="small_word_cap",
    ),
    Example(
        "cap-glime",
        "scoring",
        (Play(6, 7, ACROSS, b"QOPH"),),
        Play(7, 5, ACROSS, b"GLIME"),
        Part(5, 4, 8, 4),
        needs="small_word_cap",
    ),
)


class DrawnExample(NamedTuple):
    """An example as a page shows it: the picture's address, its description, and what the rules say of the play."""

    name: str
    chapter: str
    address: str
    alt: str
    width: int
    height: int
    verdict: str


def examples_for(rules: RuleSet) -> list[DrawnExample]:
    """Return the examples of a rule set on the standard layout; none for another layout or a shorter rack."""
    if rules.layout.rows != STANDARD_ROWS:
        return []
    drawn = []
    for example in EXAMPLES:
        match example.needs:
            case "wings":
                is_shown = rules.layout.wings > 0
            case "small_word_cap":
                # The rule books of the others offer the cap as an option; the tournament game does not know it.
                is_shown = rules.small_word_cap or rules.id != CLASSIC.id
            case "":
                is_shown = True
            case bonus:
                is_shown = any(getattr(rules, bonus))
        if not is_shown:
            continue
        capped = replace(rules, small_word_cap=rules.small_word_cap or example.needs == "small_word_cap")
        board, play = set_up(example, rules.layout)
        drawn.append(
            DrawnExample(
                example.name,
                example.chapter,
                f"/app/rules-{example.name}-{rules.layout.side}.svg",
                describe_board(rules.layout, place(board, play), _new_squares(board, play), ()),
                example.part.width * 40,
                example.part.height * 40,
                describe_verdict(capped, board, play),
            )
        )
    return drawn


def published_pictures() -> dict[str, tuple[str, Layout]]:
    """Return the addresses of all pictures of examples, each with the name and the layout to draw it by."""
    return {drawn.address: (drawn.name, rules.layout) for rules in RULE_SETS.values() for drawn in examples_for(rules)}


def set_up(example: Example, layout: Layout) -> tuple[Board, Play]:
    """Return the board before the play of an example, and the play, on a board with or without wings."""
    board = board_from_rows(["." * layout.side] * layout.side)
    for play in example.before:
        board = place(board, _shift(play, layout))
    return board, _shift(example.play, layout)


def place(board: Board, play: Play) -> Board:
    """Return the board with the tiles of a play, whatever the rules say of it."""
    letters = play.letters.decode()
    squares = zip(_squares(play), letters, strict=True)
    return board.with_letters({square: letter for square, letter in squares if letter != "."})


def draw_example(name: str, layout: Layout) -> str:
    """Return the SVG of an example, the tiles of the play outlined."""
    example = next(each for each in EXAMPLES if each.name == name)
    board, play = set_up(example, layout)
    row, column, width, height = example.part
    part = Part(row + layout.wings, column + layout.wings, width, height)
    return draw_part(layout, place(board, play), part, title=play.letters.decode(), last=_new_squares(board, play))


def describe_verdict(rules: RuleSet, board: Board, play: Play) -> str:
    """Return what a rule set says of a play: its words with their letters and scores, or the fault."""
    ruling = judge(rules, board, play)
    if isinstance(ruling, Illegal):
        return f"Not allowed: {ruling.message}."
    receipt = build_receipt(ruling)
    words = []
    for line in receipt.words:
        letters = " ".join([f"{letter.letter.upper()}{letter.value}" for letter in line.letters])
        factor = f", {line.factor} times" if line.factor > 1 else ""
        words.append(f"{line.word} ({letters}{factor}) {line.score}")
    bonus = receipt.bonus
    if bonus.points:
        reason = f"stretch of {bonus.stretched}" if bonus.reason == "stretch" else "big play"
        words.append(f"{reason} by {bonus.tiles} tiles {bonus.points}")
    return f"Allowed: {'; '.join(words)}; {ruling.score} points in all."


def _shift(play: Play, layout: Layout) -> Play:
    return play._replace(row=play.row + layout.wings, column=play.column + layout.wings)


def _squares(play: Play) -> list[tuple[int, int]]:
    """Return row and column of each letter of a play."""
    down = play.axis is DOWN
    return [(play.row + i * down, play.column + i * (not down)) for i in range(len(play.letters))]


def _new_squares(board: Board, play: Play) -> list[tuple[int, int]]:
    return [square for square in _squares(play) if board.letter_at(*square) == "."]
