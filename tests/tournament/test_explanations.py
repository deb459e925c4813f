"""What players are told of their pairing."""

from __future__ import annotations

from ordws.tournament.pairing.problem import DraftedPairing, PairingPlayer, PairingProblem, explain, explain_bye

NAMES = {1: "Ann", 2: "Ben", 3: "Cy", 4: "Dee", 5: "Eve", 6: "Kim"}
PLAYERS = (
    PairingPlayer(1, 2_800, 100, (2, 3), (1, 2)),
    PairingPlayer(2, 2_300, 100, (1,), (1,)),
    PairingPlayer(3, 2_500, 100, (1,), (2,)),
    PairingPlayer(4, 3_000, 100),
    PairingPlayer(5, 3_020, 100),
    PairingPlayer(6, 3_180, 100),
)
PROBLEM = PairingProblem(PLAYERS, (1, 2, 3, 4, 5, 6), 5, 2)


def test_a_pairing_explains_itself_by_averages():
    """The opponents so far, the field, the next opponent and where that leads, in points per turn."""
    assert explain(PROBLEM, DraftedPairing(1, 6), 1, NAMES) == (
        "Your opponents made 24.0 a turn so far, the field 28.0. Kim makes 31.8; with Kim your opponents come to 26.6."
    )


def test_closer_players_are_counted():
    """Whoever would bring the opponents closer is counted, those met apart from those who are needed elsewhere."""
    assert explain(PROBLEM, DraftedPairing(4, 1), 1, NAMES) == (
        "Your opponents made 24.0 a turn so far, the field 28.0. Dee makes 30.0; with Dee your opponents come to 26.0. "
        "Two closer players are needed more elsewhere."
    )
    met = (PLAYERS[0]._replace(opponents=(2, 3, 6), rounds_met=(1, 2, 3)), *PLAYERS[1:])
    told = explain(PROBLEM._replace(players=met), DraftedPairing(1, 2, is_repeat=True), 1, NAMES)
    assert told.startswith("You met Ben in round 1: no round without a repeat is left.")
    assert "You have met one closer player." in told or "closer players." in told


def test_the_first_round_is_drawn_by_lot():
    """Before anybody has played there is no average."""
    fresh = PROBLEM._replace(players=tuple(PairingPlayer(number, 0, 0) for number in NAMES))
    assert explain(fresh, DraftedPairing(1, 2), 2, NAMES) == "Nobody has played yet, so lots were drawn."


def test_a_late_entrant_is_told_what_is_known():
    """Who has no opponents yet hears what the opponent makes; who meets a late entrant hears that."""
    problem = PROBLEM._replace(players=(*PLAYERS[:5], PairingPlayer(6, 0, 0)))
    assert explain(problem, DraftedPairing(6, 4), 6, NAMES) == (
        "You have no opponents yet. Dee makes 30.0 a turn, the field 27.2."
    )
    assert explain(problem, DraftedPairing(6, 3), 3, NAMES) == (
        "Your opponents made 28.0 a turn so far, the field 27.2. Kim has not played yet."
    )
    assert explain(problem, DraftedPairing(6, 4), 4, NAMES) == (
        "Neither your opponents nor Kim have an average yet. The field makes 27.2 a turn."
    )


def test_who_was_put_together_is_told():
    """The director's hand is named."""
    problem = PROBLEM._replace(together=frozenset({(1, 6)}))
    assert explain(problem, DraftedPairing(1, 6), 6, NAMES).startswith("The director put you and Ann together.")


def test_a_bye_is_explained():
    """A bye says why, and that it costs nothing."""
    assert explain_bye(PROBLEM, 2, NAMES) == (
        "Ben, you have the bye, for the field is odd and you have had none yet. It changes nothing in the standings."
    )
