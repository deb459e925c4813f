"""`ordws backup` and `restore`: what of an installation cannot be made again, in one encrypted file, and back."""

from __future__ import annotations

import fcntl
import io
import json
import os
import stat
import sys
import tarfile
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import click

from ordws.api.services import create_games, open_devices, open_editions, open_play_links, open_register
from ordws.atomic_files import PRIVATE_MODE, SECRET_MODE, write_atomically
from ordws.cases.store import open_case_files
from ordws.cli import fail, instance_option
from ordws.cli.editions import has_edition, open_edition_store, reseal
from ordws.cli.init import create_atomically, is_occupied
from ordws.cli.recovery import decrypt, encrypt, read_recovery_key
from ordws.console.accounts import Accounts
from ordws.curation.ledger import Ledger
from ordws.database import check_database, copy_database
from ordws.errors import BadInput, Broken, EditionRefused, Missing
from ordws.guard.stores.lmdb import make_meters
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.retention import DAY
from ordws.tournament.store import EventFile


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
def backup(ctx: click.Context, file: str, as_json: bool, instance: str | None) -> None:
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


_KEY_LENGTH = 32
_HIGHEST_EDITION = 999_999_998
"""One less than the highest number that a sealed edition can have, since the next edition is numbered above it."""


@click.command("restore")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--replace", is_flag=True, help="Move an existing installation aside; its edition mark stays in force.")
@click.option(
    "--above",
    type=click.IntRange(1, _HIGHEST_EDITION),
    metavar="N",
    help="Number editions above N, which serving hosts have adopted. Without FILE: in the existing installation.",
)
@instance_option
@click.pass_context
def restore(ctx: click.Context, file: str | None, replace: bool, above: int | None, instance: str | None) -> None:
    """Restore an installation from a backup; asks for the recovery key, or reads it from standard input.

    Everything is opened before it is put in place. Until the next midnight UTC no question is answered, since nobody
    knows what was spent today. Stop the service before you replace its installation.

    \b
    Example:
      ordws restore ordws-2026-11-20.backup --instance instance
    """
    installation = Instance.locate(instance)
    if file is None:
        if above is None or replace:
            raise click.UsageError("Missing argument 'FILE'.")
        if not installation.pepper.exists():
            hint = "ordws restore FILE makes it from its backup"
            raise Missing(f'no installation in "{installation.root}"', hint=hint)
        with installation.seal_lock():
            editions = open_editions(installation, adopting=True) if has_edition(installation) else None
            if editions and editions.refusal:
                hint = "ordws-build run makes a new edition"
                raise EditionRefused(f"nothing was sealed: {editions.refusal}", hint=hint)
            click.echo("\n".join(renumber_above(installation, above, datetime.now(UTC))))
        return
    is_replacing = is_occupied(installation.root)
    if is_replacing and not replace:
        fail(f'"{installation.root}" is not empty, nothing was changed', hint="--replace moves it aside first")
        ctx.exit(1)
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise Missing(f'"{file}" cannot be read: {error.strerror}') from error
    if not data:
        raise BadInput(f'the backup "{file}" is empty')
    is_typed = sys.stdin.isatty()
    key = str(click.prompt("recovery key", hide_input=True, err=True)) if is_typed else sys.stdin.readline()
    if not key.strip():
        raise BadInput("no recovery key was typed: standard input is empty", hint="ordws init showed it")
    click.echo("\n".join(_restore(installation, data, key, is_replacing, above)))


def _restore(installation: Instance, data: bytes, key: str, is_replacing: bool, above: int | None) -> list[str]:
    """Restore an installation, and return the lines that a keeper should read."""
    plain = decrypt(data, read_recovery_key(key))
    now = int(time.time())
    sealed_at, reopens = datetime.fromtimestamp(now, UTC), (now // DAY + 1) * DAY
    root = installation.root.resolve()
    aside = root.with_name(f"{root.name}.replaced-{now}") if is_replacing else None
    with create_atomically(installation.root, aside) as folder:
        new = Instance(folder)
        new.make_folders()
        unpack(plain, folder)
        # Neither the meters nor their key are in a backup, so both are new, and today counts as spent.
        write_atomically(new.meter_key, os.urandom(_KEY_LENGTH), SECRET_MODE)
        make_meters(new.meters, closed_until=reopens)
        create_games(new)
        lines = _check_restored(new)
        if aside:
            # An adopted edition is never taken back, so older words need a higher number (docs/guard.md Decision 12).
            mark = open_edition_store(installation).read_mark()
            if mark > open_edition_store(new).read_mark():
                lines += [f"edition {mark} had been adopted here", *renumber_above(new, mark, sealed_at)]
        if above:
            lines += renumber_above(new, above, sealed_at)
        if aside:
            lines.append(f'the previous installation is in "{aside}": it holds keys, remove it when you can')
    return [
        f'restored "{installation.root}"',
        *lines,
        "today's budgets count as spent: questions are answered again from"
        f" {datetime.fromtimestamp(reopens, UTC):%Y-%m-%d %H:%M} UTC",
    ]


def unpack(plain: bytes, folder: Path) -> None:
    """Write the files of a backup into a folder; raise Broken at the first one that would be anywhere else."""
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            # A link could have a later file of the backup written somewhere else.
            file = archive.extractfile(member) if member.isreg() else None
            if file is None or path.is_absolute() or ".." in path.parts:
                raise Broken(f'the backup holds "{member.name}", which is no file of an installation')
            target = folder / path
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # No file of an installation is executable, or writable by others.
            write_atomically(target, file.read(), member.mode & 0o644)


def _check_restored(new: Instance) -> list[str]:
    """Open everything that was restored, end what must not be used again, and return what the installation holds.

    Sessions, invitations and pairing codes end, since they may have been used up since the backup, and so do play
    links, which may have been withdrawn.
    """
    keyring = Keyring.open(new.keys)
    editions = open_editions(new, adopting=True) if has_edition(new) else None
    ledger_of = "no ledger"  # as on a serving host
    if keyring.signing_numbers:
        with Ledger.open(new.ledger, new.ledger_head, new.ledger_key.read_bytes(), keyring) as ledger:
            ledger_of = f"a ledger of {ledger.head.length} links"
    for store in (new.clients, new.fairplay):
        if store.exists():
            check_database(store)
    with closing(open_register(new)) as register:
        count = len(register.list())
    with closing(open_devices(new)) as devices:
        devices.drop_codes()
    with closing(open_play_links(new)) as play_links:
        withdrawn = play_links.withdraw()
    edition = f"edition {editions.current.number} ({editions.current.name})" if editions else "no edition"
    lines = [
        f"{edition}, {ledger_of}, {count} clients",
        "clients, keys and devices revoked since the backup work again: ordws clients list, ordws clients devices",
    ]
    if withdrawn:
        lines.append(f"play links that ended: {withdrawn}; ordws play-link makes a new one")
    if events := sorted(new.tournaments.glob("*.db")):
        put_aside = [line for event in events if (line := _put_aside(event)) is not None]
        count = len(events) - len(put_aside)
        lines += [f"{count} events, as they were at the backup: ordws tournament status FILE", *put_aside]
    if new.cases.exists():
        with closing(open_case_files(new)) as cases:
            lines.append(f"case files of {cases.verify()} steps: ordws cases verify --head LINK, by a link noted since")
    accounts = (
        (new.console, new.console_key, "members of the console", "ordws accounts list"),
        (new.reviewers, new.reviewers_key, "reviewers and keepers of cases", "ordws accounts list --of cases"),
    )
    for path, key, members, listing in accounts:
        if path.exists():
            lines += [
                f"{_sign_everybody_out(path, key)} {members}, who have to sign in again; open invitations have to be"
                " made again",
                f"accounts that ended since the backup are active again: {listing}",
            ]
    return lines


def _put_aside(event: Path) -> str | None:
    """Rename an event that cannot be opened, so that the rest is restored, and say so; return None for a good one."""
    try:
        EventFile.open(event).close()
    except (BadInput, Broken) as error:
        return f"put aside as {event.rename(event.with_suffix('.damaged')).name}: {error}"
    return None


def _sign_everybody_out(path: Path, key: Path) -> int:
    """End the sessions and links of a database of accounts, and return the number of its active members."""
    with closing(Accounts.open(path, key.read_bytes())) as accounts:
        accounts.end_all_links()
        return len(accounts.active_members())


def renumber_above(instance: Instance, number: int, now: datetime) -> list[str]:
    """Seal the current words under the number after `number`, or reserve that number if there is no edition yet."""
    editions = open_edition_store(instance)
    mark = editions.read_mark()
    if mark > number:
        return [f"the words are edition {mark} already"]
    delivery = editions.find(mark)
    if delivery is None:
        editions.raise_mark(number)
        return [f"the next edition is {number + 1}"]
    reseal(instance, delivery, Keyring.open(instance.keys), number + 1, now)
    return [f"the words are edition {number + 1} now"]
