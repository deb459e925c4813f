"""The open recipe over the fetched dictionaries: time, memory, and the quality of what the quorum settles."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from wordfreq import top_n_list

from builders.build import Material, read_material
from builders.recipe import read_recipe
from ordws.fold import find_fold
from ordws.instance import Sources
from tests.benchmarks.figure import Figure

PROPER_NAMES = ["LUKE", "MARY", "ERNEST", "JESUS", "HUNGARIAN", "SCAPHOPODA"]
OFFENSIVE_LABELS = {"offensive", "vulgar"}


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
        yield Figure(8, "the same, peak resident memory", round(usage.ru_maxrss / 1e6, 2), "GB", "<= 1")


def merge_open(sources: Sources) -> Material:
    """Return the merged open dictionaries, before any decision."""
    return read_material(read_recipe("open"), sources, zipf=lambda word: 0.0, log=lambda line: None, faults=None)


def measure(material: Material) -> Iterator[Figure]:
    """Yield figures of what the open recipe settles by quorum alone, without a decision."""
    settled = material.merged.settled
    yield Figure(
        "settled-least", "words of three letters or more settled by the open recipe", len(settled), "words", ">= 85000"
    )
    yield Figure("settled-most", "the same", len(settled), "words", "<= 105000")
    for most, goal in ((5_000, 99), (20_000, 98)):
        common = common_words(material, most)
        missing = [word for word in common if word not in settled]
        share = 100 * (1 - len(missing) / len(common))
        yield Figure(
            f"common-{most}",
            f"of the {most:,} most frequent ordinary words, settled",
            round(share, 2),
            "%",
            f">= {goal}",
        )
        print_words(f"missing of the first {most:,}", missing)
    yield Figure("names", "of six names, settled", len(settled.intersection(PROPER_NAMES)), "words", "== 0")
    short = [word for word in settled if is_only_abbreviation(material, word)]
    yield Figure("abbreviations", "settled though their sources give only an abbreviation", len(short), "words", "== 0")
    print_words("abbreviations", short)


def common_words(material: Material, limit: int) -> list[str]:
    """Return the most frequent words of three letters or more that are ordinary in SCOWL up to size 50 and unlabelled.

    Ordinary in SCOWL: in its lists of words, not of names or abbreviations. Unlabelled: no source labels a sense of
    them, or of a word that they are a form of, vulgar or offensive.
    """
    unwanted = offensive_words(material)
    words = []
    for text in top_n_list("en", 10 * limit):
        word = find_fold(text)
        if word and len(word) >= 3 and material.public_lists.bands.get(word, 99) <= 50 and word not in unwanted:
            words.append(word)
    return words[:limit]


def offensive_words(material: Material) -> set[str]:
    words = set()
    for source in material.merged.source_claims:
        words |= source.barred.keys()
        for form, claims in source.licensed.items():
            if any((claim.entry.labels | claim.entry.partial_labels) & OFFENSIVE_LABELS for claim in claims):
                words.add(form)
    return words


def is_only_abbreviation(material: Material, word: str) -> bool:
    """Tell whether the public lists have a settled word as an abbreviation alone, and every source as a short form."""
    if word not in material.public_lists.symbols:
        return False
    claims = [claim for source in material.merged.source_claims for claim in source.licensed.get(word, ())]
    return all(claim.entry.labels & {"shortened", "abbreviation"} for claim in claims)


def print_words(what: str, words: Iterable[str]) -> None:
    """Print public words of the open sources to standard error; no decision is in them."""
    print(f"  {what}: {' '.join(sorted(words)) or 'none'}", file=sys.stderr)
