"""The queue of fair play: the results of finished games, and their rows while they are kept."""

from __future__ import annotations

from random import SystemRandom
from typing import NamedTuple

from ordws.errors import Missing
from ordws.instance import Instance
from ordws.referee.game_store import GameStore
from ordws.referee.games import SealedGames
from ordws.referee.results import Results, ResultStore


class FinishedGames(NamedTuple):
    """The results of finished games, and the games themselves."""

    results: Results
    games: SealedGames


def open_queue(instance: Instance, redis: str | None) -> FinishedGames:
    """Open the finished games of an installation, in its files or on its Redis; raises Missing where there are none."""
    try:
        key = instance.games_key.read_bytes()
    except OSError as err:
        hint = "ordws serve makes it as it starts"
        raise Missing(f'no key at "{instance.games_key}": {err.strerror}', hint=hint) from err
    rows: GameStore
    results: ResultStore
    if redis is None:
        from ordws.referee.stores.sqlite import SqliteGameStore, SqliteResultStore

        if not instance.results.exists():
            raise Missing(f'no results of games in "{instance.root}"', hint="ordws serve makes them as it starts")
        rows, results = SqliteGameStore(instance.games), SqliteResultStore(instance.results)
    else:
        # An installation on one host need not have the redis package.
        from ordws.referee.stores.redis import RedisGameStore, RedisResultStore

        rows, results = RedisGameStore(redis), RedisResultStore(redis)
    return FinishedGames(Results(results, key), SealedGames(rows, key, SystemRandom()))
