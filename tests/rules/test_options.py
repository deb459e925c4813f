"""Options: each has an effect, its text reads back, and bad values are refused with the values there are."""

from __future__ import annotations

import ast
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from each_row import each_row
from hypothesis import example, given
from hypothesis import strategies as st
from play_vectors import rule

from ordws.rules import ruleset
from ordws.rules.layout import Layout
from ordws.rules.move import Legal
from ordws.rules.options import OPTION_INFO, BadOption, changed_options, list_options, option_text, with_options
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, SCRABBLE_I_CLASSIC, SCRABBLE_O, RuleSet

RULES = Path(ruleset.__file__).parent
PLAIN = "/".join(["." * 15] * 15)

CHANGES = [
    ("layout", PLAIN, "classic", "", "8H ZEST", 26, 13),
    ("board", "15", "scrabble-i", "", "8H CATS", "misses-centre", 12),
    ("board", "21", "classic", "", "8H CATS", 12, "misses-centre"),
    ("wings", "new-tile", "scrabble-i", "11N EVENT", "11N .....FUL", 54, "no-tile-on-inner-board"),
    ("wings", "main-word", "dover", "11N EVENT", "11N .....FUL", "no-tile-on-inner-board", 14),
    ("wings", "anywhere", "scrabble-i", "K2 EVENING", "2J R.D", "main-word-in-wings", 4),
    ("rack_size", "8", "classic", "", "8H CARTOONS", "too-many-tiles", 116),
    ("rack_size", "6", "classic", "", "8H HEATING", 74, "too-many-tiles"),
    ("minimum", "any3", "scrabble-o", "9H ACTION", "N9 SO", "main-word-too-short", 13),
    ("minimum", "none", "dover", "11K C", "12K OX", "only-two-letter-words", 21),
    ("minimum", "main3", "classic", "", "8G AT", 4, "main-word-too-short"),
    ("big_play", "6:20", "classic", "", "8H HEATED", 22, 42),
    ("big_play", "none", "classic", "", "8H HEATING", 74, 24),
    ("stretch", "2:5", "scrabble-o", "9F HEAT", "9D RE....", 29, 14),
    ("stretch", "none", "scrabble-o", "9F REPENT", "9D UN......ANT", 104, 24),
    ("stretch", "2:20", "classic", "9F HEAT", "9D RE....", 9, 29),
    ("stretch_from", "3", "scrabble-o", "9F CAT", "9F ...TIEST", 22, 102),
    ("stretch_from", "5", "scrabble-o", "9F HEAT", "9D RE....", 29, 9),
    ("premium", "multiply", "scrabble-o", "1B M", "1A E.AcIATE", 104, 131),
    ("premium", "add", "classic", "1B M", "1A E.AcIATE", 131, 104),
    ("small_word_cap", "on", "classic", "", "8H ZEST", 26, 14),
]
"""Option, value, rule set, tiles before, play, and the score or fault of the play without the option and with it."""


@each_row(("name", "value", "rules", "before", "play", "without", "changed"), CHANGES)
def test_each_option_of_plays_changes_a_ruling(name, value, rules, before, play, without, changed):
    """Changing one option changes the score or the fault of a play."""
    assert recorded(rules, {}, before, play) == without
    assert recorded(rules, {name: value}, before, play) == changed


def recorded(rules: str, options: dict[str, str], before: str, play: str) -> int | str:
    ruling = rule(rules, options, before, play)
    return ruling.score if isinstance(ruling, Legal) else ruling.fault.value


def test_the_changes_cover_every_option_of_plays():
    """The changes above cover every option that judge, scoring and receipt read, and `board`, a part of the layout."""
    read = {
        node.attr
        for name in ("judge", "scoring", "receipt")
        for node in ast.walk(ast.parse((RULES / f"{name}.py").read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rules"
    }
    assert read | {"board"} == {name for name, *_ in CHANGES}


def test_every_field_of_a_rule_set_is_an_option():
    """Every field of a rule set is an option, except its id, its title and its home rules; `board` is one more."""
    assert {field.name for field in fields(RuleSet)} - {"id", "title", "home_rules"} | {"board"} == OPTION_INFO.keys()


def test_the_rule_sets_agree_with_the_table():
    """Each rule set has the options of boards, plays and bags in the table (docs/rules.md 1, 11)."""
    names = [
        "board",
        "layout",
        "wings",
        "rack_size",
        "minimum",
        "big_play",
        "stretch",
        "premium",
        "small_word_cap",
        "tiles",
        "scoop",
    ]
    bonuses = ("5:10,6:30,7:50", "2:20,3:40,4:60,5:90,6:110,7:130")
    dover = ("6:20,7:50,8:80", "none")
    assert {id: [option_text(rules, name) for name in names] for id, rules in RULE_SETS.items()} == {
        "classic": ["15", "standard", "anywhere", "7", "none", "7:50", "none", "multiply", "off", "classic", "100"],
        "scrabble-i-classic": ["15", "standard", "anywhere", "7", "main3", *bonuses, "add", "off", "eight-i", "100"],
        "scrabble-o": ["15", "standard", "anywhere", "7", "main3", *bonuses, "add", "off", "eight-i", "100"],
        "scrabble-i": ["21", "standard", "main-word", "7", "main3", *bonuses, "add", "off", "pool-300", "100"],
        "dover": ["21", "standard", "new-tile", "8", "any3", *dover, "multiply", "off", "three-sets", "110"],
    }


def test_scrabble_o_is_scrabble_i_classic_with_the_final_rack_exposed():
    """The rule sets scrabble-o and scrabble-i-classic differ in the exposed final racks alone (docs/rules.md 0.2)."""
    assert replace(SCRABBLE_O, id=SCRABBLE_I_CLASSIC.id, title=SCRABBLE_I_CLASSIC.title, expose_final_rack=False) == (
        SCRABBLE_I_CLASSIC
    )


@each_row("rules", RULE_SETS.values())
def test_the_options_of_a_rule_set_read_back(rules):
    """All options of a rule set, as texts, turn any rule set into it."""
    every = {option.name: option.value for option in list_options(rules)}
    assert every.keys() == OPTION_INFO.keys()
    assert with_options(rules, every) == rules
    not_options = {"id": rules.id, "title": rules.title, "home_rules": rules.home_rules}
    for base in RULE_SETS.values():
        assert replace(with_options(base, every), **not_options) == rules
    assert changed_options(rules) == {}


@each_row(
    ("name", "given", "reads"),
    [
        ("small_word_cap", True, "on"),
        ("small_word_cap", "YES", "on"),
        ("swap", False, "off"),
        ("swap", "no", "off"),
        ("rack_size", 9, "9"),
        ("rack_size", "09", "9"),
        ("premium", "multiply", "multiply"),
        ("board", 15, "15"),
        ("big_play", "7:50", "7:50"),
        ("big_play", "07:50,6:0", "7:50"),
        ("big_play", "none", "none"),
        ("stretch", "2:20,7:0", "2:20,7:0"),
        ("stretch", "4:0", "4:0"),
        ("tiles", "classic", "classic"),
        ("layout", "standard", "standard"),
        ("layout", ["-.", ".="], "-./.="),
        ("layout", "-./.=", "-./.="),
        ("clock_seconds", "0", "0"),
        ("two_letter_words", "101", "101"),
        ("two_letter_words", 70, "70"),
        ("offensive", "disallowed", "disallowed"),
        ("allow", "ZIG,ZAG", "ZAG,ZIG"),
        ("allow", "zig, zag", "ZAG,ZIG"),
        ("strike", ["ZIG", "ZAG", "ZIG"], "ZAG,ZIG"),
        ("strike", [], "none"),
        ("strike", None, "none"),
        ("strike", "NONE", "NONE"),
        ("twos", "QI,ZA", "QI,ZA"),
    ],
)
def test_option_values_are_normalized(name, given, reads):
    """An option takes texts, numbers, bools and the rows of a layout, and is written in one way."""
    changed = with_options(SCRABBLE_I, {name: given})
    assert option_text(changed, name) == reads
    assert with_options(SCRABBLE_I, {name: reads}) == changed


def test_a_layout_keeps_the_wings_of_its_rule_set_by_default():
    """A layout draws the inner board; `board` says whether it has wings of three rows."""
    rows = ["." * 13] * 13
    assert with_options(SCRABBLE_I, {"layout": rows}).layout == Layout.from_rows(rows, wings=3)
    assert with_options(SCRABBLE_I, {"layout": rows, "board": 13}).layout == Layout.from_rows(rows)
    assert with_options(CLASSIC, {"layout": rows}).layout == Layout.from_rows(rows)
    assert with_options(CLASSIC, {"board": "19", "layout": rows}).layout == Layout.from_rows(rows, wings=3)
    whole = ["." * 21] * 21
    assert with_options(SCRABBLE_I, {"layout": whole, "board": 21}).layout == Layout.from_rows(whole)


REFUSED = [
    ({"cap": "on"}, 'there is no option "cap", but allow, big_play, board, challenge, check_ospd, clock, '),
    ({"premium": "ADD"}, 'option premium: "ADD" is none of add, multiply'),
    ({"wings": ""}, 'option wings: "" is none of anywhere, main-word, new-tile'),
    ({"challenge": "maybe"}, 'option challenge: "maybe" is none of none, void, single, double, five, ten, triple'),
    ({"swap": "1"}, 'option swap: "1" is none of on, true, yes, off, false, no'),
    ({"rack_size": "0"}, 'option rack_size: "0" is no number from 1 to 12'),
    ({"rack_size": 7.0}, 'option rack_size: "7.0" is no number from 1 to 12'),
    ({"rack_size": True}, 'option rack_size: "on" is no number from 1 to 12'),
    ({"rack_size": "٧"}, 'option rack_size: "٧" is no number from 1 to 12'),
    ({"clock_seconds": "9999999"}, 'option clock_seconds: "9999999" is no number from 0 to 86400'),
    ({"tiles": "mine"}, 'option tiles: "mine" is none of classic, eight-i, three-sets, pool-300'),
    ({"two_letter_words": "73"}, 'option two_letter_words: "73" is none of 72, 70, 101'),
    ({"big_play": "7"}, 'option big_play: "7" is not of the form TILES:POINTS, as in 5:10,6:30; or none'),
    ({"big_play": "7:-5"}, 'option big_play: "7:-5" is not of the form TILES:POINTS, as in 5:10,6:30; or none'),
    ({"stretch": "0:5"}, 'option stretch: "0:5" does not name 1 to 21 tiles, each number once'),
    ({"stretch": "2:5,2:6"}, 'option stretch: "2:6" does not name 1 to 21 tiles, each number once'),
    ({"layout": "../..."}, "option layout: row 2 of the layout has 3 squares, 2 were expected"),
    ({"layout": "x"}, 'option layout: row 1 of the layout has "x", which is none of . \' " ^ - = ~'),
    ({"layout": ["." * 16] * 16}, "option layout: 16 rows and wings of 3 on each side make 22, 21 are the most"),
    ({"layout": ["." * 22] * 22}, "option layout: a layout has 1 to 21 rows with its wings, this has 22"),
    ({"board": "17"}, 'option board: "17" is none of 15, 21'),
    ({"board": "21", "layout": "../.."}, 'option board: "21" is none of 2, 8'),
    ({"board": "27", "layout": ["." * 21] * 21}, 'option board: "27" is none of 21'),
    ({"offensive": "off"}, 'option offensive: "off" is none of allowed, disallowed'),
    ({"allow": ""}, 'option allow: "" is no word of 2 to 21 letters, A to Z; write ZIG,ZAG, or none'),
    ({"allow": "ZIG;ZAG"}, 'option allow: "ZIG;ZAG" is no word of 2 to 21 letters, A to Z; write ZIG,ZAG, or none'),
    ({"allow": 5}, 'option allow: "5" is no word of 2 to 21 letters, A to Z; write ZIG,ZAG, or none'),
    ({"strike": ["A"]}, 'option strike: "A" is no word of 2 to 21 letters, A to Z; write ZIG,ZAG, or none'),
    (
        {"strike": "Z" * 22},
        f'option strike: "{"Z" * 21}..." is no word of 2 to 21 letters, A to Z; write ZIG,ZAG, or none',
    ),
    (
        {"strike": [f"ZI{chr(65 + n % 26)}{chr(65 + n // 26)}" for n in range(51)]},
        "option strike: 51 words are more than 50",
    ),
    ({"twos": "QI,ZAG"}, 'option twos: "ZA..." is no word of 2 letters, A to Z; write ZIG,ZAG, or none'),
    ({"allow": "ZIG,ZAG", "strike": "ZAG,AB"}, 'option strike: "ZAG" is among the words of the option allow too'),
    ({"scoop": "101", "tiles": "classic"}, "option scoop: 101 tiles cannot be drawn from the 100 of classic"),
]


@each_row(("options", "message"), REFUSED)
def test_an_unknown_option_is_refused_with_the_existing_ones(options, message):
    """A refusal names the option, the value in quotes, and the values there are."""
    with pytest.raises(BadOption) as refused:
        with_options(SCRABBLE_I, options)
    assert str(refused.value).startswith(message)
    assert message.startswith("there is no option") or str(refused.value) == message


def test_unknown_options_share_one_list_of_names():
    """However many options do not exist, the names of those that do are told once; no fault repeats without end."""
    unknown = {f"{number:03}{'x' * 60}": 0 for number in range(len(OPTION_INFO))}
    with pytest.raises(BadOption) as refused:
        with_options(DOVER, unknown)
    message = str(refused.value)
    assert message.startswith(f'there is no option "000{"x" * 37}..." or "001{"x" * 37}..." or "002')
    assert message.count("big_play") == 1
    assert len(message) < 1_000


def test_more_options_than_there_are_are_refused_unread():
    """More options than there are cannot all exist, and none of them is looked at."""
    with pytest.raises(BadOption) as refused:
        with_options(DOVER, {f"x{number}": 0 for number in range(len(OPTION_INFO) + 1)})
    assert str(refused.value) == f"{len(OPTION_INFO) + 1} options were given, there are {len(OPTION_INFO)}"


def test_several_faults_are_reported_at_once():
    """An error names the first five faults of the options at once."""
    bad = dict.fromkeys(OPTION_INFO, "nonsense")
    with pytest.raises(BadOption) as many:
        with_options(DOVER, bad)
    assert len(str(many.value).split("; ")) == 5
    with pytest.raises(BadOption) as refused:
        with_options(DOVER, {"nonsense": 1, "premium": "x", "scoop": 300, "tiles": "classic", "swap": "perhaps"})
    unknown, *others = str(refused.value).split("; ")
    assert unknown.startswith('there is no option "nonsense", but allow, big_play, ')
    assert others == [
        'option swap: "perhaps" is none of on, true, yes, off, false, no',
        'option premium: "x" is none of add, multiply',
        "option scoop: 300 tiles cannot be drawn from the 100 of classic",
    ]


def test_a_refused_option_causes_no_conflict():
    """A conflict is not reported between options of which one was refused."""
    with pytest.raises(BadOption) as refused:
        with_options(CLASSIC, {"tiles": "mine", "scoop": "250", "layout": "x", "board": "21"})
    assert str(refused.value) == (
        'option layout: row 1 of the layout has "x", which is none of . \' " ^ - = ~; '
        'option tiles: "mine" is none of classic, eight-i, three-sets, pool-300'
    )


def test_every_option_has_a_description_and_values():
    """Every option has a description and the values it may have."""
    listed = {option.name: (option.value, option.values) for option in list_options(DOVER)}
    assert listed["minimum"] == ("any3", "none | main3 | any3")
    assert listed["small_word_cap"] == ("off", "on | off")
    assert listed["rack_size"] == ("8", "1 to 12")
    assert listed["layout"] == ("standard", "standard | rows of . ' \" ^ - = ~ joined by /")
    assert listed["board"] == ("21", "15 | 21")
    assert listed["big_play"] == ("6:20,7:50,8:80", "none | TILES:POINTS,...")
    assert listed["tiles"] == ("three-sets", "classic | eight-i | three-sets | pool-300")
    assert listed["allow"] == ("none", "none | WORD,... of 2 to 21 letters, at most 50 words")
    assert listed["twos"] == ("none", "none | WORD,... of 2 letters, at most 200 words")
    assert all(option.description and option.values for option in list_options(DOVER))


TABLES = st.just("none") | st.dictionaries(st.integers(1, 21), st.integers(0, 999), min_size=1).map(
    lambda table: ",".join(f"{tiles}:{points}" for tiles, points in table.items())
)
DRAWINGS = st.text(".'\"^-=~", min_size=1, max_size=21).map(lambda row: "/".join([row] * len(row)))


def values_of(name: str) -> st.SearchStrategy[str]:
    """Return a strategy for texts that an option takes, though not any two of them together."""
    (option,) = [option for option in list_options(CLASSIC) if option.name == name]
    if name in ("big_play", "stretch"):
        return TABLES
    if name == "layout":
        return st.just("standard") | DRAWINGS
    if name in ("allow", "strike", "twos"):
        return st.lists(st.text("ABZ", min_size=2, max_size=2 if name == "twos" else 21), max_size=50).map(
            lambda words: ",".join(words) or "none"
        )
    if name == "unplayed_reward":
        return st.sampled_from(["score", "face"]) | st.integers(1, 500).map(str)
    if " to " in option.values:
        least, most = option.values.split(" to ")
        return st.integers(int(least), int(most)).map(str)
    return st.sampled_from(option.values.split(" | "))


VALUES = {name: values_of(name) for name in OPTION_INFO}
OPTIONS = st.lists(st.sampled_from([*OPTION_INFO]), unique=True, max_size=5).flatmap(
    lambda names: st.fixed_dictionaries({name: VALUES[name] for name in names})
)


@given(st.sampled_from([*RULE_SETS.values()]), OPTIONS)
@example(CLASSIC, {"layout": "/".join(["." * 9] * 9), "board": "15"})
def test_any_options_read_back_as_they_are_written(rules, options):
    """The texts of all options, or of the changed ones alone, make the same rule set again."""
    changed = find_changed(rules, options)
    if isinstance(changed, str):
        assert {fault.partition(":")[0] for fault in changed.split("; ")} <= {f"option {name}" for name in CLASHING}
        return
    assert with_options(rules, {option.name: option.value for option in list_options(changed)}) == changed
    assert with_options(rules, changed_options(changed)) == changed
    assert all(option_text(changed, name) == text for name, text in options.items() if name in ("premium", "rack_size"))


CLASHING = ("scoop", "board", "layout", "rack_size", "strike")


def find_changed(rules: RuleSet, options: dict[str, Any]) -> RuleSet | str:
    """Return the rule set, or the message of the refusal."""
    try:
        return with_options(rules, options)
    except BadOption as refused:
        return str(refused)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.text("0123456789:,./-=\"'nostadrd"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*OPTION_INFO]) | st.text(max_size=20), ANYTHING, max_size=4))
def test_any_value_is_accepted_or_raises_bad_option(options):
    """No value that a program may send raises anything but BadOption."""
    changed = find_changed(SCRABBLE_I, options)
    if isinstance(changed, str):
        assert changed.startswith(("option ", "there is no option "))
    else:
        assert options.keys() <= OPTION_INFO.keys()
        assert changed.id == "scrabble-i"
