"""One curator's vote on one family. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, get_args

from ordws.errors import BadBallot, BadWord
from ordws.fold import fold

Vote: TypeAlias = Literal["in", "out", "doubt"]

COLUMNS: Final = ("id", "family", "curator", "vote", "forms", "reason", "at")
_VOTES: Final[dict[str, Vote]] = {vote: vote for vote in get_args(Vote)}
FORMULA_PREFIXES: Final = frozenset("=+-@")
"""What a cell begins with that a spreadsheet would run."""

_MAX_NAME_LENGTH: Final = 100
_MAX_REASON_LENGTH: Final = 4_000


@dataclass(frozen=True)
class Ballot:
    """What a curator said, when and why. Never edited: a later ballot of his replaces it while votes are taken."""

    id: str
    family: str
    """The family's base word."""
    curator: str
    vote: Vote
    forms: tuple[str, ...]
    """The forms that the vote names, in order of the alphabet; none where it is on the whole family."""
    reason: str
    at: str
    """In UTC, as `utc` writes it."""


def read_ballot(*, id: str, family: str, curator: str, vote: str, forms: Iterable[str], reason: str, at: str) -> Ballot:
    """The ballot that these texts make; raises BadBallot, which repeats none of them: any could be a word."""
    if vote not in _VOTES:
        raise BadBallot("vote: neither in, out nor doubt")
    return Ballot(
        id=_read_name("id", id),
        family=_read_word("family", family),
        curator=_read_name("curator", curator),
        vote=_VOTES[vote],
        forms=tuple(sorted({_read_word("forms", form) for form in forms})),
        reason=_read_reason(reason),
        at=_read_time(at),
    )


def normalize_utc(text: str) -> str:
    """A time as the ledger writes it, 2026-11-21T08:30:00Z; raises ValueError for one that is not in UTC."""
    time = datetime.fromisoformat(text)
    if time.utcoffset() is None:
        raise ValueError("a time without a zone")
    if time.utcoffset():
        raise ValueError("a time of another zone than UTC")
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")


def is_name(text: str) -> bool:
    """Whether a text can name a ballot, a curator or a keeper; one that a spreadsheet would run cannot."""
    return 0 < len(text) <= _MAX_NAME_LENGTH and text.isprintable() and text[0] not in FORMULA_PREFIXES


def is_reason(text: str) -> bool:
    """Whether a text can stand as a reason; an empty one can, on a ballot."""
    return len(text) <= _MAX_REASON_LENGTH and not any(c not in "\n\t" and _is_control(c) for c in text)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs")


def _read_word(column: str, text: str) -> str:
    try:
        return fold(text.strip())
    except BadWord as error:
        raise BadBallot(f"{column}: {error}") from error


def _read_name(column: str, text: str) -> str:
    name = text.strip()
    if not is_name(name):
        raise BadBallot(f"{column}: not 1 to {_MAX_NAME_LENGTH} printable characters, the first none of = + - @")
    return name


def _read_reason(text: str) -> str:
    reason = text.replace("\r\n", "\n").strip()
    if not is_reason(reason):
        raise BadBallot(f"reason: more than {_MAX_REASON_LENGTH} characters, or control characters among them")
    return reason


def _read_time(text: str) -> str:
    try:
        return normalize_utc(text.strip())
    except ValueError as error:
        raise BadBallot("at: not a time in UTC such as 2026-11-21T08:30:00Z") from error
