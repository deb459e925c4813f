"""How one link of the ledger follows another, and what it says of its rows. Pure.

A row is canonically the JSON array [table, link, column, ...] without spaces, as RFC 8785 writes it: cells are texts,
whole numbers or null. The digest of a link is the SHA-256 of its rows, each followed by a line feed, tables in the
order of `tables.COLUMNS`, the rows of a table in the order they were appended. Its hash is the SHA-256 of the JSON
array [hash before, number, at, kind, counts, digest], likewise written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ordws.errors import LedgerBroken

Cell: TypeAlias = str | int | None
Row: TypeAlias = tuple[Cell, ...]

_JSON: Final = msgspec.json.Encoder()
_BATCH_SIZE: Final = 5_000
_EXHAUSTED: Final[tuple[Cell, Iterator[Row]]] = (None, iter(()))


class ChainHead(NamedTuple):
    """Where a chain ends."""

    length: int
    hash: str


GENESIS: Final = ChainHead(0, 64 * "0")


class Link(NamedTuple):
    """What one transaction appended; `counts` is a JSON object of rows by table."""

    number: int
    at: str
    kind: str
    counts: str
    digest: str
    hash: str


def digest_of(parts: Iterable[Iterable[Row]]) -> str:
    """The digest of a link's rows, in hexadecimal."""
    digest = sha256()
    for rows in parts:
        rest = iter(rows)
        while some := list(islice(rest, _BATCH_SIZE)):
            digest.update(_JSON.encode_lines(some))
            if len(some) < _BATCH_SIZE:
                break
    return digest.hexdigest()


def hash_of(before: str, number: int, at: str, kind: str, counts: str, digest: str) -> str:
    """The hash of the link that follows another."""
    return sha256(_JSON.encode((before, number, at, kind, counts, digest))).hexdigest()


def next_link(head: ChainHead, at: str, kind: str, counts: str, digest: str) -> Link:
    """The link that follows a head."""
    number = head.length + 1
    return Link(number, at, kind, counts, digest, hash_of(head.hash, number, at, kind, counts, digest))


def verify_links(head: ChainHead, links: Iterable[Link], tables: Mapping[str, Iterable[Row]]) -> ChainHead:
    """Where the links after a head lead, by all their rows; raises LedgerBroken at the first that does not fit."""
    columns = [_TableCursor(table, rows) for table, rows in tables.items()]
    length, before = head
    for number, at, kind, counts, digest, after in links:
        length += 1
        if number != length or after != hash_of(before, length, at, kind, counts, digest):
            raise LedgerBroken(f"link {length} does not follow from the one before: the chain was altered")
        if digest != digest_of([column.take_rows() for column in columns if column.number == number]):
            raise LedgerBroken(f"a row of link {number} was changed, added or removed")
        before = after
    for column in columns:
        if column.number is not None:
            raise LedgerBroken(f'a row of "{column.table}" belongs to no link: it was added or moved')
    return ChainHead(length, before)


class _TableCursor:
    """The rows of one table, taken link by link."""

    def __init__(self, table: str, rows: Iterable[Row]) -> None:
        self.table, self.groups = table, groupby(rows, itemgetter(1))
        self.number: Cell
        self.rows: Iterator[Row]
        self.number, self.rows = next(self.groups, _EXHAUSTED)

    def take_rows(self) -> Iterator[Row]:
        yield from self.rows
        self.number, self.rows = next(self.groups, _EXHAUSTED)
