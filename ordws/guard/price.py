"""What a question costs, from public lists alone: nothing here has seen the word set."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.guard.policy import DAY, Policy

Budget: TypeAlias = Literal[
    "core", "units", "outside", "games", "game", "plays", "invalid", "seat", "seat-invalid", "operator", "players",
    "world", "reserve"
]  # fmt: skip
"""Of an identity: core words, units in all and outside a game, and games, each a day. Of a game: units, plays, and
plays with a word that is not acceptable. Of a seat in a sealed game: units, such plays. Of an operator: units of all
its players, and new players, each a day. Of all that are not verified, and of all that are: units that nobody has asked
before, a day."""

WORLD_SECONDS: Final = 400 * DAY
PLAYER_SECONDS: Final = 3_650 * DAY
TRAIL_BYTES: Final = 4
_BY_SEAT: Final[tuple[Budget, ...]] = ("seat-invalid",)
_OF_GAMES: Final[tuple[Budget, ...]] = ("game", "plays", "invalid", "seat", "seat-invalid")
_REMEMBERED: Final = 8_192

Tag: TypeAlias = Callable[..., bytes]


class Identity(NamedTuple):
    """Whom the meters know: a client, or a player of an operator's, who has a pseudonym without control characters."""

    client: str
    since: int
    """When it was registered; of a player, when he was first seen."""
    player: str | None = None
    is_verified: bool = False
    units: int | None = None
    """The daily total that a keeper has set for an operator."""
    is_alarming: bool = False
    """A sign of mining was seen, so its budgets of units are tightened."""
    is_club_device: bool = False
    """A player that is a paired device of a verified operator's, who knows it: it counts as no new player of a day."""


class Meter(NamedTuple):
    """A counter that ends. The limit comes from the policy and is never stored."""

    name: str  # "identity/day/budget": one identity's meters stand side by side in a store, and are written at once
    limit: int
    ends: int


class Mark(NamedTuple):
    """Something that counts once: a word asked, a game opened. A new mark adds 1 to the meters it feeds."""

    key: bytes
    ends: int
    feeds: tuple[str, ...] = ()
    trail: bytes = b""
    """What a new mark leaves in the meter of the charge that keeps trails."""


class Charge(NamedTuple):
    """What one question costs: all of it or nothing."""

    meters: tuple[Meter, ...]
    adds: dict[str, int]
    marks: tuple[Mark, ...]
    trails: str = ""
    """The meter that keeps the trails of new marks."""
    shared: str = ""
    """The meter that others draw on too. It refuses as if all words that are new to the identity were new to it, and
    is named where nothing of the identity's own refuses: or a refusal would tell what others have asked."""


class Question(NamedTuple):
    """Folded words asked together of one edition: outside any game, in a game of the client's, or in a sealed one."""

    words: tuple[str, ...]
    edition: int
    game: str | None = None
    turn: str | None = None
    """In a sealed game the turn and its move, which may ask again what they have asked before."""

    seat: int | None = None
    """In a sealed game the seat that asks, so that none uses up what is the others'."""
    is_doubt: bool = False
    """A challenge, a check of the OSPD, a question at a verified club's table: of doubtful words alone, so no sign of
    mining."""

    @property
    def is_sealed(self) -> bool:
        return self.turn is not None


def tagger(key: bytes) -> Tag:
    """Keyed hashes of texts without control characters: a stolen meter file tells neither words nor players."""

    keyed = blake2b(key=key, digest_size=16)

    def tag(*parts: str) -> bytes:
        copy = keyed.copy()  # takes a fifth less time than a new one
        copy.update("\x1f".join(parts).encode())
        return copy.digest()

    return tag


class Pricing:
    """One policy and one meter key: what questions cost whom, and by which names the meters know it."""

    def __init__(self, policy: Policy, key: bytes) -> None:
        self.policy = policy
        self.tag = tagger(key)
        self._short = lru_cache(maxsize=_REMEMBERED)(lambda *parts: self.tag(*parts)[:8].hex())
        self._meters = lru_cache(maxsize=_REMEMBERED)(self._meters_on)

    def client(self, client: str) -> str:
        """By which name the meters of a client begin."""
        name: str = self._short("client", client)
        return name

    def name(self, who: Identity) -> str:
        """By which name the meters of an identity begin: that of its client, and of an operator's player."""
        if who.player is None:
            return self.client(who.client)
        return f"{self.client(who.client)}.{self._short('player', who.client, who.player)}"

    def budgets(
        self, who: Identity, game: str | None, now: int, *, is_sealed: bool = False, seat: int | None = None
    ) -> Mapping[Budget, Meter]:  # fmt: skip
        """The meters of one identity today, and of one of its games, which lasts until the end of the next day."""
        games = self.policy.games_a_day if who.is_verified else self.policy.games_on(now - who.since)
        return self._meters(who, games, game, is_sealed, seat, now // DAY)

    def _meters_on(
        self, who: Identity, games: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> Mapping[Budget, Meter]:  # fmt: skip
        """The budgets of an identity that may open so many games that day."""
        policy, midnight, me = self.policy, (day + 1) * DAY, self.name(who)
        today = f"{me}/{day}"
        found: dict[Budget, Meter] = {
            "core": Meter(f"{today}/core", policy.core_a_day, midnight),
            "units": Meter(f"{today}/units", self._units(who, policy.units_a_day), midnight),
            "outside": Meter(f"{today}/outside", self._units(who, policy.outside_a_day), midnight),
            "games": Meter(f"{today}/games", games, midnight),
        }
        if who.player is not None:
            total = policy.operator_units_a_day if who.units is None else who.units
            operator = f"{self.client(who.client)}/{day}"
            found["operator"] = Meter(f"{operator}/operator", total, midnight)
            found["players"] = Meter(f"{operator}/players", policy.new_players_a_day, midnight)
        if game is not None:
            here = f"sealed/{self._short('sealed', game)}" if is_sealed else f"{me}/{self._short('game', me, game)}"
            ends = midnight + DAY
            found["game"] = Meter(f"{here}/game", self._units(who, policy.units_a_game), ends)
            found["plays"] = Meter(f"{here}/plays", policy.plays_a_game, ends)
            found["invalid"] = Meter(f"{here}/invalid", policy.invalid_a_game, ends)
            if seat is not None:
                found["seat"] = Meter(f"{here}.{seat}/seat", self._units(who, policy.units_a_seat), ends)
                found["seat-invalid"] = Meter(f"{here}.{seat}/seat-invalid", policy.invalid_a_seat, ends)
        return found

    def _units(self, who: Identity, limit: int) -> int:
        return self.policy.tightened(limit) if who.is_alarming else limit

    def world(self, who: Identity, world_cap: int, now: int) -> Meter:
        """The meter of units new to the world that an identity draws on."""
        day = now // DAY
        if who.is_verified:
            return Meter(f"world/{day}/reserve", self.policy.reserve_a_day, (day + 1) * DAY)
        return Meter(f"world/{day}/world", world_cap, (day + 1) * DAY)

    def player_mark(self, who: Identity, now: int) -> Mark:
        """What tells when a player was first seen, and counts against the new players of the day.

        A verified operator's device does not: the operator's daily total bounds all of them.
        """
        counted = () if who.is_club_device else (f"{self.client(who.client)}/{now // DAY}/players",)
        return Mark(self.tag("player", who.client, who.player or ""), now + PLAYER_SECONDS, counted)

    def question(
        self, who: Identity, question: Question, core: Container[str], now: int, *, world_cap: int, is_new: bool
    ) -> Charge:
        """What a question costs an identity, who may be a new player. Two-letter words are published: they are free."""
        meters = self.budgets(who, question.game, now, is_sealed=question.is_sealed, seat=question.seat)
        long = [word for word in dict.fromkeys(question.words) if len(word) > 2]
        dear = [word for word in long if word not in core]
        adds: dict[str, int] = {}
        charged: list[Meter] = []
        marks: list[Mark] = []
        if cheap := len(long) - len(dear):
            charged.append(meters["core"])
            adds[meters["core"].name] = cheap
        world = self.world(who, world_cap, now)
        if dear:
            mine = [meters[budget] for budget in _units_of(who, question)]
            marks += self._words(who, question.edition, dear, mine, world, now)
            charged += [*mine, world]
        if question.game is not None:
            # Together, whatever is asked first: a meter that began later would end later, and serve the next game too.
            charged += [meters[budget] for budget in _OF_GAMES if budget in meters]
            if question.is_sealed:
                marks.append(self._turn_mark(question, meters))
            else:
                adds |= {meters["plays"].name: 1, meters["invalid"].name: 1}
                marks.append(self._game_mark("game", who, question.game, meters["games"], now))
                charged.append(meters["games"])
        if is_new:
            marks.append(self.player_mark(who, now))
            charged += [] if who.is_club_device else [meters["players"]]
        return Charge(tuple(dict.fromkeys(charged)), adds, tuple(marks), meters["units"].name, world.name)

    def opening(self, seats: Sequence[tuple[Identity, bool]], game: str, now: int) -> Charge:
        """What a sealed game costs those who sit down to it, some of them new players: each one of his games."""
        charged: dict[str, Meter] = {}
        marks: dict[bytes, Mark] = {}
        for who, is_new in seats:
            meters = self.budgets(who, None, now)
            used = [meters["games"], *([meters["players"]] if is_new else [])]
            charged |= {meter.name: meter for meter in used}
            new = [self._game_mark("seat", who, game, meters["games"], now)] + [self.player_mark(who, now)] * is_new
            marks |= {mark.key: mark for mark in new}
        return Charge(tuple(charged.values()), {}, tuple(marks.values()))

    def _words(
        self, who: Identity, edition: int, words: Sequence[str], mine: Sequence[Meter], world: Meter, now: int
    ) -> list[Mark]:
        """Two marks for each word: one of the identity's, which lasts a day, and one of the world's."""
        me, number = self.name(who), str(edition)
        feeds = tuple([meter.name for meter in mine])
        marks = []
        for word in words:
            marks.append(Mark(self.tag("word", me, number, word), now + DAY, feeds, self.trail(me, word)))
            marks.append(Mark(self.tag("world", number, word), now + WORLD_SECONDS, (world.name,)))
        return marks

    def trail(self, me: str, word: str) -> bytes:
        """What is kept of a word that an identity was charged for, whatever the edition."""
        return self.tag("trail", me, word)[:TRAIL_BYTES]

    def _game_mark(self, kind: Literal["game", "seat"], who: Identity, game: str, games: Meter, now: int) -> Mark:
        """The mark of an open game ends with the game's meters, or an old meter would serve a new game.

        A seat in a sealed game opens none of the client's own, though this be called by the same name.
        """
        return Mark(self.tag(kind, self.name(who), game), (now // DAY + 2) * DAY, (games.name,))

    def _turn_mark(self, question: Question, meters: Mapping[Budget, Meter]) -> Mark:
        """The same turn asked again is the same question, and counts as one play; a doubt is no play of its seat's."""
        counted: list[Budget] = ["plays", "invalid", *([] if question.is_doubt else _BY_SEAT)]
        feeds = tuple([meters[budget].name for budget in counted if budget in meters])
        return Mark(self.tag("turn", question.game or "", question.turn or ""), meters["plays"].ends, feeds)


def signs_of(name: str) -> str:
    """How the names of an identity's signs begin, given how its meters do."""
    return f"{name}/sign/"


def owner_of(sign: str) -> str:
    """How the names of the meters begin of whom a sign is."""
    return sign.partition("/")[0]


def _units_of(who: Identity, question: Question) -> list[Budget]:
    """Which budgets a unit is spent of."""
    here: list[Budget] = ["units", "outside" if question.game is None else "game"]
    here += [] if question.seat is None else ["seat"]
    return here if who.player is None else [*here, "operator"]
