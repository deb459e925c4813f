"""Tests of the form of client keys."""

from __future__ import annotations

import string

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.identity.register import is_key, write_key

SECRETS = st.binary(min_size=32, max_size=32)


@pytest.mark.parametrize(
    ("secret", "key"),
    [
        (bytes(32), "ordws_live_00000000000000000000000000000000000000000000U6PYI"),
        (bytes([255] * 32), "ordws_live_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13F1PqE"),
    ],
)
def test_the_format_of_a_key_never_changes(secret, key):
    """A key is a prefix, 43 digits of base 62, and six digits of the CRC-32 of all before."""
    assert write_key(secret) == key


@pytest.mark.parametrize(
    ("secret", "key"),
    [
        (bytes(32), "ordws_test_000000000000000000000000000000000000000000004W8zy"),
        (bytes([255] * 32), "ordws_test_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp135Gpt4"),
    ],
)
def test_a_test_key_differs_in_prefix_and_checksum(secret, key):
    """A test key has another prefix and checksum, and is otherwise written as a live key is."""
    assert write_key(secret, test=True) == key


@given(SECRETS, st.booleans())
def test_every_key_has_its_checksum(secret, test):
    """Every key that is written must be recognised as a key."""
    assert is_key(write_key(secret, test=test))


@given(SECRETS)
def test_a_live_key_is_not_made_a_test_key_by_its_prefix(secret):
    """The checksum covers the prefix, so that a key with the other prefix is not a key."""
    assert not is_key(write_key(secret).replace("ordws_live_", "ordws_test_"))
    assert not is_key(write_key(secret, test=True).replace("ordws_test_", "ordws_live_"))


@given(SECRETS, st.integers(0, 59), st.sampled_from(string.ascii_letters + string.digits + "_é"))
def test_a_changed_character_is_noticed(secret, place, other):
    """A key with one character changed is not a key."""
    key = write_key(secret)
    changed = key[:place] + other + key[place + 1 :]
    assert is_key(changed) is (changed == key)


@each_row(
    "text", ["", "ordws_live_", "ordws_test_" + "0" * 49, write_key(bytes(32))[:-1], "x" + write_key(bytes(32))[1:]]
)
def test_an_incomplete_or_foreign_text_is_no_key(text):
    """A prefix alone, another prefix, or a key cut short is not a key."""
    assert not is_key(text)


def test_a_key_carries_all_of_its_secret():
    """A secret of another length than 32 bytes is an error of the caller."""
    with pytest.raises(ValueError, match="a key carries 32 bytes, not 31"):
        write_key(bytes(31))
