"""`ordws init`: an installation comes into being."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, write_atomically
from ordws.cli import fail, instance_option
from ordws.cli.atomic_folder import create_atomically, is_occupied
from ordws.errors import Missing
from ordws.instance import Instance

_KEY_LENGTH = 32
_FIRST_CLIENT = "home"
_PUBLISH_HINT = "ordws publish writes this folder; the opening key is carried from the build host by another way"


@click.command()
@click.option("--serving", is_flag=True, help="A host that serves: no signing key, no ledger, no recovery key.")
@click.option("--from", "published", metavar="DIR", help="With --serving: the folder that ordws publish wrote.")
@click.option("--opening-key", metavar="FILE", help="With --from: the opening key, which travels by another way.")
@click.option("--if-missing", is_flag=True, help="Where the installation is there already, do nothing and be content.")
@instance_option
@click.pass_context
def command(
    ctx: click.Context,
    serving: bool,
    published: str | None,
    opening_key: str | None,
    if_missing: bool,
    instance: str | None,
) -> None:
    """Make an installation: its keys, its ledger, its register with a first client.

    The client key and the recovery key are shown this once and kept nowhere. Nothing is ever replaced.

    \b
    Example:
      ordws init
      ordws init --serving --from published --opening-key opening-1.key
    """
    if bool(published) != bool(opening_key) or (published and not serving):
        raise click.UsageError("--from and --opening-key go together, with --serving")
    here = Instance.locate(instance)
    made = here.pepper.exists()
    if made and if_missing:
        click.echo(f'"{here.root}" is an installation already')
    elif made:
        fail(f'"{here.root}" is an installation already, nothing was changed', hint="ordws status shows it")
        ctx.exit(1)
    elif is_occupied(here.root):
        fail(f'"{here.root}" is not empty, nothing was changed', hint="name another folder with --instance")
        ctx.exit(1)
    else:
        _make(here, serving, published, opening_key)
        click.echo(f'made "{here.root}"; {_next_step(serving, bool(published))}')


def _next_step(serving: bool, published: bool) -> str:
    if not serving:
        return "next: ordws-build fetch && ordws-build run"
    if not published:
        return "next: bring what ordws publish writes, and the opening key"
    return "next: ordws serve, or as deploy/README.md starts it"


def _make(instance: Instance, serving: bool, published: str | None, opening_key: str | None) -> None:
    from ordws.api.services import create_games, create_meters

    with create_atomically(instance.root) as folder:
        new = Instance(folder)
        new.make_folders()
        for path in (new.pepper, new.meter_key):
            write_atomically(path, os.urandom(_KEY_LENGTH), SECRET_MODE)
        if published and opening_key:
            _import_published(new, Instance(Path(published)), Path(opening_key))
        create_meters(new)
        create_games(new)
        recovery_key = None if serving else _make_build_host(new)
        # Shown before the folder is put in its place: keys that nobody has seen would be worse than no installation.
        _show(f'client key of "{_FIRST_CLIENT}", shown this once', _make_register(new))
        if recovery_key:
            _show("recovery key of the backups, shown this once: keep it away from this machine", recovery_key)


def _make_register(new: Instance) -> str:
    from ordws.identity.register import Register

    register = Register.create(new.clients, new.pepper.read_bytes())
    try:
        return register.add(_FIRST_CLIENT, "home", int(time.time()))
    finally:
        register.close()


def _make_build_host(new: Instance) -> str:
    """What a build host has beyond a serving one; returns the recovery key."""
    from ordws.cli.recovery import derive_public_key, write_recovery_key
    from ordws.curation.ledger import Ledger
    from ordws.lexicon.keyring import Keyring

    keyring = Keyring.create(new.keys)
    key, secret = os.urandom(_KEY_LENGTH), os.urandom(_KEY_LENGTH)
    write_atomically(new.ledger_key, key, SECRET_MODE)
    write_atomically(new.recovery_public_key, derive_public_key(secret), SECRET_MODE)
    Ledger.create(new.ledger, new.ledger_head, key, keyring).close()
    return write_recovery_key(secret)


def _import_published(new: Instance, published: Instance, opening_key: Path) -> None:
    """Take a published edition over, and open it: what does not open here makes no installation."""
    from ordws.api.services import open_editions
    from ordws.lexicon.edition_files import EditionFiles
    from ordws.lexicon.keyring import Keyring
    from ordws.lexicon.sealed_edition import read_header

    halves = sorted(published.keys.glob("signing-*.pub"))
    if not halves:
        raise Missing(f'no signing-1.pub in "{published.keys}"', hint=_PUBLISH_HINT)
    for half in halves:
        write_atomically(new.keys / half.name, _read(half), PUBLIC_MODE)
    delivery = EditionFiles.read(published.sealed_edition, published.core, published.reference)
    write_atomically(new.sealed_edition, delivery.sealed)
    write_atomically(new.core, delivery.core, PUBLIC_MODE)
    write_atomically(new.reference, delivery.reference, PUBLIC_MODE)
    if published.notices.exists():
        write_atomically(new.notices, _read(published.notices), PUBLIC_MODE)
    number = read_header(delivery.sealed, Keyring.open(new.keys)).opening
    write_atomically(new.keys / f"opening-{number}.key", _read(opening_key), SECRET_MODE)
    open_editions(new, adopting=True)


def _show(what: str, key: str) -> None:
    click.echo(f"{what}:\n{key}\n")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Missing(f'"{path}" cannot be read: {error.strerror}', hint=_PUBLISH_HINT) from error
