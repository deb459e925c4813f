"""Processes that write to a ledger and are killed; test_ledger_killed.py runs them with a folder and a task."""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from ledger_samples import AT, BASH, ZORIL, FixedSigner, LedgerFiles, ballot, family

from ordws.curation.ledger import Ledger

Report = Callable[[str], None]


def cast_ballots(ledger: Ledger, name: str, report: Report, numbers: Iterator[int]) -> None:
    """Cast ballots one by one, and report each when it is acknowledged."""
    for number in numbers:
        id = f"{name}-{number}"
        ledger.cast({"here": ballot(id, name, "doubt")}, AT)
        report(f"{id} {ledger.head.length} {ledger.head.hash}")


def queue_lists(ledger: Ledger, name: str, report: Report) -> None:
    """Queue lists one by one, each different from the last, and report each when it is acknowledged."""
    for number in count():
        ledger.set_queue(
            [BASH, ZORIL, *[family(f"X{'ABCDEFGHIJ'[i]}", gloss=f"{number} {name}") for i in range(10)]], AT
        )
        report(f"{name}-list {ledger.head.length} {ledger.head.hash}")


def kill_writers(ledger_files: LedgerFiles, rng: random.Random, round: int) -> list[str]:
    """Kill two writers at a random moment after their first reports, and return what they reported."""
    read_end, write_end = os.pipe()
    writers = [fork(ledger_files, write_end, round, number) for number in range(2)]
    # Or reading would never end: the pipe is closed only when nobody can write to it.
    os.close(write_end)
    received, enough = b"", rng.randrange(1, 7)
    while received.count(b"\n") < enough and (more := os.read(read_end, 65_536)):
        received += more
    # A pause of a random length, so that the kill falls on any step of an append.
    select.select([], [], [], rng.uniform(0, 0.01))
    for pid in writers:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    while more := os.read(read_end, 65_536):
        received += more
    os.close(read_end)
    return received.decode().splitlines()


def fork(ledger_files: LedgerFiles, write_end: int, round: int, number: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        ledger, name = ledger_files.open(), f"r{round}w{number}"
        if number == 1 and round % 2:
            queue_lists(ledger, name, lambda text: write_line(write_end, text))
        cast_ballots(ledger, name, lambda text: write_line(write_end, text), count())
    finally:
        traceback.print_exc()
        # Not an ordinary exit, which would run the parent's cleanup in the child.
        os._exit(1)


def write_line(handle: int, text: str) -> None:
    os.write(handle, f"{text}\n".encode())


def report(text: str) -> None:
    write_line(1, text)


class KillingSigner(FixedSigner):
    """A signer that kills its process instead of making the last signature it was granted."""

    def __init__(self, signatures: int) -> None:
        super().__init__()
        self.left = signatures

    def sign(self, message: bytes) -> bytes:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().sign(message)


def cast_and_die(ledger_files: LedgerFiles, moment: str) -> None:
    """Cast one ballot, and be killed at the given step of it."""
    signatures = {"before the head is signed": 1, "before the commit": 99, "after the commit": 2}[moment]
    ledger = ledger_files.open(signer=KillingSigner(signatures))
    if moment == "before the commit":
        connection = ledger.db.conn
        connection.set_trace_callback(lambda sql: os.kill(os.getpid(), signal.SIGKILL) if sql == "COMMIT" else None)
    cast_ballots(ledger, "dying", report, iter([1]))


def main() -> None:
    ledger_files, act = LedgerFiles(Path(sys.argv[1])), sys.argv[2]
    match act:
        case "rounds":
            rng = random.Random(20261121)
            for round, _ in enumerate(sys.stdin):
                report("\n".join([*kill_writers(ledger_files, rng, round), ""]))
        case "die":
            cast_and_die(ledger_files, sys.argv[3])
        case "write":
            with ledger_files.open() as ledger:
                report("ready")
                sys.stdin.readline()
                cast_ballots(ledger, sys.argv[3], report, iter(range(40)))


if __name__ == "__main__":
    main()
