"""Pictures in words, for readers who do not see them.

For the browser, ordws/web/pages/static/alt-text.js describes boards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.rules.board import Board, square_name
from ordws.rules.layout import Layout
from ordws.rules.tiles import TILE_VALUES

RowColumn: TypeAlias = tuple[int, int]
"""Row and column, from 0."""

Squares: TypeAlias = Sequence[RowColumn]

_RUN: Final = re.compile("[A-Za-z]{2,}")
_MULTIPLIERS: Final = {2: "double", 3: "triple", 4: "quadruple"}
_BIDI_CONTROLS: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def sanitize_text(text: str) -> str:
    """Return a text as one line that a page and a terminal can hold.

    U+FFFD replaces control characters, lone surrogates, noncharacters, and what reverses the direction of the text.
    """
    characters = []
    for character in text:
        is_control = unicodedata.category(character) in ("Cc", "Cs")
        is_unsafe = is_control or unicodedata.bidirectional(character) in _BIDI_CONTROLS
        # The last two code points of every plane, such as U+FFFF.
        is_noncharacter = ord(character) & 0xFFFE == 0xFFFE
        replaced = "\ufffd" if is_unsafe or is_noncharacter else character
        # A line break or a tab is a control character too, and becomes a space.
        characters.append(" " if character.isspace() else replaced)
    return "".join(characters)


def describe_board(layout: Layout, board: Board, last: Squares, stretched: Squares) -> str:
    """Return the whole picture in words: its size, every word with its square, the last play and what it stretched."""
    side, tiles = board.side, len(board.across) - board.across.count(b".")
    size = f"{side} by {side} squares"
    if layout.wings:
        size += f", of which the outer {layout.wings} on each side are wings"
    words: dict[str, list[str]] = {"Across": [], "Down": []}
    alone = {(r, c) for r, row in enumerate(board.rows()) for c, letter in enumerate(row) if letter != "."}
    columns = ["".join(column) for column in zip(*board.rows(), strict=True)]
    for head, lines in (("Across", board.rows()), ("Down", columns)):
        for number, line in enumerate(lines):
            for run in _RUN.finditer(line):
                squares = [(number, at) if head == "Across" else (at, number) for at in range(*run.span())]
                alone.difference_update(squares)
                name = square_name(*squares[0])
                words[head].append(f"{name[1:]}{name[0]} {run[0]}" if head == "Across" else f"{name} {run[0]}")
    sentences = [
        f"{size}; {_pluralize(tiles, 'tile')}.",
        *_list_sentence("Across", words["Across"]),
        *_list_sentence("Down", words["Down"]),
        *_list_sentence("Alone", [f"{square_name(*square)} {board.letter_at(*square)}" for square in sorted(alone)]),
        *_list_sentence("Last play", [square_name(*square) for square in last]),
        *_list_sentence("Stretched", [square_name(*square) for square in stretched]),
        *(["A lower case letter is a blank."] if re.search(b"[a-z]", board.across) else []),
    ]
    return " ".join(sentences)


def describe_square(layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares) -> str:
    """Return a square in words: `H8: Q, 10 points, last play`, `H8: a blank for Q, 0 points` or `A1: triple word`."""
    letter = board.letter_at(*square)
    if letter == ".":
        letter_factor, word_factor = layout.premium(*square)
        if letter_factor > 1:
            facts = [f"{_MULTIPLIERS[letter_factor]} letter"]
        else:
            facts = [f"{_MULTIPLIERS[word_factor]} word" if word_factor > 1 else "empty"]
    elif letter.islower():
        facts = [f"a blank for {letter.upper()}", "0 points"]
    else:
        facts = [letter, _pluralize(TILE_VALUES[letter], "point")]
    facts += ["last play"] * (square in last) + ["stretched"] * (square in stretched)
    facts += ["start"] * (letter == "." and square == layout.start)
    return f"{square_name(*square)}: {', '.join(facts)}"


def _pluralize(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n or 'no'} {what}s"


def _list_sentence(head: str, items: list[str]) -> list[str]:
    """Return the sentence that lists the items, or no sentence if there are none."""
    return [f"{head}: {', '.join(items)}."] if items else []


class PlayerResult(NamedTuple):
    """The result of a player; `label` is `winner`, `tie` or empty."""

    name: str
    score: int
    label: str


def game_results(players: Sequence[tuple[str, int]]) -> list[PlayerResult]:
    """Return the result of each player; the highest score wins."""
    scores = [score for _, score in players]
    label = "winner" if scores.count(max(scores, default=0)) == 1 else "tie"
    return [PlayerResult(sanitize_text(name), score, label if score == max(scores) else "") for name, score in players]


def describe_scores(results: list[PlayerResult]) -> str:
    """Return the results in words, as in `Final scores: Anna 412 (winner), Ben 389.`; empty without players."""
    scores = [f"{name} {score} ({label})" if label else f"{name} {score}" for name, score, label in results]
    return "".join(_list_sentence("Final scores", scores))
