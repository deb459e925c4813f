"""Ballots, decisions and the queue as CSV and NDJSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_samples import AT, BASH, VECTORS, ZORIL, ballot, by_line

from ordws.curation.decision import Ballot
from ordws.curation.ledger import Ledger
from ordws.curation.text_formats import TextFormat, read_ballots, write_ballots, write_decisions, write_queue
from ordws.errors import BadBallot

CASES = sorted((VECTORS / "files").glob("*.txt"))
NOTATIONS: tuple[TextFormat, ...] = ("csv", "ndjson")


def read_case(case: Path) -> tuple[TextFormat, str, bytes]:
    line, _, text = case.read_bytes().partition(b"\n\n")
    notation, expected = line.decode().split(", ", 1)
    return "csv" if notation == "csv" else "ndjson", expected, text


def is_bad(case: Path) -> bool:
    return case.stem.startswith("bad_")


@pytest.mark.parametrize("case", [case for case in CASES if not is_bad(case)], ids=lambda case: case.stem)
def test_good_files_are_cast(case: Path, ledger: Ledger) -> None:
    """Each good file in tests/vectors/ballots/files has the ballots that it declares."""
    notation, expected, text = read_case(case)
    ledger.cast(read_ballots("ballots", text, notation), AT)
    ids = expected.partition(": ")[2].split()
    assert [each.id for each in ledger.ballots()] == ids


@pytest.mark.parametrize("case", [case for case in CASES if is_bad(case)], ids=lambda case: case.stem)
def test_bad_files_are_refused_whole(case: Path, ledger: Ledger) -> None:
    """A bad file is refused with its name, line and fault, and none of its ballots is cast."""
    notation, expected, text = read_case(case)
    with pytest.raises(BadBallot) as refused:
        ledger.cast(read_ballots("ballots", text, notation), AT)
    assert str(refused.value) == f"ballots, {expected}"
    assert ledger.ballots() == []
    assert ledger.head.length == 1


@pytest.mark.parametrize("case", [case for case in CASES if is_bad(case)], ids=lambda case: case.stem)
def test_refusals_repeat_no_word(case: Path, ledger: Ledger) -> None:
    """An error repeats no word of the file, since a word in the wrong column may be a secret one."""
    notation, _, text = read_case(case)
    with pytest.raises(BadBallot) as refused:
        ledger.cast(read_ballots("ballots", text, notation), AT)
    assert not {"BASH", "BISH", "ZORIL"} & set(str(refused.value).upper().replace(":", " ").split())


def test_text_that_is_not_utf8_is_refused() -> None:
    """A file in another encoding is refused, with the offset of the first byte that is not UTF-8."""
    with pytest.raises(BadBallot) as refused:
        read_ballots("old.csv", "id,family\né".encode("latin-1"), "csv")
    assert str(refused.value) == "old.csv, byte 10: not UTF-8"


def test_a_byte_order_mark_is_skipped() -> None:
    """The byte order mark that spreadsheets write is no part of the first column."""
    text = b"\xef\xbb\xbfid,family,curator,vote,forms,reason,at\r\na1,BASH,ann,in,,,2026-11-21T08:30:00Z\r\n"
    assert read_ballots("sheet.csv", text, "csv") == {"sheet.csv, line 2": ballot("a1", "ann", "in")}


def test_json_nested_without_end_is_refused() -> None:
    """JSON nested too deeply to parse is no ballot."""
    with pytest.raises(BadBallot, match=r"deep\.ndjson, line 1: not a JSON object"):
        read_ballots("deep.ndjson", b'{"id":' + b"[" * 100_000, "ndjson")


NAME_LETTERS = st.characters(categories=["L", "M", "N", "P", "S"])
NAME = st.text(NAME_LETTERS, min_size=1, max_size=30).filter(lambda name: name[0] not in "=+-@")
REASON = st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t\",;=+-@'")).map(str.strip)
BALLOTS = st.lists(
    st.builds(
        Ballot,
        id=NAME,
        family=st.sampled_from(["BASH", "ZORIL"]),
        curator=NAME,
        vote=st.sampled_from(["in", "out", "doubt"]),
        forms=st.sampled_from([(), ("BASH",), ("BASHED", "BASHINGS")]),
        reason=REASON,
        at=st.datetimes().map(lambda time: f"{time.isoformat()}Z"),
    ),
    max_size=6,
)


@pytest.mark.parametrize("notation", NOTATIONS)
@given(ballots=BALLOTS)
def test_a_written_ballot_reads_back(notation: TextFormat, ballots: list[Ballot]) -> None:
    """Any ballot, whatever its reason holds, is read back from either format as it was written."""
    assert list(read_ballots("ballots", write_ballots(ballots, notation).encode(), notation).values()) == ballots


@given(data=st.binary(max_size=200) | st.text('id,family"\n\r{}:[] curtov', max_size=200).map(str.encode))
def test_any_bytes_are_ballots_or_refused(data: bytes) -> None:
    """Reading any bytes gives ballots or raises BadBallot."""
    for notation in NOTATIONS:
        try:
            read_ballots("ballots", data, notation)
        except BadBallot as refused:
            assert str(refused).startswith("ballots, ")  # noqa: PT017 - either outcome is right


def test_decisions_as_csv(ledger: Ledger) -> None:
    """A decision in CSV has a line for each form with its votes, and a last line for forms that join later."""
    ledger.cast(by_line(ballot("a1", "ann", "in", "BASH", "BASH"), ballot("b1", "ben", "in", "BASH", "BASH")), AT)
    assert write_decisions(ledger.decisions(), "csv").splitlines() == [
        "family,standing,outcome,form,form_outcome,ins,outs",
        "BASH,borderline,in,BASH,in,2,0",
        "BASH,borderline,in,BASHED,out,0,2",
        "BASH,borderline,in,BASHINGS,out,0,2",
        "BASH,borderline,in,,open,0,0",
    ]


def test_decisions_as_ndjson(ledger: Ledger) -> None:
    """A decision in NDJSON is one object."""
    ledger.cast(by_line(ballot("a1", "ann", "out", "ZORIL"), ballot("b1", "ben", "out", "ZORIL")), AT)
    assert [json.loads(line) for line in write_decisions(ledger.decisions(), "ndjson").splitlines()] == [
        {
            "family": "ZORIL",
            "standing": "borderline",
            "outcome": "out",
            "forms": {"ZORIL": {"ins": 0, "outs": 2, "outcome": "out"}},
            "rest": {"ins": 0, "outs": 2, "outcome": "out"},
        }
    ]


def test_the_queue_as_csv() -> None:
    """A candidate in CSV has a line for each dictionary that has it, with that dictionary's evidence."""
    assert write_queue({"BASH": BASH, "ZORIL": ZORIL}, "csv").splitlines() == [
        "family,standing,form,zipf,band,source,provenance,slot,pos,labels,gloss",
        "BASH,borderline,BASH,2.31,60,gcide,headword,base,verb,dialect,to strike",
        "BASH,borderline,BASHED,,,gcide,rule,past,verb,,",
        "BASH,borderline,BASHINGS,,,gcide,rule,past,verb,,",
        "ZORIL,borderline,ZORIL,2.31,60,gcide,headword,base,verb,dialect,a striped polecat",
    ]


def test_the_queue_as_ndjson() -> None:
    """A family in NDJSON is one object, with all its evidence."""
    (line,) = write_queue({"ZORIL": ZORIL}, "ndjson").splitlines()
    assert json.loads(line)["candidates"] == [
        {
            "word": "ZORIL",
            "witnesses": [
                {
                    "source": "gcide",
                    "provenance": "headword",
                    "slot": "base",
                    "pos": "verb",
                    "labels": ["dialect"],
                    "gloss": "a striped polecat",
                }
            ],
            "zipf": 2.31,
            "band": 60,
            "derivations": [],
            "related": [],
        }
    ]


def test_formulas_are_escaped_in_cells():
    """A cell that a spreadsheet would run is written after an apostrophe, which reading removes."""
    reason = '=HYPERLINK("http://example.org")'
    written = Ballot("b1", "BASH", "ada", "in", (), reason, "2026-11-20T19:30:00Z")
    text = write_ballots([written], "csv")
    assert "\"'=HYPERLINK" in text
    assert list(read_ballots("ballots", text.encode(), "csv").values()) == [written]
