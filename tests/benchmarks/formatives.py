"""Speed and quality of the analysis of formatives, against words that a person judged without seeing any answer.

The book holds 120,000 words of the players' reference, and its other words are analysed. The judged words and the
headwords that they are compared with lie in tests/vectors/homeplay, with a description of how they were drawn and
judged. The words that the program judges wrongly are printed for judged.tsv alone: judged_check.tsv stays unseen.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from builders.public_lists import read_public_lists
from ordws.homeplay.book import WordBook
from ordws.homeplay.formatives import find_derivations
from ordws.instance import Sources
from tests.benchmarks.figure import Figure

VECTORS = Path(__file__).parent.parent / "vectors" / "homeplay"
BOOK_SIZE = 120_000
SAMPLE_SIZE = 10_000
ROUNDS = 3


def measure(sources: Sources) -> Iterator[Figure]:
    """Yield words a second on one core, and precision and recall on the judged words; misses go to standard error."""
    reference = sorted(read_public_lists(sources.root / "debian" / "scowl").reference)
    random.Random(6).shuffle(reference)
    book, sample = WordBook.from_words(reference[:BOOK_SIZE]), reference[BOOK_SIZE : BOOK_SIZE + SAMPLE_SIZE]
    seconds = min(time_derivations(book, sample) for _ in range(ROUNDS))
    what = f"formatives taken apart, one core, a book of {BOOK_SIZE:,} words"
    yield Figure("formatives-pace", what, round(SAMPLE_SIZE / seconds), "words/s", ">= 10000")
    yield from compare("judged.tsv", "judged", ">= 0.93", ">= 0.955")
    yield from compare("judged_check.tsv", "check", ">= 0.85", ">= 0.95")


def time_derivations(book: WordBook, words: list[str]) -> float:
    start = process_time()
    for word in words:
        find_derivations(word, book)
    return process_time() - start


def compare(sample: str, name: str, min_precision: str, min_recall: str) -> Iterator[Figure]:
    book = WordBook.from_words(" ".join(read_lines("judged_dictionary.txt")).split())
    good, wrong, missed = [], [], []
    judged = [line.split("\t") for line in read_lines(sample)]
    for word, base, *_ in judged:
        derivations = find_derivations(word, book)
        if derivations:
            (wrong if base == "-" else good).append(f"{word}:{derivations[0].base}")
        elif base != "-":
            missed.append(f"{word}:{base}")
    precision, recall = len(good) / (len(good) + len(wrong)), len(good) / (len(good) + len(missed))
    what = f"formatives on the {len(judged)} words of {sample}"
    yield Figure(f"formatives-{name}-precision", f"{what}: precision", round(precision, 4), "", min_precision)
    yield Figure(f"formatives-{name}-recall", f"{what}: recall", round(recall, 4), "", min_recall)
    if name == "check":
        return  # to look at its words would spoil the check
    for what, words in (("are none", wrong), ("are missed", missed)):
        print(f"  formatives: {len(words)} {what}: {' '.join(words)}", file=sys.stderr)


def read_lines(name: str) -> list[str]:
    return [line for line in (VECTORS / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]
