"""`ordws publish`: the files for serving hosts."""

from __future__ import annotations

from pathlib import Path

from cli_installation import (
    CLIENT_KEY,
    CORE,
    REFERENCE,
    WORDS,
    Command,
    InitResult,
    read_files,
    read_secret_files,
)

from ordws.api.services import open_editions
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring


def test_publish_writes_the_files_that_serving_hosts_need(command: Command, initialized: InitResult) -> None:
    """The sealed edition, the public lists and the public keys are written, the edition last, and nothing secret."""
    instance = initialized.instance
    status, out, _ = command("publish", "--to", "published")
    written = read_files(Path("published"))
    assert status == 0
    assert written == {
        "ordws.sealed": instance.sealed_edition.read_bytes(),
        "public/core": CORE,
        "public/reference": REFERENCE,
        "public/dover-charged": b"",
        "keys/signing-1.pub": (instance.keys / "signing-1.pub").read_bytes(),
    }
    assert not [1 for key in read_secret_files(instance).values() for data in written.values() if key in data]
    stamps = {name: (Path("published") / name).stat().st_mtime_ns for name in written}
    assert max(stamps.values()) == stamps["ordws.sealed"]
    assert 'published edition 1 (ORDWS 2026) in "published"' in out
    assert "opening-1.key is not in that folder" in out


def test_publish_writes_into_the_installation_by_default(command: Command, initialized: InitResult) -> None:
    """Without --to the files go into the folder publish of the installation."""
    assert command("publish")[0] == 0
    assert (initialized.instance.root / "publish/ordws.sealed").exists()


def test_a_published_edition_opens_on_a_serving_host(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """A published edition, with the opening key brought by another way, opens on a serving host."""
    command("publish", "--to", "published")
    carried = tmp_path / "carried"
    carried.write_bytes((initialized.instance.keys / "opening-1.key").read_bytes())
    line = ("init", "--serving", "--from", "published", "--opening-key", "carried", "--instance", "served")
    status, out, _ = command(*line)
    serving = Instance(tmp_path / "served")
    assert (status, len(CLIENT_KEY.findall(out))) == (0, 1)
    ring = Keyring.open(serving.keys)
    assert (ring.opening_numbers, ring.signing_numbers, ring.public_numbers) == ([1], [], [1])
    edition = open_editions(serving, adopting=True).current
    assert [word in edition.words for word in (*WORDS, "CWM")] == [True, True, True, False]
    assert "CWM" in edition.retired
    assert command("status", "--instance", "served")[0] == 0


def test_no_serving_host_is_made_with_a_wrong_opening_key(
    command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """If the edition does not open under the opening key given, no installation is made and no key shown."""
    command("publish", "--to", "published")
    (tmp_path / "carried").write_bytes(bytes(32))
    line = ("init", "--serving", "--from", "published", "--opening-key", "carried", "--instance", "served")
    status, out, err = command(*line)
    assert (status, out) == (2, "")
    assert "the sealed edition does not open" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["carried", "instance", "published"]


def test_publish_needs_an_edition(command: Command, instance: Instance) -> None:
    """Nothing can be published before the first build."""
    status, out, err = command("publish", "--to", "published")
    assert (status, out) == (2, "")
    assert "ordws: hint: ordws-build run makes an edition" in err
    assert not Path("published").exists()


def test_an_older_edition_is_not_published_in_place_of_a_damaged_one(command: Command, initialized: InitResult) -> None:
    """If the delivered edition is damaged, the previous edition is not published in its place."""
    initialized.instance.sealed_edition.write_bytes(b"damaged")
    status, out, err = command("publish", "--to", "published")
    assert (status, out) == (2, "")
    assert "nothing was published: the sealed edition does not open" in err
    assert not Path("published").exists()
