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

from ordws.cli import fail, instance_option
from ordws.errors import BadInput, Missing
from ordws.instance import Instance
from ordws.writing import PRIVATE_MODE, write_atomically


class Saved(NamedTuple):
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

    data = encrypt(pack(gather(here)), here.recovery_public_key.read_bytes())
    try:
        write_atomically(target, data, PRIVATE_MODE)
    except OSError as error:
        raise BadInput(f'"{target}" cannot be written: {error.strerror}') from error
    click.echo(f'wrote "{target}", {len(data):,} bytes; only the recovery key opens it')


def gather(here: Instance) -> list[Saved]:
    """Every file that a backup holds, each at one moment of its own; raises where one of them would not restore."""
    from ordws.cli.keeping import has_edition, open_kept
    from ordws.curation.ledger import Ledger
    from ordws.desk.wiring import open_editions
    from ordws.lexicon.keyring import Keyring

    keyring = Keyring.open(here.keys)
    with here.seal_lock():
        if has_edition(here):
            open_editions(here, adopting=True)
        Ledger.open(here.ledger, here.ledger_head, here.ledger_key.read_bytes(), keyring).close()
        kept = open_kept(here)
        adopted = kept.folder(kept.read_mark())
        of_this_host = (here.meter_key, here.games_key)
        paths = [
            *(path for path in here.keys.iterdir() if path not in of_this_host),
            here.sealed_edition,
            here.core,
            here.reference,
            here.edition_mark,
            *(adopted.iterdir() if adopted.exists() else ()),
            here.build_record,
        ]
        saved = [_save(here, path) for path in sorted(paths) if path.is_file() and not path.name.startswith(".")]
        return [*saved, *_save_ledger(here), *_save_console(here), _save_clients(here)]


def pack(files: list[Saved]) -> bytes:
    """The files as one tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, mode, data in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), mode
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _save(here: Instance, path: Path) -> Saved:
    return Saved(str(path.relative_to(here.root)), stat.S_IMODE(path.stat().st_mode), path.read_bytes())


def _save_ledger(here: Instance) -> list[Saved]:
    """The ledger, its write-ahead log and its head as one append left them: nothing is written under its lock."""
    with _held(here.ledger.with_name(here.ledger.name + ".lock")):
        log = here.ledger.with_name(here.ledger.name + "-wal")
        return [_save(here, path) for path in (here.ledger, log, here.ledger_head) if path.exists()]


def _save_console(here: Instance) -> list[Saved]:
    """The curators' accounts and their write-ahead log at one moment: nothing is written in a transaction of ours.

    A file is read as a whole before any is closed, for closing one gives up the locks that keep the log where it is.
    """
    if not here.console.exists():
        return []
    from ordws.console.store import open_database
    from ordws.curation.cipher import immediate_transaction

    if not here.console_key.exists():
        raise Missing(f'the key of the accounts "{here.console_key}" is gone', hint="ordws restore, from a backup")
    log = here.console.with_name(here.console.name + "-wal")
    with ExitStack() as stack:
        db = open_database(here.console, here.console_key.read_bytes())
        files = [(path, stack.enter_context(path.open("rb"))) for path in (here.console, log)]
        stack.callback(db.close)
        with immediate_transaction(db):
            return [Saved(str(path.relative_to(here.root)), PRIVATE_MODE, file.read()) for path, file in files]


def _save_clients(here: Instance) -> Saved:
    with (
        closing(sqlite3.connect(f"{here.clients.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        source.backup(copy)
        return Saved(str(here.clients.relative_to(here.root)), PRIVATE_MODE, copy.serialize())


@contextmanager
def _held(lock: Path) -> Iterator[None]:
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, PRIVATE_MODE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
