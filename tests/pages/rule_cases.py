"""Plays that tests put to the engine of the pages and to ordws/rules: from vectors and games, and broken ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from judged_plays import judged_plays

from ordws.api import replies
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.records.notation import read_move
from ordws.rules.board import Axis, Board, empty_board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Play, Ruling
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet
from ordws.rules.swap import swap

FOLDER: Final = Path(__file__).parent.parent / "vectors" / "rules"
FILES: Final = ("sources", "claims", "resolutions", "placement", "faults", "receipts")
WORDS: Final = """
    ACTION ACTIONS AT CAT CATS EAT EATEN EON EVENT EVENTFUL FISH FISHERY FIT HAM HEAT HEATED IN INN INTO ION IT LOVE
    LOVER LOVERS NATION NATIONAL NEAT NET NO NOTE ON ONE OX QUIET QUIT QUOTA REHEAT SEA SEAT SET SIT SO SOW STAIN
    STAINER STONE TAN TEA TEN TIN TO TOE TON TONE UNLOVED ZAX ZEST
"""
LAYOUT_21: Final = "/".join(
    ["=..~..'..^..\".-", *["'.-..\"...=..^.~"] * 6, "=..'...-...'..=", *["..\"..-..'..=..."] * 7]
)
OPTIONS: Final[tuple[Mapping[str, str], ...]] = (
    {},
    {"small_word_cap": "on"},
    {"premium": "multiply", "stretch": "none"},
    {"premium": "add", "minimum": "any3"},
    {"layout": LAYOUT_21, "big_play": "2:3,3:9"},
    {"board": "21", "wings": "main-word", "stretch": "1:1,2:20,3:40"},
    {"board": "15", "minimum": "none", "rack_size": "4"},
    {"board": "21", "wings": "new-tile", "stretch_from": "2"},
)
"""Settings in which every option that placement or scoring reads has a value other than its default."""

Options: TypeAlias = tuple[tuple[str, str], ...]


class Case(NamedTuple):
    """A play on a board, under a rule set with its changed options, and the rack if the play is checked against it."""

    name: str
    options: Options
    board: Board
    play: Play
    rack: str | None = None

    @property
    def rules(self) -> RuleSet:
        return rules_of(self.name, self.options)

    def ruling(self) -> Ruling:
        return judge(self.rules, self.board, self.play, self.rack)

    def arguments(self) -> list[Any]:
        """Return the case in the form of the browser."""
        row, column, axis, letters = self.play
        play = {"row": row, "column": column, "down": axis is Axis.DOWN, "letters": letters.decode()}
        return [key_of(self.name, self.options), self.board.rows(), play, self.rack]


@cache
def rules_of(name: str, options: Options = ()) -> RuleSet:
    return with_options(RULE_SETS[name], dict(options))


def key_of(name: str, options: Options) -> str:
    return " ".join([name, *(f"{option}={value}" for option, value in options)])


def expected_ruling(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling in the form of the service's reply, or the code of its fault."""
    if isinstance(ruling, Illegal):
        return {"legal": False, "fault": ruling.fault.value}
    return {"legal": True, **msgspec.to_builtins(replies.scored(ruling))}


def vector_cases() -> Iterator[Case]:
    """Yield every play of tests/vectors/rules; of a play with two faults also the play in which the first is cured."""
    for name in FILES:
        for paragraph in (FOLDER / f"{name}.txt").read_text("utf-8").strip().split("\n\n"):
            lines = [line.partition(" ") for line in paragraph.split("\n")[1:] if not line.startswith(" ")]
            yield _read({key: value.strip() for key, _, value in lines})
    for line in (FOLDER / "fault_order.txt").read_text("utf-8").splitlines()[1:]:
        _, _, rules, options, before, play, rack, cure = [cell.strip() for cell in line.split("|")]
        fields = {"rules": rules, "options": options, "before": before, "play": play, "rack": rack}
        for each in (fields, fields | dict([cure.split(" ", 1)])):
            yield _read({key: value for key, value in each.items() if value != "-"})


def deduction_cases() -> Iterator[tuple[Case, str, str, int]]:
    """Yield each play of the deduction vectors with its new words as they lie, the word named, and the points."""
    lines = (FOLDER / "dover_deduction.txt").read_text("utf-8").splitlines()
    _, *rows = [line for line in lines if line and not line.startswith("#")]
    for row in rows:
        options, before, play, words, named, points = [cell.strip().removeprefix("-") for cell in row.split("|")]
        case = _read({"rules": "dover", "options": options, "before": before, "play": play})
        yield case, words, named, int(points)


def _read(fields: Mapping[str, str]) -> Case:
    options = tuple([_split(option) for option in fields.get("options", "").split()])
    board = empty_board(rules_of(fields["rules"], options).layout.side)
    for text in filter(None, fields.get("before", "").split(", ")):
        board = board.with_letters(dict(_squares(_play(text))))
    return Case(fields["rules"], options, board, _play(fields["play"]), fields.get("rack"))


def _split(option: str) -> tuple[str, str]:
    name, _, value = option.partition("=")
    return name, value


def _play(text: str) -> Play:
    play = read_move(text)
    assert isinstance(play, Play)
    return play


def _squares(play: Play) -> Iterator[tuple[tuple[int, int], str]]:
    row, column, axis, letters = play
    for i, letter in enumerate(letters.decode()):
        yield ((row + i, column) if axis is Axis.DOWN else (row, column + i)), letter


def game_cases(name: str, options: Mapping[str, str], chance: Random) -> Iterator[Case]:
    """Yield plays that fit, with their racks, of a game with a small lexicon and occasional swaps for the blank."""
    chosen = tuple(options.items())
    rules = rules_of(name, chosen)
    graph, board = Graph.from_words(words_for(rules, WORDS.split())), empty_board(rules.layout.side)
    for _ in range(7):
        rack = "".join(chance.choices("AAEEEINNOOSTTTLVHFCR?", k=rules.rack_size))
        found = [play for play, _ in judged_plays(rules, graph, board, rack)]
        for play in chance.sample(found, min(len(found), 4)):
            yield Case(name, chosen, board, play, rack)
        if found:
            laid = judge(rules, board, chance.choice(found), rack)
            assert not isinstance(laid, Illegal)
            board = board.with_letters(laid.tiles)
        for square in blanks(board):
            if rules.swap and chance.random() < 0.3:
                swapped = swap(rules, board, None, *square)
                assert not isinstance(swapped, Illegal)
                board, _ = swapped


def blanks(board: Board) -> list[tuple[int, int]]:
    rows = enumerate(board.rows())
    return [(row, column) for row, line in rows for column, letter in enumerate(line) if letter.islower()]


def broken_cases(case: Case, chance: Random) -> Iterator[Case]:
    """Yield the same play elsewhere, turned, with other letters, with a gap, or from a rack that lacks a tile."""
    row, column, axis, letters = case.play
    side = case.board.side
    yield case._replace(play=Play(chance.randrange(side), chance.randrange(side), axis, letters))
    yield case._replace(play=case.play._replace(row=max(row + chance.choice((-1, 1)), 0)))
    yield case._replace(play=case.play._replace(column=max(column + chance.choice((-1, 1)), 0)))
    yield case._replace(play=case.play._replace(axis=axis.other))
    yield case._replace(play=Play(row, side - 1, axis, letters))
    at = chance.randrange(len(letters))
    for letter in (b".", b"q", b"Z"):
        yield case._replace(play=case.play._replace(letters=letters[:at] + letter + letters[at + 1 :]))
    yield case._replace(play=case.play._replace(letters=letters + b".T" + letters))
    yield case._replace(play=case.play._replace(letters=letters[:1]), rack=None)
    if case.rack:
        yield case._replace(rack=case.rack[1:])
    yield case._replace(play=case.play._replace(letters=b"SEATSEATSE"[: side - column]), rack=None)


def wing_cases(chance: Random) -> Iterator[Case]:
    """Yield plays in and near the wings of the larger board, next to a word that lies there."""
    for name in RULE_SETS:
        for options in ((), (("board", "21"), ("wings", "main-word")), (("board", "21"), ("wings", "new-tile"))):
            rules = rules_of(name, options)
            board = empty_board(rules.layout.side)
            row, column, axis = chance.randrange(3), chance.randrange(rules.layout.side - 6), chance.choice([*Axis])
            down = axis is Axis.DOWN
            squares = [(column + i, row) if down else (row, column + i) for i in range(6)]
            board = board.with_letters(dict(zip(squares, "EVeNTS", strict=True)))
            for _ in range(40):
                near = chance.choice(squares)
                first = [max(along - chance.randrange(4), 0) for along in near]
                letters = bytes(chance.choices(b"AEST.", k=chance.randint(1, 6)))
                yield Case(name, options, board, Play(first[0], first[1], chance.choice([*Axis]), letters))
