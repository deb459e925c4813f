"""`ordws keys`: rotation and listing of the sealing keys."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path

import pytest
from cli_installation import (
    WORDS,
    Command,
    InitResult,
    add_override,
    open_ledger,
)

from builders.seal_edition import open_previous_edition
from ordws.api.services import open_editions
from ordws.cli.editions import open_edition_store
from ordws.errors import SealBroken
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header, read_words


def test_rotation_seals_the_same_words_again(command: Command, initialized: InitResult) -> None:
    """After a rotation the next edition holds the same words under the new keys; old keys still read old editions."""
    instance = initialized.instance
    before = instance.sealed_edition.read_bytes()
    status, out, _ = command("keys", "rotate")
    ring = Keyring.open(instance.keys)
    header = read_header(instance.sealed_edition.read_bytes(), ring)
    assert status == 0
    assert "edition 2 holds the same words" in out
    assert (header.number, header.name, header.opening, header.signing) == (2, "ORDWS 2026", 2, 2)
    assert read_words(instance.sealed_edition.read_bytes(), ring) == (sorted(WORDS), ["CWM"])
    assert read_words(before, ring) == (sorted(WORDS), ["CWM"])
    editions = open_editions(instance, adopting=True)
    assert (editions.current.number, editions.refusal, open_edition_store(instance).read_mark()) == (2, None, 2)
    assert command("keys", "list", "--json")[1] == '{"opening": [1, 2], "signing": [1, 2], "public": [1, 2]}\n'


def test_the_ledger_holds_after_a_rotation(command: Command, initialized: InitResult) -> None:
    """The ledger's head, signed with the old key, still verifies and is signed with the new one next."""
    instance = initialized.instance
    command("keys", "rotate")
    with open_ledger(instance) as ledger:
        add_override(ledger, "BLORT")
    with open_ledger(instance) as ledger:
        assert ledger.head.length == 1


def test_rotation_before_the_first_edition(command: Command, instance: Instance) -> None:
    """Without an edition a rotation only makes keys."""
    assert command("keys", "rotate") == (0, "opening key 2 and signing key 2 seal from now on\n", "")
    assert not instance.sealed_edition.exists()


def test_no_key_is_rotated_beside_a_damaged_edition(command: Command, initialized: InitResult) -> None:
    """Nothing is rotated if the newest edition does not open, since its words could not be sealed again."""
    instance = initialized.instance
    instance.sealed_edition.write_bytes(b"damaged")
    status, out, err = command("keys", "rotate")
    assert (status, out) == (2, "")
    assert "no key was made: the sealed edition does not open" in err
    assert Keyring.open(instance.keys).opening_numbers == [1]


@pytest.mark.parametrize("line", [("keys", "rotate"), ("backup", "file")])
def test_a_build_is_not_disturbed(command: Command, instance: Instance, line: tuple[str, ...]) -> None:
    """During a build of the installation no key is rotated and no backup is made."""
    with (instance.root / ".building").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        status, out, err = command(*line)
    assert (status, out) == (2, "")
    assert "an edition is being sealed here" in err
    assert Keyring.open(instance.keys).opening_numbers == [1]
    assert not Path("file").exists()


@pytest.mark.parametrize("name", ["opening-2.key", "signing-2.pub"])
def test_no_build_goes_on_from_an_older_edition_if_a_key_is_lost(
    command: Command, initialized: InitResult, name: str
) -> None:
    """If the newest edition lacks its key, a build does not go on from an older one, or words would be forgotten."""
    instance = initialized.instance
    command("keys", "rotate")
    newest = open_previous_edition(instance, Keyring.open(instance.keys))
    assert newest is not None
    assert newest.header.number == 2
    key = (instance.keys / name).read_bytes()
    (instance.keys / name).unlink()
    (instance.keys / "signing-2.key").unlink()
    message = "edition 2 was made here, and the newest that opens is edition 1"
    with pytest.raises(SealBroken, match=message) as caught:
        open_previous_edition(instance, Keyring.open(instance.keys))
    assert caught.value.hint is not None
    assert "backup" in caught.value.hint
    instance.edition_mark.unlink()
    with pytest.raises(SealBroken, match=message):
        open_previous_edition(instance, Keyring.open(instance.keys))
    (instance.keys / name).write_bytes(key)
    (instance.keys / name).chmod(0o400)
    assert open_previous_edition(instance, Keyring.open(instance.keys)) == newest


def test_no_build_passes_over_a_delivered_edition_without_its_key(command: Command, initialized: InitResult) -> None:
    """A build does not pass over a delivered edition, not adopted yet, whose opening key is gone."""
    instance = initialized.instance
    command("keys", "rotate")
    shutil.rmtree(instance.editions / "0002")
    instance.edition_mark.write_text("1\n")
    (instance.keys / "opening-2.key").unlink()
    with pytest.raises(SealBroken, match="edition 2 was made here, and the newest that opens is edition 1"):
        open_previous_edition(instance, Keyring.open(instance.keys))


def test_a_build_goes_on_from_the_copy_of_a_damaged_delivery(initialized: InitResult) -> None:
    """If only the delivered file is damaged, a build goes on from the copy of the adopted edition."""
    instance = initialized.instance
    sealed = instance.sealed_edition.read_bytes()
    instance.sealed_edition.write_bytes(sealed[:-1])
    previous = open_previous_edition(instance, Keyring.open(instance.keys))
    assert previous is not None
    assert previous.sealed == sealed


def test_list_gives_key_numbers_by_kind(command: Command, instance: Instance) -> None:
    """The list gives numbers by kind, but no key."""
    (instance.keys / "signing-1.key").unlink()
    assert command("keys", "list") == (0, "opening  1\nsigning  none\npublic   1\n", "")
