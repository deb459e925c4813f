"""Positions and games made up so that their plays form the words to be asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from ordws.records.notation import write_board
from ordws.rules.board import board_from_rows, square_name
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.question_order import words_by_likelihood
from tests.mining.attackers.steps import BenchCaller, BenchRequest, Words, play_request

SIDE: Final = 15
ROW: Final = 7
LONGEST_ACROSS: Final = SIDE
LONGEST_DOWN: Final = ROW + 1
MOST_TILES: Final = 7


def board_request(caller: BenchCaller, words: Words, game: str | None) -> BenchRequest:
    """Return a play of the first word along the middle row; each other word comes down to one of its letters."""
    across, *down = words
    columns: dict[int, str] = {}
    for word in down:
        column = next(at for at, letter in enumerate(across) if letter == word[-1] and at not in columns)
        columns[column] = word
    rows = [["."] * SIDE for _ in range(SIDE)]
    rows[ROW][: len(across)] = across
    for column, word in columns.items():
        for row, letter in enumerate(word[:-1], start=ROW - len(word) + 1):
            rows[row][column] = letter
    # Only the crossing tiles are played, so that no words but these are formed.
    played = set(columns) or {0}
    for column in played:
        rows[ROW][column] = "."
    letters = "".join([letter if column in played else "." for column, letter in enumerate(across)])
    position = write_board(board_from_rows(["".join(row) for row in rows]))
    return play_request(caller, position, f"{ROW + 1}A {letters}", game)


def crossing_groups(knowledge: Knowledge, words: Sequence[str], most: int) -> Iterator[Words]:
    """Yield groups of words, up to `most`, that one play can form; after a no, each word by itself."""
    # Likely words come first in `words`, so that they are last in each stock and popped first.
    by_ending: defaultdict[str, list[str]] = defaultdict(list)
    for word in reversed(words):
        if len(word) <= LONGEST_DOWN:
            by_ending[word[-1]].append(word)
    for across in words:
        if len(across) > LONGEST_ACROSS or knowledge.is_known(across):
            continue
        down: list[str] = []
        for letter in across[:MOST_TILES]:
            stock = by_ending[letter]
            while stock and len(down) < most - 1:
                word = stock.pop()
                if word != across and not knowledge.is_known(word):
                    down.append(word)
                    break
        group = (across, *down)
        yield group
        for word in sorted(group, key=knowledge.chance):
            if knowledge.inference.implied_verdict([word]) is None:
                yield (word,)


def crossing_words(knowledge: Knowledge) -> Iterator[Words]:
    """Yield a word across and words that come down to every second letter of it, likely words first."""
    words = [word for word in words_by_likelihood(knowledge) if len(word) <= MOST_TILES]
    by_ending: defaultdict[str, list[str]] = defaultdict(list)
    for word in reversed(words):
        by_ending[word[-1]].append(word)
    used: set[str] = set()
    for across in words:
        if across in used:
            continue
        group = [across]
        for letter in across[::2]:
            stock = by_ending[letter]
            while stock and stock[-1] in (used | {*group}):
                stock.pop()
            group.append(stock.pop() if stock else "")
        used.update(group)
        yield tuple(group)


def invented_record(words: Words) -> str:
    """Return the record of a game of these plays: the first word across the centre, the others down to its letters."""
    across, *down = words
    first = ROW - len(across) + 1
    plays = [f"{ROW + 1}{square_name(0, first)[0]} {across}"]
    for number, word in enumerate(down):
        if word:
            plays.append(f"{square_name(0, first + 2 * number)[0]}{ROW + 1 - len(word) + 1} {word[:-1]}.")
    lines = [f">{'ab'[number % 2]}: ? {play} +0 0" for number, play in enumerate(plays)]
    head = ("#player1 a", "#player2 b", "#description ordws rules=classic")
    return "\n".join([*head, *lines, "#note ordws ended forfeit"])
