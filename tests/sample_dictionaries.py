"""Two small dictionaries of our own in licensed formats, their public lists, and a recipe for both."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from dictionary_files import write_scowl

RECIPE = """
name = "authored"
quorum = 2
[public]
scowl = "lists"
[[source]]
name = "first"
format = "collegiate"
path = "first.json"
stated = "trusted"
[[source]]
name = "second"
format = "table"
path = "second.csv"
stated = "trusted"
"""

SCOWL_LISTS = {
    "english-words.10": "word words play plays played playing peace",
    "english-words.50": "lover lovers lovely lovelier loveliest board boards peaces",
    "english-words.80": "kolo kolos puckish bash bashes bashed bashing",
    "english-upper.50": "Mary",
    "english-abbreviations.50": "mph",
}
"""The public lists: SCOWL's files by name. Words listed up to size 50 are core words."""

IN_BOTH = ("word n", "play v", "lover n", "lovely adj", "board n", "peace n")
ONLY_IN_FIRST = ("kolo n", "bash v")
ONLY_IN_SECOND = ("puckish adj", "vlog v")

_POS_NAMES = {"n": "noun", "v": "verb", "adj": "adjective"}


def collegiate_json(words: Iterable[str], stated: Mapping[str, Iterable[str]] = {}) -> bytes:
    """Return entries in the form of Merriam-Webster's Collegiate JSON."""
    entries = []
    for item in words:
        word, pos = item.split()
        entry: dict[str, object] = {
            "meta": {"id": f"{word}:1", "stems": [word], "offensive": False, "section": "alpha"},
            "hwi": {"hw": "*".join([word[:2], word[2:]])},
            "fl": _POS_NAMES[pos],
            "shortdef": [f"what {word} means"],
        }
        if word in stated:
            entry["ins"] = [{"if": form} for form in stated[word]]
        entries.append(entry)
    return json.dumps(entries).encode()


def csv_table(words: Iterable[str]) -> bytes:
    """Return rows of a CSV dictionary."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["word", "pos", "labels", "gloss", "forms"])
    for item in words:
        word, pos = item.split()
        writer.writerow([word, _POS_NAMES[pos], "", f"the meaning of {word}", ""])
    return file.getvalue().encode()


def write_sources(
    folder: Path,
    both: Iterable[str] = IN_BOTH,
    first: Iterable[str] = ONLY_IN_FIRST,
    second: Iterable[str] = ONLY_IN_SECOND,
) -> Path:
    """Write the dictionaries under a folder, and return the recipe's path."""
    (folder / "lists").mkdir(parents=True, exist_ok=True)
    write_scowl(folder / "lists", SCOWL_LISTS)
    (folder / "first.json").write_bytes(collegiate_json([*both, *first]))
    (folder / "second.csv").write_bytes(csv_table([*both, *second]))
    recipe = folder / "authored.toml"
    recipe.write_text(RECIPE)
    return recipe
