"""A real installation in a temporary folder, called in process at any time: the real API, gate and stores."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

from ordws.api.services import Housekeeping, Services, create_games, create_meters, open_services
from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.guard.charge import ID_BYTES, Admitted, Charge, DayHistory, Lasting, MeterOwner, MeterRecord
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY, Policy
from ordws.identity.register import Register
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import SealedLists
from ordws.referee.moments import Moment
from ordws.rules.bag import RandomSource
from ordws.web.serving import create_app
from tests.mining.attackers.steps import BenchCaller, BenchReply, BenchRequest
from tests.mining.mined_lexicon import MinedLexicon
from tests.small_installation import write_edition

DEFAULT_AGE_DAYS: Final = 400
CHANGED_SHARE: Final = 0.02
"""The share of doubtful words whose verdict changes with the next edition."""

# Every question writes to the stores, which takes less time in memory.
_IN_MEMORY: Final = Path("/dev/shm")
_FOLDERS: Final[list[Path | None]] = []


class NullMeterStore:
    """A meter store that admits everything and keeps nothing."""

    def apply(self, charge: Charge, now: int) -> Admitted:
        return Admitted()

    def read(self, keys: Sequence[bytes]) -> list[MeterRecord | None]:
        return [None for _ in keys]

    def day_records(self, client: bytes, day: int) -> dict[MeterOwner, MeterRecord]:
        return {}

    def guest_games(self) -> dict[bytes, MeterRecord]:
        return {}

    def find_lasting(self, subject: MeterOwner) -> Lasting:
        return Lasting()

    def update_lasting(self, subject: MeterOwner, **changes: int | str) -> None:
        pass

    def active_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        return {}

    def collect(self, now: int) -> None:
        pass

    def history(self, client: bytes) -> Iterator[DayHistory]:
        return iter(())

    def address_key(self, now: int) -> bytes:
        return b""

    def halvings(self, now: int) -> int:
        return 0

    def closed_until(self) -> int:
        return 0

    def refuse_until(self, moment: int) -> None:
        pass

    def check_writable(self, now: int) -> None:
        pass

    def sweep(self, now: int) -> int:
        return 0

    def close(self) -> None:
        pass


class BenchInstallation:
    """An installation: its registered clients, the edition it serves, and its API."""

    def __init__(
        self, instance: Instance, lexicon: MinedLexicon, policy: Policy | None, redis: str | None = None
    ) -> None:
        """Make an installation, with its stores in files or in an empty Redis.

        Without a policy its gate admits everything and meters nothing.
        """
        self.instance, self.policy, self._lexicon, self._now = instance, policy, lexicon, 0
        self._keyring = Keyring.create(instance.keys)
        pepper = _make_key(instance.pepper)
        self._meter_key = _make_key(instance.meter_key)
        self._register = Register.create(instance.clients, pepper)
        create_meters(instance)
        create_games(instance)
        settings = "[pages]\nvisitors = true\n"
        if redis is not None:
            # An installation on one host need not have the redis package.
            from ordws.guard.stores.redis import RedisMeterStore

            settings += f'[store]\nredis = "{redis}"\n'
            RedisMeterStore.create(redis).close()
        instance.settings.write_text(settings)
        self._swept_on = 0
        self._play_link = ""
        self._is_running = False
        self._services: Services

    @property
    def edition(self) -> int:
        """The number of the edition that is served."""
        return self._services.editions.current.number

    def publish(self, words: Collection[str], number: int, now: int) -> None:
        """Write an edition where the service looks for it within a second."""
        lexicon = self._lexicon
        write_edition(
            self.instance,
            self._keyring,
            words,
            number,
            lexicon.core,
            lexicon.reference,
            lexicon.dover_charged,
            lists=SealedLists(dover_forms=lexicon.dover_forms(frozenset(words))),
            created=datetime.fromtimestamp(now, UTC),
        )

    def publish_next(self, words: frozenset[str], now: int) -> None:
        """Publish the next edition, in which some of the doubtful words have changed sides."""
        rng = Random(self.edition)
        changed = [word for word in sorted(self._lexicon.borderline) if rng.random() < CHANGED_SHARE]
        self.publish(words.symmetric_difference(changed), self.edition + 1, now)

    def start(self) -> None:
        """Start the service, or end it and start it anew: what a process remembers of its callers is lost."""
        if self._is_running:
            self._close()
        self._is_running = True
        self._services = open_services(self.instance, self.policy, lambda: Moment(1_000 * self._now))
        if self.policy is None:
            gate = Gate(Policy(), NullMeterStore(), self._meter_key)
            self._services = replace(
                self._services, gate=gate, housekeeping=Housekeeping(self._services.editions, gate)
            )
        self._app = create_app(self._services, clock=lambda: self._now, log=lambda line: None).wsgi_app

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
        kind: str = "home",
        age_days: int = DEFAULT_AGE_DAYS,
        verified: bool = False,
        units: int | None = None,
        address: str = "",
    ) -> BenchCaller:
        """Register a client, with an address of its own unless one is given."""
        key = self._register.add(name, kind, now - age_days * DAY, units=units)
        if verified:
            self._register.verify(name, now)
        return BenchCaller(key, address or name)

    def pair_device(self, club: BenchCaller, table: str, now: int, *, director: bool = False) -> BenchCaller:
        """Pair a device of an operator, by a code that the operator's key asks for."""
        invited = self.ask(BenchRequest(club, "/v1/devices", {"table": table, "director": director}), now)
        if invited.status != 201:
            raise ValueError(f"the club got no code for a device: {invited.body}")
        reply = self.ask(BenchRequest(club._replace(key=""), "/v1/pair", {"code": invited.body["code"]}), now)
        if reply.status != 200:
            raise ValueError(f"the device was not paired: {reply.status}")
        return club._replace(device=reply.cookie, player=None)

    def add_guest(self, address: str, now: int) -> BenchCaller:
        """Return a guest with an address and the play link, of which all guests have the same."""
        self._play_link = self._play_link or self._services.play_links.add(now)
        return BenchCaller("", address, link=self._play_link)

    def draw_from(self, chance: RandomSource) -> None:
        """Have the games that the server deals draw from this source."""
        self._services.games.chance = chance

    def ask(self, request: BenchRequest, now: int) -> BenchReply:
        """Return the API's reply to a request."""
        self._now = now
        if self._swept_on < now // DAY:
            # The service does so each hour of its own time.
            self._swept_on = now // DAY
            self._services.gate.sweep(now)
        self._services.housekeeping.run(now)
        begun: list[tuple[int, dict[str, str]]] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Any:
            begun.append((int(status[:3]), dict(headers)))

        body = b"".join(self._app(_environ_of(request), start))
        ((status, headers),) = begun
        cookie = headers.get("Set-Cookie", "").partition(";")[0].partition("=")[2]
        return BenchReply(now, status, json.loads(body), int(headers.get("Retry-After", "0")), cookie)

    def clients_in_alarm(self, now: int) -> frozenset[bytes]:
        """Return the keyed hashes of the clients that are in alarm, or a player of which is."""
        return frozenset([subject[:ID_BYTES] for subject in self._services.gate.store.active_alarms(now)])

    def unverified_spent(self, now: int) -> dict[int, int]:
        """Return the units that unverified callers have spent together, by UTC day."""
        return self._services.gate.unverified_spent(now)


@contextmanager
def installations_folder() -> Iterator[Path]:
    """Make a folder for installations, in memory if possible; child processes make theirs in it."""
    # Nested in the parent's folder, so that what a killed child leaves behind goes with it.
    parent = _FOLDERS[-1:] or [_IN_MEMORY if _IN_MEMORY.is_dir() else None]
    with tempfile.TemporaryDirectory(prefix="ordws-bench-", dir=parent[0]) as folder:
        _FOLDERS.append(Path(folder))
        try:
            yield Path(folder)
        finally:
            _FOLDERS.pop()


@contextmanager
def open_installation(
    lexicon: MinedLexicon, words: Collection[str], policy: Policy | None, now: int, *, redis: str | None = None
) -> Iterator[BenchInstallation]:
    """Start an installation that serves these words, and leave nothing of it behind."""
    with installations_folder() as folder:
        instance = Instance(folder / "instance")
        instance.make_folders()
        installation = BenchInstallation(instance, lexicon, policy, redis)
        installation.publish(words, 1, now)
        installation.start()
        try:
            yield installation
        finally:
            installation.stop()


def _make_key(path: Path) -> bytes:
    key = secrets.token_bytes(32)
    write_atomically(path, key, SECRET_MODE)
    return key


def _environ_of(request: BenchRequest) -> dict[str, Any]:
    """Return a request as the server hands it over."""
    caller, seat = request.caller, request.seat_token
    body = json.dumps(request.body).encode() if request.method == "POST" else b""
    environ = {
        "REQUEST_METHOD": request.method,
        "PATH_INFO": request.path,
        "QUERY_STRING": "",
        "REMOTE_ADDR": caller.address,
        "HTTP_HOST": "localhost",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    if caller.device:
        environ["HTTP_COOKIE"] = f"ordws_device={caller.device}"
    elif caller.key:
        environ["HTTP_AUTHORIZATION"] = f"Bearer {caller.key}"
    if seat and caller.link:
        environ["HTTP_COOKIE"] = f"ordws_seat={seat}"
    elif seat:
        environ["HTTP_SEAT_TOKEN"] = seat
    return environ
