"""`ordws backup`: everything of an installation that cannot be made again, in one encrypted file."""

from __future__ import annotations

import fcntl
import io
import json
import os
import stat
import tarfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import click

from ordws.api.services import open_editions
from ordws.atomic_files import PRIVATE_MODE, write_atomically
from ordws.cli import fail, instance_option
from ordws.cli.editions import has_edition, open_edition_store
from ordws.cli.recovery import encrypt
from ordws.console.accounts import Accounts
from ordws.curation.ledger import Ledger
from ordws.database import copy_database
from ordws.errors import BadInput, Broken, Missing
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring


class BackupFile(NamedTuple):
    """A file of the installation as it goes into a backup; `name` is its path in the installation."""

    name: str
    mode: int
    data: bytes


@click.command("backup")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
@click.pass_context
def command(ctx: click.Context, file: str, as_json: bool, instance: str | None) -> None:
    """Write keys, editions, ledger, accounts, clients, cases and events to FILE, encrypted to the recovery key.

    The service and the console may go on running. Meters, directors' logs and running games are left out, with their
    keys: no record of what was asked is to be kept. `ordws restore` reads the file.

    An existing file is not overwritten, which is status 1. The file begins ORDWB1 and a line feed; the rest is HPKE
    (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM. The JSON has file and bytes.

    A serving host backs up what it has, once keys/recovery.pub of the build host is copied into its keys. An event that
    cannot be read is backed up as its bytes, with a warning.

    \b
    Example:
      ordws backup ordws-2026-11-20.backup
    """
    installation, target = Instance.locate(instance), Path(file)
    if target.exists():
        fail(f'"{target}" exists already, nothing was written', hint="name another file")
        ctx.exit(1)
    if not installation.recovery_public_key.exists():
        hint = "copy keys/recovery.pub from the build host into the keys of this one"
        raise Missing(f'"{installation.root}" has no recovery key', hint=hint)

    data = encrypt(pack(collect_files(installation)), installation.recovery_public_key.read_bytes())
    try:
        write_atomically(target, data, PRIVATE_MODE)
    except OSError as error:
        raise BadInput(f'"{target}" cannot be written: {error.strerror}') from error
    if as_json:
        click.echo(json.dumps({"file": str(target), "bytes": len(data)}))
        return
    click.echo(f'wrote "{target}", {len(data):,} bytes; only the recovery key opens it')


def collect_files(instance: Instance) -> list[BackupFile]:
    """Return every file of a backup, each database as it was at one moment; raise if one of them would not restore."""
    keyring = Keyring.open(instance.keys)
    # No edition may be sealed meanwhile, or the parts of the backup would belong to different ones.
    with instance.seal_lock():
        if has_edition(instance):
            open_editions(instance, adopting=True)
        if keyring.signing_numbers:  # a serving host has no ledger
            Ledger.open(instance.ledger, instance.ledger_head, instance.ledger_key.read_bytes(), keyring).close()
        editions = open_edition_store(instance)
        adopted = editions.folder(editions.read_mark())
        # Meters and games are not backed up, so their keys would open nothing.
        keys_of_this_host = (instance.meter_key, instance.games_key, instance.stream_key, instance.computer_key)
        paths = [
            *(path for path in instance.keys.iterdir() if path not in keys_of_this_host),
            instance.sealed_edition,
            instance.core,
            instance.reference,
            instance.charged,
            instance.common,
            instance.own_reference,
            instance.notices,
            instance.edition_mark,
            # The copy of the adopted edition is good even if the delivered file is damaged.
            *(adopted.iterdir() if adopted.exists() else ()),
            instance.build_record,
            instance.fairplay_forms,
            instance.fairplay_false_flags,
            instance.register,
            *instance.tournaments.glob("*.toml"),
        ]
        files = [
            _read_file(instance, path) for path in sorted(paths) if path.is_file() and not path.name.startswith(".")
        ]
        log = instance.ledger.with_name(instance.ledger.name + "-wal")
        lock = os.open(instance.ledger.with_name(instance.ledger.name + ".lock"), os.O_RDWR | os.O_CREAT, PRIVATE_MODE)
        try:
            # Every append to the ledger holds this lock, so the ledger, its log and its head fit together.
            fcntl.flock(lock, fcntl.LOCK_EX)
            ledger = (instance.ledger, log, instance.ledger_head)
            files += [_read_file(instance, path) for path in ledger if path.exists()]
        finally:
            os.close(lock)
        files += _read_accounts(instance, instance.console, instance.console_key)
        files += _read_accounts(instance, instance.reviewers, instance.reviewers_key)
        files += [
            BackupFile(str(path.relative_to(instance.root)), PRIVATE_MODE, copy_database(path))
            for path in (instance.clients, instance.fairplay, instance.cases)
            if path.exists()
        ]
        files += [_read_event(instance, path) for path in sorted(instance.tournaments.glob("*.db"))]
    return files


def pack(files: list[BackupFile]) -> bytes:
    """Return the files as a tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, mode, data in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), mode
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _read_file(instance: Instance, path: Path) -> BackupFile:
    return BackupFile(str(path.relative_to(instance.root)), stat.S_IMODE(path.stat().st_mode), path.read_bytes())


def _read_event(instance: Instance, path: Path) -> BackupFile:
    """Return an event as it was at one moment; of one that SQLite cannot read its bytes, since others must be saved."""
    try:
        return BackupFile(str(path.relative_to(instance.root)), PRIVATE_MODE, copy_database(path))
    except Broken as error:
        fail(f"{error}; its bytes are in the backup as they are", hint=f"ordws tournament verify {path}")
        return _read_file(instance, path)


def _read_accounts(instance: Instance, path: Path, key: Path) -> list[BackupFile]:
    """Return a database of accounts and its write-ahead log as one transaction left them, or nothing without one."""
    if not path.exists():
        return []

    if not key.exists():
        raise Missing(f'the key of the accounts "{key}" is gone', hint="ordws restore, from a backup")
    log = path.with_name(path.name + "-wal")
    with ExitStack() as stack:
        accounts = Accounts.open(path, key.read_bytes())
        # Closing a file gives up every POSIX lock of this process on it, SQLite's too, so both files are read before
        # either is closed.
        files = [(each, stack.enter_context(each.open("rb"))) for each in (path, log)]
        stack.callback(accounts.close)
        with accounts.transaction():
            return [BackupFile(str(each.relative_to(instance.root)), PRIVATE_MODE, file.read()) for each, file in files]
