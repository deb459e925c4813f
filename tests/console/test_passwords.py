"""Signing in by password and code: what lets in, what locks, and that neither tells who has an account."""

from __future__ import annotations

import threading

import pytest
from console_installation import NOON, families, open_console_installation
from sign_in_helpers import (
    PASSWORD,
    SECRET,
    AnonymousBrowser,
    add_member_with_password,
    code_at,
    dump_database,
    incidents,
    quick,
)

from ordws.console import passwords
from ordws.console.access import COOKIE
from ordws.console.passwords import find_fault, lock_seconds_after
from ordws.console.totp import find_step

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


def test_a_password_and_a_code_let_in(installation, ada):
    """The browser is sent to its work with a cookie that no script reads and no other site's page sends."""
    answer = ada.sign_in("Ada")
    assert (answer.status_code, answer.location) == (303, "/queue")
    cookie = answer.headers["Set-Cookie"].partition("=")[2].partition(";")
    assert cookie[2] == " Expires=" + cookie[2].partition("=")[2].partition(";")[0] + (
        "; Max-Age=43200; HttpOnly; Path=/; SameSite=Strict"
    )
    assert ada.get("/account").status_code == 200
    assert incidents(installation) == []


def test_over_https_the_cookie_goes_nowhere_else(installation, ada):
    """Where the console is reached by HTTPS its cookie is never sent without."""
    installation.app.config["ORIGIN"] = "https://curators.example"
    fields, headers = (
        {"name": "Ada", "password": PASSWORD, "code": code_at(NOON)},
        {"Origin": "https://curators.example"},
    )
    answer = ada.http.post("/sign-in", data=fields, base_url="http://inside:8010", headers=headers)
    assert "; Secure; " in answer.headers["Set-Cookie"]


def test_names_are_typed_as_they_are_said(installation, ada):
    """Capitals and spaces to spare do not matter in a name; in a password they do."""
    assert ada.sign_in(" ADA ").status_code == 303
    assert (
        AnonymousBrowser(installation)
        .sign_in("Ada", PASSWORD.upper(), code_at(installation.clock.now + 30))
        .status_code
        == 403
    )


def test_a_new_session_takes_the_place_of_the_old(installation, ada):
    """Signing in changes the cookie, and the one before is good no more."""
    ada.sign_in("Ada")
    before = ada.http.get_cookie(COOKIE).value
    installation.clock.now += 30
    csrf = installation.state.accounts.find_session(before, installation.clock.now).csrf
    assert ada.form("/sign-in", name="Ada", password=PASSWORD, code=code_at(NOON + 30), csrf=csrf).status_code == 303
    assert ada.http.get_cookie(COOKIE).value != before
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
    """Who has a passkey alone, or left, cannot be told from nobody; not even a right-looking empty password helps."""
    installation.state.accounts.add_member("Cy", "curator", NOON)
    add_member_with_password(installation, "Dee")
    installation.state.accounts.end_account("Dee", NOON)
    assert [ada.sign_in(name).status_code for name in ("Cy", "Dee")] == [403, 403]
    assert incidents(installation) == [("wrong-password", None)] * 2


def test_a_code_is_used_once(installation, ada):
    """The code that somebody saw typed lets nobody in again, nor does an older one."""
    assert ada.sign_in("Ada").status_code == 303
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 403
    assert AnonymousBrowser(installation).sign_in("Ada", code=code_at(NOON - 30)).status_code == 403
    assert AnonymousBrowser(installation).sign_in("Ada", code=code_at(NOON + 30)).status_code == 303
    assert incidents(installation) == [("wrong-password", "Ada")] * 2


@pytest.mark.parametrize(("shift", "step"), [(-60, None), (-30, NOON // 30 - 1), (0, NOON // 30), (60, None)])
def test_clocks_may_differ_by_a_step(shift, step):
    """A code of the step before or after is good, of no other."""
    assert find_step(SECRET, code_at(NOON + shift), NOON) == step


def test_codes_may_be_typed_in_groups():
    """As apps show them."""
    code = code_at(NOON)
    assert find_step(SECRET, f" {code[:3]} {code[3:]} ", NOON) == NOON // 30
    assert find_step(SECRET, "１２３４５６", NOON) is None


def test_the_first_wait_comes_after_five_failures(installation, ada):
    """Then even the right password is refused in the same words, until the wait is over."""
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
    """From half a minute to an hour at most."""
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
    """Or anybody could keep a member out for good."""
    for _ in range(9):
        ada.sign_in("Ada", WRONG)
    installation.clock.now += 30
    assert ada.sign_in("Ada").status_code == 303


def test_success_ends_the_count(installation, ada):
    """Four failures, a success, four failures: no wait."""
    for moment in (NOON, NOON + 30):
        installation.clock.now = moment
        for _ in range(4):
            ada.sign_in("Ada", WRONG)
        assert AnonymousBrowser(installation).sign_in("Ada").status_code == 303


def test_a_keeper_unlocks(installation, ada):
    """The next password is tried at once."""
    for _ in range(6):
        ada.sign_in("Ada", WRONG)
    installation.member("Kay", "keeper").form("/members/unlock", name="Ada")
    assert ada.sign_in("Ada").status_code == 303


def test_many_guesses_at_once_are_not_more_guesses(installation, ada):
    """Of nine at the same instant five count, and the right one after them meets the lock."""
    accounts, gate, members = installation.state.accounts, threading.Barrier(9), []

    def guess():
        gate.wait(timeout=20)
        members.append(passwords.authenticate(accounts, "Ada", WRONG, code_at(NOON), NOON))

    threads = [threading.Thread(target=guess) for _ in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert members == [None] * 9
    assert passwords.authenticate(accounts, "Ada", PASSWORD, code_at(NOON), NOON) is None
    assert incidents(installation) == [("wrong-password", "Ada")] * 5 + [("locked", "Ada")] * 5


def test_an_address_is_heard_so_often(installation, ada):
    """Once it was refused too often, whatever the names, it waits for the next ten minutes; others do not."""
    installation.app.extensions["auth_state"].rate_limiter.limit = 3
    for name in ("Eve", "Eva", "Ada"):
        assert ada.sign_in(name, WRONG).status_code == 403
    assert [ada.sign_in(name, WRONG).status_code for name in ("Eve", "Ada")] == [429, 429]
    assert AnonymousBrowser(installation).sign_in("Ada", address="192.0.2.2").status_code == 303
    installation.clock.now += 600
    assert ada.sign_in("Ada").status_code == 303


def test_no_address_is_written_down(installation, ada, tmp_path, caplog):
    """Neither the database nor the log holds where a refused request came from."""
    ada.sign_in("Ada", WRONG, address="203.0.113.77")
    dump = dump_database(installation)
    assert "wrong-password" in dump
    assert "203.0.113.77" not in dump + caplog.text


def test_nothing_that_was_typed_is_written_down(installation, ada, caplog):
    """Not the password that did not fit, nor the name that nobody has, which may be a password."""
    ada.sign_in("Ada", "a secret of elsewhere", code="135790")
    ada.sign_in("another secret")
    dump = dump_database(installation)
    for typed in ("a secret of elsewhere", "135790", "another secret", PASSWORD):
        assert typed not in dump + caplog.text


@pytest.mark.parametrize(
    ("password", "fault"),
    [
        ("elevenchars", "a password has at least 12 characters"),
        ("twelve chars", None),
        ("aaaaaaaaaaaa", None),
        ("x" * 1_000, None),
        ("x" * 1_001, "a password has at most 1000 characters"),
    ],
)
def test_length_alone_makes_a_password(password, fault):
    """No rule of composition. (NIST SP 800-63B 3.1.1)"""
    assert find_fault(password) == fault


def test_one_spelling_of_a_password_is_as_good_as_another():
    """An accent may come as one character or as two, as keyboards differ."""
    assert passwords.verify_password(
        passwords.hash_password("caf\u00e9 caf\u00e9 caf\u00e9"), "cafe\u0301 cafe\u0301 cafe\u0301"
    )


def test_a_large_body_is_not_read(installation, ada):
    """What is larger than any form here is refused as it comes."""
    assert ada.form("/sign-in", name="Ada", password="x" * 70_000, code="1").status_code == 413


def test_scripts_in_a_name_stay_text(installation, ada):
    """What was typed is shown again, harmless."""
    page = ada.sign_in('"><script>alert(1)</script>').text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_before_the_first_account_the_page_says_how_to_begin(installation):
    """`/` is the sign-in page from the first start; the hint goes with the first account."""
    first = AnonymousBrowser(installation).get("/")
    assert first.status_code == 200
    assert "<h1>Sign in</h1>" in first.text
    assert "ordws curators add NAME --role keeper" in first.text
    add_member_with_password(installation, "Kay", "keeper")
    assert "ordws curators add" not in AnonymousBrowser(installation).get("/").text


@pytest.mark.parametrize(("role", "place"), [("keeper", "/keeping"), ("chair", "/queue"), ("curator", "/queue")])
def test_the_first_page_leads_to_work(installation, role, place):
    """Who is signed in already does not see the sign-in page."""
    answer = installation.member("Ada", role).get("/")
    assert (answer.status_code, answer.location) == (303, place)


def test_signing_out_ends_the_session(installation):
    """On the server too: the cookie is good no more where somebody kept it."""
    ada = installation.member("Ada")
    cookie = ada.http.get_cookie(COOKIE).value
    answer = ada.form("/sign-out")
    assert (answer.status_code, answer.location) == (303, "/")
    assert ada.http.get_cookie(COOKIE) is None
    assert installation.state.accounts.find_session(cookie, installation.clock.now) is None
