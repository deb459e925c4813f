"""What a question costs, from public lists alone: nothing here has seen the word set."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.guard.policy import DAY, Policy

BudgetName: TypeAlias = Literal[
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

GLOBAL_MARK_SECONDS: Final = 400 * DAY
PLAYER_MARK_SECONDS: Final = 3_650 * DAY
FINGERPRINT_BYTES: Final = 4
_UNIT_BUDGETS: Final[tuple[tuple[BudgetName, ...], ...]] = (
    ("units", "outside", "operator"),
    ("units", "game", "seat", "operator"),
)
"""Which budgets a unit is spent of, as far as there are such: outside a game, and in one."""

_GAME_BUDGETS: Final[tuple[BudgetName, ...]] = ("game", "seat")
_PLAY_BUDGETS: Final[tuple[BudgetName, ...]] = ("plays", "invalid", "seat-invalid")
_CACHE_SIZE: Final = 2_048

KeyedHash: TypeAlias = Callable[..., bytes]


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
    fingerprint: bytes = b""
    """What a new mark leaves in the meter of the charge that keeps trails."""


class Charge(NamedTuple):
    """What one question costs: all of it or nothing."""

    meters: tuple[Meter, ...]
    amounts: dict[str, int]
    marks: tuple[Mark, ...]
    fingerprint_meter: str = ""
    """The meter that keeps the trails of new marks."""
    shared_meter: str = ""
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


def keyed_hasher(key: bytes) -> KeyedHash:
    """Keyed hashes of texts without control characters: a stolen meter file tells neither words nor players."""
    keyed = blake2b(key=key, digest_size=16)

    def tag(*parts: str) -> bytes:
        copy = keyed.copy()  # takes a fifth less time than a new one
        copy.update("\x1f".join(parts).encode())
        return copy.digest()

    return tag


class MeterSet(NamedTuple):
    """What all questions of an identity on one day, outside games or in one of them, have in common."""

    key: str
    meters: Mapping[BudgetName, Meter]
    unit_meters: tuple[Meter, ...]
    """Those that a unit is spent of."""
    unit_meter_names: tuple[str, ...]
    """The names of these."""
    game_meters: tuple[Meter, ...]  # those of them that are of the game
    play_meters: tuple[Meter, ...]  # the others of the game
    game_mark: Mark | None
    """What tells that the game is open, where it is the client's own."""


class Pricing:
    """One policy and one meter key: what questions cost whom, and by which names the meters know it."""

    def __init__(self, policy: Policy, key: bytes) -> None:
        self.policy = policy
        self.keyed_hash = keyed_hasher(key)
        self._short_hash = lru_cache(maxsize=_CACHE_SIZE)(lambda *parts: self.keyed_hash(*parts)[:8].hex())
        self._meter_set = lru_cache(maxsize=_CACHE_SIZE)(self._make_meter_set)
        self._shared_meter = lru_cache(maxsize=_CACHE_SIZE)(self._make_shared_meter)

    def client_key(self, client: str) -> str:
        """By which name the meters of a client begin."""
        name: str = self._short_hash("client", client)
        return name

    def identity_key(self, identity: Identity) -> str:
        """By which name the meters of an identity begin: that of its client, and of an operator's player."""
        if identity.player is None:
            return self.client_key(identity.client)
        return f"{self.client_key(identity.client)}.{self._short_hash('player', identity.client, identity.player)}"

    def budgets(
        self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False, seat: int | None = None
    ) -> Mapping[BudgetName, Meter]:
        """The meters of one identity today, and of one of its games, which lasts until the end of the next day."""
        return self._meter_set(identity, self._games_allowed(identity, now), game, is_sealed, seat, now // DAY).meters

    def _games_allowed(self, identity: Identity, now: int) -> int:
        """How many games an identity may open today."""
        return self.policy.games_a_day if identity.is_verified else self.policy.games_a_day_at_age(now - identity.since)

    def _make_meter_set(
        self, identity: Identity, games: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> MeterSet:
        """The account of an identity that may open so many games that day."""
        meters = self._make_meters(identity, games, game, is_sealed, seat, day)
        spends = tuple([meters[budget] for budget in _UNIT_BUDGETS[game is not None] if budget in meters])
        begins = tuple([meters[budget] for budget in _GAME_BUDGETS if budget in meters])
        plays = tuple([meters[budget] for budget in _PLAY_BUDGETS if budget in meters])
        opens = None if game is None or is_sealed else self._game_mark("game", identity, game, meters["games"], day)
        return MeterSet(
            self.identity_key(identity), meters, spends, tuple([meter.name for meter in spends]), begins, plays, opens
        )

    def _make_meters(
        self, identity: Identity, games: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> Mapping[BudgetName, Meter]:
        """The budgets of an identity that may open so many games that day."""
        policy, midnight, me = self.policy, (day + 1) * DAY, self.identity_key(identity)
        today = f"{me}/{day}"
        found: dict[BudgetName, Meter] = {
            "core": Meter(f"{today}/core", policy.core_a_day, midnight),
            "units": Meter(f"{today}/units", self._unit_limit(identity, policy.units_a_day), midnight),
            "outside": Meter(f"{today}/outside", self._unit_limit(identity, policy.outside_a_day), midnight),
            "games": Meter(f"{today}/games", games, midnight),
        }
        if identity.player is not None:
            total = policy.operator_units_a_day if identity.units is None else identity.units
            operator = f"{self.client_key(identity.client)}/{day}"
            found["operator"] = Meter(f"{operator}/operator", total, midnight)
            found["players"] = Meter(f"{operator}/players", policy.new_players_a_day, midnight)
        if game is not None:
            here = (
                f"sealed/{self._short_hash('sealed', game)}"
                if is_sealed
                else f"{me}/{self._short_hash('game', me, game)}"
            )
            ends = midnight + DAY
            found["game"] = Meter(f"{here}/game", self._unit_limit(identity, policy.units_a_game), ends)
            found["plays"] = Meter(f"{here}/plays", policy.plays_a_game, ends)
            found["invalid"] = Meter(f"{here}/invalid", policy.invalid_a_game, ends)
            if seat is not None:
                found["seat"] = Meter(f"{here}.{seat}/seat", self._unit_limit(identity, policy.units_a_seat), ends)
                found["seat-invalid"] = Meter(f"{here}.{seat}/seat-invalid", policy.invalid_a_seat, ends)
        return found

    def _unit_limit(self, identity: Identity, limit: int) -> int:
        return self.policy.tightened_limit(limit) if identity.is_alarming else limit

    def shared_meter(self, identity: Identity, unverified_cap: int, now: int) -> Meter:
        """The meter of units new to the world that an identity draws on."""
        return self._shared_meter(identity.is_verified, unverified_cap, now // DAY)

    def _make_shared_meter(self, is_verified: bool, unverified_cap: int, day: int) -> Meter:
        kind, limit = ("reserve", self.policy.reserve_a_day) if is_verified else ("world", unverified_cap)
        return Meter(f"world/{day}/{kind}", limit, (day + 1) * DAY)

    def player_mark(self, identity: Identity, now: int) -> Mark:
        """What tells when a player was first seen, and counts against the new players of the day.

        A verified operator's device does not: the operator's daily total bounds all of them.
        """
        counted = () if identity.is_club_device else (f"{self.client_key(identity.client)}/{now // DAY}/players",)
        return Mark(
            self.keyed_hash("player", identity.client, identity.player or ""), now + PLAYER_MARK_SECONDS, counted
        )

    def question_charge(
        self,
        identity: Identity,
        question: Question,
        core: Container[str],
        now: int,
        *,
        unverified_cap: int,
        is_new: bool,
    ) -> Charge:
        """What a question costs an identity, who may be a new player. Two-letter words are published: they are free."""
        words, edition, game, turn, seat, _ = question
        account = self._meter_set(
            identity, self._games_allowed(identity, now), game, turn is not None, seat, now // DAY
        )
        me, meters, spends, feeds, begins, plays, opens = account
        world = self.shared_meter(identity, unverified_cap, now)
        long = [word for word in dict.fromkeys(words) if len(word) > 2]
        dear = [word for word in long if word not in core]
        adds: dict[str, int] = {}
        charged: list[Meter] = []
        marks: list[Mark] = []
        if cheap := len(long) - len(dear):
            charged.append(meters["core"])
            adds[meters["core"].name] = cheap
        if dear:
            marks = self._word_marks(me, edition, dear, feeds, world, now)
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
            marks.append(self.player_mark(identity, now))
            charged += [] if identity.is_club_device else [meters["players"]]
        return Charge(tuple(charged), adds, tuple(marks), meters["units"].name, world.name)

    def opening_charge(self, seats: Sequence[tuple[Identity, bool]], game: str, now: int) -> Charge:
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

    def _word_marks(
        self, key: str, edition: int, words: Sequence[str], feeds: tuple[str, ...], world: Meter, now: int
    ) -> list[Mark]:
        """Two marks for each word: one of the identity's, which lasts a day, and one of the world's."""
        number, worlds = str(edition), (world.name,)
        marks = []
        for word in words:
            marks.append(
                Mark(self.keyed_hash("word", key, number, word), now + DAY, feeds, self.fingerprint(key, word))
            )
            marks.append(Mark(self.keyed_hash("world", number, word), now + GLOBAL_MARK_SECONDS, worlds))
        return marks

    def fingerprint(self, key: str, word: str) -> bytes:
        """What is kept of a word that an identity was charged for, whatever the edition."""
        return self.keyed_hash("trail", key, word)[:FINGERPRINT_BYTES]

    def _game_mark(self, kind: Literal["game", "seat"], identity: Identity, game: str, games: Meter, day: int) -> Mark:
        """The mark of an open game ends with the game's meters, or an old meter would serve a new game.

        A seat in a sealed game opens none of the client's own, though this be called by the same name.
        """
        return Mark(self.keyed_hash(kind, self.identity_key(identity), game), (day + 2) * DAY, (games.name,))

    def _turn_mark(self, question: Question, meters: Mapping[BudgetName, Meter]) -> Mark:
        """The same turn asked again is the same question, and counts as one play; a doubt is no play of its seat's."""
        counted = _PLAY_BUDGETS[:2] if question.is_doubt else _PLAY_BUDGETS
        feeds = tuple([meters[budget].name for budget in counted if budget in meters])
        return Mark(self.keyed_hash("turn", question.game or "", question.turn or ""), meters["plays"].ends, feeds)


def detector_prefix(name: str) -> str:
    """How the names of an identity's signs begin, given how its meters do."""
    return f"{name}/sign/"


def owner_key(meter_name: str) -> str:
    """How the names of the meters begin of whom a sign is."""
    return meter_name.partition("/")[0]
