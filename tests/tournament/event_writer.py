"""A director who corrects results of an event again and again, under the version seen, until killed.

Run as `python event_writer.py FILE ACTOR MOST TABLE...`. Each correction is printed once it is acknowledged: the number
of its fact, the id of its command, and the version that was seen; "conflict" where somebody else was faster.
"""

from __future__ import annotations

import os
import sys
from itertools import count, cycle
from pathlib import Path

from ordws.tournament.commands import EventConflict
from ordws.tournament.facts import Corrected, SideResult, TableResult
from ordws.tournament.store import EventFile


def told(actor: str, score: int) -> TableResult:
    """Return a result that neither this director nor the other has told just before."""
    own = 200 + sum(actor.encode()) % 99
    return TableResult(first=SideResult(300 + score % 400, 300, 12), second=SideResult(200, own, 12))


def tell(line: str) -> None:
    """Write a line at once: what was told may be relied on."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(path: str, actor: str, tables: list[int], most: int) -> None:
    """Correct results until `most` corrections are acknowledged; print them, and the conflicts as "conflict"."""
    file = EventFile.open(Path(path))
    # Each table is as this director's page shows it: what the other did to it since comes as a conflict.
    shown = dict.fromkeys(tables, file.state.version)
    acknowledged = 0
    for score, table in zip(count(1), cycle(tables), strict=False):
        seen = shown[table]
        command = Corrected(round=1, table=table, result=told(actor, score), reason=f"{actor} {score}")
        try:
            id = f"{os.getpid()}-{score}"
            (fact,) = file.apply(command, actor=actor, now=score, command_id=id, expected=seen)
        except EventConflict:
            shown[table] = file.refresh().version
            tell("conflict")
            continue
        shown[table] = fact.number
        acknowledged += 1
        tell(f"{fact.number} {fact.command} {seen}")
        if acknowledged == most:
            return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], [int(table) for table in sys.argv[4:]], int(sys.argv[3]))
