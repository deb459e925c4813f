"""The sealing and opening of an edition, as FORMAT.md specifies; the only module that knows marisa and the format."""

from __future__ import annotations

import base64
import ctypes
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from marisa_trie import HUGE_CACHE, WEIGHT_ORDER, BinaryTrie

from ordws.errors import BadInput, BadWord, SealBroken
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.lexicon.edition import Edition, WordSet
from ordws.lexicon.keyring import KEY_LENGTH, NONCE_LENGTH, SIGNATURE_LENGTH, Keyring

MAGIC: Final = b"ORDW1\n"
MIN_EDITION_BYTES: Final = 109
MAX_EDITION_BYTES: Final = 16 * 2**20
_TAG_LENGTH: Final = 16
_HEADER_AT: Final = len(MAGIC) + 2
_MAX_HEADER_BYTES: Final = 4096
_BROKEN: Final = "the sealed edition does not open: it is damaged, or it was made under other keys"

_ALG: Final = "AES-256-GCM+Ed25519"
_DIGEST: Final = r"[0-9a-f]{64}"
_TEXT_FIELDS: Final = {
    "alg": re.escape(_ALG),
    "core": _DIGEST,
    "created": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "name": r"[A-Za-z0-9][A-Za-z0-9 .-]{0,39}",
    "reference": _DIGEST,
    "wrap": r"[A-Za-z0-9_-]{80}",
}
_NUMBER_FIELDS: Final = ("number", "opening", "signing")
_MAX_NUMBER: Final = 999_999_999
_WORD: Final = re.compile(rf"[A-Z]{{{MIN_WORD_LENGTH},{MAX_WORD_LENGTH}}}")


@dataclass(frozen=True, kw_only=True)
class EditionHeader:
    """The header of an edition: readable by anybody, and signed."""

    number: int
    name: str
    created: datetime
    core_digest: str
    reference_digest: str
    opening: int
    signing: int


def seal(
    words: Iterable[str],
    retired: Iterable[str],
    *,
    number: int,
    name: str,
    created: datetime,
    core_digest: str,
    reference_digest: str,
    keyring: Keyring,
) -> bytes:
    """Seal an edition under the newest keys; words that are in are left out of the retired ones.

    Raises ValueError for a time without zone, BadWord for words that are not folded, BadInput for a header or a size
    that the format does not allow.
    """
    if created.tzinfo is None:
        raise ValueError("an edition is sealed at a moment with its time zone")
    header = EditionHeader(
        number=number,
        name=name,
        created=created.astimezone(UTC).replace(microsecond=0),
        core_digest=core_digest,
        reference_digest=reference_digest,
        opening=keyring.newest_opening,
        signing=keyring.newest_signing,
    )
    inside = set(words)
    tries = (_write_trie(inside), _write_trie(set(retired) - inside))
    joined = b"".join(len(trie).to_bytes(4, "big") + trie for trie in tries)
    payload = joined.ljust(_padme_length(len(joined)), b"\0")
    return _seal_from_parts(
        header,
        payload,
        keyring,
        data_key=os.urandom(KEY_LENGTH),
        wrap_nonce=os.urandom(NONCE_LENGTH),
        nonce=os.urandom(NONCE_LENGTH),
    )


def read_header(data: bytes, keyring: Keyring) -> EditionHeader:
    """Return the header of an edition, its signature verified; nothing is decrypted. Raises SealBroken."""
    return _parse_header(_verify(data, keyring))[0]


def open_sealed(data: bytes, keyring: Keyring) -> Edition:
    """Open an edition; raise SealBroken, the same whatever the fault. Its public lists are still empty."""
    header, (words, retired) = _open_payload(data, keyring)
    _trim_heap()
    return Edition(
        number=header.number,
        name=header.name,
        created=header.created,
        words=WordSet(words),
        retired=WordSet(retired),
        core_digest=header.core_digest,
        reference_digest=header.reference_digest,
    )


def read_words(data: bytes, keyring: Keyring) -> tuple[list[str], list[str]]:
    """Return all words and all retired words, sorted, for the builder alone, which carries them into later editions."""
    _, (words, retired) = _open_payload(data, keyring)
    return sorted(key.decode() for key in words), sorted(key.decode() for key in retired)


def build_word_set(words: Iterable[str]) -> WordSet:
    """Build a word set of a public list; it takes a tenth of a frozenset's memory."""
    trie = _read_trie(_write_trie(set(words)))
    _trim_heap()
    return WordSet(trie)


def _seal_from_parts(
    header: EditionHeader, payload: bytes, keyring: Keyring, *, data_key: bytes, wrap_nonce: bytes, nonce: bytes
) -> bytes:
    """Seal a payload with given random values, as `seal` does with fresh ones."""
    fields = _fields(header)
    if faults := _find_faults(fields):
        raise BadInput(f"an edition cannot be sealed with {' and '.join(faults)}")
    wrapped = keyring.wrap(data_key, wrap_nonce, MAGIC + _canonical(fields))
    text = _canonical({**fields, "wrap": base64.urlsafe_b64encode(wrapped).decode()})
    bound = MAGIC + len(text).to_bytes(2, "big") + text
    body = bound + nonce + AESGCM(data_key).encrypt(nonce, payload, bound)
    if len(body) + SIGNATURE_LENGTH > MAX_EDITION_BYTES:
        raise BadInput(f"an edition of more than {MAX_EDITION_BYTES} bytes cannot be sealed")
    return body + keyring.sign_edition(body)


def _fields(header: EditionHeader) -> dict[str, str | int]:
    return {
        "alg": _ALG,
        "core": header.core_digest,
        "created": header.created.isoformat().replace("+00:00", "Z"),
        "name": header.name,
        "number": header.number,
        "opening": header.opening,
        "reference": header.reference_digest,
        "signing": header.signing,
    }


def _canonical(fields: dict[str, str | int]) -> bytes:
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii")


def _find_faults(fields: dict[str, str | int]) -> list[str]:
    """Return the members of a header that break the format, each with its value."""
    faults = []
    for name, value in fields.items():
        if name in _TEXT_FIELDS:
            is_valid = isinstance(value, str) and re.fullmatch(_TEXT_FIELDS[name], value) is not None
        else:
            # Not isinstance: a bool is an int, and JSON's `true` is no number.
            is_valid = type(value) is int and 1 <= value <= _MAX_NUMBER
        if not is_valid:
            faults.append(f'{name} "{value}"')
    return faults


class _Parts(NamedTuple):
    """The parts of a sealed edition whose signature was verified; `bound` is all that the payload authenticates."""

    signer: int
    text: bytes
    bound: bytes
    nonce: bytes
    encrypted: bytes


def _verify(data: bytes, keyring: Keyring) -> _Parts:
    """Verify the signature of an edition and cut it into its parts."""
    # Nothing is parsed before the signature holds, so that no parser meets bytes that a keeper did not sign.
    if not (MIN_EDITION_BYTES <= len(data) <= MAX_EDITION_BYTES and data.startswith(MAGIC)):
        raise _broken()
    body, signature = data[:-SIGNATURE_LENGTH], data[-SIGNATURE_LENGTH:]
    signer = keyring.find_signer(body, signature)
    if signer is None:
        raise _broken()
    length = int.from_bytes(body[len(MAGIC) : _HEADER_AT], "big")
    end = _HEADER_AT + length
    if not 1 <= length <= _MAX_HEADER_BYTES or end + NONCE_LENGTH + _TAG_LENGTH > len(body):
        raise _broken()
    return _Parts(signer, body[_HEADER_AT:end], body[:end], body[end : end + NONCE_LENGTH], body[end + NONCE_LENGTH :])


def _parse_header(parts: _Parts) -> tuple[EditionHeader, str]:
    """Return the header and its wrapped data key, in base64url."""
    try:
        fields = json.loads(parts.text)
        # Written again and compared, because JSON has many spellings of one object and the format allows one.
        if (
            fields.keys() != {*_TEXT_FIELDS, *_NUMBER_FIELDS}
            or _canonical(fields) != parts.text
            or _find_faults(fields)
        ):
            raise _broken()
        created = datetime.fromisoformat(fields["created"])
    except (ValueError, RecursionError, AttributeError):
        raise _broken() from None
    header = EditionHeader(
        number=fields["number"],
        name=fields["name"],
        created=created,
        core_digest=fields["core"],
        reference_digest=fields["reference"],
        opening=fields["opening"],
        signing=fields["signing"],
    )
    if header.signing != parts.signer:
        raise _broken()
    return header, fields["wrap"]


def _open_payload(data: bytes, keyring: Keyring) -> tuple[EditionHeader, tuple[BinaryTrie, BinaryTrie]]:
    parts = _verify(data, keyring)
    header, wrap = _parse_header(parts)
    data_key = keyring.find_data_key(
        header.opening, base64.urlsafe_b64decode(wrap), MAGIC + _canonical(_fields(header))
    )
    if data_key is None:
        raise _broken()
    try:
        payload = AESGCM(data_key).decrypt(parts.nonce, parts.encrypted, parts.bound)
    except InvalidTag:
        raise _broken() from None
    end, tries = 0, []
    for _ in range(2):
        start = end + 4
        end = start + int.from_bytes(payload[end:start], "big")
        tries.append(payload[start:end])
    # A length past the end of the payload is refused here too: no payload is shorter than its padded length.
    if len(payload) != _padme_length(end) or payload.count(0, end) != len(payload) - end:
        raise _broken()
    return header, (_read_trie(tries[0]), _read_trie(tries[1]))


def _padme_length(length: int) -> int:
    """Round a length up to its Padmé length, which reveals at most log log of the size in bits."""
    exponent = length.bit_length() - 1
    zero_bits = exponent - exponent.bit_length()
    return (length + (1 << zero_bits) - 1) >> zero_bits << zero_bits


def _write_trie(words: set[str]) -> bytes:
    """Write the words as a marisa trie, the same bytes whatever their order; raise BadWord, which repeats no word."""
    if strange := sum(not _WORD.fullmatch(word) for word in words):
        raise BadWord(
            f"{strange} of {len(words)} words to seal are not {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters A to Z"
        )
    if not words:
        return b""
    keys = sorted(word.encode() for word in words)
    # Heavier branches first and a large cache make look-ups a sixth faster than marisa's defaults, for 4 % more bytes.
    # One nested trie instead of two would be faster still, but takes more than the 3 bytes a word allowed.
    return bytes(BinaryTrie(keys, num_tries=2, cache_size=HUGE_CACHE, order=WEIGHT_ORDER).tobytes())


def _read_trie(data: bytes) -> BinaryTrie:
    if not data:
        return BinaryTrie([])
    # Never `map`: it keeps no reference to its buffer, so that the process crashes later.
    try:
        trie = BinaryTrie().frombytes(data)
    except RuntimeError:
        raise _broken() from None
    # marisa reads damaged tries and tries with trailing bytes without a word: only equal bytes are the same trie.
    if not len(trie) or trie.tobytes() != data:
        raise _broken()
    return trie


def _trim_heap() -> None:
    """Return freed memory to the system, if the C library can."""
    # Opening frees copies of the decrypted bytes that are several times as large as the tries.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _broken() -> SealBroken:
    return SealBroken(_BROKEN, hint="ordws keys list shows the keys at hand")
