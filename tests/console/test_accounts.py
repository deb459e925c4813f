"""The console's database: members, sessions, incidents, and how it is made."""

from __future__ import annotations

import stat
import threading

import pytest
from console_installation import NOON, families, make_installation, open_console_installation
from sign_in_helpers import dump_database

from ordws.console import access
from ordws.console.access import Member
from ordws.console.accounts import Accounts, IncidentCount, MemberAccount, fold_member_name, open_accounts
from ordws.errors import BadInput, Broken, Missing
from ordws.instance import Instance
from ordws.sender_limits import RateLimiter

KEY = b"c" * 32
HOUR, DAY = 3_600, 86_400


@pytest.fixture
def accounts(tmp_path):
    opened = Accounts.open(tmp_path / "console.db", KEY)
    yield opened
    opened.close()


def test_members_are_listed_by_name(accounts):
    """Accounts are listed by name with all that keepers see; ended ones stay in the list and are not members."""
    for name, role in (("Kay", "keeper"), ("Ben", "chair"), ("Ada", "curator")):
        accounts.add_member(name, role, NOON)
    accounts.record_declaration("Ben", NOON + 1)
    accounts.end_account("Ada", NOON + 2)
    assert accounts.all_accounts() == [
        MemberAccount(Member("Ada", "curator", None), NOON, NOON + 2, 0, False, 0),
        MemberAccount(Member("Ben", "chair", NOON + 1), NOON, None, 0, False, 0),
        MemberAccount(Member("Kay", "keeper", None), NOON, None, 0, False, 0),
    ]
    assert [member.name for member in accounts.active_members()] == ["Ben", "Kay"]
    assert [member.name for member in accounts.voters()] == ["Ben"]


def test_the_last_keeper_cannot_be_ended(accounts):
    """The account of the last keeper cannot be ended, since nobody could invite any more; another keeper's can."""
    for name, role in (("Kay", "keeper"), ("Lou", "keeper"), ("Ada", "curator")):
        accounts.add_member(name, role, NOON)
    accounts.end_account("Kay", NOON)
    with pytest.raises(BadInput, match='"Lou" is the last keeper'):
        accounts.end_account("Lou", NOON)
    accounts.end_account("Ada", NOON)
    assert [member.name for member in accounts.active_members()] == ["Lou"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "ADA"), ("Ada", "Ａｄａ"), ("Ada  L", "ada l "), ("Zoé", "Zoe\u0301"), ("Strauß", "STRAUSS")],
)
def test_equivalent_spellings_of_a_name_are_one_name(accounts, one, other):
    """Names that differ in capitals, widths, spaces or the encoding of accents are one name."""
    assert fold_member_name(one) == fold_member_name(other)
    accounts.add_member(one, "curator", NOON)
    with pytest.raises(BadInput, match="there is or was an account"):
        accounts.add_member(other, "curator", NOON)
    assert accounts.find_member(other).name == accounts.active_members()[0].name


def test_an_unknown_name_is_missing(accounts):
    """An unknown name, or that of an ended account, raises Missing with the name and a hint."""
    accounts.add_member("Kay", "keeper", NOON)
    accounts.add_member("Ada", "curator", NOON)
    accounts.end_account("Ada", NOON)
    for name in ("Eve", "Ada"):
        with pytest.raises(Missing, match=f'there is no account "{name}"'):
            accounts.find_member(name)


def test_a_session_ends_two_hours_after_its_last_use(accounts):
    """A session ends two hours after its last use; a page's own requests are no use."""
    accounts.add_member("Ada", "curator", NOON)
    cookie, session = accounts.begin_session("Ada", NOON)
    assert (session.member.name, session.since) == ("Ada", NOON)
    assert accounts.find_session(cookie, NOON + 2 * HOUR - 1, refresh=False) == session
    assert accounts.find_session(cookie, NOON + 2 * HOUR) is None
    assert accounts.find_session(cookie, NOON + 2 * HOUR - 1) == session
    assert accounts.find_session(cookie, NOON + 4 * HOUR - 2) == session


def test_a_session_ends_after_half_a_day(accounts):
    """A session ends after twelve hours, however much it is used."""
    accounts.add_member("Ada", "curator", NOON)
    cookie, _ = accounts.begin_session("Ada", NOON)
    for hour in range(1, 12):
        assert accounts.find_session(cookie, NOON + hour * HOUR) is not None
    assert accounts.find_session(cookie, NOON + 12 * HOUR - 1) is not None
    assert accounts.find_session(cookie, NOON + 12 * HOUR) is None


def test_sessions_end_with_the_account(accounts):
    """All sessions end with the account, and none can begin."""
    accounts.add_member("Kay", "keeper", NOON)
    accounts.add_member("Ada", "curator", NOON)
    cookie, _ = accounts.begin_session("Ada", NOON)
    accounts.end_account("Ada", NOON)
    assert accounts.find_session(cookie, NOON) is None
    with pytest.raises(Missing):
        accounts.begin_session("Ada", NOON)


def test_all_sessions_of_a_member_end_but_one(accounts):
    """Signing out other browsers leaves one session, and those of other members."""
    for name in ("Ada", "Ben"):
        accounts.add_member(name, "curator", NOON)
    first, second, third, other = (accounts.begin_session(name, NOON)[0] for name in ("Ada", "Ada", "Ada", "Ben"))
    accounts.end_sessions("Ada", except_cookie=second)
    alive = [accounts.find_session(each, NOON) is not None for each in (first, second, third, other)]
    assert alive == [False, True, False, True]
    accounts.end_sessions("Ada")
    assert accounts.find_session(second, NOON) is None


def test_only_digests_of_cookies_are_kept(accounts, tmp_path):
    """The database holds digests of cookies, by which nobody can take a session over."""
    accounts.add_member("Ada", "curator", NOON)
    cookie, _ = accounts.begin_session("Ada", NOON)
    with accounts.connection() as db:
        rows = repr(db.execute("SELECT * FROM sessions").fetchall())
    assert "Ada" in rows
    assert cookie not in rows


def test_incidents_are_counted_by_day_and_kind(accounts):
    """Incidents are counted by UTC day and kind, the newest day first."""
    for kind, at in (("bad-link", NOON), ("locked", NOON), ("bad-link", NOON + 11 * HOUR), ("bad-link", NOON + DAY)):
        accounts.record_incident(kind, "Ada", at)
    assert accounts.incident_counts() == [
        IncidentCount("2026-11-22", "bad-link", 1),
        IncidentCount("2026-11-21", "bad-link", 2),
        IncidentCount("2026-11-21", "locked", 1),
    ]


def test_a_flood_does_not_fill_the_disk(accounts):
    """A thousand incidents of a kind are recorded a day, for all strangers together and for each member."""
    with accounts.transaction() as db:
        for _ in range(999):
            db.execute("INSERT INTO incidents (at, kind, member) VALUES (?, 'forged', NULL)", (NOON,))
    for _ in range(3):
        accounts.record_incident("forged", None, NOON)
    for _ in range(2):
        accounts.record_incident("forged", "Ada", NOON)
    accounts.record_incident("forged", None, NOON + DAY)
    assert [each.count for each in accounts.incident_counts()] == [1, 1_002]


def test_addresses_of_one_ipv6_64_count_together():
    """The addresses of one IPv6 /64 count together; an address that is none counts as it is."""
    floods = RateLimiter(limit=2)
    for address in ("2001:db8:1:1::5", "2001:db8:1:1:9::8", "192.0.2.1", "unix:"):
        assert floods.acquire(address, NOON) == 0
    assert [floods.acquire(each, NOON) for each in ("2001:db8:1:1::77", "2001:db8:1:2::5", "192.0.2.1")] == [600, 0, 0]
    assert [floods.acquire("unix:", NOON + seconds) for seconds in (599, 599, 600)] == [0, 1, 0]


def test_a_declaration_holds_a_year(accounts):
    """A voter's declaration is valid for a year and stored with its text; keepers need none."""
    accounts.add_member("Ada", "curator", NOON)
    assert not access.has_valid_declaration(accounts.find_member("Ada"), NOON)
    accounts.record_declaration("Ada", NOON)
    ada = accounts.find_member("Ada")
    assert access.valid_until(ada) == NOON + 365 * DAY
    assert access.has_valid_declaration(ada, NOON + 365 * DAY - 1)
    assert not access.has_valid_declaration(ada, NOON + 365 * DAY)
    assert access.has_valid_declaration(Member("Kay", "keeper", None), NOON)
    with accounts.connection() as db:
        ((member, at, text),) = db.execute("SELECT member, at, text FROM declarations").fetchall()
    assert (member, at, text.split("\n")) == ("Ada", NOON, list(access.STATEMENTS))


def test_an_acknowledged_change_is_visible_to_other_processes(accounts, tmp_path):
    """Another process sees a change as soon as the call returns."""
    other = Accounts.open(tmp_path / "console.db", KEY)
    accounts.add_member("Ada", "curator", NOON)
    assert [member.name for member in other.active_members()] == ["Ada"]
    other.close()


def test_threads_take_turns(accounts):
    """Eight threads that add members at the same time lose none."""

    def work(number):
        for each in range(5):
            accounts.add_member(f"Member {number} {each}", "curator", NOON)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accounts.active_members()) == 40


def test_the_database_is_encrypted_and_private(accounts, tmp_path):
    """The file holds no name in plain text, is readable by its owner alone, and does not open with another key."""
    accounts.add_member("Wilhelmina", "curator", NOON)
    accounts.close()
    path = tmp_path / "console.db"
    assert b"Wilhelmina" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(Broken, match="wrong key, or damaged"):
        Accounts.open(path, b"d" * 32)
    Accounts.open(path, KEY).close()


def test_key_and_database_are_made_once(tmp_path):
    """The first use of an installation makes the console's key and database; the second finds them."""
    instance, ledger = make_installation(tmp_path, families(1))
    ledger.close()
    first = open_accounts(instance)
    first.add_member("Ada", "keeper", NOON)
    first.close()
    assert stat.S_IMODE(instance.console_key.stat().st_mode) == 0o400
    key = instance.console_key.read_bytes()
    second = open_accounts(instance)
    assert [member.name for member in second.active_members()] == ["Ada"]
    second.close()
    assert (len(key), instance.console_key.read_bytes()) == (32, key)


def test_no_accounts_without_an_installation(tmp_path):
    """A mistyped folder does not become an installation."""
    with pytest.raises(Missing, match="no curation database") as caught:
        open_accounts(Instance(tmp_path / "instanec"))
    assert caught.value.hint == "ordws init makes one, and --instance DIR names one that is elsewhere"
    assert list(tmp_path.iterdir()) == []


def test_no_secret_is_stored_in_plain_text(tmp_path):
    """After use, no file of an installation holds a cookie or a token in plain text."""
    with open_console_installation(tmp_path, families(1)) as installation:
        ada = installation.member("Ada")
        assert ada.session.csrf in dump_database(installation)
        files = b"".join(path.read_bytes() for path in tmp_path.glob("console.db*"))
        assert ada.session.csrf.encode() not in files
