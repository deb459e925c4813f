"""Definitions on cards, judged by hand.

`python -m tests.benchmarks.definitions` draws 300 cards of the open recipe that show a definition, half of them from
the 3,000 that the queue deals first, and writes `judged/definitions.tsv`: card, source, part of speech, definition. A
judge adds `yes` where a reader of the source's entry would call it a definition, a synonym or the kind of thing that
the word names, and `no` for all else: a translation, a cross-reference, a remark, a fragment, another word's text. What
the sheet has judged already keeps its judgement. A card is right if all of its definitions are.

The draw is by a digest of seed and word, so that other sources change it little. It is the fourth sheet. What was wrong
on the first three, each drawn by another seed, led to the rules of `builders/readers/senses.py`; on the third, 291 of
300 cards were right (97.0 %).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from builders.build import read_material
from builders.recipe import read_recipe
from ordws.curation.family import Family, by_priority, priority
from ordws.instance import Sources
from tests.benchmarks.figure import Figure

SHEET: Final = Path(__file__).parent / "judged" / "definitions.tsv"
SEED: Final = b"1729"
FIRST, CARDS_OF_EACH = 3_000, 150


class ShownDefinition(NamedTuple):
    """A definition as a card shows it."""

    card: str
    source: str
    pos: str
    text: str


def measure(families: Iterable[Family]) -> Iterator[Figure]:
    """Yield the share of judged cards whose definitions are all right, and how many of these are shown today."""
    judged = read_sheet(SHEET)
    wrong = {shown.card for shown, judgement in judged.items() if judgement != "yes"}
    cards = {shown.card for shown in judged}
    share = round(100 * (len(cards) - len(wrong)) / len(cards), 1)
    yield Figure("definitions", f"of {len(cards)} drawn cards, those whose definitions are right", share, "%", ">= 98")
    today = {shown for family in families if family.base in cards for shown in shown_definitions(family)}
    same = round(100 * len(today & judged.keys()) / max(1, len(today)), 1)
    yield Figure("definitions-judged", "of what these cards show today, as it was judged", same, "%")


def shown_definitions(family: Family) -> list[ShownDefinition]:
    """Return the definitions that the card of a family shows, each once."""
    witnesses = [witness for candidate in family.candidates for witness in candidate.witnesses if witness.gloss]
    return list(dict.fromkeys(ShownDefinition(family.base, each.source, each.pos, each.gloss) for each in witnesses))


def draw(families: Iterable[Family]) -> list[ShownDefinition]:
    """Return the definitions of the drawn cards, those that the queue deals first in front."""
    by_base = {family.base: family for family in families if shown_definitions(family)}
    priorities = {base: priority(family) for base, family in by_base.items()}
    order = list(by_priority(priorities, priorities))

    def chosen(bases: Sequence[str]) -> list[str]:
        return sorted(bases, key=lambda base: blake2b(base.encode(), key=SEED).digest())[:CARDS_OF_EACH]

    drawn = (*chosen(order[:FIRST]), *chosen(order[FIRST:]))
    return [shown for base in drawn for shown in shown_definitions(by_base[base])]


def read_sheet(path: Path) -> dict[ShownDefinition, str]:
    """Return the judgement of each definition of a sheet; it is empty where none was made."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return {ShownDefinition(*row[:4]): row[4] for row in rows}


def write_sheet(path: Path, judged: dict[ShownDefinition, str]) -> None:
    path.write_text("".join("\t".join((*shown, judgement)) + "\n" for shown, judgement in judged.items()), "utf-8")


def main(sources: Sources) -> int:
    earlier = read_sheet(SHEET) if SHEET.exists() else {}
    # The order of the queue follows from how often people write a word.
    from builders.frequency import find_zipf  # half a second to load, which its tests need not wait for

    families = read_material(read_recipe("open"), sources, find_zipf, log=print, faults=None).families
    sheet = {shown: earlier.get(shown, "") for shown in draw(families)}
    write_sheet(SHEET, sheet)
    print(f"{sum(not judgement for judgement in sheet.values()):,} of {len(sheet):,} definitions are to be judged")
    for figure in measure(families):
        print(f"{figure.figure}: {figure.value:g} {figure.unit}")
    return 0 if all(sheet.values()) else 1


if __name__ == "__main__":
    sys.exit(main(Sources.locate()))
