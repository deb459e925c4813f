"""Editions of both formats on one host, the public list that format 2 adds, and formats that are still to come."""

from __future__ import annotations

import hashlib
import runpy
from pathlib import Path
from typing import Any

import pytest
from edition_host import EditionHost, served

from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import SealedLists, seal

VECTORS = Path(__file__).parent.parent / "vectors" / "sealed"
LISTS = SealedLists(frozenset({"CATLESS"}), frozenset(), frozenset({"DREK"}), frozenset({"AA", "CAT"}), "OSPD 7")


@pytest.fixture
def first_format() -> dict[str, Any]:
    """Return the generator of the vectors, which knows format 1 from its text."""
    return runpy.run_path(str(VECTORS / "generate.py"))


@pytest.fixture
def upgraded(tmp_path: Path, first_format: dict[str, Any]) -> EditionHost:
    """Return a host with an edition of format 1, number 7, and the keys that sealed it."""
    keys = tmp_path / "host" / "keys"
    keys.mkdir(parents=True)
    for name in first_format["ALL"].split():
        (keys / name).write_bytes(first_format["KEYS"][name])
        (keys / name).chmod(0o400)
    host = EditionHost(tmp_path / "host", Keyring.open(keys))
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in (("core", b"CAT\n"), ("reference", b"COT\n"))}
    host.put("core", b"CAT\n")
    host.put("reference", b"COT\n")
    host.put("ordws.sealed", first_format["build"](fields=digests))
    return host


def deliver(host: EditionHost, number: int, *, lists: SealedLists = LISTS, charged: bytes = b"CAT\n") -> None:
    """Deliver an edition of format 2 with an own players' list."""
    host.deliver(number, "CAT", "ZOA")
    data = seal(
        ["CAT", "ZOA"],
        [],
        number=number,
        name="ORDWS 2026",
        created=host.open_editions(adopting=False).current.created,
        core_digest=hashlib.sha256(b"CAT\n").hexdigest(),
        reference_digest=hashlib.sha256(b"CAT\nCOT\n").hexdigest(),
        keyring=host.keyring,
        lists=lists,
        charged_digest=hashlib.sha256(charged).hexdigest(),
    )
    host.put("dover-charged", charged)
    host.put("ordws.sealed", data)


def test_an_edition_of_format_1_opens_without_what_format_2_adds(upgraded: EditionHost) -> None:
    """It is served with the open players' list, and with empty lists of Dover's."""
    editions = upgraded.open_editions()
    assert served(editions) == (7, None)
    edition = editions.current
    assert ["CAT" in edition.words, "COT" in edition.reference, "CATLESS" in edition.dover_forms] == [True, True, False]
    assert (edition.has_own_reference, edition.reference_name) == (False, "the open players' list")
    assert (edition.core, edition.dover_charged) == ({"CAT"}, frozenset())


def test_a_list_that_lies_beside_an_edition_of_format_1_is_not_read(upgraded: EditionHost) -> None:
    """Its header names no such list, so that a file of another edition means nothing."""
    upgraded.put("dover-charged", b"CAT\n")
    editions = upgraded.open_editions()
    assert (served(editions), editions.current.dover_charged) == ((7, None), frozenset())


def test_format_2_follows_format_1(upgraded: EditionHost) -> None:
    """An edition of format 2 is taken up while the other is served, and the older one is still found by its number."""
    editions = upgraded.open_editions()
    deliver(upgraded, 8)
    editions.refresh()
    assert served(editions) == (8, None)
    edition = editions.current
    assert ["CATLESS" in edition.dover_forms, "DREK" in edition.labelled] == [True, True]
    assert (edition.reference_name, edition.dover_charged) == ("OSPD 7", {"CAT"})
    assert ["AA" in edition.reference, "COT" in edition.reference] == [True, False]
    for each in (editions, upgraded.open_editions()):
        older = each.find(7)
        assert older is not None
        assert (older.dover_charged, "COT" in older.reference, "AA" in older.reference) == (frozenset(), True, False)
    assert (upgraded.editions / "0008" / "dover-charged").read_bytes() == b"CAT\n"
    assert not (upgraded.editions / "0007" / "dover-charged").exists()


def test_editions_with_their_own_lists_do_not_share_them(upgraded: EditionHost) -> None:
    """Each edition that is kept open answers by the list that it was sealed with."""
    editions = upgraded.open_editions()
    deliver(upgraded, 8)
    editions.refresh()
    deliver(upgraded, 9, lists=LISTS._replace(own_reference=frozenset({"ZZZ"})))
    editions.refresh()
    restarted = upgraded.open_editions()
    for each in (editions, restarted):
        older = each.find(8)
        assert older is not None
        assert ["AA" in older.reference, "ZZZ" in older.reference, "ZZZ" in each.current.reference] == [
            True,
            False,
            True,
        ]


@pytest.mark.parametrize("data", [b"", b"COT\n", b"CAT\nCOT\n"])
def test_another_list_of_charged_words_is_refused(upgraded: EditionHost, data: bytes) -> None:
    """Prices follow from that list, so that another one, or none, is refused like another core list."""
    editions = upgraded.open_editions()
    deliver(upgraded, 8)
    upgraded.put("dover-charged", data)
    editions.refresh()
    assert served(editions) == (
        7,
        "edition 8 was sealed beside another public list of core words charged under Dover",
    )


def test_a_missing_list_of_charged_words_is_refused(upgraded: EditionHost) -> None:
    """A delivery without the file is refused until the file comes."""
    editions = upgraded.open_editions()
    deliver(upgraded, 8)
    (upgraded.root / "dover-charged").unlink()
    editions.refresh()
    assert editions.current.number == 7
    upgraded.put("dover-charged", b"CAT\n")
    editions.refresh()
    assert served(editions) == (8, None)


def test_a_list_of_no_words_needs_no_file(upgraded: EditionHost) -> None:
    """The digest of an empty list is that of no bytes."""
    editions = upgraded.open_editions()
    deliver(upgraded, 8, charged=b"")
    (upgraded.root / "dover-charged").unlink()
    editions.refresh()
    assert served(editions) == (8, None)


def test_a_later_format_is_refused_by_its_name(upgraded: EditionHost, first_format: dict[str, Any]) -> None:
    """A host goes on with the edition that it has, and says which format it would have to open."""
    editions = upgraded.open_editions()
    upgraded.put("ordws.sealed", first_format["build"](magic=b"ORDW3\n"))
    editions.refresh()
    assert served(editions) == (
        7,
        "the edition has format 3, and this version of ORDWS opens formats up to 2:"
        " this host needs a version that opens format 3",
    )
    assert editions.hint == "upgrade ORDWS on every serving host before the host that builds editions (docs/keeping.md)"
