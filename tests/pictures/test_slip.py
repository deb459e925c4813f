"""The slip for the table."""

from __future__ import annotations

import re

from each_row import each_row

from ordws.pictures.slip import SLIP_WIDTH, render_slip
from ordws.rules.options import OPTION_INFO, list_options, with_options
from ordws.rules.ruleset import RULE_SETS, SCRABBLE_I, published_word_lists

PRINTED = """\
     SCRABBLE I       Two-Letter Words
      MAIN WORD      AB  DO  ID  OF  TA
  3-letter minimum   AD      IF  OH  TI
                     AG  ED  IN  ON  TO
   BIG PLAY Bonus    AH  EF  IS  OR
     Tiles  Pts      AI  EH  IT  OS  UH
       5     10      AM  EL      OW  UM
       6     30      AN  EM  LA  OX  UP
       7     50      AR  EN  LI      US
                     AS  ER  LO  PA  UT
    STRETCH Bonus    AT  EX      PI
  (on fours and up)  AW      MA      WE
     Ltrs   Pts      AX  FA  ME  RE  WO
       1      0      AY      MI
       2     20          GO  MU  SH  XI
       3     40      BE      MY  SI
       4     60      BI  HA      SO  YE
       5     90 *    BY  HE  NO      YO
       6    110 *        HI  NU
       7    130 *        HO
  Classic 7-tile rack.
  Extended board.
"""


def words_on(text):
    """Return the two-letter words of a slip, column by column."""
    rows = re.findall(r"^.{19}  ((?:(?:[A-Z]{2}|  )  )*[A-Z]{2})$", text, re.MULTILINE)
    cells = [row[at : at + 2] for at in range(0, 18, 4) for row in rows]
    return [cell for cell in cells if cell.strip()]


def other(option):
    """Return another value that an option may have."""
    match option.name:
        case "layout":
            return "/".join(["." * 15] * 15)
        case "big_play" | "stretch":
            return "2:11"
        case "allow" | "strike" | "twos":
            return "QI,ZA" if option.name == "twos" else "QI,ZIG"
        case "tiles":
            return "pool-300" if option.value == "three-sets" else "three-sets"
    if " | " in option.values:
        return next(value for value in option.values.split(" | ") if value != option.value)
    least = option.values.split()[0]
    return str(int(option.value) + (1 if option.value == least else -1))


def test_the_slip_of_scrabble_i_is_the_printed_one():
    """Tables and two-letter words are laid out as on the printed slip, HO included (docs/rules.md E-01)."""
    assert render_slip(SCRABBLE_I).startswith(PRINTED)


@each_row("rules", RULE_SETS.values())
def test_a_slip_has_the_two_letter_words_of_its_rule_set(rules):
    """A slip has all two-letter words of the rule set in alphabetical order, and no others (docs/rules.md 6.6)."""
    assert words_on(render_slip(rules)) == sorted(published_word_lists(rules).twos)


@each_row("given", [{"twos": "QI"}, {"twos": "QI", "strike": "QI"}, {"twos": "ZA,ZO,AA,QI"}])
def test_a_slip_has_the_two_letter_words_of_the_club(given):
    """A club's own list is on the slip, however short it is (docs/rules.md 6.10)."""
    rules = with_options(SCRABBLE_I, given)
    text, _, _ = render_slip(rules).partition("Played here")
    assert words_on(text) == sorted(published_word_lists(rules).twos)


@each_row("rules", RULE_SETS.values())
def test_a_slip_is_as_wide_as_the_printed_ones(rules):
    """A slip has at most 42 columns, with a left margin of two."""
    lines = render_slip(rules).split("\n")
    assert SLIP_WIDTH == 42
    assert max(map(len, lines)) <= 40
    assert all(line.startswith("  ") and line == line.rstrip() for line in lines if line)


@each_row("rules", RULE_SETS.values())
@each_row("name", OPTION_INFO)
def test_changed_options_are_named_at_the_end(rules, name):
    """Every changed option is named at the end of the slip."""
    option = next(option for option in list_options(rules) if option.name == name)
    value = other(option)
    text = render_slip(with_options(rules, {name: value}))
    assert text != render_slip(rules)
    if name == "layout":
        assert text.splitlines()[-len(value.split("/")) :] == ["    " + " ".join(row) for row in value.split("/")]
        return
    said = {"allow": "Allowed here: ", "strike": "Struck out here: "}.get(name, f"Played here with {name}=")
    assert "".join(f"{said}{value}.".split()) in "".join(text.split())


@each_row(
    ("given", "line"),
    [
        ({"premium": "multiply"}, "Word squares multiply: 2x2=4, 3x3=9."),
        ({"premium": "add"}, "Word squares add: 2+2=4, 3+3=6."),
        ({"small_word_cap": "on"}, "Small word point cap."),
        ({"expose_final_rack": "on"}, "Expose final rack (two players)."),
        ({"rack_size": "8"}, "8-tile rack."),
        ({"board": "15"}, "Classic 15x15 board and 7-tile rack."),
        ({"board": "15", "rack_size": "8"}, "15x15 board and 8-tile rack."),
        ({"scoop": "110"}, "Scoop of 110 from nice 300-tile set."),
        ({"scoop": "300"}, "nice 300-tile set."),
        ({"tiles": "eight-i"}, "Classic 100 tile set with 8I, 3 blank."),
        ({"tiles": "three-sets"}, "Random scoop from 3 standard sets."),
        ({"wings": "new-tile"}, "Each play: a tile on the inner board."),
        ({"minimum": "any3"}, "ONE NEW WORD     AB  DO  ID  OF  TA"),
        ({"challenge": "void"}, "No invalid word can be played."),
        ({"challenge": "five"}, "Invalid words stand unless challenged."),
        ({"check_ospd": "dover"}, "not, lose the word's face value."),
        ({"disallowed_words": "dover"}, "Disallowed word: make another play."),
        ({"clock_seconds": "1500"}, "25 minutes each. Time's up when time's"),
        ({}, "Agree on a total, say 25 minutes each."),
        ({"clock": "overtime", "clock_seconds": "90"}, "1:30 each; over, -10 a minute."),
        ({"clock": "turn", "clock_seconds": "120"}, "2 minutes a turn, then make a play."),
        ({"stretch_from": "5"}, "(on fives and up)  AW      MA      WE"),
        ({"stretch_from": "12"}, "(on 12s and up)   AW      MA      WE"),
    ],
)
def test_a_changed_option_changes_the_line_of_its_rule(given, line):
    """A changed option also changes the line about its rule."""
    assert line in [each.strip() for each in render_slip(with_options(SCRABBLE_I, given)).split("\n")]


@each_row(
    ("played", "not_played", "told"),
    [
        ({}, {"stretch": "none"}, "STRETCH"),
        ({}, {"big_play": "none"}, "BIG PLAY"),
        ({}, {"swap": "off"}, "SWAP"),
        ({}, {"check_ospd": "none"}, "OSPD"),
        ({}, {"board": "15"}, "Extended"),
        ({}, {"clock": "none"}, "Time's up"),
        ({"clock": "turn", "clock_seconds": "60"}, {"clock": "turn"}, "a turn"),
    ],
)
def test_a_rule_that_is_off_has_no_line(played, not_played, told):
    """A rule that is off has no line."""
    assert told in render_slip(with_options(SCRABBLE_I, played))
    assert told not in render_slip(with_options(SCRABBLE_I, not_played))


def test_a_star_marks_stretches_that_include_a_big_play():
    """A star marks the lines of the stretch table that include a big play."""
    text = render_slip(with_options(SCRABBLE_I, {"big_play": "7:50"}))
    assert [line[:20].strip() for line in text.split("\n") if line[:21].rstrip().endswith("*")] == ["7    130 *"]
