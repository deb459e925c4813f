"""A process that writes an event until it is killed: it prints the number of each fact once that is acknowledged.

Run as `python event_writer.py FILE ACTOR TABLE...`; it corrects the results of its tables again and again, and keys in
what another director has changed in between under the version that it has seen.
"""

from __future__ import annotations

import sys
from itertools import count, cycle
from pathlib import Path

from ordws.tournament.commands import CorrectResult, EventConflict
from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.store import EventFile


def told(score: int) -> TableResult:
    """Return a result that no other command has told."""
    return TableResult(first=SideResult(300 + score % 400, 300, 12), second=SideResult(200, 200, 12))


def tell(line: str) -> None:
    """Write a line at once: what was told may be relied on."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(path: str, actor: str, tables: list[int], most: int) -> None:
    """Correct results until `most` corrections are acknowledged; print them, and the conflicts as "conflict"."""
    file = EventFile.open(Path(path))
    acknowledged = 0
    for score, table in zip(count(1), cycle(tables), strict=False):
        command = CorrectResult(
            round=1, table=table, result=told(score), reason=f"{actor} {score}", expected=file.state.version
        )
        try:
            (fact,) = file.apply(command, actor=actor, now=score, command_id=f"{actor} {score}") or (None,)
        except EventConflict:
            file.refresh()
            tell("conflict")
            continue
        if fact is not None:
            acknowledged += 1
            tell(f"{fact.number} {fact.command}")
        if acknowledged == most:
            return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], [int(table) for table in sys.argv[4:]], int(sys.argv[3]))
