"""What a submission does to a game: up to the verdict that it depends on, and from there."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeAlias

from ordws.referee.deal import apply_events, run_automatic_events
from ordws.referee.sealed_game import SubmissionOutcome, SubmissionText
from ordws.referee.time_control import clocked_time, on_clock
from ordws.rules.bag import RandomSource
from ordws.rules.event import (
    Challenged,
    Checked,
    Clocked,
    Event,
    Exchanged,
    Passed,
    Played,
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
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd


class ChallengeAction(NamedTuple):
    """Doubt of some new words of the last play, or of all."""

    words: tuple[str, ...]


class CheckAction(NamedTuple):
    """A look into the OSPD for the play just rejected, or in Dover's form for the word named."""

    word: str


class ResignAction(NamedTuple):
    """The end of the game for whoever says so."""


SeatAction: TypeAlias = Move | ChallengeAction | CheckAction | ResignAction


class Submission(NamedTuple):
    """What a seat wants to do; swaps by row and column, with a move alone."""

    seat: int
    submitted: SubmissionText
    swaps: tuple[tuple[int, int], ...]
    action: SeatAction


class PreparedSubmission(NamedTuple):
    """A submission that can be made; what becomes of it depends on the words in doubt, if there are any."""

    events: tuple[Event, ...]
    """What comes before it."""

    state: GameState
    event: Event | None
    """As if all words were acceptable; None where what came before has ended the game."""

    doubted: tuple[str, ...] = ()


class CompletedSubmission(NamedTuple):
    """All that happens by a submission, and what became of it."""

    outcome: SubmissionOutcome
    events: tuple[Event, ...]


def prepare(
    state: GameState, submission: Submission, elapsed: int, chance: RandomSource
) -> PreparedSubmission | Illegal:
    """A submission so many seconds after the last row, or why it cannot be made, and nothing has happened."""
    seat, _, _, deed = submission
    clocked = clocked_time(state, elapsed)
    begun = PreparedSubmission(clocked, apply_events(state, *clocked), None)
    match deed:
        case ResignAction():
            return _with_event(begun, Resigned(seat))
        case ChallengeAction(words):
            ready = _with_event(begun, Challenged(seat, words, upheld=False))
            return _with_doubted_words(ready, words)
        case CheckAction(word):
            ready = _with_event(begun, Checked(seat, found=True, word=word))
            return _with_doubted_words(ready, (word,) if word else ())
        case Play() | Exchange() | Pass():
            return _prepare_move(begun, submission, deed, chance)


def complete(prepared: PreparedSubmission, verdict: bool, chance: RandomSource) -> CompletedSubmission:
    """All that a submission does, given the verdict on the words in doubt; true where there are none."""
    deed, rules = prepared.event, prepared.state.rules
    match deed:
        case None:
            return CompletedSubmission(SubmissionOutcome.PASSED, prepared.events)
        case Played() if rules.challenge is ChallengeRule.VOID and not verdict:
            return CompletedSubmission(
                SubmissionOutcome.UNACCEPTABLE, tuple([each for each in prepared.events if isinstance(each, Clocked)])
            )
        case Played():
            event: Event = replace(deed, accepted=verdict)
        case Challenged():
            event = replace(deed, upheld=not verdict)
        case Checked():
            event = replace(deed, found=verdict)
        case _:
            event = deed
    drawn, _ = run_automatic_events(apply_events(prepared.state, event), chance)
    return CompletedSubmission(_outcome(prepared, event, verdict), (*prepared.events, event, *drawn))


def _outcome(prepared: PreparedSubmission, event: Event, verdict: bool) -> SubmissionOutcome:
    match event:
        case Played():
            if not prepared.doubted:
                return SubmissionOutcome.LAID
            return SubmissionOutcome.STANDS if verdict else SubmissionOutcome.REJECTED
        case Challenged():
            return SubmissionOutcome.FAILED if verdict else SubmissionOutcome.UPHELD
        case Checked():
            return SubmissionOutcome.FOUND if verdict else SubmissionOutcome.NOT_FOUND
        case Exchanged():
            return SubmissionOutcome.EXCHANGED
        case Resigned():
            return SubmissionOutcome.RESIGNED
        case _:
            return SubmissionOutcome.PASSED


def _with_event(prepared: PreparedSubmission, event: Event) -> PreparedSubmission | Illegal:
    """The submission with its deed, if it fits."""
    trial = apply_event(prepared.state, event)
    return trial if isinstance(trial, Illegal) else prepared._replace(event=event)


def _with_doubted_words(prepared: PreparedSubmission | Illegal, words: tuple[str, ...]) -> PreparedSubmission | Illegal:
    """The submission with the words named in doubt, or all words of the play in question."""
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
            prepared = _let_play_stand(prepared, chance)
            if isinstance(prepared.state.phase, GameOver):
                return prepared if is_bare_pass else _game_over_refusal(player)
    for square in swaps:
        swapped = _with_event(prepared, Swapped(seat, *square))
        if isinstance(swapped, Illegal) or swapped.event is None:
            return swapped
        prepared = _with_prior_event(prepared, swapped.event)
    match move:
        case Play():
            return _prepare_play(prepared, Played(seat, move))
        case Exchange(tiles):
            return _with_event(prepared, Exchanged(seat, tiles))
        case Pass():
            return _with_event(prepared, Passed(seat))


def _prepare_play(prepared: PreparedSubmission, played: Played) -> PreparedSubmission | Illegal:
    ready = _with_event(prepared, played)
    if isinstance(ready, Illegal):
        return ready
    rules, board = prepared.state.rules, prepared.state.board
    if rules.challenge not in (ChallengeRule.NONE, ChallengeRule.VOID):
        return ready
    ruling = judge(rules, board, played.play)
    assert isinstance(ruling, Legal)
    if not published_word_lists(rules).struck.isdisjoint(ruling.words):
        return Illegal(Fault.DISALLOWED_WORD, "the turn is not spent: make another play; the lists are published")
    return ready._replace(doubted=tuple(ruling.words))


def _let_play_stand(prepared: PreparedSubmission, chance: RandomSource) -> PreparedSubmission:
    """The next player moves, so that the play in question stands, and its player draws."""
    stood = _with_prior_event(prepared, Stood())
    drawn, state = run_automatic_events(stood.state, chance)
    return stood._replace(events=(*stood.events, *drawn), state=state)


def _with_prior_event(prepared: PreparedSubmission, event: Event) -> PreparedSubmission:
    return prepared._replace(events=(*prepared.events, event), state=apply_events(prepared.state, event))


def _game_over_refusal(player: int) -> Illegal:
    return Illegal(Fault.GAME_OVER, f"the play of player {player + 1} ends the game: challenge it, or pass")
