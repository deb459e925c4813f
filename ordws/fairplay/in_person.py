"""Games that were played in person, from their records (GCG), to refit honest forms on (docs/fairplay.md 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ordws.fairplay.calibration import ChoiceInPerson
from ordws.fairplay.made_plays import ChosenPlay
from ordws.fairplay.turns import TurnReader
from ordws.records.audit import audit_record
from ordws.records.gcg_extensions import SwapsBefore, events_with_extensions
from ordws.records.record import Record
from ordws.rules.board import empty_board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap


def choices_in_person(record: Record, reader_for: Callable[[RuleSet], TurnReader]) -> list[ChoiceInPerson]:
    """Return the choices of a record: numbers, and who made them. Plays that are not among the best are left out."""
    choices: list[ChoiceInPerson] = []
    reader: TurnReader | None = None
    for player, taken in turns_in_person(record):
        reader = reader or reader_for(taken.rules)
        plays, made, _ = reader.rank(taken)
        if made is not None and made < len(plays.scores) > 1:
            choices.append(ChoiceInPerson(player, plays, made))
    return choices


class TurnInPerson(NamedTuple):
    """A play on a table, and the name of its player."""

    player: str
    taken: ChosenPlay


def turns_in_person(record: Record) -> Iterator[TurnInPerson]:
    """Yield the plays of a record that stood, as far as their whole racks are written.

    A record goes on behind a line that does not fit only as long as it is certain which tiles lie on the board.
    """
    audit = audit_record(record)
    rules = audit.rules
    standing = {placed.event.line: placed for placed in audit.plays}
    names = {player.nick: player.name or player.nick for player in record.players}
    board = empty_board(rules.layout.side)
    for event, extensions in events_with_extensions(record.items):
        placed = standing.get(event.line) if event is not None else None
        if event is None or placed is None or (play := placed.play) is None:
            continue
        for squares in [found.squares for found in extensions if isinstance(found, SwapsBefore)]:
            for square in squares:
                swapped = swap(rules, board, None, *square)
                if isinstance(swapped, Illegal):
                    return
                board = swapped[0]
        if len(event.rack) == rules.rack_size and isinstance(judge(rules, board, play, event.rack), Legal):
            # The rack is written as it was after the swaps, so these are not part of the choice.
            yield TurnInPerson(names.get(event.nick, event.nick), ChosenPlay(rules, board, event.rack, play, ()))
        board = board.with_letters(placed.tiles)
