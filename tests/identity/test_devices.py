"""Tests of paired devices, which send requests without a key."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from subprocess import PIPE

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.client_kinds import CLIENT_KINDS
from ordws.errors import BadInput, StoreDown
from ordws.identity.devices import DeviceCode, Devices, PairedDevice, TooManyGuesses, read_code, write_code
from ordws.identity.register import Device, Register

PEPPER = b"p" * 32
NOW = 60_000
DAY = 86_400
SECRET = bytes(range(32))
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "clients.db"


@pytest.fixture
def register(path):
    with closing(Register.create(path, PEPPER)) as register:
        register.add("club", "operator", 10)
        register.add("other", "operator", 20)
        yield register


@pytest.fixture
def club(register):
    return register.list()[0]


@pytest.fixture
def devices(register, path):
    with closing(Devices.open(path, PEPPER)) as devices:
        yield devices


def paired(devices, client, table="Table 3", now=NOW, **more):
    """Pair a device and return it."""
    found = devices.pair(devices.issue_code(client, table, now, **more).text, now)
    assert isinstance(found, PairedDevice)
    return found


def test_a_code_is_written_in_two_groups_of_unambiguous_signs():
    """A code has ten letters and digits that are not easily misread, decided by the random bytes alone."""
    codes = [write_code(chance) for chance in (bytes(32), SECRET, b"\xff" * 32)]
    assert codes == ["2222222222", "3NNBMEXX7F", "HTY4JRMMAZ"]


@given(st.binary(min_size=32, max_size=32))
def test_a_code_is_read_as_it_is_written(chance):
    """Any random bytes give a code that reads back, without ambiguous letters and digits."""
    code = write_code(chance)
    assert (len(code), set(code) - set(LETTERS), read_code(code)) == (10, set(), code)


@each_row(
    "text",
    [
        "K7QXF93MD2",
        "K7QXF-93MD2",
        "k7qxf-93md2",
        " k7qxf 93md2 ",
        "K7QXF\u201393MD2",
        "K-7-Q-X-F-9-3-M-D-2",
        "K7QXF\u00a093MD2\n",
    ],
)
def test_case_spaces_and_hyphen_are_forgiven(text):
    """A code may be typed in either case, and with or without spaces and hyphens."""
    assert read_code(text) == "K7QXF93MD2"


@each_row(
    "text",
    ["", "-", "K7QXF93MD", "K7QXF93MD22", "K7QXF93MD0", "K7QXF93MDI", "K7QXF_93MD2", "\u017f7QXF93MD2", "é" * 10],
)
def test_other_texts_are_no_codes(text):
    """A text that is too short, too long, or has a letter or digit that no code has is not a code."""
    assert read_code(text) is None


def test_a_token_identifies_the_client_and_the_device(devices, club):
    """A code pairs a device, whose token then identifies the client and the device."""
    code = devices.issue_code(club, "Table 3", NOW, lambda _: SECRET, logged=True)
    assert code == DeviceCode("3NNBM-EXX7F", "Table 3", NOW + 900)
    found = devices.pair("3nnbm exx7f", NOW + 5, lambda _: SECRET)
    device = Device(1, "Table 3", NOW + 5, is_logged=True, seen=NOW + 5)
    assert found == PairedDevice(club._replace(device=device), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    assert devices.identify(found.token, NOW) == club._replace(device=device)
    assert devices.list(club) == (device,)


def test_a_device_has_no_log_by_default(devices, club):
    """A device is logged only where its director asked for a log."""
    assert not paired(devices, club).client.device.is_logged


def test_a_code_lives_fifteen_minutes(devices, club):
    """A code must work in its last second and not after it."""
    codes = [devices.issue_code(club, "Table 3", NOW).text for _ in range(2)]
    assert devices.pair(codes[0], NOW + 899) is not None
    assert devices.pair(codes[1], NOW + 900) is None


def test_wrong_used_and_expired_codes_get_the_same_answer(devices, register, club):
    """Wrong, used and expired codes, and codes of a revoked client, must get the same answer."""
    used, expired, gone = (devices.issue_code(client, "t", NOW).text for client in (club, club, register.list()[1]))
    devices.pair(used, NOW)
    register.revoke("other", NOW)
    answers = [devices.pair(code, NOW + 1) for code in (used, gone, "K7QXF-93MD2", "", "no code")]
    assert [*answers, devices.pair(expired, NOW + 900)] == [None] * 6


def test_a_code_pairs_one_device_among_concurrent_requests(devices, club, path):
    """When several processes get the same code at once, only one device may be paired."""
    code = devices.issue_code(club, "Table 3", NOW).text
    pairing = (
        "import sys\n"
        "from pathlib import Path\n"
        "from ordws.identity.devices import Devices\n"
        f"devices = Devices.open(Path(sys.argv[1]), {PEPPER!r})\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        f"print(devices.pair(sys.argv[2], {NOW}) is not None)\n"
    )
    command = [sys.executable, "-c", pairing, str(path), code]
    processes = [subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) for _ in range(3)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 3
    told = [process.communicate("go\n")[0] for process in processes]
    assert sorted(told) == ["False\n", "False\n", "True\n"]
    assert len(devices.list(club)) == 1


def test_wrong_codes_are_bounded_over_all_callers(devices, club, path):
    """After 600 wrong codes in a second a process must check no codes until the next second, not even right ones."""
    codes = [devices.issue_code(club, "Table 3", NOW).text for _ in range(2)]
    for number in range(600):
        assert devices.pair("K7QXF-93MD2", NOW + 20, address=f"10.0.0.{number % 10}") is None
    assert [devices.pair(code, NOW + 20) for code in (codes[0], "K7QXF-93MD2")] == [
        TooManyGuesses(1),
        TooManyGuesses(1),
    ]
    with closing(Devices.open(path, PEPPER)) as other:
        assert isinstance(other.pair(codes[0], NOW + 20), PairedDevice)
    assert isinstance(devices.pair(codes[1], NOW + 21), PairedDevice)


def test_wrong_codes_of_an_address_are_bounded(devices, club):
    """After 60 wrong codes of one address in a second its codes must wait, while others pair."""
    codes = [devices.issue_code(club, "Table 3", NOW).text for _ in range(2)]
    for _ in range(60):
        assert devices.pair("K7QXF-93MD2", NOW, address="10.0.0.1") is None
    for _ in range(600):
        assert devices.pair("K7QXF-93MD2", NOW, address="10.0.0.1") == TooManyGuesses(1)
    assert devices.pair(codes[0], NOW, address="10.0.0.1") == TooManyGuesses(1)
    assert isinstance(devices.pair(codes[0], NOW, address="10.0.0.2"), PairedDevice)
    assert isinstance(devices.pair(codes[1], NOW + 1, address="10.0.0.1"), PairedDevice)


def test_a_wrong_code_writes_nothing(devices, club, path):
    """A wrong code must not change the file or wait for a writer."""
    devices.issue_code(club, "Table 3", NOW)
    before = {file.name: file.read_bytes() for file in path.parent.glob("clients.db*")}
    with closing(sqlite3.connect(path, isolation_level=None)) as writing:
        writing.execute("begin immediate")
        assert devices.pair("K7QXF-93MD2", NOW) is None
        writing.execute("rollback")
    assert {name: (path.parent / name).read_bytes() for name in before if not name.endswith("-shm")} == {
        name: data for name, data in before.items() if not name.endswith("-shm")
    }


def test_a_malformed_code_does_not_count_as_wrong(devices, club):
    """A text that cannot be a code must not count as a wrong code."""
    for _ in range(601):
        assert devices.pair("no code", NOW) is None
    assert isinstance(devices.pair(devices.issue_code(club, "t", NOW).text, NOW), PairedDevice)


def test_a_client_has_24_live_codes(devices, register, club):
    """A 25th live code of a client must be refused; other clients have their own limit."""
    codes = [devices.issue_code(club, f"Table {number}", NOW) for number in range(25)]
    assert [code is None for code in codes] == [False] * 24 + [True]
    assert devices.issue_code(register.list()[1], "t", NOW) is not None
    devices.pair(codes[0].text, NOW)
    assert devices.issue_code(club, "t", NOW) is not None
    assert devices.issue_code(club, "t", NOW) is None
    assert devices.issue_code(club, "t", NOW + 900) is not None


def test_a_client_has_a_limit_of_devices(devices, club, monkeypatch):
    """Devices and live codes of a client share a limit, and a revoked device makes room."""
    monkeypatch.setitem(CLIENT_KINDS, "operator", CLIENT_KINDS["operator"]._replace(most_devices=3))
    first = paired(devices, club).client.device
    assert [devices.issue_code(club, "t", NOW) is None for _ in range(3)] == [False, False, True]
    devices.revoke(club, first.id, NOW)
    assert devices.issue_code(club, "t", NOW) is not None


def test_a_client_has_a_daily_limit_of_pairings(devices, register, club, monkeypatch):
    """Devices paired on a UTC day, revoked ones too, share a limit with the live codes."""
    monkeypatch.setattr("ordws.identity.devices.MAX_PAIRED_PER_DAY", 3)
    noon = DAY // 2
    for _ in range(2):
        devices.revoke(club, paired(devices, club, now=noon).client.device.id, noon)
    devices.sweep(DAY - 1)
    assert [devices.issue_code(club, "t", DAY - 1) is None for _ in range(2)] == [False, True]
    assert devices.issue_code(register.list()[1], "t", DAY - 1) is not None
    assert [devices.issue_code(club, "t", DAY) is None for _ in range(3)] == [False, False, True]


def test_a_home_client_has_three_devices_without_logs(devices, register):
    """A home client must have three devices and codes together, none with a log and none a director's."""
    register.add("family", "home", NOW)
    family = register.list()[-1]
    first = paired(devices, family).client.device
    assert [devices.issue_code(family, "t", NOW) is None for _ in range(3)] == [False, False, True]
    devices.revoke(family, first.id, NOW)
    assert devices.issue_code(family, "t", NOW) is not None
    for kind in ({"logged": True}, {"director": True}):
        with pytest.raises(BadInput, match="are for operators"):
            devices.issue_code(family, "t", NOW, **kind)


def test_a_director_has_a_device_of_their_own(devices, club):
    """A code that was issued for the director must pair the director's device."""
    code = devices.issue_code(club, "Ann", NOW, director=True).text
    assert devices.pair(code, NOW).client.device == Device(1, "Ann", NOW, is_logged=False, is_director=True, seen=NOW)


def test_a_device_is_seen_to_within_five_minutes(devices, club):
    """The time of a device's last request must be written, and written again when it is five minutes old."""
    token = paired(devices, club).token
    seen = []
    for later in (10, 299, 300, 301, 700):
        devices.identify(token, NOW + later)
        seen.append(devices.list(club)[0].seen - NOW)
    assert seen == [0, 0, 300, 300, 700]


def test_a_register_that_is_being_written_answers_devices(devices, club, path):
    """A device must be identified while another process writes, though not the time it was seen."""
    token = paired(devices, club).token
    with closing(sqlite3.connect(path, isolation_level=None)) as writing:
        writing.execute("begin immediate")
        assert devices.identify(token, NOW + 1_000) is not None
        writing.execute("rollback")
    assert devices.list(club)[0].seen == NOW


@pytest.mark.parametrize("end", ["expires", "revoked"])
def test_devices_and_codes_end_with_the_last_key(devices, register, end):
    """Devices and codes must end with the client's last live key."""
    register.add("trial", "operator", 30, expires=NOW + 20)
    trial = register.list()[-1]
    token, codes = paired(devices, trial).token, [devices.issue_code(trial, "t", NOW).text for _ in range(3)]
    if end == "revoked":
        with register._transaction() as db:
            db.execute("update keys set revoked = ? where client = ?", (NOW + 20, trial.id))
    else:
        assert devices.identify(token, NOW + 19) is not None
        assert devices.pair(codes[0], NOW + 19) is not None
    assert (devices.identify(token, NOW + 20), devices.pair(codes[1], NOW + 20)) == (None, None)
    register.add_key("trial", NOW + 20)
    assert devices.identify(token, NOW + 20) is not None
    assert devices.pair(codes[2], NOW + 20) is not None


def test_codes_end_with_the_old_keys(devices, register, club):
    """Revoking old keys must delete the client's codes, but neither its devices nor other clients' codes."""
    token, code = paired(devices, club).token, devices.issue_code(club, "t", NOW).text
    others = devices.issue_code(register.list()[1], "t", NOW).text
    register.add_key("club", NOW)
    register.revoke_old_keys("club", NOW)
    assert devices.pair(code, NOW) is None
    assert devices.pair(others, NOW) is not None
    assert devices.identify(token, NOW) is not None


@each_row("name", ["", " ", "a" * 65, "Table\n3", "Table\u202e3"])
def test_a_table_has_a_name_that_can_be_shown(devices, club, name):
    """The name of a table has up to 64 printable characters."""
    with pytest.raises(BadInput, match="a table's name has 1 to 64 printable characters"):
        devices.issue_code(club, name, NOW)


def test_a_device_is_revoked_at_once_in_other_processes(devices, club, register, path):
    """A device or client that one process revokes must be unknown to another process at its next request."""
    tokens = [paired(devices, club).token for _ in range(2)]
    asking = (
        "import sys\n"
        "from pathlib import Path\n"
        "from ordws.identity.devices import Devices\n"
        f"devices = Devices.open(Path({str(path)!r}), {PEPPER!r})\n"
        f"for line in sys.stdin: print(devices.identify(line.strip(), {NOW}) is not None, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", asking], stdin=PIPE, stdout=PIPE, text=True) as other:

        def known():
            other.stdin.writelines(f"{token}\n" for token in tokens)
            other.stdin.flush()
            return [other.stdout.readline() for _ in tokens]

        assert known() == ["True\n", "True\n"]
        assert devices.revoke(club, 1, NOW) == Device(1, "Table 3", NOW, is_logged=False, seen=NOW)
        assert known() == ["False\n", "True\n"]
        register.revoke("club", NOW)
        assert known() == ["False\n", "False\n"]


def test_a_director_can_revoke_their_own_devices_alone(devices, register, club):
    """Revoking another client's device, a revoked device, or one that never was must do nothing and look the same."""
    token = paired(devices, club).token
    assert devices.revoke(register.list()[1], 1, NOW) is None
    assert devices.list(register.list()[1]) == ()
    assert devices.identify(token, NOW) is not None
    assert devices.revoke(club, 2, NOW) is None
    assert devices.revoke(club, 1, NOW) is not None
    assert (devices.revoke(club, 1, NOW), devices.list(club)) == (None, ())


@each_row("token", ["", "x", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "é", "\udcff", "0" * 10_000])
def test_any_other_cookie_identifies_nobody(devices, club, token):
    """Any other cookie must be looked up and not found."""
    paired(devices, club)
    assert devices.identify(token, NOW) is None


def test_codes_tokens_and_keys_are_not_interchangeable(devices, register, club):
    """Codes, tokens and keys must not be accepted in place of each other."""
    key = register.add("third", "home", 30)
    code = devices.issue_code(club, "t", NOW).text
    assert [devices.identify(secret, NOW) for secret in (key, code, code.replace("-", ""))] == [None] * 3
    token = devices.pair(code, NOW).token
    assert register.identify(f"Bearer {token}", NOW) is None


def test_a_test_clients_device_has_a_token_prefix(devices, register):
    """The token of a test client's device has a prefix, so that metrics can leave its refusals out."""
    register.add("toy", "home", 10, test=True)
    found = paired(devices, register.list()[-1])
    assert found.token.startswith("test.")
    assert devices.identify(found.token, NOW).is_test


def test_no_secret_is_kept(devices, club, path):
    """Neither codes nor tokens may be in the file, before or after their use."""
    used, left = (devices.issue_code(club, "Table 3", NOW).text for _ in range(2))
    token = devices.pair(used, NOW).token
    stored = b"".join(file.read_bytes() for file in path.parent.glob("clients.db*"))
    assert b"Table 3" in stored
    for secret in (used, left, token):
        assert secret.encode() not in stored
        assert secret.replace("-", "").encode() not in stored


def test_another_pepper_knows_no_device(devices, club, path):
    """A file that is copied without its pepper must identify no device and pair none."""
    code, token = devices.issue_code(club, "t", NOW).text, paired(devices, club).token
    with closing(Devices.open(path, b"q" * 32)) as other:
        assert (other.identify(token, NOW), other.pair(code, NOW)) == (None, None)


def test_secrets_are_random(devices, club):
    """Two codes and two tokens differ."""
    codes = {devices.issue_code(club, "t", NOW).text for _ in range(2)}
    assert len(codes) == 2
    assert len({devices.pair(code, NOW).token for code in codes}) == 2


def test_codes_can_be_dropped(devices, club):
    """All unused codes can be dropped, as after a restore."""
    code = devices.issue_code(club, "t", NOW).text
    devices.drop_codes()
    assert devices.pair(code, NOW) is None


def test_a_sweep_deletes_expired_codes_and_revoked_devices(devices, club):
    """A sweep must delete codes after their time and devices a day after they were revoked; ids are not used again."""
    paired(devices, club)
    devices.issue_code(club, "t", NOW)
    devices.revoke(club, 1, NOW)
    assert devices.sweep(NOW) == 0
    assert devices.sweep(NOW + 900) == 1
    assert devices.sweep(NOW + DAY - 1) == 0
    assert devices.sweep(NOW + DAY) == 1
    assert paired(devices, club).client.device.id == 2


def test_without_its_file_every_use_fails(devices, club, path):
    """A missing file must fail each use, until it is back."""
    token = paired(devices, club).token
    path.rename(path.with_suffix(".away"))
    for use in (
        lambda: devices.identify(token, NOW),
        lambda: devices.pair("K7QXF-93MD2", NOW),
        lambda: devices.list(club),
    ):
        with pytest.raises(StoreDown):
            use()
    path.with_suffix(".away").rename(path)
    assert devices.identify(token, NOW) is not None
