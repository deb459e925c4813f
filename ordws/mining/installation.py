"""A real installation in a temporary folder, asked in process at any time one likes: the real desk, gate and stores."""

from __future__ import annotations

import hashlib
import json
import secrets
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from ordws.api.actions import ACTIONS, Action, RawRequest, dispatch
from ordws.api.services import Housekeeping, Services, create_games, create_meters, open_services
from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, write_atomically
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY, Policy
from ordws.identity.register import ClientKind, Register
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import seal
from ordws.mining.attackers.steps import BenchCaller, BenchReply, BenchRequest
from ordws.mining.synthetic_lexicon import SyntheticLexicon
from ordws.mining.unmetered import NullMeterStore

DEFAULT_AGE_DAYS: Final = 400
_IN_MEMORY: Final = Path("/dev/shm")
_FOLDERS: Final[list[Path | None]] = []


class BenchInstallation:
    """An installation: who has keys of it, which edition it serves, and its desk."""

    def __init__(self, instance: Instance, lexicon: SyntheticLexicon, policy: Policy | None) -> None:
        """Without a policy its gate admits everybody to everything, and meters nothing."""
        self.instance, self.policy = instance, policy
        self._keyring = Keyring.create(instance.keys)
        pepper = _make_key(instance.pepper)
        self._meter_key = _make_key(instance.meter_key)
        self._register = Register.create(instance.clients, pepper)
        create_meters(instance)
        create_games(instance)
        self._list_digests = [
            _write_list(instance.core, lexicon.core),
            _write_list(instance.reference, lexicon.reference),
        ]
        self._request_count = 0
        self._services: Services

    @property
    def edition(self) -> int:
        """The number of the edition that is served."""
        return self._services.editions.current.number

    def publish(self, words: Collection[str], number: int, now: int) -> None:
        """Put an edition where the service looks for it within a second."""
        core, reference = self._list_digests
        sealed = seal(
            words,
            (),
            number=number,
            name="ORDWS 2026",
            created=datetime.fromtimestamp(now, UTC),
            core_digest=core,
            reference_digest=reference,
            keyring=self._keyring,
        )
        write_atomically(self.instance.sealed_edition, sealed)

    def start(self) -> None:
        """Start the service, or kill it and start it anew: what it had not written is lost."""
        if hasattr(self, "_desk"):
            self._close()
        self._services = open_services(self.instance, self.policy)
        if self.policy is None:
            gate = Gate(Policy(), NullMeterStore(), self._meter_key)
            self._services = replace(
                self._services, gate=gate, housekeeping=Housekeeping(self._services.editions, gate)
            )

    def stop(self) -> None:
        self._close()
        self._register.close()

    def _close(self) -> None:
        self._services.gate.store.close()
        self._services.register.close()

    def add_client(
        self,
        name: str,
        now: int,
        *,
        kind: ClientKind = "home",
        age_days: int = DEFAULT_AGE_DAYS,
        verified: bool = False,
        units: int | None = None,
        address: str = "",
    ) -> BenchCaller:
        """Somebody new with a key, from an address of his own where nothing else is said."""
        key = self._register.add(name, kind, now - age_days * DAY, units=units)
        if verified:
            self._register.verify(name, now)
        return BenchCaller(key, address or name)

    def ask(self, request: BenchRequest, now: int) -> BenchReply:
        """What the desk answers to a request."""
        action, path = _route(request.method, request.path)
        self._request_count += 1
        call = RawRequest(
            f"r{self._request_count}",
            request.method,
            f"Bearer {request.caller.key}",
            "application/json",
            "",
            _request_body(request),
            path,
            seat_token=request.seat_token,
        )
        reply = dispatch(self._services, action, call, now)
        return BenchReply(now, reply.status, json.loads(reply.body), _retry_after(reply.headers))

    def active_alarms(self, now: int) -> frozenset[str]:
        """The signs of mining that are in alarm."""
        return self._services.gate.store.active_alarms(now)

    def unverified_spent(self, now: int) -> dict[int, int]:
        """How many new words all who are not verified have asked together, by day."""
        return self._services.gate.unverified_spent(now)


@contextmanager
def installations_folder() -> Iterator[Path]:
    """A folder where houses are built, in memory where that can be; those built meanwhile by child processes too."""
    before = _FOLDERS[-1:] or [_IN_MEMORY if _IN_MEMORY.is_dir() else None]
    with tempfile.TemporaryDirectory(prefix="ordws-bench-", dir=before[0]) as folder:
        _FOLDERS.append(Path(folder))
        try:
            yield Path(folder)
        finally:
            _FOLDERS.pop()


@contextmanager
def open_installation(
    lexicon: SyntheticLexicon, words: Collection[str], policy: Policy | None, now: int
) -> Iterator[BenchInstallation]:
    """A house that serves these words; nothing of it is left behind."""
    with installations_folder() as folder:
        instance = Instance(folder / "instance")
        instance.make_folders()
        house = BenchInstallation(instance, lexicon, policy)
        house.publish(words, 1, now)
        house.start()
        try:
            yield house
        finally:
            house.stop()


def _make_key(path: Path) -> bytes:
    key = secrets.token_bytes(32)
    write_atomically(path, key, SECRET_MODE)
    return key


def _write_list(path: Path, words: Iterable[str]) -> str:
    """Write a public list; returns its digest."""
    text = "".join([f"{word}\n" for word in sorted(words)]).encode("ascii")
    write_atomically(path, text, PUBLIC_MODE)
    return hashlib.sha256(text).hexdigest()


def _request_body(request: BenchRequest) -> bytes:
    return json.dumps(request.body).encode() if request.method == "POST" else b""


def _retry_after(headers: Iterable[tuple[str, str]]) -> int:
    return next((int(value) for name, value in headers if name == "Retry-After"), 0)


@cache
def _route(method: str, path: str) -> tuple[Action, dict[str, Any]]:
    """The action of a path, and what stands in the place of `{id}`."""
    if (method, path) in ACTIONS:
        return ACTIONS[method, path], {}
    parts = path.split("/")
    for (known, template), action in ACTIONS.items():
        names = template.split("/")
        if known == method and len(names) == len(parts):
            named = {name.strip("{}"): part for name, part in zip(names, parts, strict=True) if name[:1] == "{"}
            if all(name[:1] == "{" or name == part for name, part in zip(names, parts, strict=True)):
                return action, named
    raise ValueError(f'there is no {method} "{path}"')
