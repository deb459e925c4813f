"""Signing in by password and code: success, locks, and replies that do not tell whether an account exists."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import pytest
from console_installation import HOST, NOON, families, open_console_installation
from each_row import each_row
from sign_in_helpers import (
    PASSWORD,
    SECRET,
    AnonymousBrowser,
    add_member_with_password,
    code_at,
    dump_database,
    incidents,
    quick,
    sign_out_of,
)

from ordws.console import account_requests, authentication, credentials
from ordws.console.app import CONSOLE
from ordws.console.authentication import find_password_fault, find_step
from ordws.console.credentials import Passkey
from ordws.frame.sessions import MAX_DEVICES, lock_seconds_after
from ordws.retention import BROWSERS

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")

WRONG = "quite another password"


@pytest.fixture
def installation(tmp_path):
    with open_console_installation(tmp_path, families(1)) as installation:
        yield installation


@pytest.fixture
def ada(installation):
    add_member_with_password(installation, "Ada")
    return AnonymousBrowser(installation)


def test_a_password_and_a_code_sign_in(installation, ada):
    """Signing in redirects to the member's work, with a cookie that no script reads and no other site's page sends."""
    answer = ada.sign_in("Ada")
    assert (answer.status_code, answer.location) == (303, "/queue")
    cookie = answer.headers["Set-Cookie"].partition("=")[2].partition(";")
    assert cookie[2] == " Expires=" + cookie[2].partition("=")[2].partition(";")[0] + (
        "; Max-Age=43200; HttpOnly; Path=/; SameSite=Strict"
    )
    assert ada.get("/account").status_code == 200
    assert incidents(installation) == []


def test_over_https_the_cookie_is_secure(installation, ada):
    """Where the console is reached by HTTPS its cookie is never sent without."""
    installation.app.config["ORIGIN"] = "https://curators.example"
    fields, headers = (
        {"name": "Ada", "password": PASSWORD, "code": code_at(NOON)},
        {"Origin": "https://curators.example"},
    )
    answer = ada.http.post("/sign-in", data=fields, base_url="http://inside:8010", headers=headers)
    assert "; Secure; " in answer.headers["Set-Cookie"]


def test_capitals_and_spaces_of_a_name_do_not_matter(installation, ada):
    """Capitals and spare spaces do not matter in a name; in a password they do."""
    assert ada.sign_in(" ADA ").status_code == 303
    assert (
        AnonymousBrowser(installation)
        .sign_in("Ada", PASSWORD.upper(), code_at(installation.clock.now + 30))
        .status_code
        == 403
    )


def test_a_new_session_takes_the_place_of_the_old(installation, ada):
    """Signing in changes the cookie and ends the browser's earlier session."""
    ada.sign_in("Ada")
    before = ada.http.get_cookie(CONSOLE.cookie).value
    installation.clock.now += 30
    csrf = installation.state.accounts.find_session(before, installation.clock.now).csrf
    assert ada.form("/sign-in", name="Ada", password=PASSWORD, code=code_at(NOON + 30), csrf=csrf).status_code == 303
    assert ada.http.get_cookie(CONSOLE.cookie).value != before
    assert installation.state.accounts.find_session(before, installation.clock.now) is None


@pytest.mark.parametrize(
    "fault", [{"password": WRONG}, {"code": "000000"}, {"name": "Eve"}, {"password": "", "code": ""}]
)
def test_refusals_do_not_differ(installation, ada, fault):
    """A wrong password, a wrong code and an unknown name get the same page and status, and no cookie."""
    tried = {"name": "Ada", "password": PASSWORD, "code": code_at(NOON), **fault}
    answer = ada.form("/sign-in", **tried)
    name = tried["name"]
    assert answer.status_code == 403
    assert answer.text.replace(f'value="{name}"', "") == (
        AnonymousBrowser(installation).form("/sign-in", name="x", password="x", code="x").text.replace('value="x"', "")
    )
    assert "Set-Cookie" not in answer.headers
    assert incidents(installation)[0] == ("wrong-password", "Ada" if name == "Ada" else None)


def test_a_member_without_a_password_is_as_unknown(installation, ada):
    """A member with a passkey alone, or an ended account, is refused as an unknown name is."""
    installation.state.accounts.add_member("Cy", "curator", NOON)
    add_member_with_password(installation, "Dee")
    installation.state.accounts.end_account("Dee", NOON)
    assert [ada.sign_in(name).status_code for name in ("Cy", "Dee")] == [403, 403]
    assert incidents(installation) == [("wrong-password", None)] * 2


def test_a_code_is_used_once(installation, ada):
    """A used code, or an older one, does not sign in again."""
    assert ada.sign_in("Ada").status_code == 303
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 403
    assert AnonymousBrowser(installation).sign_in("Ada", code=code_at(NOON - 30)).status_code == 403
    assert AnonymousBrowser(installation).sign_in("Ada", code=code_at(NOON + 30)).status_code == 303
    assert incidents(installation) == [("wrong-password", "Ada")] * 2


@each_row(("shift", "step"), [(-60, None), (-30, NOON // 30 - 1), (0, NOON // 30), (60, None)])
def test_clocks_may_differ_by_a_step(shift, step):
    """A code of the neighbouring time steps is good, and of no other."""
    assert find_step(SECRET, code_at(NOON + shift), NOON) == step


def test_codes_may_be_typed_in_groups():
    """A code may be typed with spaces, as apps show it."""
    code = code_at(NOON)
    assert find_step(SECRET, f" {code[:3]} {code[3:]} ", NOON) == NOON // 30
    assert find_step(SECRET, "１２３４５６", NOON) is None


def test_the_first_wait_comes_after_five_failures(installation, ada):
    """After five failures even the right password is refused, in the same words, until the lock ends."""
    for _ in range(5):
        wrong = ada.sign_in("Ada", WRONG)
    locked = ada.sign_in("Ada")
    assert (locked.status_code, locked.text) == (403, wrong.text)
    assert incidents(installation) == [("wrong-password", "Ada")] * 5 + [("locked", "Ada")]
    installation.clock.now += 29
    assert ada.sign_in("Ada").status_code == 403
    installation.clock.now += 1
    assert ada.sign_in("Ada").status_code == 303


def test_each_further_failure_doubles_the_wait():
    """Each further failure doubles the lock, from half a minute to an hour."""
    assert [lock_seconds_after(failures) for failures in (4, 5, 6, 7, 11, 12, 13, 500)] == [
        0,
        30,
        60,
        120,
        1_920,
        3_600,
        3_600,
        3_600,
    ]


def test_tries_while_locked_do_not_lengthen_the_wait(installation, ada):
    """Attempts during a lock do not lengthen it, or anybody could keep a member out for good."""
    for _ in range(9):
        ada.sign_in("Ada", WRONG)
    installation.clock.now += 30
    assert ada.sign_in("Ada").status_code == 303


def test_success_ends_the_count_of_its_device(installation, ada):
    """A success ends the count of failures of the device that it comes from."""
    assert ada.sign_in("Ada").status_code == 303
    for moment in (NOON + 30, NOON + 60, NOON + 90):
        installation.clock.now = moment
        ada.http.delete_cookie(CONSOLE.cookie)
        for _ in range(4):
            assert ada.sign_in("Ada", WRONG).status_code == 403
        assert ada.sign_in("Ada").status_code == 303
    assert not any(kind == "locked" for kind, _ in incidents(installation))


def test_a_strangers_failures_do_not_lock_a_members_own_device(installation, ada):
    """While a stranger's guesses lock an account, its member signs in from a device used before, and from no other."""
    ada.sign_in("Ada")
    stranger = AnonymousBrowser(installation)
    for _ in range(3 * 24):
        installation.clock.now += 1_200
        stranger.sign_in("Ada", WRONG, address="203.0.113.7")
    assert incidents(installation)[-1] == ("locked", "Ada")
    assert stranger.sign_in("Ada").status_code == 403
    assert sign_out_of(ada).sign_in(" ada ").status_code == 303


def test_strangers_at_the_same_address_do_not_lock_a_members_own_device(installation, ada):
    """An address that was refused too often is not refused to a device that its member has used before."""
    installation.app.extensions["turns"].max_attempts = 3
    ada.sign_in("Ada")
    installation.clock.now += 30
    for _ in range(3):
        AnonymousBrowser(installation).sign_in("Eve", WRONG)
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 429
    assert sign_out_of(ada).sign_in("Eve", WRONG).status_code == 429
    assert ada.sign_in("Ada").status_code == 303


def last_incident(installation):
    with installation.state.accounts.connection() as db:
        return db.execute("SELECT kind, member FROM incidents ORDER BY row DESC LIMIT 1").fetchone()


def guesses_in_a_day(installation):
    """Return how many passwords are tried in a day by a stranger who guesses whenever it is possible."""
    before = incidents(installation).count(("wrong-password", "Ada"))
    for _ in range(24 * 60 // 2):
        while last_incident(installation) != ("locked", "Ada"):
            authentication.authenticate_by_password(
                installation.state.accounts, "Ada", WRONG, "1", installation.clock.now
            )
        installation.clock.now += 120
        authentication.authenticate_by_password(installation.state.accounts, "Ada", WRONG, "1", installation.clock.now)
    return incidents(installation).count(("wrong-password", "Ada")) - before


def test_guessing_is_bounded(installation, ada, monkeypatch):
    """A stranger tries at most 34 passwords on a first day and 24 on each that follows, though the member signs in."""
    monkeypatch.setattr("ordws.console.accounts.MAX_INCIDENTS_A_DAY", 10_000)
    monkeypatch.setattr("ordws.console.authentication.verify_password", lambda stored, password: password == PASSWORD)
    assert guesses_in_a_day(installation) == 34
    assert ada.sign_in("Ada").status_code == 403
    assert guesses_in_a_day(installation) <= 24
    monkeypatch.undo()


def test_a_members_sign_in_gives_strangers_no_new_guesses(installation, ada):
    """The failures of unknown devices count on when the member signs in, from a new device too."""
    for _ in range(4):
        AnonymousBrowser(installation).sign_in("Ada", WRONG)
    assert ada.sign_in("Ada").status_code == 303
    stranger = AnonymousBrowser(installation)
    stranger.sign_in("Ada", WRONG)
    stranger.sign_in("Ada", WRONG)
    assert incidents(installation)[-1] == ("locked", "Ada")


def test_failures_of_strangers_are_forgiven_in_time(installation, ada):
    """One failure of unknown devices is forgiven every two hours without another."""
    for _ in range(4):
        ada.sign_in("Ada", WRONG)
    installation.clock.now += 2 * 3600
    assert [ada.sign_in("Ada", WRONG).status_code for _ in range(2)] == [403, 403]
    assert incidents(installation) == [("wrong-password", "Ada")] * 6


def test_a_stolen_device_cookie_is_good_for_ten_guesses(installation, ada):
    """After ten failures in a row a device is forgotten, and its failures count with those of strangers."""
    ada.sign_in("Ada")
    stolen = ada.http.get_cookie(CONSOLE.device_cookie).value
    with installation.state.accounts.connection() as db:
        db.execute("DELETE FROM incidents")
    for _ in range(20):
        authentication.authenticate_by_password(
            installation.state.accounts, "Ada", WRONG, "1", installation.clock.now, stolen
        )
        installation.clock.now += 3600
    assert incidents(installation) == [("wrong-password", "Ada")] * 20
    with installation.state.accounts.connection() as db:
        assert db.execute("SELECT digest FROM devices").fetchall() == [("",)]


def test_a_device_is_known_to_its_member_alone(installation, ada):
    """A device is known to those who signed in from it, and a token that nobody's device has is replaced."""
    add_member_with_password(installation, "Bea")
    ada.http.set_cookie(CONSOLE.device_cookie, "planted", domain="localhost")
    ada.sign_in("Ada")
    token, accounts = ada.http.get_cookie(CONSOLE.device_cookie).value, installation.state.accounts
    assert token != "planted"
    known = [accounts.is_known_device(name, token) for name in ("Ada", "ADA", "Bea", "Eve")]
    assert known == [True, True, False, False]
    sign_out_of(ada).sign_in("Bea")
    assert ada.http.get_cookie(CONSOLE.device_cookie).value == token
    assert accounts.is_known_device("Bea", token)
    assert token not in dump_database(installation)


def test_devices_are_forgotten(installation, ada):
    """A device is forgotten half a year after its last use, as the twenty-first, and when the account's link is new."""
    accounts, tokens = installation.state.accounts, []
    for number in range(MAX_DEVICES + 1):
        tokens.append(accounts.remember_device("Ada", "", NOON + number))
    assert [accounts.is_known_device("Ada", token) for token in tokens[:2]] == [False, True]
    accounts.remember_device("Ada", tokens[-1], NOON + BROWSERS.seconds + 15)
    assert [accounts.is_known_device("Ada", token) for token in (tokens[15], tokens[16])] == [False, True]
    token = credentials.invite_again(accounts, "Ada", None, installation.clock.now)
    credentials.accept_invitation(accounts, token, Passkey("id", "key", 0, ""), installation.clock.now)
    assert not accounts.is_known_device("Ada", tokens[-1])


def test_every_sign_in_makes_its_browser_known(installation):
    """Passkeys and links make a device known too, by the function that begins every session."""
    installation.state.accounts.add_member("Cy", "curator", NOON)
    with installation.app.test_request_context(base_url=HOST):
        response = account_requests.sign_in("Cy")
    (token,) = [
        each.partition("=")[2].partition(";")[0]
        for each in response.headers.getlist("Set-Cookie")
        if each.startswith(CONSOLE.device_cookie)
    ]
    assert installation.state.accounts.is_known_device("Cy", token)


def test_a_keeper_unlocks(installation, ada):
    """After a keeper unlocks an account, the next password is tried at once."""
    for _ in range(6):
        ada.sign_in("Ada", WRONG)
    installation.member("Kay", "keeper").form("/members/unlock", name="Ada")
    assert ada.sign_in("Ada").status_code == 303


def test_concurrent_guesses_count_one_by_one(installation, ada):
    """Of nine attempts at the same moment five count, and the right one after them meets the lock."""
    accounts, gate, members = installation.state.accounts, threading.Barrier(9), []

    def guess():
        gate.wait(timeout=20)
        members.append(authentication.authenticate_by_password(accounts, "Ada", WRONG, code_at(NOON), NOON))

    threads = [threading.Thread(target=guess) for _ in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert members == [None] * 9
    assert authentication.authenticate_by_password(accounts, "Ada", PASSWORD, code_at(NOON), NOON) is None
    assert incidents(installation) == [("wrong-password", "Ada")] * 5 + [("locked", "Ada")] * 5


def test_an_address_has_a_limit_of_attempts(installation, ada):
    """An address that was refused too often is refused for the rest of the window, whatever the names."""
    installation.app.extensions["turns"].max_attempts = 3
    for name in ("Eve", "Eva", "Ada"):
        assert ada.sign_in(name, WRONG).status_code == 403
    assert [ada.sign_in(name, WRONG).status_code for name in ("Eve", "Ada")] == [429, 429]
    assert AnonymousBrowser(installation).sign_in("Ada", address="192.0.2.2").status_code == 303
    installation.clock.now += 600
    assert ada.sign_in("Ada").status_code == 303


def test_a_flood_of_passwords_keeps_nobody_waiting(installation, ada, monkeypatch):
    """Of eight passwords at once from one address three are checked, the others get 503 and count nowhere.

    Meanwhile pages are answered, and a device that its member has used signs in.
    """
    ada.sign_in("Ada")
    installation.clock.now += 30
    verify, is_over, statuses = authentication.verify_password, threading.Event(), SimpleQueue()

    def verify_slowly(stored, password):
        assert password != WRONG or is_over.wait(60)
        return verify(stored, password)

    monkeypatch.setattr("ordws.console.authentication.verify_password", verify_slowly)

    def guess():
        reply = AnonymousBrowser(installation).sign_in("Ada", WRONG)
        statuses.put((reply.status_code, "Retry-After" in reply.headers))

    threads = [threading.Thread(target=guess) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert [statuses.get(timeout=60) for _ in range(5)] == [(503, True)] * 5
    assert AnonymousBrowser(installation).get("/").status_code == 200
    assert sign_out_of(ada).sign_in("Ada").status_code == 303
    is_over.set()
    for thread in threads:
        thread.join()
    assert [statuses.get(timeout=60) for _ in range(3)] == [(403, False)] * 3
    assert incidents(installation) == [("wrong-password", "Ada")] * 3


def test_attempts_are_counted_before_they_are_checked(installation, ada, monkeypatch):
    """The attempts of an address that are still being checked count already, and a right one is taken back."""
    installation.app.extensions["turns"].max_attempts = 2
    verify, begun, is_over = authentication.verify_password, threading.Semaphore(0), threading.Event()

    def verify_slowly(stored, password):
        begun.release()
        assert is_over.wait(60)
        return verify(stored, password)

    for moment in (NOON, NOON + 30, NOON + 60):
        installation.clock.now = moment
        assert AnonymousBrowser(installation).sign_in("Ada").status_code == 303
    monkeypatch.setattr("ordws.console.authentication.verify_password", verify_slowly)
    first = threading.Thread(target=lambda: ada.sign_in("Eve", WRONG))
    first.start()
    assert begun.acquire(timeout=60)
    second = threading.Thread(target=lambda: AnonymousBrowser(installation).sign_in("Eve", WRONG))
    second.start()
    while installation.app.extensions["turns"].checks[False].waiting == 0:
        assert second.is_alive()
    assert AnonymousBrowser(installation).sign_in("Eve", WRONG).status_code == 429
    is_over.set()
    first.join()
    second.join()


def test_no_address_is_recorded(installation, ada, tmp_path, caplog):
    """Neither the database nor the log holds the address of a refused request."""
    ada.sign_in("Ada", WRONG, address="203.0.113.77")
    dump = dump_database(installation)
    assert "wrong-password" in dump
    assert "203.0.113.77" not in dump + caplog.text


def test_typed_names_and_passwords_are_not_recorded(installation, ada, caplog):
    """Neither a wrong password nor an unknown name, which may be a password, is recorded."""
    ada.sign_in("Ada", "a secret of elsewhere", code="135790")
    ada.sign_in("another secret")
    dump = dump_database(installation)
    for typed in ("a secret of elsewhere", "135790", "another secret", PASSWORD):
        assert typed not in dump + caplog.text


@each_row(
    ("password", "fault"),
    [
        ("elevenchars", "a password has at least 12 characters"),
        ("twelve chars", None),
        ("aaaaaaaaaaaa", None),
        ("x" * 1_000, None),
        ("x" * 1_001, "a password has at most 1000 characters"),
    ],
)
def test_a_password_has_no_rule_but_its_length(password, fault):
    """A password has a length and no rule of composition (NIST SP 800-63B 3.1.1)."""
    assert find_password_fault(password) == fault


def test_a_password_is_normalized():
    """An accent may be typed as one character or as two, as keyboards differ."""
    assert authentication.verify_password(
        authentication.hash_password("caf\u00e9 caf\u00e9 caf\u00e9"), "cafe\u0301 cafe\u0301 cafe\u0301"
    )


def test_a_large_body_is_not_read(installation, ada):
    """A body larger than any form of these pages is refused before it is read."""
    assert ada.form("/sign-in", name="Ada", password="x" * 70_000, code="1").status_code == 413


def test_scripts_in_a_name_stay_text(installation, ada):
    """A typed name is shown again as text."""
    page = ada.sign_in('"><script>alert(1)</script>').text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_before_the_first_account_the_page_says_how_to_begin(installation):
    """Before the first account the sign-in page says how to make one."""
    first = AnonymousBrowser(installation).get("/")
    assert first.status_code == 200
    assert "<h1>Sign in</h1>" in first.text
    assert "ordws accounts add NAME --role keeper" in first.text
    add_member_with_password(installation, "Kay", "keeper")
    assert "ordws accounts add" not in AnonymousBrowser(installation).get("/").text


@pytest.mark.parametrize(("role", "place"), [("keeper", "/keeping"), ("chair", "/queue"), ("curator", "/queue")])
def test_the_first_page_leads_to_work(installation, role, place):
    """A signed-in member is redirected from the sign-in page to their work."""
    answer = installation.member("Ada", role).get("/")
    assert (answer.status_code, answer.location) == (303, place)


def test_signing_out_ends_the_session(installation):
    """Signing out ends the session on the server too, so that a copied cookie is worthless."""
    ada = installation.member("Ada")
    cookie = ada.http.get_cookie(CONSOLE.cookie).value
    answer = ada.form("/sign-out")
    assert (answer.status_code, answer.location) == (303, "/")
    assert ada.http.get_cookie(CONSOLE.cookie) is None
    assert installation.state.accounts.find_session(cookie, installation.clock.now) is None
