"""What a question costs, from public lists alone: nothing here has seen the word set."""

from __future__ import annotations

from collections.abc import Callable, Container
from hashlib import blake2b
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.guard.policy import Policy

DAY: Final = 86_400
"""Budgets are UTC days: a bucket that refills lets two days' worth through in one."""

Budget: TypeAlias = Literal["core", "units", "outside", "games", "game"]
"""Core words a day, units a day in all, units a day outside a game, games a day, units in one game."""

Tag: TypeAlias = Callable[..., bytes]


class Meter(NamedTuple):
    """A counter that ends. The limit comes from the policy and is never stored."""

    name: str  # "identity/day/budget": one identity's meters stand side by side in a store, and are written at once
    limit: int
    ends: int


class Mark(NamedTuple):
    """Something that counts once: a word asked, a game opened. A new mark adds 1 to the meters it feeds."""

    key: bytes
    ends: int
    feeds: tuple[str, ...]


class Charge(NamedTuple):
    """What one question costs: all of it or nothing."""

    meters: tuple[Meter, ...]
    adds: dict[str, int]
    marks: tuple[Mark, ...]


class Question(NamedTuple):
    """Folded words asked together of one edition, in a game of the client's or outside any."""

    words: tuple[str, ...]
    edition: int
    game: str | None = None


def tagger(key: bytes) -> Tag:
    """Keyed hashes of texts without control characters: a stolen meter file tells neither words nor players."""

    def tag(*parts: str) -> bytes:
        return blake2b("\x1f".join(parts).encode(), key=key, digest_size=16).digest()

    return tag


def budgets(policy: Policy, tag: Tag, who: str, game: str | None, now: int) -> dict[Budget, Meter]:
    """The meters of one identity today, and of one of its games, which lasts until the end of the next day."""
    midnight = (now // DAY + 1) * DAY
    me = tag("identity", who).hex()
    today = f"{me}/{now // DAY}"
    found: dict[Budget, Meter] = {
        "core": Meter(f"{today}/core", policy.core_a_day, midnight),
        "units": Meter(f"{today}/units", policy.units_a_day, midnight),
        "outside": Meter(f"{today}/outside", policy.outside_a_day, midnight),
        "games": Meter(f"{today}/games", policy.games_a_day, midnight),
    }
    if game is not None:
        found["game"] = Meter(f"{me}/{tag('game', who, game).hex()}/game", policy.units_a_game, midnight + DAY)
    return found


def price(policy: Policy, core: Container[str], tag: Tag, who: str, question: Question, now: int) -> Charge:
    """What a question costs an identity. Two-letter words are published, so they are free."""
    meters = budgets(policy, tag, who, question.game, now)
    long = [word for word in dict.fromkeys(question.words) if len(word) > 2]
    dear = [word for word in long if word not in core]
    place: Budget = "outside" if question.game is None else "game"
    feeds = (meters["units"].name, meters[place].name)
    edition = str(question.edition)
    marks = [Mark(tag("word", who, edition, word), now + DAY, feeds) for word in dear]
    charged = [meters["core"], meters["units"], meters[place]]
    if question.game is not None:
        # The mark of an open game and the game's meter end together, or an old meter would serve a new game.
        marks.append(Mark(tag("game", who, question.game), meters["game"].ends, (meters["games"].name,)))
        charged.append(meters["games"])
    return Charge(tuple(charged), {meters["core"].name: len(long) - len(dear)}, tuple(marks))
