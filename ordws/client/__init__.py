"""The Python client of ORDWS, for authors of game clients; docs/client.md is their page."""

from __future__ import annotations

try:
    import httpx as _  # noqa: F401
except ModuleNotFoundError as err:
    # The service itself runs without httpx, so it is an extra, and the message has to name it.
    raise ModuleNotFoundError("ordws.client needs httpx: pip install 'ordws[client]'", name="httpx") from err

from ordws.client.async_client import AsyncClient
from ordws.client.async_game import AsyncRemoteGame, AsyncRemoteSeat
from ordws.client.client import Client
from ordws.client.errors import (
    BadRequest,
    BadSeat,
    BudgetSpent,
    Conflict,
    ConnectionFailed,
    Forbidden,
    IllFormedPlay,
    NotFound,
    OrdwsClientError,
    ProblemError,
    RequestUnderWay,
    ServiceBusy,
    ServiceFailed,
    ServiceStoreDown,
    ServiceUnavailable,
    TooManyRequests,
    TurnAlreadyTaken,
    Unauthorized,
    UnexpectedResponse,
)
from ordws.client.game import RemoteGame, RemoteSeat
from ordws.client.replies import (
    About,
    BonusLine,
    Budget,
    Device,
    Found,
    Happened,
    HomeRuling,
    JudgedPlay,
    LetterLine,
    LogEntry,
    LogPage,
    OptionEntry,
    PairingCode,
    Receipt,
    RuleSet,
    RuleSetEntry,
    Scored,
    SeatStanding,
    Standing,
    Turn,
    Verdict,
    WordLine,
)

__all__ = [
    "About",
    "AsyncClient",
    "AsyncRemoteGame",
    "AsyncRemoteSeat",
    "BadRequest",
    "BadSeat",
    "BonusLine",
    "Budget",
    "BudgetSpent",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Device",
    "Forbidden",
    "Found",
    "Happened",
    "HomeRuling",
    "IllFormedPlay",
    "JudgedPlay",
    "LetterLine",
    "LogEntry",
    "LogPage",
    "NotFound",
    "OptionEntry",
    "OrdwsClientError",
    "PairingCode",
    "ProblemError",
    "Receipt",
    "RemoteGame",
    "RemoteSeat",
    "RequestUnderWay",
    "RuleSet",
    "RuleSetEntry",
    "Scored",
    "SeatStanding",
    "ServiceBusy",
    "ServiceFailed",
    "ServiceStoreDown",
    "ServiceUnavailable",
    "Standing",
    "TooManyRequests",
    "Turn",
    "TurnAlreadyTaken",
    "Unauthorized",
    "UnexpectedResponse",
    "Verdict",
    "WordLine",
]
