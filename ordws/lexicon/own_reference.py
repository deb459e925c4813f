"""An installation's own players' list, such as a licensed OSPD: read from a file, and kept encrypted for the builder.

The list is secret where editions are built, and sealed in each edition. Its name is public.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ordws.atomic_files import PRIVATE_MODE, SECRET_MODE, write_atomically
from ordws.errors import BadInput, BadSource, Broken, Missing
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH, find_fold
from ordws.lexicon.bounded_read import read_bounded
from ordws.lexicon.keyring import KEY_LENGTH, NONCE_LENGTH
from ordws.lexicon.sealed_edition import is_list_name

MAX_FILE_BYTES: Final = 64 * 2**20
_BOUND: Final = b"ORDWS own reference\n"
_MAX_SHOWN: Final = 40


class OwnReference(NamedTuple):
    """A players' list with the name that people read, such as OSPD 7; `words` are folded."""

    name: str
    words: frozenset[str]


def read_list_file(path: Path, name: str) -> tuple[OwnReference, int]:
    """Return the list in a file, and how many of its lines repeat a word.

    A line has a word, or a word, white space and its definition, which is not kept. Empty lines, and lines that begin
    with #, say nothing. The file is UTF-8, at most 64 MiB. Raises BadInput for the name, Missing for a file that cannot
    be read, BadSource with the first line that is wrong.
    """
    if not is_list_name(name):
        raise BadInput(
            f'"{name}" cannot name a players\' list',
            hint="1 to 40 letters A to Z, digits, spaces and . , ( ) + -, beginning with a letter or digit",
        )
    try:
        data = read_bounded(path, MAX_FILE_BYTES)[0]
    except OSError as error:
        raise Missing(f'"{path}" cannot be read: {error.strerror}') from error
    if len(data) > MAX_FILE_BYTES:
        raise BadSource(str(path), "size", f"expected at most {MAX_FILE_BYTES // 2**20} MiB")
    try:
        # Editors and spreadsheets of other systems write byte order marks and other line ends.
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        fault = data.count(b"\n", 0, error.start) + 1
        raise BadSource(str(path), f"line {fault}", "expected UTF-8: save the file as UTF-8 text") from error
    words, repeats = set[str](), 0
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split(maxsplit=1)
        if not parts or parts[0].startswith("#"):
            continue
        word = find_fold(parts[0])
        if word is None:
            shown = "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in parts[0][:_MAX_SHOWN]])
            expected = f'expected a word of {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters first, found "{shown}"'
            raise BadSource(str(path), f"line {number}", expected)
        repeats += word in words
        words.add(word)
    if not words:
        raise BadSource(str(path), "line 1", "expected a word a line, found none")
    return OwnReference(name, frozenset(words)), repeats


def store_own_reference(own: OwnReference, file: Path, key_file: Path) -> None:
    """Write a list, encrypted with AES-256-GCM under a key that is made where there is none."""
    if not key_file.exists():
        write_atomically(key_file, os.urandom(KEY_LENGTH), SECRET_MODE)
    plain = "\n".join([own.name, *sorted(own.words)]).encode("ascii")
    nonce = os.urandom(NONCE_LENGTH)
    write_atomically(file, nonce + AESGCM(key_file.read_bytes()).encrypt(nonce, plain, _BOUND), PRIVATE_MODE)


def load_own_reference(file: Path, key_file: Path) -> OwnReference | None:
    """Return the stored list, or None where there is none; raises Missing without its key, Broken if it is damaged."""
    if not file.exists():
        return None
    if not key_file.exists():
        raise Missing(
            f'the key "{key_file}" of the players\' list is gone',
            hint="ordws-build reference use stores the list again; ordws-build reference open does without it",
        )
    data = file.read_bytes()
    try:
        plain = AESGCM(key_file.read_bytes()).decrypt(data[:NONCE_LENGTH], data[NONCE_LENGTH:], _BOUND)
    except (InvalidTag, ValueError):
        raise Broken(
            f'the players\' list "{file}" does not open: it is damaged, or was stored under another key',
            hint="ordws-build reference use stores it again",
        ) from None
    name, *words = plain.decode("ascii").split("\n")
    return OwnReference(name, frozenset(words))


def remove_own_reference(file: Path, key_file: Path) -> None:
    """Remove the stored list and its key, where there are any."""
    file.unlink(missing_ok=True)
    key_file.unlink(missing_ok=True)
