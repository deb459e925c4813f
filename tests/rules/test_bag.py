"""Bags and draws: what they are filled from, and that every tile is as likely as any other. (RULES 2.2)

Chance is seeded, so that these are fixed samples and not a lottery.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb
from random import Random

import pytest

from ordws.rules.bag import contains_tiles, draw_tiles, fill_bag, pool, remove_tiles, sort_tiles
from ordws.rules.rulesets import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, SCRABBLE_I_CLASSIC
from ordws.rules.tiles import CLASSIC_TILES as CLASSIC_TILES
from ordws.rules.tiles import EIGHT_I, POOL_300

BAGS = 2_000
CHI_SQUARE_26 = (8.9, 54.1)
"""The 0.1th and 99.9th percentile with 26 degrees of freedom."""

CHI_SQUARE_299 = (228.3, 380.1)
"""Likewise with 299."""


@pytest.mark.parametrize(
    ("name", "tiles"),
    [
        ("classic", CLASSIC_TILES.all_tiles()),
        ("scrabble-i-classic", EIGHT_I.all_tiles()),
        ("scrabble-o", EIGHT_I.all_tiles()),
    ],
)
def test_where_the_whole_set_is_the_bag_no_chance_is_left(name, tiles):
    """The classic hundred, or 8 I and 3 blanks. (RULES 2.2.2)"""
    assert fill_bag(RULE_SETS[name], Random(1)) == fill_bag(RULE_SETS[name], Random(2)) == tiles
    assert len(tiles) == 100


@pytest.mark.parametrize(("rules", "size"), [(SCRABBLE_I, 100), (DOVER, 110), (replace(DOVER, scoop=120), 120)])
def test_a_scoop_is_fresh_for_every_game(rules, size):
    """So many tiles of the pool, others each time; the same seed gives the same. (RULES 2.2.2, A-33)"""
    bags = [fill_bag(rules, Random(seed)) for seed in (1, 2)]
    assert [len(bag) for bag in bags] == [size, size]
    assert bags[0] != bags[1]
    assert bags[0] == fill_bag(rules, Random(1)) == sort_tiles(bags[0])
    assert all(contains_tiles(pool(rules), bag) for bag in bags)


def test_three_i_may_be_replaced_by_a_e_and_o():
    """The older club mix: three fewer I, one more A, E and O each, as many tiles in all. (RULES A-33)"""
    plain, mixed = Counter(pool(DOVER)), Counter(pool(replace(DOVER, three_i_to_aeo=True)))
    assert {tile: mixed[tile] - plain[tile] for tile in plain if mixed[tile] != plain[tile]} == {
        "A": 1,
        "E": 1,
        "O": 1,
        "I": -3,
    }
    assert len(pool(replace(DOVER, three_i_to_aeo=True))) == 300


def test_other_tiles_make_another_bag():
    """The pool is the tile set of the rule set."""
    assert pool(SCRABBLE_I) == POOL_300.all_tiles()
    assert fill_bag(replace(SCRABBLE_I_CLASSIC, tiles=CLASSIC_TILES), Random(1)) == CLASSIC_TILES.all_tiles()


def test_a_scoop_takes_every_letter_in_proportion():
    """Chi-square over the letters of 2,000 bags, with the correction for drawing without replacement."""
    chance, seen = Random(300), Counter()
    for _ in range(BAGS):
        seen.update(fill_bag(SCRABBLE_I, chance))
    expected = {tile: BAGS * 100 * count / 300 for tile, count in Counter(pool(SCRABBLE_I)).items()}
    statistic = sum((seen[tile] - mean) ** 2 / mean for tile, mean in expected.items()) * 299 / 200
    assert CHI_SQUARE_26[0] < statistic < CHI_SQUARE_26[1]


def test_a_scoop_has_three_blanks_in_the_mean_and_seldom_none():
    """9 in 300 give 3 in 100; C(291,100) of C(300,100) bags, 2.45 %, have none. (RULES 2.2.4)"""
    chance = Random(224)
    blanks = [fill_bag(SCRABBLE_I, chance).count("?") for _ in range(BAGS)]
    assert round(comb(291, 100) / comb(300, 100), 4) == 0.0245
    assert abs(sum(blanks) / BAGS - 3) < 0.12
    assert 30 <= blanks.count(0) <= 70
    assert max(blanks) <= 9


def test_every_tile_is_drawn_as_often_as_every_other():
    """Chi-square over the 300 tiles of a pool, whichever of seven is looked at: neither first nor last is special."""
    tiles = "".join(map(chr, range(0x4E00, 0x4E00 + 300)))
    for place in (0, 3, 6):
        chance = Random(place)
        seen = Counter([draw_tiles(tiles, 7, chance)[place] for _ in range(30_000)])
        statistic = sum((seen[tile] - 100) ** 2 / 100 for tile in tiles)
        assert CHI_SQUARE_299[0] < statistic < CHI_SQUARE_299[1]


def test_no_tile_is_drawn_twice_and_the_bag_stays():
    """A draw takes what is there, each tile once, and no more than there is."""
    drawn = draw_tiles("ABCDE", 9, Random(1))
    assert sort_tiles(drawn) == "ABCDE"
    assert draw_tiles("", 7, Random(1)) == ""
    assert draw_tiles("ABCDE", 0, Random(1)) == ""


def test_tiles_are_arranged_with_the_blanks_last():
    """As a player would lay them out."""
    assert sort_tiles("?CA?B") == "ABC??"


@pytest.mark.parametrize(
    ("wanted", "there", "left"), [("AB", True, "A?"), ("AA", True, "B?"), ("AAA", False, "B?"), ("?Z", False, "AAB")]
)
def test_tiles_are_taken_as_often_as_they_are_there(wanted, there, left):
    """Each tile counts."""
    assert contains_tiles("AAB?", wanted) is there
    assert remove_tiles("AAB?", wanted) == left


def test_the_regular_bag_holds_what_the_rules_print():
    """100 tiles, 12 E, 9 I, 2 blanks. (RULES 2.2)"""
    counts = Counter(fill_bag(CLASSIC, Random(0)))
    assert (counts["E"], counts["I"], counts["?"], sum(counts.values())) == (12, 9, 2, 100)
