"""The key under which the people of all events of an installation, or of a laptop, have their pseudonyms.

It is apart from the desk's key, which is changed to end sessions and entry codes: with another key here everybody would
be a new player to fair play.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from ordws.atomic_files import SECRET_MODE, write_new
from ordws.errors import BadInput, Missing
from ordws.instance import Instance

KEY_BYTES: Final = 32


def players_key_path(events: Path, instance: Instance) -> Path:
    """Return the path of the key for a file of an event, or for a folder of them.

    It is the installation's for its own events, and else that of the desks of files on this machine.
    """
    folder = events if events.is_dir() else events.parent
    if folder.resolve() == instance.tournaments.resolve():
        return instance.players_key
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "ordws" / "players.key"


def open_players_key(path: Path) -> bytes:
    """Return the key in a file, which is made, readable by its owner alone, where there is none yet."""
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A desk and a command may begin together: the first key is the one.
            with contextlib.suppress(FileExistsError):
                write_new(path, os.urandom(KEY_BYTES), SECRET_MODE)
        return _check_key(path)
    except OSError as err:
        raise Missing(
            f'no key at "{path}", and none can be made: {err.strerror}', hint="deploy/README.md, Tournaments"
        ) from err


def find_players_key(path: Path) -> bytes | None:
    """Return the key in a file; None where there is none, and nobody has played under it."""
    return _check_key(path) if path.exists() else None


def _check_key(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise BadInput(f'"{path}" is no key of players: it has {len(key)} bytes, not {KEY_BYTES}')
    return key
