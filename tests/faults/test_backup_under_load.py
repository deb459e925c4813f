"""Tests of a backup made while the service answers requests, and restored into an empty folder."""

from __future__ import annotations

import json
import re
import time

import pytest
from keeper import Keeper
from kill_runs import add_operator
from persistent_clients import GENEROUS_SETTINGS, ClientLoad, ServiceConnection
from small_installation import WORDS, SmallInstallation
from supervised_host import SupervisedHost

from ordws.api.services import open_register
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring

pytestmark = pytest.mark.long

RECOVERY_KEY = re.compile(r"^ordws_recovery_[a-z2-7]{58}$", re.MULTILINE)
CLIENT_KEY = re.compile(r"ordws_live_[0-9A-Za-z]{49}")


class Initiated(SmallInstallation):
    """An installation that `ordws init` has made, with a client."""

    def __post_init__(self):
        self.key = ""


def test_a_backup_has_every_acknowledged_change(tmp_path):
    """A restored backup has the clients, devices and editions made under load, and counts today as spent."""
    keeper = Keeper(tmp_path)
    recovery = RECOVERY_KEY.findall(keeper.types("ordws init"))[0]
    instance = Instance(keeper.instance)
    installation = Initiated(instance, Keyring.open(instance.keys), open_register(instance))
    installation.deliver(*WORDS, number=1)
    instance.settings.write_text(GENEROUS_SETTINGS)
    with SupervisedHost(instance.root, tmp_path / "service.log", workers=1) as host:
        with ClientLoad(host.port, add_operator(installation)) as load:
            load.acknowledged.wait_for(20)
            key = CLIENT_KEY.findall(keeper.types("ordws clients add club"))[0]
            installation.deliver(*WORDS, "FLUTIST", number=2)
            with ServiceConnection(host.port, key) as club:
                # A repeat would be answered by the old edition for a day, so the word is asked once.
                while "edition 2 is served now" not in host.log.read_text():
                    load.acknowledged.wait_for(1)
                assert judged(club).body == b'{"valid":true }'
                code = json.loads(club.ask("POST", "/v1/devices", b'{"table": "one"}').body)["code"]
                assert club.ask("POST", "/v1/pair", json.dumps({"code": code}).encode()).status == 200
            keeper.types(f"ordws backup {tmp_path / 'backup'}")
            load.acknowledged.wait_for(20)
        load.check()
    installation.register.close()
    day = int(time.time()) // 86_400
    keeper.types(f"ordws restore {tmp_path / 'backup'} --instance {tmp_path / 'there'}", stdin=f"{recovery}\n")
    with (
        SupervisedHost(tmp_path / "there", tmp_path / "there.log", workers=1) as host,
        ServiceConnection(host.port, key) as club,
    ):
        answer = judged(club)
        if int(time.time()) // 86_400 == day:
            assert (answer.code, json.loads(answer.body)["budget"]) == ("budget-spent", "closed")
        devices = json.loads(club.ask("GET", "/v1/devices").body)
        assert [device["table"] for device in devices["devices"]] == ["one"]
        assert "a worker begins with edition 2" in host.log.read_text()


def judged(line):
    return line.ask("POST", "/v1/judge", b'{"words": ["FLUTIST"]}')
