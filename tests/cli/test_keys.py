"""The sealing keys, as a keeper adds and lists them."""

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


def test_rotation_seals_the_same_words_again(command: Command, shown: InitResult) -> None:
    """After a rotation the next edition holds the same words under the new keys; the old ones still read."""
    here = shown.here
    before = here.sealed_edition.read_bytes()
    status, out, _ = command("keys", "rotate")
    ring = Keyring.open(here.keys)
    header = read_header(here.sealed_edition.read_bytes(), ring)
    assert status == 0
    assert "edition 2 holds the same words" in out
    assert (header.number, header.name, header.opening, header.signing) == (2, "ORDWS 2026", 2, 2)
    assert read_words(here.sealed_edition.read_bytes(), ring) == (sorted(WORDS), ["CWM"])
    assert read_words(before, ring) == (sorted(WORDS), ["CWM"])
    shelf = open_editions(here, adopting=True)
    assert (shelf.current.number, shelf.refusal, open_edition_store(here).read_mark()) == (2, None, 2)
    assert command("keys", "list", "--json")[1] == '{"opening": [1, 2], "signing": [1, 2], "public": [1, 2]}\n'


def test_the_ledger_holds_after_a_rotation(command: Command, shown: InitResult) -> None:
    """The ledger's head was signed with the old key and goes on with the new one."""
    here = shown.here
    command("keys", "rotate")
    with open_ledger(here) as ledger:
        add_override(ledger, "BLORT")
    with open_ledger(here) as ledger:
        assert ledger.head.length == 1


def test_rotation_before_the_first_edition(command: Command, here: Instance) -> None:
    """Without an edition the keys alone are made."""
    assert command("keys", "rotate") == (0, "opening key 2 and signing key 2 seal from now on\n", "")
    assert not here.sealed_edition.exists()


def test_rotation_makes_no_key_beside_a_damaged_edition(command: Command, shown: InitResult) -> None:
    """Where the newest edition does not open, nothing is rotated: its words could not be sealed again."""
    here = shown.here
    here.sealed_edition.write_bytes(b"damaged")
    status, out, err = command("keys", "rotate")
    assert (status, out) == (2, "")
    assert "no key was made: the sealed edition does not open" in err
    assert Keyring.open(here.keys).opening_numbers == [1]


@pytest.mark.parametrize("line", [("keys", "rotate"), ("backup", "file")])
def test_a_build_is_not_disturbed(command: Command, here: Instance, line: tuple[str, ...]) -> None:
    """While a build of the installation is under way, keys are not rotated and no backup is made."""
    with (here.root / ".building").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        status, out, err = command(*line)
    assert (status, out) == (2, "")
    assert "an edition is being sealed here" in err
    assert Keyring.open(here.keys).opening_numbers == [1]
    assert not Path("file").exists()


@pytest.mark.parametrize("name", ["opening-2.key", "signing-2.pub"])
def test_no_build_goes_back_where_a_key_is_lost(command: Command, shown: InitResult, name: str) -> None:
    """Where the newest edition does not open for want of a key, no older one is followed: words would be forgotten."""
    here = shown.here
    command("keys", "rotate")
    newest = open_previous_edition(here, Keyring.open(here.keys))
    assert newest is not None
    assert newest.header.number == 2
    key = (here.keys / name).read_bytes()
    (here.keys / name).unlink()
    (here.keys / "signing-2.key").unlink()
    said = "edition 2 was made here, and the newest that opens is edition 1"
    with pytest.raises(SealBroken, match=said) as caught:
        open_previous_edition(here, Keyring.open(here.keys))
    assert caught.value.hint is not None
    assert "backup" in caught.value.hint
    here.edition_mark.unlink()
    with pytest.raises(SealBroken, match=said):
        open_previous_edition(here, Keyring.open(here.keys))
    (here.keys / name).write_bytes(key)
    (here.keys / name).chmod(0o400)
    assert open_previous_edition(here, Keyring.open(here.keys)) == newest


def test_no_build_passes_over_a_delivered_edition_without_its_key(command: Command, shown: InitResult) -> None:
    """An edition that was delivered, not adopted yet, and whose opening key is gone is not passed over either."""
    here = shown.here
    command("keys", "rotate")
    shutil.rmtree(here.editions / "0002")
    here.edition_mark.write_text("1\n")
    (here.keys / "opening-2.key").unlink()
    with pytest.raises(SealBroken, match="edition 2 was made here, and the newest that opens is edition 1"):
        open_previous_edition(here, Keyring.open(here.keys))


def test_a_damaged_delivery_is_followed_from_its_copy(shown: InitResult) -> None:
    """Where the delivered file alone is damaged, the copy kept under the mark is the edition before."""
    here = shown.here
    sealed = here.sealed_edition.read_bytes()
    here.sealed_edition.write_bytes(sealed[:-1])
    previous = open_previous_edition(here, Keyring.open(here.keys))
    assert previous is not None
    assert previous.sealed == sealed


def test_list_says_which_are_there(command: Command, here: Instance) -> None:
    """The list gives numbers by kind, and no key."""
    (here.keys / "signing-1.key").unlink()
    assert command("keys", "list") == (0, "opening  1\nsigning  none\npublic   1\n", "")
