"""Figure 10: from a vote to the next card, over HTTP, while five curators vote as fast as they can on a long queue.

The console is the one that `ordws curate` runs, in a process of its own; each curator has a connection that stays open,
as a browser does. A time is from the first byte of a vote sent to the last of its answer, which has the next cards.
"""

from __future__ import annotations

import http.client
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.console.app import CONSOLE
from ordws.curation.family import Candidate, Derivation, Family, Witness
from ordws.curation.ledger import Ledger
from ordws.frame.application import CSRF_HEADER
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from tests.benchmarks.figure import Figure, percentile
from tests.console.console_process import ConsoleProcess, SignedInClient, make_console_key
from tests.processes import children, memory

FAMILIES = 100_000
CURATORS = ("ann", "ben", "cleo", "dora", "emil")
VOTES_PER_CURATOR = 200
WARM_UP_VOTES = 10
QUEUED_AT = "2026-11-21T12:00:00Z"
PATTERNS = (("RE- + verb", "RE", ""), ("UN- + adjective", "UN", ""), ("adjective + -NESS", "", "NESS"), ("", "", ""))
GLOSS = "to strike with a heavy blow, or to do so again; said of a stick, a door or the like"


def measure() -> Iterator[Figure]:
    """Yield the median and the 95th percentile of the time to the next card, and the time and memory of a start."""
    with tempfile.TemporaryDirectory() as name:
        instance = install(Path(name) / "instance")
        start = perf_counter()
        with ConsoleProcess(instance) as console:
            started = perf_counter() - start
            visitors = [SignedInClient(console, curator) for curator in CURATORS]
            times = time_votes(console.port, visitors)
            # The worker is the largest child.
            megabytes = max(memory(pid).resident for pid in children(console.process.pid)) >> 20
    p50, p95 = median(times), percentile(times, 95)
    print(
        f"  next card of {FAMILIES:,} families, {len(times)} votes of {len(CURATORS)} curators at once:"
        f" p50 {p50 * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, longest {max(times) * 1e3:.0f} ms;"
        f" the console starts in {started:.1f} s and holds {megabytes} MB",
        file=sys.stderr,
    )
    yield Figure(
        10,
        "the console: vote to next card, 100,000 families, five curators at once, 95th percentile",
        round(p95 * 1e3, 1),
        "ms",
        "<= 100",
    )
    yield Figure("console", "start of the console with 100,000 families", round(started, 1), "s", "<= 20")


def install(root: Path) -> Instance:
    """Create keys, and a ledger with a long queue."""
    instance = Instance(root)
    instance.make_folders()
    keyring = Keyring.create(instance.keys)
    write_atomically(instance.ledger_key, bytes(32), SECRET_MODE)
    make_console_key(instance)
    with Ledger.create(instance.ledger, instance.ledger_head, bytes(32), keyring) as ledger:
        ledger.set_queue(generate_families(), QUEUED_AT)
    return instance


def generate_families() -> Iterator[Family]:
    """Yield families of three forms each, as two dictionaries have them, most of them made by a common pattern."""
    chance = Random(10)
    for number in range(FAMILIES):
        stem = "".join([chr(65 + number // 26**place % 26) for place in range(4)])
        pattern, prefix, suffix = chance.choice(PATTERNS)
        base = f"{prefix}{stem}{suffix}"
        ways = (Derivation(pattern, stem, True),) if pattern else ()
        band = chance.choice([None, 60, 70, 80, 95])
        head = Candidate(base, (*witnesses("headword", "base"),), round(chance.uniform(0, 4), 2), band, ways)
        third = Candidate(base + "S", (*witnesses("rule", "third"),))
        past = Candidate(base + "ED", (*witnesses("rule", "past"),))
        yield Family(base, "borderline", (head, third, past))


def witnesses(provenance: Any, slot: str) -> Iterator[Witness]:
    for source, labels in (("gcide", ("dialect",)), ("wikdict", ())):
        yield Witness(source, provenance, slot, "verb", labels, GLOSS if slot == "base" else "")


def time_votes(port: int, visitors: list[SignedInClient]) -> list[float]:
    """Return the seconds from vote to next card, of all curators at once, without the first few votes of each."""
    times: list[float] = []
    faults: list[object] = []
    threads = [threading.Thread(target=cast_votes, args=(port, each, times, faults)) for each in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise RuntimeError(f"the console refused a vote: {faults[0]}")
    return times


def cast_votes(port: int, visitor: SignedInClient, times: list[float], faults: list[object]) -> None:
    connection, chance = http.client.HTTPConnection("localhost", port, timeout=60), Random(visitor.name)
    status, reply = post(connection, visitor, "/api/cards", {})
    for number in range(VOTES_PER_CURATOR):
        body = {
            "card": reply["cards"][0]["id"],
            "ballot": str(UUID(int=chance.getrandbits(128))),
            "vote": chance.choice(["in", "in", "out"]),
            "forms": [],
            "reason": "",
            "seconds": 6.5,
        }
        start = perf_counter()
        status, reply = post(connection, visitor, "/api/votes", body)
        if status != 200:
            faults.append(reply)
            break
        if number >= WARM_UP_VOTES:
            times.append(perf_counter() - start)
    connection.close()


def post(connection: http.client.HTTPConnection, visitor: SignedInClient, path: str, body: Any) -> tuple[int, Any]:
    headers = {
        "Cookie": f"{CONSOLE.cookie}={visitor.cookie}",
        CSRF_HEADER: visitor.session.csrf,
        "Origin": visitor.console.origin,
        "Content-Type": "application/json",
    }
    connection.request("POST", path, json.dumps(body), headers)
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())
