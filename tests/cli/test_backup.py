"""`ordws backup`: the contents of a backup."""

from __future__ import annotations

import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

from cli_installation import Command, InitResult, accepts_key, add_override, open_ledger, read_secret_files

from ordws.atomic_files import write_atomically
from ordws.desk.desk_key import DeskKey
from ordws.desk.sessions import DeskSessions
from ordws.guard.charge import Admitted, Identity, Question, Refused
from ordws.guard.gate import Gate
from ordws.guard.policy import Policy
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.instance import Instance
from ordws.tournament.commands import Enter
from ordws.tournament.facts import Created
from ordws.tournament.store import EventFile

CREATE = Created(name="Club", rules="classic", rounds=3, seed=1)


def head_of(instance: Instance) -> str:
    """Return the last hash of the club's event."""
    with closing(EventFile.open(instance.tournament("club"))) as event:
        return event.head


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
    with closing(EventFile.create(instance.tournament("club"), CREATE, actor="desk", now=1)) as event:
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


def test_a_serving_host_backs_up_what_it_has(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """With the build host's public recovery key a serving host saves its clients and events, and gets them back."""
    build, host, there = initialized.instance, Instance(tmp_path / "host"), Instance(tmp_path / "there")
    assert command("publish", "--to", "published")[0] == 0
    opening = str(build.keys / "opening-1.key")
    assert command("init", "--serving", "--from", "published", "--opening-key", opening, "--instance", "host")[0] == 0
    status, out, err = command("backup", "file", "--instance", "host")
    assert (status, out) == (2, "")
    assert 'host" has no recovery key' in err
    assert not Path("file").exists()

    write_atomically(host.keys / "recovery.pub", build.recovery_public_key.read_bytes())
    command("clients", "add", "club", "--instance", "host")
    host.tournaments.mkdir(exist_ok=True)
    EventFile.create(host.tournament("club"), CREATE, actor="desk", now=1).close()
    (host.tournaments / "2027.toml").write_text("[quarters]\n")
    assert command("backup", "file", "--instance", "host")[0] == 0
    status, out, err = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    assert (status, err) == (0, "")
    assert "edition 1 (ORDWS 2026), no ledger, 2 clients\n" in out
    assert head_of(there) == head_of(host)
    assert (there.tournaments / "2027.toml").read_text() == "[quarters]\n"
    assert "fault" not in command("status", "--instance", "there")[1]


def test_an_event_that_cannot_be_opened_keeps_nothing_from_being_restored(
    command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """Damaged and empty files are put aside by a restore, and told; everything else is there."""
    tournaments = initialized.instance.tournaments
    tournaments.mkdir()
    EventFile.create(tournaments / "club.db", CREATE, actor="desk", now=1).close()
    (tournaments / "empty.db").touch()
    (tournaments / "noise.db").write_bytes(b"noise " * 4_000)
    status, _, err = command("backup", "file")
    assert status == 0
    assert '"noise.db" cannot be copied: file is not a database; its bytes are in the backup as they are\n' in err
    status, out, _ = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    assert status == 0
    assert "1 events, as they were at the backup" in out
    assert "put aside as empty.damaged: " in out
    assert "put aside as noise.damaged: " in out
    assert (Instance(tmp_path / "there").tournaments / "noise.damaged").read_bytes() == b"noise " * 4_000


def test_a_writer_killed_in_a_commit_stops_no_backup(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """What a killed process left half written is taken back, and the event is backed up as it was before."""
    initialized.instance.tournaments.mkdir()
    path = initialized.instance.tournament("club")
    EventFile.create(path, CREATE, actor="desk", now=1).close()
    head = head_of(initialized.instance)
    program = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('pragma cache_size = 1'); db.execute('pragma cache_spill = 1'); db.execute('begin immediate');"
        "db.execute('create table more (x)');"
        "[db.execute('insert into more values (zeroblob(4000))') for _ in range(99)]; os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, path], check=False)
    assert path.with_name("club.db-journal").stat().st_size > 0
    assert command("backup", "file")[0] == 0
    assert command("restore", "file", "--instance", "there", typed=initialized.recovery)[0] == 0
    assert head_of(Instance(tmp_path / "there")) == head


def test_a_damaged_ledger_is_not_backed_up(command: Command, initialized: InitResult) -> None:
    """A ledger that would not restore is not backed up, so the keeper learns of it while older backups exist."""
    instance = initialized.instance
    instance.ledger_head.write_bytes(b"damaged")
    status, out, err = command("backup", "file")
    assert (status, out) == (2, "")
    assert "the signed head curation.head is damaged" in err
    assert not Path("file").exists()
