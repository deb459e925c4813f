"""The edition that stands, as the builder wrote it down: its number and counts, never its words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from ordws.curation.acts import EditionRolledBack, RecordedAct
from ordws.curation.ledger import Ledger
from ordws.instance import Instance


class BuildRecord(msgspec.Struct, frozen=True):
    """What the console reads in `instance/build.json`."""

    edition: int
    name: str
    counts: dict[str, int] = {}
    links: int = 0
    """How long the ledger was when the decisions were taken from it."""


class CurrentEdition(NamedTuple):
    """An edition, and since when it stands."""

    number: int
    name: str
    since: str
    links: int
    counts: dict[str, int]


def find_current_edition(instance: Instance) -> CurrentEdition | None:
    """The newest edition made here; None before the first, or where its record cannot be read."""
    try:
        record = msgspec.json.decode(instance.build_record.read_bytes(), type=BuildRecord)
        since = datetime.fromtimestamp(int(instance.sealed_edition.stat().st_mtime), UTC)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
    return CurrentEdition(record.edition, record.name, f"{since:%Y-%m-%d %H:%M} UTC", record.links, record.counts)


def find_rollback(ledger: Ledger, edition: CurrentEdition | None) -> RecordedAct | None:
    """How the edition was made where that was by taking another back."""
    made = [done for done in ledger.acts([""]) if isinstance(done.act, EditionRolledBack)]
    last = made[-1] if made else None
    if edition is None or last is None or not isinstance(last.act, EditionRolledBack):
        return None
    return last if last.act.number == edition.number else None
