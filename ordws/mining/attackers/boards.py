"""Positions that nobody ever had on a board, made so that one play forms the words to be asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.steps import BenchCaller, BenchRequest, Words, play_request
from ordws.records.cgp import write_board
from ordws.rules.board import board_from_rows

SIDE: Final = 15
ROW: Final = 7
LONGEST_ACROSS: Final = SIDE
LONGEST_DOWN: Final = ROW + 1
MOST_TILES: Final = 7


def board_request(caller: BenchCaller, words: Words, game: str | None) -> BenchRequest:
    """A play of the first word along the middle row; the others come down to it, each to another of its letters."""
    across, *down = words
    columns = _columns(across, down)
    rows = [["."] * SIDE for _ in range(SIDE)]
    rows[ROW][: len(across)] = across
    for column, word in columns.items():
        for row, letter in enumerate(word[:-1], start=ROW - len(word) + 1):
            rows[row][column] = letter
    laid = set(columns) or {0}
    for column in laid:
        rows[ROW][column] = "."
    letters = "".join([letter if column in laid else "." for column, letter in enumerate(across)])
    return play_request(
        caller, write_board(board_from_rows(["".join(row) for row in rows])), f"{ROW + 1}A {letters}", game
    )


def crossing_groups(knowledge: Knowledge, words: Sequence[str], most: int) -> Iterator[Words]:
    """Words that one play can form, up to so many; after a no each by itself, until it is clear which are out."""
    by_ending: defaultdict[str, list[str]] = defaultdict(list)
    for word in reversed(words):
        if len(word) <= LONGEST_DOWN:
            by_ending[word[-1]].append(word)
    for across in words:
        if len(across) > LONGEST_ACROSS or knowledge.is_known(across):
            continue
        down: list[str] = []
        for letter in across[:MOST_TILES]:
            found = _next_unknown(by_ending[letter], knowledge, across) if len(down) < most - 1 else None
            if found is not None:
                down.append(found)
        group = (across, *down)
        yield group
        for word in sorted(group, key=knowledge.chance):
            if knowledge.inference.implied_verdict([word]) is None:
                yield (word,)


def _next_unknown(stock: list[str], knowledge: Knowledge, across: str) -> str | None:
    """The next word of a stock that is not known yet."""
    while stock:
        word = stock.pop()
        if word != across and not knowledge.is_known(word):
            return word
    return None


def _columns(across: str, down: Sequence[str]) -> dict[int, str]:
    """Under which letter each of the words comes down."""
    columns: dict[int, str] = {}
    for word in down:
        column = next(at for at, letter in enumerate(across) if letter == word[-1] and at not in columns)
        columns[column] = word
    return columns
