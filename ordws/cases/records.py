"""Records of games as exhibits: what both seats saw, without anybody's name. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Final, NamedTuple

from ordws.cases.facts import Exhibit
from ordws.errors import BadInput
from ordws.records.gcg import read_gcg, write_event, write_gcg
from ordws.records.record import PLAYER_PRAGMAS, GcgEvent, Note, Pragma, Record, RecordItem

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
            case Note(text=text) if text.startswith("ordws swap"):
                kept.append(item)
            case _:
                pass
    return kept
