"""`ordws restore`: an installation from its backup."""

from __future__ import annotations

import io
import os
import sqlite3
import sys
import tarfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import click

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.cli import fail, instance_option
from ordws.cli.atomic_folder import create_atomically, is_occupied
from ordws.errors import Broken, EditionRefused, Missing
from ordws.instance import Instance

_DAY = 86_400
_KEY_LENGTH = 32
_HIGHEST_EDITION = 999_999_998


@click.command()
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--replace", is_flag=True, help="Move an installation that is there aside. Its version mark holds on.")
@click.option(
    "--above",
    type=click.IntRange(1, _HIGHEST_EDITION),
    metavar="N",
    help="Go on above edition N, which serving hosts have adopted. Without FILE: in the installation that is there.",
)
@instance_option
@click.pass_context
def command(ctx: click.Context, file: str | None, replace: bool, above: int | None, instance: str | None) -> None:
    """Make an installation from a backup; asks for the recovery key, or reads it from standard input.

    All of it is opened before it is put in place. Until the next midnight UTC nobody can ask: what was spent today is
    not known any more. Stop the service before you replace its installation.

    \b
    Example:
      ordws restore ordws-2026-11-20.backup --instance instance
    """
    here = Instance.locate(instance)
    if file is None:
        if above is None or replace:
            raise click.UsageError("Missing argument 'FILE'.")
        for line in _renumber_in_place(here, above):
            click.echo(line)
        return
    taken = is_occupied(here.root)
    if taken and not replace:
        fail(f'"{here.root}" is not empty, nothing was changed', hint="--replace moves it aside first")
        ctx.exit(1)
    for line in _restore(here, _read(Path(file)), _ask_key(), taken, above):
        click.echo(line)


def _restore(instance: Instance, data: bytes, key: str, is_replacing: bool, above: int | None) -> list[str]:
    """Restores an installation, and says what a keeper should know of it."""
    from ordws.api.services import create_games
    from ordws.cli.recovery import decrypt, read_recovery_key

    plain = decrypt(data, read_recovery_key(key))
    now = int(time.time())
    reopens = (now // _DAY + 1) * _DAY
    aside = (
        instance.root.resolve().with_name(f"{instance.root.resolve().name}.replaced-{now}") if is_replacing else None
    )
    with create_atomically(instance.root, aside) as folder:
        new = Instance(folder)
        new.make_folders()
        unpack(plain, folder)
        write_atomically(new.meter_key, os.urandom(_KEY_LENGTH), SECRET_MODE)
        create_closed_meters(new, reopens)
        create_games(new)
        told = [*check_restored(new), *drop_sessions(new)]
        drop_pairing_codes(new)
        if aside:
            told += keep_version_mark(instance, new, datetime.fromtimestamp(now, UTC))
        if above:
            told += renumber_above(new, above, datetime.fromtimestamp(now, UTC))
        if aside:
            told.append(f'the installation before is in "{aside}": it holds keys, remove it when you can')
    moment = f"{datetime.fromtimestamp(reopens, UTC):%Y-%m-%d %H:%M} UTC"
    return [
        f'restored "{instance.root}"',
        *told,
        f"today's budgets count as spent: questions are answered again from {moment}",
    ]


def unpack(plain: bytes, folder: Path) -> None:
    """Write the files of a backup into a folder, and nothing anywhere else."""
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            file = archive.extractfile(member) if member.isreg() else None
            if file is None or path.is_absolute() or ".." in path.parts:
                raise Broken(f'the backup holds "{member.name}", which is no file of an installation')
            target = folder / path
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(target, file.read(), member.mode & 0o644)


def create_closed_meters(new: Instance, reopens: int) -> None:
    from ordws.guard.stores.sqlite import SqliteMeterStore

    store = SqliteMeterStore.create(new.meters)
    store.refuse_until(reopens)
    store.close()


def check_restored(new: Instance) -> list[str]:
    """Open all that was restored; raises where something does not open."""
    from ordws.api.services import open_editions, open_register
    from ordws.cli.editions import has_edition
    from ordws.curation.ledger import Ledger
    from ordws.lexicon.keyring import Keyring

    keyring = Keyring.open(new.keys)
    shelf = open_editions(new, adopting=True) if has_edition(new) else None
    with Ledger.open(new.ledger, new.ledger_head, new.ledger_key.read_bytes(), keyring) as ledger:
        links = ledger.head.length
    with closing(sqlite3.connect(new.clients)) as clients:
        if clients.execute("pragma integrity_check").fetchone() != ("ok",):
            raise Broken("the register in the backup is damaged")
    register = open_register(new)
    count = len(register.list())
    register.close()
    edition = f"edition {shelf.current.number} ({shelf.current.name})" if shelf else "no edition"
    return [
        f"{edition}, a ledger of {links} links, {count} clients",
        "a client, key or device revoked since the backup is known again: ordws clients list, ordws clients devices",
    ]


def drop_sessions(new: Instance) -> list[str]:
    """End what was open when the backup was made: a link that was used up since must not work again."""
    if not new.console.exists():
        return []
    from ordws.console.accounts import Accounts

    accounts = Accounts.open(new.console, new.console_key.read_bytes())
    with accounts.transaction() as db:
        for table in ("sessions", "invitations", "enrolments"):
            db.execute(f"DELETE FROM {table}")
    count = len(accounts.active_members())
    accounts.close()
    return [
        f"{count} members of the console, who sign in again; invitations are made anew",
        "a member whose account ended since the backup is one again: ordws curators list",
    ]


def drop_pairing_codes(new: Instance) -> None:
    """End the codes of devices too, which may have been used since."""
    from ordws.api.services import open_devices

    with closing(open_devices(new)) as devices:
        devices.drop_codes()


def keep_version_mark(old: Instance, new: Instance, now: datetime) -> list[str]:
    """What was adopted here is never taken back: earlier words go on under a higher number. (GUARD decision 12)"""
    from ordws.cli.editions import open_edition_store

    mark = open_edition_store(old).read_mark()
    if mark <= open_edition_store(new).read_mark():
        return []
    return [f"edition {mark} had been adopted here", *renumber_above(new, mark, now)]


def renumber_above(instance: Instance, number: int, now: datetime) -> list[str]:
    """The words go on under a number above that one; where there is no edition yet, the next one gets it."""
    from ordws.cli.editions import open_edition_store, reseal
    from ordws.lexicon.keyring import Keyring

    kept = open_edition_store(instance)
    mark = kept.read_mark()
    if mark > number:
        return [f"the words are edition {mark} already"]
    delivery = kept.find(mark)
    if delivery is None:
        kept.raise_mark(number)
        return [f"the next edition is {number + 1}"]
    reseal(instance, delivery, Keyring.open(instance.keys), number + 1, now)
    return [f"the words are edition {number + 1} now"]


def _renumber_in_place(instance: Instance, above: int) -> list[str]:
    """Goes on above a number in an installation that is there: nothing else of it changes."""
    from ordws.api.services import open_editions
    from ordws.cli.editions import has_edition

    if not instance.pepper.exists():
        raise Missing(f'no installation in "{instance.root}"', hint="ordws restore FILE makes it from its backup")
    with instance.seal_lock():
        shelf = open_editions(instance, adopting=True) if has_edition(instance) else None
        if shelf and shelf.refusal:
            raise EditionRefused(f"nothing was sealed: {shelf.refusal}", hint="ordws-build run makes a new edition")
        return renumber_above(instance, above, datetime.now(UTC))


def _ask_key() -> str:
    if sys.stdin.isatty():
        key: str = click.prompt("recovery key", hide_input=True, err=True)
        return key
    return sys.stdin.readline()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Missing(f'"{path}" cannot be read: {error.strerror}') from error
