"""The open recipe over the fetched dictionaries: time, memory, and the quality of what the quorum settles."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from builders.build import Material, read_material
from builders.build_report import find_missing_forms, find_stray_forms
from builders.frequency import find_zipf
from builders.merge import MIN_WORD_LENGTH
from builders.recipe import read_recipe
from ordws.instance import Sources
from tests.benchmarks import everyday
from tests.benchmarks.figure import Figure

PROPER_NAMES = ["LUKE", "MARY", "ERNEST", "JESUS", "HUNGARIAN", "SCAPHOPODA"]


def measure_build(sources: Sources) -> Iterator[Figure]:
    """Yield figure 8: a build from files to sealed edition, by the command, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ORDWS_INSTANCE": folder + "/instance", "ORDWS_SOURCES": str(sources.root)}
        environment.pop("PYTHONPATH", None)  # which names our tests, and the builders' are a folder of that name
        binaries = Path(sys.executable).parent
        subprocess.run([binaries / "ordws", "init"], env=environment, check=True, stdout=subprocess.DEVNULL)
        started = time.monotonic()
        process = subprocess.Popen(
            [binaries / "ordws-build", "run", "--json"], env=environment, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        yield Figure(
            8, "the open recipe from files to sealed edition", round(time.monotonic() - started, 1), "s", "<= 60"
        )
        yield Figure(8, "the same, processor time of all its processes", round(usage.ru_utime + usage.ru_stime, 1), "s")
        yield Figure(8, "the same, peak resident memory", round(usage.ru_maxrss / 1e6, 2), "GB", "<= 1")


def merge_open(sources: Sources) -> Material:
    """Return the merged open dictionaries, before any decision."""
    return read_material(read_recipe("open"), sources, zipf=find_zipf, log=lambda line: None, faults=None)


def measure(material: Material) -> Iterator[Figure]:
    """Yield figures of what the open recipe settles by quorum alone, without a decision."""
    settled = material.merged.settled
    yield Figure(
        "settled-least", "words of three letters or more settled by the open recipe", len(settled), "words", ">= 85000"
    )
    yield Figure("settled-most", "the same", len(settled), "words", "<= 112000")
    yield from everyday.measure(settled)
    yield Figure("names", "of six names, settled", len(settled.intersection(PROPER_NAMES)), "words", "== 0")
    stray = find_stray_forms(material.merged, settled)
    missing = find_missing_forms(material.merged, settled, material.public_lists.core)
    yield Figure(
        "contradictions", "forms in without their base, or out with it", len(stray) + len(missing), "words", "<= 100"
    )
    print_words("contradictions", [f"{form}/{base}" for form, base in (stray | missing).items()])
    core_out = {word for word in material.public_lists.core - settled if len(word) >= MIN_WORD_LENGTH}
    yield Figure(
        "core-out", "core words of three letters or more that are not settled", len(core_out), "words", "<= 500"
    )
    short = [word for word in settled if is_only_abbreviation(material, word)]
    yield Figure("abbreviations", "settled though their sources give only an abbreviation", len(short), "words", "== 0")
    print_words("abbreviations", short)


def is_only_abbreviation(material: Material, word: str) -> bool:
    """Tell whether the public lists have a settled word as an abbreviation alone, and every source as a short form."""
    if word not in material.public_lists.symbols:
        return False
    claims = [claim for source in material.merged.source_claims for claim in source.licensed.get(word, ())]
    return all(claim.entry.labels & {"shortened", "abbreviation"} for claim in claims)


def print_words(what: str, words: Iterable[str]) -> None:
    """Print public words of the open sources to standard error; no decision is in them."""
    print(f"  {what}: {' '.join(sorted(words)) or 'none'}", file=sys.stderr)
