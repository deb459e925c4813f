"""The editions adopted on a host, and the mark that never falls."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from pathlib import Path

import pytest
from edition_host import DAMAGED, EditionHost, served

from ordws.errors import Broken, EditionRefused, Missing, SealBroken
from ordws.lexicon.keyring import Keyring


def test_an_edition_that_cannot_be_stored_is_refused(host: EditionHost) -> None:
    """An edition that cannot be stored is refused and not served."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    host.deliver(2, "COT")
    (host.editions / ".lock").unlink()
    (host.editions / ".lock").mkdir()
    editions.refresh()
    assert served(editions) == (1, f'edition 2 cannot be kept in "{host.editions}": Is a directory')


def test_rollback_is_refused_after_a_restart(host: EditionHost) -> None:
    """A process that starts beside an older file serves the adopted edition, since the mark outlives processes."""
    old = host.deliver(1, "CAT")
    host.open_editions()
    host.deliver(2, "COT")
    host.open_editions()
    host.put("ordws.sealed", old)
    editions = host.open_editions()
    assert served(editions) == (2, "edition 1 is older than edition 2, which was adopted here")
    assert "COT" in editions.current.words


def test_the_mark_outlives_the_sealed_file(host: EditionHost) -> None:
    """An older edition is refused even if the sealed file and all stored editions were deleted."""
    old = host.deliver(1, "CAT")
    host.open_editions()
    host.deliver(2, "COT")
    host.open_editions()
    (host.root / "ordws.sealed").unlink()
    assert served(host.open_editions())[0] == 2
    for path in (host.editions / "0002").iterdir():
        path.unlink()
    host.put("ordws.sealed", old)
    with pytest.raises(EditionRefused, match="edition 1 is older than edition 2, which was adopted here"):
        host.open_editions()


def test_another_edition_with_an_adopted_number_is_refused(host: EditionHost) -> None:
    """Another edition with an adopted number is refused after a restart, and the adopted one goes on being served."""
    host.deliver(2, "CAT")
    host.open_editions()
    host.deliver(2, "COT")
    editions = host.open_editions()
    assert served(editions) == (2, "another edition 2 was adopted here")
    assert "CAT" in editions.current.words


def test_a_start_beside_a_damaged_file_reopens_the_adopted_edition(host: EditionHost) -> None:
    """Reopening an adopted edition needs no check of its number (docs/guard.md Decision 12)."""
    data = host.deliver(2, "CAT")
    host.open_editions()
    host.put("ordws.sealed", data[:-1])
    assert served(host.open_editions()) == (2, DAMAGED)


def test_a_damaged_stored_copy_is_written_again(host: EditionHost) -> None:
    """A stored copy that is damaged or gone is written again from the delivered file."""
    data = host.deliver(2, "CAT")
    host.open_editions()
    copy = host.editions / "0002" / "ordws.sealed"
    copy.write_bytes(b"damaged")
    assert served(host.open_editions()) == (2, None)
    assert copy.read_bytes() == data
    copy.unlink()
    assert served(host.open_editions()) == (2, None)
    assert copy.read_bytes() == data


@pytest.mark.parametrize("content", [b"", b"damaged", None])
def test_the_start_fails_without_an_edition_that_opens(host: EditionHost, content: bytes | None) -> None:
    """Without a file and an adopted edition that open, the start fails with the error of the file."""
    if content is None:
        with pytest.raises(Missing, match=r'ordws\.sealed" cannot be read: No such file') as caught:
            host.open_editions()
        assert caught.value.hint is not None
        assert "ordws-build run" in caught.value.hint
    else:
        host.deliver(1, "CAT")
        host.put("ordws.sealed", content)
        with pytest.raises(SealBroken, match=DAMAGED):
            host.open_editions()


@pytest.mark.parametrize("content", [b"", b"2", b"two\n", b"-2\n", b"2\n2\n"])
def test_a_damaged_mark_stops_every_adoption(host: EditionHost, content: bytes) -> None:
    """A mark that is no number stops every adoption."""
    host.deliver(2, "CAT")
    editions = host.open_editions()
    (host.mark).write_bytes(content)
    host.deliver(3, "COT")
    editions.refresh()
    assert served(editions) == (2, f'the version mark "{host.mark}" is not a number')
    with pytest.raises(Broken, match="is not a number"):
        host.open_editions()


def test_the_newest_eight_are_kept(host: EditionHost) -> None:
    """The newest eight editions are kept whatever their age, and the remains of a killed process are removed."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    # The folder that a process leaves if it is killed while it stores an edition.
    (host.editions / ".new-killed").mkdir()
    for number in (2, 3, 4, 5, 6, 7, 8, 9, 10, 10_001):
        age(host, hours=26)
        host.deliver(number, "CAT")
        editions.refresh()
    assert host.folder_names() == [".lock", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "10001"]


def test_an_edition_is_kept_for_two_days_after_its_replacement(host: EditionHost) -> None:
    """A replaced edition is kept for the day of the games that began with it, and a day of repeats of their words."""
    host.deliver(1, "CAT")
    editions = host.open_editions()
    host.deliver(2, "CAT")
    editions.refresh()
    age(host, hours=49)
    host.deliver(3, "CAT")
    editions.refresh()
    age(host, hours=48)
    for number in range(4, 14):
        host.deliver(number, "CAT")
        editions.refresh()
    assert host.folder_names() == [".lock", *(f"{number:04}" for number in range(2, 14))]


def age(host: EditionHost, hours: int) -> None:
    """Make everything adopted so far look this much older."""
    for path in host.editions.iterdir():
        if path.is_dir():
            moment = path.stat().st_mtime - 3_600 * hours
            os.utime(path, (moment, moment))


def test_two_processes_share_the_mark(host: EditionHost) -> None:
    """An edition adopted by one process is not taken back by another that has not seen it."""
    first = host.deliver(1, "CAT")
    lagging, leading = host.open_editions(), host.open_editions()
    host.deliver(3, "COT")
    leading.refresh()
    host.put("ordws.sealed", first)
    host.deliver(2, "ZOA")
    lagging.refresh()
    assert served(lagging) == (3, "edition 2 is older than edition 3, which was adopted here")
    assert served(leading) == (3, None)


def test_a_process_that_missed_an_edition_serves_it_from_the_store(host: EditionHost) -> None:
    """A process whose edition is delivered again after a newer one was adopted by another serves the newer one."""
    first = host.deliver(1, "CAT")
    lagging, leading = host.open_editions(), host.open_editions()
    host.deliver(2, "COT")
    leading.refresh()
    host.put("ordws.sealed", first)
    lagging.refresh()
    assert served(lagging) == (2, "edition 1 is older than edition 2, which was adopted here")
    assert "COT" in lagging.current.words


def test_deleting_the_editions_lets_no_older_one_answer(host: EditionHost) -> None:
    """With the adopted editions deleted, or an older copy of them put back, an older edition is refused."""
    old = host.deliver(1, "CAT")
    host.open_editions()
    copy = host.root / "copy"
    shutil.copytree(host.editions, copy)
    new = host.deliver(2, "COT")
    host.open_editions()
    host.put("ordws.sealed", old)
    refused = pytest.raises(EditionRefused, match="edition 1 is older than edition 2, which was adopted here")
    for is_put_back in (False, True):
        shutil.rmtree(host.editions)
        if is_put_back:
            shutil.copytree(copy, host.editions)
        for adopting in (False, True):
            with refused:
                host.open_editions(adopting=adopting)
        assert host.store.fault() == f'edition 2, which the edition mark names, is gone from "{host.editions}"'
    host.put("ordws.sealed", new)
    assert served(host.open_editions()) == (2, None)
    assert host.store.fault() is None


def test_a_running_process_puts_deleted_files_back(host: EditionHost) -> None:
    """A running process stores its edition and the mark anew when they were deleted, as far as it is delivered."""
    host.deliver(1, "CAT")
    old = host.deliver(2, "CAT")
    editions = host.open_editions()
    for path in (host.mark, host.editions):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        editions.refresh()
        assert served(editions) == (2, None)
        assert host.store.fault() is None
    host.deliver(1, "CAT")
    shutil.rmtree(host.editions)
    editions.refresh()
    assert served(editions) == (2, "edition 1 does not follow edition 2")
    assert host.store.fault() is not None
    host.put("ordws.sealed", old)
    editions.refresh()
    assert (served(editions), host.store.fault()) == ((2, None), None)


def test_a_host_without_mark_and_editions_says_so(host: EditionHost) -> None:
    """Where nothing shows what was adopted, the delivered edition is believed, and that is told."""
    host.deliver(1, "CAT")
    told = f'no edition mark "{host.mark}" and no adopted edition: an older edition would not be noticed'
    editions = host.open_editions()
    assert (editions.current.number, editions.fault) == (1, told)
    assert host.open_editions().fault is None
    host.mark.unlink()
    assert host.open_editions(adopting=False).fault == f'the edition mark "{host.mark}" is gone beside adopted editions'


def test_a_lost_mark_is_restored_from_the_stored_editions(host: EditionHost) -> None:
    """Without its file the mark is the newest complete edition stored, and the next adoption writes the file again."""
    old = host.deliver(1, "CAT")
    editions = host.open_editions()
    new = host.deliver(2, "COT")
    editions.refresh()
    assert host.store.fault() is None
    (host.mark).unlink()
    # An empty folder is no complete edition, and does not raise the mark.
    (host.editions / "0007").mkdir()
    gone = f'the edition mark "{host.mark}" is gone beside adopted editions'
    assert (host.store.fault(), host.store.read_mark()) == (gone, 2)
    host.put("ordws.sealed", old)
    assert served(host.open_editions()) == (2, "edition 1 is older than edition 2, which was adopted here")
    host.put("ordws.sealed", new)
    assert served(host.open_editions()) == (2, None)
    assert (host.mark).read_text() == "2\n"


def test_the_mark_never_falls(host: EditionHost) -> None:
    """Raising the mark to a lower number changes nothing; raising it higher stops adoptions below."""
    host.deliver(5, "CAT")
    editions = host.open_editions()
    host.store.raise_mark(4)
    assert host.store.read_mark() == 5
    host.store.raise_mark(9)
    host.deliver(8, "COT")
    editions.refresh()
    assert served(editions) == (5, "edition 8 is older than edition 9, which was adopted here")


def test_an_edition_in_the_wrong_folder_is_not_used(host: EditionHost) -> None:
    """An older edition put into the folder of the newest is not taken for it."""
    host.deliver(1, "CAT")
    host.open_editions()
    host.deliver(2, "COT")
    host.open_editions()
    for path in (host.editions / "0001").iterdir():
        path.replace(host.editions / "0002" / path.name)
    host.put("ordws.sealed", b"damaged")
    with pytest.raises(SealBroken):
        host.open_editions()


def test_the_next_number_is_above_the_file_and_the_mark(host: EditionHost) -> None:
    """The next number is above that of the sealed file and above the mark."""
    assert host.store.next_number(None, host.keyring) == 1
    unadopted = host.deliver(6, "CAT")
    assert host.store.next_number(unadopted, host.keyring) == 7
    host.open_editions()
    host.deliver(9, "CAT")
    host.open_editions()
    assert host.store.next_number(unadopted, host.keyring) == 10


def test_concurrent_processes_agree_on_the_newest_edition(host: EditionHost) -> None:
    """Four processes that adopt the same editions at once agree on the newest and store each once."""
    host.deliver(1, "CAT")
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        first = pool.map(follow, [host.root] * 8)
        for number in (2, 3):
            host.deliver(number, "CAT")
        assert set(first) == {(1, None)}
        assert set(pool.map(follow, [host.root] * 8)) == {(3, None)}
    assert host.folder_names() == [".lock", "0001", "0003"]


def follow(root: Path) -> tuple[int, str | None]:
    return served(EditionHost(root, Keyring.open(root / "keys")).open_editions())
