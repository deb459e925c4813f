"""Words that an edition would lose: how many, and by which lines of the recipe (docs/dictionaries.md 9.5)."""

from __future__ import annotations

from collections.abc import Mapping, Set

from msgspec import structs

from builders.recipe import Recipe


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
