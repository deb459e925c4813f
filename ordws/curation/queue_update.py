"""The rows that turn the ledger's queue into a list of families from the builder. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ordws.curation.chain_link import Row
from ordws.curation.family import Family, FamilyStanding

_JSON: Final = msgspec.json.Encoder()

FamilyStandings: TypeAlias = Mapping[str, FamilyStanding | None]
EvidenceTexts: TypeAlias = Mapping[str, Mapping[str, str | None]]


class QueueCounts(NamedTuple):
    """The changes that a list made to the queue, in families."""

    new: int
    changed: int
    withdrawn: int
    unchanged: int


class QueueUpdate(NamedTuple):
    """The rows that make a list the queue, and the changes that they make."""

    families: list[Row]
    candidates: list[Row]
    counts: QueueCounts


def diff_queue(listed: Mapping[str, Family], standings: FamilyStandings, evidence: EvidenceTexts) -> QueueUpdate:
    """Return the rows to append where `standings` and `evidence` are what the ledger has, withdrawals as None."""
    families: list[Row] = [
        (base, each.standing) for base, each in listed.items() if each.standing != standings.get(base)
    ]
    candidates: list[Row] = []
    for base, family in listed.items():
        known = evidence.get(base, {})
        texts = {each.word: _JSON.encode(each).decode() for each in family.candidates}
        candidates += [(base, word, text) for word, text in texts.items() if known.get(word) != text]
        withdrawn = [word for word, text in known.items() if text is not None and word not in texts]
        candidates += [(base, word, None) for word in withdrawn]
    queued = {base for base, standing in standings.items() if standing is not None}
    # Candidates of a family that leaves the queue stay as they are: its row alone withdraws it.
    gone = [base for base in standings if base in queued and base not in listed]
    touched = {row[0] for row in (*families, *candidates)}
    new, changed = len(listed.keys() - queued), len(touched & queued)
    counts = QueueCounts(new, changed, len(gone), len(listed) - new - changed)
    return QueueUpdate([*families, *[(base, None) for base in gone]], candidates, counts)
