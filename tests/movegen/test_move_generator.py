"""Tests of the move generator against slower searches."""

from dataclasses import replace
from random import Random

import pytest
from brute_force_plays import brute_force_strings, brute_force_words, plays_by_tiles, tiles_of, toy_rules
from each_row import each_row
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_plays import judged_plays
from word_lists import read_word_list

from ordws.movegen.graph import Graph
from ordws.movegen.moves import find_plays, words_for
from ordws.records.notation import write_move
from ordws.rules.board import Board, board_from_rows, empty_board
from ordws.rules.judge import judge
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, SCRABBLE_I_CLASSIC

TOY_WORDS = ("AB", "BA", "BAA", "ABA", "CAB", "ACAB", "BACCA", "ABACA", "CABABA")
EMPTY = ["....."] * 5
FIVE = ["A.B..", ".cA..", "BAA..", ".b...", "....."]
SEVEN = [".......", ".B.....", ".A.CaB.", ".AbA...", "...B...", "....A..", "......."]
WORDS = read_word_list("short")


def moves(rules, words, board, rack):
    return sorted(write_move(play) for play, _ in judged_plays(rules, Graph.from_words(words), board, rack))


def compare(rules, words, board, rack, expected):
    graph = Graph.from_words(words)
    plays, found = list(judged_plays(rules, graph, board, rack)), find_plays(rules, graph, board, rack)
    assert plays_by_tiles(plays) == expected
    assert len(plays) == len(expected)
    assert all(judge(rules, board, play, rack) == legal for play, legal in plays)
    assert [found.score(number) for number in range(len(found))] == [legal.score for _, legal in plays]


def played(rules, words, rng, turns) -> Board:
    """Return a board after some turns of players who play anything."""
    graph, board = Graph.from_words(words), empty_board(rules.layout.side)
    for _ in range(turns):
        rack = "".join(rng.choices("ADEINOST" * 4 + "?", k=rules.rack_size))
        plays = sorted(judged_plays(rules, graph, board, rack), key=lambda found: found[0])
        if plays:
            board = board.with_letters(dict(tiles_of(rng.choice(plays)[1])))
    return board


def test_all_plays_of_a_drawn_position():
    """Every play that fits and whose words are acceptable is found, spelt from its main word's first letter on."""
    board = board_from_rows([".....", ".....", ".CAT.", ".....", "....."])
    words = ["CAT", "CATS", "AT", "TA", "AS", "SAT", "ACT"]
    assert moves(toy_rules(CLASSIC, 5), words, board, "SA") == [
        "2D AS",
        "3B ...S",
        "4D AS",
        "C3 .S",
        "D1 SA.",
        "D2 A.",
        "D3 .A",
        "E2 AS",
    ]
    assert moves(toy_rules(SCRABBLE_I, 5), words, board, "SA") == ["3B ...S", "D1 SA."]
    assert moves(toy_rules(DOVER, 5), words, board, "SA") == ["D1 SA."]


def test_a_single_tile_that_makes_two_words_is_a_play_across():
    """A lone tile that makes two words is found once, as a play across, even if the word down is longer."""
    board = board_from_rows(["..C..", "..A..", ".A...", ".....", "....."])
    assert moves(toy_rules(CLASSIC, 5), ["CAT", "AT"], board, "T") == ["2C .T", "3B .T", "B3 .T"]


@each_row("rules", RULE_SETS.values())
@each_row(
    ("rows", "rack"),
    [(FIVE, "ABC"), (FIVE, "A??"), (FIVE, "AABC"), (EMPTY, "AB?"), (SEVEN, "B?")],
)
def test_the_generator_agrees_with_brute_force(rules, rows, rack):
    """The generator finds the plays that a search over all strings of tiles finds."""
    board = board_from_rows(rows)
    rules = toy_rules(rules, board.side)
    compare(rules, TOY_WORDS, board, rack, brute_force_strings(rules, board, rack, TOY_WORDS, "ABC"))


@given(st.data())
def test_the_generator_agrees_with_brute_force_on_any_toy_position(data):
    """The same holds on any board, even if its tiles do not hang together or make no words."""
    rules = toy_rules(data.draw(st.sampled_from(list(RULE_SETS.values()))), 5)
    board = board_from_rows(data.draw(st.lists(st.text("......ABCab", min_size=5, max_size=5), min_size=5, max_size=5)))
    rack = data.draw(st.text("ABC?", min_size=1, max_size=3))
    words = data.draw(st.sets(st.text("ABC", min_size=2, max_size=5), min_size=1, max_size=25))
    compare(rules, words, board, rack, brute_force_strings(rules, board, rack, words, "ABC"))


@settings(max_examples=settings.default.max_examples // 6)
@given(st.sampled_from(list(RULE_SETS.values())), st.integers(0, 9_999), st.integers(0, 9))
def test_the_generator_agrees_with_brute_force_on_a_whole_board(rules, seed, turns):
    """On the board of a rule set the generator finds the plays that a search of every word at every place finds."""
    rng = Random(seed)
    board = played(rules, WORDS, rng, turns)
    rack = "".join(rng.choices("ADEINOST", k=rules.rack_size - 1)) + rng.choice("?S")
    compare(rules, WORDS, board, rack, brute_force_words(rules, board, rack, WORDS))


def test_the_first_play_covers_the_start_either_way():
    """First plays run across and down over every letter, and have two tiles or more (docs/rules.md A-01)."""
    assert moves(toy_rules(CLASSIC, 5), ["AT", "TAT"], empty_board(5), "AT") == ["3B AT", "3C AT", "C2 AT", "C3 AT"]


def test_a_blank_stands_for_any_letter():
    """A blank is laid wherever a tile of its letter could be, beside that play."""
    assert moves(toy_rules(CLASSIC, 5), ["AT"], board_from_rows(["....."] * 2 + ["..A.."] + ["....."] * 2), "T?") == [
        "3C .T",
        "3C .t",
        "4B aT",
        "C3 .T",
        "C3 .t",
        "D2 aT",
    ]


def test_two_letters_need_a_longer_new_word():
    """A main word of two letters needs another new word that is longer (T-17)."""
    words = ["SO", "ACTIONS"]
    board = empty_board(15).with_letters({(7, 2 + i): letter for i, letter in enumerate("ACTION")})
    assert moves(SCRABBLE_I_CLASSIC, words, board, "SO") == ["8C ......S"]
    wide = empty_board(21).with_letters({(10, 5 + i): letter for i, letter in enumerate("ACTION")})
    assert moves(DOVER, words, wide, "SO") == ["11F ......S", "L11 SO"]


def test_a_stretch_into_the_wings():
    """Tiles that all lie in the wings stretch a word in one rule set, and not in another (T-18)."""
    board = empty_board(21).with_letters({(10, 13 + i): letter for i, letter in enumerate("EVENT")})
    assert moves(SCRABBLE_I, ["EVENTFUL"], board, "LUFFED?") == [
        "11N .....FUL",
        "11N .....FUl",
        "11N .....FuL",
        "11N .....fUL",
    ]
    assert moves(DOVER, ["EVENTFUL"], board, "LUFFED?") == []


def test_no_more_tiles_than_a_rack_holds():
    """An overdrawn rack lays no more tiles than a rack may hold."""
    rules = replace(toy_rules(CLASSIC, 5), rack_size=2)
    assert moves(rules, ["TAT", "TA"], empty_board(5), "TAT") == ["3B TA", "3C TA", "C2 TA", "C3 TA"]


def test_without_tiles_or_words_there_is_no_play():
    """There are no plays without tiles or without words."""
    board = board_from_rows(FIVE)
    assert moves(toy_rules(CLASSIC, 5), TOY_WORDS, board, "") == []
    assert moves(toy_rules(CLASSIC, 5), [], board, "ABC?") == []


@each_row("rack", ["abc", "A C", "A.", "É"])
def test_a_rack_of_other_characters_is_refused(rack):
    """A rack of anything but capitals and question marks is named in the error."""
    with pytest.raises(ValueError, match="capitals") as raised:
        list(judged_plays(CLASSIC, Graph.from_words(["AT"]), empty_board(15), rack))
    assert f'"{rack}"' in str(raised.value)


def test_a_board_of_another_size_is_refused():
    """A board whose side is not that of the layout is refused, with both numbers."""
    with pytest.raises(ValueError, match="the board has 21 rows, the layout of the rule set 15"):
        list(judged_plays(CLASSIC, Graph.from_words(["AT"]), empty_board(21), "A"))


def test_a_board_with_other_letters_is_refused():
    """Tiles of other languages, which records may have, are on no list of English words."""
    board = empty_board(15).with_letters({(7, 7): "É"})
    with pytest.raises(ValueError, match="the board has letters other than A to Z"):
        find_plays(CLASSIC, Graph.from_words(["AT"]), board, "A")


def test_a_rule_set_adds_its_published_words():
    """Words of two letters, and a few longer ones, are those that the rule set publishes (docs/rules.md 6.6, 6.7)."""
    given_words = ["QI", "XXX", "XX", "ZAX", "WAB", "HOS"]
    found = {id: words_for(rules, given_words) for id, rules in RULE_SETS.items()}
    assert {id: len([word for word in words if len(word) == 2]) for id, words in found.items()} == {
        "classic": 101,
        "scrabble-i-classic": 72,
        "scrabble-o": 72,
        "scrabble-i": 72,
        "dover": 70,
    }
    assert {word for word in found["scrabble-i"] if len(word) > 2} == {"XXX", "ZAX", "WAB", "HOS"}
    assert {word for word in found["dover"] if len(word) > 2} == {
        "XXX",
        "ZAX",
        "AIS",
        "EFS",
        "KAYS",
        "UTS",
        "GAMMAS",
        "IOTAS",
        "KAPPAS",
        "LAMBDAS",
        "SIGMAS",
        "PHIS",
        "LAS",
        "RES",
    }
