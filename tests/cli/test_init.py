"""`ordws init`: an installation is created whole, and once."""

from __future__ import annotations

import fcntl
import os
import re
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from cli_installation import CLIENT_KEY, RECOVERY_KEY, Command, accepts_key, open_ledger, read_files, read_secret_files
from each_row import each_row

from ordws.api.services import open_play_links
from ordws.cli.recovery import read_recovery_key
from ordws.instance import Instance

ROOT = Path(__file__).parent.parent.parent


def test_keys_are_readable_by_their_owner_alone(instance: Instance) -> None:
    """The keys have mode 0400, the public half 0644, and all folders but public 0700."""
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in instance.keys.iterdir()}
    assert modes == {
        "computer.key": 0o400,
        "games.key": 0o400,
        "ledger.key": 0o400,
        "meter.key": 0o400,
        "opening-1.key": 0o400,
        "pepper.key": 0o400,
        "players.key": 0o400,
        "recovery.pub": 0o400,
        "signing-1.key": 0o400,
        "signing-1.pub": 0o644,
        "stream.key": 0o400,
    }
    assert {stat.S_IMODE(path.stat().st_mode) for path in (instance.root, instance.keys, instance.editions)} == {0o700}
    assert len(set(read_secret_files(instance).values())) == 10
    assert all(len(key) == 32 for key in read_secret_files(instance).values())


def test_the_client_key_is_shown_once(command: Command, tmp_path: Path) -> None:
    """The client key stands alone on a line, is known to the register, and stands in no file."""
    status, out, err = command("init")
    (key,) = CLIENT_KEY.findall(out)
    assert (status, err) == (0, "")
    assert accepts_key(Instance(tmp_path / "instance"), key)
    assert not [name for name, data in read_files(tmp_path).items() if key.encode() in data]


def test_a_play_link_is_shown_once(command: Command, tmp_path: Path) -> None:
    """A link for guests stands alone on a line, opens games, and stands in no file."""
    _, out, _ = command("init")
    (token,) = re.findall(r"^http://127\.0\.0\.1:8000/play#link=(ordws_play_[A-Za-z0-9_-]{43})$", out, re.MULTILINE)
    with closing(open_play_links(Instance(tmp_path / "instance"))) as links:
        assert (links.find(token).number, len(links.list())) == (0, 1)
    assert not [name for name, data in read_files(tmp_path).items() if token.encode() in data]


def test_the_recovery_key_is_shown_once(command: Command, tmp_path: Path) -> None:
    """The private half of the recovery key is shown and stored nowhere; the public half is stored."""
    _, out, _ = command("init")
    (text,) = RECOVERY_KEY.findall(out)
    key = read_recovery_key(text)
    assert (tmp_path / "instance/keys/recovery.pub").read_bytes() == key.public_key().public_bytes_raw()
    assert not [name for name, data in read_files(tmp_path).items() if key.private_bytes_raw() in data]


def test_init_makes_an_empty_ledger(instance: Instance) -> None:
    """The ledger opens under the installation's keys and has no link yet."""
    with open_ledger(instance) as ledger:
        assert ledger.head.length == 0


def test_a_second_init_changes_nothing(command: Command, instance: Instance) -> None:
    """A second init changes no byte, shows no key and ends with 1, or with 0 under --if-missing."""
    before = read_files(instance.root)
    assert command("init") == (
        1,
        "",
        'ordws: error: "instance" is an installation already, nothing was changed\n'
        "ordws: hint: ordws status shows it\n",
    )
    assert command("init", "--if-missing") == (0, '"instance" is an installation already\n', "")
    assert read_files(instance.root) == before


def test_a_script_is_told_no_next_step(command: Command) -> None:
    """Under --if-missing, as make run types it, the script knows what comes next."""
    assert command("init", "--if-missing")[1].endswith('made "instance"\n')


def test_another_folder_is_left_alone(command: Command, tmp_path: Path) -> None:
    """A folder that is neither empty nor an installation is left alone, also with --if-missing."""
    (tmp_path / "instance").mkdir()
    (tmp_path / "instance/notes.txt").write_text("mine")
    for line in (["init"], ["init", "--if-missing"]):
        status, out, err = command(*line)
        assert (status, out) == (1, "")
        assert err.startswith('ordws: error: "instance" is not empty, nothing was changed\n')
    assert read_files(tmp_path) == {"instance/notes.txt": b"mine"}


def test_an_empty_folder_becomes_the_installation(command: Command, tmp_path: Path) -> None:
    """An existing empty folder becomes the installation."""
    (tmp_path / "instance").mkdir()
    assert command("init")[1].endswith('made "instance"; next: ordws-build fetch && ordws-build run\n')
    assert (tmp_path / "instance/keys/pepper.key").exists()


def test_the_next_init_cleans_up_after_a_killed_one(command: Command, tmp_path: Path) -> None:
    """An init that is killed makes no installation; the next one makes it and removes what was left."""
    killing = (
        "import os, signal, sys\n"
        "from ordws.identity.register import Register\n"
        "Register.add = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from ordws.cli import main\n"
        "sys.argv = ['ordws', 'init']\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = subprocess.run([sys.executable, "-c", killing], cwd=tmp_path, env=environment, check=False)
    assert killed.returncode == -9
    (abandoned,) = tmp_path.iterdir()
    assert abandoned.name.startswith(".instance.making-")
    assert (abandoned / "keys/opening-1.key").exists()
    status, out, _ = command("init")
    assert status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["instance"]
    assert accepts_key(Instance(tmp_path / "instance"), CLIENT_KEY.findall(out)[0])


def test_concurrent_inits_do_not_conflict(command: Command, tmp_path: Path) -> None:
    """A second init beside a running one does nothing and reports it."""
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    status, out, err = command("init")
    os.close(handle)
    assert (status, out) == (2, "")
    assert f'another ordws is making a folder in "{tmp_path}"' in err
    assert not list(tmp_path.iterdir())


def test_a_serving_host_gets_no_signing_key_and_no_ledger(command: Command, tmp_path: Path) -> None:
    """A serving host has no signing key, no ledger and no recovery key."""
    status, out, _ = command("init", "--serving")
    assert status == 0
    assert len(CLIENT_KEY.findall(out)) == 1
    assert "ordws_recovery_" not in out
    assert sorted(read_files(tmp_path)) == [
        "instance/clients.db",
        "instance/edition.mark",
        "instance/games.db",
        "instance/keys/computer.key",
        "instance/keys/games.key",
        "instance/keys/meter.key",
        "instance/keys/pepper.key",
        "instance/keys/players.key",
        "instance/keys/stream.key",
        "instance/meters/boot.json",
        "instance/meters/lasting.db",
    ]


@each_row(
    "line",
    [
        ("--from", "published"),
        ("--serving", "--from", "published"),
        ("--serving", "--opening-key", "opening-1.key"),
        ("--from", "published", "--opening-key", "opening-1.key"),
    ],
)
def test_a_published_edition_needs_its_key(command: Command, tmp_path: Path, line: tuple[str, ...]) -> None:
    """--from and --opening-key go together, and with --serving; anything else creates nothing."""
    status, _, err = command("init", *line)
    assert status == 2
    assert "--from and --opening-key go together, with --serving" in err
    assert not list(tmp_path.iterdir())
