"""`ordws clients pair, devices, unpair, log`: the devices at the tables of a club."""

from __future__ import annotations

import json
import re
import time
from io import StringIO

import pytest
import segno
from each_row import each_row

from ordws.api.services import open_devices, open_judge_log
from ordws.cli import ordws, run
from ordws.instance import Instance

NOON = 1_795_262_400
"""2026-11-21, 12:00 UTC."""
CODE = re.compile(r"[2-9A-HJKMNP-TV-Z]{5}-[2-9A-HJKMNP-TV-Z]{5}\n")


@pytest.fixture
def clients(installation, monkeypatch, capsys):
    """Return a function that runs `ordws clients` where a club is registered, and gives status, output and errors."""
    installation.register.add("club", "operator", 1)

    def clients(*arguments):
        monkeypatch.setattr("time.time", lambda: NOON + 0.5)
        monkeypatch.setattr("sys.argv", ["ordws", "--instance", str(installation.instance.root), "clients", *arguments])
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return clients


@pytest.fixture
def devices(installation):
    devices = open_devices(installation.instance)
    yield devices
    devices.close()


@pytest.fixture
def log(installation):
    log = open_judge_log(installation.instance)
    yield log
    log.close()


def pair(clients, devices, table, *more):
    """Pair a device with the code that the command showed."""
    return devices.pair(clients("pair", "club", "--table", table, *more)[1].strip(), NOON)


def test_a_pairing_code_is_shown_once_alone_on_its_line(clients, devices):
    """Standard output holds the code and nothing else, so that a script can take it; the code works once."""
    status, out, err = clients("pair", "club", "--table", "Table 3")
    assert (status, err) == (
        0,
        "ordws: type this into the device at /judge within 15 minutes, before 2026-11-21T12:15:00Z; "
        "it is shown only this once\n",
    )
    assert CODE.fullmatch(out)
    client = devices.pair(out.strip(), NOON).client
    assert (client.name, client.device.table, client.device.is_logged) == ("club", "Table 3", False)
    assert devices.pair(out.strip(), NOON) is None


def test_all_devices_are_listed(clients, devices):
    """The list has a line for each device with its dates, and says which have a log or are the director's."""
    pair(clients, devices, "Table 3")
    pair(clients, devices, "Table 4", "--log")
    pair(clients, devices, "Ann", "--director")
    dates = "paired 2026-11-21T12:00:00Z  seen 2026-11-21T12:00:00Z"
    assert clients("devices", "club") == (
        0,
        f"Table 3  {dates}\nTable 4  {dates}  with a log\nAnn  {dates}  the director's\n",
        "",
    )
    status, out, _ = clients("devices", "club", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (status, [(row["id"], row["table"], row["log"], row["director"]) for row in rows]) == (
        0,
        [(1, "Table 3", False, False), (2, "Table 4", True, False), (3, "Ann", False, True)],
    )
    assert {(row["paired"], row["seen"]) for row in rows} == {("2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z")}
    assert clients("devices", "home") == (0, "", "")


def test_a_code_is_shown_as_a_qr_code(clients, devices):
    """With the address of the service a QR code of the pairing page must come on standard error, before the code."""
    status, out, err = clients("pair", "club", "--table", "Table 3", "--address", "https://club.example")
    picture = StringIO()
    segno.make_qr(f"https://club.example/judge#pair={out.strip().replace('-', '')}").terminal(picture, compact=True)
    assert (status, err.endswith(picture.getvalue())) == (0, True)
    assert devices.pair(out.strip(), NOON).client.device.table == "Table 3"


def test_a_home_client_pairs_three_devices(clients):
    """The fourth code of a home client is an error that says whose key pairs more."""
    for room in ("Kitchen", "Garden", "Attic"):
        assert clients("pair", "home", "--table", room)[0] == 0
    assert clients("pair", "home", "--table", "Cellar")[::2] == (
        2,
        "ordws: error: a home key pairs 3 devices of one household; a club asks for a key of kind operator\n"
        "ordws: hint: a code ends after 15 minutes; ordws clients unpair ends a device\n",
    )


def test_a_table_is_unpaired(clients, devices):
    """All devices of a table stop at once, also for a register that was open before; other devices go on."""
    tokens = [pair(clients, devices, table).token for table in ("Table 3", "Table 3", "Table 4")]
    assert clients("unpair", "club", "Table 3") == (0, "", "")
    assert [devices.identify(token, NOON) is not None for token in tokens] == [False, False, True]
    assert clients("unpair", "club", "Table 3") == (
        2,
        "",
        'ordws: error: "club" has no device for "Table 3"\nordws: hint: ordws clients devices "club"\n',
    )


def test_the_log_is_shown(clients, installation, log):
    """The log has the newest question first, with its words as keyed hashes."""
    log.write(2, 1, "Table 3", ["QUIZ"], NOON - 60)
    log.write(2, 1, "Table 4", ["CAT", "LOVERS"], NOON)
    log.write(1, 1, "Kitchen", ["CAT"], NOON)
    status, out, err = clients("log", "club")
    lines = [re.sub(r"\b[0-9a-f]{16}\b", "#", line) for line in out.splitlines()]
    assert (status, lines, err) == (
        0,
        ["2026-11-21T12:00:00Z  Table 4  2 words  #  #", "2026-11-21T11:59:00Z  Table 3  1 word  #"],
        "",
    )
    status, out, _ = clients("log", "club", "--json")
    (newest, _) = [json.loads(line) for line in out.splitlines()]
    assert {**newest, "hashes": len(newest["hashes"])} == {
        "at": "2026-11-21T12:00:00Z",
        "table": "Table 4",
        "words": 2,
        "hashes": 2,
    }


def test_a_long_log_is_shown_whole(clients, log, monkeypatch):
    """A log of several pages is shown whole."""
    monkeypatch.setattr("ordws.api.device_records.PAGE_SIZE", 2)
    for moment in range(5):
        log.write(2, 1, "t", ["CAT"], NOON + moment)
    assert len(clients("log", "club")[1].splitlines()) == 5
    assert len(clients("log", "club", "--find", "cat")[1].splitlines()) == 5


def test_words_are_found(clients, log):
    """--find shows questions of exactly these words in any order, and ends with status 1 if there is none."""
    log.write(2, 1, "Table 3", ["QUIZ", "CAT"], NOON)
    status, out, err = clients("log", "club", "--find", "cat quiz")
    assert (status, out[:38], err) == (0, "2026-11-21T12:00:00Z  Table 3  2 words", "")
    assert clients("log", "club", "--find", "cat") == (1, "", "")
    assert clients("log", "club", "--find", "") == (1, "", "")


def test_an_invalid_word_is_not_repeated(clients):
    """The error for a text that is no word does not repeat it."""
    status, out, err = clients("log", "club", "--find", "C4TZQ")
    assert (status, out) == (2, "")
    assert err == "ordws: error: not a word of 2 to 21 letters, A to Z with or without accents\n"


def test_revoking_old_keys_names_the_devices_that_go_on(clients, devices):
    """After an old key is revoked, its unused codes are void, and the keeper is told of the devices that go on.

    Whoever had the key may have paired some of them.
    """
    tokens = [pair(clients, devices, table).token for table in ("Table 3", "Table 4")]
    unused = clients("pair", "club", "--table", "Table 5")[1].strip()
    clients("rotate", "club")
    goes_on = (
        'ordws: devices of "club" that go on: 2\n'
        "ordws: hint: ordws clients devices club; ordws clients unpair club TABLE\n"
    )
    assert clients("revoke", "club", "--old-keys") == (0, "", goes_on)
    assert devices.pair(unused, NOON) is None
    nothing = 'ordws: "club" has no older live key, nothing was revoked\n'
    assert clients("revoke", "club", "--old-keys") == (0, "", nothing + goes_on)
    assert [devices.identify(token, NOON) is not None for token in tokens] == [True, True]
    assert clients("revoke", "club") == (0, "", "")
    assert [devices.identify(token, NOON) for token in tokens] == [None, None]


@each_row(
    "line", [("pair", "nobody", "--table", "t"), ("devices", "nobody"), ("unpair", "nobody", "t"), ("log", "nobody")]
)
def test_an_unknown_club_is_an_error(clients, line):
    """An unknown club is an error with status 2, and the hint is the command that lists names."""
    assert clients(*line) == (
        2,
        "",
        'ordws: error: there is no client "nobody"\nordws: hint: ordws clients list\n',
    )


def test_an_invalid_pairing_is_an_error(clients, installation):
    """A table without a name, a revoked client and too many unused codes are errors with status 2."""
    assert clients("pair", "club", "--table", "")[::2] == (
        2,
        'ordws: error: a table\'s name has 1 to 64 printable characters, not ""\n',
    )
    assert clients("pair", "club")[0] == 2
    for _ in range(24):
        assert clients("pair", "club", "--table", "t")[0] == 0
    assert clients("pair", "club", "--table", "t") == (
        2,
        "",
        "ordws: error: a client may have 24 unused codes, 100 devices, and 200 devices paired on a UTC day\n"
        "ordws: hint: a code ends after 15 minutes; ordws clients unpair ends a device\n",
    )
    installation.register.revoke("home", 1)
    assert clients("pair", "home", "--table", "t")[::2] == (
        2,
        'ordws: error: client "home" is revoked\nordws: hint: ordws clients add, under another name\n',
    )


def test_a_restored_installation_accepts_no_code(command, initialized, tmp_path):
    """After a restore no code works, since it may have been used; devices work again, and the keeper is told."""
    unused = command("clients", "pair", "home", "--table", "t")[1].strip()
    devices = open_devices(initialized.instance)
    token = devices.pair(command("clients", "pair", "home", "--table", "Table 3")[1], int(time.time())).token
    devices.close()
    assert command("backup", "file")[0] == 0
    _, out, _ = command("restore", "file", "--instance", "there", typed=initialized.recovery)
    assert "clients, keys and devices revoked since the backup work again" in out
    restored = open_devices(Instance(tmp_path / "there"))
    assert restored.pair(unused, int(time.time())) is None
    assert restored.identify(token, int(time.time())).device.table == "Table 3"
    restored.close()
    assert not (tmp_path / "there" / "judge-log.db").exists()
