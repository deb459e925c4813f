"""The price of a question, computed from public lists alone: this module never sees the word set."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal

from ordws.guard.guests import GuestPricing
from ordws.guard.meter_set import NO_LIMIT, OWN_LIST_BUDGETS, PLAY_BUDGETS, MeterSet, WorldMeters, make_meter_set
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import (
    GUESTS,
    WORLD,
    BudgetName,
    Charge,
    ClientMeters,
    ClientShare,
    Identity,
    Mark,
    Meter,
    PricedQuestion,
    Question,
)
from ordws.guard.word_marks import WordMarks

PLAYER_MARK_SECONDS: Final = 3_650 * DAY
_UNIT_BUDGETS: Final[tuple[tuple[BudgetName, ...], ...]] = (
    ("units", "outside", "operator"),
    ("units", "game", "seat", "operator"),
)
"""The budgets that a unit is charged to, as far as there are such: outside a game, and in a game."""

_UNIT_BUDGETS_OF_BASES: Final[tuple[tuple[BudgetName, ...], ...]] = (_UNIT_BUDGETS[0], ("units", "operator"))
"""The same for a base, which costs a unit of the day and none of the game."""

_CACHE_SIZE: Final = 2_048


class Pricing:
    """The prices under one policy, and the names of meters under one meter key."""

    def __init__(self, policy: Policy, key: bytes) -> None:
        self.policy = policy
        self._keyed = blake2b(key=key, digest_size=16)
        # A caller asks many questions a day in few games, and hashing names would take most of the time of a charge.
        self._short_hash = lru_cache(maxsize=_CACHE_SIZE)(lambda *parts: self.keyed_hash(*parts)[:8].hex())
        self._meter_set = lru_cache(maxsize=_CACHE_SIZE)(self._make_meter_set)
        self._word_marks = WordMarks(self.keyed_hash)
        self.guests = GuestPricing(policy, self.keyed_hash, self._short_hash)
        self._guest_meter_set = lru_cache(maxsize=_CACHE_SIZE)(self.guests.meter_set)

    def keyed_hash(self, *parts: str) -> bytes:
        """Return a keyed hash of texts without control characters.

        Everything stored is such a hash, so that a stolen meter file tells neither words nor players.
        """
        # Copying the keyed state takes a fifth less time than making a new one.
        copy = self._keyed.copy()
        copy.update("\x1f".join(parts).encode())
        return copy.digest()

    def client_key(self, client: str) -> str:
        """Return the key with which the names of a client's meters begin; all guests together are `GUESTS`."""
        if client == GUESTS:
            return GUESTS
        key: str = self._short_hash("client", client)
        return key

    def identity_key(self, identity: Identity) -> str:
        """Return the key with which the names of an identity's meters begin: of its client, then of its player."""
        if identity.is_guest:
            return self.guests.key(identity.client)
        if identity.player is None:
            return self.client_key(identity.client)
        return f"{self.client_key(identity.client)}.{self._short_hash('player', identity.client, identity.player)}"

    def budgets(
        self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False, seat: int | None = None
    ) -> Mapping[BudgetName, Meter]:
        """Return the meters of an identity today that it is shown, and those of one of its games.

        The meters of a game last until the end of the next day. What others spend shows in an operator's meters alone
        (`operator` and `players`), which the API shows to the operator's own key and to none of its devices.
        """
        return self._meters_of(identity, game, now, is_sealed=is_sealed, seat=seat).meters

    def client_meters(self, identity: Identity, now: int) -> ClientMeters:
        """Return the meters that count all that the client of an identity asks today."""
        return self._meters_of(identity, None, now).client_meters

    def _meters_of(
        self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False, seat: int | None = None
    ) -> MeterSet:
        if identity.is_guest:
            return self._guest_meter_set(identity, seat, now // DAY)
        policy, games = self.policy, self.policy.games_a_day
        total = policy.operator_units_a_day if identity.units is None else identity.units
        if not identity.is_verified:
            since = identity.since if identity.first_seen is None else identity.first_seen
            games = policy.games_a_day_at_age(now - since)
            total = policy.units_a_day_at_age(total, now - identity.since)
        return self._meter_set(identity, games, total, game, is_sealed, seat, now // DAY)

    def _make_meter_set(
        self, identity: Identity, games: int, total: int, game: str | None, is_sealed: bool, seat: int | None, day: int
    ) -> MeterSet:
        """Return the meters of an identity that may open so many games on that day, and of an operator's total."""
        policy, midnight, key = self.policy, (day + 1) * DAY, self.identity_key(identity)
        meters: dict[BudgetName, Meter] = {
            "core": Meter(f"{key}/{day}/core", self._tightened(identity, policy.core_a_day(games)), midnight),
            "units": Meter(f"{key}/{day}/units", self._tightened(identity, policy.units_a_day_with(games)), midnight),
            "outside": Meter(f"{key}/{day}/outside", self._tightened(identity, policy.outside_a_day), midnight),
            "games": Meter(f"{key}/{day}/games", games, midnight),
            "reference": Meter(f"{key}/{day}/reference", self._tightened(identity, policy.reference_a_day), midnight),
        }
        own_meters = client_meters = ClientMeters(meters["units"], meters["core"], meters["games"])
        if identity.player is not None:
            client_meters = self._operator_meters(identity, total, day)
            players = policy.verified_new_players_a_day(total) if identity.is_verified else policy.new_players_a_day
            meters["operator"] = client_meters.units
            checks = client_meters.units.limit * policy.operator_reference_percent // 100
            name = f"{self.client_key(identity.client)}/{day}/operator-reference"
            meters["operator-reference"] = Meter(name, checks, midnight)
            meters["players"] = Meter(f"{self.client_key(identity.client)}/{day}/players", players, midnight)
        if game is not None:
            meters |= self._game_meters(identity, game, is_sealed=is_sealed, seat=seat, ends=midnight + DAY)
        mark = None
        if game is not None and not is_sealed:
            mark = self._game_mark("game", identity, game, client_meters, meters["games"], day)
            mark = mark._replace(opens=tuple([meters[each].name for each in ("game", "plays", "invalid")]))
        return make_meter_set(
            key,
            meters,
            unit_budgets=_UNIT_BUDGETS[game is not None],
            unit_budgets_of_bases=_UNIT_BUDGETS_OF_BASES[game is not None],
            core_meters=(meters["core"],),
            own_meters=own_meters,
            client_meters=client_meters,
            game_mark=mark,
            expected=(meters["core"], meters["units"], meters["outside"]),
        )

    def _operator_meters(self, identity: Identity, total: int, day: int) -> ClientMeters:
        """Return the meters of an operator as a whole, with this total of units today."""
        operator, midnight = f"{self.client_key(identity.client)}/{day}", (day + 1) * DAY
        units, core = total, self.policy.operator_core_a_day(total)
        if identity.is_operator_alarming:
            units, core = self.policy.tightened_limit(units), self.policy.tightened_limit(core)
        return ClientMeters(
            Meter(f"{operator}/operator", units, midnight),
            Meter(f"{operator}/operator-core", core, midnight),
            Meter(f"{operator}/operator-games", NO_LIMIT, midnight),
        )

    def _world_meters(self, identity: Identity, meter_set: MeterSet, cap: int, day: int) -> WorldMeters:
        """Return what an unverified identity draws on together with others, given today's cap of units."""
        name, midnight = f"{WORLD}/{day}/world", (day + 1) * DAY
        client_core = meter_set.meters["core"]
        if identity.player is not None:
            client_core = Meter(f"{self.client_key(identity.client)}/{day}/players-core", NO_LIMIT, midnight)
        core_cap = self.policy.world_core_cap(cap)
        return WorldMeters(Meter(name, cap, midnight), Meter(f"{name}-core", core_cap, midnight), client_core)

    def _game_meters(
        self, identity: Identity, game: str, *, is_sealed: bool, seat: int | None, ends: int
    ) -> dict[BudgetName, Meter]:
        """Return the meters of a game: of a sealed game they belong to all its seats, of a label to who gave it."""
        policy, key = self.policy, self.identity_key(identity)
        # All seats of a sealed game are of the client that opened it.
        sealed = f"{self.client_key(identity.client)}/{self._short_hash('sealed', game)}"
        prefix = sealed if is_sealed else f"{key}/{self._short_hash('game', key, game)}"
        meters: dict[BudgetName, Meter] = {
            "game": Meter(f"{prefix}/game", self._tightened(identity, policy.units_a_game), ends),
            "plays": Meter(f"{prefix}/plays", policy.plays_a_game, ends),
            "invalid": Meter(f"{prefix}/invalid", policy.invalid_a_game, ends),
        }
        if seat is not None:
            meters["seat"] = Meter(f"{prefix}.{seat}/seat", self._tightened(identity, policy.units_a_seat), ends)
            meters["seat-invalid"] = Meter(f"{prefix}.{seat}/seat-invalid", policy.invalid_a_seat, ends)
        return meters

    def _tightened(self, identity: Identity, limit: int) -> int:
        return self.policy.tightened_limit(limit) if identity.is_alarming else limit

    def player_mark(self, identity: Identity, now: int) -> Mark:
        """Return the mark that records when a player was first seen, and counts it as a new player of the day.

        A device of a verified operator is not counted: the operator's daily totals bound all of them.
        """
        feeds = () if identity.is_club_device else (f"{self.client_key(identity.client)}/{now // DAY}/players",)
        key = self.keyed_hash("player", identity.client, identity.player or "")
        return Mark(key, now + PLAYER_MARK_SECONDS, feeds)

    def price(
        self,
        identity: Identity,
        question: Question,
        core: Container[str],
        now: int,
        *,
        unverified_cap: int,
        is_new: bool,
    ) -> PricedQuestion:
        """Return a question with its charge. Two-letter words are published, so they are free."""
        game, turn, day, player = question.game, question.turn, now // DAY, identity.player
        meter_set = self._meters_of(identity, game, now, is_sealed=question.is_sealed, seat=question.seat)
        meters, game_mark = meter_set.meters, meter_set.game_mark
        world = None
        if not (identity.is_verified or identity.is_guest):
            world = self._world_meters(identity, meter_set, unverified_cap, day)
        words, marks = self._word_marks.mark(identity, question, core, now, meter_set, world)
        has_units = not all(word.is_core for word in words)
        charged: list[Meter] = []
        shared: list[Meter] = []
        shares: list[ClientShare] = []
        if any(word.is_core for word in words):
            charged, shared, shares = self._core_charge(identity, question, meter_set, world, day)
        if has_units:
            charged += meter_set.unit_meters
            if world is not None:
                shared.append(world.units)
                name, least = f"{meter_set.key}/{day}/share", self.policy.least_share
                shares.append(ClientShare(name, meter_set.client_meters.units.name, world.units.name, least))
        if game is not None:
            # Together, whatever is asked first: a meter that began later would end later, and serve the next game too.
            charged += meter_set.play_meters if has_units else meter_set.game_meters + meter_set.play_meters
            if turn is not None:
                # The same turn asked again counts as one play. A doubt is not a play of the seat that raises it.
                counted = PLAY_BUDGETS[:2] if question.is_doubt else PLAY_BUDGETS
                feeds = tuple([meters[budget].name for budget in counted if budget in meters])
                marks.append(Mark(self.keyed_hash("turn", game, turn), meters["plays"].ends, feeds))
        amounts: dict[str, int] = {}
        if game_mark is not None:
            amounts = {meters["plays"].name: 1, meters["invalid"].name: 1}
            marks.append(game_mark)
            charged += [meters["games"]] if player is None else [meters["games"], meter_set.client_meters.games]
        if is_new:
            marks.append(self.player_mark(identity, now))
            charged += [] if identity.is_club_device else [meters["players"]]
        long_kept = meter_set.long_kept if world is None else meter_set.long_kept + world.names
        # Of two meters that refuse, the first is named: one of the caller's own, if there is one.
        asked = (*charged, *shared)
        own, client = meter_set.own_meters, meter_set.client_meters
        charge = Charge(asked, amounts, tuple(marks), own.units.name, tuple(shares), long_kept, meter_set.expected)
        return PricedQuestion(meter_set.key, charge, words, own, client)

    def _core_charge(
        self, identity: Identity, question: Question, meter_set: MeterSet, world: WorldMeters | None, day: int
    ) -> tuple[list[Meter], list[Meter], list[ClientShare]]:
        """Return the meters of core words, or of words checked in an own list: the caller's, the shared, its shares."""
        meters, client_meters, key = meter_set.meters, meter_set.client_meters, meter_set.key
        charged = [*meter_set.core_meters]
        if question.is_own_list:
            charged = [meters[budget] for budget in OWN_LIST_BUDGETS if budget in meters]
        shared: list[Meter] = []
        shares: list[ClientShare] = []
        if question.is_check:
            return charged, shared, shares
        if identity.player is not None:
            charged.append(client_meters.core)
            # Refused as if none of the words were known to the operator, or this would tell which ones are.
            name, own = f"{key}/{day}/operator-core", meters["core"].name
            shares.append(ClientShare(name, own, client_meters.core.name, least=0, divisor=1))
        if world is not None:
            shared += [world.core] if identity.player is None else [world.client_core, world.core]
            name, least = f"{key}/{day}/share-core", self.policy.least_core_share
            shares.append(ClientShare(name, world.client_core.name, world.core.name, least))
        return charged, shared, shares

    def opening_charge(self, seats: Sequence[tuple[Identity, bool]], game: str, now: int) -> Charge:
        """Return the charge for opening a sealed game: one game of each identity.

        Each seat comes with whether its player is new.
        """
        charged: dict[str, Meter] = {}
        marks: dict[bytes, Mark] = {}
        kept: set[str] = set()
        # By name and key, because one identity may sit in several seats and pays for one.
        for identity, is_new in seats:
            meter_set = self._meters_of(identity, None, now)
            meters, client_meters = meter_set.meters, meter_set.client_meters
            used = [meters["games"], client_meters.games, *([meters["players"]] if is_new else [])]
            charged |= {meter.name: meter for meter in used}
            seat = self._game_mark("seat", identity, game, client_meters, meters["games"], now // DAY)
            new = [seat] + [self.player_mark(identity, now)] * is_new
            marks |= {mark.key: mark for mark in new}
            kept.add(client_meters.games.name)
        return Charge(tuple(charged.values()), {}, tuple(marks.values()), long_kept=tuple(sorted(kept)))

    def fingerprint(self, key: str, word: str) -> bytes:
        """Return what is stored of a word that an identity was charged for, the same for every edition."""
        return self._word_marks.fingerprint(key, word)

    def _game_mark(
        self,
        kind: Literal["game", "seat"],
        identity: Identity,
        game: str,
        client_meters: ClientMeters,
        games: Meter,
        day: int,
    ) -> Mark:
        """Return the mark of an open game, which ends with the game's meters, or an old meter would serve a new game.

        A seat of a sealed game has a mark of another kind, so that it opens no game of the client's own with the same
        label.
        """
        feeds = tuple(dict.fromkeys([games.name, client_meters.games.name]))
        return Mark(self.keyed_hash(kind, self.identity_key(identity), game), (day + 2) * DAY, feeds)
