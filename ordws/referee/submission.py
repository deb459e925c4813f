"""The effect of a submission on a game: up to the verdict that it depends on (`prepare`), and after it (`complete`)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeAlias

from ordws.referee.deal import apply_events, run_automatic_events
from ordws.referee.sealed_game import SubmissionOutcome, SubmissionText
from ordws.referee.time_control import TimeUsed, clocked_time, on_clock
from ordws.rules.bag import RandomSource
from ordws.rules.event import (
    Challenged,
    Checked,
    Clocked,
    Event,
    Exchanged,
    Passed,
    Played,
    Proposed,
    Resigned,
    Stood,
    Swapped,
)
from ordws.rules.fault import Fault, Illegal
from ordws.rules.game import apply_event
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal, Move, Pass, Play
from ordws.rules.ruleset import Challenge as ChallengeRule
from ordws.rules.rulesets import published_word_lists
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayPropose


class ChallengeAction(NamedTuple):
    """A challenge of some new words of the last play, or of all if none is named."""

    words: tuple[str, ...]


class CheckAction(NamedTuple):
    """A check of the OSPD for the play just rejected, or, under Dover's rules, for the word named."""

    word: str


class ResignAction(NamedTuple):
    """The player's resignation."""


SeatAction: TypeAlias = Move | ChallengeAction | CheckAction | ResignAction


class Submission(NamedTuple):
    """The action that a seat submits, with swaps by row and column before a move."""

    seat: int
    submitted: SubmissionText
    swaps: tuple[tuple[int, int], ...]
    action: SeatAction


class PreparedSubmission(NamedTuple):
    """A submission that can be made; its outcome depends on the verdict on the doubted words, if there are any."""

    time_used: TimeUsed
    events: tuple[Event, ...]
    """The events before that of the submission."""

    state: GameState
    event: Event | None
    """The event as if all words were acceptable; None if the events before it have ended the game."""

    doubted: tuple[str, ...] = ()


class CompletedSubmission(NamedTuple):
    """The events of a submission, its outcome, and the state after it where that is known without a replay."""

    outcome: SubmissionOutcome
    events: tuple[Event, ...]
    state: GameState | None = None


def prepare(
    state: GameState, submission: Submission, time_used: TimeUsed, chance: RandomSource
) -> PreparedSubmission | Illegal:
    """Prepare a submission that took the player on the clock so much time, or return why it is refused."""
    seat, _, _, action = submission
    clocked = clocked_time(state, time_used.counted)
    prepared = PreparedSubmission(time_used, clocked, apply_events(state, *clocked), None)
    if isinstance(state.phase, MayPropose):
        return _prepare_proposal(prepared, submission)
    match action:
        case ResignAction():
            return _with_event(prepared, Resigned(seat))
        case ChallengeAction(words):
            return _with_doubted_words(_with_event(prepared, Challenged(seat, words, upheld=False)), words)
        case CheckAction(word):
            checked = _with_event(prepared, Checked(seat, found=True, word=word))
            return _with_doubted_words(checked, (word,) if word else ())
        case Play() | Exchange() | Pass():
            return _prepare_move(prepared, submission, action, chance)


def complete(prepared: PreparedSubmission, verdict: bool, chance: RandomSource) -> CompletedSubmission:
    """Complete a submission, given the verdict on its doubted words, which is true if there are none."""
    event = prepared.event
    outcome = SubmissionOutcome.PASSED
    match event:
        case None:
            return CompletedSubmission(outcome, prepared.events, prepared.state)
        case Played() if prepared.state.rules.challenge is ChallengeRule.VOID and not verdict:
            # Only the time is kept: swaps before a void play have not been made either.
            clocked = tuple([each for each in prepared.events if isinstance(each, Clocked)])
            return CompletedSubmission(SubmissionOutcome.UNACCEPTABLE, clocked)
        case Played():
            event = replace(event, accepted=verdict)
            outcome = SubmissionOutcome.STANDS if verdict else SubmissionOutcome.REJECTED
            if not prepared.doubted:
                outcome = SubmissionOutcome.LAID
        case Challenged():
            event = replace(event, upheld=not verdict)
            outcome = SubmissionOutcome.FAILED if verdict else SubmissionOutcome.UPHELD
        case Checked():
            event = replace(event, found=verdict)
            outcome = SubmissionOutcome.FOUND if verdict else SubmissionOutcome.NOT_FOUND
        case Proposed():
            event = replace(event, accepted=event.play is not None and verdict)
            outcome = SubmissionOutcome.PROPOSED
        case Exchanged():
            outcome = SubmissionOutcome.EXCHANGED
        case Resigned():
            outcome = SubmissionOutcome.RESIGNED
        case _:
            pass
    drawn, state = run_automatic_events(apply_events(prepared.state, event), chance)
    return CompletedSubmission(outcome, (*prepared.events, event, *drawn), state)


def _with_event(prepared: PreparedSubmission, event: Event) -> PreparedSubmission | Illegal:
    """Return the submission with its event, if the event fits."""
    trial = apply_event(prepared.state, event)
    return trial if isinstance(trial, Illegal) else prepared._replace(event=event)


def _with_doubted_words(prepared: PreparedSubmission | Illegal, words: tuple[str, ...]) -> PreparedSubmission | Illegal:
    """Return the submission with these words in doubt, or all words of the play in question if none is named."""
    if isinstance(prepared, Illegal):
        return prepared
    phase = prepared.state.phase
    assert isinstance(phase, MayBeChallenged | MayCheckOspd)
    return prepared._replace(doubted=words or tuple(phase.ruling.words))


def _prepare_move(
    prepared: PreparedSubmission, submission: Submission, move: Move, chance: RandomSource
) -> PreparedSubmission | Illegal:
    seat, _, swaps, _ = submission
    is_bare_pass = isinstance(move, Pass) and not swaps
    match prepared.state.phase:
        case MayCheckOspd(player) if player == seat and is_bare_pass:
            return _with_event(prepared, Stood())
        case MayBeChallenged(player):
            if seat != on_clock(prepared.state):
                return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {player + 1} is in question")
            # The next player moves instead of challenging, so the play stands, and its player draws.
            prepared = _with_prior_event(prepared, Stood())
            drawn, state = run_automatic_events(prepared.state, chance)
            prepared = prepared._replace(events=(*prepared.events, *drawn), state=state)
            is_over = isinstance(state.phase, GameOver | MayPropose)
            if is_over and is_bare_pass:
                return prepared
            if is_over:
                return Illegal(Fault.GAME_OVER, f"the play of player {player + 1} ends the game: challenge it, or pass")
    for square in swaps:
        swapped = _with_event(prepared, Swapped(seat, *square))
        if isinstance(swapped, Illegal) or swapped.event is None:
            return swapped
        prepared = _with_prior_event(prepared, swapped.event)
    match move:
        case Exchange(tiles):
            return _with_event(prepared, Exchanged(seat, tiles))
        case Pass():
            return _with_event(prepared, Passed(seat))
        case Play():
            played = _with_event(prepared, Played(seat, move))
    # Where plays can be challenged, no word is looked up before somebody does.
    if isinstance(played, Illegal) or prepared.state.rules.challenge not in (ChallengeRule.NONE, ChallengeRule.VOID):
        return played
    return _with_words_of(played, move)


def _prepare_proposal(prepared: PreparedSubmission, submission: Submission) -> PreparedSubmission | Illegal:
    """Return the proposal of the unplayed tiles round: a play, or a pass for none (docs/rules.md 9.5)."""
    seat, _, swaps, action = submission
    match action:
        case Pass() if not swaps:
            return _with_event(prepared, Proposed(seat, None))
        case Play() if not swaps:
            proposed = _with_event(prepared, Proposed(seat, action))
            return proposed if isinstance(proposed, Illegal) else _with_words_of(proposed, action)
        case _:
            return Illegal(Fault.GAME_OVER, "the game is over: propose a play without swaps, or pass")


def _with_words_of(prepared: PreparedSubmission, play: Play) -> PreparedSubmission | Illegal:
    """Return the submission with all words of this play in doubt, unless one is struck out by a published list."""
    rules = prepared.state.rules
    ruling = judge(rules, prepared.state.board, play)
    assert isinstance(ruling, Legal)
    if not published_word_lists(rules).struck.isdisjoint(ruling.words):
        return Illegal(Fault.DISALLOWED_WORD, "the turn is not spent: make another play; the lists are published")
    return prepared._replace(doubted=tuple(ruling.words))


def _with_prior_event(prepared: PreparedSubmission, event: Event) -> PreparedSubmission:
    return prepared._replace(events=(*prepared.events, event), state=apply_events(prepared.state, event))
