"""New accounts by a one-time link, with a password and a code; links that are used, old, or unknown."""

from __future__ import annotations

import threading

import pytest
from console_installation import HOST, NOON, families, open_console_installation
from sign_in_helpers import (
    PASSWORD,
    AnonymousBrowser,
    code_at,
    dump_database,
    incidents,
    invitation_path,
    quick,
    secret_on,
)

from ordws.console import credentials
from ordws.console.app import CONSOLE
from ordws.errors import BadInput, Missing

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")

DAY = 86_400


@pytest.fixture
def installation(tmp_path):
    with open_console_installation(tmp_path, families(1)) as installation:
        yield installation


def join(browser, path, password=PASSWORD, again=None, shift=0, **more):
    """Fill the form in as its page asks, and return the reply."""
    page = browser.get(path)
    now = browser.installation.clock.now
    code = code_at(now + shift, secret_on(page))
    return browser.form(path, password=password, again=again if again is not None else password, code=code, **more)


def test_a_link_makes_an_account(installation):
    """A password and a code make an account; the browser is signed in, and a curator has to declare first."""
    browser, path = AnonymousBrowser(installation), invitation_path(installation, "Ada")
    answer = join(browser, path)
    assert (answer.status_code, answer.location) == (303, "/queue")
    assert browser.get("/queue").location == "/declaration"
    (account,) = installation.state.accounts.all_accounts()
    assert (account.member.name, account.member.role, account.since, account.passkeys, account.has_password) == (
        "Ada",
        "curator",
        NOON,
        0,
        True,
    )
    assert credentials.pending_invitations(installation.state.accounts, NOON) == []


def test_the_new_credentials_sign_in_again(installation):
    """The new password signs in again, but not with the code that proved the app."""
    browser, path = AnonymousBrowser(installation), invitation_path(installation, "Ada", "keeper")
    secret = secret_on(browser.get(path))
    join(browser, path)
    assert AnonymousBrowser(installation).sign_in("Ada", code=code_at(NOON, secret)).status_code == 403
    assert AnonymousBrowser(installation).sign_in("Ada", code=code_at(NOON + 30, secret)).status_code == 303


@pytest.mark.parametrize("seconds", [0, 7 * DAY], ids=["used", "old"])
def test_bad_links_are_refused_alike(installation, seconds):
    """Used, week-old and unknown links get the same reply, for the page and the form, and are recorded."""
    path = invitation_path(installation, "Ada")
    if not seconds:
        join(AnonymousBrowser(installation), path)
    installation.clock.now += seconds
    never = AnonymousBrowser(installation).get("/invitation/" + "A" * 43)
    for answer in (
        AnonymousBrowser(installation).get(path),
        AnonymousBrowser(installation).form(path, password=PASSWORD),
    ):
        assert (answer.status_code, answer.text) == (never.status_code, never.text) == (410, never.text)
    token = path.rpartition("/")[2]
    answers = [
        AnonymousBrowser(installation).api("/api/invitation/challenge", token=each) for each in (token, "A" * 43)
    ]
    assert [answer.status_code for answer in answers] == [410, 410]
    assert answers[0].data == answers[1].data
    assert incidents(installation) == [("bad-link", None)] * 5


def test_a_link_is_good_for_a_week(installation):
    """A link is good for a week, to the second."""
    path = invitation_path(installation, "Ada")
    installation.clock.now += 7 * DAY - 1
    assert AnonymousBrowser(installation).get(path).status_code == 200


def test_opening_a_link_does_not_use_it_up(installation):
    """Opening a link does not use it up, since mail programs open links too."""
    path = invitation_path(installation, "Ada")
    assert [AnonymousBrowser(installation).get(path).status_code for _ in range(3)] == [200] * 3
    assert join(AnonymousBrowser(installation), path).status_code == 303


def test_a_link_makes_one_account_among_concurrent_browsers(installation):
    """Of two browsers that accept a link at the same time, one gets the account."""
    token, names = invitation_path(installation, "Ada").rpartition("/")[2], []
    gate = threading.Barrier(8)

    def accept(number):
        gate.wait(timeout=20)
        way = credentials.Passkey(f"key {number}", "", 0, "")
        names.append(credentials.accept_invitation(installation.state.accounts, token, way, NOON))

    threads = [threading.Thread(target=accept, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names, key=str) == ["Ada"] + [None] * 7
    assert len(credentials.list_passkeys(installation.state.accounts, "Ada")) == 1


def test_only_a_digest_of_a_link_is_kept(installation):
    """The database holds the digest of a link, and no link."""
    token = invitation_path(installation, "Ada").rpartition("/")[2]
    dump = dump_database(installation)
    assert "'Ada'" in dump
    assert token not in dump


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"password": "too short"}, "a password has at least 12 characters"),
        ({"again": "not the same one"}, "The two passwords differ."),
        ({"shift": 90}, "The code is not the one that the app shows now."),
    ],
)
def test_a_form_with_a_fault_is_shown_again_with_its_reason(installation, fault, message):
    """A form with a fault gets its page again with the reason and the same secret, and the link stays good."""
    browser, path = AnonymousBrowser(installation), invitation_path(installation, "Ada")
    before = secret_on(browser.get(path))
    answer = join(browser, path, **fault)
    assert answer.status_code == 422
    assert message in answer.text
    assert secret_on(answer) == before
    assert installation.state.accounts.all_accounts() == []
    assert join(browser, path).status_code == 303


def test_each_browser_gets_another_secret(installation):
    """Each browser that opens a link gets another secret, so that the inviting keeper does not know the real one."""
    path, keeper, curator = (
        invitation_path(installation, "Ada"),
        AnonymousBrowser(installation),
        AnonymousBrowser(installation),
    )
    seen, own = secret_on(keeper.get(path)), secret_on(curator.get(path))
    assert seen != own
    answer = keeper.form(path, password=PASSWORD, again=PASSWORD, code=code_at(NOON, own))
    assert answer.status_code == 422
    assert "That took too long" in answer.text


def test_the_picture_is_for_the_browser_that_enrols(installation):
    """The QR code is shown to the enrolling browser alone and is not cached."""
    browser, path = AnonymousBrowser(installation), invitation_path(installation, "Ada")
    assert browser.get("/enrolment.svg").status_code == 404
    page = browser.get(path)
    assert '<img src="/enrolment.svg"' in page.text
    picture = browser.get("/enrolment.svg")
    assert (picture.status_code, picture.content_type, picture.headers["Cache-Control"]) == (
        200,
        "image/svg+xml",
        "no-store",
    )
    assert picture.data.startswith(b"<?xml")
    assert AnonymousBrowser(installation).get("/enrolment.svg").status_code == 404
    installation.clock.now += 1_800
    assert browser.get("/enrolment.svg").status_code == 404


def test_another_link_voids_the_first(installation):
    """Another link for the same person voids the first."""
    first = invitation_path(installation, "Ada")
    second = "/invitation/" + credentials.invite_again(installation.state.accounts, "ada", "Kay", NOON)
    assert [AnonymousBrowser(installation).get(path).status_code for path in (first, second)] == [410, 200]


def test_using_a_new_link_ends_old_credentials(installation):
    """A member's old credentials and sessions end when a new link is used, and not before."""
    join(AnonymousBrowser(installation), invitation_path(installation, "Ada", "keeper"))
    old, accounts = installation.browser("Ada"), installation.state.accounts
    path = "/invitation/" + credentials.invite_again(accounts, "Ada", None, NOON)
    assert old.get("/account").status_code == 200
    browser = AnonymousBrowser(installation)
    secret = secret_on(browser.get(path))
    assert join(browser, path, "a new long password").status_code == 303
    assert old.get("/account").status_code == 303
    assert AnonymousBrowser(installation).sign_in("Ada", PASSWORD, code_at(NOON + 30, secret)).status_code == 403
    assert (
        AnonymousBrowser(installation).sign_in("Ada", "a new long password", code_at(NOON + 30, secret)).status_code
        == 303
    )
    assert [account.since for account in accounts.all_accounts()] == [NOON]


@pytest.mark.parametrize("name", ["Ada", "ada", "ＡＤＡ", " Ada "])
def test_a_name_is_given_once(installation, name):
    """A name, however it is capitalised, is given once: to a person invited, a member, or an ended account."""
    accounts = installation.state.accounts
    installation.member("Kay", "keeper")
    token = invitation_path(installation, "Ada").rpartition("/")[2]
    with pytest.raises(BadInput, match="is invited already"):
        credentials.invite(accounts, name, "chair", None, NOON)
    credentials.accept_invitation(accounts, token, credentials.Passkey("key", "", 0, ""), NOON)
    for _ in range(2):
        with pytest.raises(BadInput, match="there is or was an account"):
            credentials.invite(accounts, name, "chair", None, NOON)
        accounts.end_account("Ada", NOON)
    with pytest.raises(Missing):
        credentials.invite_again(accounts, name, None, NOON)


def test_an_expired_invitation_frees_its_name(installation):
    """An expired invitation frees its name."""
    invitation_path(installation, "Ada", "curator")
    installation.clock.now += 7 * DAY
    invitation_path(installation, "Ada", "chair")
    assert [
        each.role for each in credentials.pending_invitations(installation.state.accounts, installation.clock.now)
    ] == ["chair"]


@pytest.mark.parametrize("name", ["", "   ", "=SUM(A1)", "@Ada", "Ada\nBen", "A\u200bda", "x" * 101])
def test_a_name_that_a_ballot_cannot_hold_is_refused(installation, name):
    """A name that a ledger or a spreadsheet could misread is refused."""
    with pytest.raises(BadInput, match="is not a valid name"):
        credentials.invite(installation.state.accounts, name, "curator", None, NOON)


def test_links_end_with_the_account_of_their_keeper(installation):
    """The links of a keeper end with the keeper's account."""
    accounts = installation.state.accounts
    for name in ("Kay", "Lou"):
        installation.member(name, "keeper")
    path = "/invitation/" + credentials.invite(accounts, "Ada", "keeper", "Kay", NOON)
    accounts.end_account("Kay", NOON)
    assert AnonymousBrowser(installation).get(path).status_code == 410


def test_a_form_of_another_site_is_refused(installation):
    """A form from another site's page is refused and recorded, signed in or not."""
    path, browser = invitation_path(installation, "Ada"), AnonymousBrowser(installation)
    for headers in ({"Origin": "https://example.org"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        answer = browser.http.post(path, data={"password": PASSWORD}, base_url=HOST, headers=headers)
        assert answer.status_code == 403
    assert incidents(installation) == [("forged", None)] * 3


def test_accepting_a_link_ends_the_present_session(installation):
    """A keeper who accepts a link ends their own session; the form carries that session's token."""
    keeper, path = installation.member("Kay", "keeper"), invitation_path(installation, "Ada")
    page = keeper.get(path)
    assert f'name="csrf" value="{keeper.session.csrf}"' in page.text
    cookie = keeper.http.get_cookie(CONSOLE.cookie).value
    answer = keeper.form(path, password=PASSWORD, again=PASSWORD, code=code_at(NOON, secret_on(page)))
    assert answer.status_code == 303
    assert installation.state.accounts.find_session(cookie, NOON) is None
