"""Precision of the words that the spelling list adds, judged blind among decoys.

`python -m tests.benchmarks.precision` draws, by a seed, 300 words that the open recipe settles and its dictionaries
alone do not, and 100 decoys: names, misspellings, abbreviations and dialect that it does not settle. It writes
`judged/sheet.txt`, where all are shuffled and nothing tells them apart, and `judged/key.tsv`. A judge turns the sheet
into `judged/sheet.tsv`: behind each word `yes` if a collegiate dictionary would have it, as an entry or as a regular
inflection of one, or else `no`. Only then the key is opened. `judged/names.tsv` has 200 of all settled words, with
`name` behind those that are a name and nothing else.

What was judged is kept here with its seed. It is the second sheet: of the first, drawn by another seed from a wider
recipe, 289 of 300 were judged right (96.3 %) and 97 decoys rejected. What was wrong with it led to the rules about
forms attested twice and about names (docs/dictionaries.md 9.3).

`judged/followers.tsv` has words that follow from settled ones, of each kind, as two other judges found them, and
`judged/followers_second.tsv` fresh ones, by two judges more, after the rules had changed;
`judged/followers_third.tsv` has those that the next rules were drawn from. `judged/followers_fourth.tsv` alone is a
fresh sample: it was drawn after the rules of today, of words that nobody had judged.

`judged/second.tsv` has the same words in another random order, as a second judge found them who had not seen the
first's judgements. `judged/size_70.tsv` has 100 words, drawn by the seed 70, that SCOWL's size 70 would settle beside
WordNet or WikDict; they were judged without decoys.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Final

from msgspec import structs

from builders.build import Material, read_material
from builders.readers import read_entries
from builders.recipe import read_recipe
from ordws.curation.agreement import RatedUnit, pairwise_agreement
from ordws.fold import find_fold
from ordws.instance import Sources
from tests.benchmarks.figure import Figure

FOLDER: Final = Path(__file__).parent / "judged"
SEED: Final = 1512
NEW, EACH_DECOY, NAMES = 300, 25, 200
DECOYS: Final = ("name", "misspelling", "abbreviation", "dialect")
FOLLOWER_KINDS: Final = ("inflection", "run-on", "variant", "compound", "familiar")
LEAST_REJECTED: Final = 90
"""Decoys, of 100, that a judge has to reject before the rest of the sheet counts."""

_MISTAKES: Final[tuple[tuple[str, str], ...]] = (
    (r"IE", "EI"),
    (r"EI", "IE"),
    (r"ANCE", "ENCE"),
    (r"ENCE", "ANCE"),
    (r"ABLE", "IBLE"),
    (r"IBLE", "ABLE"),
    (r"([BCDFGLMNPRST])\1", r"\1"),
    (r"([AEIOU])([CFLMNPRST])([AEIOU])", r"\1\2\2\3"),
    (r"SC", "S"),
    (r"OUS", "US"),
)


def measure() -> Iterator[Figure]:
    """Yield the share of the judged new words that were accepted, beside the decoys that were rejected."""
    key, sheets = read_table(FOLDER / "key.tsv"), [read_table(FOLDER / name) for name in ("sheet.tsv", "second.tsv")]
    captions = (
        ("decoys among judged words, rejected", f"of {NEW} words that the spelling list adds, judged right"),
        ("the same decoys, rejected by a second judge", "the same words, judged right by a second judge"),
    )
    for judge, judged, (decoys, new) in zip(("", "-second"), sheets, captions, strict=True):
        rejected = sum(judged[word] == "no" for word, kind in key.items() if kind in DECOYS)
        accepted = sum(judged[word] == "yes" for word, kind in key.items() if kind == "new")
        yield Figure(f"precision-decoys{judge}", decoys, rejected, "words", f">= {LEAST_REJECTED}")
        yield Figure(f"precision{judge}", new, round(100 * accepted / NEW, 1), "%", ">= 97")
    votes = [{name: judged[word] == "yes" for name, judged in zip("ab", sheets, strict=True)} for word in key]
    (pair,) = pairwise_agreement([RatedUnit("", "", each) for each in votes]).values()
    kappa = round(pair.kappa or 0, 2)
    yield Figure("precision-kappa", "agreement of both judges beyond chance on new words and decoys (kappa)", kappa, "")
    yield from measure_followers()
    names = sum(kind == "name" for kind in read_table(FOLDER / "names.tsv").values())
    yield Figure("precision-names", f"of {NAMES} settled words, proper names", names, "words", "== 0")


def measure_followers() -> Iterator[Figure]:
    """Yield the share of the words that follow from settled ones that both judges accepted, by kind, and the decoys."""
    sheets = (
        ("followers", "", "such words"),
        ("followers_second", "-second", "fresh words"),
        ("followers_third", "-third", "words"),
        ("followers_fourth", "-fourth", "words drawn afresh"),
    )
    for name, sheet, what in sheets:
        lines = (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        for kind in FOLLOWER_KINDS:
            if judged := [verdicts for _, each, *verdicts in rows if each == kind]:
                accepted = min(sum(verdicts[judge] == "yes" for verdicts in judged) for judge in (0, 1))
                caption = f"of {len(judged)} {what} that follow ({kind}), right by the stricter judge"
                yield Figure(f"precision-{kind}{sheet}", caption, round(100 * accepted / len(judged), 1), "%", ">= 97")
        decoys = [verdicts for _, kind, *verdicts in rows if kind not in (*FOLLOWER_KINDS, "dropped", "australian")]
        rejected = min(sum(verdicts[judge] == "no" for verdicts in decoys) for judge in (0, 1))
        caption = f"of {len(decoys)} decoys among them, rejected"
        least = round(LEAST_REJECTED * len(decoys) / 100)
        yield Figure(f"precision-followers-decoys{sheet}", caption, rejected, "words", f">= {least}")


def read_table(path: Path) -> dict[str, str]:
    """Return the lines of a table of two columns."""
    return dict(line.split("\t") for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))


def draw(material: Material, before: Set[str], dialect: Iterable[str], chance: random.Random) -> dict[str, str]:
    """Return the words of the sheet, each with its kind: `new` or one of the decoys; none of these is settled."""
    lists, settled = material.public_lists, material.merged.settled
    known = settled | lists.reference
    common = sorted(word for word in settled if lists.bands.get(word, 95) <= 60)
    mistakes = {mistake for word in chance.sample(common, 2_000) if (mistake := misspell(word, chance))}
    decoys = {
        "name": [word for word in lists.names - lists.symbols if 4 <= len(word) <= 9],
        "misspelling": mistakes,
        "abbreviation": [word for word in lists.symbols - lists.names if 3 <= len(word) <= 6],
        "dialect": dialect,
    }
    drawn = dict.fromkeys(chance.sample(sorted(settled - before), NEW), "new")
    for kind, words in decoys.items():
        wrong = sorted(set(words) - (settled if kind == "dialect" else known) - drawn.keys())
        drawn |= dict.fromkeys(chance.sample(wrong, EACH_DECOY), kind)
    return drawn


def misspell(word: str, chance: random.Random) -> str | None:
    """Return a word with one common mistake, or None if it has no place for one."""
    mistakes = [
        word[: match.start()] + match.expand(mistake) + word[match.end() :]
        for pattern, mistake in _MISTAKES
        for match in re.finditer(pattern, word)
        if match.start() > 0
    ]
    return chance.choice(mistakes) if mistakes else None


def main(sources: Sources) -> None:
    recipe = read_recipe("open")
    dictionaries = structs.replace(recipe, source=tuple(each for each in recipe.source if each.kind == "dictionary"))
    after, before = (
        read_material(each, sources, zipf=lambda word: 0.0, log=print, faults=None) for each in (recipe, dictionaries)
    )
    gcide = next(source for source in recipe.source if source.format == "gcide")
    entries = read_entries(gcide.format, *gcide.paths(sources.root))
    dialect = {word for entry in entries if "dialect" in entry.labels and (word := find_fold(entry.word))}
    chance = random.Random(SEED)
    drawn = draw(after, before.merged.settled, {word for word in dialect if len(word) > 2}, chance)
    sheet = chance.sample(sorted(drawn), len(drawn))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "sheet.txt").write_text("".join(f"{word}\n" for word in sheet))
    (FOLDER / "key.tsv").write_text("".join(f"{word}\t{drawn[word]}\n" for word in sorted(drawn)))
    names = chance.sample(sorted(after.merged.settled), NAMES)
    (FOLDER / "names.tsv").write_text("".join(f"{word}\t\n" for word in names))


if __name__ == "__main__":
    main(Sources.locate())
