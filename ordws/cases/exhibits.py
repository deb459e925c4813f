"""The evidence of a case as exhibits: figures in five bands, and records of games without anybody's name. Pure.

Reviewers and the player see the same. The figures are all that a case file has of what a program worked out: no best
play, no score of a word that was not played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from ordws.cases.facts import Exhibit
from ordws.errors import BadInput
from ordws.public_register import Offence
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg, write_event, write_gcg
from ordws.records.notation import split_start
from ordws.records.record import (
    PLAYER_PRAGMAS,
    GcgEvent,
    Note,
    Pragma,
    Record,
    RecordItem,
    TilePlacement,
    read_rules_description,
)
from ordws.records.replay import PlacedPlay
from ordws.rules.board import Board
from ordws.rules.layout import Layout
from ordws.rules.ruleset import RuleSet

BAND_TEXTS: Final = ("none", "slight", "marked", "strong", "overwhelming")
"""The five bands of a gain, the weakest first."""

BAND_MEANINGS: Final = (
    "What nearly every honest player shows. It speaks for nothing.",
    "A few of 100 honest players show this in choices by chance, and more in quitting. It speaks for nothing.",
    "About 1 of 1,000 honest players shows this in choices, and up to 20 in quitting. Among many players there is"
    " always somebody, by chance: it is no evidence by itself.",
    "Less than 1 of 1,000 honest players shows this. Among thousands of players somebody does, by chance.",
    "Beyond the line at which the program asks people to look. Hardly any honest player comes here: how few is told to"
    " the player, and to those who decide.",
)
"""The bands in plain words, for people who know no statistics."""

CATEGORY_TEXTS: Final = {
    "choices": "choosing what scores most, oftener than honest players of any strength do",
    # Nothing is flagged by these any more; cases that were opened before still show them.
    "word-checks": "playing doubtful words without the misses that go with them",
    "times": "time for a turn that does not follow its difficulty (this alone proves nothing)",
    "quitting": "leaving games while behind and with time left, oftener than players do",
}
INNOCENT_EXPLANATIONS: Final = {
    "choices": (
        "A player who is stronger than all those whom the program was fitted to.",
        "Study or work with words: a lexicographer, a translator, somebody who has learnt lists.",
        "Positions in which the best play is easy to see. Step through the boards and look for hard ones.",
        "Somebody else played some of the games: a stronger brother or sister at the same screen. That is against the"
        " rules too, but it is no program.",
    ),
    "word-checks": (
        "A good memory of words, or luck with doubtful ones.",
        "Caution: a player who tries a doubtful word only when nearly sure.",
    ),
    "times": (
        "Interruptions, a slow line, or a screen that is shared with others.",
        "A habit of taking the same time for every turn, or of thinking while the opponent does.",
    ),
    "quitting": (
        "A network or a battery that fails: an old telephone, a train, a village.",
        "A child, a patient or a job that calls the player away in the evening.",
        "A page that was closed in the belief that the game was over.",
    ),
}
"""What may be behind a sign of each category when nobody has done wrong."""

OFFENCE_OF_KIND: Final[dict[str, Offence]] = {
    "choices": "cheating",
    "word-checks": "cheating",
    "quitting": "quitting",
}
"""The class of offence of each kind of flag."""


class PeriodFigures(msgspec.Struct, frozen=True):
    """A part of the player's own turns: the bands between two milestones."""

    first_turn: int
    last_turn: int
    bands: dict[str, int]


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a player: bands by category, over the turns of the last look and period by period."""

    kind: str
    """The kind of flag that the case was opened on."""

    milestone: int
    """The number of the first turns that `bands` are about: those of the last look."""

    turns: int
    games: int
    is_calibrated: bool
    bands: dict[str, int]
    periods: tuple[PeriodFigures, ...] = ()
    forms: str = ""
    """The version of the honest forms behind the flag; empty in figures that an older version has filed."""

    flag_turns: int = 0
    """The milestone of the look that raised the flag."""

    threshold: float = 0.0
    """The gain in nats that raised it."""

    @property
    def looked_at(self) -> str:
        """Return which turns the bands are about, as the beginning of a sentence."""
        if self.milestone == self.turns:
            return f"All {self.turns} turns of {self.games} games were looked at"
        return f"Of {self.turns} turns in {self.games} games the first {self.milestone} were looked at"


def figures_exhibit(figures: Figures) -> Exhibit:
    """Return the figures as an exhibit."""
    return Exhibit("figures", msgspec.json.encode(figures))


def read_figures(content: bytes) -> Figures:
    """Return the figures of an exhibit."""
    return msgspec.json.decode(content, type=Figures)


def band_text(bands: dict[str, int], category: str) -> str:
    """Return the band of a category in words; "not measured" where there is none."""
    band = bands.get(category)
    return "not measured" if band is None else BAND_TEXTS[band]


def figures_in_words(figures: Figures) -> list[str]:
    """Return the figures as lines of plain text."""
    lines = [f"{figures.looked_at}:"]
    lines += [
        f"- {about}: {band_text(figures.bands, name)}"
        for name, about in CATEGORY_TEXTS.items()
        if name in figures.bands
    ]
    for period in figures.periods:
        bands = ", ".join(
            [f"{name} {band_text(period.bands, name)}" for name in CATEGORY_TEXTS if name in period.bands]
        )
        lines.append(f"- turns {period.first_turn} to {period.last_turn}: {bands}")
    return lines


PLAYER_NICK: Final = "player"
OPPONENT_NICK: Final = "opponent"
_KEPT_PRAGMAS: Final = ("lexicon", "tile-set", "game-type")


class RecordMove(NamedTuple):
    """A line of a record for people: whose it is, the rack, the move as written, points and total."""

    nick: str
    rack: str
    move: str
    points: int | None
    total: int | None


class RecordBoard(NamedTuple):
    """The board of a record after some of its lines, and the play in the last of them, if there is one."""

    layout: Layout
    board: Board
    last: tuple[tuple[int, int], ...]
    """The squares of the play."""

    play: str
    """The play with the letters that lay there, as `8D STAINER`."""


def record_exhibit(data: bytes, player: str, expected_digest: str | None = None) -> Exhibit:
    """Return a record (GCG) as an exhibit; `player` is the nick, or the number, of whom the case is about.

    Raises BadInput where it cannot be read, where it has no such player, or where its SHA-256 is not `expected_digest`,
    the digest that the result of the game has.
    """
    if expected_digest is not None and hashlib.sha256(data).hexdigest() != expected_digest:
        raise BadInput("this is not the record of that game: its result has another digest", hint="bring it unchanged")
    record = read_gcg(data)
    players = record.players
    nicks = {each.nick for each in players if player in (each.nick, each.name, str(each.number))}
    if len(nicks) != 1 or len(players) < 2:
        raise BadInput(f'"{player}" is not one of the players of this record', hint="name the nick, or its number")
    shown = {each.nick: PLAYER_NICK if each.nick in nicks else OPPONENT_NICK for each in players}
    return Exhibit("record", write_gcg(Record(tuple(_without_names(record, shown)))))


def read_record(content: bytes) -> list[RecordMove]:
    """Return the lines of an exhibit's record."""
    lines = []
    for event in read_gcg(content).events:
        move = write_event(replace(event, rack="", points=None, total=None, extra="")).partition(":")[2].strip()
        lines.append(RecordMove(event.nick, event.rack, move, event.points, event.total))
    return lines


def record_in_words(moves: Sequence[RecordMove]) -> str:
    """Return the length and the score of a record."""
    totals = {move.nick: move.total for move in moves if move.total is not None}
    scores = [f"{nick} {totals[nick]}" for nick in (PLAYER_NICK, OPPONENT_NICK) if nick in totals]
    return ", ".join([f"{len(moves)} lines", *scores])


def board_after(content: bytes, count: int) -> RecordBoard:
    """Return the board after the first so many lines of an exhibit's record; a bad play lies as far as it can."""
    record = read_gcg(content)
    # A part of a record may fit a smaller board than all of it.
    rules = audit_record(record).rules
    items: list[RecordItem] = []
    left = count
    for item in record.items:
        left -= isinstance(item, GcgEvent)
        if left < 0:
            break
        items.append(item)
    audit = audit_record(Record(tuple(items)), rules)
    if not audit.plays or audit.plays[-1].event != record.events[count - 1]:
        return RecordBoard(audit.rules.layout, audit.board, (), "")
    return RecordBoard(audit.rules.layout, audit.board, audit.last_play, _whole_play(audit.plays[-1], audit.board))


def _whole_play(made: PlacedPlay, board: Board) -> str:
    """Return a play with letters in place of the dots that stand for tiles which lay there."""
    assert isinstance(made.event.move, TilePlacement)
    start, word = made.event.move.start, made.event.move.word
    row, column, axis = split_start(start)
    squares = [(row + at, column) if axis else (row, column + at) for at in range(len(word))]
    is_on_board = all(max(square) < board.side for square in squares)
    letters = [
        board.letter_at(*square) if letter == "." and is_on_board else letter
        for square, letter in zip(squares, word, strict=True)
    ]
    return f"{start} {''.join(letters)}"


def _without_names(record: Record, shown: dict[str, str]) -> list[RecordItem]:
    """Return the lines that say what was played; titles, ids and remarks of people may name somebody."""
    kept: list[RecordItem] = []
    for item in record.items:
        match item:
            case GcgEvent():
                kept.append(replace(item, nick=shown.get(item.nick, OPPONENT_NICK)))
            case Pragma(name=name) if name in PLAYER_PRAGMAS:
                nick = shown[item.text.partition(" ")[0]]
                kept.append(replace(item, text=f"{nick} {nick}"))
            case Pragma(name=name) if name in _KEPT_PRAGMAS:
                kept.append(item)
            case Pragma(name="description", text=text) if isinstance(read_rules_description(text), RuleSet):
                kept.append(item)
            case Note(text=text) if text.startswith("ordws swap"):
                kept.append(item)
            case _:
                pass
    return kept
