"""Mixed honest play: the kinds of requests and their shares.

A player requests verdicts on each play of a game in its order, as a game site's client does, or on the words of plays
that are doubted at a table. No player sends more in a day than budgets allow honest people: a player who has played
the day's games leaves, and another arrives. None of these requests may be refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from ordws.client import operations
from ordws.client.wire import Request as Asked
from ordws.fairplay.recorded_games import RULES, RecordedTurn
from tests.load.games import common_words, table_games
from tests.load.http_request import Request, headers_of, request
from tests.load.load_installation import PLAYERS_AN_OPERATOR, Clients
from tests.load.sealed_games import MOST_TURNS, SealedGameTable, by_first

MIX: Final = {
    "plays": 50,  # POST /v1/plays: a play of a game with a label: position, rack, move
    "judge": 20,  # POST /v1/judge: the one to three words of a play, in a game with a label
    "sealed": 14,  # POST /v1/games and its turns, GET of the game before each turn and of its record
    "score": 7,  # POST /v1/score: the same as a play, without words
    "quota": 4,  # GET /v1/quota
    "rules": 3,  # GET /v1/rules/scrabble-o
    "two-letter-words": 2,  # GET /v1/two-letter-words
}
"""The kinds of requests in a hundred. Every second player is an operator's, the others have home keys."""

GAMES_PER_PLAYER: Final = 8
"""The games of a person who plays fast games all day."""

SEATED: Final = 100
"""The players of each kind who play at the same time."""

OPERATORS: Final = 50
"""The game sites and clubs, at least: a site of 1,000 games a day sends a request or two a second."""

MOST_LATE_TABLES: Final = 10_000
"""The tables that wait at once for replies that come after ten seconds or never, at three times the capacity."""

MOST_JUDGED: Final = 3
_CYCLE: Final = 10_000
_REQUESTS_A_SEALED_GAME: Final = 2 * MOST_TURNS + 3


def clients_needed(requests: int) -> tuple[int, int]:
    """Return an upper bound of the home keys and operators that so many requests need."""
    asked = requests * (MIX["plays"] + MIX["judge"]) // 100
    players = asked // (GAMES_PER_PLAYER * min([len(game.plays) for game in table_games()])) + 3 * SEATED
    tables = requests * MIX["sealed"] // 100 // (GAMES_PER_PLAYER * _REQUESTS_A_SEALED_GAME) + 3 * SEATED
    # Tables whose replies are late are not played on meanwhile, and others are opened beside them.
    late = min(requests // 50, MOST_LATE_TABLES)
    return players + tables + late + SEATED, max(OPERATORS, players // PLAYERS_AN_OPERATOR + 1)


class HonestWorkload:
    """The requests of many people in sequence, as long as clients are left."""

    def __init__(self, clients: Clients, rng: Random) -> None:
        self._rng = rng
        self._homes = iter(clients.homes)
        self._site_players = _site_players(clients.operators)
        self._kinds = rng.sample([kind for kind, part in MIX.items() for _ in range(_CYCLE * part // 100)], k=_CYCLE)
        self._number = self._players = 0
        self._visitors = [headers_of(self.spare_key()) for _ in range(SEATED)]
        self._nobody = headers_of(None)
        self._seated = {kind: [self._player(kind) for _ in range(SEATED)] for kind in ("plays", "judge")}
        self._tables: list[SealedGameTable] = []

    def next(self) -> Request:
        """Return the next request."""
        kind = self._kinds[self._number % _CYCLE]
        self._number += 1
        match kind:
            case "plays" | "judge":
                return self._of_game(kind)
            case "sealed":
                return self._of_table()
            case "score":
                game = table_games()[self._number % len(table_games())]
                return request(kind, _about(kind, self._rng.choice(game.plays), None, None), self._visitor())
            case "quota":
                return request(kind, operations.quota(), self._visitor())
            case "rules":
                return request(kind, operations.rule_set(RULES.id), self._nobody)
            case _:
                return request(kind, operations.two_letter_words(RULES.id), self._nobody)

    def spare_key(self) -> str:
        """Return a home key that nothing else uses."""
        for key in self._homes:
            return key
        raise SystemExit("error: there were too few clients for this run")

    def _visitor(self) -> Mapping[str, str]:
        return self._visitors[self._number % SEATED]

    def _of_game(self, kind: str) -> Request:
        players = self._seated[kind]
        at = self._rng.randrange(len(players))
        asked = next(players[at], None)
        if asked is None:
            players[at] = self._player(kind)
            asked = next(players[at])
        return asked

    def _player(self, kind: str) -> Iterator[Request]:
        """Yield the requests of a person in all games of a day."""
        games = self._rng.sample(range(len(table_games())), k=GAMES_PER_PLAYER)
        self._players += 1
        a_site = next(self._site_players, None) if self._players % 2 else None
        common, player = a_site or (headers_of(self.spare_key()), None)
        return (
            request(kind, _about(kind, turn, f"game {game}", player), common)
            for game in games
            for turn in table_games()[game].plays
        )

    def _of_table(self) -> Request:
        """Return a request of a table that is not waiting for a reply; open a new table where there is none."""
        for _ in range(3):
            if self._tables and not (table := self._rng.choice(self._tables)).is_waiting:
                if not table.is_done:
                    return table.next()
                self._tables.remove(table)
        self._tables.append(SealedGameTable(self.spare_key(), _stairs(), GAMES_PER_PLAYER))
        return self._tables[-1].next()


def _site_players(operators: Sequence[str]) -> Iterator[tuple[Mapping[str, str], str]]:
    """Yield the headers of each player of each operator, so that all operators have players at any time."""
    common = [headers_of(key) for key in operators]
    for number in range(PLAYERS_AN_OPERATOR):
        for headers in common:
            yield headers, f"player {number}"


def _about(kind: str, turn: RecordedTurn, game: str | None, player: str | None) -> Asked[Any]:
    match kind:
        case "judge":
            return operations.judge(turn.words[:MOST_JUDGED], rules=RULES.id, game=game, player=player)
        case "plays":
            return operations.play(turn.position, turn.move, rules=RULES.id, rack=turn.rack, game=game, player=player)
        case _:
            return operations.score(turn.position, turn.move, rules=RULES.id, rack=turn.rack)


@cache
def _stairs() -> Mapping[str, Sequence[str]]:
    return by_first(common_words())
