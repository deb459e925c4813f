"""The acts of a seat: those that it may choose from, and the effect of what it submits on the game.

No page has to repeat the rules. A submission is applied up to the verdict that it depends on (`prepare`), and after it
(`complete`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from ordws.referee.sealed_game import SealedGame, SubmissionOutcome, SubmissionText, apply_events, run_automatic_events
from ordws.referee.time_control import TimeUsed, clocked_time, on_clock
from ordws.rules.bag import RandomSource, exchange_needs
from ordws.rules.challenges import dover_deduction
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
from ordws.rules.ruleset import CheckOspd, published_word_lists
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayPropose, MayReplay, ToMove

ACTS: Final = ("play", "exchange", "pass", "swap", "challenge", "check-ospd", "propose", "resign")
MAX_TURNS: Final = 200
"""The limit of turns in a game: passes cost nothing, and by some rules a game of passes alone never ends."""


class WordToCheck(NamedTuple):
    """A word of a rejected play that its player may look up in the OSPD, and the points that it costs in vain."""

    word: str
    price: int


def find_acts(sealed_game: SealedGame, seat: int) -> list[str]:
    """Return what a seat may do now, as some of `ACTS` in their order.

    Each of them is accepted in some form: of many plays perhaps only one is legal.
    """
    if sealed_game.is_waiting or sealed_game.is_called_off:
        return []
    state, turns = sealed_game.state, sum(row.is_turn for row in sealed_game.rows)
    acts = {"resign"} if turns >= MAX_TURNS else {"resign", *find_moves(state, seat)}
    if isinstance(state.phase, MayPropose):
        return ["pass", "propose"] if seat in state.phase.players else []
    if isinstance(state.phase, GameOver) or state.seats[seat].departure is not None:
        acts.remove("resign")
    return [act for act in ACTS if act in acts]


def find_check_price(state: GameState, seat: int) -> int | None:
    """Return the points that the official check of the OSPD costs a seat in vain; None if it may not ask for it."""
    match state.phase:
        case MayCheckOspd(player, ruling) if player == seat and state.rules.check_ospd is CheckOspd.OFFICIAL:
            return ruling.score
        case _:
            return None


def find_words_to_check(state: GameState, seat: int) -> list[WordToCheck]:
    """Return the words that a seat may still name in Dover's check (docs/rules.md 6.5); none in any other case."""
    match state.phase:
        case MayCheckOspd(player, ruling, words) if player == seat:
            tiles = [written for written, _, _, _ in ruling.spans]
            return [WordToCheck(word, dover_deduction(tiles, word)) for word in words]
        case _:
            return []


class _FirstTiles:
    """A source of draws that needs no chance, for questions whose answer does not depend on the tiles drawn."""

    def sample(self, population: Sequence[str], k: int) -> list[str]:
        return list(population[:k])


def find_moves(state: GameState, seat: int) -> set[str]:
    """Return what the rules let a seat do now, but for resigning."""
    acts: set[str] = set()
    match state.phase:
        case MayBeChallenged(player):
            # A player whose time is up may still challenge (docs/rules.md 6.2).
            if seat != player and not state.seats[seat].has_lost:
                acts.add("challenge")
            if seat != on_clock(state):
                return acts
            _, state = run_automatic_events(apply_events(state, Stood()), _FirstTiles())
            if isinstance(state.phase, GameOver | MayPropose):
                return {*acts, "pass"}
        case MayCheckOspd(player) if player == seat:
            return {"check-ospd", "pass"}
        case _:
            pass
    if state.player_to_move != seat or not isinstance(state.phase, ToMove | MayReplay):
        return acts
    acts.add("pass")
    rack = state.seats[seat].rack
    if not rack:
        return acts
    acts.add("play")
    if isinstance(state.phase, ToMove) and len(state.bag) >= exchange_needs(state.rules, 1):
        acts.add("exchange")
    if state.rules.swap and not set(rack.lower()).isdisjoint("".join(state.board.rows())):
        acts.add("swap")
    return acts


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
