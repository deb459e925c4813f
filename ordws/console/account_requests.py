"""The parts that requests about accounts share: the session's cookies, refusals, and the enrolment of a credential."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from flask import current_app, g, redirect, request
from werkzeug.wrappers import Response

from ordws.console import authentication
from ordws.console.access import Member
from ordws.console.accounts import LIFETIME, Accounts
from ordws.console.application import ApplicationState, account_site
from ordws.console.authentication import Site, WebauthnChallenges
from ordws.console.credentials import Passkey, PasswordCredential
from ordws.frame.application import costly_check, refusal_page, set_cookie, wants_json
from ordws.frame.sessions import digest, new_token
from ordws.retention import BROWSERS


def challenges() -> WebauthnChallenges:
    """Return the challenges of the application that answers this request."""
    issued: WebauthnChallenges = current_app.extensions["challenges"]
    return issued


def accounts() -> Accounts:
    return _state().accounts


def _state() -> ApplicationState:
    state: ApplicationState = current_app.config["STATE"]
    return state


def now() -> int:
    return _state().clock()


def site() -> Site:
    return Site(current_app.config["ORIGIN"])


def home_path(member: Member) -> str:
    """Return the path of the page at which a member's work begins."""
    return account_site().home[member.role]


def device_token() -> str:
    """Return the token of the device that sent this request; empty where none has signed in with it."""
    return request.cookies.get(account_site().device_cookie, "")


def record_and_deny(incident: str, detail: str, status: int = 403) -> Response:
    """Record a refused sign-in as an incident, and return the refusal."""
    accounts().record_incident(incident, g.session.member.name if g.session else None, now())
    return deny(incident, detail, status)


def deny(code: str, detail: str, status: int = 403) -> Response:
    """Return the refusal of a sign-in that is recorded already."""
    if wants_json():
        return current_app.make_response(({"code": code, "detail": detail}, status))
    return refusal_page(detail, status)


def redirect_to(path: str) -> Response:
    """Redirect a browser to a page; tell a script where to go."""
    return current_app.make_response({"to": path}) if wants_json() else redirect(path, 303)


def sign_in(name: str) -> Response:
    """Begin a session and redirect the member to their work; the browser's earlier session ends."""
    # The cookie changes with each sign-in, so that one that somebody planted in the browser is worthless.
    site_cookie, device_cookie = account_site().cookie, account_site().device_cookie
    if earlier := request.cookies.get(site_cookie):
        accounts().end_session(earlier)
    cookie, session = accounts().begin_session(name, now())
    response = redirect_to(home_path(session.member))
    put_cookie(response, site_cookie, cookie, LIFETIME.most)
    put_cookie(response, device_cookie, accounts().remember_device(name, device_token(), now()), BROWSERS.seconds)
    return response


def sign_out() -> Response:
    """End the session of this browser and redirect it to the sign-in page."""
    name = account_site().cookie
    accounts().end_session(request.cookies.get(name, ""))
    response = redirect("/", 303)
    response.delete_cookie(name, secure=site().is_secure, httponly=True, samesite="Strict")
    return response


def put_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    set_cookie(response, name, value, seconds, is_secure=site().is_secure)


def iso_date(timestamp: int | None) -> str | None:
    """Return the UTC date of a time in seconds since 1970, as pages show it: 2026-11-21."""
    return None if timestamp is None else datetime.fromtimestamp(timestamp, UTC).date().isoformat()


TOTP_COOKIE: Final = "ordws-enrolment"
TOTP_ENROLMENT_SECONDS: Final = 1_800
"""The time that a member may take to set up an authenticator app."""


@dataclass(frozen=True)
class TotpEnrolment:
    """The secret of an authenticator app while it is set up; it is good for nothing until one of its codes is typed."""

    cookie: str
    """The token of the one browser that may see the secret."""
    name: str
    """The account that it is for."""
    secret: str


def current_totp_enrolment() -> TotpEnrolment | None:
    """Return the enrolment under way in this browser, if any."""
    cookie = request.cookies.get(TOTP_COOKIE, "")
    with accounts().connection() as db:
        row = db.execute(
            "SELECT name, secret FROM enrolments WHERE digest = ? AND ? < ends", (digest(cookie), now())
        ).fetchone()
    return TotpEnrolment(cookie, *row) if row else None


def ensure_totp_enrolment(name: str) -> TotpEnrolment:
    """Return this browser's enrolment for an account; begin one where none is under way, which voids an earlier one."""
    enrolment = current_totp_enrolment()
    if enrolment and enrolment.name == name:
        return enrolment
    enrolment, began = TotpEnrolment(new_token(), name, authentication.new_secret()), now()
    with accounts().transaction() as db:
        db.execute("DELETE FROM enrolments WHERE name = ? OR ends <= ?", (name, began))
        row = (digest(enrolment.cookie), name, enrolment.secret, began + TOTP_ENROLMENT_SECONDS)
        db.execute("INSERT INTO enrolments VALUES (?, ?, ?, ?)", row)
    return enrolment


def totp_page_response(page: str, enrolment: TotpEnrolment, status: int) -> Response:
    """Return a page that shows a secret, with the cookie by which this browser alone can use it."""
    response: Response = current_app.make_response((page, status))
    put_cookie(response, TOTP_COOKIE, enrolment.cookie, TOTP_ENROLMENT_SECONDS)
    return response


def read_password(name: str) -> PasswordCredential | str:
    """Return the password that a form sets for an account, proved by a code, or a sentence on what is wrong with it."""
    password, repeated, code = (request.form.get(field, "") for field in ("password", "again", "code"))
    enrolment = current_totp_enrolment()
    if enrolment is None or enrolment.name != name:
        return "That took too long: scan the new picture."
    if fault := authentication.find_password_fault(password):
        return fault
    if password != repeated:
        return "The two passwords differ."
    if (step := authentication.find_step(enrolment.secret, code, now())) is None:
        return "The code is not the one that the app shows now."
    with accounts().transaction() as db:
        db.execute("DELETE FROM enrolments WHERE digest = ?", (digest(enrolment.cookie),))
    # Only members and invited people come here.
    with costly_check(is_known=True):
        return PasswordCredential(authentication.hash_password(password), enrolment.secret, step)


def read_passkey(purpose: str, body: dict[str, Any]) -> Passkey | None:
    """Return the new passkey that a script sends, or None where it does not answer a challenge for this purpose."""
    answer, label = body.get("answer"), str(body.get("label", ""))
    if not isinstance(answer, dict):
        return None
    return authentication.verify_registration(site(), challenges(), purpose, answer, label, now())


def refuse_passkey() -> Response:
    """Record a new invalid passkey, and return the refusal."""
    return record_and_deny("bad-passkey", "That is no passkey made for this page: try again.")
