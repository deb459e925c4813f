"""The pages about accounts: a member's own, the declaration, and the keepers' list of members."""

from __future__ import annotations

import re

import pytest
from console_installation import HOST, NOON, families, open_console_installation
from sign_in_helpers import PASSWORD, AnonymousBrowser, add_member_with_password, code_at, incidents, quick, secret_on
from software_passkey import SoftwarePasskey

from ordws.console import access, credentials
from ordws.console.app import CONSOLE
from ordws.frame.application import CSRF_HEADER

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")

DAY = 86_400


@pytest.fixture
def installation(tmp_path):
    with open_console_installation(tmp_path, families(1)) as installation:
        yield installation


@pytest.fixture
def ada(installation):
    """A curator with a password and a code, signed in."""
    add_member_with_password(installation, "Ada")
    return installation.browser("Ada")


@pytest.fixture
def kay(installation):
    return installation.member("Kay", "keeper")


def add_passkey(browser, label="phone"):
    passkey = SoftwarePasskey()
    asked = browser.api("/api/account/challenge").json
    answer = browser.api("/api/account", label=label, answer=passkey.make(asked))
    assert (answer.status_code, answer.json) == (200, {"to": "/account"})
    return passkey


def kept_passkeys(installation, name="Ada"):
    return [each.label for each in credentials.list_passkeys(installation.state.accounts, name)]


def test_a_passkey_is_added_named_and_removed(installation, ada):
    """A member names each passkey; one without a name is called Passkey."""
    add_passkey(ada, " my  phone ")
    add_passkey(ada, "")
    assert sorted(kept_passkeys(installation)) == ["Passkey", "my phone"]
    first = credentials.list_passkeys(installation.state.accounts, "Ada")[0]
    ada.form("/account/passkeys/name", id=first.id, label="laptop")
    assert "laptop" in ada.get("/account").text
    assert ada.form("/account/passkeys/remove", id=first.id).status_code == 303
    assert len(kept_passkeys(installation)) == 1


def test_a_registration_excludes_the_members_passkeys(installation, ada):
    """The options of a registration exclude the member's passkeys and name the member's handle."""
    passkey = add_passkey(ada)
    asked = ada.api("/api/account/challenge").json
    made = SoftwarePasskey()
    made.make(asked)
    (known,) = asked["excludeCredentials"]
    assert known["id"] == credentials.list_passkeys(installation.state.accounts, "Ada")[0].id
    assert made.handle == passkey.handle


def test_the_last_credential_cannot_be_removed(installation, ada):
    """The last credential cannot be removed; of a passkey and a password, either can."""
    locked_in = ada.form("/account/password/remove")
    assert (locked_in.status_code, "that is the last way into this account" in locked_in.text) == (409, True)
    add_passkey(ada)
    assert ada.form("/account/password/remove").status_code == 303
    (key,) = credentials.list_passkeys(installation.state.accounts, "Ada")
    assert ada.form("/account/passkeys/remove", id=key.id).status_code == 409
    assert kept_passkeys(installation) == ["phone"]
    assert not credentials.has_password(installation.state.accounts, "Ada")


def test_another_members_passkey_cannot_be_changed(installation, ada):
    """The id of another member's passkey renames and removes nothing."""
    add_passkey(ada)
    add_member_with_password(installation, "Ben")
    ben = installation.browser("Ben")
    (key,) = credentials.list_passkeys(installation.state.accounts, "Ada")
    ben.form("/account/passkeys/name", id=key.id, label="mine")
    ben.form("/account/passkeys/remove", id=key.id)
    assert kept_passkeys(installation) == ["phone"]


def test_password_and_code_are_set_together(installation, ada):
    """A new password and app replace the old ones, and sign other browsers out."""
    other = installation.browser("Ada")
    secret = secret_on(ada.get("/account/password"))
    new = "another long password"
    answer = ada.form("/account/password", password=new, again=new, code=code_at(NOON, secret))
    assert (answer.status_code, answer.location) == (303, "/account")
    assert [other.get("/account").status_code, ada.get("/account").status_code] == [303, 200]
    installation.clock.now += 30
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 403
    assert AnonymousBrowser(installation).sign_in("Ada", new, code_at(NOON + 30, secret)).status_code == 303


def test_a_password_is_not_set_before_its_code(installation, ada):
    """A password is not set before a code proves the new app, whose loss would lock its owner out."""
    ada.get("/account/password")
    answer = ada.form("/account/password", password="x" * 12, again="x" * 12, code=code_at(NOON))
    assert (answer.status_code, "The code is not the one" in answer.text) == (422, True)
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 303


def test_credentials_change_only_within_15_minutes_of_sign_in(installation, ada):
    """Credentials cannot be changed later than a quarter of an hour after signing in.

    A browser that was left open must not give the account away.
    """
    add_passkey(ada)
    installation.clock.now += 900
    (key,) = credentials.list_passkeys(installation.state.accounts, "Ada")
    tried = [
        ada.api("/api/account/challenge"),
        ada.api("/api/account", label="", answer={}),
        ada.get("/account/password"),
        ada.form("/account/password", password=PASSWORD),
        ada.form("/account/password/remove"),
        ada.form("/account/passkeys/remove", id=key.id),
    ]
    assert [answer.status_code for answer in tried] == [409] * 6
    assert "you signed in a while ago; sign out and in again" in tried[0].json["detail"]
    assert ada.get("/account").status_code == 200
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 303


def test_other_browsers_are_signed_out(installation, ada):
    """A member can end all of their sessions but this one."""
    others = [installation.browser("Ada"), installation.browser("Ada")]
    assert ada.form("/account/sessions").status_code == 303
    assert [browser.get("/account").status_code for browser in (ada, *others)] == [200, 303, 303]


def test_a_bad_answer_adds_no_passkey(installation, ada):
    """A passkey made for an invitation, or for another member, is refused and recorded under the member who sent it."""
    add_member_with_password(installation, "Ben")
    asked = installation.browser("Ben").api("/api/account/challenge").json
    answer = ada.api("/api/account", label="", answer=SoftwarePasskey().make(asked))
    assert (answer.status_code, answer.json["code"]) == (403, "bad-passkey")
    assert ada.api("/api/account", label="", answer="text").status_code == 403
    assert incidents(installation) == [("bad-passkey", "Ada")] * 2
    assert kept_passkeys(installation) == []


def test_before_the_declaration_the_queue_is_closed(installation):
    """Before a declaration pages redirect to it and scripts are refused; after it the queue is open."""
    add_member_with_password(installation, "Ada")
    ada = installation.browser("Ada")
    installation.clock.now += 365 * DAY
    ada = installation.browser("Ada")
    assert ada.get("/queue").location == "/declaration"
    assert ada.get("/history").location == "/declaration"
    answer = ada.api("/api/cards")
    assert (answer.status_code, answer.json["code"]) == (403, "undeclared")
    assert ada.get("/account").status_code == 200
    page = ada.get("/declaration").text
    assert all(sentence in page for sentence in access.STATEMENTS)
    refused = ada.form("/declaration")
    assert (refused.status_code, "you have to declare all of it" in refused.text) == (422, True)
    assert ada.form("/declaration", declared="yes").location == "/queue"
    assert ada.get("/queue").status_code == 200
    assert "until 2028-11-20" in ada.get("/declaration").text


def test_keepers_see_accounts_and_invitations(installation, ada, kay):
    """Keepers see the name, role, dates, credentials and state of each account, and the pending invitations."""
    add_passkey(ada)
    for _ in range(5):
        AnonymousBrowser(installation).sign_in("Ada", "not the password")
    kay.form("/members/invite", name="Ben", role="chair")
    page = kay.get("/members").text
    rows = re.findall(r"<tr>\s*<th scope=\"row\">(.*?)</tr>", page, re.DOTALL)
    cells = [re.findall(r"^(.*?)</th>|<td>(.*?)</td>", row, re.DOTALL) for row in rows]
    assert [[(first or second).strip() for first, second in row][:7] for row in cells] == [
        ["Ada", "curator", "2026-11-21", "2027-11-21", "yes", "yes", "locked"],
        ["Kay", "keeper", "2026-11-21", "–", "no", "no", "open"],
        ["Ben", "chair", "Kay", "2026-11-28", cells[2][4][1].strip()],
    ]


def test_a_link_is_shown_once(installation, kay):
    """A new link is shown in the reply that made it, under the console's origin, and not in the list."""
    page = kay.form("/members/invite", name="Ben", role="curator").text
    (link,) = re.findall(rf'<code id="link">{re.escape(HOST)}(/invitation/[\w-]{{43}})</code>', page)
    assert AnonymousBrowser(installation).get(link).status_code == 200
    assert "/invitation/" not in kay.get("/members").text
    again = kay.form("/members/invite-again", name="Ben").text
    (second,) = re.findall(rf'<code id="link">{re.escape(HOST)}(/invitation/[\w-]{{43}})</code>', again)
    assert [AnonymousBrowser(installation).get(each).status_code for each in (link, second)] == [410, 200]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "Ben", "role": "king"}, "role: &#34;king&#34; is none of keeper, chair, curator"),
        ({"name": "=1+1", "role": "curator"}, "&#34;=1+1&#34; is not a valid name"),
        ({"name": "ADA", "role": "curator"}, "there is or was an account &#34;ADA&#34;"),
        ({"name": "<script>alert(1)</script>" * 5, "role": "curator"}, "&lt;script&gt;"),
    ],
)
def test_a_refused_invitation_has_its_reason(installation, ada, kay, fields, message):
    """A refused invitation says what is wrong, in quotes and as text."""
    answer = kay.form("/members/invite", **fields)
    assert answer.status_code == 409
    assert message in answer.text
    assert "<script>alert" not in answer.text


def test_a_keeper_ends_an_account(installation, ada, kay):
    """Ending an account signs its browsers out at once, and its credentials do not work any more."""
    assert kay.form("/members/end", name="Ada").status_code == 303
    assert ada.get("/account").status_code == 303
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 403
    assert "ended 2026-11-21" in kay.get("/members").text
    refused = kay.form("/members/end", name="Kay")
    assert (refused.status_code, "is the last keeper" in refused.text) == (409, True)


def test_a_keeper_signs_a_member_out(installation, ada, kay):
    """A keeper ends all sessions of a member, who can sign in again."""
    assert kay.form("/members/sign-out", name="Ada").status_code == 303
    assert ada.get("/account").status_code == 303
    assert AnonymousBrowser(installation).sign_in("Ada").status_code == 303


def test_keepers_see_counts_of_refused_requests(installation, ada, kay):
    """Keepers see the refused requests as counts by day and kind, and nothing of their content."""
    for name in ("Eve", "Ada"):
        AnonymousBrowser(installation).sign_in(name, "not the password")
    AnonymousBrowser(installation).get("/invitation/nonsense")
    ada.get("/members")
    page = kay.text("/members/incidents")
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>", page)
    assert rows == [
        ("2026-11-21", "invitation used, expired or unknown", "1"),
        ("2026-11-21", "page of another role", "1"),
        ("2026-11-21", "wrong name, password or code", "2"),
    ]
    assert "Eve" not in page
    assert "nonsense" not in page


@pytest.mark.parametrize(
    ("headers", "csrf"),
    [
        ({"Origin": HOST}, ""),
        ({"Origin": HOST}, "wrong"),
        ({"Origin": "https://example.org"}, None),
        ({"Origin": "http://localhost:9"}, None),
        ({"Sec-Fetch-Site": "cross-site"}, None),
        ({"Sec-Fetch-Site": "same-site", "Origin": HOST}, None),
        ({"Origin": "null"}, None),
    ],
)
def test_forged_forms_are_refused(installation, kay, headers, csrf):
    """A change without the session's token, or from another site's page, does nothing and is recorded."""
    fields = {"name": "Eve", "role": "keeper", "csrf": kay.session.csrf if csrf is None else csrf}
    answer = kay.http.post("/members/invite", data=fields, base_url=HOST, headers=headers)
    assert answer.status_code == 403
    assert incidents(installation) == [("forged", "Kay")]
    assert "Eve" not in kay.text("/members")


def test_a_same_origin_form_with_a_null_origin_is_accepted(installation, kay):
    """A form with the origin `null` is accepted where the browser says that it is same-origin.

    Our pages send no referrer, and browsers then send no origin with a form.
    """
    headers = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    fields = {"name": "Ben", "role": "curator", "csrf": kay.session.csrf}
    assert kay.http.post("/members/invite", data=fields, base_url=HOST, headers=headers).status_code == 200


def test_behind_a_proxy_the_public_origin_is_checked(installation, kay):
    """The origin of a form is compared with the one that browsers see, not with the name that the proxy asks for."""
    installation.app.config["ORIGIN"] = "https://curators.example"
    fields = {"name": "Kay", "csrf": kay.session.csrf}

    def post(origin, base="http://inside:8010"):
        cookie = kay.http.get_cookie(CONSOLE.cookie, domain="localhost").value
        kay.http.set_cookie(CONSOLE.cookie, cookie, domain="inside")
        return kay.http.post("/members/sign-out", data=fields, base_url=base, headers={"Origin": origin}).status_code

    assert post("http://inside:8010") == 403
    assert post("https://curators.example") == 303


def test_a_token_is_bound_to_its_session(installation, ada, kay):
    """A curator's token does not forge a keeper's request."""
    headers = {"Origin": HOST, CSRF_HEADER: ada.session.csrf}
    answer = kay.http.post("/members/end", data={"name": "Ada"}, base_url=HOST, headers=headers)
    assert answer.status_code == 403
