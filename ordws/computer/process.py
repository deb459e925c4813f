"""The program's process: it asks the service for turns that are due, chooses each by public words, and takes it.

It keeps nothing of a game: what is due, and what its seat sees, it is told each time. So it may end at any point.
"""

from __future__ import annotations

import logging
import select
import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from ordws.computer.choose import Choice, choose
from ordws.computer.review import review_game, review_record
from ordws.computer.service import LocalService, ServiceDown, TurnRefused
from ordws.computer.visible_game import SeatTask, VisibleGame
from ordws.computer.words import PublicWords, Strength
from ordws.logs import redact_error
from ordws.records.cgp import read_board
from ordws.rules.options import with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS
from ordws.stream.notify import DatagramReceiver

_TURN_SECONDS: Final = 1.0
_SMALL_SIDE: Final = 15
_SMALL_BOARD_SECONDS: Final = 0.3
"""The time of a turn on a board of that side or less."""
REVIEW_SECONDS: Final = 1.0
"""The processor time that the review of a turn may take."""
POLL_SECONDS: Final = 2.0
"""The time after which a turn is found of which no notice came, while games run."""
IDLE_SECONDS: Final = 5.0
"""The time after which the service is asked again while no game runs; it takes the program for ended after 15."""
_RETRY_SECONDS: Final = 1.0

_TASKS: Final = {
    "may-replay": SeatTask.REPLAY,
    "may-be-challenged": SeatTask.CHALLENGE,
    "may-check": SeatTask.CHECK,
    "may-propose": SeatTask.PROPOSE,
}
FAILURES: Final = ("choice", "refused", "service", "review")
"""What goes wrong: a turn could not be chosen, a turn was refused, the service did not answer, a game has no review."""
_log = logging.getLogger("ordws.computer")


class ComputerCounts:
    """The numbers of what the process has done since it began, for its metrics; one thread writes."""

    def __init__(self) -> None:
        self.turns: Counter[str] = Counter()
        """The turns that were taken, by strength."""
        self.seconds = 0.0
        """The processor time in which they were chosen."""
        self.failures: Counter[str] = Counter()
        """What went wrong, by `FAILURES`."""
        self.games = 0


class _ProcessorTime:
    """A stop after so much processor time since the last beginning."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._end = seconds, 0.0

    def begin(self) -> None:
        self._end = time.process_time() + self._seconds

    def __call__(self) -> bool:
        return time.process_time() > self._end


@dataclass
class _GameUnderReview:
    """A game that is reviewed turn by turn. A process that is killed begins it anew."""

    game: str
    turns: Iterator[dict[str, Any]]
    ends: _ProcessorTime
    made: list[dict[str, Any]] = field(default_factory=list)


class ComputerProcess:
    """The program, until it is stopped."""

    def __init__(
        self,
        service: LocalService,
        words: PublicWords,
        notices: DatagramReceiver,
        counts: ComputerCounts,
    ) -> None:
        self._service, self._words, self._notices, self._counts = service, words, notices, counts
        self._is_service_up = True
        self._review: _GameUnderReview | None = None

    def run(self) -> NoReturn:
        """Take turns until a signal ends the process."""
        look_at = time.monotonic()
        while True:
            select.select([self._notices.socket], [], [], max(look_at - time.monotonic(), 0.0))
            named = {row.game for row in self._notices.read()}
            is_look_due = time.monotonic() >= look_at
            if is_look_due or named:
                seconds = self.take_due_turns(() if is_look_due else named)
                if is_look_due or not self._is_service_up:
                    look_at = time.monotonic() + seconds

    def take_due_turns(self, games: Collection[str] = ()) -> float:
        """Take the turns that are due now, in these games or in all; return the seconds until all are looked at again.

        The service tells of each row of a game, of the program's own too, so that only that game is looked at.
        """
        try:
            due = self._service.fetch_due(games)
            self._counts.games = due["games"]
            for turn in due["turns"]:
                self._take(turn)
            if due["review"] is not None and not due["turns"]:
                self._go_on_with_review(due["review"])
        except ServiceDown as err:
            self._counts.failures["service"] += 1
            if self._is_service_up:
                _log.warning("%s", err)
            self._is_service_up = False
            return _RETRY_SECONDS
        self._is_service_up = True
        if due["review"] is not None:
            return 0.0
        return POLL_SECONDS if due["games"] else IDLE_SECONDS

    def _go_on_with_review(self, due: dict[str, Any]) -> None:
        """Review one more turn of a game, so that turns of others wait for no more; send the review at its end."""
        game, began = due["game"], time.process_time()
        try:
            if self._review is None or self._review.game != game:
                ends = _ProcessorTime(REVIEW_SECONDS)
                if due["record"] is not None:
                    reviews = review_record(due["record"], self._words, ends)
                else:
                    turns = self._service.fetch_turns(game, due["cookie"]) or []
                    reviews = review_game(due["standing"], turns, self._words, ends)
                self._review = _GameUnderReview(game, reviews, ends)
            self._review.ends.begin()
            reviewed = next(self._review.turns, None)
        except ServiceDown:
            raise
        except Exception as err:  # noqa: BLE001 - other reviews must not wait for a fault of this one
            _log.error("a game could not be reviewed: %s", redact_error(err))
            self._counts.failures["review"] += 1
            self._review = None
            self._service.send_review(game, [])
            return
        self._counts.seconds += time.process_time() - began
        if reviewed is not None:
            self._review.made.append(reviewed)
            return
        self._service.send_review(game, self._review.made)
        self._review = None

    def _take(self, due: dict[str, Any]) -> None:
        standing, cookie = due["standing"], due["cookie"]
        game, number = standing["game"], standing["turn"]
        began = time.process_time()
        try:
            choice = self._choose(due)
        except Exception as err:  # noqa: BLE001 - a game must not wait for a fault of the program
            _log.error("a turn could not be chosen; the program passes: %s", redact_error(err))
            self._counts.failures["choice"] += 1
            choice = Choice("-")
        self._counts.seconds += time.process_time() - began
        reply = self._service.take_turn(game, cookie, {"turn": number, **body_of(choice)})
        if isinstance(reply, TurnRefused) and reply.code not in ("turn-taken", "bad-seat", "called-off", "game-over"):
            _log.warning('a turn was refused: "%s"; the program passes', reply.code)
            self._counts.failures["refused"] += 1
            reply = self._service.take_turn(game, cookie, {"turn": number, "move": "-"})
            if isinstance(reply, TurnRefused):
                reply = self._service.take_turn(game, cookie, {"turn": number, "move": "resign"})
        elif not isinstance(reply, TurnRefused) and reply["happened"]["outcome"] == "unacceptable":
            # Where the rules void such a play, the same player moves again, and would make the same choice.
            self._counts.failures["refused"] += 1
            self._service.take_turn(game, cookie, {"turn": number + 1, "move": "-"})
        if not isinstance(reply, TurnRefused):
            self._counts.turns[due["strength"]] += 1

    def _choose(self, due: dict[str, Any]) -> Choice:
        strength, game, view = Strength(due["strength"]), due["standing"]["game"], read_view(due)
        ends = _ProcessorTime(turn_seconds(view.rules))
        ends.begin()
        return choose(view, self._words, strength, game, ends)


def turn_seconds(rules: RuleSet) -> float:
    """Return the processor time that a turn may take; what is looked at is counted, and ends sooner as a rule."""
    return _SMALL_BOARD_SECONDS if rules.layout.side <= _SMALL_SIDE else _TURN_SECONDS


def read_view(due: dict[str, Any]) -> VisibleGame:
    """Return what the program's seat sees, from the standing that came with a turn that is due."""
    standing = due["standing"]
    you = standing["you"]
    own, other = standing["seats"][you], standing["seats"][1 - you]
    task = _TASKS.get(standing["phase"], SeatTask.MOVE)
    words: list[str] = []
    if task in (SeatTask.CHALLENGE, SeatTask.CHECK):
        words = [each["word"] for each in standing["check_words"]] or standing["last"]["words"]
    rules = with_options(RULE_SETS[standing["rules"]], standing["options"])
    return VisibleGame(
        rules,
        read_board(standing["position"].split()[0], (rules.layout.side,)),
        standing["rack"],
        "".join([tile * count for tile, count in standing["unseen"].items()]),
        standing["bag"],
        other["tiles"],
        other["rack"],
        own["score"] - other["score"],
        task,
        tuple(words),
        frozenset([word for word in due["came_off"] if len(word) > 2]),
    )


def body_of(choice: Choice) -> dict[str, Any]:
    """Return a turn as the service takes it."""
    tokens = choice.move.split(" ")
    swaps = [token for token in tokens if token.startswith("=")]
    body = {"move": " ".join(tokens[len(swaps) :]), "swaps": swaps}
    return {**body, "word": choice.word} if choice.word else body
