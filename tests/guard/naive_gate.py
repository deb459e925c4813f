"""The rules of all budgets once more: everything ever admitted is kept, and counted again at each question."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from ordws.guard.policy import Policy
from ordws.guard.price import Identity, Question

DAY = 86_400

IdentityKey = tuple[str, str | None]
Place = tuple[str | None, IdentityKey | None, int]
"""A game of a client's: label, whose it is, the day it began. A sealed game: its name, nobody's, the day of its first
turn. Outside a game: nothing."""


class Unit(NamedTuple):
    who: IdentityKey
    now: int
    word: str
    edition: int
    place: Place
    drawn_on: str | None
    """Whether it was new to the world, and drawn on its cap or on the reserve."""


class NaivePlay(NamedTuple):
    place: Place
    turn: str | None
    now: int
    acceptable: list[bool]
    """What is known of it: nothing until it is settled."""


class NaiveGate:
    """What the gate should admit, and what it should say is left."""

    def __init__(self, policy: Policy, core: frozenset[str]) -> None:
        self.policy, self.core_words = policy, core
        self.units: list[Unit] = []
        self.core: list[tuple[IdentityKey, int, int]] = []
        self.games: list[tuple[IdentityKey, int, str, bool]] = []
        self.plays: list[NaivePlay] = []
        self.seen: dict[IdentityKey, int] = {}
        self.asked_days: set[int] = set()

    def admit(self, identity: Identity, question: Question, now: int) -> list[bool] | set[str]:
        """What has to be told of the verdict, or the budgets that do not hold the question."""
        who, day = (identity.client, identity.player), now // DAY
        place = self._place(who, question, now)
        opens = question.game is not None and not question.is_sealed and place not in self._open_games(who)
        repeats = question.is_sealed and any(
            play.turn == question.turn and play.place[0] == question.game and now // DAY <= play.now // DAY + 1
            for play in self.plays
        )
        plays = question.game is not None and not repeats
        asked = {word for word in question.words if len(word) > 2}
        dear, core = asked - self.core_words, len(asked & self.core_words)
        new = sorted(word for word in dear if not self._knows(who, word, question.edition, now))
        worlds = [word for word in new if not self._world_knows(word, question.edition)]
        is_new = identity.player is not None and who not in self.seen
        pool = "reserve" if identity.is_verified else "world"
        needed = {
            "core": core,
            "units": len(new),
            "outside" if question.game is None else "game": len(new),
            "operator": len(new) if identity.player is not None else 0,
            pool: len(new),
            "plays": plays,
            "invalid": plays,
            "games": opens,
            "players": is_new,
        }
        left = self.left(identity, question, now)
        if over := {budget for budget, cost in needed.items() if cost and cost > left[budget]}:
            return over
        self.core += [(who, day, 1)] * core
        for word in new:
            drawn = pool if word in worlds else None
            self.units.append(Unit(who, now, word, question.edition, place, drawn))
        if dear and not identity.is_verified:
            self.asked_days.add(day)
        if opens:
            self.games.append((who, day, place[0] or "", False))
        if is_new:
            self.seen[who] = now
        told: list[bool] = []
        if plays:
            self.plays.append(NaivePlay(place, question.turn, now, told))
        return told

    def open_game(self, seats: Sequence[Identity], game: str, now: int) -> set[str] | None:
        """The budgets that do not hold a sealed game, or nothing."""
        over, day = set(), now // DAY
        new = {(who.client, who.player) for who in seats if who.player is not None} - set(self.seen)
        opens = {
            identity
            for identity in seats
            if not any(
                (who, name, is_sealed) == ((identity.client, identity.player), game, True) and day <= then + 1
                for who, then, name, is_sealed in self.games
            )
        }
        for identity in seats:
            left = self.left(identity, Question((), 1), now)
            over |= {"games"} if identity in opens and left["games"] < 1 else set()
            mine = len([who for who in new if who[0] == identity.client])
            over |= {"players"} if mine > left.get("players", 0) else set()
        if over:
            return over
        self.games += [((who.client, who.player), day, game, True) for who in opens]
        self.seen |= dict.fromkeys(new, now)
        return None

    def left(self, identity: Identity, question: Question, now: int) -> dict[str, int]:
        """What is left of each budget that a question may draw on."""
        policy, who, day = self.policy, (identity.client, identity.player), now // DAY
        place = self._place(who, question, now)
        mine = [unit for unit in self.units if unit.who == who and unit.now // DAY == day]
        here = [unit for unit in self.units if unit.place == place]
        plays = [play for play in self.plays if play.place == place]
        worlds = [unit.drawn_on for unit in self.units if unit.now // DAY == day]
        left = {
            "core": policy.core_a_day - sum(n for asker, then, n in self.core if (asker, then) == (who, day)),
            "units": policy.units_a_day - len(mine),
            "outside": policy.outside_a_day - sum(unit.place[0] is None for unit in mine),
            "games": self._games(identity, now) - sum((asker, then) == (who, day) for asker, then, _, _ in self.games),
            "world": self._world_cap(day) - worlds.count("world"),
            "reserve": policy.reserve_a_day - worlds.count("reserve"),
        }
        if question.game is not None:
            left["game"] = policy.units_a_game - len(here)
            left["plays"] = policy.plays_a_game - len(plays)
            left["invalid"] = policy.invalid_a_game - sum(play.acceptable != [True] for play in plays)
        if identity.player is not None:
            total = policy.operator_units_a_day if identity.units is None else identity.units
            ours = [unit for unit in self.units if unit.who[0] == who[0] and unit.now // DAY == day]
            first_seen = [then // DAY for (client, _), then in self.seen.items() if client == who[0]]
            left["operator"] = total - len(ours)
            left["players"] = policy.new_players_a_day - first_seen.count(day)
        return left

    def _place(self, who: IdentityKey, question: Question, now: int) -> Place:
        day = now // DAY
        if question.game is None:
            return None, None, 0
        if question.is_sealed:
            begun = [play.place[2] for play in self.plays if play.place[:2] == (question.game, None)]
            return question.game, None, max((then for then in begun if day <= then + 1), default=day)
        mine = [game for game in self._open_games(who) if game[0] == question.game]
        return question.game, who, max((then for _, _, then in mine if day <= then + 1), default=day)

    def _open_games(self, who: IdentityKey) -> list[Place]:
        return [(name, who, then) for asker, then, name, is_sealed in self.games if asker == who and not is_sealed]

    def _games(self, identity: Identity, now: int) -> int:
        since = identity.since if identity.player is None else self.seen.get((identity.client, identity.player), now)
        most, first = self.policy.games_a_day, self.policy.first_games_a_day
        if identity.is_verified or now - since >= self.policy.ramp_days * DAY:
            return most
        return first + (most - first) * (now - since) // (self.policy.ramp_days * DAY)

    def _knows(self, who: IdentityKey, word: str, edition: int, now: int) -> bool:
        return any(unit[:1] + unit[2:4] == (who, word, edition) and now < unit.now + DAY for unit in self.units)

    def _world_knows(self, word: str, edition: int) -> bool:
        return any((unit.word, unit.edition) == (word, edition) for unit in self.units)

    def _world_cap(self, today: int) -> int:
        policy = self.policy
        caps: dict[int, int] = {}
        for day in [*sorted(day for day in self.asked_days if day < today), today]:
            before = [
                spent
                for then in self.asked_days
                if day - 28 <= then < day and (spent := self._world_spent(then)) <= 0.8 * caps[then]
            ]
            usual = int(median(before)) * policy.world_percent // 100 if before else 0
            caps[day] = min(max(policy.world_floor, usual), policy.world_ceiling)
        return caps[today]

    def _world_spent(self, day: int) -> int:
        return sum(unit.drawn_on == "world" and unit.now // DAY == day for unit in self.units)
