"""`ordws init`: creation of an installation as a whole, at any moment complete or absent, even if it is killed."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from ordws.api.services import create_games, create_meters, open_editions
from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, sync_folder, write_atomically
from ordws.cli import fail, instance_option
from ordws.cli.editions import write_lists
from ordws.cli.play_link import LOCAL_ADDRESS
from ordws.cli.recovery import derive_public_key, write_recovery_key
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, Missing
from ordws.identity.play_links import PlayLinks, play_address
from ordws.identity.register import Register
from ordws.instance import Instance
from ordws.lexicon.edition_store import EditionFiles
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header


def is_occupied(folder: Path) -> bool:
    """Return whether a path holds something that must not be lost: a file, or a folder that is not empty."""
    return folder.exists() and not (folder.is_dir() and next(folder.iterdir(), None) is None)


@contextmanager
def create_atomically(folder: Path, aside: Path | None = None) -> Iterator[Path]:
    """Give a temporary folder to fill, then put it in the place of `folder`; on an error remove it.

    `folder` has to be missing or empty, or is renamed to `aside` first. Raises BadInput where another process is
    creating a folder beside it, or where `folder` cannot be created.
    """
    folder = folder.resolve()
    parent, prefix = folder.parent, f".{folder.name}.making-"
    parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f'another ordws is making a folder in "{parent}"', hint="wait until it is done") from None
        # Under the lock no other process is filling a folder of this name, so these were left by killed processes.
        for abandoned in [path for path in parent.iterdir() if path.name.startswith(prefix)]:
            shutil.rmtree(abandoned)
        new = Path(tempfile.mkdtemp(dir=parent, prefix=prefix))
        try:
            yield new
            moved = folder.rename(aside) if aside else None
            try:
                new.rename(folder)
            except OSError as error:
                if moved:
                    moved.rename(folder)
                raise BadInput(f'"{folder}" cannot be made: {error.strerror}', hint="name another folder") from error
            # Without this the rename might be lost when the power fails.
            sync_folder(parent)
        except BaseException:
            shutil.rmtree(new)
            raise
    finally:
        os.close(handle)


_KEY_LENGTH = 32
_FIRST_CLIENT = "home"
_VISITORS_SETTING = b"[pages]\nvisitors = true\n"
_PUBLISH_HINT = "ordws publish writes this folder; carry the opening key from the build host by another way"


@click.command("init")
@click.option("--serving", is_flag=True, help="Make a serving host: no signing key, no ledger, no recovery key.")
@click.option("--from", "published", metavar="DIR", help="With --serving: the folder that ordws publish wrote.")
@click.option("--opening-key", metavar="FILE", help="With --from: the opening key, which is sent separately.")
@click.option("--visitors", is_flag=True, help="Have the front page judge words for visitors, who have no key.")
@click.option("--if-missing", is_flag=True, help="If the installation exists, do nothing and end with status 0.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
@click.pass_context
def command(
    ctx: click.Context,
    serving: bool,
    published: str | None,
    opening_key: str | None,
    visitors: bool,
    if_missing: bool,
    as_json: bool,
    instance: str | None,
) -> None:
    """Make an installation: its keys, its ledger, its register with a first client.

    The client key and the recovery key are shown only this once and stored nowhere. Nothing is ever replaced.

    A play link for http://127.0.0.1:8000 is shown too, and again when ordws serve starts on a loopback address. Where
    an installation exists the status is 1. The JSON has instance, made, and with a new one client, key, play_link and
    recovery_key (null on a serving host).

    \b
    Example:
      ordws init
      ordws init --serving --from published --opening-key opening-1.key
    """
    if bool(published) != bool(opening_key) or (published and not serving):
        raise click.UsageError("--from and --opening-key go together, with --serving")
    installation = Instance.locate(instance)
    # Every installation has a pepper, on a build host and on a serving host.
    exists = installation.pepper.exists()
    if exists and if_missing:
        said = f'"{installation.root}" is an installation already'
        click.echo(json.dumps({"instance": str(installation.root), "made": False}) if as_json else said)
    elif exists:
        fail(f'"{installation.root}" is an installation already, nothing was changed', hint="ordws status shows it")
        ctx.exit(1)
    elif is_occupied(installation.root):
        hint = installation.key_hint if installation.keys.exists() else "name another folder with --instance"
        fail(f'"{installation.root}" is not empty, nothing was changed', hint=hint)
        ctx.exit(1)
    else:
        _create(installation, serving, published, opening_key, visitors=visitors, as_json=as_json)
        if not serving:
            next_step = "ordws-build fetch && ordws-build run"
        elif not published:
            next_step = "copy the files of ordws publish, and the opening key, to this host"
        else:
            next_step = "ordws serve, or start it as deploy/README.md says"
        if not as_json:
            # Whoever types --if-missing has a script, such as make run, that goes on by itself.
            click.echo(f'made "{installation.root}"' + ("" if if_missing else f"; next: {next_step}"))


def _create(
    installation: Instance,
    serving: bool,
    published: str | None,
    opening_key: str | None,
    *,
    visitors: bool,
    as_json: bool,
) -> None:
    """Create the files of an installation, with the published edition where one is named, and show its keys."""
    with create_atomically(installation.root) as folder:
        new = Instance(folder)
        new.make_folders()
        for path in (new.pepper, new.meter_key, new.players_key):
            write_atomically(path, os.urandom(_KEY_LENGTH), SECRET_MODE)
        write_atomically(new.edition_mark, b"0\n")
        if visitors:
            write_atomically(new.settings, _VISITORS_SETTING)
        if published and opening_key:
            _copy_published(Instance(Path(published)), new, Path(opening_key))
        create_meters(new)
        create_games(new)
        recovery_key = ""
        if not serving:
            keyring = Keyring.create(new.keys)
            ledger_key, secret = os.urandom(_KEY_LENGTH), os.urandom(_KEY_LENGTH)
            write_atomically(new.ledger_key, ledger_key, SECRET_MODE)
            write_atomically(new.recovery_public_key, derive_public_key(secret), SECRET_MODE)
            Ledger.create(new.ledger, new.ledger_head, ledger_key, keyring).close()
            recovery_key = write_recovery_key(secret)
        pepper, now = new.pepper.read_bytes(), int(time.time())
        with closing(Register.create(new.clients, pepper)) as register:
            client_key = register.add(_FIRST_CLIENT, "home", now)
        with closing(PlayLinks.open(new.clients, pepper)) as links:
            # Behind a proxy the output of a service is a log, so a serving host has no link that is shown again.
            link = play_address(LOCAL_ADDRESS, links.add(now) if serving else links.add_local(now))
        # Shown before the folder is put in its place: keys that nobody has seen would be worse than no installation.
        if as_json:
            row = {"instance": str(installation.root), "made": True, "client": _FIRST_CLIENT, "key": client_key}
            click.echo(json.dumps({**row, "play_link": link, "recovery_key": recovery_key or None}))
            return
        click.echo(f'client key of "{_FIRST_CLIENT}", shown only this once:\n{client_key}\n')
        shown = "shown only this once" if serving else "which ordws serve shows again on this machine"
        click.echo(f"play link, {shown}: whoever has it plays a friend without a key:\n{link}\n")
        if recovery_key:
            title = "recovery key of the backups, shown only this once: keep it away from this machine"
            click.echo(f"{title}:\n{recovery_key}\n")


def _copy_published(source: Instance, new: Instance, opening_key: Path) -> None:
    """Copy a published edition with its keys and lists, and adopt it."""
    public_keys = sorted(source.keys.glob("signing-*.pub"))
    if not public_keys:
        raise Missing(f'no signing-1.pub in "{source.keys}"', hint=_PUBLISH_HINT)
    for path in public_keys:
        write_atomically(new.keys / path.name, _read(path), PUBLIC_MODE)
    delivery = EditionFiles.read(source.sealed_edition, source.core, source.reference, source.charged)
    write_atomically(new.sealed_edition, delivery.sealed)
    write_lists(delivery, source, new)
    # The file of the opening key may have any name; its number is in the header of the edition that it opens.
    number = read_header(delivery.sealed, Keyring.open(new.keys)).opening
    write_atomically(new.keys / f"opening-{number}.key", _read(opening_key), SECRET_MODE)
    open_editions(new, adopting=True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Missing(f'"{path}" cannot be read: {error.strerror}', hint=_PUBLISH_HINT) from error
