"""What the queue's script sends, each kind with its bounds."""

from __future__ import annotations

import json
from typing import Annotated, Final, NoReturn, TypeAlias, TypeVar

import msgspec
from flask import Response, abort, request

from ordws.curation.ballot import Vote

LARGEST: Final = 64 * 1024
LONGEST: Final = 3_600
_UUID: Final = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"

Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
CardId: TypeAlias = Annotated[str, msgspec.Meta(max_length=128)]
BallotId: TypeAlias = Annotated[str, msgspec.Meta(pattern=_UUID)]
Word: TypeAlias = Annotated[str, msgspec.Meta(max_length=21)]


class Voting(msgspec.Struct, frozen=True):
    card: CardId
    ballot: BallotId
    vote: Vote
    forms: Annotated[tuple[Word, ...], msgspec.Meta(max_length=200)] = ()
    reason: Text = ""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=LONGEST)] = 0.0


class Skipping(msgspec.Struct, frozen=True):
    card: CardId


class Recusing(msgspec.Struct, frozen=True):
    card: CardId
    reason: Text = ""


class Holding(msgspec.Struct, frozen=True):
    card: CardId
    name: Name = msgspec.field(name="class")
    reason: Text = ""


class TakingBack(msgspec.Struct, frozen=True):
    ballot: BallotId


class Beating(msgspec.Struct, frozen=True):
    cards: Annotated[tuple[CardId, ...], msgspec.Meta(max_length=20)] = ()


Asked = TypeVar("Asked")


def read(kind: type[Asked]) -> Asked:
    """What was sent; refuses what is not of that kind, and repeats nothing of it."""
    request.max_content_length = LARGEST
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        refuse(400, "bad-request", str(error))


def refuse(status: int, code: str, detail: str) -> NoReturn:
    """Answer a script that what it asks is not done, and why."""
    abort(Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json"))
