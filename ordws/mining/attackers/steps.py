"""What an attacker does, step by step, and what it is told."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

EMPTY_BODY: Final[Mapping[str, Any]] = {}


class BenchCaller(NamedTuple):
    """Somebody with a key, who asks from an address; with an operator's key for a player."""

    key: str
    address: str
    player: str | None = None


class BenchRequest(NamedTuple):
    """One request."""

    caller: BenchCaller
    path: str
    body: Mapping[str, Any]
    method: Literal["GET", "POST"] = "POST"
    seat_token: str = ""
    """The token of a seat, of requests that show one."""


class Wait(NamedTuple):
    """Do nothing until that moment."""

    until: int


class Restart(NamedTuple):
    """Have the service killed and started again."""


class Update(NamedTuple):
    """Wait for the next edition of the words, which comes at once."""


class BenchReply(NamedTuple):
    """What came of a step, and when; of one that asks nothing only when."""

    now: int
    status: int = 0
    body: Mapping[str, Any] = EMPTY_BODY
    retry_after: int = 0

    @property
    def verdict(self) -> bool | None:
        """The one bit; None where there was no answer."""
        return self.body.get("valid") if self.status == 200 else None

    @property
    def budget(self) -> str:
        """Which budget is spent; nothing where that is not said."""
        return str(self.body.get("budget", ""))


Words: TypeAlias = tuple[str, ...]
AttackStep: TypeAlias = BenchRequest | Wait | Restart | Update
Attack: TypeAlias = Generator[AttackStep, BenchReply, None]


def judge_request(caller: BenchCaller, words: Sequence[str], game: str | None) -> BenchRequest:
    """A question of words, outside any game or under a label of the caller's own."""
    return BenchRequest(caller, "/v1/judge", _labelled({"words": list(words)}, caller, game))


def play_request(caller: BenchCaller, position: str, move: str, game: str | None) -> BenchRequest:
    """A question of a play on a position of the caller's own making."""
    return BenchRequest(
        caller, "/v1/plays", _labelled({"rules": "classic", "position": position, "move": move}, caller, game)
    )


def _labelled(body: dict[str, Any], caller: BenchCaller, game: str | None) -> dict[str, Any]:
    if game is not None:
        body["game"] = game
    if caller.player is not None:
        body["player"] = caller.player
    return body
