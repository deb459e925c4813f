"""The links of the ledger's hash chain: their digests, their hashes, and their verification. Pure.

A row in canonical form is the JSON array [table, link, column, ...] without spaces, as RFC 8785 writes it: cells are
texts, whole numbers or null. The digest of a link is the SHA-256 of its rows, each followed by a line feed, tables in
the order of `schema.COLUMNS`, the rows of a table in the order in which they were appended. The hash of a link is the
SHA-256 of the JSON array [hash of the link before, number, at, kind, counts, digest], written in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ordws.errors import LedgerBroken
from ordws.journal import GENESIS_HASH, hash_of

Cell: TypeAlias = str | int | None
Row: TypeAlias = tuple[Cell, ...]

_JSON: Final = msgspec.json.Encoder()
_BATCH_SIZE: Final = 5_000
"""The rows encoded at once: a whole queue is one link, whose rows need not all be in memory together."""
_EXHAUSTED: Final[tuple[Cell, Iterator[Row]]] = (None, iter(()))


class ChainHead(NamedTuple):
    """The end of a chain: the number of its links, and the hash of the last."""

    length: int
    hash: str


GENESIS: Final = ChainHead(0, GENESIS_HASH)


class Link(NamedTuple):
    """The record of one transaction; `counts` is a JSON object with the number of rows by table."""

    number: int
    at: str
    kind: str
    counts: str
    digest: str
    hash: str


def digest_of(parts: Iterable[Iterable[Row]]) -> str:
    """Return the digest of a link's rows, given table by table, in hexadecimal."""
    digest = sha256()
    for rows in parts:
        rest = iter(rows)
        while batch := list(islice(rest, _BATCH_SIZE)):
            digest.update(_JSON.encode_lines(batch))
    return digest.hexdigest()


def next_link(head: ChainHead, at: str, kind: str, counts: str, digest: str) -> Link:
    """Return the link that follows the head of a chain."""
    number = head.length + 1
    return Link(number, at, kind, counts, digest, hash_of(head.hash, number, at, kind, counts, digest))


def verify_links(head: ChainHead, links: Iterable[Link], tables: Mapping[str, Iterable[Row]]) -> ChainHead:
    """Return the head to which the links after a head lead; raise LedgerBroken at the first that does not fit.

    `tables` are all rows after the head, in order: each begins with the name of its table and the number of its link.
    """
    groups = {table: groupby(rows, itemgetter(1)) for table, rows in tables.items()}
    # The next unverified rows of each table, and the number of the link that they say they belong to.
    pending = {table: next(rows_by_link, _EXHAUSTED) for table, rows_by_link in groups.items()}
    length, before = head
    for number, at, kind, counts, digest, after in links:
        length += 1
        if number != length or after != hash_of(before, length, at, kind, counts, digest):
            raise LedgerBroken(f"link {length} does not follow from the one before: the chain was altered")
        touched = [table for table, (link, _) in pending.items() if link == number]
        if digest != digest_of([pending[table][1] for table in touched]):
            raise LedgerBroken(f"a row of link {number} was changed, added or removed")
        for table in touched:
            pending[table] = next(groups[table], _EXHAUSTED)
        before = after
    for table, (link, _) in pending.items():
        if link is not None:
            raise LedgerBroken(f'a row of "{table}" belongs to no link: it was added or moved')
    return ChainHead(length, before)
