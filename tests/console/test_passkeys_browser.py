"""Signing in as people do: Chromium with a device that holds passkeys, and without one."""

from __future__ import annotations

import re

import pytest
from browser_windows import NARROW_VIEWPORT, add_authenticator, axe_violations, overflow_pixels
from console_installation import families, open_console_installation
from playwright.sync_api import expect
from sign_in_helpers import PASSWORD, code_at, incidents, invitation_path

from ordws.console import credentials


@pytest.fixture
def installation(tmp_path):
    with open_console_installation(tmp_path, families(3)) as installation:
        yield installation


@pytest.fixture
def served(installation, serve_console):
    """An installation that browsers reach; it is closed after its server."""
    return serve_console(installation)


def join(served, path):
    """Accept the invitation of this link with a passkey; return the window, and a function that controls its device."""
    page = served.window()
    ask = add_authenticator(page)
    page.goto(path)
    page.get_by_label("Name of this device").fill("telephone")
    page.get_by_role("button", name="Create a passkey").click()
    page.wait_for_url(re.compile("/(keeping|declaration)$"))
    return page, ask


def sign_out(page):
    """Sign out, and wait until the next page has its scripts: buttons pressed before do nothing."""
    page.goto("/account")
    with page.expect_event("load"):
        page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_curator_signs_in_by_passkey(served):
    """A curator accepts an invitation, declares, signs out, and signs in again by one button without typing a name.

    The used link is refused in another browser.
    """
    path = invitation_path(served.installation, "Ada", "curator")
    page, ask = join(served, path)
    assert [each.label for each in credentials.list_passkeys(served.installation.state.accounts, "Ada")] == [
        "telephone"
    ]
    (credential,) = ask("getCredentials")["credentials"]
    assert (credential["rpId"], credential["isResidentCredential"]) == ("localhost", True)
    page.get_by_label("I declare all of this").check()
    page.get_by_role("button", name="Declare").click()
    page.wait_for_url("**/queue")
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/queue")
    assert incidents(served.installation) == []
    served.expected.append("410")
    other = served.plain_window()
    other.goto(path)
    expect(other.get_by_text("This link was used, has expired or is wrong.")).to_be_visible()
    assert incidents(served.installation) == [("bad-link", None)]


@pytest.mark.long
def test_a_browser_without_the_passkey_is_refused(served):
    """A device without a passkey says so; a copy whose use count lags is refused and recorded."""
    page, ask = join(served, invitation_path(served.installation, "Ada", "keeper"))
    other = served.window()
    copy = add_authenticator(other)
    other.goto("/")
    other.get_by_role("button", name="Sign in with a passkey").click()
    expect(other.get_by_role("status")).to_contain_text("No passkey was used")
    copied = ask("getCredentials")["credentials"][0]
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/keeping")
    copy("addCredential", credential={**copied, "signCount": 0})
    served.expected.append("403")
    other.get_by_role("button", name="Sign in with a passkey").click()
    expect(other.get_by_role("status")).to_have_text("This passkey is not known here.")
    assert incidents(served.installation) == [("bad-passkey", "Ada")]


@pytest.mark.long
def test_a_device_without_verification_gives_no_answer(served):
    """A passkey whose device cannot verify the owner gives no answer."""
    page, ask = join(served, invitation_path(served.installation, "Ada", "keeper"))
    ask("setUserVerified", isUserVerified=False)
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("No passkey was used")


def test_a_curator_without_passkeys_signs_in_by_password(served):
    """A member sets up a password and an app by hand, signs out, and signs in again with the next code alone."""
    page = served.plain_window()
    page.goto(invitation_path(served.installation, "Ada", "keeper"))
    picture = page.get_by_role("img", name="QR code")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 0
    secret = page.locator("code").inner_text().replace(" ", "")
    page.get_by_label("Password, at least 12 characters").fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_label("Six-digit code from the app").fill(code_at(served.installation.clock.now, secret))
    page.get_by_role("button", name="Set password and code").click()
    page.wait_for_url("**/keeping")
    sign_out(page)
    served.expected.append("403")
    for code, place in (
        (served.installation.clock.now, "**/sign-in"),
        (served.installation.clock.now + 30, "**/keeping"),
    ):
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Six-digit code from your app").fill(code_at(code, secret))
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url(place)
    assert incidents(served.installation) == [("wrong-password", "Ada")]


@pytest.mark.long
def test_a_member_adds_a_second_passkey(served):
    """A second passkey is made on another device only; then the first can be removed, and the last cannot."""
    page, ask = join(served, invitation_path(served.installation, "Ada", "keeper"))
    page.goto("/account")
    add = page.get_by_role("button", name="Add a passkey")
    add.click()
    expect(page.get_by_role("status")).to_have_text("This device has a passkey of yours already.")
    expect(page.get_by_role("button", name="Remove telephone")).to_have_count(0)
    ask("removeVirtualAuthenticator")
    add_authenticator(page)
    page.get_by_label("Name of this device").fill("laptop")
    add.click()
    page.get_by_role("button", name="Remove telephone").click()
    expect(page.get_by_role("rowheader")).to_have_text(["laptop"])


def test_a_browser_without_passkeys_says_so(served):
    """In a browser without passkeys the button is disabled and says why."""
    page = served.window()
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto("/")
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text(
        "This browser does not support passkeys: use a password and a code."
    )


@pytest.mark.long
def test_the_pages_about_accounts_are_accessible(served):
    """The pages about accounts have no breach of WCAG 2.2 AA that axe finds, in light and dark, and fit 320 px."""
    keeper = served.signed_in("Kay", "keeper", is_new=True, viewport=NARROW_VIEWPORT)
    voter = served.signed_in("Ada", "curator", viewport=NARROW_VIEWPORT, color_scheme="dark")
    stranger = served.window(viewport=NARROW_VIEWPORT)
    served.installation.state.accounts.record_incident("bad-link", None, served.installation.clock.now)
    add_authenticator(keeper)
    keeper.goto("/account")
    keeper.get_by_role("button", name="Add a passkey").click()
    expect(keeper.get_by_role("rowheader")).to_have_text(["Passkey"])
    visits = [
        (stranger, "/"),
        (stranger, invitation_path(served.installation, "Ben")),
        (voter, "/declaration"),
        (voter, "/account/password"),
        (keeper, "/account"),
        (keeper, "/members"),
        (keeper, "/members/incidents"),
    ]
    for page, path in visits:
        page.goto(path)
        assert (path, axe_violations(page), overflow_pixels(page)) == (path, [], 0)
