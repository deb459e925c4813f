"""A slow search for all plays, to test the generator against: without a graph, anchors or cross-checks."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from ordws.rules.board import Axis, Board
from ordws.rules.judge import judge
from ordws.rules.layout import Layout
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet, Wings

TOY_5 = ("=...'", ".'.-.", "..-..", ".-.'.", "'...=")
TOY_3 = ("='.", ".-'", "..=")
TOY_7 = ("=..'..=", ".-...-.", '.."."..', "'..-..'", '.."."..', ".-...-.", "=..'..=")

Tiles: TypeAlias = frozenset[tuple[tuple[int, int], str]]
"""The identity of a play, however it is written: its new tiles and their squares."""

Found: TypeAlias = dict[Tiles, tuple[int, tuple[str, ...]]]
"""The score and the words of each play."""


def toy_rules(rules: RuleSet, side: int) -> RuleSet:
    """Return the rule set on a board of 5 or 7 squares a side, with wings of one square if it has wings."""
    winged = rules.wings is not Wings.ANYWHERE
    inner = {(5, False): TOY_5, (5, True): TOY_3, (7, False): TOY_7, (7, True): TOY_5}[side, winged]
    return replace(rules, layout=Layout.from_rows(inner, wings=int(winged)))


def plays_by_tiles(plays: Iterable[tuple[Play, Legal]]) -> Found:
    return {tiles_of(legal): (legal.score, tuple(sorted(legal.words))) for _, legal in plays}


def tiles_of(legal: Legal) -> Tiles:
    tiles, first, new, _ = legal.spans[0]
    return frozenset(zip(legal.new_squares, [chr(tiles[at - first]) for at in new], strict=True))


def brute_force_strings(rules: RuleSet, board: Board, rack: str, words: Container[str], alphabet: str) -> Found:
    """Find the plays among all strings of tiles and dots that a rack can lay, from all squares, both ways."""
    strings = [string.encode() for n in range(1, board.side + 1) for string in _strings(rack, alphabet, n)]
    squares = [(row, column) for row in range(board.side) for column in range(board.side)]
    tried = [Play(*square, axis, string) for square in squares for axis in Axis for string in strings]
    return plays_by_tiles(_acceptable(rules, board, rack, words, tried))


def brute_force_words(rules: RuleSet, board: Board, rack: str, words: Iterable[str]) -> Found:
    """Find the plays among every word at every place, both ways, with every choice of blanks for its tiles."""
    words = frozenset(words)
    tried = [play for word in words for play in _placements(board, rack, word)]
    return plays_by_tiles(_acceptable(rules, board, rack, words, tried))


def _acceptable(
    rules: RuleSet, board: Board, rack: str, words: Container[str], tried: Iterable[Play]
) -> Iterator[tuple[Play, Legal]]:
    for play in tried:
        ruling = judge(rules, board, play, rack)
        if isinstance(ruling, Legal) and all(word in words for word in ruling.words):
            yield play, ruling


def _strings(rack: str, alphabet: str, length: int) -> Iterator[str]:
    if not length:
        yield ""
        return
    signs = [(".", rack)]
    for tile in sorted(set(rack)):
        letters = alphabet.lower() if tile == "?" else tile
        signs += [(letter, rack.replace(tile, "", 1)) for letter in letters]
    for sign, left in signs:
        for rest in _strings(left, alphabet, length - 1):
            yield sign + rest


def _placements(board: Board, rack: str, word: str) -> Iterator[Play]:
    rows = board.rows()
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    for axis in Axis:
        for line, tiles in enumerate(columns if axis else rows):
            for along in range(board.side - len(word) + 1):
                there = tiles[along : along + len(word)]
                row, column = (along, line) if axis else (line, along)
                for letters in _blanked(word, there, rack):
                    yield Play(row, column, axis, letters.encode())


def _blanked(word: str, there: str, rack: str) -> Iterator[str]:
    """Yield the ways to lay a word over the tiles there."""
    if not word:
        yield ""
    elif there[0] == ".":
        for sign, tile in ((word[0], word[0]), (word[0].lower(), "?")):
            if tile in rack:
                for rest in _blanked(word[1:], there[1:], rack.replace(tile, "", 1)):
                    yield sign + rest
    elif there[0].upper() == word[0]:
        for rest in _blanked(word[1:], there[1:], rack):
            yield "." + rest
