"""What a picture shows, in words, for those who do not see it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.rules.board import Board, square_name
from ordws.rules.layout import Layout

Square: TypeAlias = tuple[int, int]
"""Row and column."""

Squares: TypeAlias = Sequence[Square]

_RUN: Final = re.compile("[A-Za-z]{2,}")
_TIMES: Final = {2: "double", 3: "triple", 4: "quadruple"}
_UNSEEN: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def clean(text: str) -> str:
    """The text as one line that a page and a terminal can hold: what would steer either becomes U+FFFD."""
    return "".join([" " if sign.isspace() else _seen(sign) for sign in text])


def _seen(sign: str) -> str:
    """A sign, or U+FFFD for a control, half of a pair, what is no character, or what turns the reading about."""
    steers = unicodedata.category(sign) in ("Cc", "Cs") or unicodedata.bidirectional(sign) in _UNSEEN
    return "\ufffd" if steers or ord(sign) & 0xFFFE == 0xFFFE else sign


def describe(layout: Layout, board: Board, last: Squares, stretched: Squares) -> str:
    """The whole picture: its size, every word with its square, the last play and what it stretched."""
    side, tiles = board.side, len(board.across) - board.across.count(b".")
    size = f"{side} by {side} squares"
    if layout.wings:
        size += f", of which the outer {layout.wings} on each side are wings"
    return " ".join(
        [
            f"{size}; {_counted(tiles, 'tile')}.",
            *_listed("Across", [f"{name[1:]}{name[0]} {word}" for name, word in _runs(board.rows(), turned=False)]),
            *_listed("Down", [f"{name} {word}" for name, word in _runs(_columns(board), turned=True)]),
            *_listed("Alone", [f"{square_name(*square)} {board.at(*square)}" for square in _alone(board)]),
            *_listed("Last play", [square_name(*square) for square in last]),
            *_listed("Stretched", [square_name(*square) for square in stretched]),
            *(["A lower case letter is a blank."] if re.search(b"[a-z]", board.across) else []),
        ]
    )


def describe_square(
    layout: Layout, board: Board, square: Square, values: Mapping[str, int], last: Squares, stretched: Squares
) -> str:
    """One square: `H8: Q, 10 points, last play`, `H8: a blank for Q, 0 points`, or `A1: triple word`."""
    letter = board.at(*square)
    if letter == ".":
        said = [describe_premium(*layout.premium(*square)) or "empty"]
    elif letter.islower():
        said = [f"a blank for {letter.upper()}", "0 points"]
    else:
        said = [letter, _counted(values[letter], "point")]
    said += ["last play"] * (square in last) + ["stretched"] * (square in stretched)
    said += ["start"] * (letter == "." and square == layout.start)
    return f"{square_name(*square)}: {', '.join(said)}"


def describe_premium(letter: int, word: int) -> str:
    """What a square multiplies, `double letter`; empty where it multiplies nothing."""
    if letter > 1:
        return f"{_TIMES[letter]} letter"
    return f"{_TIMES[word]} word" if word > 1 else ""


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n or 'no'} {what}s"


def _listed(head: str, items: list[str]) -> list[str]:
    return [f"{head}: {', '.join(items)}."] if items else []


def _columns(board: Board) -> list[str]:
    return ["".join(column) for column in zip(*board.rows(), strict=True)]


def _runs(lines: list[str], *, turned: bool) -> Iterator[tuple[str, str]]:
    """The words of some lines, each with the name of its first square."""
    for number, line in enumerate(lines):
        for run in _RUN.finditer(line):
            square = (run.start(), number) if turned else (number, run.start())
            yield square_name(*square), run[0]


def _alone(board: Board) -> list[Square]:
    """The tiles that are part of no word."""
    rows, columns = board.rows(), _columns(board)
    across = {(row, at) for row, line in enumerate(rows) for run in _RUN.finditer(line) for at in range(*run.span())}
    down = {(at, col) for col, line in enumerate(columns) for run in _RUN.finditer(line) for at in range(*run.span())}
    tiles = {(row, at) for row, line in enumerate(rows) for at, letter in enumerate(line) if letter != "."}
    return sorted(tiles - across - down)


class Result(NamedTuple):
    """How a player ended: `said` is `winner`, `tie` or nothing."""

    name: str
    score: int
    said: str


def results(players: Sequence[tuple[str, int]], winners: Collection[int] | None = None) -> list[Result]:
    """How each player ended; who has most points has won, unless other seats are named, counted from 0."""
    if winners is None:
        most = max([score for _, score in players], default=0)
        winners = [seat for seat, (_, score) in enumerate(players) if score == most]
    said = "winner" if len(winners) == 1 else "tie"
    return [Result(clean(name), score, said if seat in winners else "") for seat, (name, score) in enumerate(players)]


def describe_scores(ended: list[Result]) -> str:
    """`Final scores: Anna 412 (winner), Ben 389.`"""
    said = [f"{name} {score} ({word})" if word else f"{name} {score}" for name, score, word in ended]
    return "".join(_listed("Final scores", said))
