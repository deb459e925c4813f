"""Reader of the cases of a single play in tests/vectors/rules, and the rulings of the engine and the oracle on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import naive_oracle

from ordws.records.notation import read_move
from ordws.rules.board import Axis, Board, empty_board
from ordws.rules.judge import judge
from ordws.rules.move import Play, Ruling
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS

FOLDER = Path(__file__).parent.parent / "vectors" / "rules"
_ID = re.compile(r"[TVAE]-\d\d")


class Vector(NamedTuple):
    """A paragraph: its first line, the text after each key, and the indented lines, which are a receipt."""

    title: str
    fields: dict[str, str]
    receipt: list[str]

    @property
    def ids(self) -> list[str]:
        return _ID.findall(self.title)

    @property
    def options(self) -> dict[str, str]:
        return dict(option.split("=", 1) for option in self.fields.get("options", "").split())


def read_vectors(name: str) -> list[Vector]:
    return [_read(paragraph) for paragraph in (FOLDER / name).read_text("utf-8").strip().split("\n\n")]


def _read(paragraph: str) -> Vector:
    title, *lines = paragraph.split("\n")
    keys = [line for line in lines if not line.startswith(" ")]
    fields = {key: value.strip() for key, _, value in (line.partition(" ") for line in keys)}
    assert len(fields) == len(keys), f"{title}: a key twice"
    return Vector(title, fields, [line for line in lines if line.startswith(" ")])


def board_after(side: int, before: str) -> Board:
    """Return the board after plays such as `9F HEAT, H8 iT`, which are laid without asking any rule."""
    board = empty_board(side)
    for text in filter(None, before.split(", ")):
        play = play_of(text)
        for i, square in enumerate(squares(play)):
            letter = chr(play.letters[i])
            assert board.letter_at(*square) in (".", letter), f"{before}: two letters on one square"
            board = board.with_letters({square: letter})
    return board


def play_of(text: str) -> Play:
    play = read_move(text)
    assert isinstance(play, Play)
    return play


def squares(play: Play) -> Iterator[tuple[int, int]]:
    row, column, axis, letters = play
    for i in range(len(letters)):
        yield (row + i, column) if axis is Axis.DOWN else (row, column + i)


def rule(rules: str, options: Mapping[str, str], before: str, play: str, rack: str | None = None) -> Ruling:
    """Return the ruling of the engine."""
    chosen = with_options(RULE_SETS[rules], options)
    return judge(chosen, board_after(chosen.layout.side, before), play_of(play), rack)


def rule_by_oracle(
    rules: str, options: Mapping[str, str], before: str, play: str, rack: str | None = None
) -> naive_oracle.Fits | str:
    """Return the ruling of the oracle."""
    chosen = naive_oracle.options_of(rules, plain(options))
    row, column, axis, letters = play_of(play)
    tiles = tiles_of(board_after(chosen.side, before))
    return naive_oracle.rule(chosen, tiles, (row, column), axis is Axis.DOWN, letters.decode(), rack)


def tiles_of(board: Board) -> dict[tuple[int, int], str]:
    return {(r, c): letter for r, row in enumerate(board.rows()) for c, letter in enumerate(row) if letter != "."}


def plain(options: Mapping[str, str]) -> dict[str, Any]:
    """Return options as the oracle takes them, from their texts."""
    return {name: _plain(name, text) for name, text in options.items()}


def _plain(name: str, text: str) -> Any:
    match name:
        case "rack_size" | "stretch_from" | "board":
            return int(text)
        case "big_play" | "stretch":
            pairs = [] if text == "none" else [pair.split(":") for pair in text.split(",")]
            return {int(tiles): int(points) for tiles, points in pairs}
        case "small_word_cap":
            return text == "on"
        case "layout":
            return text if text == "standard" else text.split("/")
        case _:
            return text
