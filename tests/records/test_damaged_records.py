"""Reading of arbitrary bytes, and audits that find any damage to a sound record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from each_row import each_row
from hypothesis import example, given
from hypothesis import strategies as st

from ordws.records.audit import RecordAudit, audit_record
from ordws.records.finding import FindingKind
from ordws.records.gcg import BadRecord, read_gcg, write_gcg

FOLDER = Path(__file__).parent.parent / "vectors" / "gcg"
SOUND = ("sound_whole_game", "sound_six_passes", "sound_scrabble_i", "sound_dover_of_three")
LINES = {name: (FOLDER / f"{name}.gcg").read_bytes().splitlines(keepends=True) for name in SOUND}
EVENTS = [(name, i) for name, lines in LINES.items() for i, line in enumerate(lines) if line.startswith(b">")]
PIECES = st.sampled_from(
    [
        b"#player1 ",
        b"#note ",
        b"#- ",
        b"#description ordws rules=dover",
        b"#board-layout Super",
        b">Ann: ",
        b">Bob: ",
        b"AEINRT? ",
        b"8D ",
        b"H8 ",
        b"99Z ",
        b"STAiNER ",
        b"..",
        b"(A)",
        b"+24 ",
        b"-7 ",
        b"+-20 ",
        b"24 ",
        b"-" + b"9" * 5_000 + b" ",
        b"- ",
        b"-- ",
        b"-ABC ",
        b"-4 ",
        b"(challenge) ",
        b"(time) ",
        b"(ABC) ",
        b"#note ordws swap =H8\n",
        b"#note ordws caught 3\n",
        b"#note ordws check-ospd not-found AB\n",
        b"#note ordws deducted check-ospd\n",
        b"\n",
        b"\r",
        b"\xff",
        b"\xc3\xa4",
        b"\x00",
        b"\xe2\x80\xa8",
        b"#rack1 QQ\n",
        b"#orientation lettered-rows\n",
        b"[CH]",
    ]
)


def audited(data: bytes) -> RecordAudit:
    return audit_record(read_gcg(data))


@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=40).map(b"".join)))
@example(b"#\n>")
@example(b">Ann: 8H VIOL +14 14\n>Ann: -- -14 0\n>Ann: -- -14 -14")
def test_any_bytes_are_read_or_have_no_line_of_a_record(data):
    """Any bytes with a line of a record are read and audited, and what was read reads back the same."""
    try:
        record = read_gcg(data)
    except BadRecord:
        return
    assert audit_record(record).encoding == record.encoding
    again = read_gcg(write_gcg(record))
    assert [replace(item, line=0) for item in again.items] == [replace(item, line=0) for item in record.items]


@given(st.sampled_from(SOUND), st.data())
def test_damaged_records_are_audited(name, data):
    """An audit of a record with overwritten bytes, swapped lines and a missing end has a board and totals."""
    lines = [*LINES[name]]
    for _ in range(data.draw(st.integers(1, 4))):
        i = data.draw(st.integers(0, len(lines) - 1))
        line = bytearray(lines[i])
        for at in data.draw(st.lists(st.integers(0, len(line) - 1), max_size=3)) if line else ():
            line[at] = data.draw(st.integers(0, 255))
        j = data.draw(st.integers(0, len(lines) - 1))
        lines[i], lines[j] = lines[j], bytes(line[: data.draw(st.integers(0, len(line)))])
    audit = audited(b"#player9 nobody\n" + b"".join(lines))
    assert audit.board.side in (11, 15, 21)
    assert len(audit.totals) == len(audit.players)


@each_row(("name", "i"), EVENTS)
def test_a_lost_line_is_found(name, i):
    """Without any one of its events a sound record has a finding."""
    lines = LINES[name]
    assert audited(b"".join([*lines[:i], *lines[i + 1 :]])).findings


@each_row(("name", "i"), EVENTS)
def test_a_line_written_twice_is_found(name, i):
    """With any one of its events doubled a sound record has a finding."""
    lines = LINES[name]
    assert audited(b"".join([*lines[: i + 1], *lines[i:]])).findings


def changed(name: str, i: int, which: int) -> bytes:
    """Return the record with one more in the points (which = -2) or in the total (which = -1) of an event."""
    words = LINES[name][i].split()
    words[which] = f"{int(words[which]) + 1:+d}".encode() if which == -2 else str(int(words[which]) + 1).encode()
    return b"".join([*LINES[name][:i], b" ".join(words) + b"\n", *LINES[name][i + 1 :]])


@each_row(("name", "i"), EVENTS)
def test_wrong_points_are_one_finding(name, i):
    """Wrong points beside a right total are a single finding, in their line."""
    findings = audited(changed(name, i, -2)).findings
    expected = {b"-": FindingKind.SCORE, b"--": FindingKind.WITHDRAWAL}
    marks = [word for word in LINES[name][i].split() if word in (b"-", b"--") or word.startswith(b"(")]
    kind = (
        FindingKind.END
        if marks and marks[0].startswith(b"(")
        else expected.get(marks[0] if marks else b"-", FindingKind.SCORE)
    )
    assert [(finding.line, finding.kind) for finding in findings] == [(i + 1, kind)]


@each_row(("name", "i"), EVENTS)
def test_a_wrong_total_is_one_finding(name, i):
    """A wrong total before right ones is a single finding, in its line."""
    findings = audited(changed(name, i, -1)).findings
    assert [(finding.line, finding.kind) for finding in findings] == [(i + 1, FindingKind.TOTAL)]


def test_a_record_that_all_players_left_is_audited():
    """A rack that is counted after everybody has left, without an idle turn before it, shows that no game had ended."""
    audit = audited(
        b"#player1 Ann\n#player2 Bob\n#description ordws rules=dover\n>Ann: HILORRV 11K VIOL +14 14\n"
        b"#note ordws left Ann resigned\n#note ordws left Bob resigned\n>Bob: AB (AB) -4 -4\n"
    )
    assert [(finding.line, finding.kind) for finding in audit.findings] == [(7, FindingKind.UNFINISHED)]


def test_an_exchange_of_countless_tiles_is_a_finding():
    """A number that `int` refuses to read must be found wrong like any other."""
    audit = audit_record(read_gcg(b">Ann: AEINRT -" + b"9" * 5_000 + b" +0 0"))
    assert FindingKind.RACK in {finding.kind for finding in audit.findings}
