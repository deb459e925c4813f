"""Whole games of every rule set in two browser windows, by clicks, taps and typing alone.

The service keeps them in Redis and stands behind nginx; that of test_play_table.py has neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from page_fixtures import Tables
from redis_server import DURABLE, RedisServer
from sealed_game import Player
from service_process import ServiceProcess
from small_installation import SmallInstallation
from table_games import TableGame, TableGames, run_dealing_service, table_installation
from table_page import KeyTablePage, NarrowKeyTablePage, TablePage, TouchTablePage

from ordws.guard.stores.redis import RedisMeterStore
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from tests.load.nginx_proxy import nginx_proxy

pytestmark = pytest.mark.long

MOST_TURNS = 60
GAMES: Final[dict[str, tuple[str, type[TablePage], type[TablePage]]]] = {
    "classic": ("SWNINZDWTTAAEPASIGEIVINT", KeyTablePage, TouchTablePage),
    "scrabble-i-classic": ("KEI?UHGX?LGIYBITOIENTAND", TouchTablePage, KeyTablePage),
    "scrabble-o": ("MYEAOG?ESP?LTZSIILULTRHR", KeyTablePage, NarrowKeyTablePage),
    "scrabble-i": ("VPKCPDESTLSR?HI?LUPAAAEG", TouchTablePage, KeyTablePage),
    "dover": ("REIHAEOYSFNRIOOXORLRU?GW", KeyTablePage, TouchTablePage),
}
"""The tiles of each game in the order in which they are drawn, and its players: by keys, or by touch at 320 px."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def shared_installation(folder: Path) -> Iterator[SmallInstallation]:
    """Yield an installation that keeps its games and meters in Redis, as on several hosts."""
    with (
        RedisServer(folder / "redis", *DURABLE) as redis,
        table_installation(folder, f'[store]\nredis = "{redis.url}"\n') as installation,
    ):
        RedisMeterStore.create(redis.url).close()
        yield installation


@pytest.fixture(scope="module")
def served(shared_installation: SmallInstallation, folder: Path) -> Iterator[ServiceProcess]:
    """Run the service and its stream as they are behind a proxy."""
    stream = f"unix:{folder / 'stream.sock'}"
    service = run_dealing_service(shared_installation, folder, "--bind", "127.0.0.1:0", "--stream", stream)
    yield service
    service.stop()


@pytest.fixture(scope="module")
def proxy(served: ServiceProcess, folder: Path) -> Iterator[int]:
    """Run nginx in front of both, as shipped, and yield its port."""
    stream = f"unix:{folder / 'stream.sock'}"
    with nginx_proxy(folder, f"127.0.0.1:{served.port}", stream=stream) as port:
        yield port


@pytest.fixture
def games(tables: Tables, folder: Path, proxy: int) -> TableGames:
    tables.url = f"http://localhost:{proxy}"
    return TableGames(tables, folder / "deal")


def play_out(game: TableGame, rng: Random) -> list[str]:
    """Play a game to its end by what each seat is told; return what happened, turn by turn."""
    players = [Player(rng, daring=0.3) for _ in game.tables]
    outcomes = []
    standing = game.standing(0)
    while standing["phase"] != "over":
        mover = standing["mover"]
        seen = standing if standing["you"] == mover else game.standing(mover)
        standing = game.make(mover, players[mover].act(seen)[0], seen)
        outcomes.append(standing["last"]["outcome"])
        assert len(outcomes) < MOST_TURNS
    return outcomes


@pytest.mark.parametrize("rules", GAMES)
def test_a_whole_game_in_two_windows(rules, games):
    """A game must come to its end without anything but its two windows, and its record must replay exactly."""
    order, *kinds = GAMES[rules]
    game = games.open(rules, *kinds, order=order)
    outcomes = play_out(game, Random(rules))
    assert len(set(outcomes)) >= 4, outcomes
    audited = audit_record(read_gcg(game.record().encode()))
    assert audited.is_exact, audited.findings
    assert list(audited.totals.values()) == [seat["score"] for seat in game.fetch(0)["seats"]]
