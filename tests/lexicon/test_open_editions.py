"""The edition being served: how a newer one replaces it, and what is refused."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from operator import eq

import pytest
from edition_host import DAMAGED, EditionHost, served

from ordws.errors import OrdwsError
from ordws.lexicon import edition_store
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import MAX_EDITION_BYTES


def test_the_first_edition_is_adopted(host: EditionHost) -> None:
    """A first edition is served, stored with its public lists, and sets the mark."""
    data = host.deliver(3, "CAT", "ZOA")
    editions = host.open_editions()
    assert served(editions) == (3, None)
    assert "ZOA" in editions.current.words
    assert editions.current.core == {"CAT"}
    assert host.folder_names() == [".lock", "0003"]
    assert (host.mark).read_text() == "3\n"
    assert {path.name: path.read_bytes() for path in (host.editions / "0003").iterdir()} == {
        "ordws.sealed": data,
        "core": b"CAT\n",
        "reference": b"CAT\nCOT\n",
    }


def test_a_newer_edition_is_served_after_a_refresh(host: EditionHost) -> None:
    """A newer edition is served after the next refresh, and holders of the old one keep it (docs/rules.md A-42)."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    old = editions.current
    host.deliver(2, "COT", core=b"COT\n")
    assert served(editions) == (1, None)
    editions.refresh()
    assert served(editions) == (2, None)
    assert "COT" in editions.current.words
    assert editions.current.core == {"COT"}
    assert "CAT" in old.words
    assert "COT" not in old.words


def test_an_older_edition_is_found_by_its_number(host: EditionHost) -> None:
    """An edition served before is found by its number, also after a restart, with its own lists."""
    host.deliver(1, "CAT", "ZOA", reference=b"CAT\nZAX\n")
    editions = host.open_editions()
    host.deliver(2, "COT")
    editions.refresh()
    for each in (editions, host.open_editions()):
        older = each.find(1)
        assert older is not None
        assert ("ZOA" in older.words, "ZAX" in older.reference, "COT" in older.words) == (True, True, False)
        assert each.find(1) is not None
        assert each.find(2) is each.current
        assert each.find(3) is None


def test_an_edition_that_another_process_noticed_is_found(host: EditionHost) -> None:
    """An edition that is newer than the one served is found as soon as it is delivered, and served from then on."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    host.deliver(2, "COT")
    newer = editions.find(2)
    assert newer is not None
    assert newer is editions.current
    assert editions.find(3) is None


def test_a_replaced_edition_stays_open(host: EditionHost) -> None:
    """An edition that was replaced a moment ago is found without being opened again, even if its copy is gone."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    replaced = editions.current
    host.deliver(2, "COT")
    editions.refresh()
    shutil.rmtree(host.store.folder(1))
    found = editions.find(1)
    assert found is not None
    assert found.words is replaced.words
    assert host.open_editions().find(1) is None


def test_the_reference_offers_only_whether_a_word_is_in(host: EditionHost) -> None:
    """The players' list is opened beside the edition, as a word set like the edition's own."""
    host.deliver(1, "CAT")
    reference = host.open_editions().current.reference
    assert ("COT" in reference, "ZOA" in reference) == (True, False)
    assert not hasattr(reference, "__iter__")


def test_a_refresh_without_a_change_keeps_the_edition(host: EditionHost) -> None:
    """A refresh without a change leaves the same edition object in place."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    edition = editions.current
    host.put("ordws.sealed", (host.root / "ordws.sealed").read_bytes())
    editions.refresh()
    assert editions.current is edition
    assert editions.refusal is None


def drop_with(name: str, content: bytes) -> Callable[[EditionHost], None]:
    """Return a function that delivers a newer edition and then replaces one of its public lists."""

    def spoil(host: EditionHost) -> None:
        host.deliver(6, "ZOA")
        host.put(name, content)

    return spoil


FAULTS: dict[str, tuple[Callable[[EditionHost], object], str]] = {
    "older": (lambda host: host.deliver(4, "ZOA"), "edition 4 does not follow edition 5"),
    "same number, other words": (lambda host: host.deliver(5, "ZOA"), "edition 5 does not follow edition 5"),
    "damaged": (lambda host: host.put("ordws.sealed", host.deliver(6, "ZOA")[:-1]), DAMAGED),
    "empty": (lambda host: host.put("ordws.sealed", b""), DAMAGED),
    "foreign": (
        lambda host: replace(host, keyring=Keyring.create(host.root / "foreign")).deliver(6, "ZOA"),
        DAMAGED,
    ),
    "another core list": (drop_with("core", b"COT\n"), "edition 6 was sealed beside another public core list"),
    "another reference": (drop_with("reference", b""), "edition 6 was sealed beside another public reference"),
    "core list changed alone": (
        lambda host: host.put("core", b"COT\n"),
        "edition 5 was sealed beside another public core list",
    ),
    "core list of no words": (
        lambda host: host.deliver(6, "ZOA", core=b"cat\n"),
        "the public core list of edition 6 is not one word a line",
    ),
    "core list without its last line feed": (
        lambda host: host.deliver(6, "ZOA", core=b"CAT\nCOT"),
        "the public core list of edition 6 is not one word a line",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_delivery_is_refused_with_a_reason(host: EditionHost, fault: str) -> None:
    """An older, damaged, foreign or mixed delivery is refused with a reason, and a good one later is served."""
    host.deliver(5, "CAT")
    editions = host.open_editions()
    spoil, reason = FAULTS[fault]
    spoil(host)
    editions.refresh()
    assert served(editions) == (5, reason)
    assert "CAT" in editions.current.words
    assert "ZOA" not in editions.current.words
    host.deliver(7, "COT")
    editions.refresh()
    assert served(editions) == (7, None)


def test_the_edition_in_memory_is_served_without_its_files(host: EditionHost) -> None:
    """The edition in memory is served on when its files vanish, and the refusal names the file."""
    host.deliver(5, "CAT")
    editions = host.open_editions()
    for name in ("ordws.sealed", "core", "reference"):
        (host.root / name).unlink()
    editions.refresh()
    assert served(editions) == (5, f'"{host.root}/ordws.sealed" cannot be read: No such file or directory')


def test_without_adopting_nothing_is_changed(host: EditionHost) -> None:
    """Without adopting, open editions tell what would be served and leave the disk as it is."""
    host.deliver(2, "CAT")
    looking = host.open_editions(adopting=False)
    assert served(looking) == (2, None)
    assert not host.editions.exists()
    host.open_editions()
    host.deliver(1, "COT")
    assert served(host.open_editions(adopting=False)) == (
        2,
        "edition 1 is older than edition 2, which was adopted here",
    )


def test_an_edition_under_new_keys_opens_without_a_restart(host: EditionHost) -> None:
    """A running process opens what is sealed under keys made after it started."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    rotated = replace(host, keyring=host.keyring.rotate())
    editions.refresh()
    assert served(editions) == (1, None)
    rotated.deliver(2, "COT")
    editions.refresh()
    assert served(editions) == (2, None)


def test_a_refused_delivery_is_retried_when_its_key_arrives(host: EditionHost) -> None:
    """A delivery refused for lack of keys is tried again whenever a key arrives or is corrected."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    keys = host.root / "keys"
    rotated = replace(host, keyring=host.keyring.rotate())
    carried = {name: (keys / name).read_bytes() for name in ("signing-2.pub", "opening-2.key")}
    for name in (*carried, "signing-2.key"):
        (keys / name).unlink()
    rotated.deliver(2, "COT")
    editions.refresh()
    assert served(editions) == (1, DAMAGED)
    (keys / "signing-2.pub").write_bytes(carried["signing-2.pub"])
    editions.refresh()
    assert served(editions) == (1, DAMAGED)
    (keys / "opening-2.key").write_bytes(carried["opening-2.key"])
    (keys / "opening-2.key").chmod(0o644)
    editions.refresh()
    assert served(editions) == (1, f'key file "{keys}/opening-2.key" is open to others (mode 0644)')
    (keys / "opening-2.key").chmod(0o400)
    editions.refresh()
    assert served(editions) == (2, None)


@pytest.mark.parametrize("name", ["ordws.sealed", "core", "reference"])
def test_reading_a_delivery_never_blocks(host: EditionHost, name: str) -> None:
    """A pipe, a folder or a device in the place of a file is refused, and is never waited for."""
    host.deliver(5, "CAT")
    editions = host.open_editions()
    path = host.root / name
    path.unlink()
    os.mkfifo(path)
    editions.refresh()
    assert served(editions) == (5, f'"{path}" cannot be read: not a regular file')
    path.unlink()
    path.mkdir()
    editions.refresh()
    assert served(editions) == (5, f'"{path}" cannot be read: Is a directory')
    path.rmdir()
    path.symlink_to("/dev/zero")
    editions.refresh()
    assert served(editions) == (5, f'"{path}" cannot be read: not a regular file')
    path.unlink()
    host.deliver(6, "COT")
    editions.refresh()
    assert served(editions) == (6, None)


def test_a_delivery_is_read_no_further_than_its_maximum(host: EditionHost) -> None:
    """A file of a terabyte is read no further than an edition or a list may be long."""
    host.deliver(5, "CAT")
    editions = host.open_editions()
    (host.root / "dover-charged").touch()
    paths = [host.root / name for name in ("ordws.sealed", "core", "reference", "dover-charged")]
    for path in paths:
        os.truncate(path, 2**40)
    read = edition_store.EditionFiles.read(*paths)
    assert [len(read.core), len(read.reference), len(read.charged)] == [2**26 + 1] * 3
    assert len(read.sealed) == MAX_EDITION_BYTES + 1
    editions.refresh()
    assert served(editions) == (5, DAMAGED)


def test_a_refused_number_has_a_hint(host: EditionHost) -> None:
    """The hint of a refused number is the command that seals above it, and disappears with the refusal."""
    host.deliver(5, "CAT")
    editions = host.open_editions()
    host.deliver(5, "ZOA")
    hint = "where editions are built, ordws restore --above 5 seals the words under a higher number"
    editions.refresh()
    assert (editions.hint, host.open_editions().hint) == (hint, hint)
    host.deliver(6, "ZOA")
    editions.refresh()
    assert (served(editions), editions.hint) == ((6, None), None)


def test_readers_always_find_a_whole_edition(host: EditionHost) -> None:
    """Threads that read during forty replacements always find a whole edition, never older than the last."""
    host.deliver(1, roman(1), core=roman(1).encode() + b"\n")
    editions = host.open_editions()
    done = threading.Event()
    faults: list[str] = []
    questions = [0] * 4

    def ask(place: int) -> None:
        newest = 0
        while not done.is_set():
            editions.refresh()
            edition = editions.current
            questions[place] += 1
            word = roman(edition.number)
            if word not in edition.words or edition.core != {word}:
                faults.append(f"edition {edition.number} is not whole")
            if edition.number < newest:
                faults.append(f"edition {edition.number} after {newest}")
            newest = edition.number

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for number in range(2, 42):
        host.deliver(number, roman(number), core=roman(number).encode() + b"\n")
        before = questions[:]
        while any(map(eq, questions, before)) and all(thread.is_alive() for thread in threads):
            editions.refresh()
    done.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert served(editions) == (41, None)
    assert min(questions) >= 40


def roman(number: int) -> str:
    """Return a word that only the edition of this number has."""
    return "WORD" + "I" * (number % 16) + "V" * (number // 16)


def test_a_refusal_holds_no_decrypted_bytes(host: EditionHost) -> None:
    """A refusal is kept as a text, not as the error whose frames hold decrypted bytes."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    host.put("ordws.sealed", b"")
    editions.refresh()
    assert not [value for value in vars(editions).values() if isinstance(value, OrdwsError)]
