"""Tests that the acts which a seat is offered are those that the referee accepts from it, in every phase."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

import pytest

from ordws.referee.acts import (
    ACTS,
    MAX_TURNS,
    ChallengeAction,
    CheckAction,
    ResignAction,
    Submission,
    complete,
    find_acts,
    find_check_price,
    find_words_to_check,
    prepare,
)
from ordws.referee.moments import Moment
from ordws.referee.sealed_game import (
    GameHeader,
    GameRow,
    SealedGame,
    SeatHolder,
    SubmissionOutcome,
    SubmissionText,
    new_game,
)
from ordws.referee.time_control import TimeUsed, find_time_up
from ordws.rules.board import Axis
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, Challenge, CheckOspd
from ordws.rules.state import GameOver, MayCheckOspd, MayPropose

GAMES = [
    ("scrabble-o", {"scoop": 34}, 2),
    ("scrabble-o", {"scoop": 40, "challenge": "void"}, 3),
    ("scrabble-i", {"scoop": 40, "clock_seconds": 400}, 4),
    ("scrabble-i-classic", {"scoop": 34, "challenge": "double"}, 3),
    ("classic", {"scoop": 30}, 2),
    ("classic", {"scoop": 40, "challenge": "triple", "most_players": 4}, 4),
    ("classic", {"scoop": 34, "challenge": "five", "check_ospd": "dover", "swap": "on"}, 2),
    ("scrabble-o", {"scoop": 34, "unplayed_tiles_round": "on"}, 2),
    ("dover", {"scoop": 40}, 3),
    ("dover", {"scoop": 34, "challenge": "ten", "check_ospd": "official", "swap": "on"}, 2),
]


def open_game(rules_id, options, players, rng):
    dealt = new_game(with_options(RULE_SETS[rules_id], options), players, rng)
    seats = tuple([SeatHolder(str(seat), None, None) for seat in range(players)])
    return SealedGame.from_rows(GameHeader("ab" * 16, 1, "First", Moment(0), 86_400, seats, dealt), ())


def placements(state, rack, rng):
    """Yield plays of these tiles that are legal, each word aside."""
    side, board = state.rules.layout.side, state.board
    letters = [tile if tile != "?" else rng.choice("abcst") for tile in rng.sample(rack, len(rack))]
    used = [(row, column) for row in range(side) for column in range(side) if board.letter_at(row, column) != "."]
    near = {(row + down, column + right) for row, column in used for down in (-1, 0, 1) for right in (-1, 0, 1)}
    starts = [square for square in near or {(side // 2, side // 2)} if 0 <= min(square) <= max(square) < side]
    for row, column in rng.sample(sorted(starts), len(starts)):
        for axis in Axis:
            for length in range(len(letters), 0, -1):
                placed, squares = "", count()
                tiles = iter(letters[:length])
                for at in squares:
                    r, c = (row + at, column) if axis is Axis.DOWN else (row, column + at)
                    if max(r, c) >= side:
                        break
                    taken = board.letter_at(r, c) != "."
                    if not taken and (tile := next(tiles, None)) is None:
                        break
                    placed += "." if taken else tile
                play = Play(row, column, axis, placed.encode())
                if placed and isinstance(judge(state.rules, board, play, rack), Legal):
                    yield play


def forms(state, seat, act, rng):
    """Return the forms of an act that a seat might try."""
    rack = state.seats[seat].rack
    blanks = [
        (row, column)
        for row, line in enumerate(state.board.rows())
        for column, tile in enumerate(line)
        if tile.islower()
    ]
    match act:
        case "play" | "propose" if isinstance(state.phase, MayPropose):
            # In the round a play is a proposal, with the tiles of the other player.
            plays = placements(state, state.seats[1 - seat].rack, rng)
            return [((), play) for _, play in zip(range(40), plays, strict=False)] if act == "propose" else []
        case "propose":
            return []
        case "play":
            # Of two words that a play must not form one is enough to refuse it, so that several are tried.
            return [((), play) for _, play in zip(range(40), placements(state, rack, rng), strict=False)]
        case "exchange":
            return [((), Exchange(rack[:1] or "A"))]
        case "pass":
            return [((), Pass())]
        case "swap":
            return [((square,), Pass()) for square in blanks or [(0, 0)]]
        case "challenge":
            return [((), ChallengeAction(()))]
        case "check-ospd":
            words = state.phase.words if isinstance(state.phase, MayCheckOspd) else ()
            return [((), CheckAction(word)) for word in words or ("",)]
        case _:
            return [((), ResignAction())]


def try_form(sealed_game, seat, form, chance):
    """Return the submission, prepared, or None if it is refused."""
    swaps, action = form
    submission = Submission(seat, SubmissionText((), "?"), swaps, action)
    prepared = prepare(sealed_game.state, submission, TimeUsed(0), chance)
    return None if isinstance(prepared, Illegal) else (submission, prepared)


def check_all(sealed_game, rng):
    """Check what every seat is offered, and return the offers that were accepted."""
    accepted = []
    for seat in range(len(sealed_game.header.seats)):
        offered = find_acts(sealed_game, seat)
        assert offered == [act for act in ACTS if act in offered]
        for act in ACTS:
            tried = [try_form(sealed_game, seat, form, rng) for form in forms(sealed_game.state, seat, act, rng)]
            made = [each for each in tried if each is not None]
            assert bool(made) == (act in offered), (act, seat, sealed_game.state.phase, offered)
            accepted += [(act, each) for each in made[:1]]
    return accepted


def step(sealed_game, act, submission, prepared, rng):
    verdict = rng.random() < (0.75 if act == "play" else 0.5)
    outcome, events, state = complete(prepared, verdict, rng)
    moment = sealed_game.clock_started._replace(milliseconds=sealed_game.clock_started.milliseconds + 1)
    row = GameRow(submission.seat, submission.submitted, moment, outcome, events)
    replayed = sealed_game.with_row(row)
    # The state that spares a replay is the replayed one.
    assert state in (None, replayed.state)
    return replayed


@pytest.mark.parametrize(
    ("number", "seeds"),
    [
        *((number, 7 if "check_ospd" in GAMES[number][1] else 4) for number in range(len(GAMES))),
        *(pytest.param(number, 25, marks=pytest.mark.long) for number in range(len(GAMES))),
    ],
)
def test_every_act_that_is_offered_is_accepted_and_no_other(number, seeds):
    """In every phase of random games each act offered is accepted in some form, and none that is not offered is."""
    seen = Counter()
    for seed in range(seeds):
        rng = Random(seed)
        sealed_game = open_game(*GAMES[number], rng)
        while accepted := check_all(sealed_game, rng):
            seen.update([type(sealed_game.state.phase).__name__, *(act for act, _ in accepted)])
            # Resigning ends games, passing and exchanging add nothing to them.
            weights = [{"play": 30, "resign": 0.05, "challenge": 9, "check-ospd": 9}.get(act, 1) for act, _ in accepted]
            act, (submission, prepared) = rng.choices(accepted, weights)[0]
            sealed_game = step(sealed_game, act, submission, prepared, rng)
            if sealed_game.state.rules.clock_seconds == 400 and rng.random() < 0.05:
                moment = Moment(sealed_game.clock_started.milliseconds + 400_500)
                if (time_up := find_time_up(sealed_game, moment, rng)) is not None:
                    row = GameRow(time_up[0], None, moment, SubmissionOutcome.TIME_UP, time_up[1])
                    sealed_game = sealed_game.with_row(row)
        assert isinstance(sealed_game.state.phase, GameOver)
    rules = with_options(RULE_SETS[GAMES[number][0]], GAMES[number][1])
    has_challenges = rules.challenge not in (Challenge.NONE, Challenge.VOID)
    expected = {"ToMove", "play", "exchange", "pass", "resign"}
    expected |= {"swap"} if rules.swap else set()
    expected |= {"MayBeChallenged", "challenge"} if has_challenges else set()
    if rules.check_ospd is not CheckOspd.NONE and rules.challenge not in (Challenge.VOID, Challenge.TRIPLE):
        expected |= {"MayCheckOspd", "MayReplay", "check-ospd"}
    expected |= {"MayPropose", "propose"} if rules.unplayed_tiles_round else set()
    assert set(seen) == expected


def test_after_the_last_turn_that_a_game_may_have_players_can_only_resign():
    """A game that has had its turns leaves every seat but one act (docs/guard.md Decision 11)."""
    sealed_game = open_game("scrabble-o", {}, 2, Random(1))
    row = GameRow(0, None, Moment(0), SubmissionOutcome.TIME_UP, ())
    for _ in range(MAX_TURNS):
        sealed_game = sealed_game.with_row(row)
    assert [find_acts(sealed_game, seat) for seat in range(2)] == [["resign"]] * 2


def test_a_check_has_a_price_for_the_player_who_may_ask():
    """The official check costs the would-be score, and Dover's the face value of the word that is named."""
    for rules, official, words in (("scrabble-o", 14, []), ("dover", None, [("HEAT", 7)])):
        rng = Random(3)
        sealed_game = open_game(rules, {}, 2, rng)
        state = sealed_game.state.with_rack(0, "HEATXYZ")
        middle = state.rules.layout.side // 2
        play = Play(middle, middle - 3, Axis.ACROSS, b"HEAT")
        prepared = prepare(state, Submission(0, SubmissionText((), "?"), (), play), TimeUsed(0), rng)
        events = complete(prepared, False, rng).events
        after = SealedGame(sealed_game.header, (), (state,)).with_row(
            GameRow(0, SubmissionText((), "?"), Moment(1), SubmissionOutcome.REJECTED, events)
        )
        assert [find_check_price(after.state, seat) for seat in (0, 1)] == [official, None]
        assert [find_words_to_check(after.state, seat) for seat in (0, 1)] == [words, []]
        assert find_acts(after, 0) == ["pass", "check-ospd", "resign"]
