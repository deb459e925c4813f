"""The JSON bodies that the queue's script sends, with the bounds of every field."""

from __future__ import annotations

import json
from typing import Annotated, Final, NoReturn, TypeAlias, TypeVar

import msgspec
from flask import Response, abort, request

from ordws.curation.ballot import Vote

MAX_CARD_SECONDS: Final = 3_600
_UUID: Final = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"

ReasonText: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
ClassName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
CardId: TypeAlias = Annotated[str, msgspec.Meta(max_length=128)]
BallotId: TypeAlias = Annotated[str, msgspec.Meta(pattern=_UUID)]
# A word has at most 21 letters.
FormWord: TypeAlias = Annotated[str, msgspec.Meta(max_length=21)]


class VoteRequest(msgspec.Struct, frozen=True):
    """A vote on a card."""

    card: CardId
    ballot: BallotId
    vote: Vote
    forms: Annotated[tuple[FormWord, ...], msgspec.Meta(max_length=200)] = ()
    reason: ReasonText = ""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=MAX_CARD_SECONDS)] = 0.0


class SkipRequest(msgspec.Struct, frozen=True):
    """A card given back without a vote."""

    card: CardId


class RecuseRequest(msgspec.Struct, frozen=True):
    """A curator's interest in the family of a card."""

    card: CardId
    reason: ReasonText = ""


class HoldRequest(msgspec.Struct, frozen=True):
    """An objection to a class that the family of a card falls under."""

    card: CardId
    name: ClassName = msgspec.field(name="class")
    reason: ReasonText = ""


class UndoRequest(msgspec.Struct, frozen=True):
    """A vote to take back."""

    ballot: BallotId


class HeartbeatRequest(msgspec.Struct, frozen=True):
    """The cards that a page still shows."""

    cards: Annotated[tuple[CardId, ...], msgspec.Meta(max_length=20)] = ()


Schema = TypeVar("Schema")


def read_body(schema: type[Schema]) -> Schema:
    """Return the body of this request as `schema`; answer 400 where it is not one."""
    try:
        return msgspec.json.decode(request.get_data(), type=schema)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        abort_json(400, "bad-request", str(error))


def abort_json(status: int, code: str, detail: str) -> NoReturn:
    """Stop handling this request and answer its script with a refusal."""
    abort(Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json"))
