"""The statements of the rule books on numbers and lists, recomputed (docs/rules.md 13).

Statements on single plays are in tests/vectors/rules.
"""

from __future__ import annotations

from each_row import each_row

from ordws.rules.options import with_options
from ordws.rules.published_lists import (
    DISALLOWED_THREES,
    DISALLOWED_TWOS,
    REJECTS_29,
    TWOS_70,
    TWOS_72,
    TWOS_101,
)
from ordws.rules.ruleset import CLASSIC, SCRABBLE_I, SCRABBLE_I_CLASSIC
from ordws.rules.scoring import combined_factor, letter_values
from ordws.rules.tiles import BLANK, LETTERS, POOL_300, THREE_SETS
from ordws.rules.tiles import CLASSIC_TILES as CLASSIC_TILES

CAPPED = with_options(SCRABBLE_I, {"small_word_cap": True})

CHEAPIES = """
    EF EL EM EN AR EX  MU NU PI XI  RE MI FA LA TI  AH AW EH ER HA HO OH OW SH UH UM YO  AB AG BI ED
    AI LI OS TA WO UT SI
"""
"""The two-letter words that are letters, notes, interjections, clips or uncommon; DO and SO are familiar words."""

TWOS_PASSED = "AL DE ET KA MM MO OP UN"
THREES_PASSED = (
    "AHS BAL BAM BAS CIG DEL DIB DIF DUI DUP EAU EEK ENG FEM HIC HMM JUS KOP LAT LES NOM OPS OXY REX SER TAE YAH YUM"
)
PLURALS_DISALLOWED = "AGS AHS BES EDS ERS GOS HOS LIS NOS ONS ORS TAS"


@each_row(
    ("words", "each", "total"),
    [
        ("QOPH", (4, 1, 3, 4), 12),
        ("QI", (2, 1), 3),
        ("OM", (1, 2), 3),
        ("PE", (2, 1), 3),
        ("GLIME", (2, 1, 1, 3, 1), 8),
    ],
)
def test_letters_of_small_words_are_capped_by_their_length(words, each, total):
    """With the cap QOPH counts Q4 O1 P3 H4, and GLIME is not capped (V-04, V-05)."""
    assert tuple(letter_values(CAPPED, words.encode())) == each
    assert sum(each) == total


@each_row(
    ("word", "length", "worth"),
    [
        ("QI", 2, 2),
        ("QAT", 3, 3),
        ("QAID", 4, 4),
        ("QUACK", 5, 10),
        ("OPAQUE", 6, 10),
        ("LIQUEFY", 7, 10),
        ("COQUETRY", 8, 10),
        ("EQUIPMENT", 9, 10),
        ("FOURSQUARE", 10, 10),
        ("AQUATICALLY", 11, 10),
        ("INEQUALITIES", 12, 10),
        ("UNQUESTIONING", 13, 10),
    ],
)
def test_the_value_of_q_by_word_length(word, length, worth):
    """With the cap a Q counts 2, 3 and 4 in words of that length, and 10 from QUACK on (V-06)."""
    assert (len(word), letter_values(CAPPED, word.encode())[word.index("Q")]) == (length, worth)
    assert letter_values(SCRABBLE_I, word.encode())[word.index("Q")] == 10


@each_row(
    ("factors", "added", "multiplied"),
    [([3, 3], 6, 9), ([2, 2], 4, 4), ([3, 3, 3], 9, 27), ([2, 3], 5, 6), ([2], 2, 2), ([], 1, 1)],
)
def test_word_squares_combine_by_adding_or_multiplying(factors, added, multiplied):
    """Two double word squares make 4, two triple ones 6 added and 9 multiplied (docs/rules.md A-18)."""
    assert combined_factor(SCRABBLE_I, factors) == added
    assert combined_factor(CLASSIC, factors) == multiplied


def test_the_stretch_table_is_the_memory_trick_with_its_cap_and_the_big_play():
    """The stretch bonus is 20(n - 1), at most 80, and the big play for n tiles (V-08)."""
    assert SCRABBLE_I_CLASSIC.stretch == (0, 0, 20, 40, 60, 90, 110, 130)
    assert SCRABBLE_I_CLASSIC.big_play == (0, 0, 0, 0, 0, 10, 30, 50)
    for n in range(1, 8):
        assert SCRABBLE_I_CLASSIC.stretch[n] == min(80, int(f"{2 * (n - 1)}0")) + SCRABBLE_I_CLASSIC.big_play[n]


def test_emaciate_takes_all_tiles_of_the_rack_after_the_swap():
    """After a swap AAEEIIT plays EMACIATE over an open M with all seven tiles (V-09)."""
    rack = sorted("AAEEIIT".replace("I", BLANK, 1))
    assert rack == sorted("EMACIATE".replace("M", "").replace("C", BLANK))


def test_the_pool_of_300_has_118_vowels():
    """The pool of 300 has 118 vowels, 39.3 %, against 42 % in the classic set (V-10)."""
    adjustments = [mine - theirs for mine, theirs in zip(POOL_300.counts, THREE_SETS.counts, strict=True)]
    assert (POOL_300.total, sum(adjustments)) == (300, 0)
    vowels = [sum(tiles.all_tiles().count(vowel) for vowel in "AEIOU") for tiles in (POOL_300, CLASSIC_TILES)]
    assert vowels == [118, 42]
    assert round(100 * 118 / POOL_300.total, 1) == 39.3


def test_fifty_six_tiles_are_twenty_one_consonants():
    """The 56 consonants of the classic set are of 21 kinds with the Y (docs/rules.md E-02)."""
    consonants = [tile for tile in LETTERS if tile not in "AEIOU"]
    tiles = CLASSIC_TILES.all_tiles()
    assert (len(consonants), sum(tiles.count(tile) for tile in consonants)) == (21, 56)
    assert 56 - tiles.count("Y") == 54


def test_fourteen_t_remain_of_nineteen_when_five_are_down():
    """Of 19 T's 14 are among the 231 unseen tiles when five are down (V-11)."""
    assert POOL_300.all_tiles().count("T") - 5 == 14
    assert POOL_300.total - 69 == 231


def test_the_101_less_rejects_are_the_78_the_72_and_the_70():
    """The 78 words less AA, AE, JO, PE, QI and ZA are 72, and less eight words 70 (V-12)."""
    of_a_dictionary = TWOS_72 | {"AA", "AE", "JO", "PE", "QI", "ZA"}
    assert len(of_a_dictionary) == 78
    assert of_a_dictionary <= TWOS_101
    assert len(of_a_dictionary - TWOS_70) == 8


def test_familiar_words_and_cheapies():
    """34 familiar words and 38 cheapies make the 72, 34 and 36 the 70 (V-13)."""
    cheapies = set(CHEAPIES.split())
    assert (len(cheapies), cheapies <= TWOS_72) == (38, True)
    assert len(TWOS_72 - cheapies) == len(TWOS_70 - cheapies) == 34
    assert len(TWOS_70 & cheapies) == 36


def test_rejects_that_a_spell_checker_passed():
    """A spell checker passed 8 of the disallowed twos and 28 of the threes (V-14, V-15)."""
    passed, threes = set(TWOS_PASSED.split()), THREES_PASSED.split()
    assert (len(REJECTS_29), len(DISALLOWED_TWOS), len(passed)) == (29, 31, 8)
    assert passed <= DISALLOWED_TWOS
    assert (len(DISALLOWED_THREES), len(set(threes)), sorted(threes)) == (229, 28, threes)
    assert set(threes) <= DISALLOWED_THREES


def test_s_plurals_of_good_twos_may_be_disallowed():
    """Twelve disallowed words of three letters are a valid word of two with an S (docs/rules.md 6.7)."""
    assert sorted(three for three in DISALLOWED_THREES if three[2] == "S" and three[:2] in TWOS_70) == (
        PLURALS_DISALLOWED.split()
    )


def test_the_sample_board_has_six_good_twos():
    """The two-letter words of the sample board are all on the list of 72 (V-16)."""
    assert {"DO", "BE", "AR", "EF", "BY", "OX"} <= TWOS_72
