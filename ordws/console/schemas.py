"""What the queue's script sends, each kind with its bounds."""

from __future__ import annotations

import json
from typing import Annotated, Final, NoReturn, TypeAlias, TypeVar

import msgspec
from flask import Response, abort, request

from ordws.curation.ballot import Vote

MAX_BODY_BYTES: Final = 64 * 1024
MAX_CARD_SECONDS: Final = 3_600
_UUID: Final = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"

ReasonText: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
ClassName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
CardId: TypeAlias = Annotated[str, msgspec.Meta(max_length=128)]
BallotId: TypeAlias = Annotated[str, msgspec.Meta(pattern=_UUID)]
FormWord: TypeAlias = Annotated[str, msgspec.Meta(max_length=21)]


class VoteRequest(msgspec.Struct, frozen=True):
    card: CardId
    ballot: BallotId
    vote: Vote
    forms: Annotated[tuple[FormWord, ...], msgspec.Meta(max_length=200)] = ()
    reason: ReasonText = ""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=MAX_CARD_SECONDS)] = 0.0


class SkipRequest(msgspec.Struct, frozen=True):
    card: CardId


class RecuseRequest(msgspec.Struct, frozen=True):
    card: CardId
    reason: ReasonText = ""


class HoldRequest(msgspec.Struct, frozen=True):
    card: CardId
    name: ClassName = msgspec.field(name="class")
    reason: ReasonText = ""


class UndoRequest(msgspec.Struct, frozen=True):
    ballot: BallotId


class HeartbeatRequest(msgspec.Struct, frozen=True):
    cards: Annotated[tuple[CardId, ...], msgspec.Meta(max_length=20)] = ()


Schema = TypeVar("Schema")


def read_body(schema: type[Schema]) -> Schema:
    """What was sent; refuses what is not of that kind, and repeats nothing of it."""
    request.max_content_length = MAX_BODY_BYTES
    try:
        return msgspec.json.decode(request.get_data(), type=schema)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        abort_json(400, "bad-request", str(error))


def abort_json(status: int, code: str, detail: str) -> NoReturn:
    """Answer a script that what it asks is not done, and why."""
    abort(Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json"))
