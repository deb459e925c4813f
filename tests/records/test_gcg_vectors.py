"""The records of tests/vectors/gcg, held against the expected results of their audits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from each_row import each_row

from ordws.records.audit import RecordAudit, audit_record
from ordws.records.finding import INEXACT_KINDS, FindingKind
from ordws.records.gcg import read_gcg, write_gcg
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet

FOLDER = Path(__file__).parent.parent / "vectors" / "gcg"
NAMES = sorted(path.stem for path in FOLDER.glob("*.gcg"))


def read(name: str) -> bytes:
    return (FOLDER / f"{name}.gcg").read_bytes()


def expected(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.expect").read_text("utf-8"))


def rules_of(text: str | None) -> RuleSet | None:
    if text is None:
        return None
    name, *options = text.split()
    return with_options(RULE_SETS[name], dict(option.split("=") for option in options))


def audited(name: str) -> RecordAudit:
    return audit_record(read_gcg(read(name)), rules_of(expected(name).get("rules")))


@each_row("name", NAMES)
def test_an_audit_finds_each_discrepancy(name):
    """An audit finds each discrepancy of a record with its line and kind, and nothing else."""
    audit, wanted = audited(name), expected(name)
    findings = [[each.line, each.kind.value, each.written, each.computed] for each in audit.findings]
    assert findings == wanted["findings"], wanted["why"]
    assert (audit.is_exact, audit.moves, audit.encoding) == (wanted["exact"], wanted["moves"], wanted["encoding"])
    assert audit.totals == wanted["totals"]


@each_row("name", NAMES)
def test_a_record_reads_back_the_same(name):
    """A written record is UTF-8, declares that first, and reads back as the same items."""
    record = read_gcg(read(name))
    written = write_gcg(record)
    assert written.startswith(b"#character-encoding UTF-8\n")
    again = read_gcg(written)
    assert (again.encoding, again.faults) == ("UTF-8", ())
    assert [replace(item, line=0) for item in again.items] == [replace(item, line=0) for item in record.items]
    assert write_gcg(again) == written


@each_row("name", NAMES)
def test_messages_are_written_as_all_messages_are(name):
    """The message of a finding begins in lower case, unless with a name or a quotation, and has no full stop."""
    for finding in audited(name).findings:
        first = finding.message.split()[0].strip('":')
        assert first[0].islower() or not first.isalpha() or first in ("Ann", "Bob", "Zoë", "UTF-8"), finding.message
        assert not finding.message.endswith("."), finding.message


def test_every_kind_of_finding_has_a_record():
    """Every kind of finding is expected of at least one record."""
    kinds = {finding[1] for name in NAMES for finding in expected(name)["findings"]}
    assert kinds == {kind.value for kind in FindingKind}


def test_kinds_that_make_a_record_inexact():
    """Wrong scores, totals, placements, withdrawals, ends and deductions, and a shared nick, make a record inexact."""
    assert sorted(kind.value for kind in INEXACT_KINDS) == [
        "deduction",
        "end",
        "placement",
        "same-nick",
        "score",
        "total",
        "withdrawal",
    ]
    for name in NAMES:
        kinds = {finding[1] for finding in expected(name)["findings"]}
        assert expected(name)["exact"] == kinds.isdisjoint(kind.value for kind in INEXACT_KINDS), name
