"""What a ledger has acknowledged is never lost, whenever its writers are killed and however many there are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ledger_samples import AT, BASH, ZORIL, LedgerFiles, ballot, by_line

from ordws.curation.hash_chain import ChainHead, SignedHead
from ordws.curation.ledger import Ledger

ROOT = Path(__file__).parent.parent.parent
WRITERS = Path(__file__).parent / "ledger_writers.py"
ROUNDS = 30


def start(ledger_files: LedgerFiles, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, WRITERS, ledger_files.folder, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def ask(process: subprocess.Popen[str]) -> list[str]:
    """Start one round, and return the lines that the process writes up to an empty one."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    return list(iter(process.stdout.readline, "\n"))


def holds(ledger: Ledger, acknowledged: list[list[str]]) -> bool:
    """Return whether every acknowledged link, and every ballot in it, is in the chain."""
    links = {(str(number), hash) for number, hash in ledger.read("SELECT number, hash FROM links")}
    ballots = {each.id for each in ledger.ballots()}
    return all((number, hash) in links and (id in ballots or "list" in id) for id, number, hash in acknowledged)


@pytest.mark.long
def test_nothing_acknowledged_is_lost(closed: LedgerFiles) -> None:
    """The ledger opens after each of many kills of two writers, with all that was ever acknowledged."""
    acknowledged: list[list[str]] = []
    with start(closed, "rounds") as writers:
        for _ in range(ROUNDS):
            acknowledged += [line.split() for line in ask(writers)]
            with closed.open() as ledger:
                assert holds(ledger, acknowledged)
        _, errors = writers.communicate()
    assert errors == ""
    assert len(acknowledged) >= ROUNDS
    assert {id.split("w")[1][0] for id, _, _ in acknowledged} == {"0", "1"}


@pytest.mark.parametrize(
    ("moment", "named", "ballots"),
    [("before the head is signed", 1, 0), ("before the commit", 2, 0), ("after the commit", 2, 1)],
)
def test_a_crash_at_any_step_leaves_a_ledger(closed: LedgerFiles, moment: str, named: int, ballots: int) -> None:
    """The head file names the end of the chain after a kill before, in or after a commit."""
    with start(closed, "die", moment) as writer:
        output, errors = writer.communicate()
    assert (writer.returncode, output, errors) == (-9, "", "")
    assert len(closed.head.read_text().splitlines()) == 1 + named + 1
    with closed.open() as ledger:
        assert len(ledger.ballots()) == 3 + ballots
        assert ledger.head.length == 4 + ballots
    assert len(closed.head.read_text().splitlines()) == 3


class KillingSignedHead:
    """A signed head whose process is killed once it has signed two ends."""

    def __init__(self, signed: SignedHead) -> None:
        self.signed = signed

    def read(self) -> tuple[ChainHead, ...]:
        return self.signed.read()

    def write(self, *heads: ChainHead) -> None:
        self.signed.write(*heads)
        # Two ends are signed just before the commit, which this keeps from happening.
        if len(heads) > 1:
            raise KeyboardInterrupt


def test_a_killed_commit_does_not_come_back(ledger_files: LedgerFiles, ledger: Ledger, tmp_path: Path) -> None:
    """A commit that was killed before it was visible does not come back under another writer's end.

    The first writer is killed when its commit is in the write-ahead log and not yet in the log's index. The second
    signs an end of its own and is killed too. The ledger opens, at the end with which both began.
    """
    ledger.set_queue([BASH, ZORIL], AT)
    ledger.cast(by_line(ballot("one", "ann", "in")), AT)
    end, log = ledger.head, ledger_files.path.with_name("curation.db-wal")
    elsewhere = LedgerFiles(tmp_path / "elsewhere")
    elsewhere.folder.mkdir()
    for file in (ledger_files.path, ledger_files.head, log):
        shutil.copy(file, elsewhere.folder)
    with elsewhere.open() as twin:
        twin.cast(by_line(ballot("unseen", "ben", "in")), AT)
        longer = (elsewhere.folder / log.name).read_bytes()
        assert longer.startswith(log.read_bytes())
        ledger.signed_head.write(end, twin.head)
    # The twin's commit now stands in this ledger's log, as if its writer had been killed before it updated the index.
    with log.open("r+b") as opened:
        opened.write(longer)
    ledger.signed_head = KillingSignedHead(ledger.signed_head)
    with pytest.raises(KeyboardInterrupt):
        ledger.cast(by_line(ballot("signed-only", "cat", "in")), AT)
    # A copy without the index is read as after a power cut: SQLite recovers whatever the log holds.
    found = LedgerFiles(tmp_path / "found")
    found.folder.mkdir()
    for file in (ledger_files.path, ledger_files.head, log):
        shutil.copy(file, found.folder)
    with found.open() as ledger_found:
        assert ledger_found.head == end
        assert [each.id for each in ledger_found.ballots()] == ["one"]


def test_two_processes_write_at_once(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """Two writers and a ledger that stays open take turns: no vote is refused, lost or doubled."""
    writers = [start(ledger_files, "write", name) for name in ("ann", "ben")]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdin is not None
        assert writer.stdout.readline() == "ready\n"
        writer.stdin.write("go\n")
        writer.stdin.flush()
    output = [line for writer in writers for line in writer.communicate()[0].splitlines()]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert len(output) == 80
    assert holds(ledger, [line.split() for line in output])
    ledger.override("add", "ZAX", reason="the last word", keeper="Kay", at="2026-11-21T09:00:00Z")
    assert ledger.head.length == 82
    assert len(ledger.ballots()) == 80
