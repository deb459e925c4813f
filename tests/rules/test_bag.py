"""Bags and draws: a bag is filled as the rule set says, and every tile is equally likely (docs/rules.md 2.2).

The random source is seeded, so that every run tests the same samples.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb
from random import Random

from each_row import each_row

from ordws.rules.bag import contains_tiles, draw_tiles, fill_bag, pool, remove_tiles, sort_tiles
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, SCRABBLE_I_CLASSIC
from ordws.rules.tiles import CLASSIC_TILES as CLASSIC_TILES
from ordws.rules.tiles import EIGHT_I, POOL_300

BAGS = 2_000
CHI_SQUARE_26 = (8.9, 54.1)
"""The 0.1th and 99.9th percentiles with 26 degrees of freedom."""

CHI_SQUARE_299 = (228.3, 380.1)
"""The same percentiles with 299 degrees of freedom."""


@each_row(
    ("name", "tiles"),
    [
        ("classic", CLASSIC_TILES.all_tiles()),
        ("scrabble-i-classic", EIGHT_I.all_tiles()),
        ("scrabble-o", EIGHT_I.all_tiles()),
    ],
)
def test_a_bag_as_large_as_its_distribution_holds_all_of_it(name, tiles):
    """A bag as large as its distribution holds all of it (docs/rules.md 2.2.2)."""
    assert fill_bag(RULE_SETS[name], Random(1)) == fill_bag(RULE_SETS[name], Random(2)) == tiles
    assert len(tiles) == 100


@each_row(("rules", "size"), [(SCRABBLE_I, 100), (DOVER, 110), (replace(DOVER, scoop=120), 120)])
def test_a_scoop_is_fresh_for_every_game(rules, size):
    """A scoop is drawn anew for each game, and the same seed draws the same tiles (docs/rules.md 2.2.2, A-33)."""
    bags = [fill_bag(rules, Random(seed)) for seed in (1, 2)]
    assert [len(bag) for bag in bags] == [size, size]
    assert bags[0] != bags[1]
    assert bags[0] == fill_bag(rules, Random(1)) == sort_tiles(bags[0])
    assert all(contains_tiles(pool(rules), bag) for bag in bags)


def test_three_i_may_be_replaced_by_a_e_and_o():
    """The option three_i_to_aeo replaces three I's of the distribution by an A, an E and an O (docs/rules.md A-33)."""
    plain, mixed = Counter(pool(DOVER)), Counter(pool(replace(DOVER, three_i_to_aeo=True)))
    assert {tile: mixed[tile] - plain[tile] for tile in plain if mixed[tile] != plain[tile]} == {
        "A": 1,
        "E": 1,
        "O": 1,
        "I": -3,
    }
    assert len(pool(replace(DOVER, three_i_to_aeo=True))) == 300


def test_the_pool_is_the_distribution_of_the_rule_set():
    """The pool is the distribution of the rule set."""
    assert pool(SCRABBLE_I) == POOL_300.all_tiles()
    assert fill_bag(replace(SCRABBLE_I_CLASSIC, tiles=CLASSIC_TILES), Random(1)) == CLASSIC_TILES.all_tiles()


def test_a_scoop_takes_every_letter_in_proportion():
    """The letters of 2,000 scoops pass a chi-square test that is corrected for drawing without replacement."""
    rng, seen = Random(300), Counter()
    for _ in range(BAGS):
        seen.update(fill_bag(SCRABBLE_I, rng))
    expected = {tile: BAGS * 100 * count / 300 for tile, count in Counter(pool(SCRABBLE_I)).items()}
    statistic = sum((seen[tile] - mean) ** 2 / mean for tile, mean in expected.items()) * 299 / 200
    assert CHI_SQUARE_26[0] < statistic < CHI_SQUARE_26[1]


def test_a_scoop_has_three_blanks_in_the_mean_and_seldom_none():
    """A scoop of 100 from 300 has three blanks on average, and 2.45 % have none (docs/rules.md 2.2.2)."""
    rng = Random(224)
    blanks = [fill_bag(SCRABBLE_I, rng).count("?") for _ in range(BAGS)]
    assert round(comb(291, 100) / comb(300, 100), 4) == 0.0245
    assert abs(sum(blanks) / BAGS - 3) < 0.12
    assert 30 <= blanks.count(0) <= 70
    assert max(blanks) <= 9


def test_every_tile_is_drawn_as_often_as_every_other():
    """Each of the seven draws passes a chi-square test over the 300 tiles of a pool."""
    tiles = "".join(map(chr, range(0x4E00, 0x4E00 + 300)))
    for place in (0, 3, 6):
        rng = Random(place)
        seen = Counter([draw_tiles(tiles, 7, rng)[place] for _ in range(30_000)])
        statistic = sum((seen[tile] - 100) ** 2 / 100 for tile in tiles)
        assert CHI_SQUARE_299[0] < statistic < CHI_SQUARE_299[1]


def test_no_tile_is_drawn_twice():
    """A draw takes each tile at most once, and no more tiles than there are."""
    drawn = draw_tiles("ABCDE", 9, Random(1))
    assert sort_tiles(drawn) == "ABCDE"
    assert draw_tiles("", 7, Random(1)) == ""
    assert draw_tiles("ABCDE", 0, Random(1)) == ""


def test_tiles_are_arranged_with_the_blanks_last():
    """Sorted tiles are in alphabetical order, the blanks last."""
    assert sort_tiles("?CA?B") == "ABC??"


@each_row(
    ("wanted", "there", "left"), [("AB", True, "A?"), ("AA", True, "B?"), ("AAA", False, "B?"), ("?Z", False, "AAB")]
)
def test_equal_tiles_are_counted_one_by_one(wanted, there, left):
    """Equal tiles are counted one by one."""
    assert contains_tiles("AAB?", wanted) is there
    assert remove_tiles("AAB?", wanted) == left


def test_the_regular_bag_has_the_published_tiles():
    """The regular bag holds 100 tiles with 12 E, 9 I and 2 blanks (docs/rules.md 2.2)."""
    counts = Counter(fill_bag(CLASSIC, Random(0)))
    assert (counts["E"], counts["I"], counts["?"], sum(counts.values())) == (12, 9, 2, 100)
