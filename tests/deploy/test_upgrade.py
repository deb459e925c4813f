"""The upgrade from version 0.2: what people made by hand is there afterwards, and what was noted still verifies.

`instance-0.2.tar.xz` was written by version 0.2 with made-up names and keys. It holds a home client and a club with a
device and a play link, a ledger of three links, an event with an erased entrant, three cases (the first closed and
erased, the second in the register, the third open), a kept game beside a game that a station is to play, and accounts
of the console: a keeper with a password, and a curator with a passkey, whom strangers have locked. The accounts of
cases are a file of the same form.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from ordws.api.device_records import BoundStations, KeptGames
from ordws.cases import commands
from ordws.cases.store import open_case_files
from ordws.console.access import Member
from ordws.console.accounts import Accounts
from ordws.console.credentials import find_passkey, find_password, find_user_handle
from ordws.curation.ledger import Ledger
from ordws.errors import Broken, Missing
from ordws.identity.devices import Devices
from ordws.identity.play_links import PlayLinks
from ordws.identity.register import Register
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.tournament.certificate import verify_draws
from ordws.tournament.store import EventFile

ROOT = Path(__file__).parents[2]
NOW = 1_790_000_000
OLD_HEAD = "5f5e4bfb03d87239fe8b67fe3a394dc68af6df676f781db98794207cdaefc3b2"


@pytest.fixture
def old(tmp_path):
    """Return an installation as version 0.2 left it."""
    with tarfile.open(Path(__file__).with_name("instance-0.2.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    return Instance(tmp_path)


def upgrade(instance):
    command = [sys.executable, "deploy/upgrade_0_2.py", str(instance.root)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_case_files_are_carried_over(old):
    """Every case stands where it stood, with its exhibits, and goes on; neither an old head nor a false one verifies.

    Whoever writes a file anew can say in it that it continues the old chain.
    """
    with pytest.raises(Broken, match="no case files"), closing(open_case_files(old)) as files:
        files.recorded()
    done = upgrade(old)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("carried over 18 steps of cases")
    assert done.stdout.endswith("\ncarried over the accounts in console.db\nthere is no reviewers.db to carry over\n")
    with closing(open_case_files(old)) as files:
        assert {case: state.phase(NOW + 60 * 86_400) for case, state in files.cases().items()} == {
            "2025-1": "closed",
            "2026-1": "published",
            "2026-2": "reviewers-needed",
        }
        assert files.subject(files.find("2026-1")) == ("club/7", "Finch")
        assert files.text(files.find("2026-1").decision.reasons) == "For these reasons."
        assert files.find_by_code("ABCD-EFGH-JKMN").case == "2026-1"
        with pytest.raises(Missing, match="erased"):
            files.subject(files.find("2025-1"))
        # That it continues the old chain, the 18 facts of that, and that the first case was erased.
        assert files.verify() == 20
        with pytest.raises(Broken, match="says it continues"):
            files.verify(OLD_HEAD)
        with pytest.raises(Broken, match="not among those"):
            files.verify("0" * 64)
        panel = ["Rita", "Rob", "Rose"]
        files.take("2026-2", lambda state: commands.assign_reviewers(state, panel, (), NOW), "Kay", NOW)
    assert old.cases.with_name("cases.db.0.2").exists()
    assert upgrade(old).stdout.splitlines() == [
        "the case files are a journal already",
        "the accounts in console.db have their present form already",
        "there is no reviewers.db to carry over",
    ]


def test_a_damaged_file_is_left_as_it_is(old):
    """Case files whose chain does not verify are refused, and stay."""
    before = old.cases.read_bytes()
    old.cases_key.write_bytes(b"x" * 32)
    done = upgrade(old)
    assert done.returncode == 1
    assert done.stderr == ("Error: a sealed row does not open under its key; nothing was changed in cases.db\n")
    assert old.cases.read_bytes() == before


def test_accounts_are_carried_over(old):
    """Members keep roles, passwords, passkeys, sessions and the locks of unknown browsers; known ones sign in anew."""
    upgrade(old)
    kay, ada = Member("Kay", "keeper", None), Member("Ada", "curator", None)
    with closing(Accounts.open(old.console, old.console_key.read_bytes())) as accounts:
        found = [(each.member, each.passkeys, each.has_password, each.locked_until) for each in accounts.all_accounts()]
        assert found == [(ada, 1, False, NOW + 30), (kay, 0, True, 0)]
        assert find_passkey(accounts, "id") == ("id", "key", 3, "Ada", find_user_handle(accounts, "Ada"))
        with accounts.connection() as db:
            assert find_password(db, "kay") == ("Kay", "hash", "SECRET", 7)
            assert db.execute("select holder, csrf <> '' from sessions").fetchall() == [("Kay", 1)]
            assert db.execute("select holder, digest, failures from devices").fetchall() == [("Ada", "", 9)]
        cookie, _ = accounts.begin_session("Ada", NOW)
        assert accounts.find_session(cookie, NOW).member == ada


def test_what_has_the_format_of_before_needs_nothing(old):
    """Clients, devices, links, the ledger, events and kept games of version 0.2 are read as they are."""
    pepper, games_key = old.pepper.read_bytes(), old.games_key.read_bytes()
    with closing(Register.open(old.clients, pepper)) as register:
        assert [(client.name, client.kind, client.verified) for client in register.list()] == [
            ("home", "home", None),
            ("club", "operator", NOW + 9),
        ]
    with closing(Devices.open(old.clients, pepper)) as devices:
        found = devices.identify("BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ", NOW)
        assert (found.name, found.device.table, found.device.is_logged) == ("club", "table 3", True)
    with closing(PlayLinks.open(old.clients, pepper)) as links:
        assert links.find("ordws_play_BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU").number == 0
        assert links.find(links.add(NOW, name="club", games=40)).games == 40
    with Ledger.open(old.ledger, old.ledger_head, old.ledger_key.read_bytes(), Keyring.open(old.keys)) as ledger:
        assert ledger.head.hash == "55f86608db884a2bf1a52295e5fff6753b2c1ec3f5e5c1d9b9fd26e86ebd026e"
        status = ledger.status()
        assert (status.open, status.decided_in, status.ballots, status.overrides) == (1, 1, 3, 1)
    with closing(EventFile.open(old.tournament("club"))) as event:
        assert event.verify("45a594101b0d98e5d41b7a342e89e8ffd1c26a04cb893cccdf7c218f1ae794f8") == 14
        assert event.state.name_of(3) == "#3"
        assert verify_draws(event.facts).faults == ()
    with closing(KeptGames.create(old.kept_games, games_key)) as kept:
        assert [(game.table, game.kept.record) for game in kept.list(2)] == [("table 3", "#player1 Ann Ann\n")]
    with closing(BoundStations.create(old.kept_games, games_key)) as bound:
        assert bound.find(2, "g1").table.players == ["Ann", "Ben"]
