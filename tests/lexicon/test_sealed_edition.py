"""The sealed edition: valid files open, and nothing else does."""

from __future__ import annotations

import base64
import hashlib
import random
import runpy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from each_row import each_row

from ordws.errors import BadInput, BadWord, SealBroken
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import (
    EditionHeader,
    SealedLists,
    _seal_from_parts,
    _write_trie,
    open_sealed,
    read_header,
    read_lists,
    read_words,
    seal,
)

Sealer = Callable[..., bytes]
VECTORS = Path(__file__).parent.parent / "vectors" / "sealed"
FILES = sorted(path for path in VECTORS.glob("*.txt") if path.name != "keys.txt")
SAID = "the sealed edition does not open: it is damaged, or it was made under other keys"


def read_vector(path: Path, folder: Path) -> tuple[dict[str, str], bytes, Keyring]:
    """Return the expectations of a vector file, the edition in it, and a keyring with the keys that it names."""
    head, _, body = path.read_text("ascii").partition("\n\n")
    says = dict(line.partition(":")[::2] for line in head.splitlines())
    keys = dict(line.split() for line in (VECTORS / "keys.txt").read_text().splitlines() if line[0] != "#")
    for name in says["ring"].split():
        (folder / name).write_bytes(bytes.fromhex(keys[name]))
        (folder / name).chmod(0o400)
    return says, base64.b64decode(body), Keyring.open(folder)


@pytest.fixture
def vector_keyring(tmp_path: Path) -> Keyring:
    return read_vector(VECTORS / "open_after_rotation_old_keys.txt", tmp_path)[2]


@each_row("path", FILES)
def test_each_vector_opens_or_fails_as_declared(path: Path, tmp_path: Path) -> None:
    """A vector without a fault opens with the words that it was sealed with, and one with a fault does not open."""
    folder = tmp_path / path.stem
    folder.mkdir()
    says, data, keyring = read_vector(path, folder)
    if says["expect"].strip() == "later format":
        with pytest.raises(SealBroken, match=r"^the edition has format [39], .* a version that opens format [39]$"):
            open_sealed(data, keyring)
    elif says["expect"].strip() == "broken":
        with pytest.raises(SealBroken) as caught:
            open_sealed(data, keyring)
        assert str(caught.value) == SAID
        assert caught.value.__cause__ is None
    else:
        words, retired = says["words"].split(), says["retired"].split()
        assert read_words(data, keyring) == (words, retired)
        edition = open_sealed(data, keyring)
        assert edition.number == int(says["number"])
        assert all(word in edition.words for word in words)
        assert all(word in edition.retired and word not in edition.words for word in retired)
        others = {name: frozenset(says.get(name, "").split()) for name in ("forms", "once_good", "labelled", "own")}
        assert read_lists(data, keyring)[:4] == tuple(others.values())
        assert all(word in edition.dover_forms for word in others["forms"])
        assert all(word in edition.dover_retired for word in others["once_good"])
        assert all(word in edition.labelled for word in others["labelled"])
        assert all(word in edition.reference for word in others["own"])
        assert edition.has_own_reference == bool(others["own"])
        named = "OSPD (7th), Merriam-Webster" if others["own"] else "the open players' list"
        assert edition.reference_name == named


def test_vectors_equal_the_output_of_their_generator() -> None:
    """The vectors are what their generator writes, which makes all but the named part as the format says."""
    generated = runpy.run_path(str(VECTORS / "generate.py"))["vectors"]()
    assert generated == {path.name: path.read_text("ascii") for path in FILES}
    assert len(generated) >= 75


def test_sealed_words_open_again(keyring: Keyring, sealer: Sealer) -> None:
    """The words that were sealed are in, and no others."""
    edition = open_sealed(sealer("CAT", "QUIZ", "OVERGENERALISATIONAL"[:21], retired=("OX", "CAT")), keyring)
    assert [w in edition.words for w in ("CAT", "QUIZ", "OVERGENERALISATIONAL", "OX", "CA", "CATS")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert [word in edition.retired for word in ("OX", "CAT")] == [True, False]
    assert edition.core == frozenset()


def test_the_lists_of_format_2_open_again(keyring: Keyring, sealer: Sealer) -> None:
    """The other lists are those that were sealed; forms leave out words, and words once good leave out both."""
    lists = SealedLists(
        frozenset({"CATLESS", "CAT"}),
        frozenset({"CATLESS", "CAT", "OX", "ZAGLESS"}),
        frozenset({"DREK", "CAT"}),
        frozenset({"AA", "CAT"}),
        "OSPD 7",
    )
    data = sealer("CAT", "COT", retired=("OX",), lists=lists)
    assert read_lists(data, keyring) == (
        {"CATLESS"},
        {"ZAGLESS"},
        {"DREK", "CAT"},
        {"AA", "CAT"},
        "OSPD 7",
    )
    edition = open_sealed(data, keyring)
    assert (edition.has_own_reference, edition.reference_name) == (True, "OSPD 7")
    assert ["AA" in edition.reference, "AA" in edition.words, "CATLESS" in edition.words] == [True, False, False]
    header = read_header(data, keyring)
    assert (header.own_name, header.own_digest) == ("OSPD 7", hashlib.sha256(b"AA\nCAT\n").hexdigest())


@pytest.mark.parametrize(
    "lists", [SealedLists(own_name="OSPD 7"), SealedLists(own_reference=frozenset({"AA"}))], ids=["list", "name"]
)
def test_an_own_list_is_not_sealed_without_its_name_or_the_name_alone(sealer: Sealer, lists: SealedLists) -> None:
    """A list without a name, and a name without a list, are refused before anything is sealed."""
    with pytest.raises(BadInput, match=r"^an edition cannot be sealed with own without own_name, or own_name without"):
        sealer("CAT", lists=lists)


def test_the_header_has_the_sealed_metadata(keyring: Keyring) -> None:
    """The header has the number, the name, the time in UTC, both digests and the newest key numbers."""
    east, keyring = timezone(timedelta(hours=2)), keyring.rotate()
    data = seal(
        ["CAT"],
        [],
        number=12,
        name="ORDWS 2027",
        created=datetime(2027, 1, 1, 1, 30, 5, 999, tzinfo=east),
        core_digest="ab" * 32,
        reference_digest="cd" * 32,
        keyring=keyring,
    )
    header = read_header(data, keyring)
    assert (header.number, header.name, header.opening, header.signing) == (12, "ORDWS 2027", 2, 2)
    assert header.created == datetime(2026, 12, 31, 23, 30, 5, tzinfo=UTC)
    assert (header.core_digest, header.reference_digest) == ("ab" * 32, "cd" * 32)


def test_order_of_words_changes_nothing(keyring: Keyring, sealer: Sealer) -> None:
    """The same words in any order, and some of them twice, give the same trie."""
    words = [f"{a}{b}{c}" for a in "BCD" for b in "AEIOU" for c in "TNG"]
    shuffled = words[:]
    random.Random(4).shuffle(shuffled)
    assert _write_trie(set(words)) == _write_trie(set(shuffled))
    assert read_words(sealer(*shuffled, *words), keyring) == (sorted(words), [])


@each_row("strange", ["cat", "A", "A" * 22, "CAN'T", "CAFÉ", "", "CAT\n"])
def test_only_folded_words_are_sealed(sealer: Sealer, strange: str) -> None:
    """A word that is not 2 to 21 letters A to Z is refused, and the error does not repeat it."""
    with pytest.raises(BadWord, match=r"^1 of 2 words to seal are not 2 to 21 letters A to Z$"):
        sealer("COT", strange)


def test_invalid_headers_are_not_sealed(keyring: Keyring) -> None:
    """An invalid header is refused before anything is sealed, and the error names every fault."""
    with pytest.raises(BadInput) as caught:
        seal(
            ["CAT"],
            [],
            number=0,
            name="Ordws\n",
            created=datetime(2026, 1, 1, tzinfo=UTC),
            core_digest="ab" * 32,
            reference_digest="CD" * 32,
            keyring=keyring,
        )
    assert str(caught.value) == (
        f'an edition cannot be sealed with name "Ordws\n" and number "0" and reference "{"CD" * 32}"'
    )


def test_an_edition_over_16_mib_is_not_sealed(keyring: Keyring) -> None:
    """An edition longer than 16 MiB is not sealed."""
    header = EditionHeader(
        number=1,
        name="ORDWS 2026",
        created=datetime(2026, 1, 1, tzinfo=UTC),
        core_digest="ab" * 32,
        reference_digest="cd" * 32,
        opening=1,
        signing=1,
    )
    with pytest.raises(BadInput, match=r"^an edition of more than 16777216 bytes cannot be sealed$"):
        _seal_from_parts(header, bytes(2**24), keyring, data_key=bytes(32), wrap_nonce=bytes(12), nonce=bytes(12))


def test_a_moment_without_zone_is_not_sealed(keyring: Keyring) -> None:
    """The time of sealing must have a time zone."""
    with pytest.raises(ValueError, match="time zone"):
        seal(
            ["CAT"],
            [],
            number=1,
            name="ORDWS 2026",
            created=datetime(2026, 1, 1),
            core_digest="ab" * 32,
            reference_digest="cd" * 32,
            keyring=keyring,
        )


def test_two_seals_share_no_key(sealer: Sealer) -> None:
    """Each seal has its own data key and nonce: the same words twice share no part of the ciphertext."""
    one, two = sealer("CAT"), sealer("CAT")
    assert len(one) == len(two)
    assert one[-600:-64] != two[-600:-64]
    assert sum(a == b for a, b in zip(one[-600:-64], two[-600:-64], strict=True)) < 30


def test_size_hides_the_number_of_words(sealer: Sealer) -> None:
    """Editions of nine thousand words, with a few hundred more or less, have the same length."""
    # The first four payloads have the same padded length, and the fifth needs the next one.
    assert {len(sealer(*many_words()[:count])) for count in (9000, 9001, 9010, 9350)} == {23_088}
    assert len(sealer(*many_words()[:9400])) == 24_112


def test_nothing_of_the_words_is_readable(sealer: Sealer) -> None:
    """No word and not the trie's magic can be read in a sealed edition."""
    data = sealer("QUIZZICALLY", "ZOOGEOGRAPHICAL")
    assert not any(part in data for part in (b"QUIZZICALLY", b"QUIZ", b"ZOOGEO", b"We love Marisa", b"ZZICAL"))


STEPS = pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
"""All bytes of a file before a release, and otherwise those of both its ends and every thirteenth between them."""


def places(length: int, step: int) -> list[int]:
    return sorted({*range(min(96, length)), *range(0, length, step), *range(max(0, length - 80), length)})


@STEPS
def test_every_flipped_byte_breaks_the_seal(vector_keyring: Keyring, step: int) -> None:
    """A file with any one byte changed does not open."""
    data = vector_of("second_with_all_sections")
    for at in places(len(data), step):
        changed = data[at] ^ (0xFF if at % 9 == 8 else 1 << at % 9)
        assert not opens(data[:at] + bytes([changed]) + data[at + 1 :], vector_keyring), at


@STEPS
def test_every_shorter_length_breaks_the_seal(vector_keyring: Keyring, step: int) -> None:
    """A file cut short at either end does not open."""
    data = vector_of("second_with_all_sections")
    assert opens(data, vector_keyring)
    for length in places(len(data), step)[1:]:
        assert not opens(data[:length], vector_keyring), length
        assert not opens(data[-length:], vector_keyring), length


@STEPS
def test_every_flipped_byte_breaks_a_file_signed_again(keyring: Keyring, sealer: Sealer, step: int) -> None:
    """Each byte is protected twice: a changed one is refused even under a new valid signature."""
    body = sealer("CAT", "COT")[:-64]
    for at in places(len(body), step):
        changed = body[:at] + bytes([body[at] ^ (1 << at % 8)]) + body[at + 1 :]
        assert not opens(changed + keyring.sign_edition(changed), keyring), at
    for length in places(len(body), step):
        assert not opens(body[:length] + keyring.sign_edition(body[:length]), keyring), length


@pytest.mark.parametrize("turns", [150, pytest.param(2_000, marks=pytest.mark.long)])
def test_mutations_open_nothing(keyring: Keyring, sealer: Sealer, turns: int) -> None:
    """No random mutation of a larger file opens: bits flipped, parts cut, doubled, exchanged or overwritten."""
    data = sealer(*many_words())
    rng = random.Random(2026)
    assert opens(data, keyring)
    for turn in range(turns):
        mutated = mutate(data, rng)
        # A mutation may exchange equal parts and change nothing.
        assert mutated == data or not opens(mutated, keyring), turn


def mutate(data: bytes, rng: random.Random) -> bytes:
    at, other = sorted(rng.sample(range(len(data)), 2))
    width = rng.randint(1, 40)
    match rng.randrange(6):
        case 0:
            return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + width :]
        case 2:
            return data[:at] + data[at : at + width] + data[at:]
        case 3:
            return (
                data[:at]
                + data[other : other + width]
                + data[at + width : other]
                + data[at : at + width]
                + data[other + width :]
            )
        case 4:
            return data[:at] + rng.randbytes(width) + data[at + width :]
        case _:
            return rng.randbytes(width) + data[width:other]


def test_headers_cannot_be_swapped(keyring: Keyring, sealer: Sealer) -> None:
    """The header of one edition does not open the payload of another that the same host signed."""
    one, two = sealer("CAT", number=1), sealer("COT", number=2)
    end = 8 + int.from_bytes(one[6:8], "big")
    swapped = two[:end] + one[end:-64]
    assert not opens(swapped + keyring.sign_edition(swapped), keyring)


def test_foreign_keys_open_nothing(keyring: Keyring, sealer: Sealer, tmp_path: Path) -> None:
    """Another installation's signature and another opening key give the same error."""
    other = Keyring.create(tmp_path / "other")
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    (tmp_path / "other" / "opening-1.key").rename(mixed / "opening-1.key")
    (tmp_path / "keys" / "signing-1.pub").rename(mixed / "signing-1.pub")
    faults = []
    for reader in (other, Keyring.open(mixed)):
        with pytest.raises(SealBroken) as caught:
            open_sealed(sealer("CAT"), reader)
        faults.append((str(caught.value), caught.value.hint))
    assert faults == [(SAID, "ordws keys list shows the keys at hand")] * 2


def test_header_can_be_read_without_the_opening_key(sealer: Sealer, tmp_path: Path) -> None:
    """The public key alone verifies and reads a header, and does not open the edition."""
    data = sealer("CAT", number=5)
    (tmp_path / "keys" / "signing-1.pub").rename(tmp_path / "signing-1.pub")
    reader = Keyring.open(tmp_path)
    assert read_header(data, reader).number == 5
    assert not opens(data, reader)


def many_words() -> list[str]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [f"{a}{b}{c}{d}" for a in letters for b in "AEIOU" for c in letters for d in "AEST"]


def vector_of(name: str) -> bytes:
    return base64.b64decode((VECTORS / f"{name}.txt").read_text("ascii").partition("\n\n")[2])


def opens(data: bytes, keyring: Keyring) -> bool:
    try:
        open_sealed(data, keyring)
    except SealBroken:
        return False
    return True
