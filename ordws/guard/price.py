"""What a question costs, from public lists alone: nothing here has seen the word set."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.guard.policy import DAY, Policy

Budget: TypeAlias = Literal[
    "core",
    "units",
    "outside",
    "games",
    "game",
    "plays",
    "invalid",
    "seat",
    "seat-invalid",
    "operator",
    "players",
    "world",
    "reserve",
]
"""Of an identity: core words, units in all and outside a game, and games, each a day. Of a game: units, plays, and
plays with a word that is not acceptable. Of a seat in a sealed game: units, such plays. Of an operator: units of all
its players, and new players, each a day. Of all that are not verified, and of all that are: units that nobody has asked
before, a day."""

WORLD_SECONDS: Final = 400 * DAY
PLAYER_SECONDS: Final = 3_650 * DAY
TRAIL_BYTES: Final = 4
_SPENDS: Final[tuple[tuple[Budget, ...], ...]] = (
    ("units", "outside", "operator"),
    ("units", "game", "seat", "operator"),
)
"""Which budgets a unit is spent of, as far as there are such: outside a game, and in one."""

_BEGINS: Final[tuple[Budget, ...]] = ("game", "seat")
_PLAYS: Final[tuple[Budget, ...]] = ("plays", "invalid", "seat-invalid")
_REMEMBERED: Final = 2_048

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


class Account(NamedTuple):
    """What all questions of an identity on one day, outside games or in one of them, have in common."""

    name: str
    meters: Mapping[Budget, Meter]
    spends: tuple[Meter, ...]
    """Those that a unit is spent of."""
    feeds: tuple[str, ...]
    """The names of these."""
    begins: tuple[Meter, ...]  # those of them that are of the game
    plays: tuple[Meter, ...]  # the others of the game
    opens: Mark | None
    """What tells that the game is open, where it is the client's own."""


class Pricing:
    """One policy and one meter key: what questions cost whom, and by which names the meters know it."""

    def __init__(self, policy: Policy, key: bytes) -> None:
        self.policy = policy
        self.tag = tagger(key)
        self._short = lru_cache(maxsize=_REMEMBERED)(lambda *parts: self.tag(*parts)[:8].hex())
        self._account = lru_cache(maxsize=_REMEMBERED)(self._account_on)
        self._world = lru_cache(maxsize=_REMEMBERED)(self._world_on)

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
    ) -> Mapping[Budget, Meter]:
        """The meters of one identity today, and of one of its games, which lasts until the end of the next day."""
        return self._account(who, self._games(who, now), game, is_sealed, seat, now // DAY).meters

    def _games(self, who: Identity, now: int) -> int:
        """How many games an identity may open today."""
        return self.policy.games_a_day if who.is_verified else self.policy.games_on(now - who.since)

    def _account_on(
        self, who: Identity, games: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> Account:
        """The account of an identity that may open so many games that day."""
        meters = self._meters_on(who, games, game, is_sealed, seat, day)
        spends = tuple([meters[budget] for budget in _SPENDS[game is not None] if budget in meters])
        begins = tuple([meters[budget] for budget in _BEGINS if budget in meters])
        plays = tuple([meters[budget] for budget in _PLAYS if budget in meters])
        opens = None if game is None or is_sealed else self._game_mark("game", who, game, meters["games"], day)
        return Account(self.name(who), meters, spends, tuple([meter.name for meter in spends]), begins, plays, opens)

    def _meters_on(
        self, who: Identity, games: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> Mapping[Budget, Meter]:
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
        return self._world(who.is_verified, world_cap, now // DAY)

    def _world_on(self, is_verified: bool, world_cap: int, day: int) -> Meter:
        kind, limit = ("reserve", self.policy.reserve_a_day) if is_verified else ("world", world_cap)
        return Meter(f"world/{day}/{kind}", limit, (day + 1) * DAY)

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
        words, edition, game, turn, seat, _ = question
        account = self._account(who, self._games(who, now), game, turn is not None, seat, now // DAY)
        me, meters, spends, feeds, begins, plays, opens = account
        world = self.world(who, world_cap, now)
        long = [word for word in dict.fromkeys(words) if len(word) > 2]
        dear = [word for word in long if word not in core]
        adds: dict[str, int] = {}
        charged: list[Meter] = []
        marks: list[Mark] = []
        if cheap := len(long) - len(dear):
            charged.append(meters["core"])
            adds[meters["core"].name] = cheap
        if dear:
            marks = self._words(me, edition, dear, feeds, world, now)
            charged += (*spends, world)
        if game is not None:
            # Together, whatever is asked first: a meter that began later would end later, and serve the next game too.
            charged += plays if dear else begins + plays
            marks += [] if turn is None else [self._turn_mark(question, meters)]
        if opens is not None:
            adds |= {meters["plays"].name: 1, meters["invalid"].name: 1}
            marks.append(opens)
            charged.append(meters["games"])
        if is_new:
            marks.append(self.player_mark(who, now))
            charged += [] if who.is_club_device else [meters["players"]]
        return Charge(tuple(charged), adds, tuple(marks), meters["units"].name, world.name)

    def opening(self, seats: Sequence[tuple[Identity, bool]], game: str, now: int) -> Charge:
        """What a sealed game costs those who sit down to it, some of them new players: each one of his games."""
        charged: dict[str, Meter] = {}
        marks: dict[bytes, Mark] = {}
        for who, is_new in seats:
            meters = self.budgets(who, None, now)
            used = [meters["games"], *([meters["players"]] if is_new else [])]
            charged |= {meter.name: meter for meter in used}
            seat = self._game_mark("seat", who, game, meters["games"], now // DAY)
            new = [seat] + [self.player_mark(who, now)] * is_new
            marks |= {mark.key: mark for mark in new}
        return Charge(tuple(charged.values()), {}, tuple(marks.values()))

    def _words(
        self, me: str, edition: int, words: Sequence[str], feeds: tuple[str, ...], world: Meter, now: int
    ) -> list[Mark]:
        """Two marks for each word: one of the identity's, which lasts a day, and one of the world's."""
        number, worlds = str(edition), (world.name,)
        marks = []
        for word in words:
            marks.append(Mark(self.tag("word", me, number, word), now + DAY, feeds, self.trail(me, word)))
            marks.append(Mark(self.tag("world", number, word), now + WORLD_SECONDS, worlds))
        return marks

    def trail(self, me: str, word: str) -> bytes:
        """What is kept of a word that an identity was charged for, whatever the edition."""
        return self.tag("trail", me, word)[:TRAIL_BYTES]

    def _game_mark(self, kind: Literal["game", "seat"], who: Identity, game: str, games: Meter, day: int) -> Mark:
        """The mark of an open game ends with the game's meters, or an old meter would serve a new game.

        A seat in a sealed game opens none of the client's own, though this be called by the same name.
        """
        return Mark(self.tag(kind, self.name(who), game), (day + 2) * DAY, (games.name,))

    def _turn_mark(self, question: Question, meters: Mapping[Budget, Meter]) -> Mark:
        """The same turn asked again is the same question, and counts as one play; a doubt is no play of its seat's."""
        counted = _PLAYS[:2] if question.is_doubt else _PLAYS
        feeds = tuple([meters[budget].name for budget in counted if budget in meters])
        return Mark(self.tag("turn", question.game or "", question.turn or ""), meters["plays"].ends, feeds)


def signs_of(name: str) -> str:
    """How the names of an identity's signs begin, given how its meters do."""
    return f"{name}/sign/"


def owner_of(sign: str) -> str:
    """How the names of the meters begin of whom a sign is."""
    return sign.partition("/")[0]
