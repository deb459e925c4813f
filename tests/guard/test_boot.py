"""Tests of the meters of one host over starts of the machine: kills, clean ends, power cuts, losses, a full disk."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from gate_helpers import CORE, HOME, NOON, PLENTY, ask, left, words

from ordws.errors import BadInput, StoreDown
from ordws.guard.charge import Identity
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY
from ordws.guard.stores.lmdb import LmdbMeterStore

HINT = "ordws guard new-meters makes new ones, and refuses all questions until midnight UTC"
KEY = b"k" * 32


@pytest.fixture
def boot(tmp_path):
    """Return the file that stands for the kernel's boot id."""
    path = tmp_path / "boot_id"
    path.write_text("boot-1\n")
    return path


@pytest.fixture
def folder(tmp_path, boot):
    folder = tmp_path / "meters"
    LmdbMeterStore.create(folder, boot_id=boot, now=NOON).close()
    return folder


def open_gate(folder, boot, now=NOON):
    return Gate(PLENTY, LmdbMeterStore(folder, boot_id=boot, now=now), KEY)


def spend(gate, first, now=NOON):
    """Ask new words outside games until the budget refuses; return how many were answered."""
    asked = 0
    while ask(gate, HOME, *words(first + asked, 1), now=now) is None:
        asked += 1
    return asked


PROGRAM = """
import os, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_boot import open_gate, spend
from gate_helpers import HOME, ask, words
gate = open_gate(Path({folder!r}), Path({boot!r}))
for n in range(7):
    assert ask(gate, HOME, *words(n, 1)) is None
print("asked", flush=True)
sys.stdin.read()
"""


def ask_and_kill(folder, boot):
    """Have a process of its own ask seven words, and kill it."""
    program = PROGRAM.format(tests=str(Path(__file__).parent), folder=str(folder), boot=str(boot))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert process.stdout.readline() == b"asked\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()


READER = """
import sys
from pathlib import Path
from ordws.guard.stores.lmdb import LmdbMeterStore
store = LmdbMeterStore(Path({folder!r}), boot_id=Path({boot!r}), now={now})
with store.begin(write=False):
    print("reads", flush=True)
    sys.stdin.read()
"""


def test_a_process_killed_within_a_read_leaves_no_growing_file(folder, boot):
    """The pages that a dead reader saw are used again once somebody looked for alarms, as is done each second."""

    def size_after_questions(first):
        for number in range(first, first + 300):
            ask(gate, Identity(str(number), NOON), *words(number, 1))
        gate.tick(NOON)
        return sum(each.stat().st_blocks for each in folder.iterdir())

    gate = open_gate(folder, boot)
    before = size_after_questions(0)
    program = READER.format(folder=str(folder), boot=str(boot), now=NOON)
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"reads\n"
        process.kill()
    gate.tick(NOON)
    assert size_after_questions(300) < 4 * before
    gate.store.close()


def test_killed_processes_give_nothing_back(folder, boot):
    """After all processes were killed, the same boot of the machine goes on with every charge."""
    ask_and_kill(folder, boot)
    gate = open_gate(folder, boot)
    assert spend(gate, 100) == 13
    gate.store.close()


def test_a_clean_end_goes_on_after_the_next_boot(folder, boot):
    """Once the last process has left, the meters are on disk, and another boot goes on with them."""
    gate = open_gate(folder, boot)
    assert spend(gate, 0) == 20
    other = open_gate(folder, boot)
    gate.store.close()
    other.store.close()
    boot.write_text("boot-2\n")
    gate = open_gate(folder, boot)
    assert spend(gate, 100) == 0
    gate.store.close()


def test_power_cuts_give_at_most_three_times_a_days_budget(folder, boot):
    """The n-th start of a day after a power cut leaves 1/2^(n-1) of each daily limit; another day has all of it."""
    granted = []
    for cut in range(8):
        boot.write_text(f"boot-{cut}\n")
        gate = open_gate(folder, boot)
        granted.append(spend(gate, 100 * cut))
        assert left(gate, HOME, now=NOON + DAY)["outside"] == 20
        leave_unclean(folder, gate)
    assert granted == [20, 20, 10, 5, 3, 2, 1, 1]
    assert sum(granted) <= 3 * 20 + 8


def leave_unclean(folder, gate):
    """Leave the meters as a machine does that loses its power: what the file says is as while they are used."""
    used = (folder / "boot.json").read_bytes()
    gate.store.close()
    (folder / "boot.json").chmod(0o600)
    (folder / "boot.json").write_bytes(used)


def test_a_map_that_is_gone_in_the_same_boot_is_refused(folder, boot):
    """A map that is missing or cut off in its own boot answers nothing, and a keeper is told what to do."""
    gate = open_gate(folder, boot)
    ask(gate, HOME, "QUIZ")
    gate.store.close()
    (path,) = [each for each in folder.glob("map-*") if not each.name.endswith("-lock")]
    whole = path.read_bytes()
    for damaged in (whole[:4_096], b"", None):
        path.unlink() if damaged is None else path.write_bytes(damaged)
        with pytest.raises(StoreDown) as raised:
            open_gate(folder, boot)
        assert raised.value.hint == HINT
    path.write_bytes(whole)
    gate = open_gate(folder, boot)
    assert left(gate, HOME)["outside"] == 19
    gate.store.close()


@pytest.mark.parametrize("damaged", [b"", b"{", b'{"boot": 3}', None])
def test_a_damaged_boot_file_is_refused(folder, boot, damaged):
    """Without the file nobody knows whose boot the map belongs to, so nothing is answered."""
    path = folder / "boot.json"
    path.unlink()
    if damaged is not None:
        path.write_bytes(damaged)
    with pytest.raises(StoreDown) as raised:
        open_gate(folder, boot)
    assert raised.value.hint == HINT


def test_a_lasting_file_that_is_gone_is_refused(folder, boot):
    """Without first sights and alarms nothing is answered."""
    gate = open_gate(folder, boot)
    for path in folder.glob("lasting.db*"):
        path.unlink()
    with pytest.raises(StoreDown):
        ask(gate, HOME, "QUIZ")
    gate.store.close()


def test_a_file_that_is_taken_away_stops_the_answers_at_once(folder, boot):
    """Meters that are moved away under a running service answer nothing until they are back."""
    gate = open_gate(folder, boot)
    assert ask(gate, HOME, "QUIZ") is None
    folder.rename(folder.with_name("away"))
    with pytest.raises(StoreDown):
        ask(gate, HOME, "ZAX")
    folder.with_name("away").rename(folder)
    assert ask(gate, HOME, "ZAX") is None
    gate.store.close()


def test_a_host_without_a_boot_id_keeps_no_meters(folder, boot):
    """Where the kernel does not tell its boot, meters on one host are refused, and Redis is named in their place."""
    boot.unlink()
    with pytest.raises(StoreDown, match="nobody knows whether the machine was off") as raised:
        open_gate(folder, boot)
    assert "redis" in raised.value.hint


def test_new_meters_take_the_place_of_lost_ones(folder, boot):
    """New meters refuse everything until the given moment, and keep what lasts."""
    gate = open_gate(folder, boot)
    ask(gate, HOME, "QUIZ")
    subject = gate.pricing.subject(HOME)
    gate.store.update_lasting(subject, first_seen=5)
    with pytest.raises(BadInput, match="in use"):
        LmdbMeterStore.replace(folder, closed_until=NOON + 60)
    gate.store.close()
    LmdbMeterStore.replace(folder, closed_until=NOON + 60)
    with_boot = LmdbMeterStore(folder)
    assert with_boot.closed_until() == NOON + 60
    assert with_boot.find_lasting(subject).first_seen == 5
    with_boot.close()


def fill(gate):
    """Ask so many core words that the map has to grow."""
    core = frozenset(words(0, 2_000))
    for n in range(200):
        ask(gate, HOME._replace(client=f"c{n}"), *words(8 * n, 8), core_list=core)


def test_a_full_disk_is_refused_and_loses_nothing(folder, boot):
    """A map that cannot grow is an error, which refuses; with room again every charge is there."""
    gate = open_gate(folder, boot)
    ask(gate, HOME, "QUIZ")
    (path,) = [each for each in folder.glob("map-*") if not each.name.endswith("-lock")]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, before[1]))
        with pytest.raises(StoreDown):
            fill(gate)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert left(gate, HOME)["outside"] == 19
    assert ask(gate, HOME, "ZAX", core_list=CORE) is None
    gate.store.close()


def test_the_files_are_their_owners_alone(folder, boot):
    """Nobody else may read the meters."""
    gate = open_gate(folder, boot)
    ask(gate, HOME, "QUIZ")
    modes = {path.name: path.stat().st_mode & 0o077 for path in folder.iterdir()}
    assert set(modes.values()) == {0}, modes
    assert folder.stat().st_mode & 0o077 == 0
    gate.store.close()
