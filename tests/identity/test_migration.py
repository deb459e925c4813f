"""Tests of the migration of earlier registers."""

from __future__ import annotations

import hmac
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from subprocess import PIPE

import pytest

from ordws.errors import StoreDown
from ordws.identity.client_key import write_key
from ordws.identity.devices import Devices
from ordws.identity.register import KeyInfo, Register, RegisteredClient
from ordws.identity.schema import SPLIT_ONE_TABLE

PEPPER = b"p" * 32
NOW = 1_000
BOTH = frozenset({"judge", "game"})
HOME, CLUB, GONE, NEW = (write_key(bytes([number]) * 32) for number in range(4))
ONE_TABLE = """
    pragma journal_mode = wal;
    create table clients (
        id integer primary key autoincrement,
        name text not null unique,
        kind text not null,
        digest blob not null unique,
        created integer not null,
        revoked integer,
        verified integer
    ) strict;
"""
CLIENTS = (
    RegisteredClient(3, "home", "home", 10, None, None, None, BOTH, False),
    RegisteredClient(5, "gone", "home", 20, 40, None, None, BOTH, False),
    RegisteredClient(8, "club", "operator", 30, None, 35, None, BOTH, False),
)


@pytest.fixture
def path(tmp_path):
    """Write a register with one table, as it was before, with three clients."""
    path = tmp_path / "clients.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(ONE_TABLE)
        for client, key in zip(CLIENTS, (HOME, GONE, CLUB), strict=True):
            digest = hmac.new(PEPPER, key.encode(), "sha256").digest()
            db.execute(
                "insert into clients (id, name, kind, digest, created, revoked, verified) values (?, ?, ?, ?, ?, ?, ?)",
                (client.id, client.name, client.kind, digest, client.created, client.revoked, client.verified),
            )
    return path


def tables(path):
    with closing(sqlite3.connect(path)) as db:
        return {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}


def whole(path):
    """Return all that the register holds, and the clients of its keys."""
    with closing(Register.open(path, PEPPER)) as register:
        known = [register.identify(f"Bearer {key}", NOW) for key in (HOME, GONE, CLUB)]
        return register.list(), register.live_keys(NOW), known


SAME = (CLIENTS, {3: (KeyInfo(10, None),), 8: (KeyInfo(30, None),)}, [CLIENTS[0], None, CLIENTS[2]])


@pytest.mark.parametrize("door", [Register.open, Register.create])
def test_clients_and_keys_stay(path, door):
    """Ids, dates and keys must stay the same, and a revoked client must stay revoked."""
    door(path, PEPPER).close()
    assert tables(path) == {"clients", "keys", "devices", "codes", "play_links", "sqlite_sequence"}
    assert whole(path) == SAME


def test_a_migrated_register_is_not_migrated_again(path):
    """Opening a migrated register again must change nothing, and keep what was added since."""
    with closing(Register.open(path, PEPPER)) as register:
        register.add("new", "home", 50, lambda _: bytes([3]) * 32)
        register.add_key("club", 60)
    with closing(Register.create(path, PEPPER)) as register:
        assert register.list() == (*CLIENTS, RegisteredClient(9, "new", "home", 50, None, None, None, BOTH, False))
        assert register.live_keys(NOW)[8] == (KeyInfo(30, None), KeyInfo(60, None))
        assert register.identify(f"Bearer {NEW}", NOW).id == 9


def test_a_killed_migration_leaves_the_old_table_whole(path):
    """A process killed during the migration must leave the old table whole, and the next process migrates it."""
    dying = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from ordws.identity import schema\n"
        "from ordws.identity.register import Register\n"
        "def dying(steps, last):\n"
        "    yield from steps[:last]\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "schema.SPLIT_ONE_TABLE = dying(schema.SPLIT_ONE_TABLE, int(sys.argv[2]))\n"
        f"Register.open(Path(sys.argv[1]), {PEPPER!r})\n"
    )
    for step in range(len(SPLIT_ONE_TABLE) + 1):
        killed = subprocess.run([sys.executable, "-c", dying, str(path), str(step)], check=False)
        assert killed.returncode == -signal.SIGKILL
        assert tables(path) == {"clients", "sqlite_sequence"}
    assert whole(path) == SAME


def test_concurrent_processes_migrate_once(path):
    """Four processes that open a locked register at once must each then find all clients and their keys."""
    opening = (
        "import sys\n"
        "from pathlib import Path\n"
        "from ordws.identity.register import Register\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print('opening', flush=True)\n"
        f"register = Register.open(Path(sys.argv[1]), {PEPPER!r})\n"
        f"print(len(register.list()), register.identify('Bearer {CLUB}', {NOW}).id)\n"
    )
    command = [sys.executable, "-c", opening, str(path)]
    processes = [subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) for _ in range(4)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 4
    with closing(sqlite3.connect(path, isolation_level=None)) as locking:
        locking.execute("begin immediate")
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        assert [process.stdout.readline() for process in processes] == ["opening\n"] * 4
        locking.execute("rollback")
    assert [process.communicate()[0] for process in processes] == ["3 8\n"] * 4
    assert whole(path) == SAME


LATER_TABLES = ("drop table devices", "drop table codes", "drop table play_links")
"""The statements that turn a register of today into one without devices."""


@pytest.fixture
def without_devices(path):
    Register.open(path, PEPPER).close()
    with closing(sqlite3.connect(path)) as db, db:
        for statement in LATER_TABLES:
            db.execute(statement)
    assert tables(path) == {"clients", "keys", "sqlite_sequence"}
    return path


@pytest.mark.parametrize("door", [Register.open, Register.create, Devices.open])
def test_a_register_without_devices_gets_their_tables(without_devices, door):
    """A register without devices must keep its clients and keys, and can then pair a device."""
    door(without_devices, PEPPER).close()
    assert whole(without_devices) == SAME
    with closing(Devices.open(without_devices, PEPPER)) as devices:
        code = devices.issue_code(CLIENTS[2], "Table 3", NOW)
        assert devices.pair(code.text, NOW).client.id == 8


def test_a_register_without_tables_is_not_made_by_opening_it(tmp_path):
    """An emptied file is a lost register: it must identify nobody and must not be created anew."""
    path = tmp_path / "clients.db"
    path.touch()
    with closing(Register.open(path, PEPPER)) as register, pytest.raises(StoreDown, match="no such table"):
        register.identify(f"Bearer {HOME}", NOW)
    assert tables(path) == set()


WITHOUT_DIRECTORS = (
    "alter table devices drop column director",
    "alter table devices drop column seen",
    "alter table codes drop column director",
)
"""The statements that turn a register of today into one whose devices are all tables'."""
WITHOUT_KEYS = ("alter table devices drop column signing_key",)
"""The statement that turns a register of today into one whose devices sign nothing."""


@pytest.mark.parametrize("statements", [WITHOUT_DIRECTORS, WITHOUT_KEYS, WITHOUT_DIRECTORS + WITHOUT_KEYS])
def test_a_register_without_directors_or_keys_keeps_its_devices(path, statements):
    """Devices and codes of a register without directors' devices or keys must stay, and those can then be paired."""
    Register.open(path, PEPPER).close()
    with closing(Devices.open(path, PEPPER)) as devices:
        club = CLIENTS[2]
        token = devices.pair(devices.issue_code(club, "Table 3", NOW).text, NOW).token
        code = devices.issue_code(club, "Table 4", NOW).text
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)
    with closing(Devices.open(path, PEPPER)) as devices:
        device = devices.identify(token, NOW).device
        assert (device.table, device.signing_key, devices.register_key(device.id, b"k")) == ("Table 3", None, b"k")
        assert devices.pair(code, NOW).client.device.is_director is False
        assert devices.pair(devices.issue_code(club, "Ann", NOW, director=True).text, NOW).client.device.is_director
