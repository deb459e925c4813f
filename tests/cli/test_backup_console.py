"""The curators' accounts in backups."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cli_installation import Command, InitResult

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.cases.exhibits import Figures, figures_exhibit
from ordws.cases.facts import Opened
from ordws.cases.store import CaseSubject, open_case_files
from ordws.console.accounts import Accounts, make_accounts
from ordws.instance import Instance

NOON = 1_795_262_400
KEY = bytes(range(32))


def open_accounts(instance: Instance) -> Accounts:
    return Accounts.open(instance.console, instance.console_key.read_bytes())


@pytest.fixture
def accounts(initialized: InitResult) -> Iterator[Accounts]:
    """Return the accounts of an installation whose console is running; Ada is keeper, and signed in."""
    write_atomically(initialized.instance.console_key, KEY, SECRET_MODE)
    accounts = Accounts.open(initialized.instance.console, KEY)
    accounts.add_member("Ada", "keeper", NOON)
    accounts.begin_session("Ada", NOON)
    yield accounts
    accounts.close()


def test_members_and_their_keys_are_restored(
    accounts: Accounts, command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """Members and their key are restored as of the backup, with what was still in the console's write-ahead log."""
    assert initialized.instance.console.with_name("console.db-wal").stat().st_size > 0
    assert command("backup", "file")[0] == 0
    accounts.add_member("Ben", "curator", NOON)
    status, out, err = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    new = Instance(tmp_path / "there")
    assert (status, err) == (0, "")
    assert "1 members of the console, who have to sign in again; open invitations have to be made again\n" in out
    assert stat.S_IMODE(new.console.stat().st_mode) == 0o600
    assert stat.S_IMODE(new.console_key.stat().st_mode) == 0o400
    restored = open_accounts(new)
    assert [(member.name, member.role) for member in restored.active_members()] == [("Ada", "keeper")]
    restored.close()


def test_nobody_is_signed_in_after_a_restore(
    accounts: Accounts, command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """Sessions and one-time links of a backup are void, since a used or ended one must not work again."""
    cookie, _ = accounts.begin_session("Ada", NOON)
    with accounts.transaction() as db:
        db.execute("INSERT INTO invitations VALUES ('ab', 'Ben', 'ben', 'curator', 'cd', 'Ada', ?)", (NOON + 60,))
    command("backup", "file")
    command("restore", "file", "--instance", "there", typed=initialized.recovery)
    restored = open_accounts(Instance(tmp_path / "there"))
    assert accounts.find_session(cookie, NOON) is not None
    assert restored.find_session(cookie, NOON) is None
    with restored.connection() as db:
        assert db.execute("SELECT count(*) FROM invitations").fetchone() == (0,)
    restored.close()


def test_a_backup_does_not_disturb_the_running_console(
    accounts: Accounts, command: Command, initialized: InitResult
) -> None:
    """A backup locks nobody out, and leaves the write-ahead log where the console writes it."""
    command("backup", "file")
    accounts.add_member("Ben", "curator", NOON)
    other = open_accounts(initialized.instance)
    assert [member.name for member in other.active_members()] == ["Ada", "Ben"]
    other.close()


def test_a_backup_is_complete_while_the_console_writes(
    accounts: Accounts, command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """A backup made while accounts are written holds all of them as of one moment."""

    def write() -> None:
        for number in range(100):
            accounts.record_incident("forged", "Ada", NOON + number)

    writer = threading.Thread(target=write)
    writer.start()
    assert command("backup", "file")[0] == 0
    writer.join()
    assert command("restore", "file", "--instance", "there", typed=initialized.recovery)[0] == 0
    restored = open_accounts(Instance(tmp_path / "there"))
    with restored.connection() as db:
        times = [at - NOON for (at,) in db.execute("SELECT at FROM incidents ORDER BY row")]
    assert times == list(range(len(times)))
    restored.close()


def test_a_backup_shows_nothing_of_the_accounts(accounts: Accounts, command: Command, initialized: InitResult) -> None:
    """Neither the console's key nor a page of its database stands in a backup in clear."""
    command("backup", "file")
    data = Path("file").read_bytes()
    assert KEY not in data
    assert b"console.db" not in data
    assert initialized.instance.console.read_bytes()[:200] not in data


def test_accounts_without_their_key_are_not_backed_up(
    accounts: Accounts, command: Command, initialized: InitResult
) -> None:
    """Accounts that would not restore are not backed up, so the keeper learns of it while older backups exist."""
    initialized.instance.console_key.unlink()
    status, out, err = command("backup", "file")
    assert (status, out) == (2, "")
    assert 'console.key" is gone' in err
    assert not Path("file").exists()


def test_damaged_accounts_are_not_backed_up(command: Command, initialized: InitResult) -> None:
    """A database that does not read is an error, and no backup is written."""
    write_atomically(initialized.instance.console_key, KEY, SECRET_MODE)
    initialized.instance.console.write_bytes(b"damaged" * 2_000)
    status, _, err = command("backup", "file")
    assert status == 2
    assert "console.db does not read: wrong key, or damaged" in err
    assert not Path("file").exists()


def test_cases_and_their_reviewers_are_restored(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """The chain of steps verifies after a restore, and nobody is signed in to the reviewers' pages."""
    instance = initialized.instance
    with closing(open_case_files(instance)) as files:
        figures = figures_exhibit(
            Figures(kind="quitting", milestone=120, turns=121, games=9, is_calibrated=True, bands={})
        )
        files.open_case(
            CaseSubject("club/7", "Finch"),
            lambda subject: Opened(
                subject=subject, offence="quitting", is_minor=False, is_calibrated=True, first_game=1, last_game=2
            ),
            figures_exhibit(figures),
            "Kay",
            NOON,
        )
        head = files.head
    with closing(make_accounts(instance.reviewers, instance.reviewers_key)) as accounts:
        accounts.add_member("Rita", "reviewer", NOON)
        cookie, _ = accounts.begin_session("Rita", NOON)
        assert command("backup", "file")[0] == 0
    status, out, err = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    assert (status, err) == (0, "")
    assert "case files of 2 steps" in out
    assert "1 reviewers and keepers of cases, who have to sign in again" in out
    new = Instance(tmp_path / "there")
    with closing(open_case_files(new)) as files:
        assert files.verify(head) == 2
    with closing(make_accounts(new.reviewers, new.reviewers_key)) as accounts:
        assert accounts.find_session(cookie, NOON) is None
