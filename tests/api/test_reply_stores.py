"""Tests of what every store of replies has to do."""

from __future__ import annotations

import pytest
from redis_server import DURABLE, RedisServer

from ordws.api.idempotency import SqliteReplyStore
from ordws.api.redis_idempotency import RedisReplyStore

NOON, DAY = 1_795_262_400, 86_400


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def replies(request, tmp_path):
    if request.param == "sqlite":
        store = SqliteReplyStore.create(tmp_path / "replies.db")
        yield store
        store.close()
    elif request.param == "cluster":
        store = RedisReplyStore(request.getfixturevalue("cluster").url)
        yield store
        store.close()
    else:
        server = RedisServer(tmp_path / "redis", *DURABLE)
        store = RedisReplyStore(server.url)
        yield store
        store.close()
        server.kill()


def test_a_first_request_is_entered_as_under_way(replies):
    """The first request must be entered, and until it ends the others must find it under way."""
    assert replies.begin(b"a", b"asked", NOON) is None
    assert replies.begin(b"a", b"other", NOON + 4) == (b"asked", None)
    assert replies.begin(b"b", b"asked", NOON) is None


def test_a_lease_expires_after_five_seconds(replies):
    """Five seconds after a process was killed, its request may be made again."""
    replies.begin(b"a", b"asked", NOON)
    assert replies.begin(b"a", b"other", NOON + 5) is None
    assert replies.begin(b"a", b"asked", NOON + 6) == (b"other", None)


def test_a_lease_from_a_clock_far_ahead_is_void(replies):
    """A lease from a clock that was far ahead must be void, while a stored reply stands."""
    for name in (b"a", b"b"):
        replies.begin(name, b"asked", NOON + DAY)
    replies.end(b"b", b"ann", b"reply", NOON + DAY)
    assert replies.begin(b"a", b"other", NOON) is None
    assert replies.begin(b"a", b"asked", NOON + 4) == (b"other", None)
    assert replies.begin(b"b", b"asked", NOON) == (b"asked", b"reply")


@pytest.mark.parametrize("behind", [1, 60])
def test_a_lease_tolerates_a_clock_slightly_behind(replies, behind):
    """A lease must hold against a host whose clock is a little behind, or both would carry out the request."""
    replies.begin(b"a", b"asked", NOON)
    assert replies.begin(b"a", b"other", NOON - behind) == (b"asked", None)
    assert replies.begin(b"a", b"asked", NOON - 61) is None


def test_a_reply_is_kept_for_a_day(replies):
    """A reply of any bytes must be stored for 24 hours, to the second."""
    replies.begin(b"a", b"asked", NOON)
    replies.end(b"a", b"ann", bytes(range(256)), NOON + 1)
    assert replies.begin(b"a", b"other", NOON + DAY) == (b"asked", bytes(range(256)))
    assert replies.begin(b"a", b"other", NOON + DAY + 1) is None


def test_what_is_stored_for_a_caller_is_counted_by_day(replies):
    """Each reply must count for its caller with the bytes of its entry, until the day ends, and a dropped one never."""
    for name in (b"a", b"b", b"c"):
        replies.begin(name, b"asked", NOON)
    replies.end(b"a", b"ann", b"reply", NOON)
    replies.end(b"b", b"ann", b"another", NOON)
    replies.drop(b"c")
    replies.sweep(NOON)
    assert replies.stored_today(b"ann", NOON) == (2, 48 + 5 + 48 + 7)
    assert replies.stored_today(b"ben", NOON) == (0, 0)
    assert replies.stored_today(b"ann", NOON + DAY) == (0, 0)


def test_a_dropped_request_can_be_made_again(replies):
    """A request that ended without a reply must leave nothing behind."""
    replies.begin(b"a", b"asked", NOON)
    replies.drop(b"a")
    assert replies.begin(b"a", b"other", NOON) is None


def test_a_sweep_keeps_unexpired_replies(replies):
    """A sweep must not delete a reply before its day is over."""
    replies.begin(b"a", b"asked", NOON)
    replies.end(b"a", b"ann", b"reply", NOON)
    replies.sweep(NOON + DAY - 1)
    assert replies.begin(b"a", b"asked", NOON + DAY - 1) == (b"asked", b"reply")
