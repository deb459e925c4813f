"""Challenges, checks of the OSPD and bad plays caught later, option by option (docs/rules.md 6, 9.3).

Whole games about them are in tests/vectors/games.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from each_row import each_row
from play_vectors import FOLDER, rule

from ordws.records.notation import read_move
from ordws.rules.challenges import dover_deduction
from ordws.rules.event import Caught, Challenged, Checked, Drew, Passed, Played, Stood
from ordws.rules.fault import Fault, Illegal
from ordws.rules.game import Game, apply_event, current_state
from ordws.rules.move import Legal
from ordws.rules.ruleset import CLASSIC, DOVER, SCRABBLE_I_CLASSIC, Challenge, CheckOspd
from ordws.rules.state import MayBeChallenged, MayCheckOspd, MayReplay, ToMove, TurnOutcome

BAG = "CATSDOGHAMLETSBIRDEN"
DRAWN = (Drew(0, "CATSDOG"), Drew(1, "HAMLETS"))
CATS = Played(0, read_move("8G CATS"))
BAD = Played(0, read_move("8G TACS"), accepted=False)


def state(rules, *events):
    return current_state(Game(replace(rules, scoop=20), 2, BAG, (*DRAWN, *events)))


@each_row("challenge", Challenge)
def test_a_play_waits_for_a_challenge_only_if_one_is_possible(challenge):
    """A play stands at once if every word is checked or none can be wrong (docs/rules.md 6.1, 6.2)."""
    waits = isinstance(state(replace(CLASSIC, challenge=challenge), CATS).phase, MayBeChallenged)
    assert waits is (challenge not in (Challenge.NONE, Challenge.VOID))


@each_row("check", CheckOspd)
def test_a_rejected_play_is_checked_as_the_rule_set_says(check):
    """A rejected play is checked as a whole, word by word, or not at all (docs/rules.md 6.4, 6.5)."""
    phase = state(replace(SCRABBLE_I_CLASSIC, check_ospd=check), BAD).phase
    match check:
        case CheckOspd.NONE:
            assert phase == ToMove(1)
        case CheckOspd.OFFICIAL:
            assert (type(phase), phase.player, phase.words) == (MayCheckOspd, 0, ())
        case CheckOspd.DOVER:
            assert (type(phase), phase.player, phase.words) == (MayCheckOspd, 0, ("TACS",))


def test_a_rejected_play_keeps_its_would_be_score():
    """A rejected play keeps the score that it would have had, which a check in vain deducts."""
    rejected = state(SCRABBLE_I_CLASSIC, BAD)
    assert rejected.phase.ruling.score == 12
    assert (rejected.turns[-1].points, rejected.turns[-1].outcome) == (0, TurnOutcome.OFF)


def test_the_turn_goes_on_after_a_found_play():
    """After a play was found in the OSPD the same turn goes on (docs/rules.md A-44)."""
    again = state(SCRABBLE_I_CLASSIC, BAD, Checked(0, True))
    assert (again.phase, again.turns, again.player_to_move) == (MayReplay(0), (), 0)


def test_the_deduction_of_a_check_is_the_points_of_the_turn():
    """The deduction of a check counts as the points of the turn (docs/rules.md A-44)."""
    (turn,) = state(SCRABBLE_I_CLASSIC, BAD, Checked(0, False)).turns
    assert (turn.points, turn.outcome) == (-12, TurnOutcome.OFF)


def test_a_word_formed_twice_is_looked_up_once():
    """A word that the play forms twice is looked up once in Dover's form (docs/rules.md 6.5)."""
    bag = "ABAHOMEDTTOAEIOUBIRD"
    events = (
        Drew(0, "ABAHOMED"),
        Drew(1, "TTOAEIOU"),
        Played(0, read_move("11J ABA")),
        Drew(0, "BIR"),
        Played(1, read_move("10J TOT"), accepted=False),
    )
    phase = current_state(Game(replace(DOVER, scoop=20), 2, bag, events)).phase
    assert phase.ruling.words == ["TOT", "TA", "OB", "TA"]
    assert phase.words == ("TOT", "TA", "OB")


def test_a_bad_play_that_is_caught_leaves_a_mark_in_the_history():
    """The turn of a caught play records whether its tiles went to the bag or stay under later words."""
    rules = replace(SCRABBLE_I_CLASSIC, late_bad_play=DOVER.late_bad_play)
    events = (CATS, Drew(0, "BIRD"), Played(1, read_move("H7 H.M")), Drew(1, "EN"))
    assert [turn.outcome for turn in state(rules, *events, Caught(0)).turns] == [TurnOutcome.CAUGHT, TurnOutcome.MADE]
    after_both = state(rules, *events, Caught(0), Caught(1))
    assert after_both == state(rules, *events, Caught(1), Caught(0))
    assert [turn.outcome for turn in after_both.turns] == [TurnOutcome.REMOVED, TurnOutcome.REMOVED]
    assert after_both.scores == (0, 0)


@each_row(
    ("rules", "events", "event", "sentence"),
    [
        (CLASSIC, (), Challenged(1, (), True), "there is no play that this player could challenge"),
        (CLASSIC, (CATS,), Challenged(1, ("DOGS",), True), 'the play forms no "DOGS"'),
        (SCRABBLE_I_CLASSIC, (), Checked(0, True), "there is no rejected play to check"),
        (SCRABBLE_I_CLASSIC, (BAD,), Checked(1, True), "the play of player 1 was rejected"),
        (SCRABBLE_I_CLASSIC, (BAD,), Checked(0, True, "TACS"), '"TACS" is no word of the play that could be checked'),
        (SCRABBLE_I_CLASSIC, (), Caught(0), "there is no turn 1 that is over"),
        (SCRABBLE_I_CLASSIC, (Passed(0),), Caught(0), "turn 1 has put nothing on the board that counts"),
        (CLASSIC, (CATS, Stood()), Caught(0), "a play that nobody challenged stands"),
        (replace(CLASSIC, challenge=Challenge.VOID), (), BAD, "a play with an unacceptable word cannot be made here"),
        (
            replace(SCRABBLE_I_CLASSIC, disallowed_words="dover"),
            (),
            Played(0, read_move("8H GOS"), False),
            '"GOS" is on the list of disallowed words; play again',
        ),
    ],
)
def test_each_refusal_has_a_sentence(rules, events, event, sentence):
    """Each refusal has a sentence for the player."""
    refused = apply_event(state(rules, *events), event)
    assert isinstance(refused, Illegal)
    assert refused.message == sentence


def deduction_cases():
    text = (FOLDER / "dover_deduction.txt").read_text("utf-8")
    _, *rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [[cell.strip().removeprefix("-") for cell in row.split("|")] for row in rows]


@each_row(("options", "before", "play", "words", "named", "points"), deduction_cases())
def test_dover_deducts_the_face_value_of_the_word_named(options, before, play, words, named, points):
    """A word that is not in the OSPD costs its face value, without premiums and uncapped (docs/rules.md 6.5, A-14)."""
    ruling = rule("dover", dict(option.split("=") for option in options.split()), before, play)
    assert isinstance(ruling, Legal)
    tiles = [letters for letters, _, _, _ in ruling.spans]
    assert tiles == words.encode().split()
    assert dover_deduction(tiles, named) == int(points)


def test_a_word_that_the_play_does_not_form_has_no_deduction():
    """A named word that the play does not form raises ValueError."""
    with pytest.raises(ValueError, match=r'^the play forms no "QUIX"$'):
        dover_deduction([b"QUIXY"], "QUIX")


def test_every_fault_has_a_code_of_its_own():
    """Faults have distinct codes in lower case with hyphens."""
    codes = [fault.value for fault in Fault]
    assert len(codes) == len(set(codes))
    assert all(code == code.lower() and code.replace("-", "").isalpha() for code in codes)
