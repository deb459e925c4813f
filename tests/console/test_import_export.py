"""The import of ballots from files, and the exports for keepers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from console_installation import HOST, Browser, ConsoleInstallation, make_family, open_console_installation
from werkzeug.test import TestResponse

from ordws.console.keeper_home import MAX_FILE_BYTES
from ordws.curation.acts import DiscussionOpened, SecondVote
from ordws.curation.decision import Ballot, Vote

HEADER = "id,family,curator,vote,forms,reason,at\n"
VOTES_HEADER = "family,vote,forms,reason\n"
AT = "2026-11-21T12:00:00Z"


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    queued = [make_family("BASH", "BASHED"), make_family("KOLO"), make_family("VLOG"), make_family("ZORIL")]
    with open_console_installation(tmp_path, queued) as installation:
        for name in ("Ann", "Ben", "Cleo", "Dora"):
            installation.member(name)
        yield installation


@pytest.fixture
def keeper(installation: ConsoleInstallation) -> Browser:
    return installation.member("Kay", "keeper")


def upload(keeper: Browser, name: str, data: bytes) -> TestResponse:
    fields = {"csrf": keeper.session.csrf, "file": (BytesIO(data), name)}
    return keeper.http.post("/keeping/exchange", data=fields, base_url=HOST, headers={"Origin": HOST})


def cast(installation: ConsoleInstallation, base: str, *votes: Vote) -> None:
    for number, choice in enumerate(votes):
        ballot = Ballot(f"{base} {number}", base, f"Curator {number}", choice, (), "heard it", AT)
        with installation.state.appending([base]) as ledger:
            ledger.cast({"here": ballot}, installation.state.timestamp(), panel=3)


def test_a_file_of_ballots_counts(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Ballots in CSV and NDJSON are imported and counted alike, and count once."""
    rows = f"1,BASH,Ann,in,,,{AT}\n2,BASH,Ben,in,,,{AT}\n3,KOLO,Ann,out,,,{AT}\n"
    output = " ".join(upload(keeper, "ann.csv", (HEADER + rows).encode()).text.split())
    assert "ann.csv: 3 ballots new, 0 known. Families: 1 decided in, 0 out, 0 contested, 1 open." in output
    line = {"id": "3", "family": "KOLO", "curator": "Ann", "vote": "out", "forms": "", "reason": "", "at": AT}
    output = upload(keeper, "again.ndjson", json.dumps(line).encode()).text
    assert "again.ndjson: 0 ballots new, 1 known" in output
    assert (installation.state.family_states["BASH"].is_open, installation.state.family_states["KOLO"].is_open) == (
        False,
        True,
    )


def test_a_file_with_a_fault_is_refused_whole(installation: ConsoleInstallation, keeper: Browser) -> None:
    """A file with a fault is refused whole, its line is named, and a script in a name stays text."""
    good, bad = f"1,BASH,Ann,in,,,{AT}\n", f"2,KOLO,Ann,maybe,,,{AT}\n"
    unknown = f"2,NOWHERE,Ann,in,,,{AT}\n"
    for name, data, message in (
        ("a.csv", HEADER + good + bad, "a.csv, line 3: vote: neither in, out nor doubt"),
        ("a.csv", HEADER + good + unknown, "a.csv, line 3: family: no such family was ever queued"),
        ("a.ndjson", "{", "a.ndjson, line 1: not a JSON object"),
        ("<b>.csv", "id\n", "&lt;b&gt;.csv, line 1: missing: family"),
        ("a.txt", HEADER, "ends in none of .csv, .ndjson, .jsonl"),
        ("../../up.csv", "id\n", ">up.csv, line 1"),
    ):
        refused = upload(keeper, name, data.encode())
        assert (refused.status_code, message in refused.text) == (409, True), refused.text
    assert upload(keeper, "", b"").status_code == 409
    with installation.state.reading() as ledger:
        assert ledger.ballots() == []


def test_an_upload_is_in_no_temporary_file(installation: ConsoleInstallation) -> None:
    """A large upload, which holds words, is not written to a temporary file."""
    part = b'--end\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n'
    body, kind = part + b"x" * 2_000_000 + b"\r\n--end--\r\n", "multipart/form-data; boundary=end"
    with installation.app.test_request_context(
        "/keeping/exchange", method="POST", data=body, content_type=kind
    ) as context:
        context.request.max_content_length = MAX_FILE_BYTES
        stream = context.request.files["file"].stream
        assert (type(stream), len(stream.read())) == (BytesIO, 2_000_000)


def test_ballots_of_decided_families_alone_are_exported(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Ballots on open, discussed and re-opened families, and retracted ones, are not exported, and no voter is."""
    cast(installation, "BASH", "in", "doubt")
    with installation.state.appending(["BASH"]) as ledger:
        ledger.retract("BASH 1", "Curator 1", installation.state.timestamp())
    cast(installation, "KOLO", "in", "out", "in")
    cast(installation, "VLOG", "in", "in")
    with installation.state.appending(["VLOG"]) as ledger:
        ledger.reopen("VLOG", "Kay", "new sources", installation.state.timestamp())
    cast(installation, "ZORIL", "out", "out")
    download = keeper.get("/keeping/exchange/ballots.csv")
    assert download.text == VOTES_HEADER + "ZORIL,out,,heard it\nZORIL,out,,heard it\n"
    last = Ballot("last", "BASH", "Curator 2", "in", (), "", AT)
    with installation.state.appending(["BASH"]) as ledger:
        ledger.cast({"here": last}, installation.state.timestamp(), panel=3)
    votes = [json.loads(line) for line in keeper.get("/keeping/exchange/ballots.ndjson").text.splitlines()]
    assert [each["family"] for each in votes] == ["BASH", "BASH", "ZORIL", "ZORIL"]
    assert votes[0] == {"family": "BASH", "vote": "in", "forms": [], "reason": ""}


def test_a_contested_family_is_blind_until_its_second_vote(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Ballots on a contested family are exported once the second vote has decided it, or has left it split."""
    cast(installation, "KOLO", "in", "out", "in")
    assert keeper.get("/keeping/exchange/ballots.csv").text == VOTES_HEADER
    with installation.state.appending(["KOLO"]) as ledger:
        ledger.append_acts(
            [("KOLO", DiscussionOpened()), ("KOLO", SecondVote())], "Cher", installation.state.timestamp()
        )
    for number, choice in enumerate(("in", "out", "in")):
        second = Ballot(f"second {number}", "KOLO", f"Curator {number}", choice, (), "", AT)
        assert keeper.get("/keeping/exchange/ballots.csv").text == VOTES_HEADER
        with installation.state.appending(["KOLO"]) as ledger:
            ledger.cast({"here": second}, installation.state.timestamp(), panel=3)
    assert keeper.get("/keeping/exchange/ballots.csv").text.count("KOLO") == 3 + 3


def test_decisions_and_queue_are_exported(installation: ConsoleInstallation, keeper: Browser) -> None:
    """Exported decisions are those in force, the queue has all evidence, and no cache keeps a download."""
    cast(installation, "KOLO", "out", "out")
    cast(installation, "BASH", "in")
    decisions = keeper.get("/keeping/exchange/decisions.csv")
    assert decisions.text == (
        "family,standing,outcome,form,form_outcome,ins,outs\n"
        "KOLO,borderline,out,KOLO,out,0,2\n"
        "KOLO,borderline,out,,out,0,2\n"
    )
    assert decisions.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert decisions.headers["Content-Disposition"] == 'attachment; filename="decisions.csv"'
    assert decisions.headers["Cache-Control"] == "no-store"
    queue = keeper.get("/keeping/exchange/queue.ndjson")
    assert queue.headers["Content-Type"] == "application/x-ndjson"
    families = [json.loads(line) for line in queue.text.splitlines()]
    assert [each["base"] for each in families] == ["BASH", "KOLO", "VLOG", "ZORIL"]
    assert [each["word"] for each in families[0]["candidates"]] == ["BASH", "BASHED"]
    assert keeper.get("/keeping/exchange/queue.csv").text.splitlines()[1] == (
        "BASH,borderline,BASH,2.31,60,gcide,headword,base,verb,dialect,to strike"
    )


def test_an_unknown_export_is_not_found(keeper: Browser) -> None:
    """Another name or format of an export is not found."""
    for name in ("words.csv", "acts.ndjson", "ballots.json", "ballots.CSV"):
        assert keeper.get(f"/keeping/exchange/{name}").status_code == 404
