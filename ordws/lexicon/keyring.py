"""The sealing keys by number: the newest of each kind seals, every one of them opens."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NoReturn

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, write_new
from ordws.errors import BadInput, Broken, Missing
from ordws.lexicon.bounded_read import read_bounded

KEY_LENGTH: Final = 32
NONCE_LENGTH: Final = 12
SIGNATURE_LENGTH: Final = 64
_FILE: Final = re.compile(r"opening-(?P<opening>[1-9][0-9]{0,8})\.key|signing-(?P<signing>[1-9][0-9]{0,8})\.(key|pub)")

# A signed statement begins with this text and a sealed edition with its magic: neither signature fits the other kind.
_STATEMENT: Final = b"ORDWS statement 1\n"
_NUMBER_LENGTH: Final = 4


class Keyring:
    """The sealing keys of one host. A build host has all of them; a serving host has none that sign."""

    __slots__ = ("_folder", "_opening", "_public", "_signing")

    def __init__(
        self,
        folder: Path,
        opening: dict[int, AESGCM],
        signing: dict[int, Ed25519PrivateKey],
        public: dict[int, Ed25519PublicKey],
    ) -> None:
        self._folder, self._opening, self._signing, self._public = folder, opening, signing, public

    @classmethod
    def create(cls, folder: Path) -> Keyring:
        """Make the first keys of an installation; raise BadInput if the folder holds keys already."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _find_files(folder):
            raise BadInput(f'"{folder}" holds sealing keys already', hint="ordws keys rotate adds the next ones")
        return _make_keys(folder, opening=1, signing=1)

    @classmethod
    def open(cls, folder: Path) -> Keyring:
        """Read the keys in a folder, whichever there are; raise Missing if there are none."""
        files = _find_files(folder)
        if not files:
            raise Missing(f'no sealing keys in "{folder}"', hint="ordws init makes an installation with its keys")
        opening, signing, public = {}, {}, {}
        for path, match in files:
            if match["opening"]:
                opening[int(match["opening"])] = AESGCM(_read_key(path, secret=True))
            elif path.suffix == ".key":
                signing[int(match["signing"])] = Ed25519PrivateKey.from_private_bytes(_read_key(path, secret=True))
            else:
                public[int(match["signing"])] = Ed25519PublicKey.from_public_bytes(_read_key(path, secret=False))
        for number, private in signing.items():
            half = private.public_key()
            if public.setdefault(number, half) != half:
                raise Broken(f'signing-{number}.pub in "{folder}" does not belong to signing-{number}.key')
        return cls(folder, opening, signing, public)

    def rotate(self) -> Keyring:
        """Make the next pair of keys, which seals from now on, and return all keys; the old ones stay for reading.

        A process killed halfway leaves a new key of one kind only. Nothing is lost: the newest of each kind seals.
        """
        if not (self._opening and self._signing):
            raise Missing(
                f'"{self._folder}" lacks the keys that seal', hint="keys are rotated where editions are built"
            )
        return _make_keys(self._folder, opening=max(self._opening) + 1, signing=max(self._public) + 1)

    @property
    def opening_numbers(self) -> list[int]:
        return sorted(self._opening)

    @property
    def signing_numbers(self) -> list[int]:
        return sorted(self._signing)

    @property
    def public_numbers(self) -> list[int]:
        return sorted(self._public)

    @property
    def newest_opening(self) -> int:
        """The number of the newest opening key; raises Missing if there is none."""
        return _newest(self._opening, f'no opening key in "{self._folder}"')

    @property
    def newest_signing(self) -> int:
        """The number of the newest signing key; raises Missing if there is none, or if a newer one was lost."""
        newest = _newest(self._signing, f'no private signing key in "{self._folder}"')
        # An older key must not take over silently: editions would go on under a key that was rotated out.
        if newest < (known := max(self._public)):
            raise Missing(
                f'signing-{known}.pub is in "{self._folder}" without signing-{known}.key, and no older key signs',
                hint="restore it from a backup; if it is lost, ordws keys rotate makes the next one",
            )
        return newest

    def public_key(self, number: int) -> bytes:
        """Return the public half of a signing key, 32 bytes, which serving hosts need."""
        return self._public[number].public_bytes_raw()

    def wrap(self, data_key: bytes, nonce: bytes, bound_to: bytes) -> bytes:
        """Encrypt a data key under the newest opening key, with `bound_to` as associated data."""
        return nonce + self._opening[self.newest_opening].encrypt(nonce, data_key, bound_to)

    def find_data_key(self, number: int, wrapped: bytes, bound_to: bytes) -> bytes | None:
        """Return the data key wrapped under the opening key of this number; None if it does not unwrap."""
        key = self._opening.get(number)
        if key is None:
            return None
        try:
            return key.decrypt(wrapped[:NONCE_LENGTH], wrapped[NONCE_LENGTH:], bound_to)
        except InvalidTag:
            return None

    def sign_edition(self, body: bytes) -> bytes:
        """Return the signature of the newest signing key over a whole edition."""
        if body.startswith(_STATEMENT):
            raise ValueError("a statement is signed with `sign`")
        return self._signing[self.newest_signing].sign(body)

    def find_signer(self, body: bytes, signature: bytes) -> int | None:
        """Return the number of the key that made this signature over an edition; None if no known key did."""
        return next((n for n in sorted(self._public, reverse=True) if self._verifies(n, signature, body)), None)

    def sign(self, message: bytes) -> bytes:
        """Return the number of the newest signing key, 4 bytes, and its signature over a statement.

        A statement is any message but an edition: a text is put in front, so that no signature fits both.
        """
        number = self.newest_signing.to_bytes(_NUMBER_LENGTH, "big")
        return number + self._signing[self.newest_signing].sign(_STATEMENT + number + message)

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Return whether `sign` made this signature for the message, also with an older key."""
        number, rest = signature[:_NUMBER_LENGTH], signature[_NUMBER_LENGTH:]
        return self._verifies(int.from_bytes(number, "big"), rest, _STATEMENT + number + message)

    def _verifies(self, number: int, signature: bytes, body: bytes) -> bool:
        key = self._public.get(number)
        if key is None:
            return False
        try:
            key.verify(signature, body)
        except InvalidSignature:
            return False
        return True

    def __repr__(self) -> str:
        return f"<Keyring opening={self.opening_numbers} signing={self.signing_numbers} public={self.public_numbers}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a keyring is not copied")


def _make_keys(folder: Path, *, opening: int, signing: int) -> Keyring:
    # The private half is written first: a public half alone then means a lost key, never a rotation cut short.
    private = Ed25519PrivateKey.generate()
    write_new(folder / f"signing-{signing}.key", private.private_bytes_raw(), SECRET_MODE)
    write_new(folder / f"signing-{signing}.pub", private.public_key().public_bytes_raw(), PUBLIC_MODE)
    write_new(folder / f"opening-{opening}.key", os.urandom(KEY_LENGTH), SECRET_MODE)
    return Keyring.open(folder)


def _find_files(folder: Path) -> list[tuple[Path, re.Match[str]]]:
    try:
        paths = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Missing(f'"{folder}" cannot be read: {error.strerror}') from error
    return [(path, match) for path in paths if (match := _FILE.fullmatch(path.name))]


def _read_key(path: Path, *, secret: bool) -> bytes:
    try:
        key, mode = read_bounded(path, KEY_LENGTH)
    except OSError as error:
        raise Missing(f'key file "{path}" cannot be read: {error.strerror}') from error
    if secret and mode & 0o077:
        raise BadInput(f'key file "{path}" is open to others (mode {mode:04o})', hint=f"chmod 400 {path}")
    if len(key) != KEY_LENGTH:
        raise Broken(f'key file "{path}" does not hold {KEY_LENGTH} bytes')
    return key


def _newest(numbers: Iterable[int], otherwise: str) -> int:
    newest = max(numbers, default=None)
    if newest is None:
        raise Missing(otherwise, hint="editions are sealed where all sealing keys are")
    return newest
