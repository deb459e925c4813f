"""The bytes of a sealed edition, as FORMAT.md specifies them: its header, and how it is sealed and opened.

The only module that knows marisa and the formats.
"""

from __future__ import annotations

import base64
import ctypes
import hashlib
import json
import os
import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from marisa_trie import HUGE_CACHE, WEIGHT_ORDER, BinaryTrie

from ordws.errors import BadInput, BadWord, SealBroken
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.lexicon.edition import OPEN_REFERENCE_NAME, Edition, WordSet
from ordws.lexicon.keyring import KEY_LENGTH, NONCE_LENGTH, SIGNATURE_LENGTH, Keyring

NEWEST_FORMAT: Final = 2
"""The format that editions are sealed in; a reader knows this one and all before it."""
MAGIC_LENGTH: Final = 6
NO_LIST_DIGEST: Final = hashlib.sha256(b"").hexdigest()
"""The digest of a public list without words, which needs no file."""

_MAGIC: Final = re.compile(rb"ORDW([1-9])\n")
_ALG: Final = "AES-256-GCM+Ed25519"
_DIGEST: Final = r"[0-9a-f]{64}"
_LIST_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9 .,()+-]{0,39}"
_FIRST_TEXT_FIELDS: Final = {
    "alg": re.escape(_ALG),
    "core": _DIGEST,
    "created": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "name": r"[A-Za-z0-9][A-Za-z0-9 .-]{0,39}",
    "reference": _DIGEST,
    "wrap": r"[A-Za-z0-9_-]{80}",
}
_TEXT_FIELDS: Final = {
    1: _FIRST_TEXT_FIELDS,
    2: {**_FIRST_TEXT_FIELDS, "charged": _DIGEST, "own": f"(?:{_DIGEST})?", "own_name": f"(?:{_LIST_NAME})?"},
}
"""The members of a header that are texts, with their patterns, by format."""
_NUMBER_FIELDS: Final = ("number", "opening", "signing")
_MAX_NUMBER: Final = 999_999_999
_BROKEN: Final = "the sealed edition does not open: it is damaged, or it was made under other keys"


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
    format: int = NEWEST_FORMAT
    charged_digest: str = NO_LIST_DIGEST
    """The digest of the public list of core words that are charged under Dover."""
    own_digest: str = ""
    """The digest of the installation's own players' list, which is sealed in the payload; empty without one."""
    own_name: str = ""

    @property
    def list_digests(self) -> tuple[str, str, str]:
        """The digests of the public lists: core list, players' reference, core words charged under Dover."""
        return self.core_digest, self.reference_digest, self.charged_digest

    @property
    def magic(self) -> bytes:
        return b"ORDW%d\n" % self.format

    @property
    def fields(self) -> dict[str, str | int]:
        """The members of the header but for the wrapped data key."""
        fields: dict[str, str | int] = {
            "alg": _ALG,
            "core": self.core_digest,
            "created": self.created.isoformat().replace("+00:00", "Z"),
            "name": self.name,
            "number": self.number,
            "opening": self.opening,
            "reference": self.reference_digest,
            "signing": self.signing,
        }
        if self.format > 1:
            fields |= {"charged": self.charged_digest, "own": self.own_digest, "own_name": self.own_name}
        return fields


def is_list_name(text: str) -> bool:
    """Tell whether a text may be the name of an installation's own players' list, such as OSPD 7."""
    return re.fullmatch(_LIST_NAME, text) is not None


def read_format(data: bytes) -> int:
    """Return the format of a sealed edition by its magic; raise SealBroken, which names a format that is too new."""
    match = _MAGIC.match(data)
    if match is None:
        raise broken()
    if (number := int(match[1])) > NEWEST_FORMAT:
        raise SealBroken(
            f"the edition has format {number}, and this version of ORDWS opens formats up to {NEWEST_FORMAT}:"
            f" this host needs a version that opens format {number}",
            hint="upgrade ORDWS on every serving host before the host that builds editions (docs/keeping.md)",
        )
    return number


def canonical(fields: dict[str, str | int]) -> bytes:
    """Return the one form in which the members of a header are written."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii")


def check_sealable(header: EditionHeader) -> None:
    """Raise BadInput, which names every fault, for a header that the format does not allow."""
    if faults := _find_faults(header.fields, header.format):
        raise BadInput(f"an edition cannot be sealed with {' and '.join(faults)}")


def parse_header(text: bytes, format: int) -> tuple[EditionHeader, str]:
    """Return a header, and its wrapped data key in base64url; raise SealBroken."""
    try:
        fields = json.loads(text)
        # Written again and compared, because JSON has many spellings of one object and the format allows one.
        if (
            fields.keys() != {*_TEXT_FIELDS[format], *_NUMBER_FIELDS}
            or canonical(fields) != text
            or _find_faults(fields, format)
        ):
            raise broken()
        created = datetime.fromisoformat(fields["created"])
    except (ValueError, RecursionError, AttributeError):
        raise broken() from None
    header = EditionHeader(
        number=fields["number"],
        name=fields["name"],
        created=created,
        core_digest=fields["core"],
        reference_digest=fields["reference"],
        opening=fields["opening"],
        signing=fields["signing"],
        format=format,
        charged_digest=fields.get("charged", NO_LIST_DIGEST),
        own_digest=fields.get("own", ""),
        own_name=fields.get("own_name", ""),
    )
    return header, fields["wrap"]


def _find_faults(fields: dict[str, str | int], format: int) -> list[str]:
    """Return the members of a header that break the format, each with its value."""
    faults = []
    for name, value in fields.items():
        if name in _TEXT_FIELDS[format]:
            is_valid = isinstance(value, str) and re.fullmatch(_TEXT_FIELDS[format][name], value) is not None
        else:
            # Not isinstance: a bool is an int, and JSON's `true` is no number.
            is_valid = type(value) is int and 1 <= value <= _MAX_NUMBER
        if not is_valid:
            faults.append(f'{name} "{value}"')
    if bool(fields.get("own")) != bool(fields.get("own_name")):
        faults.append("own without own_name, or own_name without own")
    return faults


def broken() -> SealBroken:
    """Return the error of every edition that does not open, the same whatever the fault."""
    return SealBroken(_BROKEN, hint="ordws keys list shows the keys at hand")


MIN_EDITION_BYTES: Final = 109
MAX_EDITION_BYTES: Final = 16 * 2**20
_TAG_LENGTH: Final = 16
_HEADER_AT: Final = MAGIC_LENGTH + 2
_MAX_HEADER_BYTES: Final = 4096
_WORD: Final = re.compile(rf"[A-Z]{{{MIN_WORD_LENGTH},{MAX_WORD_LENGTH}}}")
_SECTIONS: Final = {1: 2, 2: 6}
"""The number of sections of a payload, by format."""


class SealedLists(NamedTuple):
    """The lists that an edition of format 2 holds beside its words and retired words; the format says what they are."""

    dover_forms: frozenset[str] = frozenset()
    dover_retired: frozenset[str] = frozenset()
    labelled: frozenset[str] = frozenset()
    own_reference: frozenset[str] = frozenset()
    own_name: str = ""
    """The name of the installation's own players' list; empty without one."""


NO_LISTS: Final = SealedLists()


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
    lists: SealedLists = NO_LISTS,
    charged_digest: str = NO_LIST_DIGEST,
) -> bytes:
    """Seal an edition under the newest keys; words that are in are left out of the retired ones and of Dover's forms.

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
        charged_digest=charged_digest,
        own_digest=digest_words(lists.own_reference) if lists.own_reference else "",
        own_name=lists.own_name,
    )
    inside, out = set(words), set(retired)
    forms = lists.dover_forms - inside
    once_good = lists.dover_retired - inside - forms - out
    sections = (inside, out - inside, forms, once_good, lists.labelled, lists.own_reference)
    tries = [_write_trie(section) for section in sections]
    joined = b"".join([len(trie).to_bytes(4, "big") + trie for trie in tries])
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
    return _read_verified_header(_verify(data, keyring))[0]


def open_sealed(data: bytes, keyring: Keyring) -> Edition:
    """Open an edition; raise SealBroken, the same whatever the fault. Its public lists are still empty."""
    header, tries = _open_payload(data, keyring)
    words, retired, forms, once_good, labelled, own = [WordSet(trie) for trie in tries]
    _trim_heap()
    return Edition(
        number=header.number,
        name=header.name,
        created=header.created,
        words=words,
        retired=retired,
        core_digest=header.core_digest,
        reference_digest=header.reference_digest,
        charged_digest=header.charged_digest if header.format > 1 else "",
        dover_forms=forms,
        dover_retired=once_good,
        labelled=labelled,
        reference=own,
        own_digest=header.own_digest,
        has_own_reference=bool(header.own_digest),
        reference_name=header.own_name or OPEN_REFERENCE_NAME,
    )


def read_words(data: bytes, keyring: Keyring) -> tuple[list[str], list[str]]:
    """Return all words and all retired words, sorted, for the builder alone, which carries them into later editions."""
    _, (words, retired, *_) = _open_payload(data, keyring)
    return sorted(key.decode() for key in words), sorted(key.decode() for key in retired)


def read_lists(data: bytes, keyring: Keyring) -> SealedLists:
    """Return the other lists of an edition, for the builder alone; those of format 1 are empty."""
    header, (_, _, *tries) = _open_payload(data, keyring)
    forms, once_good, labelled, own = [frozenset(key.decode() for key in trie) for trie in tries]
    return SealedLists(forms, once_good, labelled, own, header.own_name)


def digest_words(words: Iterable[str]) -> str:
    """Return the digest of a list of words: of the sorted words, each with a line feed."""
    return hashlib.sha256("".join([f"{word}\n" for word in sorted(words)]).encode("ascii")).hexdigest()


def build_word_set(words: Iterable[str]) -> WordSet:
    """Build a word set of a public list; it takes a tenth of a frozenset's memory."""
    trie = _read_trie(_write_trie(set(words)))
    _trim_heap()
    return WordSet(trie)


def _seal_from_parts(
    header: EditionHeader, payload: bytes, keyring: Keyring, *, data_key: bytes, wrap_nonce: bytes, nonce: bytes
) -> bytes:
    """Seal a payload with given random values, as `seal` does with fresh ones."""
    check_sealable(header)
    wrapped = keyring.wrap(data_key, wrap_nonce, header.magic + canonical(header.fields))
    text = canonical({**header.fields, "wrap": base64.urlsafe_b64encode(wrapped).decode()})
    bound = header.magic + len(text).to_bytes(2, "big") + text
    body = bound + nonce + AESGCM(data_key).encrypt(nonce, payload, bound)
    if len(body) + SIGNATURE_LENGTH > MAX_EDITION_BYTES:
        raise BadInput(f"an edition of more than {MAX_EDITION_BYTES} bytes cannot be sealed")
    return body + keyring.sign_edition(body)


class _Parts(NamedTuple):
    """The parts of a sealed edition whose signature was verified; `bound` is all that the payload authenticates."""

    format: int
    signer: int
    text: bytes
    bound: bytes
    nonce: bytes
    encrypted: bytes


def _verify(data: bytes, keyring: Keyring) -> _Parts:
    """Verify the signature of an edition and cut it into its parts."""
    # Nothing is parsed before the signature holds, so that no parser meets bytes that a keeper did not sign.
    format = read_format(data)
    if not MIN_EDITION_BYTES <= len(data) <= MAX_EDITION_BYTES:
        raise broken()
    body, signature = data[:-SIGNATURE_LENGTH], data[-SIGNATURE_LENGTH:]
    signer = keyring.find_signer(body, signature)
    if signer is None:
        raise broken()
    length = int.from_bytes(body[MAGIC_LENGTH:_HEADER_AT], "big")
    end = _HEADER_AT + length
    if not 1 <= length <= _MAX_HEADER_BYTES or end + NONCE_LENGTH + _TAG_LENGTH > len(body):
        raise broken()
    encrypted_at = end + NONCE_LENGTH
    return _Parts(format, signer, body[_HEADER_AT:end], body[:end], body[end:encrypted_at], body[encrypted_at:])


def _read_verified_header(parts: _Parts) -> tuple[EditionHeader, str]:
    """Return the header and its wrapped data key, in base64url."""
    header, wrap = parse_header(parts.text, parts.format)
    if header.signing != parts.signer:
        raise broken()
    return header, wrap


def _open_payload(data: bytes, keyring: Keyring) -> tuple[EditionHeader, list[BinaryTrie]]:
    """Return the header and the sections of a payload, those that its format lacks empty."""
    parts = _verify(data, keyring)
    header, wrap = _read_verified_header(parts)
    data_key = keyring.find_data_key(
        header.opening, base64.urlsafe_b64decode(wrap), header.magic + canonical(header.fields)
    )
    if data_key is None:
        raise broken()
    try:
        payload = AESGCM(data_key).decrypt(parts.nonce, parts.encrypted, parts.bound)
    except InvalidTag:
        raise broken() from None
    end, sections = 0, []
    for _ in range(_SECTIONS[header.format]):
        start = end + 4
        end = start + int.from_bytes(payload[end:start], "big")
        sections.append(payload[start:end])
    # A length past the end of the payload is refused here too: no payload is shorter than its padded length.
    if len(payload) != _padme_length(end) or payload.count(0, end) != len(payload) - end:
        raise broken()
    sections += [b""] * (_SECTIONS[NEWEST_FORMAT] - len(sections))
    if bool(sections[-1]) != bool(header.own_digest):
        raise broken()
    return header, [_read_trie(section) for section in sections]


def _padme_length(length: int) -> int:
    """Round a length up to its Padmé length, which reveals at most log log of the size in bits."""
    exponent = length.bit_length() - 1
    zero_bits = exponent - exponent.bit_length()
    return (length + (1 << zero_bits) - 1) >> zero_bits << zero_bits


def _write_trie(words: Set[str]) -> bytes:
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
        raise broken() from None
    # marisa reads damaged tries and tries with trailing bytes without a word: only equal bytes are the same trie.
    if not len(trie) or trie.tobytes() != data:
        raise broken()
    return trie


def _trim_heap() -> None:
    """Return freed memory to the system, if the C library can."""
    # Opening frees copies of the decrypted bytes that are several times as large as the tries.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
