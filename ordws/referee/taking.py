"""What a submission does to a game: up to the verdict that it depends on, and from there."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeAlias

from ordws.referee.deal import followed, happen
from ordws.referee.table import Asked, Outcome
from ordws.referee.timing import on_clock, used
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
from ordws.rules.state import MayBeChallenged, MayCheckOspd, GameOver, GameState


class Challenge(NamedTuple):
    """Doubt of some new words of the last play, or of all."""

    words: tuple[str, ...]


class Check(NamedTuple):
    """A look into the OSPD for the play just rejected, or in Dover's form for the word named."""

    word: str


class Resign(NamedTuple):
    """The end of the game for whoever says so."""


Deed: TypeAlias = Move | Challenge | Check | Resign


class Submission(NamedTuple):
    """What a seat wants to do; swaps by row and column, with a move alone."""

    seat: int
    asked: Asked
    swaps: tuple[tuple[int, int], ...]
    deed: Deed


class Begun(NamedTuple):
    """A submission that can be made; what becomes of it depends on the words in doubt, if there are any."""

    events: tuple[Event, ...]
    """What comes before it."""

    state: GameState
    deed: Event | None
    """As if all words were acceptable; None where what came before has ended the game."""

    doubted: tuple[str, ...] = ()


class Done(NamedTuple):
    """All that happens by a submission, and what became of it."""

    outcome: Outcome
    events: tuple[Event, ...]


def begin(state: GameState, submission: Submission, elapsed: int, chance: RandomSource) -> Begun | Illegal:
    """A submission so many seconds after the last row, or why it cannot be made, and nothing has happened."""
    seat, _, _, deed = submission
    clocked = used(state, elapsed)
    begun = Begun(clocked, happen(state, *clocked), None)
    match deed:
        case Resign():
            return _with(begun, Resigned(seat))
        case Challenge(words):
            ready = _with(begun, Challenged(seat, words, upheld=False))
            return _doubting(ready, words)
        case Check(word):
            ready = _with(begun, Checked(seat, found=True, word=word))
            return _doubting(ready, (word,) if word else ())
        case Play() | Exchange() | Pass():
            return _move(begun, submission, deed, chance)


def finish(begun: Begun, verdict: bool, chance: RandomSource) -> Done:
    """All that a submission does, given the verdict on the words in doubt; true where there are none."""
    deed, rules = begun.deed, begun.state.rules
    match deed:
        case None:
            return Done(Outcome.PASSED, begun.events)
        case Played() if rules.challenge is ChallengeRule.VOID and not verdict:
            return Done(Outcome.UNACCEPTABLE, tuple([each for each in begun.events if isinstance(each, Clocked)]))
        case Played():
            event: Event = replace(deed, accepted=verdict)
        case Challenged():
            event = replace(deed, upheld=not verdict)
        case Checked():
            event = replace(deed, found=verdict)
        case _:
            event = deed
    drawn, _ = followed(happen(begun.state, event), chance)
    return Done(_outcome(begun, event, verdict), (*begun.events, event, *drawn))


def _outcome(begun: Begun, event: Event, verdict: bool) -> Outcome:
    match event:
        case Played():
            if not begun.doubted:
                return Outcome.LAID
            return Outcome.STANDS if verdict else Outcome.REJECTED
        case Challenged():
            return Outcome.FAILED if verdict else Outcome.UPHELD
        case Checked():
            return Outcome.FOUND if verdict else Outcome.NOT_FOUND
        case Exchanged():
            return Outcome.EXCHANGED
        case Resigned():
            return Outcome.RESIGNED
        case _:
            return Outcome.PASSED


def _with(begun: Begun, deed: Event) -> Begun | Illegal:
    """The submission with its deed, if it fits."""
    trial = apply_event(begun.state, deed)
    return trial if isinstance(trial, Illegal) else begun._replace(deed=deed)


def _doubting(begun: Begun | Illegal, words: tuple[str, ...]) -> Begun | Illegal:
    """The submission with the words named in doubt, or all words of the play in question."""
    if isinstance(begun, Illegal):
        return begun
    phase = begun.state.phase
    assert isinstance(phase, MayBeChallenged | MayCheckOspd)
    return begun._replace(doubted=words or tuple(phase.ruling.words))


def _move(begun: Begun, submission: Submission, move: Move, chance: RandomSource) -> Begun | Illegal:
    seat, _, swaps, _ = submission
    is_bare_pass = isinstance(move, Pass) and not swaps
    match begun.state.phase:
        case MayCheckOspd(player) if player == seat and is_bare_pass:
            return _with(begun, Stood())
        case MayBeChallenged(player):
            if seat != on_clock(begun.state):
                return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {player + 1} is in question")
            begun = _stood(begun, chance)
            if isinstance(begun.state.phase, GameOver):
                return begun if is_bare_pass else _ended(player)
    for square in swaps:
        swapped = _with(begun, Swapped(seat, *square))
        if isinstance(swapped, Illegal) or swapped.deed is None:
            return swapped
        begun = _happened(begun, swapped.deed)
    match move:
        case Play():
            return _play(begun, Played(seat, move))
        case Exchange(tiles):
            return _with(begun, Exchanged(seat, tiles))
        case Pass():
            return _with(begun, Passed(seat))


def _play(begun: Begun, played: Played) -> Begun | Illegal:
    ready = _with(begun, played)
    if isinstance(ready, Illegal):
        return ready
    rules, board = begun.state.rules, begun.state.board
    if rules.challenge not in (ChallengeRule.NONE, ChallengeRule.VOID):
        return ready
    ruling = judge(rules, board, played.play)
    assert isinstance(ruling, Legal)
    if not published_word_lists(rules).struck.isdisjoint(ruling.words):
        return Illegal(Fault.DISALLOWED_WORD, "the turn is not spent: make another play; the lists are published")
    return ready._replace(doubted=tuple(ruling.words))


def _stood(begun: Begun, chance: RandomSource) -> Begun:
    """The next player moves, so that the play in question stands, and its player draws."""
    stood = _happened(begun, Stood())
    drawn, state = followed(stood.state, chance)
    return stood._replace(events=(*stood.events, *drawn), state=state)


def _happened(begun: Begun, event: Event) -> Begun:
    return begun._replace(events=(*begun.events, event), state=happen(begun.state, event))


def _ended(player: int) -> Illegal:
    return Illegal(Fault.GAME_OVER, f"the play of player {player + 1} ends the game: challenge it, or pass")
