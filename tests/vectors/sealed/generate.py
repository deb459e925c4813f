"""Write the vectors in this folder: `python tests/vectors/sealed/generate.py`.

The module follows ordws/lexicon/FORMAT.md and imports nothing of ORDWS, so that each implementation checks the other.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from marisa_trie import BinaryTrie

HERE = Path(__file__).parent
KEYS = {
    name: bytes.fromhex(key)
    for name, key in (line.split() for line in (HERE / "keys.txt").read_text().splitlines() if line[0] != "#")
}
# Names of keys: those of a serving host, and all of a build host after a rotation.
RING = "opening-1.key signing-1.pub"
ALL = "opening-1.key opening-2.key signing-1.key signing-1.pub signing-2.key signing-2.pub"
MAGIC = b"ORDW1\n"
# Fixed in place of random ones, so that the files are the same each time.
DATA_KEY, WRAP_NONCE, NONCE = bytes(range(32)), b"wrap's nonce", b"body's nonce"
FIELDS = {
    "alg": "AES-256-GCM+Ed25519",
    "core": "c0" * 32,
    "created": "2026-11-20T08:15:00Z",
    "name": "ORDWS 2026",
    "number": 7,
    "opening": 1,
    "reference": "4e" * 32,
    "signing": 1,
}
WORDS, RETIRED = ["CAT", "COT", "QUIZ", "TAOIST"], ["CWM", "OX"]
# Format 2.
SECOND_MAGIC = b"ORDW2\n"
FORMS, ONCE_GOOD, LABELLED, OWN = ["CATLESS", "TAOISTIC"], ["OXLESS"], ["DREK", "PISH"], ["AA", "CAT", "ZZZ"]
SECTIONS = [WORDS, RETIRED, FORMS, ONCE_GOOD, LABELLED, OWN]
SECOND_FIELDS = {
    "charged": "c4" * 32,
    "own": hashlib.sha256("".join(f"{word}\n" for word in OWN).encode()).hexdigest(),
    "own_name": "OSPD (7th), Merriam-Webster",
}
NO_OWN = {"own": "", "own_name": ""}


def canonical(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()


def trie(words: list[str]) -> bytes:
    return bytes(BinaryTrie(sorted(word.encode() for word in words)).tobytes())


def padded(length: int) -> int:
    """Return the Padmé length: the length rounded up to a multiple of 2^(e-s), computed step by step."""
    e, s = 0, 1
    while 1 << (e + 1) <= length:
        e += 1
    while 1 << s <= e:
        s += 1
    step = 1 << (e - s)
    return -(-length // step) * step


def joined(words: bytes, retired: bytes = b"") -> bytes:
    return len(words).to_bytes(4, "big") + words + len(retired).to_bytes(4, "big") + retired


def payload(words: bytes, retired: bytes = b"") -> bytes:
    return joined(words, retired).ljust(padded(len(joined(words, retired))), b"\0")


def sections(*tries: bytes) -> bytes:
    """Return the payload of format 2."""
    body = b"".join(len(each).to_bytes(4, "big") + each for each in tries)
    return body.ljust(padded(len(body)), b"\0")


def changed_section(place: int, change: Callable[[bytes], bytes]) -> bytes:
    """Return the payload of format 2 with one of its tries changed."""
    tries = [trie(words) for words in SECTIONS]
    tries[place] = change(tries[place])
    return sections(*tries)


def unchanged(data: bytes) -> bytes:
    return data


def build(
    *,
    magic: bytes = MAGIC,
    fields: dict[str, object] | None = None,
    wrapped: bytes | None = None,
    wrap_bound: bytes | None = None,
    opening: str = "opening-1.key",
    header: Callable[[bytes], bytes] = unchanged,
    length: int | None = None,
    inside: bytes | None = None,
    bound: bytes | None = None,
    encrypted: Callable[[bytes], bytes] = unchanged,
    nonce: bytes = NONCE,
    signer: str = "signing-1.key",
    signed: Callable[[bytes], bytes] = unchanged,
    signature: Callable[[bytes], bytes] = unchanged,
) -> bytes:
    """Return an edition as the format specifies, except for the parts that are given."""
    fields = FIELDS | (fields or {})
    if wrapped is None:
        wrap_bound = magic + canonical(fields) if wrap_bound is None else wrap_bound
        wrapped = WRAP_NONCE + AESGCM(KEYS[opening]).encrypt(WRAP_NONCE, DATA_KEY, wrap_bound)
    text = header(canonical({"wrap": base64.urlsafe_b64encode(wrapped).decode()} | fields))
    head = magic + (len(text) if length is None else length).to_bytes(2, "big") + text
    inside = payload(trie(WORDS)) if inside is None else inside
    body = head + nonce + encrypted(AESGCM(DATA_KEY).encrypt(nonce.ljust(12), inside, head if bound is None else bound))
    return body + signature(Ed25519PrivateKey.from_private_bytes(KEYS[signer]).sign(signed(body)))


def build_second(*, fields: dict[str, object] | None = None, inside: bytes | None = None, **parts: Any) -> bytes:
    """Return an edition of format 2 with every section, except for the parts that are given."""
    inside = sections(*[trie(words) for words in SECTIONS]) if inside is None else inside
    return build(**{"magic": SECOND_MAGIC, **parts}, fields=SECOND_FIELDS | (fields or {}), inside=inside)


def without(name: str) -> Callable[[bytes], bytes]:
    return lambda text: canonical({key: value for key, value in json.loads(text).items() if key != name})


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert data.count(old) == 1
        return data.replace(old, new)

    return change


def flipped(at: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] if at >= 0 else flipped(len(data) + at)(data)


OPEN: dict[str, tuple[str, str, bytes]] = {
    "open_plain": (RING, "words: CAT COT QUIZ TAOIST\nretired:", build()),
    "open_with_retired_words": (
        RING,
        "words: CAT COT QUIZ TAOIST\nretired: CWM OX",
        build(inside=payload(trie(WORDS), trie(RETIRED))),
    ),
    "open_without_words": (RING, "words:\nretired:", build(inside=payload(b""))),
    "open_after_rotation_old_keys": (ALL, "words: CAT COT QUIZ TAOIST\nretired:", build()),
    "open_after_rotation_new_keys": (
        ALL,
        "words: CAT COT QUIZ TAOIST\nretired:",
        build(fields={"opening": 2, "signing": 2}, opening="opening-2.key", signer="signing-2.key"),
    ),
}

ALL_SECTIONS = (
    "words: CAT COT QUIZ TAOIST\nretired: CWM OX\nforms: CATLESS TAOISTIC\nonce_good: OXLESS\nlabelled: DREK PISH"
)
OPEN |= {
    "second_with_all_sections": (RING, f"{ALL_SECTIONS}\nown: AA CAT ZZZ", build_second()),
    "second_without_own_list": (
        RING,
        f"{ALL_SECTIONS}\nown:",
        build_second(fields=NO_OWN, inside=changed_section(5, lambda data: b"")),
    ),
    "second_without_words": (
        RING,
        "words:\nretired:\nforms:\nonce_good:\nlabelled:\nown:",
        build_second(fields=NO_OWN, inside=sections(*[b""] * 6)),
    ),
}

VALID = build()
OTHER = build(fields={"number": 8})
HALF, HEADER = len(VALID) // 2, int.from_bytes(VALID[6:8], "big")
assert len(payload(trie(WORDS))) > len(joined(trie(WORDS))) + 1, "there is padding to be wrong"
STATEMENT = b"ORDWS statement 1\n" + (1).to_bytes(4, "big")

BROKEN: dict[str, tuple[str, bytes]] = {
    "empty": (RING, b""),
    "magic_alone": (RING, MAGIC),
    "magic_of_a_later_format": (RING, build(magic=b"ORDW2\n", wrap_bound=MAGIC + canonical(FIELDS))),
    "magic_lower_case": (RING, build(magic=b"ordw1\n", wrap_bound=MAGIC + canonical(FIELDS))),
    "byte_in_front": (RING, b"\n" + VALID),
    "byte_behind": (RING, VALID + b"\n"),
    "two_in_one": (RING, VALID + VALID),
    "half": (RING, VALID[:HALF]),
    "signature_missing": (RING, VALID[:-64]),
    "signature_truncated": (RING, build(signature=lambda given: given[:-1])),
    "signature_flipped": (RING, build(signature=flipped(0))),
    "signature_zero": (RING, build(signature=lambda given: bytes(64))),
    "signature_of_another_edition": (RING, VALID[:-64] + OTHER[-64:]),
    "signature_of_a_statement": (RING, build(signed=lambda body: STATEMENT + body)),
    "signer_foreign": (RING, build(signer="foreign.key")),
    "signer_unknown_to_the_reader": (RING, build(fields={"signing": 2}, signer="signing-2.key")),
    "signer_not_the_one_named": (ALL, build(signer="signing-2.key")),
    "header_length_zero": (RING, build(header=lambda text: b"")),
    "header_length_over_4096": (RING, build(header=lambda text: text.ljust(4097))),
    "header_length_one_less": (RING, build(length=HEADER - 1)),
    "header_length_one_more": (RING, build(length=HEADER + 1)),
    "header_length_past_the_end": (RING, build(length=4096)),
    "header_not_json": (RING, build(header=lambda text: text[:-1])),
    "header_a_list": (RING, build(header=lambda text: b"[" + text + b"]")),
    "header_with_space": (RING, build(header=replaced(b'"number":7', b'"number": 7'))),
    "header_with_line_feed": (RING, build(header=lambda text: text + b"\n")),
    "header_not_sorted": (
        RING,
        build(header=lambda text: json.dumps(dict(reversed(json.loads(text).items())), separators=(",", ":")).encode()),
    ),
    "header_escaped": (RING, build(header=replaced(b"ORDWS 2026", b"ORDWS\\u00202026"))),
    "header_member_twice": (RING, build(header=replaced(b'"number":7', b'"number":7,"number":7'))),
    "header_member_missing": (RING, build(header=without("reference"))),
    "header_member_unknown": (RING, build(fields={"count": 3})),
    "alg_other": (RING, build(fields={"alg": "AES-128-GCM+Ed25519"})),
    "core_short": (RING, build(fields={"core": "c0" * 31})),
    "core_upper_case": (RING, build(fields={"core": "C0" * 32})),
    "core_a_number": (RING, build(fields={"core": int("1" * 64)})),
    "reference_long": (RING, build(fields={"reference": "4e" * 33})),
    "created_with_offset": (RING, build(fields={"created": "2026-11-20T08:15:00+00:00"})),
    "created_with_fraction": (RING, build(fields={"created": "2026-11-20T08:15:00.5Z"})),
    "created_no_such_day": (RING, build(fields={"created": "2026-02-30T08:15:00Z"})),
    "name_empty": (RING, build(fields={"name": ""})),
    "name_too_long": (RING, build(fields={"name": "O" * 41})),
    "name_with_line_feed": (RING, build(fields={"name": "ORDWS 2026\n"})),
    "number_zero": (RING, build(fields={"number": 0})),
    "number_negative": (RING, build(fields={"number": -7})),
    "number_too_high": (RING, build(fields={"number": 1_000_000_000})),
    "number_fractional": (RING, build(fields={"number": 7.0})),
    "number_true": (RING, build(fields={"number": True})),
    "number_a_text": (RING, build(fields={"number": "7"})),
    "opening_unknown": (RING, build(fields={"opening": 3})),
    "opening_not_the_one_named": (ALL, build(fields={"opening": 2})),
    "wrap_short": (RING, build(wrapped=bytes(59))),
    "wrap_padded": (
        RING,
        build(header=lambda text: canonical(json.loads(text) | {"wrap": json.loads(text)["wrap"] + "===="})),
    ),
    "wrap_of_the_plain_alphabet": (
        RING,
        build(header=lambda text: canonical(json.loads(text) | {"wrap": json.loads(text)["wrap"][:79] + "+"})),
    ),
    "wrap_flipped": (
        RING,
        build(header=lambda text: canonical(json.loads(text) | {"wrap": "A" + json.loads(text)["wrap"][1:]})),
    ),
    "wrap_of_another_header": (RING, build(wrap_bound=MAGIC + canonical(FIELDS | {"number": 8}))),
    "wrap_bound_to_nothing": (RING, build(wrap_bound=b"")),
    "wrap_under_a_foreign_key": (RING, build(opening="opening-2.key")),
    "nonce_truncated": (RING, build(nonce=NONCE[:11])),
    "nonce_missing": (RING, build(nonce=b"")),
    "nonce_and_payload_missing": (RING, build(nonce=b"", encrypted=lambda data: b"")),
    "payload_missing": (RING, build(encrypted=lambda data: b"")),
    "payload_bound_to_nothing": (RING, build(bound=b"")),
    "payload_bound_to_another_header": (RING, build(bound=OTHER[: 8 + HEADER])),
    "payload_flipped": (RING, build(encrypted=flipped(0))),
    "payload_truncated": (RING, build(encrypted=lambda data: data[:-17] + data[-16:])),
    "tag_flipped": (RING, build(encrypted=flipped(-1))),
    "tag_missing": (RING, build(encrypted=lambda data: data[:-16])),
    "inside_empty": (RING, build(inside=b"")),
    "inside_without_retired_length": (RING, build(inside=payload(trie(WORDS))[: 4 + len(trie(WORDS))])),
    "words_past_the_end": (RING, build(inside=(2**32 - 1).to_bytes(4, "big") + payload(trie(WORDS))[4:])),
    "retired_past_the_end": (
        RING,
        build(inside=replaced(trie(WORDS) + bytes(4), trie(WORDS) + b"\0\0\xff\xff")(payload(trie(WORDS)))),
    ),
    "padding_missing": (RING, build(inside=joined(trie(WORDS)))),
    "padding_one_short": (RING, build(inside=payload(trie(WORDS))[:-1])),
    "padding_one_long": (RING, build(inside=payload(trie(WORDS)) + b"\0")),
    "padding_not_zero": (RING, build(inside=payload(trie(WORDS))[:-1] + b"\1")),
    "trie_truncated": (RING, build(inside=payload(trie(WORDS)[:-1]))),
    "trie_with_bytes_behind": (RING, build(inside=payload(trie(WORDS) + bytes(8)))),
    "trie_not_marisa": (RING, build(inside=payload(b"CAT\nCOT\nQUIZ\nTAOIST\n"))),
    "trie_without_words": (RING, build(inside=payload(trie([])))),
    "retired_trie_without_words": (RING, build(inside=payload(trie(WORDS), trie([])))),
}

SECTION_NAMES = ("words", "retired", "forms", "once_good", "labelled", "own")
for place, name in enumerate(SECTION_NAMES):
    joined_before = sum(4 + len(trie(words)) for words in SECTIONS[:place])
    whole = sections(*[trie(words) for words in SECTIONS])
    faults: dict[str, bytes] = {
        "trie_truncated": changed_section(place, lambda data: data[:-1]),
        "trie_with_bytes_behind": changed_section(place, lambda data: data + bytes(8)),
        "trie_not_marisa": changed_section(place, lambda data: b"CAT\nCOT\n"),
        "trie_without_words": changed_section(place, lambda data: trie([])),
        "past_the_end": whole[:joined_before] + b"\xff\xff\xff\xff" + whole[joined_before + 4 :],
        "missing": sections(*[trie(words) for at, words in enumerate(SECTIONS) if at != place]),
    }
    BROKEN |= {f"second_{name}_{fault}": (RING, build_second(inside=inside)) for fault, inside in faults.items()}
BROKEN |= {
    "second_payload_of_the_first": (RING, build_second(inside=payload(trie(WORDS), trie(RETIRED)))),
    "second_with_a_seventh_section": (
        RING,
        build_second(inside=sections(*[trie(words) for words in [*SECTIONS, WORDS]])),
    ),
    "second_padding_not_zero": (RING, build_second(inside=whole[:-1] + b"\1")),
    "second_padding_one_long": (RING, build_second(inside=whole + b"\0")),
    "second_header_of_the_first": (
        RING,
        build(magic=SECOND_MAGIC, fields={}, inside=whole),
    ),
    "first_header_of_the_second": (RING, build_second(magic=MAGIC)),
    "first_payload_of_the_second": (RING, build(inside=whole)),
    "second_magic_changed_to_the_first": (RING, build_second(magic=MAGIC, wrap_bound=SECOND_MAGIC)),
    "second_charged_missing": (RING, build_second(header=without("charged"))),
    "second_charged_empty": (RING, build_second(fields={"charged": ""})),
    "second_charged_short": (RING, build_second(fields={"charged": "c4" * 31})),
    "second_own_missing": (RING, build_second(header=without("own"))),
    "second_own_short": (RING, build_second(fields={"own": "c0" * 31})),
    "second_own_a_number": (RING, build_second(fields={"own": 7})),
    "second_own_without_name": (RING, build_second(fields={"own_name": ""})),
    "second_own_name_alone": (RING, build_second(fields={"own": ""})),
    "second_own_name_too_long": (RING, build_second(fields={"own_name": "O" * 41})),
    "second_own_name_with_line_feed": (RING, build_second(fields={"own_name": "OSPD\n"})),
    "second_own_name_with_markup": (RING, build_second(fields={"own_name": "<b>OSPD"})),
    "second_own_list_not_there": (RING, build_second(inside=changed_section(5, lambda data: b""))),
    "second_own_list_not_named": (RING, build_second(fields=NO_OWN)),
    "second_wrap_of_another_own_name": (
        RING,
        build_second(wrap_bound=SECOND_MAGIC + canonical(FIELDS | SECOND_FIELDS | {"own_name": "OSPD 6"})),
    ),
}
LATER = {
    "third_format": (RING, build(magic=b"ORDW3\n")),
    "ninth_format": (RING, b"ORDW9\n"),
}


def vectors() -> dict[str, str]:
    """Return the text of each file by its name."""
    texts = {f"{name}.txt": (ring, f"open\nnumber: 7\n{says}", data) for name, (ring, says, data) in OPEN.items()}
    texts |= {f"{name}.txt": (ring, "broken", data) for name, (ring, data) in BROKEN.items()}
    texts |= {f"{name}.txt": (ring, "later format", data) for name, (ring, data) in LATER.items()}
    return {
        name: f"expect: {expect}\nring: {ring}\n\n{base64.encodebytes(data).decode()}"
        for name, (ring, expect, data) in texts.items()
    }


if __name__ == "__main__":
    for name, text in vectors().items():
        (HERE / name).write_text(text, "ascii")
