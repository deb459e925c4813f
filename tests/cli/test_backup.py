"""`ordws backup`: the contents of a backup."""

from __future__ import annotations

import re
import sqlite3
import stat
from contextlib import closing
from datetime import datetime
from pathlib import Path

from cli_installation import Command, InitResult, accepts_key, add_override, open_ledger, read_secret_files

from ordws.desk.desk_key import DeskKey
from ordws.desk.sessions import DeskSessions
from ordws.guard.charge import Admitted, Refused
from ordws.guard.gate import Gate
from ordws.guard.policy import Policy
from ordws.guard.question import Identity, Question
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.instance import Instance
from ordws.tournament.commands import Create, Enter
from ordws.tournament.store import EventFile


def test_a_restored_installation_is_as_it_was(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """A restored installation has the same keys, words, ledger, clients and mark; only meters and games are new."""
    instance, client, recovery = initialized
    with open_ledger(instance) as ledger:
        add_override(ledger, "BLORT")
        head = ledger.head
    instance.build_record.write_text('{"counts": {"words": 3}}')
    LmdbMeterStore.create(instance.meters).close()
    assert command("backup", "file")[0] == 0
    status, out, err = command("restore", "file", "--instance", "there", typed=f" {recovery.upper()}\n")
    restored = Instance(tmp_path / "there")
    assert (status, err) == (0, "")
    assert "edition 1 (ORDWS 2026), a ledger of 1 links, 1 clients\n" in out
    before, after = read_secret_files(instance), read_secret_files(restored)
    for name in ("meter.key", "games.key", "stream.key", "computer.key"):
        assert after.pop(name) != before.pop(name)
    assert after == before
    assert {stat.S_IMODE((restored.keys / name).stat().st_mode) for name in after} == {0o400}
    assert stat.S_IMODE((restored.keys / "signing-1.pub").stat().st_mode) == 0o644
    for path in ("ordws.sealed", "public/core", "public/reference", "edition.mark", "build.json"):
        assert (restored.root / path).read_bytes() == (instance.root / path).read_bytes()
    with open_ledger(restored) as ledger:
        assert ledger.head == head
        assert list(ledger.overrides()) == ["BLORT"]
    assert accepts_key(restored, client)
    assert command("status", "--instance", "there")[0] == 0


def test_events_are_backed_up(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """Events come back as they were at the backup, whatever was written then; no session of the desk does."""
    instance = initialized.instance
    instance.tournaments.mkdir()
    DeskSessions.create(instance.desk_sessions, instance.tournaments, DeskKey.open(instance.desk_key))
    create = Create(name="Club", rules="classic", rounds=3, seed=1)
    with closing(EventFile.create(instance.tournament("club"), create, actor="desk", now=1)) as event:
        event.apply(Enter(name="Ann"), actor="desk", now=2)
        with closing(sqlite3.connect(event.path)) as writer:
            writer.execute("begin immediate")
            writer.execute("delete from facts")
            assert command("backup", "file")[0] == 0
    status, out, err = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    assert (status, err) == (0, "")
    assert "1 events, as they were at the backup: ordws tournament status FILE\n" in out
    assert [path.name for path in Instance(tmp_path / "there").tournaments.iterdir()] == ["club.db"]
    restored = Instance(tmp_path / "there").tournament("club")
    assert stat.S_IMODE(restored.stat().st_mode) == 0o600
    with closing(EventFile.open(restored)) as again:
        assert (again.facts, again.head) == (event.facts, event.head)


def test_restored_meters_count_today_as_spent(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """Until the next midnight UTC the restored meters refuse every question, and the keeper is told."""
    command("backup", "file")
    _, out, _ = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    (reopens,) = re.findall(r"questions are answered again from (\d{4}-\d\d-\d\d 00:00) UTC\n$", out)
    midnight = int(datetime.fromisoformat(f"{reopens}+00:00").timestamp())
    store = LmdbMeterStore(tmp_path / "there/meters")
    gate = Gate(Policy(), store, b"k" * 32)
    asked = Identity("1", 0), Question(("QUIZ",), 1), frozenset()
    assert gate.admit(*asked, midnight - 86_400) == Refused("closed", 86_400)
    assert gate.admit(*asked, midnight - 1) == Refused("closed", 1)
    assert isinstance(gate.admit(*asked, midnight), Admitted)
    store.close()
    assert 0 <= midnight - (tmp_path / "there").stat().st_ctime <= 86_400


def test_a_backup_is_complete_while_the_ledger_is_written(
    command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """A backup holds what stands in the write-ahead log of a ledger that another process has open."""
    instance, recovery = initialized.instance, initialized.recovery
    with open_ledger(instance) as ledger:
        add_override(ledger, "BLORT")
        assert (instance.root / "curation.db-wal").stat().st_size > 0
        assert command("backup", "file")[0] == 0
        add_override(ledger, "FLEEB")
    command("restore", "file", "--instance", "there", typed=recovery)
    with open_ledger(Instance(tmp_path / "there")) as ledger:
        assert list(ledger.overrides()) == ["BLORT"]


def test_a_backup_shows_no_secret(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """A backup shows no key, word, name or file format in clear, and no other file is left behind."""
    instance = initialized.instance
    command("backup", "file")
    data = Path("file").read_bytes()
    assert data.startswith(b"ORDWB1\n")
    assert stat.S_IMODE(Path("file").stat().st_mode) == 0o600
    for part in (
        *read_secret_files(instance).values(),
        b"QUIZZIFY",
        b"We love Marisa",
        b"SQLite",
        b"pepper.key",
        b"ORDW1\n",
        instance.sealed_edition.read_bytes()[:200],
    ):
        assert len(part) >= 6, "a shorter text stands in random bytes by chance"
        assert part not in data
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "instance"]


def test_a_backup_does_not_replace_a_file(command: Command, initialized: InitResult) -> None:
    """An existing file is left as it is."""
    Path("file").write_text("mine")
    status, out, err = command("backup", "file")
    assert (status, out) == (1, "")
    assert 'ordws: error: "file" exists already, nothing was written\n' in err
    assert Path("file").read_text() == "mine"


def test_a_serving_host_writes_no_backup(command: Command) -> None:
    """An installation without a recovery key writes no backup."""
    command("init", "--serving")
    status, out, err = command("backup", "file")
    assert (status, out) == (2, "")
    assert '"instance" has no recovery key' in err
    assert not Path("file").exists()


def test_a_damaged_ledger_is_not_backed_up(command: Command, initialized: InitResult) -> None:
    """A ledger that would not restore is not backed up, so the keeper learns of it while older backups exist."""
    instance = initialized.instance
    instance.ledger_head.write_bytes(b"damaged")
    status, out, err = command("backup", "file")
    assert (status, out) == (2, "")
    assert "the signed head curation.head is damaged" in err
    assert not Path("file").exists()
