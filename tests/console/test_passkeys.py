"""Passkeys against an authenticator that can lie; test_passkeys_browser.py uses real browsers."""

from __future__ import annotations

import pytest
from console_installation import ConsoleInstallation, families, open_console_installation
from sign_in_helpers import AnonymousBrowser, incidents, invitation_path, sign_out_of
from software_passkey import PRESENT, VERIFIED, SoftwarePasskey

from ordws.console.authentication import WebauthnChallenges


@pytest.fixture
def installation(tmp_path):
    with open_console_installation(tmp_path, families(1)) as installation:
        yield installation


def join(
    installation: ConsoleInstallation, name: str, passkey: SoftwarePasskey, role: str = "keeper"
) -> AnonymousBrowser:
    """Accept an invitation with this passkey, and return the browser."""
    browser, token = AnonymousBrowser(installation), invitation_path(installation, name, role).rpartition("/")[2]
    asked = browser.api("/api/invitation/challenge", token=token).json
    assert browser.api("/api/invitation", token=token, label="phone", answer=passkey.make(asked)).status_code == 200
    return browser


def sign_in(installation: ConsoleInstallation, passkey: SoftwarePasskey):
    """Return the reply to a new browser that signs in with this passkey."""
    browser = AnonymousBrowser(installation)
    return browser.api("/api/sign-in", **passkey.use(browser.api("/api/sign-in/challenge").json))


def test_a_passkey_is_made_by_invitation_and_signs_in(installation):
    """A passkey names its member: no name is typed, and a keeper is redirected to a keeper's work."""
    passkey = SoftwarePasskey()
    join(installation, "Ada", passkey)
    passkey.count = 1
    answer = sign_in(installation, passkey)
    assert (answer.status_code, answer.json) == (200, {"to": "/keeping"})
    assert incidents(installation) == []


def test_sign_in_options_list_no_credentials(installation):
    """The options of a sign-in list no credentials, so that they do not depend on the accounts."""
    join(installation, "Ada", SoftwarePasskey())
    asked = AnonymousBrowser(installation).api("/api/sign-in/challenge").json
    assert {**asked, "challenge": ""} == {
        "challenge": "",
        "timeout": 300_000,
        "rpId": "localhost",
        "allowCredentials": [],
        "userVerification": "required",
    }


def test_an_answer_counts_once(installation):
    """A repeated answer is refused and recorded, also from a device that does not count."""
    passkey, browser = SoftwarePasskey(), AnonymousBrowser(installation)
    join(installation, "Ada", passkey)
    answer = passkey.use(browser.api("/api/sign-in/challenge").json)
    assert browser.api("/api/sign-in", **answer).status_code == 200
    again = AnonymousBrowser(installation).api("/api/sign-in", **answer)
    assert (again.status_code, again.json["code"]) == (403, "bad-passkey")
    assert incidents(installation) == [("bad-passkey", "Ada")]


@pytest.mark.parametrize(
    "lie",
    [
        {"origin": "https://localhost.example"},
        {"rp_id": "example"},
        {"flags": PRESENT},
        {"flags": VERIFIED},
        {"count": 4},
        {"handle": b"somebody else"},
    ],
    ids=["of another site", "for another site", "owner not verified", "owner not there", "a copy", "another's"],
)
def test_a_false_answer_is_refused(installation, lie):
    """An answer with a wrong site, presence, verification, use count or owner is refused."""
    passkey = SoftwarePasskey(count=4)
    join(installation, "Ada", passkey)
    passkey.count = 5
    for name, value in lie.items():
        setattr(passkey, name, value)
    answer = sign_in(installation, passkey)
    assert (answer.status_code, answer.json["code"]) == (403, "bad-passkey")
    assert incidents(installation) == [("bad-passkey", "Ada")]


def test_another_key_under_a_known_name_is_refused(installation):
    """Another key with a known id and owner is refused."""
    passkey = SoftwarePasskey()
    join(installation, "Ada", passkey)
    forged = SoftwarePasskey(id=passkey.id, handle=passkey.handle)
    assert sign_in(installation, forged).status_code == 403
    assert incidents(installation) == [("bad-passkey", "Ada")]


def test_an_unknown_passkey_is_refused_in_the_same_words(installation):
    """The reply does not tell whether a credential is known."""
    passkey = SoftwarePasskey()
    join(installation, "Ada", passkey)
    forged = SoftwarePasskey(id=passkey.id, handle=passkey.handle)
    known, unknown = sign_in(installation, forged), sign_in(installation, SoftwarePasskey())
    assert (known.status_code, known.data) == (unknown.status_code, unknown.data)


def test_strangers_at_the_same_address_do_not_lock_a_members_own_device(installation):
    """Beyond the limit of an address a passkey is refused to strangers, not to a device that it has signed in from."""
    installation.app.extensions["turns"].max_attempts = 2
    passkey = SoftwarePasskey()
    own = sign_out_of(join(installation, "Ada", passkey))
    assert [sign_in(installation, SoftwarePasskey()).status_code for _ in range(3)] == [403, 403, 429]
    passkey.count = 1
    answer = own.api("/api/sign-in", **passkey.use(own.api("/api/sign-in/challenge").json))
    assert answer.status_code == 200


def test_a_challenge_expires_after_five_minutes(installation):
    """An answer after five minutes is too late."""
    passkey, browser = SoftwarePasskey(), AnonymousBrowser(installation)
    join(installation, "Ada", passkey)
    asked = browser.api("/api/sign-in/challenge").json
    installation.clock.now += 300
    assert browser.api("/api/sign-in", **passkey.use(asked)).status_code == 403


def test_a_challenge_is_bound_to_its_invitation(installation):
    """An answer made for one invitation is refused with another's token."""
    browser, passkey = AnonymousBrowser(installation), SoftwarePasskey()
    ada, ben = (invitation_path(installation, name).rpartition("/")[2] for name in ("Ada", "Ben"))
    asked = browser.api("/api/invitation/challenge", token=ada).json
    answer = browser.api("/api/invitation", token=ben, label="", answer=passkey.make(asked))
    assert (answer.status_code, answer.json["code"]) == (403, "bad-passkey")
    assert installation.state.accounts.active_members() == []


def test_a_device_that_does_not_verify_makes_no_passkey(installation):
    """A device that does not verify its owner makes no passkey: a finder of the device could use it."""
    browser, token = AnonymousBrowser(installation), invitation_path(installation, "Ada").rpartition("/")[2]
    asked = browser.api("/api/invitation/challenge", token=token).json
    assert asked["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "required",
    }
    answer = SoftwarePasskey(flags=PRESENT).make(asked)
    assert browser.api("/api/invitation", token=token, label="", answer=answer).status_code == 403
    assert installation.state.accounts.active_members() == []


def test_two_accounts_do_not_share_a_passkey(installation):
    """A passkey that is known already is refused for another member."""
    passkey = SoftwarePasskey()
    join(installation, "Ada", passkey)
    browser, token = AnonymousBrowser(installation), invitation_path(installation, "Ben").rpartition("/")[2]
    asked = browser.api("/api/invitation/challenge", token=token).json
    answer = browser.api("/api/invitation", token=token, label="", answer=passkey.make(asked))
    assert (answer.status_code, answer.json["detail"]) == (409, "this passkey is known already; make another")
    assert [member.name for member in installation.state.accounts.active_members()] == ["Ada"]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"id": 5},
        {"id": "A", "rawId": "A", "type": "public-key", "response": {}},
        {
            "id": "A",
            "rawId": "A",
            "type": "public-key",
            "response": {"clientDataJSON": "////", "authenticatorData": "A", "signature": "ä"},
        },
    ],
)
def test_a_malformed_answer_is_refused(installation, answer):
    """Ill-formed answers are refusals and not faults, whether the credential is known or not."""
    passkey = SoftwarePasskey(id=b"\0" * 32)
    join(installation, "Ada", passkey)
    assert AnonymousBrowser(installation).api("/api/sign-in", **answer).status_code == 403
    id = passkey.use({"challenge": "AAAA"})["id"]
    assert AnonymousBrowser(installation).api("/api/sign-in", **{**answer, "id": id, "rawId": id}).status_code == 403


def test_every_part_of_an_answer_is_covered(installation):
    """An answer with any byte of its signed data or its signature changed is refused."""
    passkey, browser = SoftwarePasskey(), AnonymousBrowser(installation)
    join(installation, "Ada", passkey)
    good = passkey.use(browser.api("/api/sign-in/challenge").json)
    for part in ("clientDataJSON", "authenticatorData", "signature"):
        text = good["response"][part]
        for at in range(0, len(text) - 2, 7):
            other = "A" if text[at] != "A" else "B"
            bad = {**good, "response": {**good["response"], part: text[:at] + other + text[at + 1 :]}}
            assert browser.api("/api/sign-in", **bad).status_code == 403
    assert browser.api("/api/sign-in", **good).status_code == 200


def test_challenges_are_bound_to_process_purpose_and_time():
    """A challenge of another process, purpose or time is not valid, and each can be consumed once."""
    ours = WebauthnChallenges()
    issued = ours.issue("sign-in", 1_000)
    assert ours.is_valid(issued, "sign-in", 1_299)
    assert not ours.is_valid(issued, "sign-in", 1_300)
    assert not ours.is_valid(issued, "add Ada", 1_000)
    assert not WebauthnChallenges().is_valid(issued, "sign-in", 1_000)
    assert not ours.is_valid(b"", "sign-in", 1_000)
    assert [ours.consume(issued, 1_001), ours.consume(issued, 1_002)] == [True, False]
