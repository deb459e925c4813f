"""Practice on two hosts that share one Redis: the program of each plays the games that were opened there."""

from __future__ import annotations

import shutil

import pytest
from invited_game import Browser
from redis_server import DURABLE, RedisServer
from sealed_game import install_game_edition
from small_installation import InProcessService

from ordws.api.practice_register import write_credential
from ordws.api.services import open_services
from ordws.guard.stores.redis import RedisMeterStore
from ordws.instance import Instance


@pytest.fixture
def hosts(installation, clock, tmp_path):
    """Yield the services of two hosts with the same keys and folders of their own."""
    install_game_edition(installation)
    with RedisServer(tmp_path / "redis", *DURABLE) as redis:
        installation.instance.settings.write_text(f'[store]\nredis = "{redis.url}"\n')
        shutil.rmtree(installation.instance.meters)
        RedisMeterStore.create(redis.url).close()
        other = shutil.copytree(installation.instance.root, tmp_path / "other")
        services = [installation.services(), open_services(Instance(other))]
        installation.opened.append(services[1])  # so that it is closed too
        yield [InProcessService(each, installation.key, clock) for each in services]


def test_each_host_serves_its_own_games(hosts, installation):
    """A game is due at the host that opened it, wherever its person moves; a review is due where it was asked for."""
    credential = write_credential(installation.instance.computer_key.read_bytes())

    def due(host):
        return host.http.post("/v1/practice/due", json={"credential": credential}).json

    for host in hosts:
        due(host)  # its program is there
    first, second = hosts
    opened = first.http.post("/v1/practice", json={"first": "me"}, headers={"Origin": "http://localhost"})
    game = opened.json["game"]
    ann = Browser(second, game)
    ann.cookie = opened.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    ann.take("/turns", turn=ann.standing()["turn"], move="-")
    assert (due(second)["games"], due(second)["turns"]) == (0, [])
    [turn] = due(first)["turns"]
    program = Browser(first, game)
    program.cookie = turn["cookie"]
    program.take("/turns", turn=turn["standing"]["turn"], move="-")
    ann.take("/turns", turn=ann.standing()["turn"], move="resign")
    assert ann.take("/review")["state"] == "waiting"
    assert (due(first)["games"], due(first)["review"], due(second)["review"]["game"]) == (0, None, game)
