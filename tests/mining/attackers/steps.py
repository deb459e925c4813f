"""The steps of an attack, and the replies to them."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

EMPTY_BODY: Final[Mapping[str, Any]] = {}


class BenchCaller(NamedTuple):
    """The holder of a key, with an address, and with a player or a paired device for an operator's key."""

    key: str
    address: str
    player: str | None = None
    device: str = ""
    """The cookie of a paired device, which is sent in the place of the key."""
    link: str = ""
    """The play link of a guest, who has no key."""

    @property
    def is_of_operator(self) -> bool:
        return self.player is not None or bool(self.device)


class BenchRequest(NamedTuple):
    """A request to the service."""

    caller: BenchCaller
    path: str
    body: Mapping[str, Any]
    method: Literal["GET", "POST"] = "POST"
    seat_token: str = ""
    """The token of a seat, or a guest's cookie for it, for requests that need one."""


class Wait(NamedTuple):
    """Do nothing until that moment."""

    until: int


class Restart(NamedTuple):
    """Have the service killed and started again."""


class Update(NamedTuple):
    """Have the next edition published, and wait until the service has adopted it."""


class BenchReply(NamedTuple):
    """The result of a step: always the moment, and for a request its reply."""

    now: int
    status: int = 0
    body: Mapping[str, Any] = EMPTY_BODY
    retry_after: int = 0
    cookie: str = ""
    """The cookie that the reply sets, without its attributes."""

    @property
    def verdict(self) -> bool | None:
        """The verdict; None if there was none."""
        return self.body.get("valid") if self.status == 200 else None

    @property
    def budget(self) -> str:
        """The name of the budget that is spent; empty if there is none."""
        return str(self.body.get("budget", ""))


Words: TypeAlias = tuple[str, ...]
AttackStep: TypeAlias = BenchRequest | Wait | Restart | Update
Attack: TypeAlias = Generator[AttackStep, BenchReply, None]


def judge_request(caller: BenchCaller, words: Sequence[str], game: str | None) -> BenchRequest:
    """Return a question of words, outside any game or under a label of the caller's own."""
    return BenchRequest(caller, "/v1/judge", _labelled({"words": list(words)}, caller, game))


def dover_request(caller: BenchCaller, word: str, game: str | None) -> BenchRequest:
    """Return a question of one word under Dover."""
    return BenchRequest(caller, "/v1/judge", _labelled({"rules": "dover", "words": [word]}, caller, game))


def play_request(caller: BenchCaller, position: str, move: str, game: str | None) -> BenchRequest:
    """Return a question of a play on a position of the caller's own making."""
    return BenchRequest(
        caller, "/v1/plays", _labelled({"rules": "classic", "position": position, "move": move}, caller, game)
    )


def _labelled(body: dict[str, Any], caller: BenchCaller, game: str | None) -> dict[str, Any]:
    if game is not None:
        body["game"] = game
    if caller.player is not None:
        body["player"] = caller.player
    return body
