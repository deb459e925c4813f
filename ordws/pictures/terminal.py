"""Boards and receipts in a terminal.

A board takes two columns for each square, in colours or in plain letters. Receipts are tables, one or several side by
side; for the browser, ordws/web/pages/static/receipt-tables.js builds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from ordws.pictures.alt_text import RowColumn, Squares, sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, PREMIUM_LABELS
from ordws.rules.board import Board
from ordws.rules.layout import MARKS, Layout
from ordws.rules.receipt import BonusScore, Receipt, WordScore
from ordws.rules.ruleset import Premium

_PREMIUM_MARKS: Final = {factors: mark for mark, factors in MARKS.items()}
_LAST_PLAY_STYLE: Final = f"bold {BACKGROUNDS['tile'].light} on {LAST_PLAY.light}"


def draw_board(
    layout: Layout, board: Board, *, title: str, last: Squares = (), stretched: Squares = (), colour: bool = True
) -> Text:
    """Return the title, the board with its labels, and a legend of the marks that are on it.

    Without colour `*` follows tiles of the last play and `_` those it stretched.
    """
    if layout.side != board.side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {board.side}")
    draw = _coloured_square if colour else _plain_square
    letters = Text("   " + " ".join([chr(ord("A") + column) for column in range(board.side)]))
    rows = []
    for row in range(board.side):
        squares = [draw(layout, board, (row, column), last, stretched) for column in range(board.side)]
        rows.append(Text.assemble(f"{row + 1:>2} ", *squares, f" {row + 1}"))
    marks: list[str | tuple[str, str]] = []
    if last:
        marks.append(("last play", _LAST_PLAY_STYLE) if colour else "* last play")
    if stretched:
        marks.append(("stretched", f"bold underline {_style('tile')}") if colour else "_ stretched")
    if any(row != row.upper() for row in board.rows()):
        marks.append("lower case: a blank")
    if not colour:  # in colour a premium square shows its label
        signs = {_PREMIUM_MARKS[factors]: label.upper() for factors, label in PREMIUM_LABELS.items()}
        marks += [f"{sign} {label}" for sign, label in signs.items() if any(sign in row for row in layout.rows)]
    legend = Text("  ").join([Text.assemble(mark) for mark in marks])
    return Text("\n").join([Text(sanitize_text(title)), letters, *rows, letters, *([legend] if legend else [])])


def _coloured_square(
    layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares
) -> tuple[str, str]:
    """Return two columns and their style: the letter of a tile, or the premium of an empty square."""
    letter = board.letter_at(*square)
    if letter == ".":
        label = PREMIUM_LABELS.get(layout.premium(*square), "")
        kind = label or ("plain" if layout.is_inner(*square) else "wing")
        return f"{label.upper():2}", _style(kind)
    if square in last:
        return f"{letter} ", _LAST_PLAY_STYLE
    return f"{letter} ", f"bold {_style('tile')}" + " underline" * (square in stretched)


def _plain_square(layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares) -> str:
    """Return a letter and its mark, or the mark of an empty square in a layout; blank in the wings."""
    letter = board.letter_at(*square)
    if letter == ".":
        return f"{_PREMIUM_MARKS[layout.premium(*square)] if layout.is_inner(*square) else ' '} "
    return letter + ("*" if square in last else "_" if square in stretched else " ")


def _style(kind: str) -> str:
    return f"{FOREGROUNDS[kind].light} on {BACKGROUNDS[kind].light}"


_BONUS_NAMES: Final = {"none": "no bonus", "big-play": "big play", "stretch": "stretch"}


def receipt_table(receipt: Receipt) -> Table:
    """Return a table with a line for each word, a line for the bonus, and the score."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("word", no_wrap=True)
    table.add_column("letters", overflow="fold")
    for heading in ("sum", "times", "points"):
        table.add_column(heading, justify="right")
    for line in receipt.words:
        table.add_row(line.word, letters_text(line), str(line.sum), factor_text(line, receipt.premium), str(line.score))
    table.add_row(_BONUS_NAMES[receipt.bonus.reason], bonus_text(receipt.bonus), "", "", str(receipt.bonus.points))
    table.add_section()
    table.add_row("score", "", "", "", str(receipt.score))
    return table


def comparison_table(receipts: Mapping[str, Receipt | str], verdicts: Mapping[str, str]) -> Table:
    """Return receipts side by side under their headings; a text in place of a receipt says why there is none."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    columns: list[dict[str, list[str]]] = []
    bonuses: list[str] = []
    scores: list[str] = []
    for heading, receipt in receipts.items():
        table.add_column(heading, no_wrap=True)
        cells: dict[str, list[str]] = {}
        columns.append(cells)
        if isinstance(receipt, str):
            bonuses.append("")
            scores.append(receipt)
            continue
        for line in receipt.words:
            times = f"{line.sum} times {factor_text(line, receipt.premium)}: " if line.premiums else ""
            # A play may form the same word twice.
            cells.setdefault(line.word, []).append(f"{letters_text(line)}\n{times}{line.score}")
        bonus = receipt.bonus
        text = f"{_BONUS_NAMES[bonus.reason]}\n{bonus_text(bonus)}: {bonus.points}"
        bonuses.append(text if bonus.points else "0")
        scores.append(str(receipt.score))
    for word in dict.fromkeys([word for cells in columns for word in cells]):
        table.add_row(word, *["\n".join(cells.get(word, [])) for cells in columns])
    table.add_row("bonus", *bonuses)
    table.add_section()
    table.add_row("score", *scores)
    if verdicts:
        table.add_row("words", *[verdicts.get(heading, "") for heading in receipts])
    return table


def letters_text(line: WordScore) -> str:
    """Return the value of each letter: `Z10x3` on a premium, `(F4)` if it lay there before, `Z10>4` if it is capped."""
    texts = []
    for letter in line.letters:
        text = f"{letter.letter}{letter.face}"
        text += f">{letter.value}" if letter.value < letter.face else ""
        text += f"x{letter.premium}" if letter.premium > 1 else ""
        texts.append(text if letter.is_new else f"({text})")
    return " ".join(texts)


def bonus_text(bonus: BonusScore) -> str:
    """Return the reason of the bonus: the number of tiles, and the run that was stretched."""
    tiles = "1 tile" if bonus.tiles == 1 else f"{bonus.tiles} tiles"
    return f"{bonus.stretched} and {tiles}" if bonus.reason == "stretch" else tiles


def factor_text(line: WordScore, premium: Premium) -> str:
    """Return the word premiums and their combined factor, `2+2=4`; empty without premiums."""
    if len(line.premiums) < 2:
        return str(line.factor) if line.factor > 1 else ""
    sign = "+" if premium is Premium.ADD else "x"
    return f"{sign.join([str(factor) for factor in line.premiums])}={line.factor}"
