"""A second implementation of all budgets: it keeps everything ever admitted and counts it again at each question."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from ordws.guard.charge import Identity, Question
from ordws.guard.policy import Policy

DAY = 86_400

IdentityKey = tuple[str, str | None]
Place = tuple[str | None, IdentityKey | None, int]
"""The game a unit belongs to. A client's own game: label, identity, and the day it began.

A sealed game: its name, None, and the day of its first turn. Outside a game: None, None and 0.
"""


class Asked(NamedTuple):
    """A word of three letters or more that was charged."""

    key: IdentityKey
    now: int
    word: str
    edition: int
    place: Place
    is_core: bool
    is_verified: bool


class CoreWord(NamedTuple):
    """A core word that was charged to a client as a whole: by no player of it before on that UTC day."""

    client: str
    now: int
    word: str
    is_verified: bool


class NaivePlay(NamedTuple):
    key: IdentityKey
    place: Place
    turn: str | None
    now: int


class NaiveGate:
    """The answers that the gate should give, and the budgets that should be left."""

    def __init__(self, policy: Policy, core: frozenset[str]) -> None:
        self.policy, self.core_words = policy, core
        self.asked: list[Asked] = []
        self.client_core: list[CoreWord] = []
        self.games: list[tuple[IdentityKey, int, str, bool]] = []
        self.plays: list[NaivePlay] = []
        self.seen: dict[IdentityKey, int] = {}
        self.asked_days: set[int] = set()

    def admit(self, identity: Identity, question: Question, now: int) -> set[str]:
        """Return the budgets that refuse the question; none where it was charged."""
        key, day = (identity.client, identity.player), now // DAY
        place = self._place(key, question, now)
        if question.is_sealed and any(
            (play.key, play.turn, play.place) == (key, question.turn, place) for play in self.plays
        ):
            return set()
        opened = question.game is not None and not question.is_sealed and place not in self._open_games(key)
        asked = {word for word in question.words if len(word) > 2}
        new = sorted(word for word in asked if not self._is_free(key, word, question, now))
        units = [word for word in new if word not in self.core_words]
        core = [word for word in new if word in self.core_words]
        client_core = core
        if identity.player is not None:
            client_core = [
                word
                for word in asked & self.core_words
                if not any(
                    (each.client, each.word, each.now // DAY) == (key[0], word, day) for each in self.client_core
                )
            ]
        is_new = identity.player is not None and key not in self.seen
        needed = {
            "core": [("core", len(core))],
            "operator": [("operator", len(units)), ("operator-core", len(core))] if identity.player else [],
            "units": [("units", len(units))],
            "outside": [("outside", len(units))] if question.game is None else [],
            "game": [] if question.game is None else [("game", len(units))],
            "world": []
            if identity.is_verified
            else [
                ("world", len(units)),
                ("world-core", len(core)),
                ("share", len(units)),
                ("share-core", len(core)),
            ],
            "plays": [("plays", question.game is not None)],
            "games": [("games", opened)],
            "players": [("players", is_new)],
        }
        left = self.left(identity, question, now)
        if over := {
            budget for budget, costs in needed.items() if any(cost and cost > left[part] for part, cost in costs)
        }:
            return over
        self.asked += [
            Asked(key, now, word, question.edition, place, word in core, identity.is_verified) for word in new
        ]
        self.client_core += [CoreWord(key[0], now, word, identity.is_verified) for word in client_core]
        if asked - self.core_words and not identity.is_verified:
            self.asked_days.add(day)
        if opened:
            self.games.append((key, day, place[0] or "", False))
        if is_new:
            self.seen[key] = now
        if question.game is not None:
            self.plays.append(NaivePlay(key, place, question.turn, now))
        return set()

    def open_game(self, seats: Sequence[Identity], game: str, now: int) -> set[str] | None:
        """Return the budgets that refuse to open a sealed game, or None."""
        over, day = set(), now // DAY
        new = {(seat.client, seat.player) for seat in seats if seat.player is not None} - set(self.seen)
        opened = {
            identity
            for identity in seats
            if not any(
                (key, name, is_sealed) == ((identity.client, identity.player), game, True) and day <= before + 1
                for key, before, name, is_sealed in self.games
            )
        }
        for identity in seats:
            left = self.left(identity, Question((), 1), now)
            over |= {"games"} if identity in opened and left["games"] < 1 else set()
            mine = len([key for key in new if key[0] == identity.client])
            over |= {"players"} if mine > left.get("players", 0) else set()
        if over:
            return over
        self.games += [((seat.client, seat.player), day, game, True) for seat in opened]
        self.seen |= dict.fromkeys(new, now)
        return None

    def left(self, identity: Identity, question: Question, now: int) -> dict[str, int]:
        """Return what is left of each budget that a question may draw on."""
        policy, key, day = self.policy, (identity.client, identity.player), now // DAY
        place = self._place(key, question, now)
        today = [each for each in self.asked if each.now // DAY == day]
        mine = [each for each in today if each.key == key]
        units = [each for each in mine if not each.is_core]
        in_game = [each for each in self.asked if each.place == place and not each.is_core]
        plays = [play for play in self.plays if play.place == place]
        games = self._games(identity, now)
        left = {
            "core": games * policy.core_a_game + policy.core_outside_a_day - sum(each.is_core for each in mine),
            "units": games * policy.units_a_game + policy.outside_a_day - len(units),
            "outside": policy.outside_a_day - sum(each.place[0] is None for each in units),
            "games": games - sum((holder, before) == (key, day) for holder, before, _, _ in self.games),
        }
        client_core = [each for each in self.client_core if each.now // DAY == day]
        client_units = [(each.key[0], each.is_verified) for each in today if not each.is_core]
        own_units = [client for client, _ in client_units].count(key[0])
        operator_core = [each.client for each in client_core].count(key[0])
        unverified_core = [each.key[0] for each in today if each.is_core and not each.is_verified]
        own_core, spent_core = unverified_core.count(key[0]), len(unverified_core)
        spent_units = sum(not is_verified for _, is_verified in client_units)
        cap = self._world_cap(day)
        core_cap = cap * policy.world_core_percent // 100
        first = policy.first_games_a_day
        left["world"], left["world-core"] = cap - spent_units, core_cap - spent_core
        others, others_core = max(0, spent_units - own_units), max(0, spent_core - own_core)
        others -= others % max(1, cap // 20)
        others_core -= others_core % max(1, core_cap // 20)
        left["share"] = max(first * policy.units_a_game, (cap - others) // 4) - own_units
        left["share-core"] = max(first * policy.core_a_game, (core_cap - others_core) // 4) - own_core
        if question.game is not None:
            left["game"] = policy.units_a_game - len(in_game)
            left["plays"] = policy.plays_a_game - len(plays)
        if identity.player is not None:
            total = policy.operator_units_a_day if identity.units is None else identity.units
            new_players = max(policy.new_players_a_day, total // policy.units_a_new_player)
            if not identity.is_verified:
                new_players = policy.new_players_a_day
                total = total * self._games_at_age(now - identity.since) // policy.games_a_day
            core = min(total, 2_000) * policy.operator_core_percent // 100
            first_seen = [before // DAY for (client, _), before in self.seen.items() if client == key[0]]
            left["operator"], left["operator-core"] = total - own_units, core - operator_core
            left["players"] = new_players - first_seen.count(day)
        return left

    def _place(self, key: IdentityKey, question: Question, now: int) -> Place:
        day = now // DAY
        if question.game is None:
            return None, None, 0
        if question.is_sealed:
            begun = [before for _, before, name, is_sealed in self.games if is_sealed and name == question.game]
            begun += [play.place[2] for play in self.plays if play.place[:2] == (question.game, None)]
            return question.game, None, max((before for before in begun if day <= before + 1), default=day)
        mine = [game for game in self._open_games(key) if game[0] == question.game]
        return question.game, key, max((before for _, _, before in mine if day <= before + 1), default=day)

    def _open_games(self, key: IdentityKey) -> list[Place]:
        return [
            (name, key, before) for holder, before, name, is_sealed in self.games if holder == key and not is_sealed
        ]

    def _games(self, identity: Identity, now: int) -> int:
        since = identity.since if identity.player is None else self.seen.get((identity.client, identity.player), now)
        return self.policy.games_a_day if identity.is_verified else self._games_at_age(now - since)

    def _games_at_age(self, age: int) -> int:
        most, first = self.policy.games_a_day, self.policy.first_games_a_day
        return min(most, first + (most - first) * age // (self.policy.ramp_days * DAY))

    def _is_free(self, key: IdentityKey, word: str, question: Question, now: int) -> bool:
        """Return True for a word that was charged on this UTC day, in a sealed game under the game's edition."""
        charged = [each for each in self.asked if (each.key, each.word) == (key, word)]
        return (
            bool(charged)
            and now // DAY == charged[-1].now // DAY
            and (charged[-1].edition == question.edition or not question.is_sealed)
        )

    def edition_of(self, identity: Identity, word: str) -> int:
        """Return the edition under which an identity was charged for a word."""
        key = (identity.client, identity.player)
        return next(each.edition for each in reversed(self.asked) if (each.key, each.word) == (key, word))

    def _world_cap(self, today: int) -> int:
        policy = self.policy
        caps: dict[int, int] = {}
        for day in [*sorted(day for day in self.asked_days if day < today), today]:
            quiet = [
                spent
                for earlier in self.asked_days
                if day - 28 <= earlier < day and (spent := self._world_spent(earlier)) <= 0.8 * caps[earlier]
            ]
            usual = int(median(quiet)) * policy.world_percent // 100 if quiet else 0
            caps[day] = min(max(policy.world_floor, usual), policy.world_ceiling)
        return caps[today]

    def _world_spent(self, day: int) -> int:
        return sum(each.now // DAY == day and not each.is_core and not each.is_verified for each in self.asked)
