"""The vote of one curator on one family. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, get_args

from ordws.errors import BadBallot, BadInput, BadWord
from ordws.fold import fold

Vote: TypeAlias = Literal["in", "out", "doubt"]

BALLOT_COLUMNS: Final = ("id", "family", "curator", "vote", "forms", "reason", "at")
_VOTES: Final[dict[str, Vote]] = {vote: vote for vote in get_args(Vote)}
FORMULA_PREFIXES: Final = frozenset("=+-@")
"""The first characters by which a spreadsheet takes a cell for a formula, and runs it."""

_MAX_NAME_LENGTH: Final = 100
_MAX_REASON_LENGTH: Final = 4_000


@dataclass(frozen=True)
class Ballot:
    """A vote with its reason and time. Never edited: while votes are taken, a curator's later ballot replaces it."""

    id: str
    family: str
    """The family's base word."""
    curator: str
    vote: Vote
    forms: tuple[str, ...]
    """The forms that the vote names, in alphabetical order; empty for a vote on the whole family."""
    reason: str
    at: str
    """In UTC, as `normalize_utc` writes it."""


def read_ballot(*, id: str, family: str, curator: str, vote: str, forms: Iterable[str], reason: str, at: str) -> Ballot:
    """Read a ballot from texts; raise BadBallot, which repeats none of the texts, since any could be a secret word."""
    if vote not in _VOTES:
        raise BadBallot("vote: neither in, out nor doubt")
    id, family, curator = _read_name("id", id), _read_word("family", family), _read_name("curator", curator)
    words = {_read_word("forms", form) for form in forms}
    # Spreadsheets end the lines of a cell with CR LF; the ledger has line feeds.
    reason = reason.replace("\r\n", "\n").strip()
    if not is_reason(reason):
        raise BadBallot(f"reason: more than {_MAX_REASON_LENGTH} characters, or control characters among them")
    try:
        time = normalize_utc(at.strip())
    except ValueError as error:
        raise BadBallot("at: not a time in UTC such as 2026-11-21T08:30:00Z") from error
    return Ballot(id, family, curator, _VOTES[vote], tuple(sorted(words)), reason, time)


def normalize_utc(text: str) -> str:
    """Return a time as the ledger writes it, 2026-11-21T08:30:00Z; raise ValueError if it is not in UTC."""
    time = datetime.fromisoformat(text)
    if time.utcoffset() is None:
        raise ValueError("a time without a zone")
    if time.utcoffset():
        raise ValueError("a time of another zone than UTC")
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")


def is_name(text: str) -> bool:
    """Return whether a text can name a ballot, a curator or a keeper: not if a spreadsheet would run it."""
    return 0 < len(text) <= _MAX_NAME_LENGTH and text.isprintable() and text[0] not in FORMULA_PREFIXES


def is_reason(text: str) -> bool:
    """Return whether a text can be stored as a reason; the empty text can."""
    # Categories Cc and Cs are control characters and lone surrogates, which UTF-8 cannot encode.
    is_printable = all(c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") for c in text)
    return len(text) <= _MAX_REASON_LENGTH and is_printable


def read_reason(text: str) -> str:
    """Return a reason without the spaces around it; raise BadInput if it is empty or cannot be stored."""
    reason = text.strip()
    if not reason or not is_reason(reason):
        raise BadInput(f"a reason is needed, of at most {_MAX_REASON_LENGTH} characters and without control characters")
    return reason


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
