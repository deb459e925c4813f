"""The price of a question, computed from public lists alone: this module never sees the word set."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
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
"""The name of a budget.

Of an identity, a day: `core` words, `units` in all, units `outside` games, and `games`. Of a game: units (`game`),
`plays`, and `invalid` plays, which have a word that is not acceptable. Of a seat in a sealed game: units (`seat`) and
invalid plays (`seat-invalid`). Of an operator, a day: units of all its players (`operator`) and new `players`. Shared,
a day: units that nobody has asked before, of all unverified callers (`world`) and of all verified ones (`reserve`).
"""

GLOBAL_MARK_SECONDS: Final = 400 * DAY
PLAYER_MARK_SECONDS: Final = 3_650 * DAY
FINGERPRINT_BYTES: Final = 4
_UNIT_BUDGETS: Final[tuple[tuple[BudgetName, ...], ...]] = (
    ("units", "outside", "operator"),
    ("units", "game", "seat", "operator"),
)
"""The budgets that a unit is charged to, as far as there are such: outside a game, and in a game."""

_GAME_BUDGETS: Final[tuple[BudgetName, ...]] = ("game", "seat")
_PLAY_BUDGETS: Final[tuple[BudgetName, ...]] = ("plays", "invalid", "seat-invalid")
_CACHE_SIZE: Final = 2_048


class Identity(NamedTuple):
    """The holder of budgets: a client, or a player of an operator, whose pseudonym has no control characters."""

    client: str
    since: int
    """The moment a client was registered, or a player was first seen."""
    player: str | None = None
    is_verified: bool = False
    units: int | None = None
    """The daily total that a keeper has set for an operator."""
    is_alarming: bool = False
    """Whether a detector is in alarm, so that the budgets of units are reduced."""
    is_club_device: bool = False
    """Whether the player is a paired device of a verified operator, which does not count as a new player of the day."""


class Meter(NamedTuple):
    """A counter that ends. Its limit comes from the policy and is never stored."""

    # "identity/day/budget": the meters of one identity stand side by side in a store, and are written together.
    name: str
    limit: int
    ends: int


class Mark(NamedTuple):
    """A record of something that counts once: a word asked, a game opened. A new mark adds 1 to the meters it feeds."""

    key: bytes
    ends: int
    feeds: tuple[str, ...] = ()
    fingerprint: bytes = b""
    """The bytes that a new mark leaves in the fingerprint meter of its charge."""


class Charge(NamedTuple):
    """The cost of one question, which is written whole or not at all."""

    meters: tuple[Meter, ...]
    amounts: dict[str, int]
    marks: tuple[Mark, ...]
    fingerprint_meter: str = ""
    """The meter that keeps the fingerprints of new marks."""
    shared_meter: str = ""
    """The meter that other identities draw on too.

    It refuses as if every word that is new to the identity were new to the world, and is named only where no meter of
    the identity's own refuses. Otherwise a refusal would tell what others have asked (docs/guard.md Decision 7).
    """


class Question(NamedTuple):
    """Folded words asked together under one edition: in no game, in a game of the client's own, or in a sealed game."""

    words: tuple[str, ...]
    edition: int
    game: str | None = None
    turn: str | None = None
    """In a sealed game the turn and its move: the same turn asked again is the same question."""

    seat: int | None = None
    """In a sealed game the seat that asks: each seat has limits of its own, so that none uses up the others' share."""
    is_doubt: bool = False
    """Whether this is a challenge, a check of the OSPD, or a question at the table of a verified club.

    Those concern doubtful words alone, so they are no evidence of mining.
    """

    @property
    def is_sealed(self) -> bool:
        return self.turn is not None


class MeterSet(NamedTuple):
    """The meters that all questions of an identity on one day share, outside games or in one game."""

    key: str
    meters: Mapping[BudgetName, Meter]
    unit_meters: tuple[Meter, ...]
    """The meters that a unit is charged to."""
    unit_meter_names: tuple[str, ...]
    """The names of `unit_meters`."""
    game_meters: tuple[Meter, ...]
    """Those of `unit_meters` that belong to the game."""
    play_meters: tuple[Meter, ...]
    """The other meters of the game, which count plays."""
    game_mark: Mark | None
    """The mark of an open game, for a game of the client's own; None otherwise."""


class Pricing:
    """The prices under one policy, and the names of meters under one meter key."""

    def __init__(self, policy: Policy, key: bytes) -> None:
        self.policy = policy
        self._keyed = blake2b(key=key, digest_size=16)
        # A caller asks many questions a day in few games, and hashing names would take most of the time of a charge.
        self._short_hash = lru_cache(maxsize=_CACHE_SIZE)(lambda *parts: self.keyed_hash(*parts)[:8].hex())
        self._meter_set = lru_cache(maxsize=_CACHE_SIZE)(self._make_meter_set)

    def keyed_hash(self, *parts: str) -> bytes:
        """Return a keyed hash of texts without control characters.

        Everything stored is such a hash, so that a stolen meter file tells neither words nor players.
        """
        # Copying the keyed state takes a fifth less time than making a new one.
        copy = self._keyed.copy()
        copy.update("\x1f".join(parts).encode())
        return copy.digest()

    def client_key(self, client: str) -> str:
        """Return the key with which the names of a client's meters begin."""
        key: str = self._short_hash("client", client)
        return key

    def identity_key(self, identity: Identity) -> str:
        """Return the key with which the names of an identity's meters begin: of its client, then of its player."""
        if identity.player is None:
            return self.client_key(identity.client)
        return f"{self.client_key(identity.client)}.{self._short_hash('player', identity.client, identity.player)}"

    def budgets(
        self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False, seat: int | None = None
    ) -> Mapping[BudgetName, Meter]:
        """Return the meters of an identity today, and those of one of its games.

        The meters of a game last until the end of the next day.
        """
        return self._meter_set(identity, self._games_allowed(identity, now), game, is_sealed, seat, now // DAY).meters

    def _games_allowed(self, identity: Identity, now: int) -> int:
        """Return the number of games that an identity may open today."""
        return self.policy.games_a_day if identity.is_verified else self.policy.games_a_day_at_age(now - identity.since)

    def _make_meter_set(
        self, identity: Identity, games: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> MeterSet:
        """Return the meters of an identity that may open so many games on that day."""
        policy, midnight, key = self.policy, (day + 1) * DAY, self.identity_key(identity)
        today = f"{key}/{day}"
        meters: dict[BudgetName, Meter] = {
            "core": Meter(f"{today}/core", policy.core_a_day, midnight),
            "units": Meter(f"{today}/units", self._unit_limit(identity, policy.units_a_day), midnight),
            "outside": Meter(f"{today}/outside", self._unit_limit(identity, policy.outside_a_day), midnight),
            "games": Meter(f"{today}/games", games, midnight),
        }
        if identity.player is not None:
            total = policy.operator_units_a_day if identity.units is None else identity.units
            operator = f"{self.client_key(identity.client)}/{day}"
            meters["operator"] = Meter(f"{operator}/operator", total, midnight)
            meters["players"] = Meter(f"{operator}/players", policy.new_players_a_day, midnight)
        mark = None
        if game is not None:
            # The meters of a sealed game belong to all its seats, those of a label to the client that gave it.
            prefix = f"{key}/{self._short_hash('game', key, game)}"
            if is_sealed:
                prefix = f"sealed/{self._short_hash('sealed', game)}"
            else:
                mark = self._game_mark("game", identity, game, meters["games"], day)
            ends = midnight + DAY
            meters["game"] = Meter(f"{prefix}/game", self._unit_limit(identity, policy.units_a_game), ends)
            meters["plays"] = Meter(f"{prefix}/plays", policy.plays_a_game, ends)
            meters["invalid"] = Meter(f"{prefix}/invalid", policy.invalid_a_game, ends)
            if seat is not None:
                meters["seat"] = Meter(f"{prefix}.{seat}/seat", self._unit_limit(identity, policy.units_a_seat), ends)
                meters["seat-invalid"] = Meter(f"{prefix}.{seat}/seat-invalid", policy.invalid_a_seat, ends)
        return MeterSet(
            key,
            meters,
            unit_meters=tuple([meters[budget] for budget in _UNIT_BUDGETS[game is not None] if budget in meters]),
            unit_meter_names=tuple(
                [meters[budget].name for budget in _UNIT_BUDGETS[game is not None] if budget in meters]
            ),
            game_meters=tuple([meters[budget] for budget in _GAME_BUDGETS if budget in meters]),
            play_meters=tuple([meters[budget] for budget in _PLAY_BUDGETS if budget in meters]),
            game_mark=mark,
        )

    def _unit_limit(self, identity: Identity, limit: int) -> int:
        return self.policy.tightened_limit(limit) if identity.is_alarming else limit

    def player_mark(self, identity: Identity, now: int) -> Mark:
        """Return the mark that records when a player was first seen, and counts it as a new player of the day.

        A device of a verified operator is not counted: the operator's daily total bounds all of them.
        """
        feeds = () if identity.is_club_device else (f"{self.client_key(identity.client)}/{now // DAY}/players",)
        key = self.keyed_hash("player", identity.client, identity.player or "")
        return Mark(key, now + PLAYER_MARK_SECONDS, feeds)

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
        """Return the charge for a question. Two-letter words are published, so they are free."""
        words, edition, game, turn, seat, is_doubt = question
        day = now // DAY
        meter_set = self._meter_set(identity, self._games_allowed(identity, now), game, turn is not None, seat, day)
        key, meters, unit_meters, unit_meter_names, game_meters, play_meters, game_mark = meter_set
        pool, limit = ("reserve", self.policy.reserve_a_day) if identity.is_verified else ("world", unverified_cap)
        shared = Meter(f"world/{day}/{pool}", limit, (day + 1) * DAY)
        long = [word for word in dict.fromkeys(words) if len(word) > 2]
        non_core = [word for word in long if word not in core]
        amounts: dict[str, int] = {}
        charged: list[Meter] = []
        marks: list[Mark] = []
        if core_words := len(long) - len(non_core):
            charged.append(meters["core"])
            amounts[meters["core"].name] = core_words
        if non_core:
            charged += (*unit_meters, shared)
            number, shared_names = str(edition), (shared.name,)
            for word in non_core:
                fingerprint = self.fingerprint(key, word)
                marks.append(Mark(self.keyed_hash("word", key, number, word), now + DAY, unit_meter_names, fingerprint))
                marks.append(Mark(self.keyed_hash("world", number, word), now + GLOBAL_MARK_SECONDS, shared_names))
        if game is not None:
            # Together, whatever is asked first: a meter that began later would end later, and serve the next game too.
            charged += play_meters if non_core else game_meters + play_meters
            if turn is not None:
                # The same turn asked again counts as one play. A doubt is not a play of the seat that raises it.
                counted = _PLAY_BUDGETS[:2] if is_doubt else _PLAY_BUDGETS
                feeds = tuple([meters[budget].name for budget in counted if budget in meters])
                marks.append(Mark(self.keyed_hash("turn", game, turn), meters["plays"].ends, feeds))
        if game_mark is not None:
            amounts |= {meters["plays"].name: 1, meters["invalid"].name: 1}
            marks.append(game_mark)
            charged.append(meters["games"])
        if is_new:
            marks.append(self.player_mark(identity, now))
            charged += [] if identity.is_club_device else [meters["players"]]
        return Charge(tuple(charged), amounts, tuple(marks), meters["units"].name, shared.name)

    def opening_charge(self, seats: Sequence[tuple[Identity, bool]], game: str, now: int) -> Charge:
        """Return the charge for opening a sealed game: one game of each identity.

        Each seat comes with whether its player is new.
        """
        charged: dict[str, Meter] = {}
        marks: dict[bytes, Mark] = {}
        # By name and key, because one identity may sit in several seats and pays for one.
        for identity, is_new in seats:
            meters = self.budgets(identity, None, now)
            used = [meters["games"], *([meters["players"]] if is_new else [])]
            charged |= {meter.name: meter for meter in used}
            seat = self._game_mark("seat", identity, game, meters["games"], now // DAY)
            new = [seat] + [self.player_mark(identity, now)] * is_new
            marks |= {mark.key: mark for mark in new}
        return Charge(tuple(charged.values()), {}, tuple(marks.values()))

    def fingerprint(self, key: str, word: str) -> bytes:
        """Return what is stored of a word that an identity was charged for, the same for every edition."""
        return self.keyed_hash("trail", key, word)[:FINGERPRINT_BYTES]

    def _game_mark(self, kind: Literal["game", "seat"], identity: Identity, game: str, games: Meter, day: int) -> Mark:
        """Return the mark of an open game, which ends with the game's meters, or an old meter would serve a new game.

        A seat of a sealed game has a mark of another kind, so that it opens no game of the client's own with the same
        label.
        """
        return Mark(self.keyed_hash(kind, self.identity_key(identity), game), (day + 2) * DAY, (games.name,))


def detector_prefix(name: str) -> str:
    """Return the prefix of the names of an identity's detector sums, given the prefix of its meters."""
    # "sign" is what stored rows say, so it stays although the code says detector.
    return f"{name}/sign/"


def owner_key(meter_name: str) -> str:
    """Return the key of the identity that a meter or a detector sum belongs to."""
    return meter_name.partition("/")[0]
