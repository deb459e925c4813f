"""Helpers for tests of accounts: browsers without a session, and members with a password and an app."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyotp
import pytest
from argon2 import PasswordHasher
from console_installation import HOST, ConsoleInstallation
from werkzeug.test import TestResponse

from ordws.console import authentication, credentials
from ordws.console.access import Role
from ordws.console.app import CONSOLE
from ordws.console.authentication import STEP_SECONDS

PASSWORD = "quite a long password"
QUICK = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make passwords cheap to hash, for tests that do not measure their cost."""
    monkeypatch.setattr("ordws.console.authentication.HASHER", QUICK)
    monkeypatch.setattr("ordws.console.authentication.DECOY", QUICK.hash("a password of nobody"))


@dataclass
class AnonymousBrowser:
    """A browser without a session, which keeps the cookies that it gets."""

    installation: ConsoleInstallation

    def __post_init__(self) -> None:
        self.http = self.installation.app.test_client()

    def get(self, path: str) -> TestResponse:
        return self.http.get(path, base_url=HOST)

    def form(self, path: str, *, address: str = "192.0.2.1", **fields: Any) -> TestResponse:
        origin, environ = {"Origin": HOST}, {"REMOTE_ADDR": address}
        return self.http.post(path, data=fields, base_url=HOST, headers=origin, environ_base=environ)

    def api(self, path: str, **body: Any) -> TestResponse:
        return self.http.post(path, json=body, base_url=HOST, headers={"Origin": HOST})

    def sign_in(self, name: str, password: str = PASSWORD, code: str = "", **options: Any) -> TestResponse:
        code = code or code_at(self.installation.clock.now)
        return self.form("/sign-in", name=name, password=password, code=code, **options)


def sign_out_of(browser: AnonymousBrowser) -> AnonymousBrowser:
    """Forget the session, as a browser does that was closed; the device's cookie stays."""
    browser.http.delete_cookie(CONSOLE.cookie)
    return browser


def code_at(moment: int, secret: str = SECRET) -> str:
    return pyotp.TOTP(secret).generate_otp(moment // STEP_SECONDS)


def add_member_with_password(installation: ConsoleInstallation, name: str, role: Role = "curator") -> None:
    """Add a member who has declared and who signs in by PASSWORD and the codes of SECRET."""
    accounts, now = installation.state.accounts, installation.clock.now
    accounts.add_member(name, role, now)
    accounts.record_declaration(name, now)
    credentials.add_credential(
        accounts, name, credentials.PasswordCredential(authentication.hash_password(PASSWORD), SECRET, 0), now
    )


def invitation_path(installation: ConsoleInstallation, name: str, role: Role = "curator") -> str:
    """Invite a person and return the path of their link."""
    return "/invitation/" + credentials.invite(installation.state.accounts, name, role, None, installation.clock.now)


def secret_on(page: TestResponse) -> str:
    """Return the secret that a page shows as text, for whoever cannot scan it."""
    found = re.search(r"<code>([A-Z2-7 ]{39})</code>", page.text)
    assert found, page.text
    return found[1].replace(" ", "")


def incidents(installation: ConsoleInstallation) -> list[tuple[str, str | None]]:
    """Return the recorded incidents in order, each with its member or None."""
    with installation.state.accounts.connection() as db:
        return list(db.execute("SELECT kind, member FROM incidents ORDER BY row").fetchall())


def dump_database(installation: ConsoleInstallation) -> str:
    """Return every value of the console's database, as text."""
    with installation.state.accounts.connection() as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        return "\n".join(repr(row) for table in tables for row in db.execute(f"SELECT * FROM {table}"))
