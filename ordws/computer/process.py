"""The program's process: it asks the service for turns that are due, chooses each by public words, and takes it.

It keeps nothing of a game: what is due, and what its seat sees, it is told each time. So it may end at any point. It
reaches the service over a local socket, with its credential for turns that are due alone.
"""

from __future__ import annotations

import json
import logging
import select
import socket
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple, NoReturn

from ordws.computer.choose import Choice, SeatTask, VisibleGame, choose
from ordws.computer.review import review_game, review_record
from ordws.computer.words import PublicWords, Strength
from ordws.logs import redact_error
from ordws.records.notation import read_board
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet
from ordws.stream.notify import DatagramReceiver

TIMEOUT_SECONDS: Final = 10.0
_SEAT_COOKIE: Final = "ordws_seat"


class ServiceDown(Exception):
    """The service did not answer, or asks to come again."""


class TurnRefused(NamedTuple):
    """A turn that the service did not take, with the problem's code and status."""

    code: str
    status: int


class LocalService:
    """The service at `unix:PATH` or `http://HOST:PORT` of this host."""

    def __init__(self, address: str, credential: str) -> None:
        self._address, self._credential = address, credential

    def fetch_due(self, games: Iterable[str] = ()) -> dict[str, Any]:
        """Return the reply to the question for turns that are due, in these games or in all of them.

        Raises ServiceDown where there is none.
        """
        question = {"credential": self._credential, "games": [*games]}
        status, body = self._send("POST", "/v1/practice/due", question)
        if status != 200:
            raise ServiceDown(f"the service refuses to tell which turns are due: {body.get('code', status)}")
        return body

    def take_turn(self, game: str, cookie: str, turn: dict[str, Any]) -> dict[str, Any] | TurnRefused:
        """Take a turn of a game, and return the reply or why it was refused.

        The same turn again gets the same reply. Raises ServiceDown where it is not known whether it was taken.
        """
        status, body = self._send("POST", f"/v1/games/{game}/turns", turn, cookie)
        if status >= 500 or status == 429:
            raise ServiceDown(f"the service did not take a turn: {body.get('code', status)}")
        return body if status == 200 else TurnRefused(str(body.get("code", "")), status)

    def fetch_turns(self, game: str, cookie: str) -> list[dict[str, Any]] | None:
        """Return the turns of a game; None where it has expired. Raises ServiceDown."""
        status, body = self._send("GET", f"/v1/games/{game}/turns", None, cookie)
        if status >= 500:
            raise ServiceDown(f"the service does not show a game: {body.get('code', status)}")
        return body["turns"] if status == 200 else None

    def send_review(self, game: str, turns: list[dict[str, Any]]) -> None:
        """Give the service the review of a game; raise ServiceDown where it did not take it."""
        body = {"credential": self._credential, "game": game, "turns": turns}
        status, answer = self._send("POST", "/v1/practice/reviews", body)
        if status != 200:
            raise ServiceDown(f"the service did not take a review: {answer.get('code', status)}")

    def _send(
        self, method: str, path: str, body: dict[str, Any] | None, cookie: str = ""
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", "Host": "localhost"}
        if cookie:
            headers["Cookie"] = f"{_SEAT_COOKIE}={cookie}"
        connection = _open(self._address)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            reply = connection.getresponse()
            answer = json.loads(reply.read())
        except (OSError, HTTPException, ValueError) as err:
            raise ServiceDown(f"the service does not answer: {type(err).__name__}") from err
        finally:
            connection.close()
        return reply.status, answer


class _UnixConnection(HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=TIMEOUT_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(TIMEOUT_SECONDS)
        self.sock.connect(self._path)


def _open(address: str) -> HTTPConnection:
    scheme, _, rest = address.partition(":")
    return _UnixConnection(rest) if scheme == "unix" else HTTPConnection(rest.strip("/"), timeout=TIMEOUT_SECONDS)


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
