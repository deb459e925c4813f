"""Games that were played in person, from their records (GCG), to refit honest forms on (docs/fairplay.md 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ordws.fairplay.calibration import ChoiceInPerson
from ordws.fairplay.made_plays import ChosenPlay
from ordws.fairplay.turns import TurnReader
from ordws.records.audit import audit_record, iter_positions
from ordws.records.record import Record
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet


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
    """Yield the plays of a record that stood, as far as their whole racks are written."""
    audit = audit_record(record)
    rules = audit.rules
    names = {player.nick: player.name or player.nick for player in record.players}
    for event, board, placed in iter_positions(record, audit):
        play = None if placed is None else placed.play
        if play is None or len(event.rack) != rules.rack_size:
            continue
        if isinstance(judge(rules, board, play, event.rack), Legal):
            # The rack is written as it was after the swaps, so these are not part of the choice.
            yield TurnInPerson(names.get(event.nick, event.nick), ChosenPlay(rules, board, event.rack, play, ()))
