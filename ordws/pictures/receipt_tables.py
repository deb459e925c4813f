"""Receipts in the terminal, one or several side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich import box
from rich.table import Table

from ordws.rules.receipt import BonusScore, LetterScore, Receipt, WordScore
from ordws.rules.ruleset import Premium

_BONUS_NAMES: Final = {"none": "no bonus", "big-play": "big play", "stretch": "stretch"}


def receipt_table(receipt: Receipt) -> Table:
    """A line a word, a line for the bonus, and the score."""
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
    """Receipts side by side under their headings; a text stands where there is none and says why."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("", *receipts):
        table.add_column(heading, no_wrap=True)
    columns = list(receipts.values())
    for word in dict.fromkeys([line.word for each in columns for line in _word_scores(each)]):
        table.add_row(word, *[_word_cell(each, word) for each in columns])
    table.add_row("bonus", *["" if isinstance(each, str) else _bonus_cell(each.bonus) for each in columns])
    table.add_section()
    table.add_row("score", *[each if isinstance(each, str) else str(each.score) for each in columns])
    if verdicts:
        table.add_row("words", *[verdicts.get(heading, "") for heading in receipts])
    return table


def letters_text(line: WordScore) -> str:
    """What each letter counts: `Z10x3` on a premium, `(F4)` if it lay there, `Z10>4` if it is capped."""
    return " ".join([_letter_text(each) for each in line.letters])


def _letter_text(line: LetterScore) -> str:
    counted = f"{line.letter}{line.face}"
    if line.value < line.face:
        counted += f">{line.value}"
    if line.premium > 1:
        counted += f"x{line.premium}"
    return counted if line.is_new else f"({counted})"


def bonus_text(bonus: BonusScore) -> str:
    """What the bonus is for."""
    tiles = "1 tile" if bonus.tiles == 1 else f"{bonus.tiles} tiles"
    return f"{bonus.stretched} and {tiles}" if bonus.reason == "stretch" else tiles


def factor_text(line: WordScore, premium: Premium) -> str:
    """The word premiums and what they make together, `2+2=4`; empty where there are none."""
    if len(line.premiums) < 2:
        return str(line.factor) if line.factor > 1 else ""
    sign = "+" if premium is Premium.ADD else "x"
    return f"{sign.join([str(each) for each in line.premiums])}={line.factor}"


def _word_scores(receipt: Receipt | str) -> tuple[WordScore, ...]:
    return () if isinstance(receipt, str) else receipt.words


def _word_cell(receipt: Receipt | str, word: str) -> str:
    if isinstance(receipt, str):
        return ""
    return "\n".join(
        [f"{letters_text(line)}\n{_score_text(line, receipt)}" for line in receipt.words if line.word == word]
    )


def _score_text(line: WordScore, receipt: Receipt) -> str:
    return f"{line.sum} times {factor_text(line, receipt.premium)}: {line.score}" if line.premiums else str(line.score)


def _bonus_cell(bonus: BonusScore) -> str:
    return f"{_BONUS_NAMES[bonus.reason]}\n{bonus_text(bonus)}: {bonus.points}" if bonus.points else "0"
