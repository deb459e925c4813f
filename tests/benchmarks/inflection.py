"""Quality of plurals and verb forms, against a word list that no build has read.

The list is npm's `word-list` 4.1.0, 274,137 words of another descent than SCOWL; it is fetched for this measurement
alone and never reaches a build. The sample is every noun and verb of WordNet that both it and the players' reference
have. Precision: of the forms licensed, those in the list. Lemma recall: of the lemmas with a form in the list, by
table or by any regular spelling, those of which one such form is licensed. Nouns that the table marks uncountable have
their plural withheld by decision and are counted apart.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator

from builders.entry import Pos
from builders.inflect import InflectionTable, Inflector, find_inflection_table, read_inflection_table, regular_spellings
from builders.public_lists import read_public_lists
from builders.readers import read_entries
from ordws.fold import find_fold
from ordws.instance import Sources
from tests.benchmarks.figure import Figure

PACKAGE = "word-list@4.1.0"
PACKAGE_SHA256 = "c0cd6e2a112392204960e9998d79347a8ae1571dab5e3fdbfa685ef5977faedb"
MAX_SHOWN = 12
SLOTS: dict[Pos, tuple[str, ...]] = {"noun": ("plural",), "verb": ("third", "past", "gerund")}


def measure(sources: Sources) -> Iterator[Figure]:
    """Yield precision and lemma recall for each kind of form; the misses go to standard error."""
    gold = read_gold(sources)
    reference = read_public_lists(sources.root / "debian" / "scowl").reference
    table = read_inflection_table(find_inflection_table())
    headwords = read_lemmas(sources, "noun") | read_lemmas(sources, "verb")
    inflector = Inflector(table, reference, headwords)
    for pos, slots in SLOTS.items():
        sample = sorted(read_lemmas(sources, pos) & gold & reference)
        countable = [word for word in sample if pos != "noun" or word not in table.uncountable]
        yield Figure(f"{pos}-sample", f"{pos}s in the sample of inflected forms", len(countable), "words")
        if pos == "noun":
            withheld = len(sample) - len(countable)
            yield Figure("noun-uncountable", "uncountable nouns, not in that sample", withheld, "words")
        for slot in slots:
            yield from compare(countable, pos, slot, inflector, table, gold)


def compare(
    sample: list[str], pos: Pos, slot: str, inflector: Inflector, table: InflectionTable, gold: frozenset[str]
) -> Iterator[Figure]:
    good, bad, reached, missed = 0, [], 0, []
    for word in sample:
        licensed = {form.word for form in inflector.inflect(word, pos).licensed if slot_of(form.slot) == slot}
        spellings = [*regular_spellings(word, pos), *table.lookup(word, pos)]
        possible = {form for form, kind in spellings if slot_of(kind) == slot and form != word} & gold
        good += len(licensed & gold)
        bad += [f"{word}:{form}" for form in licensed - gold]
        if possible:
            reached += bool(licensed & possible)
            missed += [] if licensed & possible else [f"{word}:{'/'.join(sorted(possible))}"]
    name = {"plural": "plurals", "third": "verb forms in -S", "past": "past forms", "gerund": "forms in -ING"}[slot]
    yield Figure(f"{slot}-precision", f"{name}: precision", round(good / (good + len(bad)), 4), "", ">= 0.99")
    yield Figure(f"{slot}-recall", f"{name}: lemma recall", round(reached / (reached + len(missed)), 4), "", ">= 0.98")
    for what, words in (("not in the list", bad), ("not licensed", missed)):
        shown = random.Random(1).sample(words, min(MAX_SHOWN, len(words)))
        print(f"  {name}: {len(words)} {what}, such as {' '.join(shown)}", file=sys.stderr)


def slot_of(slot: str) -> str:
    return "past" if slot == "participle" else slot


def read_lemmas(sources: Sources, pos: Pos) -> set[str]:
    entries = read_entries("wndb", sources.root / "debian" / "wordnet-base")
    words = (find_fold(entry.word) for entry in entries if entry.pos == pos and "proper" not in entry.labels)
    return {word for word in words if word and len(word) >= 3}


def read_gold(sources: Sources) -> frozenset[str]:
    """Return the list, fetched once with npm and compared with its digest."""
    folder = sources.root / "gold"
    archive = folder / (PACKAGE.replace("@", "-") + ".tgz")
    if not archive.exists():
        npm = shutil.which("npm")
        assert npm, f"npm is needed to fetch {PACKAGE}, which the inflected forms are measured against"
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == PACKAGE_SHA256, f"{archive} is not {PACKAGE}: remove it"
    with tarfile.open(archive) as tar:
        file = tar.extractfile("package/words.txt")
        assert file is not None
        return frozenset(file.read().decode("ascii").upper().split())
