"""The tiles of a rule set as a sheet."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from each_row import each_row

from ordws.pictures.slip import SHEET_WIDTH, make_tile_sheet, published_tile_sheets, render_tile_sheet
from ordws.rules.bag import pool
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, SCRABBLE_I_CLASSIC, SCRABBLE_O
from ordws.web.pages import site


@each_row(
    ("rules", "total", "points", "removed", "added"),
    [
        (CLASSIC, 100, 187, "", ""),
        (SCRABBLE_O, 100, 186, "1 I", "1 blank"),
        (
            SCRABBLE_I,
            300,
            521,
            "2 A, 1 F, 4 I, 1 J, 3 O, 1 Q, 1 U, 1 V, 1 W, 1 X, 1 Y, 1 Z",
            "1 C, 2 D, 2 E, 1 G, 1 L, 1 N, 1 P, 3 R, 2 S, 1 T, 3 blank",
        ),
        (DOVER, 300, 561, "", ""),
        (replace(DOVER, three_i_to_aeo=True), 300, 561, "3 I", "1 A, 1 E, 1 O"),
    ],
)
def test_a_sheet_says_how_to_assemble_a_set(rules, total, points, removed, added):
    """The sheet has the totals of the rule book, and what differs from as many standard sets."""
    sheet = make_tile_sheet(rules)
    assert (sheet.total, sheet.face_total, sheet.removed, sheet.added) == (total, points, removed, added)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.id)
def test_every_tile_is_counted(rules):
    """The lines of the printed sheet add up to the tiles of the set, and fit a narrow paper."""
    lines = render_tile_sheet(rules).splitlines()
    counted = {cells[0]: int(cells[2]) for cells in map(str.split, lines) if cells[-2:] == ["[", "]"]}
    tiles = pool(rules)
    assert counted == {"blank" if tile == "?" else tile: tiles.count(tile) for tile in set(tiles)}
    assert max(map(len, lines)) <= SHEET_WIDTH


def test_counts_stay_with_their_letters():
    """A line of tiles to take out is broken behind a comma."""
    lines = render_tile_sheet(SCRABBLE_I).splitlines()
    assert lines[2] == "Each game: a fresh scoop of 100, unseen."
    assert lines[-5:] == [
        "To assemble it, take out of 3 standard",
        "sets: 2 A, 1 F, 4 I, 1 J, 3 O, 1 Q, 1 U,",
        "1 V, 1 W, 1 X, 1 Y, 1 Z.",
        "Put in: 1 C, 2 D, 2 E, 1 G, 1 L, 1 N, 1 P,",
        "3 R, 2 S, 1 T, 3 blank.",
    ]


def test_rule_sets_of_one_set_of_tiles_share_a_sheet():
    """Rule sets with the same tiles share a sheet, and Dover's older mix has one of its own."""
    sheets = list(published_tile_sheets().values())
    for titles in (
        {SCRABBLE_I_CLASSIC.title, SCRABBLE_O.title},
        {SCRABBLE_I.title},
        {DOVER.title},
        {"Scrabble II as played in the Dover club, with A, E and O for three I"},
    ):
        assert any(titles <= {*sheet} for sheet in sheets)


def test_the_page_of_tiles_has_every_set():
    """The page has a table for each set, and the difference from standard sets where there is one."""
    _, *sheets = site.site_file("/tiles").body.decode().split('class="sheet tile-sheet"')
    texts = [" ".join(re.sub(r"<[^>]*>", " ", sheet).split()) for sheet in sheets]
    assert len(texts) == len(RULE_SETS)
    assert "R 1 21 18 +3" in texts[2]
    assert "from 3 standard sets. Take out 2 A, 1 F, 4 I" in texts[2]
    assert "A 1 9" in texts[0]
    assert "Take out" not in texts[0]
