"""What a picture shows, in words, for those who do not see it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.rules.board import Board, square_name
from ordws.rules.layout import Layout

RowColumn: TypeAlias = tuple[int, int]
"""Row and column."""

Squares: TypeAlias = Sequence[RowColumn]

_RUN: Final = re.compile("[A-Za-z]{2,}")
_MULTIPLIERS: Final = {2: "double", 3: "triple", 4: "quadruple"}
_BIDI_CONTROLS: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def sanitize_text(text: str) -> str:
    """The text as one line that a page and a terminal can hold: what would steer either becomes U+FFFD."""
    return "".join([" " if sign.isspace() else _sanitize_character(sign) for sign in text])


def _sanitize_character(character: str) -> str:
    """A sign, or U+FFFD for a control, half of a pair, what is no character, or what turns the reading about."""
    steers = unicodedata.category(character) in ("Cc", "Cs") or unicodedata.bidirectional(character) in _BIDI_CONTROLS
    return "\ufffd" if steers or ord(character) & 0xFFFE == 0xFFFE else character


def describe_board(layout: Layout, board: Board, last: Squares, stretched: Squares) -> str:
    """The whole picture: its size, every word with its square, the last play and what it stretched."""
    side, tiles = board.side, len(board.across) - board.across.count(b".")
    size = f"{side} by {side} squares"
    if layout.wings:
        size += f", of which the outer {layout.wings} on each side are wings"
    return " ".join(
        [
            f"{size}; {_pluralize(tiles, 'tile')}.",
            *_list_sentence(
                "Across", [f"{name[1:]}{name[0]} {word}" for name, word in _find_words(board.rows(), turned=False)]
            ),
            *_list_sentence("Down", [f"{name} {word}" for name, word in _find_words(_columns(board), turned=True)]),
            *_list_sentence(
                "Alone", [f"{square_name(*square)} {board.letter_at(*square)}" for square in _lone_tiles(board)]
            ),
            *_list_sentence("Last play", [square_name(*square) for square in last]),
            *_list_sentence("Stretched", [square_name(*square) for square in stretched]),
            *(["A lower case letter is a blank."] if re.search(b"[a-z]", board.across) else []),
        ]
    )


def describe_square(
    layout: Layout, board: Board, square: RowColumn, values: Mapping[str, int], last: Squares, stretched: Squares
) -> str:
    """One square: `H8: Q, 10 points, last play`, `H8: a blank for Q, 0 points`, or `A1: triple word`."""
    letter = board.letter_at(*square)
    if letter == ".":
        said = [describe_premium(*layout.premium(*square)) or "empty"]
    elif letter.islower():
        said = [f"a blank for {letter.upper()}", "0 points"]
    else:
        said = [letter, _pluralize(values[letter], "point")]
    said += ["last play"] * (square in last) + ["stretched"] * (square in stretched)
    said += ["start"] * (letter == "." and square == layout.start)
    return f"{square_name(*square)}: {', '.join(said)}"


def describe_premium(letter: int, word: int) -> str:
    """What a square multiplies, `double letter`; empty where it multiplies nothing."""
    if letter > 1:
        return f"{_MULTIPLIERS[letter]} letter"
    return f"{_MULTIPLIERS[word]} word" if word > 1 else ""


def _pluralize(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n or 'no'} {what}s"


def _list_sentence(head: str, items: list[str]) -> list[str]:
    return [f"{head}: {', '.join(items)}."] if items else []


def _columns(board: Board) -> list[str]:
    return ["".join(column) for column in zip(*board.rows(), strict=True)]


def _find_words(lines: list[str], *, turned: bool) -> Iterator[tuple[str, str]]:
    """The words of some lines, each with the name of its first square."""
    for number, line in enumerate(lines):
        for run in _RUN.finditer(line):
            square = (run.start(), number) if turned else (number, run.start())
            yield square_name(*square), run[0]


def _lone_tiles(board: Board) -> list[RowColumn]:
    """The tiles that are part of no word."""
    rows, columns = board.rows(), _columns(board)
    across = {(row, at) for row, line in enumerate(rows) for run in _RUN.finditer(line) for at in range(*run.span())}
    down = {(at, col) for col, line in enumerate(columns) for run in _RUN.finditer(line) for at in range(*run.span())}
    tiles = {(row, at) for row, line in enumerate(rows) for at, letter in enumerate(line) if letter != "."}
    return sorted(tiles - across - down)


class PlayerResult(NamedTuple):
    """How a player ended: `said` is `winner`, `tie` or nothing."""

    name: str
    score: int
    label: str


def game_results(players: Sequence[tuple[str, int]], winners: Collection[int] | None = None) -> list[PlayerResult]:
    """How each player ended; who has most points has won, unless other seats are named, counted from 0."""
    if winners is None:
        most = max([score for _, score in players], default=0)
        winners = [seat for seat, (_, score) in enumerate(players) if score == most]
    said = "winner" if len(winners) == 1 else "tie"
    return [
        PlayerResult(sanitize_text(name), score, said if seat in winners else "")
        for seat, (name, score) in enumerate(players)
    ]


def describe_scores(results: list[PlayerResult]) -> str:
    """`Final scores: Anna 412 (winner), Ben 389.`"""
    said = [f"{name} {score} ({word})" if word else f"{name} {score}" for name, score, word in results]
    return "".join(_list_sentence("Final scores", said))
