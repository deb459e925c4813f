"""Figures 6 and 7: asking and opening an edition of 100,000 words, beside a frozenset of the same words."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import open_sealed, seal
from tests.benchmarks.figure import Figure, time_interleaved

WORDS = 100_000
LOOKUPS = 20_000
_NOTHING = "0" * 64

# Resident bytes that a process gains by each further opening, one way or the other; a process of its own for each.
_GROWTH = """
import sys
from pathlib import Path
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import open_sealed
def resident(): return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
folder, kind = Path(sys.argv[1]), sys.argv[2]
keyring, sealed, text = Keyring.open(folder), (folder / "sealed").read_bytes(), (folder / "words").read_bytes()
ways = {"frozenset": lambda: frozenset(text.decode().split()), "edition": lambda: open_sealed(sealed, keyring)}
open_one = ways[kind]
held = [open_one()]
before = resident()
held += [open_one() for _ in range(10)]
print((resident() - before) // 10)
"""


def measure(settled: frozenset[str], borderline: frozenset[str]) -> Iterator[Figure]:
    """Yield the figures for as many of the open recipe's words: all that are settled first, then borderline ones."""
    chance = random.Random(6)
    words = chance.sample(sorted(settled), min(WORDS, len(settled)))
    words = sorted([*words, *chance.sample(sorted(borderline), WORDS - len(words))])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keyring = Keyring.create(folder)
        sealed = seal_words(words, keyring)
        edition, plain = open_sealed(sealed, keyring).words, frozenset(words)
        for kind, questions in (("hits", hits(words)), ("near misses", near_misses(words, plain))):
            mine, theirs = time_interleaved(
                lambda words: [word in edition for word in words],
                lambda words: [word in plain for word in words],
                prepare=lambda questions=questions: copy_words(questions),
            )
            ratio = round(mine / theirs, 2)
            yield Figure(6, f"look-up through the word set against frozenset, {kind}", ratio, "x", "<= 4")
        (folder / "words").write_text("\n".join(words))
        (folder / "sealed").write_bytes(sealed)
        mine_bytes, their_bytes = resident_growth(folder, "edition"), resident_growth(folder, "frozenset")
        share = round(mine_bytes / their_bytes, 3)
        yield Figure(6, "resident memory of the open edition against frozenset", share, "x", "<= 0.1")
        (opening,) = time_interleaved(lambda _: open_sealed(sealed, keyring), rounds=51)
        yield Figure(
            7, f"verify, decrypt and open an edition of {WORDS:,} words", round(opening / 1e6, 2), "ms", "<= 15"
        )
        yield Figure(7, "open edition, resident bytes a word", round(mine_bytes / WORDS, 2), "bytes", "<= 3")


def seal_words(words: list[str], keyring: Keyring) -> bytes:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return seal(
        words,
        [],
        number=1,
        name="ORDWS 2026",
        created=now,
        core_digest=_NOTHING,
        reference_digest=_NOTHING,
        keyring=keyring,
    )


def hits(words: list[str]) -> list[str]:
    return random.Random(7).sample(words, LOOKUPS)


def near_misses(words: list[str], known: frozenset[str]) -> list[str]:
    """Return words with one letter changed or added, none of them in the set."""
    chance, misses = random.Random(8), []
    while len(misses) < LOOKUPS:
        word, at = chance.choice(words), chance.randrange(3)
        letter = chance.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        near = word + letter if at == 0 else word[: (i := chance.randrange(len(word)))] + letter + word[i + 1 :]
        if near not in known:
            misses.append(near)
    return misses


def copy_words(words: list[str]) -> list[str]:
    """Return copies whose hashes are not computed yet, as those of a request's words are not."""
    return json.loads(json.dumps(words))


def resident_growth(folder: Path, kind: str) -> int:
    command = [sys.executable, "-c", _GROWTH, folder, kind]
    runs = [int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(5)]
    return sorted(runs)[2]
