"""`ordws restore`: an installation from its backup."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from cli_installation import RECOVERY_KEY, WORDS, Command, InitResult, adopt_edition, read_files
from each_row import each_row

from ordws.api.services import open_editions
from ordws.cli.backup import BackupFile, pack, unpack
from ordws.cli.editions import open_edition_store
from ordws.cli.recovery import decrypt, derive_public_key, encrypt, read_recovery_key, write_recovery_key
from ordws.errors import BadInput, Broken
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_words


def test_a_foreign_key_and_damage_give_the_same_error(
    command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """A foreign recovery key, a changed byte and a lost byte give the same error, and nothing is made."""
    command("backup", "file")
    data, key = Path("file").read_bytes(), initialized.recovery
    spoilt = [
        (data, write_recovery_key(bytes(32))),
        (data[:-1], key),
        (data[:40], key),
        *((data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], key) for at in (7, 38, 39, 5_000, len(data) - 1)),
    ]
    for content, typed in spoilt:
        Path("spoilt").write_bytes(content)
        status, out, err = command("restore", "spoilt", "--instance", "there", typed=typed)
        assert (status, out) == (2, "")
        assert err == (
            "ordws: error: the backup does not open: it is damaged, or it was made for another recovery key\n"
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "instance", "spoilt"]


@each_row("typed", ["ordws_recovery_", "ordws_live_abc", "ordws_recovery_" + "a" * 58, "é"])
def test_a_mistyped_key_is_distinguished_from_a_wrong_one(
    command: Command, initialized: InitResult, typed: str
) -> None:
    """A text whose checksum does not match is no recovery key, and the error does not repeat it."""
    command("backup", "file")
    status, _, err = command("restore", "file", "--instance", "there", typed=typed)
    assert status == 2
    assert err == (
        "ordws: error: this is not a recovery key: its checksum does not match\n"
        "ordws: hint: it begins with ordws_recovery_; ordws init showed it\n"
    )


def test_a_file_that_is_no_backup_is_an_error(command: Command, tmp_path: Path) -> None:
    """A file that is no backup, or is missing, is an error that says so."""
    key = write_recovery_key(bytes(32))
    Path("file").write_text("ORDWB2\n")
    assert "this is not a backup of ordws, or it is of another version" in command("restore", "file", typed=key)[2]
    assert '"nowhere" cannot be read: No such file' in command("restore", "nowhere", typed=key)[2]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_installation_is_replaced_only_with_the_option(command: Command, initialized: InitResult) -> None:
    """An existing installation stays as it is without --replace."""
    instance, recovery = initialized.instance, initialized.recovery
    command("backup", "file")
    before = read_files(instance.root)
    status, out, err = command("restore", "file", typed=recovery)
    assert (status, out) == (1, "")
    assert err == (
        'ordws: error: "instance" is not empty, nothing was changed\nordws: hint: --replace moves it aside first\n'
    )
    assert read_files(instance.root) == before


def test_replacing_never_lowers_the_mark(command: Command, initialized: InitResult, tmp_path: Path) -> None:
    """Restored words get a number above the newest adopted edition.

    The previous installation is moved aside whole.
    """
    instance, recovery = initialized.instance, initialized.recovery
    command("backup", "file")
    adopt_edition(instance, 5, "CAT")
    before = read_files(instance.root)
    status, out, _ = command("restore", "file", "--replace", typed=recovery)
    editions = open_editions(instance, adopting=True)
    assert status == 0
    assert "edition 5 had been adopted here\nthe words are edition 6 now" in out
    assert (editions.current.number, editions.refusal, open_edition_store(instance).read_mark()) == (6, None, 6)
    assert read_words(instance.sealed_edition.read_bytes(), Keyring.open(instance.keys)) == (sorted(WORDS), ["CWM"])
    (aside,) = tmp_path.glob("instance.replaced-*")
    assert read_files(aside) == before


def test_above_numbers_a_restored_edition_over_the_serving_hosts(
    command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """With --above an old backup gets a number above the serving hosts' edition, and they adopt it."""
    command("backup", "file")
    adopt_edition(initialized.instance, 6, "CAT")
    serving = open_editions(initialized.instance, adopting=True)
    status, out, _ = command("restore", "file", "--above", "6", "--instance", "there", typed=initialized.recovery)
    new = Instance(tmp_path / "there")
    assert status == 0
    assert "the words are edition 7 now" in out
    assert open_edition_store(new).read_mark() == 7
    initialized.instance.sealed_edition.write_bytes(new.sealed_edition.read_bytes())
    serving.refresh()
    assert (serving.current.number, serving.refusal) == (7, None)
    assert read_words(new.sealed_edition.read_bytes(), Keyring.open(new.keys)) == (sorted(WORDS), ["CWM"])


def test_above_renumbers_an_existing_installation(command: Command, initialized: InitResult) -> None:
    """Without a file the current words get the next number, unless their number is higher already."""
    assert command("restore", "--above", "1") == (0, "the words are edition 2 now\n", "")
    assert open_editions(initialized.instance, adopting=True).current.number == 2
    before = read_files(initialized.instance.root)
    assert command("restore", "--above", "1") == (0, "the words are edition 2 already\n", "")
    assert read_files(initialized.instance.root) == before


def test_above_applies_before_the_first_edition(command: Command, instance: Instance) -> None:
    """Without an edition the next one is numbered above N."""
    assert command("restore", "--above", "6") == (0, "the next edition is 7\n", "")
    assert open_edition_store(instance).next_number(None, Keyring.open(instance.keys)) == 7


@each_row("line", [(), ("--replace",), ("--replace", "--above", "3"), ("--above", "0")])
def test_a_restore_needs_a_backup_file(command: Command, initialized: InitResult, line: tuple[str, ...]) -> None:
    """Without a backup file nothing is restored and nothing is changed."""
    before = read_files(initialized.instance.root)
    assert command("restore", *line)[:2] == (2, "")
    assert read_files(initialized.instance.root) == before


def test_replacing_with_the_same_edition_needs_no_new_number(command: Command, initialized: InitResult) -> None:
    """If nothing newer was adopted, the restored edition is served unchanged."""
    instance, recovery = initialized.instance, initialized.recovery
    sealed = instance.sealed_edition.read_bytes()
    command("backup", "file")
    assert command("restore", "file", "--replace", typed=recovery)[0] == 0
    assert instance.sealed_edition.read_bytes() == sealed
    assert open_edition_store(instance).read_mark() == 1


def test_a_backup_without_edition_keeps_the_mark(command: Command, tmp_path: Path) -> None:
    """A backup from before the first build, restored over an installation with editions, keeps their mark."""
    _, out, _ = command("init")
    instance = Instance(tmp_path / "instance")
    command("backup", "file")
    adopt_edition(instance, 3, "CAT")
    command("restore", "file", "--replace", typed=RECOVERY_KEY.findall(out)[0])
    assert not instance.sealed_edition.exists()
    assert open_edition_store(instance).read_mark() == 3
    assert open_edition_store(instance).next_number(None, Keyring.open(instance.keys)) == 4


def test_a_backup_with_an_invalid_ledger_is_not_restored(
    command: Command, initialized: InitResult, tmp_path: Path
) -> None:
    """A backup whose ledger does not verify makes no installation and leaves nothing behind."""
    recovery = initialized.recovery
    command("backup", "file")
    plain = decrypt(Path("file").read_bytes(), read_recovery_key(recovery))
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        files = [BackupFile(m.name, m.mode, archive.extractfile(m).read()) for m in archive]  # type: ignore[union-attr]
    spoilt = [saved._replace(data=b"damaged") if saved.name == "curation.db" else saved for saved in files]
    public = read_recovery_key(recovery).public_key().public_bytes_raw()
    Path("spoilt").write_bytes(encrypt(pack(spoilt), public))
    status, out, err = command("restore", "spoilt", "--instance", "there", typed=recovery)
    assert (status, out) == (2, "")
    assert "curation.db does not read: wrong key, or damaged" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "instance", "spoilt"]


@pytest.mark.parametrize("name", ["/tmp/ordws-planted", "../planted", "keys/../../planted"])
def test_a_backup_path_outside_the_installation_is_refused(tmp_path: Path, name: str) -> None:
    """A backup file whose path leads out of the installation is refused."""
    (tmp_path / "in").mkdir()
    with pytest.raises(Broken, match="which is no file of an installation"):
        unpack(pack([BackupFile(name, 0o600, b"planted")]), tmp_path / "in")
    assert read_files(tmp_path) == {}


def test_a_link_in_a_backup_is_refused(tmp_path: Path) -> None:
    """A link in a backup is refused, so that no later file is written through it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("keys")
        link.type, link.linkname = tarfile.SYMTYPE, ".."
        archive.addfile(link)
    with pytest.raises(Broken, match='the backup holds "keys", which is no file of an installation'):
        unpack(buffer.getvalue(), tmp_path)


def test_the_text_of_a_recovery_key_reads_back() -> None:
    """The text of a recovery key carries its 32 bytes, also in capitals and with spaces; a typing error is noticed."""
    secret = bytes(range(32))
    text = write_recovery_key(secret)
    assert text == "ordws_recovery_aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypwgdonfe"
    for typed in (text, text.upper(), f"{text[:30]} {text[30:]}\n"):
        assert read_recovery_key(typed).private_bytes_raw() == secret
    for at in range(len(text)):
        mistyped = text[:at] + ("b" if text[at] == "c" else "c") + text[at + 1 :]
        with pytest.raises(BadInput):
            read_recovery_key(mistyped)
    assert derive_public_key(secret) == read_recovery_key(text).public_key().public_bytes_raw()
