"""The sealing keys, by number."""

from __future__ import annotations

import copy
import os
import pickle
import stat
from pathlib import Path

import pytest

from ordws.errors import BadInput, Broken, Missing
from ordws.lexicon.keyring import Keyring


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def without(folder: Path, *gone: str) -> Keyring:
    for name in gone:
        (folder / name).unlink()
    return Keyring.open(folder)


def test_first_keys_are_made_once(tmp_path: Path) -> None:
    """The first keys have the number 1, secret ones the mode 0400, and are never replaced."""
    keyring = Keyring.create(tmp_path / "keys")
    assert names(tmp_path / "keys") == ["opening-1.key", "signing-1.key", "signing-1.pub"]
    modes = [stat.S_IMODE((tmp_path / "keys" / name).stat().st_mode) for name in names(tmp_path / "keys")]
    assert modes == [0o400, 0o400, 0o644]
    assert (keyring.newest_opening, keyring.newest_signing) == (1, 1)
    before = (tmp_path / "keys" / "opening-1.key").read_bytes()
    with pytest.raises(BadInput, match="holds sealing keys already"):
        Keyring.create(tmp_path / "keys")
    assert (tmp_path / "keys" / "opening-1.key").read_bytes() == before


def test_rotation_adds_the_next_numbers(tmp_path: Path) -> None:
    """A rotation adds keys and keeps the old ones: the newest seal, all of them read."""
    first = Keyring.create(tmp_path)
    signature, wrapped = first.sign_edition(b"edition"), first.wrap(bytes(32), bytes(12), b"header")
    second = first.rotate()
    assert names(tmp_path) == [
        "opening-1.key",
        "opening-2.key",
        "signing-1.key",
        "signing-1.pub",
        "signing-2.key",
        "signing-2.pub",
    ]
    assert (second.newest_opening, second.newest_signing) == (2, 2)
    assert second.find_signer(b"edition", signature) == 1
    assert second.find_data_key(1, wrapped, b"header") == bytes(32)
    assert second.find_signer(b"edition", second.sign_edition(b"edition")) == 2


@pytest.mark.parametrize(
    ("gone", "newest"),
    [
        (("signing-2.pub", "opening-2.key"), (1, 2)),
        (("opening-2.key",), (1, 2)),
    ],
)
def test_an_interrupted_rotation_leaves_usable_keys(
    tmp_path: Path, gone: tuple[str, ...], newest: tuple[int, int]
) -> None:
    """A rotation killed between two files leaves keys that seal and read, and the next one takes fresh numbers."""
    keyring = Keyring.create(tmp_path)
    signature = keyring.sign_edition(b"edition")
    keyring.rotate()
    half = without(tmp_path, *gone)
    assert (half.newest_opening, half.newest_signing) == newest
    assert half.find_signer(b"edition", signature) == 1
    whole = half.rotate()
    assert (whole.newest_opening, whole.newest_signing) == (2, 3)


def test_a_lost_signing_key_is_not_passed_over(tmp_path: Path) -> None:
    """No older key signs when the newest private key is gone and its public half is not; the next key does."""
    Keyring.create(tmp_path).rotate()
    keyring = without(tmp_path, "signing-2.key")
    for sign in (keyring.sign, keyring.sign_edition):
        with pytest.raises(Missing, match=r"signing-2\.pub is in .* without signing-2\.key") as caught:
            sign(b"anything")
        assert caught.value.hint is not None
        assert "backup" in caught.value.hint
    assert keyring.rotate().newest_signing == 3


def test_reading_a_key_never_blocks(tmp_path: Path) -> None:
    """A pipe in the place of a key is refused, and opening it does not block."""
    Keyring.create(tmp_path)
    os.mkfifo(tmp_path / "signing-2.pub")
    with pytest.raises(Missing, match=r'signing-2\.pub" cannot be read: not a regular file'):
        Keyring.open(tmp_path)


def test_a_temporary_file_is_no_key(tmp_path: Path) -> None:
    """A temporary file of a killed process is ignored."""
    Keyring.create(tmp_path)
    (tmp_path / ".opening-2.key.k3v9").write_bytes(b"half")
    (tmp_path / "opening-02.key").write_bytes(b"no such number")
    assert Keyring.open(tmp_path).opening_numbers == [1]


def test_a_serving_host_can_open_and_not_seal(tmp_path: Path) -> None:
    """A host with the opening key and the public key reads editions, and can neither sign nor rotate."""
    full = Keyring.create(tmp_path)
    signature, statement = full.sign_edition(b"edition"), full.sign(b"head")
    keyring = without(tmp_path, "signing-1.key")
    assert keyring.find_signer(b"edition", signature) == 1
    assert keyring.verify(b"head", statement)
    with pytest.raises(Missing, match="no private signing key"):
        keyring.sign_edition(b"edition")
    with pytest.raises(Missing, match="no private signing key"):
        keyring.sign(b"head")
    with pytest.raises(Missing, match="lacks the keys that seal"):
        keyring.rotate()


def test_a_folder_without_keys_is_an_error(tmp_path: Path) -> None:
    """A folder without keys, or no folder, is an error that says how keys are made."""
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(Missing, match=f'no sealing keys in "{folder}"') as caught:
            Keyring.open(folder)
        assert caught.value.hint == "ordws init makes an installation with its keys"


@pytest.mark.parametrize("mode", [0o440, 0o404, 0o644, 0o420])
@pytest.mark.parametrize("name", ["opening-1.key", "signing-1.key"])
def test_a_secret_key_open_to_others_is_refused(tmp_path: Path, name: str, mode: int) -> None:
    """A secret key that group or others may access is refused, with the command that corrects it as the hint."""
    Keyring.create(tmp_path)
    (tmp_path / name).chmod(mode)
    with pytest.raises(BadInput, match=rf"is open to others \(mode {mode:04o}\)") as caught:
        Keyring.open(tmp_path)
    assert caught.value.hint == f"chmod 400 {tmp_path / name}"


@pytest.mark.parametrize("name", ["opening-1.key", "signing-1.key", "signing-1.pub"])
@pytest.mark.parametrize("content", [b"", bytes(31), bytes(33)])
def test_a_key_of_another_length_is_broken(tmp_path: Path, name: str, content: bytes) -> None:
    """A key file must hold 32 bytes, and an error about it shows none of them."""
    Keyring.create(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(content)
    (tmp_path / name).chmod(0o400)
    with pytest.raises(Broken, match=f'^key file "{tmp_path / name}" does not hold 32 bytes$'):
        Keyring.open(tmp_path)


def test_a_foreign_public_half_is_noticed(tmp_path: Path) -> None:
    """A public key that does not belong to the private key of its number is refused."""
    Keyring.create(tmp_path / "one")
    Keyring.create(tmp_path / "two")
    (tmp_path / "two" / "signing-1.pub").replace(tmp_path / "one" / "signing-1.pub")
    with pytest.raises(Broken, match=r"signing-1\.pub .* does not belong to signing-1\.key"):
        Keyring.open(tmp_path / "one")


def test_a_statement_is_checked_with_the_key_that_signed_it(tmp_path: Path) -> None:
    """A statement's signature names its key, so that it verifies after a rotation, and for no other message."""
    old = Keyring.create(tmp_path)
    signature = old.sign(b"ledger head 41")
    new = old.rotate()
    assert new.verify(b"ledger head 41", signature)
    assert new.sign(b"ledger head 41")[:4] == b"\0\0\0\2"
    assert not new.verify(b"ledger head 42", signature)
    assert not new.verify(b"ledger head 41", b"\0\0\0\2" + signature[4:])
    assert not new.verify(b"ledger head 41", signature[:-1])
    assert not new.verify(b"ledger head 41", b"")


def test_signatures_of_editions_and_statements_are_distinct(tmp_path: Path) -> None:
    """The signature of a statement does not verify as that of an edition, nor the other way round."""
    keyring = Keyring.create(tmp_path)
    body = b"ORDW1\n and what follows"
    assert keyring.find_signer(body, keyring.sign(body)[4:]) is None
    assert not keyring.verify(body, b"\0\0\0\1" + keyring.sign_edition(body))
    with pytest.raises(ValueError, match="a statement is signed with `sign`"):
        keyring.sign_edition(b"ORDWS statement 1\n\0\0\0\1" + body)


def test_a_wrapped_key_is_bound_to_its_header(tmp_path: Path) -> None:
    """A wrapped key is bound to its associated data, to its number and to every byte of its own."""
    keyring = Keyring.create(tmp_path).rotate()
    wrapped = keyring.wrap(b"k" * 32, b"n" * 12, b"header")
    assert keyring.find_data_key(2, wrapped, b"header") == b"k" * 32
    assert keyring.find_data_key(2, wrapped, b"Header") is None
    assert keyring.find_data_key(1, wrapped, b"header") is None
    assert keyring.find_data_key(3, wrapped, b"header") is None
    assert keyring.find_data_key(2, wrapped[:-1] + bytes([wrapped[-1] ^ 1]), b"header") is None


def test_a_keyring_shows_no_key(tmp_path: Path) -> None:
    """A keyring shows the numbers of its keys, and can be neither copied nor pickled."""
    keyring = Keyring.create(tmp_path)
    assert repr(keyring) == "<Keyring opening=[1] signing=[1] public=[1]>"
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a keyring is not copied"):
            take(keyring)
