"""A small installation: real keys, a sealed edition of thirty words, a client, meters."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ordws.api.services import Services, create_games, create_meters, open_services
from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, write_atomically
from ordws.errors import StoreDown
from ordws.guard.policy import Policy
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.identity.register import Register
from ordws.instance import Instance
from ordws.lexicon.edition import Edition
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import NO_LISTS, SealedLists, seal
from ordws.referee.moments import Moment

CORE = ("BOARD", "CAT", "GAME", "LETTER", "PLAY", "TABLE", "TILE", "WORD")
WORDS = (
    *CORE,
    "ACTION",
    "BASH",
    "BASHING",
    "BASHINGS",
    "CATTIER",
    "EVENT",
    "EVENTFUL",
    "FISHERY",
    "FLINGER",
    "GLIME",
    "HEAT",
    "JOWLED",
    "LINTIER",
    "LOVER",
    "LOVERS",
    "NATION",
    "QUESTION",
    "QUIZ",
    "REHEAT",
    "REPENT",
    "TOELESS",
    "UNTRIM",
    "ZAX",
)
"""The words of the edition. LOVERS and QUIZ are not core; ZAG is out; MISFEED and PLAYED are out and not core."""

NOON = 1_795_262_400
"""2026-11-21, 12:00 UTC."""
CREATED = datetime(2026, 11, 20, tzinfo=UTC)
"""When editions were sealed, unless a test says otherwise."""


def write_edition(
    instance: Instance,
    keyring: Keyring,
    words: Collection[str],
    number: int,
    core: Collection[str],
    reference: Collection[str],
    charged: Collection[str] = (),
    retired: Collection[str] = (),
    lists: SealedLists = NO_LISTS,
    created: datetime = CREATED,
) -> None:
    """Seal an edition, and write it and its public lists where a service looks for them."""
    public = ["".join([f"{word}\n" for word in sorted(set(each))]).encode() for each in (core, reference, charged)]
    core_digest, reference_digest, charged_digest = [hashlib.sha256(data).hexdigest() for data in public]
    sealed = seal(
        words,
        retired,
        number=number,
        name="ORDWS 2026",
        created=created,
        core_digest=core_digest,
        reference_digest=reference_digest,
        keyring=keyring,
        lists=lists,
        charged_digest=charged_digest,
    )
    for path, data in zip((instance.core, instance.reference, instance.charged), public, strict=True):
        write_atomically(path, data, PUBLIC_MODE)
    write_atomically(instance.sealed_edition, sealed)


def read_rows(store: LmdbMeterStore) -> list[tuple[bytes, bytes]]:
    """Return every row of a store of meters."""
    with store.begin(write=False) as txn:
        return list(txn.cursor())


@dataclass
class SmallInstallation:
    """An installation, and what a keeper does with it."""

    instance: Instance
    keyring: Keyring
    register: Register
    words: tuple[str, ...] = WORDS
    key: str = field(init=False)
    opened: list[Services] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.key = self.register.add("home", "home", NOON - 40 * 86_400)  # past the ramp of new keys

    def deliver(
        self,
        *words: str,
        number: int,
        lists: SealedLists = NO_LISTS,
        core: Collection[str] = CORE,
        reference: Collection[str] = CORE,
        charged: Collection[str] = (),
        retired: Collection[str] = (),
    ) -> None:
        """Write a newer edition where the running service looks for it, with the other lists of an edition."""
        write_edition(self.instance, self.keyring, words, number, core, reference, charged, retired, lists)

    def stored_meters(self) -> list[tuple[bytes, bytes]]:
        """Return every row of the meters, in whatever process it was written."""
        with closing(LmdbMeterStore(self.instance.meters)) as store:
            return read_rows(store)

    def services(self, policy: Policy | None = None) -> Services:
        """Open the services, which are closed with the installation."""
        self.opened.append(open_services(self.instance, policy))
        return self.opened[-1]

    def close(self) -> None:
        """Close all files: a worker of the suite opens thousands, and the meters of a process stay open to its end."""
        self.register.close()
        for services in self.opened:
            assert services.toy is not None
            gates = services.gate, services.toy.gate
            logs = services.judge_log, services.kept_games, services.bound_stations, services.games.store
            for store in (
                services.register,
                services.devices,
                services.play_links,
                *logs,
                *[each.store for each in gates],
            ):
                with suppress(StoreDown):  # a test may have removed its files
                    store.close()


@contextmanager
def build_installation(root: Path) -> Iterator[SmallInstallation]:
    instance = Instance(root)
    instance.make_folders()
    write_atomically(instance.edition_mark, b"0\n")
    write_atomically(instance.pepper, b"p" * 32, SECRET_MODE)
    write_atomically(instance.meter_key, b"m" * 32, SECRET_MODE)
    keyring = Keyring.create(instance.keys)
    register = Register.create(instance.clients, b"p" * 32)
    create_meters(instance)
    create_games(instance)
    installation = SmallInstallation(instance, keyring, register)
    installation.deliver(*WORDS, number=1)
    # A test changes the register and asks at once, faster than any keeper.
    with patch.multiple("ordws.identity.register", FRESH_SECONDS=0.0, _STALE_SECONDS=0.0):
        yield installation
    installation.close()


@dataclass
class FakeClock:
    """A clock that a test sets, in seconds or parts of them."""

    now: float = NOON

    def __call__(self) -> int:
        return int(self.now)

    def moment(self) -> Moment:
        """Return the moment by which sealed games are timed."""
        return Moment(round(1_000 * self.now))


class FixedEdition:
    """Editions whose current edition never changes, made by a test."""

    refusal: str | None = None

    def __init__(self, edition: Edition) -> None:
        self.current = edition

    def find(self, number: int) -> Edition | None:
        return self.current if number == self.current.number else None

    def refresh(self) -> None:
        pass


class InProcessService:
    """The service in process, as a client of it sees it; every log line is kept."""

    def __init__(self, services: Services, key: str, clock: FakeClock, **settings: Any) -> None:
        from ordws.web.serving import create_app

        ids = iter(range(1, 1_000_000))
        self.services, self.key, self.clock, self.lines = services, key, clock, []
        services.games.clock = clock.moment

        def ticking_clock() -> int:
            """Do what is due beside requests, which a worker does in a thread, and return the time."""
            services.housekeeping.run(clock())
            return clock()

        self.app = create_app(
            services, clock=ticking_clock, new_id=lambda: f"id-{next(ids)}", log=self.lines.append, **settings
        )
        self.http = self.app.test_client()

    def judge(self, *words: str, key: str | None = None, **fields: Any) -> Any:
        return self.post({"words": [*words], **fields}, key)

    def post(self, body: Any, key: str | None = None, path: str = "/v1/judge") -> Any:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"}
        return self.http.post(path, data=data, headers=headers)

    def quota(self, query: str = "", key: str | None = None) -> dict[str, int]:
        """Return what is left of each budget."""
        reply = self.http.get(f"/v1/quota{query}", headers={"Authorization": f"Bearer {key or self.key}"})
        assert reply.status_code == 200, reply.data
        return {budget["budget"]: budget["left"] for budget in reply.json["budgets"]}
