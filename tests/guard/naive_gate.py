"""A second implementation of all budgets: it keeps everything ever admitted and counts it again at each question."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from ordws.guard.policy import Policy
from ordws.guard.price import Identity, Question

DAY = 86_400

IdentityKey = tuple[str, str | None]
Place = tuple[str | None, IdentityKey | None, int]
"""The game a unit belongs to. A client's own game: label, identity, and the day it began.

A sealed game: its name, None, and the day of its first turn. Outside a game: None, None and 0.
"""


class Unit(NamedTuple):
    key: IdentityKey
    now: int
    word: str
    edition: int
    place: Place
    drawn_on: str | None
    """The shared budget that was charged, if the word was new to the world."""


class NaivePlay(NamedTuple):
    place: Place
    turn: str | None
    now: int
    acceptable: list[bool]
    """The verdict on the play; empty until it is settled."""


class NaiveGate:
    """The answers that the gate should give, and the budgets that should be left."""

    def __init__(self, policy: Policy, core: frozenset[str]) -> None:
        self.policy, self.core_words = policy, core
        self.units: list[Unit] = []
        self.core: list[tuple[IdentityKey, int, int]] = []
        self.games: list[tuple[IdentityKey, int, str, bool]] = []
        self.plays: list[NaivePlay] = []
        self.seen: dict[IdentityKey, int] = {}
        self.asked_days: set[int] = set()

    def admit(self, identity: Identity, question: Question, now: int) -> list[bool] | set[str]:
        """Return a list that the verdict has to be appended to, or the budgets that refuse the question."""
        key, day = (identity.client, identity.player), now // DAY
        place = self._place(key, question, now)
        opened = question.game is not None and not question.is_sealed and place not in self._open_games(key)
        repeats = question.is_sealed and any(
            play.turn == question.turn and play.place[0] == question.game and now // DAY <= play.now // DAY + 1
            for play in self.plays
        )
        plays = question.game is not None and not repeats
        asked = {word for word in question.words if len(word) > 2}
        non_core, core = asked - self.core_words, len(asked & self.core_words)
        new = sorted(word for word in non_core if not self._is_free(key, word, question.edition, now))
        worlds = [word for word in new if not self._is_known_to_world(word, question.edition)]
        is_new = identity.player is not None and key not in self.seen
        pool = "reserve" if identity.is_verified else "world"
        needed = {
            "core": core,
            "units": len(new),
            "outside" if question.game is None else "game": len(new),
            "operator": len(new) if identity.player is not None else 0,
            pool: len(new),
            "plays": plays,
            "invalid": plays,
            "games": opened,
            "players": is_new,
        }
        left = self.left(identity, question, now)
        if over := {budget for budget, cost in needed.items() if cost and cost > left[budget]}:
            return over
        self.core += [(key, day, 1)] * core
        for word in new:
            drawn = pool if word in worlds else None
            self.units.append(Unit(key, now, word, question.edition, place, drawn))
        if non_core and not identity.is_verified:
            self.asked_days.add(day)
        if opened:
            self.games.append((key, day, place[0] or "", False))
        if is_new:
            self.seen[key] = now
        verdicts: list[bool] = []
        if plays:
            self.plays.append(NaivePlay(place, question.turn, now, verdicts))
        return verdicts

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
        mine = [unit for unit in self.units if unit.key == key and unit.now // DAY == day]
        in_game = [unit for unit in self.units if unit.place == place]
        plays = [play for play in self.plays if play.place == place]
        worlds = [unit.drawn_on for unit in self.units if unit.now // DAY == day]
        left = {
            "core": policy.core_a_day - sum(n for holder, before, n in self.core if (holder, before) == (key, day)),
            "units": policy.units_a_day - len(mine),
            "outside": policy.outside_a_day - sum(unit.place[0] is None for unit in mine),
            "games": self._games(identity, now)
            - sum((holder, before) == (key, day) for holder, before, _, _ in self.games),
            "world": self._world_cap(day) - worlds.count("world"),
            "reserve": policy.reserve_a_day - worlds.count("reserve"),
        }
        if question.game is not None:
            left["game"] = policy.units_a_game - len(in_game)
            left["plays"] = policy.plays_a_game - len(plays)
            left["invalid"] = policy.invalid_a_game - sum(play.acceptable != [True] for play in plays)
        if identity.player is not None:
            total = policy.operator_units_a_day if identity.units is None else identity.units
            ours = [unit for unit in self.units if unit.key[0] == key[0] and unit.now // DAY == day]
            first_seen = [before // DAY for (client, _), before in self.seen.items() if client == key[0]]
            left["operator"] = total - len(ours)
            left["players"] = policy.new_players_a_day - first_seen.count(day)
        return left

    def _place(self, key: IdentityKey, question: Question, now: int) -> Place:
        day = now // DAY
        if question.game is None:
            return None, None, 0
        if question.is_sealed:
            begun = [play.place[2] for play in self.plays if play.place[:2] == (question.game, None)]
            return question.game, None, max((before for before in begun if day <= before + 1), default=day)
        mine = [game for game in self._open_games(key) if game[0] == question.game]
        return question.game, key, max((before for _, _, before in mine if day <= before + 1), default=day)

    def _open_games(self, key: IdentityKey) -> list[Place]:
        return [
            (name, key, before) for holder, before, name, is_sealed in self.games if holder == key and not is_sealed
        ]

    def _games(self, identity: Identity, now: int) -> int:
        since = identity.since if identity.player is None else self.seen.get((identity.client, identity.player), now)
        most, first = self.policy.games_a_day, self.policy.first_games_a_day
        if identity.is_verified or now - since >= self.policy.ramp_days * DAY:
            return most
        return first + (most - first) * (now - since) // (self.policy.ramp_days * DAY)

    def _is_free(self, key: IdentityKey, word: str, edition: int, now: int) -> bool:
        return any(unit[:1] + unit[2:4] == (key, word, edition) and now < unit.now + DAY for unit in self.units)

    def _is_known_to_world(self, word: str, edition: int) -> bool:
        return any((unit.word, unit.edition) == (word, edition) for unit in self.units)

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
        return sum(unit.drawn_on == "world" and unit.now // DAY == day for unit in self.units)
