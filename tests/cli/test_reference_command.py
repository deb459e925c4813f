"""Tests of an installation's own players' list: `ordws-build reference`, and what becomes of it in editions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cli_installation import RECOVERY_KEY, Command
from click.testing import CliRunner
from sample_dictionaries import write_sources

from builders.cli import ordws_build
from ordws.api.services import open_editions
from ordws.instance import Instance
from ordws.lexicon.edition import Edition
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header

OWN = "aa\nREVOTE   to vote again\nPLAYABLE\tadj. that can be played\nEclair a cake\n\n# a remark\nplayable\nlovers\n"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def builds(instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command of the builder in a fresh installation with small dictionaries."""
    recipe = write_sources(tmp_path / "sources")
    (tmp_path / "ospd.txt").write_text(OWN)
    monkeypatch.setenv("ORDWS_SOURCES", str(recipe.parent))

    def build(*line: str) -> tuple[int, str]:
        options = ["--recipe", str(recipe)] if line == ("run",) else []
        done = CliRunner().invoke(ordws_build, [*line, *options, "--instance", str(instance.root)])
        return done.exit_code, done.output if done.exception is None else f"{done.output}{done.exception}"

    return build


def current(instance: Instance) -> Edition:
    return open_editions(instance, adopting=True).current


def use_own(builds: Run, *, file: str = "ospd.txt", name: str = "OSPD 7") -> tuple[int, str]:
    return builds("reference", "use", file, "--name", name)


def test_an_own_list_is_sealed_into_the_next_edition(builds: Run, instance: Instance) -> None:
    """The list takes the place of the open one from the next build on, Dover's forms with it; core words stay."""
    builds("run")
    before = current(instance)
    assert use_own(builds) == (
        0,
        "OSPD 7: 5 words, 1 line repeats a word; ordws-build run seals it into the next edition\n",
    )
    assert (current(instance).reference_name, before.has_own_reference) == ("the open players' list", False)
    builds("run")
    edition = current(instance)
    assert (edition.number, edition.reference_name, edition.has_own_reference) == (2, "OSPD 7", True)
    assert [word in edition.reference for word in ("AA", "ECLAIR", "REVOTE", "KOLO")] == [True, True, True, False]
    assert ("PLAYABLE" in edition.dover_forms, "PLAYABLE" in before.dover_forms) == (True, False)
    assert (edition.core, edition.reference_digest) == (before.core, before.reference_digest)
    assert "PLAYABLE" not in instance.reference.read_text()


def test_a_form_of_a_list_that_is_gone_was_once_good(builds: Run, instance: Instance) -> None:
    """Back on the open list, a form that only the own list had counts as once good under Dover (docs/rules.md A-22)."""
    use_own(builds)
    builds("run")
    assert builds("reference", "open")[0] == 0
    assert not instance.own_reference.exists()
    builds("run")
    edition = current(instance)
    assert (edition.number, edition.has_own_reference, "ECLAIR" in edition.reference) == (2, False, False)
    assert ("PLAYABLE" in edition.dover_forms, "PLAYABLE" in edition.dover_retired) == (False, True)
    assert "PLAYABLE" not in edition.retired


def test_only_a_changed_list_is_built_again(builds: Run, instance: Instance, tmp_path: Path) -> None:
    """The same list again needs no build; another name or another word does."""
    use_own(builds)
    builds("run")
    use_own(builds)
    assert "nothing changed: edition 1" in builds("run")[1]
    use_own(builds, name="OSPD 8")
    assert "edition 2 (" in builds("run")[1]
    (tmp_path / "ospd.txt").write_text(f"{OWN}zax\n")
    use_own(builds, name="OSPD 8")
    assert "edition 3 (" in builds("run")[1]
    assert "ZAX" in current(instance).reference


FAULTS = {
    "a word with a hyphen": (
        b"CAT\nDOG a pet\nmid-air x\n",
        'line 3: expected a word of 2 to 21 letters first, found "mid-air"',
    ),
    "a number": (b"1 CAT\n", 'line 1: expected a word of 2 to 21 letters first, found "1"'),
    "a word of one letter": (b"CAT\nA article\n", 'line 2: expected a word of 2 to 21 letters first, found "A"'),
    "another encoding": (b"CAT\nDOG\n\xe9clair\n", "line 3: expected UTF-8: save the file as UTF-8 text"),
    "nothing": (b"\n# no word\n", "line 1: expected a word a line, found none"),
    "control characters": (
        b"\x1b[31mCAT\n",
        'line 1: expected a word of 2 to 21 letters first, found "\N{REPLACEMENT CHARACTER}[31mCAT"',
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_file_changes_nothing_and_its_line_is_named(
    builds: Run, instance: Instance, tmp_path: Path, fault: str
) -> None:
    """The first line that is wrong is named, and the list that was set before stays set."""
    use_own(builds)
    stored = instance.own_reference.read_bytes()
    data, message = FAULTS[fault]
    (tmp_path / "bad.txt").write_bytes(data)
    status, output = use_own(builds, file="bad.txt")
    assert (status, output) == (1, f"bad.txt, {message}")
    assert instance.own_reference.read_bytes() == stored


@pytest.mark.parametrize("name", ["", "<b>", "O" * 41, " OSPD", "OSPD\n", "Örtliste"])
def test_a_name_that_no_header_can_hold_is_refused(builds: Run, instance: Instance, name: str) -> None:
    """A name is refused before anything is stored."""
    status, output = use_own(builds, name=name)
    assert (status, "cannot name a players' list" in output) == (1, True)
    assert not instance.own_reference.exists()


def test_byte_order_marks_and_line_ends_do_not_matter(builds: Run, instance: Instance, tmp_path: Path) -> None:
    """Files of other systems are read as they are."""
    (tmp_path / "ospd.txt").write_bytes("\ufeffcat\r\nDOG\ta pet\rzax".encode())
    assert "OSPD 7: 3 words; " in use_own(builds)[1]


def test_the_list_is_stored_encrypted(builds: Run, instance: Instance) -> None:
    """No word of the list can be read where editions are built, in its own file or in the edition's."""
    use_own(builds)
    builds("run")
    for path in instance.root.rglob("*"):
        assert path.is_dir() or b"ECLAIR" not in path.read_bytes(), path
    assert (instance.own_reference.stat().st_mode & 0o777, instance.own_reference_key.stat().st_mode & 0o777) == (
        0o600,
        0o400,
    )


def test_a_list_without_its_key_is_named(builds: Run, instance: Instance) -> None:
    """A lost key and a damaged list stop a build, which says what to do."""
    use_own(builds)
    key = instance.own_reference_key.read_bytes()
    instance.own_reference_key.unlink()
    assert builds("run")[1].endswith(f'the key "{instance.own_reference_key}" of the players\' list is gone')
    instance.own_reference_key.write_bytes(key)
    instance.own_reference.write_bytes(instance.own_reference.read_bytes()[:-1])
    assert "does not open: it is damaged" in builds("run")[1]
    assert use_own(builds)[0] == 0
    assert builds("run")[0] == 0


def test_status_names_the_list_in_force_and_the_next(builds: Run, command: Command) -> None:
    """`ordws status` names the list of the edition, and the one that the next build will seal."""
    builds("run")
    assert "players' list  the open players' list\n" in command("status")[1]
    use_own(builds)
    assert "players' list  the open players' list, OSPD 7 from the next build on\n" in command("status")[1]
    builds("run")
    assert "players' list  OSPD 7\n" in command("status")[1]
    builds("reference", "open")
    status = msgspec.json.decode(command("status", "--json")[1])
    edition = status["edition"]
    assert (edition["reference"], edition["own_reference"]) == ("OSPD 7", True)
    assert status["next_reference"] == "the open players' list"


def test_status_names_the_list_of_the_first_build(builds: Run, command: Command) -> None:
    """Where there is no edition yet, `ordws status` names the list that the build will use."""
    assert "players' list  none in force, the open players' list from the next build on\n" in command("status")[1]
    use_own(builds)
    assert "players' list  none in force, OSPD 7 from the next build on\n" in command("status")[1]
    status = msgspec.json.decode(command("status", "--json")[1])
    assert (status["edition"], status["next_reference"]) == (None, "OSPD 7")


def test_the_list_travels_sealed_to_serving_hosts(builds: Run, instance: Instance, command: Command) -> None:
    """`ordws publish` hands the list over inside the edition, and a serving host made from it has no file of it."""
    use_own(builds)
    builds("run")
    command("publish", "--to", "published")
    key = str(instance.keys / "opening-1.key")
    line = ("init", "--serving", "--from", "published", "--opening-key", key, "--instance", "served")
    assert command(*line)[0] == 0
    served = Instance(Path("served"))
    edition = current(served)
    assert (edition.reference_name, "ECLAIR" in edition.reference) == ("OSPD 7", True)
    assert edition.dover_charged == current(instance).dover_charged
    assert not served.own_reference.exists()
    assert not served.own_reference_key.exists()
    assert "players' list  OSPD 7\n" in command("status", "--instance", "served")[1]


def test_a_backup_holds_the_list(builds: Run, instance: Instance, command: Command) -> None:
    """After a restore the edition has the list, and so has the next build; `--above` seals it again."""
    (recovery,) = RECOVERY_KEY.findall(command("init", "--instance", "other")[1])
    instance.recovery_public_key.unlink()
    (Path("other") / "keys" / "recovery.pub").rename(instance.recovery_public_key)
    use_own(builds)
    builds("run")
    assert command("backup", "it.backup")[0] == 0
    restored = command("restore", "it.backup", "--instance", "restored", "--above", "9", typed=f"{recovery}\n")
    assert restored[0] == 0, restored
    again = Instance(Path("restored"))
    header = read_header(again.sealed_edition.read_bytes(), Keyring.open(again.keys))
    edition = current(again)
    assert (edition.number, header.own_name, "ECLAIR" in edition.reference) == (10, "OSPD 7", True)
    assert ("PLAYABLE" in edition.dover_forms, edition.dover_charged) == (True, current(instance).dover_charged)
    assert "players' list  OSPD 7\n" in command("status", "--instance", "restored")[1]


def test_taking_an_edition_back_takes_its_list_back(builds: Run, instance: Instance) -> None:
    """A rollback seals all that the earlier edition said; forms of the edition taken back were once good."""
    builds("run")
    use_own(builds)
    builds("run")
    assert builds("take-back", "--reason", "the wrong list")[0] == 0
    edition = current(instance)
    assert (edition.number, edition.has_own_reference) == (3, False)
    assert ("PLAYABLE" in edition.dover_forms, "PLAYABLE" in edition.dover_retired) == (False, True)
    assert "nothing changed: edition 3" in builds("run")[1]


def test_a_serving_host_sets_no_list(command: Command, tmp_path: Path) -> None:
    """A list is set where editions are built."""
    (tmp_path / "ospd.txt").write_text(OWN)
    line = ["reference", "use", "ospd.txt", "--name", "OSPD 7", "--instance", str(tmp_path / "served")]
    done = CliRunner().invoke(ordws_build, line)
    assert "builds no editions" in str(done.exception)
