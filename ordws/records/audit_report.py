"""The report of an audit of a game record, as data and as lines of text (docs/interfaces.md 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ordws.records.audit import RecordAudit
from ordws.rules.statistics import board_statistics


def describe_audit(file: str, audit: RecordAudit) -> dict[str, Any]:
    """Return the audit of a file as one object of JSON."""
    return {
        "file": file,
        "rules": audit.rules.id,
        "encoding": audit.encoding,
        "players": list(audit.players),
        "moves": audit.moves,
        "exact": audit.is_exact,
        "totals": audit.totals,
        "turns": audit.turns,
        "points_per_turn": audit.points_per_turn,
        "board": board_statistics(audit.board)._asdict(),
        "findings": [finding._asdict() | {"kind": finding.kind.value} for finding in audit.findings],
    }


def audit_lines(file: str, audit: RecordAudit, words: str | None = None) -> Iterator[str]:
    """Yield the lines of a report: the result, the verdict on the words where there is one, then a line a finding.

    What the record or the name of the file holds is in them as it is, control characters too.
    """
    board = board_statistics(audit.board)
    means = {nick: "" if mean is None else f" ({mean:.1f} PPT)" for nick, mean in audit.points_per_turn.items()}
    totals = ", ".join([f"{nick} {total}{means[nick]}" for nick, total in audit.totals.items()]) or "no player"
    verdict = "exact" if audit.is_exact else "not exact"
    of_words = f"{board.words} word{'s' * (board.words != 1)} of {board.mean_length:.2f} letters"
    yield f"{file}: {verdict}: {audit.moves} moves, {totals}, {of_words} ({audit.rules.id})"
    if words is not None:
        yield f"{file}: words: {words}"
    for finding in audit.findings:
        yield f"{file}:{finding.line}: {finding.kind.value}: {finding.message}"
