"""The hash chain: its bytes are fixed, and every change is noticed."""

from __future__ import annotations

import hashlib
import json

import pytest
from each_row import each_row
from hypothesis import given, settings
from hypothesis import strategies as st

from ordws.curation.hash_chain import GENESIS, ChainHead, Link, Row, digest_of, next_link, verify_links
from ordws.errors import LedgerBroken

AT = "2026-11-21T08:30:00Z"
FAMILIES: list[Row] = [("families", 1, "BASH", "borderline"), ("families", 3, "BASH", None)]
BALLOTS: list[Row] = [("ballots", 2, "a1", "BASH", "ann", "in", "BASH BASHED", 'said "no\u00a0" – 😀\n', AT)]


def links() -> list[Link]:
    first = next_link(GENESIS, AT, "queue", '{"families":1}', digest_of([FAMILIES[:1]]))
    second = next_link(ChainHead(1, first.hash), AT, "ballots", '{"ballots":1}', digest_of([BALLOTS]))
    third = next_link(ChainHead(2, second.hash), AT, "queue", '{"families":1}', digest_of([FAMILIES[1:]]))
    return [first, second, third]


def lead(chain: list[Link], families: list[Row] = FAMILIES, ballots: list[Row] = BALLOTS) -> ChainHead:
    return verify_links(GENESIS, chain, {"families": families, "ballots": ballots})


def test_the_bytes_of_the_chain_are_fixed() -> None:
    """The digests and hashes never change, so that a ledger written today opens in every later version."""
    assert [(link.digest, link.hash) for link in links()] == [
        (
            "ad97370e5796c9bf68b7da75c6efdce9f35f0c4c4ba82b09a5b7073ad692e251",
            "c93b7e7065489f1729f7b1d1d44249f1c6ef0211e7d1058ebdee582a6b75eb45",
        ),
        (
            "365484c2b1d6045bdcc81ce07ff788a3c7708bd59f58524c86f534ec2e1cbbcf",
            "be55a2a625256163d7de413afdecb96cc1b67761569268d52ba5e6cc3a998957",
        ),
        (
            "8365f4d946abc2f73d3e200c5c52fd5ee5128726dc6c32d415bd3c7cb28df0da",
            "e1e3e126c6c97f6d60e3b4d33eca7aeea95d29e8fb0c55f89bbf2c0cdb3743a7",
        ),
    ]


def test_the_chain_can_be_checked_without_our_code() -> None:
    """Digest and hash are plain SHA-256 of plain JSON, as the module says."""

    def plain(value: object) -> bytes:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    first, second, _ = links()
    assert second.digest == hashlib.sha256(plain(BALLOTS[0]) + b"\n").hexdigest()
    whole = [first.hash, 2, AT, "ballots", '{"ballots":1}', second.digest]
    assert second.hash == hashlib.sha256(plain(whole)).hexdigest()


@settings(deadline=None, database=None)
@given(st.lists(st.text() | st.integers(-(2**63), 2**63 - 1) | st.none(), max_size=8).map(tuple))
def test_rows_are_written_as_plain_json(row: Row) -> None:
    """The bytes of a row are those of the standard library's JSON, whatever its cells hold."""
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    assert digest_of([[row]]) == hashlib.sha256(line).hexdigest()


def test_many_rows_are_digested_as_one_text() -> None:
    """The digest does not depend on how many rows are encoded at once."""
    rows: list[Row] = [("families", 1, f"W{number}", None) for number in range(10_000)]
    lines = "".join([f'["families",1,"W{number}",null]\n' for number in range(10_000)])
    assert digest_of([rows]) == digest_of([rows[:1], rows[1:]]) == hashlib.sha256(lines.encode()).hexdigest()


def test_a_verified_chain_ends_at_its_head() -> None:
    """Verifying all links with their rows ends at the last link."""
    assert lead(links()) == ChainHead(3, links()[2].hash)


def test_verification_can_start_from_a_verified_link() -> None:
    """Links that were verified before need not be verified again."""
    first, *later = links()
    assert verify_links(ChainHead(1, first.hash), later, {"families": FAMILIES[1:], "ballots": BALLOTS}) == ChainHead(
        3, later[1].hash
    )


@each_row("field", ["number", "at", "kind", "counts", "digest", "hash"])
def test_a_changed_link_is_noticed(field: str) -> None:
    """A change of any field of a link is noticed."""
    first, second, third = links()
    changed = second._replace(number=7) if field == "number" else second._replace(**{field: "changed"})  # type: ignore[arg-type]
    with pytest.raises(LedgerBroken, match="link 2 does not follow from the one before"):
        lead([first, changed, third])


def test_a_missing_link_is_noticed() -> None:
    """A link missing from the middle is noticed."""
    first, _, third = links()
    with pytest.raises(LedgerBroken, match="link 2 does not follow from the one before"):
        lead([first, third])


@each_row(
    ("families", "ballots", "fault"),
    [
        (FAMILIES, [], "a row of link 2 was changed, added or removed"),
        (FAMILIES, [*BALLOTS, BALLOTS[0]], "a row of link 2 was changed, added or removed"),
        ([("families", 1, "BISH", None), FAMILIES[1]], BALLOTS, "a row of link 1 was changed, added or removed"),
        ([FAMILIES[1], FAMILIES[0]], BALLOTS, "a row of link 1 was changed, added or removed"),
        ([*FAMILIES, ("families", 2, "BISH", None)], BALLOTS, 'a row of "families" belongs to no link'),
        ([*FAMILIES, ("families", 4, "BISH", None)], BALLOTS, 'a row of "families" belongs to no link'),
        ([("families", 0, "BISH", None), *FAMILIES], BALLOTS, "a row of link 1 was changed, added or removed"),
    ],
)
def test_a_changed_row_is_noticed(families: list[Row], ballots: list[Row], fault: str) -> None:
    """A row that is changed, added, moved, removed or put before another is noticed."""
    with pytest.raises(LedgerBroken, match=fault):
        lead(links(), families, ballots)
