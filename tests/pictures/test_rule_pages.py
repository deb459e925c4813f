"""Tests of the rules in plain words, side by side, and with boards: ordws.pictures.rule_pages and what it draws on."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import fields

from each_row import each_row

from ordws.pictures.example_boards import draw_example, examples_for, published_pictures
from ordws.pictures.rule_chapters import describe_rules
from ordws.pictures.rule_pages import (
    COMPARED_RULES,
    DISQUALIFIED_REASONS,
    compare_rule_sets,
    describe_page,
    group_two_letter_words,
    render_comparison,
)
from ordws.rules.options import OPTION_INFO, with_options
from ordws.rules.published_lists import DOVER_DISQUALIFIED, REJECTS_29, TWOS_70, TWOS_72, TWOS_101
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, RuleSet

# A value other than the rule set's own for each option that the plain words speak of.
CHANGES = {
    "wings": "new-tile",
    "scoop": "90",
    "three_i_to_aeo": "on",
    "rack_size": "8",
    "minimum": "any3",
    "big_play": "7:60",
    "stretch": "2:25",
    "stretch_from": "5",
    "swap": "off",
    "premium": "multiply",
    "small_word_cap": "on",
    "challenge": "triple",
    "check_ospd": "dover",
    "two_letter_words": "101",
    "disallowed_words": "dover",
    "offensive": "disallowed",
    "allow": "ZIG",
    "strike": "ZAG",
    "twos": "AB",
    "end": "scoreless",
    "exchange_min": "9",
    "unplayed_tiles": "transfer",
    "unplayed_tiles_round": "on",
    "expose_final_rack": "on",
    "clock": "turn",
    "clock_seconds": "90",
    "overdraw": "all-exposed",
    "late_bad_play": "always",
    "ties": "before-unplayed",
    "most_players": "2",
    "board": "15",
    "tiles": "eight-i",
}
NEED = {"scoreless_turns": {"end": "scoreless", "scoreless_turns": "8"}}
NEED["unplayed_reward"] = {"unplayed_tiles_round": "on", "unplayed_reward": "face"}
NEED |= {
    name: {"clock": "overtime", "clock_seconds": "60", name: "7"} for name in ("overtime_points", "overtime_minutes")
}
"""Options that matter only with another one."""


def plain_words(rules: RuleSet) -> str:
    return "\n".join([" ".join([*chapter.paragraphs, str(chapter.tables)]) for chapter in describe_rules(rules)])


@each_row("name", [name for name in OPTION_INFO if name != "layout"])
def test_every_option_changes_the_plain_words(name):
    """Whatever option a game changes, the chapters say so; the layout is drawn and not described."""
    before = with_options(SCRABBLE_I, {key: value for key, value in NEED.get(name, {}).items() if key != name})
    if name == "tiles":
        before = with_options(before, {"scoop": "100"})
    after = with_options(before, NEED.get(name) or {name: CHANGES[name]})
    assert plain_words(after) != plain_words(before)


def test_a_game_without_a_total_time_ends_by_idle_turns():
    """A game that no clock limits as a whole ends after idle turns with tiles in the bag too (docs/rules.md A-25)."""
    sentence = "Since no clock ends this game, 6 turns in a row without a new tile do so as well."
    timed = with_options(SCRABBLE_I, {"clock_seconds": "1500"})
    told = [sentence in plain_words(rules) for rules in (SCRABBLE_I, DOVER, timed, CLASSIC)]
    assert told == [True, True, False, False]


def test_every_option_has_its_row():
    """Of the options that the rule sets have differently, each has a row in which they differ too."""
    rows = dict(compare_rule_sets([CLASSIC, DOVER]))
    assert [rule for rule, _ in COMPARED_RULES] == list(rows)
    expected = {
        "board": ("15 by 15", "21 by 21"),
        "tiles": ("100", "110 of 300"),
        "rack": ("7 tiles", "8 tiles"),
        "big play": ("7: 50", "6: 20, 7: 50, 8: 80"),
        "two-letter words": ("101", "70"),
        "words that are out": ("none", "287"),
        "offensive words": ("not told apart", "out"),
        "time": ("25 minutes each, then 10 points a minute", "2 minutes a turn"),
    }
    assert {rule: rows[rule] for rule in expected} == expected


@each_row(
    ("option", "rule", "value"),
    [
        ("premium=multiply", "several word squares", "multiply"),
        ("board=15", "board", "15 by 15"),
        ("clock_seconds=90", "time", "1:30 each"),
        ("swap=off", "swap for the blank", "no"),
        ("twos=AB,CD", "two-letter words", "2"),
        ("ties=before-unplayed", "a tie", "by the scores before unplayed tiles"),
    ],
)
def test_the_comparison_follows_the_options(option, rule, value):
    """A changed option changes its row, also in the text of the command."""
    rules = with_options(SCRABBLE_I, dict([option.split("=")]))
    assert dict(compare_rule_sets([rules]))[rule] == (value,)
    assert f"{rule}\n    scrabble-i  {value}" in render_comparison([rules])


def test_all_rule_sets_are_compared():
    """Each row has a value for each rule set, in their order."""
    assert {len(values) for _, values in compare_rule_sets()} == {len(RULE_SETS)}


VERDICTS = {
    ("scrabble-i-classic", "4a"): "Allowed: ACTIONS",
    ("scrabble-i-classic", "4b"): "Not allowed: the main word has 2 letters, 3 are needed.",
    ("scrabble-i-classic", "4c"): "Allowed: SOW",
    ("dover", "4b"): "Allowed: SO (S1 O1) 4; ACTIONS",
    (
        "scrabble-i",
        "wings",
    ): "Allowed: EVENTFUL (E1 V4 E1 N1 T1 F4 U1 L1) 14; stretch of EVENT by 3 tiles 40; 54 points",
    ("dover", "wings"): "Not allowed: none of the tiles lies on the inner board.",
    (
        "classic",
        "squares",
    ): "Allowed: EMACIATE (E1 M3 A1 C0 I1 A1 T1 E1, 9 times) 81; big play by 7 tiles 50; 131 points",
    ("scrabble-o", "squares"): "Allowed: EMACIATE (E1 M3 A1 C0 I1 A1 T1 E1, 6 times) 54; big play by 7 tiles 50; 104",
    ("scrabble-o", "cap-qoph"): "Allowed: QOPH (Q4 O1 P3 H4) 13; QI (Q2 I1) 3; OM (O1 M2) 4; PE (P2 E1) 3; 23 points",
    ("scrabble-o", "cap-glime"): "Allowed: GLIME (G2 L1 I1 M3 E1, 2 times) 16; QI (Q2 I1, 2 times) 6; OM (O1 M2) 3; PE",
}


@each_row(("rules", "name"), VERDICTS)
def test_examples_are_judged_by_the_rules(rules, name):
    """What a board is said to show is what its rule set rules (V-01, V-04, V-05, T-03, T-16, T-18)."""
    verdicts = {example.name: example.verdict for example in examples_for(RULE_SETS[rules])}
    assert verdicts[name].startswith(VERDICTS[rules, name])


def test_rule_sets_have_the_examples_that_concern_them():
    """There are no wings, stretches or standard squares to explain where a rule set has none."""
    names = {id: {example.name for example in examples_for(rules)} for id, rules in RULE_SETS.items()}
    assert "wings" not in names["scrabble-o"]
    assert "stretch" not in names["dover"]
    assert {"cap-qoph", "cap-glime"} <= names["dover"]
    assert not {"cap-qoph", "cap-glime"} & names["classic"]
    assert "cap-qoph" in {example.name for example in examples_for(with_options(CLASSIC, {"small_word_cap": "on"}))}
    assert examples_for(with_options(DOVER, {"layout": "/".join(["..." * 5] * 15)})) == []
    assert {name for each in names.values() for name in each} == {name for name, _ in published_pictures().values()}


@each_row("address", published_pictures())
def test_pictures_show_their_part_of_the_board(address):
    """Each picture is an image with a title and a description, and all its squares lie in what is shown."""
    root = ElementTree.fromstring(draw_example(*published_pictures()[address]))
    left, top, width, height = map(int, root.attrib["viewBox"].split())
    names = [child.text for child in root if child.tag.endswith(("title", "desc"))]
    assert len(names) == 2
    assert all(names)
    tiles = [each for each in root.iter() if "g-tile" in each.attrib.get("class", "")]
    for tile in tiles:
        x, y = float(tile.attrib["x"]), float(tile.attrib["y"])
        assert left <= x < left + width
        assert top <= y < top + height
    assert len(tiles) >= 7


def test_every_struck_word_has_its_reason():
    """Each of the 26 words has a reason, which a page shows unless a club has taken the word back."""
    assert DISQUALIFIED_REASONS.keys() == DOVER_DISQUALIFIED
    assert describe_page(SCRABBLE_I).reasons == {}
    assert describe_page(DOVER).reasons == DISQUALIFIED_REASONS
    assert "ZIG" not in describe_page(with_options(DOVER, {"allow": "ZIG"})).reasons


@each_row(("twos", "everyday"), [(TWOS_70, 34), (TWOS_72, 34), (TWOS_101, 34)])
def test_two_letter_words_are_grouped(twos, everyday):
    """Each word of a list is in one group, 34 of them words that everybody knows (V-13)."""
    groups = group_two_letter_words(twos)
    assert sorted([word for group in groups for word in group.words]) == sorted(twos)
    assert (groups[0].name, len(groups[0].words)) == ("everyday words", everyday)
    rejected = {word for group in groups[-5:] for word in group.words} if twos == TWOS_101 else set()
    assert rejected == (REJECTS_29 if twos == TWOS_101 else set())
    assert group_two_letter_words(frozenset({"AX", "QQ"})) == [("everyday words", ("AX", "QQ"))]


def test_the_page_has_what_the_rule_set_has():
    """A page names what a game has changed, and lists every option."""
    page = describe_page(with_options(SCRABBLE_I, {"premium": "multiply"}))
    assert page.changed == {"premium": "multiply"}
    assert {option.name for option in page.options} == OPTION_INFO.keys()
    assert {field.name for field in fields(RuleSet)} >= OPTION_INFO.keys() - {"board"}
