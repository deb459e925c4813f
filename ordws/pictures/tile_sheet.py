"""A set of tiles as a sheet: counts, values and the difference from standard sets, to print and to assemble it by."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import Final, NamedTuple

from ordws.rules.bag import pool
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import DOVER, RULE_SETS
from ordws.rules.tiles import BLANK, CLASSIC_TILES, LETTERS, TILE_VALUES

WIDTH: Final = 43


class TileRow(NamedTuple):
    """A letter, or the blank, in a set of tiles."""

    tile: str
    value: int
    quantity: int
    standard: int
    """The number of these tiles in as many standard sets as have the same total."""

    @property
    def difference(self) -> int:
        return self.quantity - self.standard


class TileSheet(NamedTuple):
    """The tiles that a bag is filled from."""

    rows: tuple[TileRow, ...]
    """From A to Z, then the blank."""
    scoop: int
    """The number of tiles that one game is played with."""

    @property
    def total(self) -> int:
        return sum([row.quantity for row in self.rows])

    @property
    def blanks(self) -> int:
        return self.rows[-1].quantity

    @property
    def face_total(self) -> int:
        return sum([row.quantity * row.value for row in self.rows])

    @property
    def standard_sets(self) -> int:
        """The number of standard sets that make as many tiles."""
        return self.total // CLASSIC_TILES.total

    @property
    def removed(self) -> str:
        """The tiles to take out of the standard sets: `2 A, 4 I`; empty if none."""
        return ", ".join([f"{-row.difference} {row.tile}" for row in self.rows if row.difference < 0])

    @property
    def added(self) -> str:
        """The tiles to put in for them, from further sets."""
        return ", ".join([f"{row.difference} {row.tile}" for row in self.rows if row.difference > 0])


def make_tile_sheet(rules: RuleSet) -> TileSheet:
    """Return the sheet of the tiles of a rule set (docs/rules.md 2.1, 2.2, A-33)."""
    tiles = pool(rules)
    sets = len(tiles) // CLASSIC_TILES.total
    rows = [
        TileRow("blank" if tile == BLANK else tile, TILE_VALUES[tile], tiles.count(tile), sets * standard)
        for tile, standard in zip(LETTERS + BLANK, CLASSIC_TILES.counts, strict=True)
    ]
    return TileSheet(tuple(rows), rules.scoop)


def published_tile_sheets() -> dict[TileSheet, list[str]]:
    """Return the sheets of all rule sets with their titles, and that of Dover's older mix with A, E and O (A-33)."""
    sheets: dict[TileSheet, list[str]] = {}
    for rules in RULE_SETS.values():
        sheets.setdefault(make_tile_sheet(rules), []).append(rules.title)
    sheets[make_tile_sheet(replace(DOVER, three_i_to_aeo=True))] = [f"{DOVER.title}, with A, E and O for three I"]
    return sheets


def render_tile_sheet(rules: RuleSet) -> str:
    """Return the sheet as text, with a box to tick for each letter whose tiles are counted."""
    sheet = make_tile_sheet(rules)
    letters = sheet.total - sheet.blanks
    lines = [
        f"{rules.id.upper().replace('-', ' ')}: {sheet.total} tiles",
        f"{letters} letters and {sheet.blanks} blanks, face value {sheet.face_total}.",
    ]
    if sheet.scoop < sheet.total:
        lines.append(f"Each game: a fresh scoop of {sheet.scoop}, unseen.")
    is_changed = bool(sheet.removed)
    heading = " tile  points  tiles"
    if is_changed:
        heading += f"{'standard' if sheet.standard_sets == 1 else f'{sheet.standard_sets} sets':>10}  change"
    lines += ["", heading]
    for row in sheet.rows:
        change = f"{row.standard:>10}{f'{row.difference:+}' if row.difference else '':>8}" if is_changed else ""
        lines.append(f"{row.tile:>5}{row.value:>8}{row.quantity:>7}{change}  [ ]")
    lines += [f"{'all':>5}{'':8}{sheet.total:>7}", ""]
    source = "the standard set" if sheet.standard_sets == 1 else f"{sheet.standard_sets} standard sets"
    if is_changed:
        lines += _wrap_counts(f"To assemble it, take out of {source}:", sheet.removed)
        lines += _wrap_counts("Put in:", sheet.added)
    else:
        lines.append(f"This is {source}.")
    return "\n".join(lines) + "\n"


def _wrap_counts(text: str, counts: str) -> list[str]:
    """Return lines in which no count stands apart from its letter."""
    kept = counts.replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in wrap(f"{text} {kept}.", WIDTH)]
