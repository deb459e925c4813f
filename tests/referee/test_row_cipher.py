"""Tests of the encryption of rows."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.errors import Broken
from ordws.row_cipher import RowCipher

KEY = bytes(range(32))
PLAIN = b'[0,["8D","STAiNER"]]'


def test_a_row_decrypts_under_its_game_number_and_key():
    """A row is decrypted under its game, number and key, and its ciphertext shows nothing of it."""
    sealed = RowCipher(KEY).encrypt("game", 3, PLAIN)
    assert RowCipher(KEY).decrypt("game", 3, sealed) == PLAIN
    assert b"STAiNER" not in sealed
    assert RowCipher(KEY).encrypt("game", 3, PLAIN) != sealed


@each_row(
    ("key", "game", "number"),
    [(KEY, "game", 4), (KEY, "gam", 3), (KEY, "other", 3), (bytes(32), "game", 3)],
)
def test_a_row_is_bound_to_its_game_its_number_and_the_key(key, game, number):
    """A row that was moved, or is opened under another key, is not decrypted."""
    sealed = RowCipher(KEY).encrypt("game", 3, PLAIN)
    with pytest.raises(Broken, match="does not open under its key"):
        RowCipher(key).decrypt(game, number, sealed)


def test_all_damage_raises_the_same_error():
    """Each flipped byte and each shorter length raises the same error."""
    sealed = RowCipher(KEY).encrypt("game", 3, PLAIN)
    damaged = [sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :] for at in range(len(sealed))]
    for row in [*damaged, *(sealed[:at] for at in range(len(sealed)))]:
        with pytest.raises(Broken, match=r"^a sealed row does not open under its key$"):
            RowCipher(KEY).decrypt("game", 3, row)


def test_a_key_has_32_bytes():
    """A key of another length raises Broken."""
    with pytest.raises(Broken, match="the key of sealed rows has 31 bytes, 32 were expected"):
        RowCipher(KEY[:-1])
