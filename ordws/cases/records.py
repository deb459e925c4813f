"""Records of games as exhibits: what both seats saw, without anybody's name. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ordws.cases.facts import Exhibit
from ordws.errors import BadInput
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg, write_event, write_gcg
from ordws.records.gcg_extensions import read_rules_description
from ordws.records.move_notation import split_start
from ordws.records.record import PLAYER_PRAGMAS, GcgEvent, Note, Pragma, Record, RecordItem, TilePlacement
from ordws.records.replay import PlacedPlay
from ordws.rules.board import Board
from ordws.rules.layout import Layout
from ordws.rules.ruleset import RuleSet

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
