"""The installation under load: a new one or a copy of a real one, with as many clients as a run needs."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from ordws.api.services import create_games, create_meters, open_register
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.guard.policy import DAY
from ordws.identity.register import MAX_UNITS, Register
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from tests.load.games import common_words
from tests.mining.mined_lexicon import make_mined_lexicon
from tests.small_installation import write_edition

WORDS: Final = 100_000
PLAYERS_AN_OPERATOR: Final = 2_000
_SEED: Final = 11
_NON_CORE_ONE_IN: Final = 20
"""The share of common words outside the core list, one in so many.

With the invented words that its players try, a game costs 9 units, and 23 % of the words that are new to a player are
outside the core list. The detector `share` grants people 30 % (docs/guard.md 3.5); with one word in five it was 35 %,
and one player in 1,400 came to an alarm.
"""

_AGE: Final = 400 * DAY
_SETTINGS: Final = f"""\
[policy]
new_players_a_day = {PLAYERS_AN_OPERATOR}
[practice]
games = 1_000
games_an_address = 1_000
"""
"""Limits of a game site's first day that the operator raised; every other limit is the policy's default.

Games of practice that a run leaves in their middle would keep its next round from beginning others.
"""


class Clients(NamedTuple):
    """The keys of the run: verified home keys, and keys of verified operators, whose requests name players."""

    homes: tuple[str, ...]
    operators: tuple[str, ...]


def build_installation(root: Path, words: int = WORDS) -> Instance:
    """Build an instance with keys and an edition of invented and common words, without a dictionary."""
    instance = Instance(root)
    instance.make_folders()
    for key in (instance.pepper, instance.meter_key):
        write_atomically(key, hashlib.sha256(key.name.encode()).digest(), SECRET_MODE)
    Register.create(instance.clients, instance.pepper.read_bytes()).close()
    create_meters(instance)
    create_games(instance)
    common, made_up = common_words(), make_mined_lexicon(_SEED, words).words
    edition = {*common, *made_up}
    keyring = Keyring.create(instance.keys)
    write_edition(instance, keyring, edition, 1, core_words(), common, created=datetime.now(UTC))
    write_atomically(instance.settings, _SETTINGS.encode(), SECRET_MODE)
    return instance


def copy_installation(source: Path, root: Path) -> Instance:
    """Copy a real instance that is not being served; it may not have settings of its own."""
    shutil.copytree(source, root)
    instance = Instance(root)
    if instance.settings.exists():
        raise SystemExit(f'error: "{source}" has settings of its own, and a run needs its own')
    write_atomically(instance.settings, _SETTINGS.encode(), SECRET_MODE)
    create_games(instance)
    return instance


@contextmanager
def register_in_memory(instance: Instance) -> Iterator[Register]:
    """Keep the register in memory, so that additions do not wait for the disk; it is written back at the end."""
    quick = Path("/dev/shm") if Path("/dev/shm").is_dir() else instance.root
    held = quick / f"{instance.root.name}-{time.time_ns()}.db"
    shutil.copyfile(instance.clients, held)
    register = Register.open(held, instance.pepper.read_bytes())
    try:
        yield register
        register.close()
        shutil.copyfile(held, instance.clients)
    finally:
        for each in held.parent.glob(f"{held.name}*"):
            each.unlink()


def add_clients(instance: Instance, homes: int, operators: int) -> Clients:
    """Register and verify more clients, as an operator does."""
    now = int(time.time())
    stamp = f"{time.time_ns():x}"
    with register_in_memory(instance) as register:
        keys = []
        for number in range(homes):
            keys.append(register.add(f"home {stamp} {number}", "home", now - _AGE))
            register.verify(f"home {stamp} {number}", now)
        sites = []
        for number in range(operators):
            sites.append(register.add(f"site {stamp} {number}", "operator", now - _AGE, units=MAX_UNITS))
            register.verify(f"site {stamp} {number}", now)
    open_register(instance).close()
    return Clients(tuple(keys), tuple(sites))


def core_words() -> list[str]:
    """Return the core list of a new installation."""
    return [word for number, word in enumerate(common_words()) if number % _NON_CORE_ONE_IN]
