"""`ordws backup`: all that an installation cannot make again, in one encrypted file."""

from __future__ import annotations

import fcntl
import io
import os
import sqlite3
import stat
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from ordws.atomic_files import PRIVATE_MODE, write_atomically
from ordws.cli import fail, instance_option
from ordws.errors import BadInput, Missing
from ordws.instance import Instance


class BackupFile(NamedTuple):
    """A file of the installation as it goes into a backup; `name` is its path in the installation."""

    name: str
    mode: int
    data: bytes


@click.command()
@click.argument("file", metavar="FILE")
@instance_option
@click.pass_context
def command(ctx: click.Context, file: str, instance: str | None) -> None:
    """Write keys, editions, ledger, accounts and clients to FILE, encrypted to the recovery key.

    Service and console may go on running. Meters, directors' logs and running games stay out of it, with their keys:
    what was asked is nobody's to keep. `ordws restore` reads the file.

    \b
    Example:
      ordws backup ordws-2026-11-20.backup
    """
    here, target = Instance.locate(instance), Path(file)
    if target.exists():
        fail(f'"{target}" is there already, nothing was written', hint="name another file")
        ctx.exit(1)
    if not here.recovery_public_key.exists():
        raise Missing(f'"{here.root}" has no recovery key', hint="backups are made where editions are built")
    from ordws.cli.recovery import encrypt

    data = encrypt(pack(collect_files(here)), here.recovery_public_key.read_bytes())
    try:
        write_atomically(target, data, PRIVATE_MODE)
    except OSError as error:
        raise BadInput(f'"{target}" cannot be written: {error.strerror}') from error
    click.echo(f'wrote "{target}", {len(data):,} bytes; only the recovery key opens it')


def collect_files(instance: Instance) -> list[BackupFile]:
    """Every file that a backup holds, each at one moment of its own; raises where one of them would not restore."""
    from ordws.api.services import open_editions
    from ordws.cli.editions import has_edition, open_edition_store
    from ordws.curation.ledger import Ledger
    from ordws.lexicon.keyring import Keyring

    keyring = Keyring.open(instance.keys)
    with instance.seal_lock():
        if has_edition(instance):
            open_editions(instance, adopting=True)
        Ledger.open(instance.ledger, instance.ledger_head, instance.ledger_key.read_bytes(), keyring).close()
        kept = open_edition_store(instance)
        adopted = kept.folder(kept.read_mark())
        of_this_host = (instance.meter_key, instance.games_key)
        paths = [
            *(path for path in instance.keys.iterdir() if path not in of_this_host),
            instance.sealed_edition,
            instance.core,
            instance.reference,
            instance.notices,
            instance.edition_mark,
            *(adopted.iterdir() if adopted.exists() else ()),
            instance.build_record,
        ]
        saved = [
            _read_file(instance, path) for path in sorted(paths) if path.is_file() and not path.name.startswith(".")
        ]
        return [*saved, *_read_ledger(instance), *_read_console(instance), _read_clients(instance)]


def pack(files: list[BackupFile]) -> bytes:
    """The files as one tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, mode, data in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), mode
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _read_file(instance: Instance, path: Path) -> BackupFile:
    return BackupFile(str(path.relative_to(instance.root)), stat.S_IMODE(path.stat().st_mode), path.read_bytes())


def _read_ledger(instance: Instance) -> list[BackupFile]:
    """The ledger, its write-ahead log and its head as one append left them: nothing is written under its lock."""
    with _locked(instance.ledger.with_name(instance.ledger.name + ".lock")):
        log = instance.ledger.with_name(instance.ledger.name + "-wal")
        return [_read_file(instance, path) for path in (instance.ledger, log, instance.ledger_head) if path.exists()]


def _read_console(instance: Instance) -> list[BackupFile]:
    """The curators' accounts and their write-ahead log at one moment: nothing is written in a transaction of ours.

    A file is read as a whole before any is closed, for closing one gives up the locks that keep the log where it is.
    """
    if not instance.console.exists():
        return []
    from ordws.console.database import open_database
    from ordws.curation.sqlcipher import immediate_transaction

    if not instance.console_key.exists():
        raise Missing(f'the key of the accounts "{instance.console_key}" is gone', hint="ordws restore, from a backup")
    log = instance.console.with_name(instance.console.name + "-wal")
    with ExitStack() as stack:
        db = open_database(instance.console, instance.console_key.read_bytes())
        files = [(path, stack.enter_context(path.open("rb"))) for path in (instance.console, log)]
        stack.callback(db.close)
        with immediate_transaction(db):
            return [BackupFile(str(path.relative_to(instance.root)), PRIVATE_MODE, file.read()) for path, file in files]


def _read_clients(instance: Instance) -> BackupFile:
    with (
        closing(sqlite3.connect(f"{instance.clients.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        source.backup(copy)
        return BackupFile(str(instance.clients.relative_to(instance.root)), PRIVATE_MODE, copy.serialize())


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, PRIVATE_MODE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
