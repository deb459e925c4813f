"""The senders of requests: what tells them apart, and how they take turns for a few slots.

Recognised keys and devices come first, then seats of games that run, then strangers, and no kind of sender holds all
threads. Every limit is of one process.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, Final, NamedTuple
from wsgiref.types import WSGIEnvironment

from ordws.api import problems
from ordws.api.problems import DEVICE_COOKIE
from ordws.api.seat_access import SEAT_COOKIE
from ordws.api.services import Services
from ordws.errors import StoreDown
from ordws.sender_limits import HeldThreads, Kind, Names, SlotQueue, network_of

_TRUSTED_FETCH_SITES: Final = ("same-origin", "none")  # "none": no page made the request, as for a typed address


def device_token(environ: WSGIEnvironment) -> str:
    """Return the cookie of a paired device, or an empty string where there is none, or more than one.

    A second cookie of this name was set by another host of the domain, and the order does not tell which.
    """
    tokens = _cookies(environ, DEVICE_COOKIE)
    return tokens[0] if len(tokens) == 1 else ""


def seat_cookies(environ: WSGIEnvironment) -> tuple[str, ...]:
    """Return the cookies of seats, of which the service can tell its own."""
    return _cookies(environ, SEAT_COOKIE)


def _cookies(environ: WSGIEnvironment, wanted: str) -> tuple[str, ...]:
    cookies = environ.get("HTTP_COOKIE")
    if not cookies:
        return ()
    pairs = [part.strip().partition("=") for part in cookies.split(";")]
    return tuple([value for name, _, value in pairs if name == wanted])


def is_cross_site(environ: WSGIEnvironment) -> bool:
    """Return True where the browser says that a page of another site sends the request; programs say nothing."""
    if environ.get("HTTP_SEC_FETCH_SITE", _TRUSTED_FETCH_SITES[0]) not in _TRUSTED_FETCH_SITES:
        return True
    # The scheme is not compared: behind a proxy that ends TLS it is https for the browser and http here.
    origin = environ.get("HTTP_ORIGIN")
    return origin is not None and origin.partition(":")[2].lower() != f"//{environ.get('HTTP_HOST', '')}".lower()


def is_over_tls(environ: WSGIEnvironment) -> bool:
    """Return True where the request came over TLS, here or at a proxy."""
    forwarded = environ.get("HTTP_X_FORWARDED_PROTO", "").partition(",")[0].strip().lower()
    return "https" in (environ.get("wsgi.url_scheme"), forwarded)


def own_origin(environ: WSGIEnvironment) -> str:
    """Return the origin at which the sender reaches the service, as its Host header says."""
    return f"{'https' if is_over_tls(environ) else 'http'}://{environ.get('HTTP_HOST', '')}"


THREADS: Final = 128
"""The threads of a worker: each request holds one until it is answered, and those that are refused need some too."""

MAX_HELD: Final = THREADS - 16
"""The requests that may be read, wait or run at once; the other threads refuse."""
MAX_HELD_BY_STRANGERS: Final = THREADS // 2
MAX_HELD_BY_ONE: Final = THREADS // 4
"""Those of one recognised key or device."""
MAX_HELD_BY_ADDRESS: Final = THREADS // 8
"""Those of one address among seats and strangers."""

SLOTS: Final = 2
"""The requests that run at once with stores of this host: threads compete for the interpreter, and few of these wait
for a disk."""
SLOTS_OF_GAMES: Final = 10
"""Those to sealed games: turns wait for the disk, and share its flush where they wait together."""
SLOTS_OVER_REDIS: Final = 32
"""Of each of these two, with a shared Redis, which flushes its disk once for all that wait."""
_SLOTS_OF_COMPUTED: Final = 1
_SLOTS_OF_PROBES: Final = 2
_FEW_WAITING: Final = 8

PATIENCE_SECONDS: Final = 1.0


class Sender(NamedTuple):
    """The sender of a request. The address is kept in memory alone, and never logged or shown."""

    address: str
    kind: Kind = Kind.STRANGER
    name: Hashable = None
    """What takes turns: the ids of a client and its device, or the address."""
    registered: Any = None
    """The client or device that was recognised, as the register had it then."""
    has_seat: bool = False
    """True where it sends the cookie of a seat in the game of the path, which may be one that nobody asked for yet."""
    fault: Exception | None = None
    """The error of a register that did not answer."""


class Admission:
    """The threads that requests hold, and the slots for which they wait, apart for requests of different kinds.

    Turns of games wait for the disk. Health probes get through when the service is busy, or a supervisor would restart
    it. Pages that are computed for each request run one at a time, and few wait.
    """

    def __init__(
        self, slots: int = SLOTS, slots_of_games: int = SLOTS_OF_GAMES, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._others = SlotQueue(slots, THREADS, patience)
        self._games = SlotQueue(slots_of_games, THREADS, patience)
        self._computed = SlotQueue(_SLOTS_OF_COMPUTED, _FEW_WAITING, patience)
        self._probes = {path: SlotQueue(_SLOTS_OF_PROBES, _FEW_WAITING, patience) for path in ("/healthz", "/readyz")}
        self._held = HeldThreads(
            MAX_HELD, of_strangers=MAX_HELD_BY_STRANGERS, of_one=MAX_HELD_BY_ONE, of_address=MAX_HELD_BY_ADDRESS
        )

    @property
    def under_way(self) -> int:
        """The number of requests that hold a thread."""
        return self._held.count

    @classmethod
    def to(cls, services: Services) -> Admission:
        """Return the admission of a process with these services; over a shared Redis more requests run at once."""
        return cls(SLOTS_OVER_REDIS, SLOTS_OVER_REDIS) if services.is_shared else cls()

    def queue_for(self, path: str, query: str) -> SlotQueue:
        """Return the slots for which a request waits."""
        if path.startswith("/v1/games"):
            return self._games
        if query and path.startswith("/rules/"):
            return self._computed
        return self._probes.get(path, self._others)

    def enter(self, sender: Sender, path: str) -> Names | None:
        """Count a request that is about to be read, and return its names; None where too many are held already."""
        return self._held.enter(sender, always=path in self._probes)

    def leave(self, sender: Sender, names: Names) -> None:
        """Count a request as answered; `names` is what `enter` returned."""
        self._held.leave(sender, names)


MAX_UNKNOWN: Final = 60
"""The keys of one address that are looked up in a minute and not found. It sends no others that are not remembered."""
_MAX_ADDRESSES: Final = 65_536
_MAX_GAMES: Final = 4_096
_GAME_SECONDS: Final = 3_600
"""The time for which a game counts as running after a request for it was answered."""
_GAME_PATH: Final = re.compile("/v1/games/([0-9a-f]{32})(?=/|$)", re.ASCII)


class Senders:
    """The senders of requests, as the register, the games and what was asked before tell them apart."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._minute = -1
        self._unknown: dict[str, set[int]] = {}
        """For this minute, hashes of the credentials that the register did not have, by the address that sent them."""
        self._running_games: dict[str, int] = {}

    def identify(self, environ: WSGIEnvironment, now: int) -> Sender:
        """Return the sender of a request; raise a Problem where it sends too many keys that nobody has."""
        address = sender_address(environ)
        authorization, token = environ.get("HTTP_AUTHORIZATION"), ""
        if not authorization:
            token = device_token(environ) if "HTTP_COOKIE" in environ else ""
            if not token:
                return self._without_credential(environ, address, now)
        if now // 60 != self._minute:
            self._minute, self._unknown = now // 60, {}
        unknown = self._unknown.get(address, ())
        # The hash is salted for each process, so that nobody can make two credentials with the same one.
        digest = hash(authorization or token) if unknown else 0
        is_full = len(unknown) >= MAX_UNKNOWN
        try:
            if unknown and digest in unknown:
                client = None
            elif authorization:
                client = self._services.register.identify(authorization, now, may_search=not is_full)
                if client is None and is_full:
                    raise problems.too_busy()
            else:
                client = self._services.devices.identify(token, now)
        except StoreDown as err:
            # The refusal follows later, if the request needs a client.
            return Sender(address, Kind.SEATED, address, fault=err)
        if client is None:
            if len(self._unknown) < _MAX_ADDRESSES and not is_full:
                self._unknown.setdefault(address, set()).add(hash(authorization or token))
            return Sender(address, name=address) if authorization else self._without_credential(environ, address, now)
        device = client.device
        return Sender(address, Kind.KNOWN, (client.id, device and device.id), client)

    def note_game(self, game: str, now: int) -> None:
        """Note that a request for a game was answered."""
        if len(self._running_games) >= _MAX_GAMES:
            self._running_games = {}
        self._running_games[game] = now

    def _without_credential(self, environ: WSGIEnvironment, address: str, now: int) -> Sender:
        found = _GAME_PATH.match(environ["PATH_INFO"]) if "HTTP_COOKIE" in environ else None
        # Somebody else may have taken the seat since, which the action will see.
        seat = found and self._services.games.credentials.read_cookies(found[1], seat_cookies(environ))
        if not found or seat is None:
            return Sender(address, name=address)
        runs = now - self._running_games.get(found[1], -_GAME_SECONDS) < _GAME_SECONDS
        return Sender(address, Kind.SEATED if runs else Kind.STRANGER, address, has_seat=True)


def sender_address(environ: WSGIEnvironment) -> str:
    """Return the address that a request comes from, as it counts.

    Over TCP this is the peer, and what `X-Forwarded-For` says is ignored, for anybody can write it. A Unix socket has
    no peer address, and only the proxy may connect to it, so there the proxy's `X-Forwarded-For` is believed.
    """
    return network_of(environ.get("REMOTE_ADDR") or environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
