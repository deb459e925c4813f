"""The report of a build, in counts: words that left and why, and contradictions (docs/dictionaries.md 9.5).

No word stands in it. A contradiction is a form that is in while its base is out, or out while its base is in. A word
that a club bans by a list of its own is none: the set has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Final

import msgspec
from msgspec import structs

from builders.followers import UNSAFE_PLURALS
from builders.merge import MIN_WORD_LENGTH, MergeResult
from builders.recipe import Recipe
from ordws.atomic_files import write_atomically


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report that is kept as `build.json` of an instance and shown by `ordws status`."""

    inputs: str
    """The digest of all inputs of the build: the same digest again needs no build."""
    charged_inputs: str = ""
    """The digest of what the core words charged under Dover follow from: the same digest again needs no search."""
    recipe: str
    """The name or file of the recipe as it was given: the default of the next build."""
    read: bool
    """True if the sources were read, which they are not if nothing changed."""
    changed: bool
    """True if there is a new edition."""
    edition: int
    name: str
    counts: dict[str, int]
    seconds: float
    losses: str = ""
    """How many words of the last edition left, and by which lines of the recipe; empty if none did."""
    recipe_lines: dict[str, str] = {}
    """The recipe as it was, by which the next build tells what has changed."""
    links: int = 0
    """The number of the ledger's last link when the decisions were read from it."""


def read_build_report(path: Path) -> BuildReport | None:
    """Return the last build's report, or None if there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=BuildReport)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def write_build_report(path: Path, report: BuildReport) -> None:
    """Replace the last build's report."""
    write_atomically(path, msgspec.json.format(msgspec.json.encode(report)) + b"\n")


def format_build_report(report: BuildReport) -> str:
    """Return a report as lines for a keeper."""
    if not report.read:
        return f"nothing changed: edition {report.edition} ({report.name}) stands"
    width = max(len(name) for name in report.counts)
    subject = "edition" if report.changed else "the words are the same: edition"
    lines = [f"{subject} {report.edition} ({report.name}), recipe {report.recipe}, {report.seconds} s"]
    lines += [f"  {name:<{width}}  {count:>9,}" for name, count in report.counts.items()]
    return "\n".join(lines + ([report.losses] if report.losses else []))


def flatten_recipe(recipe: Recipe) -> dict[str, str]:
    """Return the recipe as lines that can be compared: `quorum`, `source.wordnet.path` and so on, with their values."""
    lines = {"quorum": str(recipe.quorum), "labels": recipe.labels, "public.scowl": recipe.public.scowl}
    for source in recipe.source:
        fields = structs.asdict(source)
        lines |= {f"source.{source.name}.{key}": str(value) for key, value in fields.items() if key != "name"}
    return lines


def explain_losses(
    previous: Set[str], words: Set[str], settled: Set[str], old_lines: Mapping[str, str], lines: Mapping[str, str]
) -> str:
    """Return how many words the last edition had and this one has not, and why; empty if there are none.

    A lost word that the quorum still settles was decided out. For the others, the lines of the recipe are named that
    are not those of the last build; a source that came or went is named in one piece.
    """
    lost = previous - words
    decided, changes = len(lost & settled), []
    for line in dict.fromkeys([*old_lines, *lines]):
        old, new = old_lines.get(line), lines.get(line)
        if old is None or new is None:
            changes.append(f"{line.rpartition('.')[0]} is {'new' if old is None else 'gone'}")
        elif old != new:
            changes.append(f"{line} is {new}, was {old}")
    changed = ", ".join(dict.fromkeys(changes)) or "no line of the recipe has changed, files have"
    reasons = [f"{decided:,} decided out"] if decided else []
    if undecided := len(lost) - decided:
        reasons.append(
            f"{undecided:,} by the sources: {changed if old_lines else 'the last build has not recorded its recipe'}"
        )
    return f"{len(lost):,} words of the last edition leave: {'; '.join(reasons)}" if lost else ""


EXCEPTIONS: Final[Mapping[str, str]] = {"PEACES": "a plural that no dictionary has (Scrabble I 10.1)"}
"""Words that contradict others for a reason; beside them, plurals on -INGS, -SES, -XES and -ZES are seldom formed."""


def find_stray_forms(merged: MergeResult, words: Set[str]) -> dict[str, str]:
    """Return the words that dictionaries have only as forms of others, all of which are out, each with one of these."""
    found = {}
    dictionaries = [source for source in merged.source_claims if source.options.kind == "dictionary"]
    for word in words - EXCEPTIONS.keys():
        bases = {claim.base for source in dictionaries for claim in source.licensed.get(word, ())}
        if bases and bases.isdisjoint(words) and len(base := min(bases)) >= MIN_WORD_LENGTH:
            found[word] = base
    return found


def find_missing_forms(merged: MergeResult, words: Set[str], common: Set[str]) -> dict[str, str]:
    """Return the common words that are out though a dictionary has them as a form of a word that is in, with that."""
    found = {}
    dictionaries = [source for source in merged.source_claims if source.options.kind == "dictionary"]
    for form in common - words - EXCEPTIONS.keys():
        for source in dictionaries:
            for claim in (*source.licensed.get(form, ()), *source.withheld.get(form, ())):
                is_seldom = claim.slot == "plural" and claim.base.endswith(UNSAFE_PLURALS)
                if claim.base in words and claim.base != form and not is_seldom:
                    found[form] = claim.base
    return found
