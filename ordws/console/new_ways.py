"""A way in as a browser sets it up: the secret it is shown, and what it sends to prove that it has one."""

from __future__ import annotations

from typing import Any

from flask import current_app, request
from werkzeug.wrappers import Response

from ordws.console import codes, door, enrolments, passkeys, passwords
from ordws.console.enrolments import Enrolment
from ordws.console.ways import Passkey, Password


def enrolment() -> Enrolment | None:
    """What this browser sets up an app with, if it does."""
    return enrolments.find(door.accounts(), request.cookies.get(enrolments.COOKIE, ""), door.now())


def enrolment_of(name: str) -> Enrolment:
    """The same for one account; begun where it is not under way."""
    found = enrolment()
    return found if found and found.name == name else enrolments.begin(door.accounts(), name, door.now())


def showing(page: str, enrolment: Enrolment, status: int) -> Response:
    """A page that shows a secret, for the one browser that sets it up."""
    response: Response = current_app.make_response((page, status))
    door.set_cookie(response, enrolments.COOKIE, enrolment.cookie, enrolments.LONGEST)
    return response


def read_password(name: str) -> Password | str:
    """The password that a form sets for an account, proved by a code; or why not."""
    password, again, code = (request.form.get(field, "") for field in ("password", "again", "code"))
    begun = enrolment()
    if begun is None or begun.name != name:
        return "That took too long: scan the new picture."
    if fault := passwords.fault_of(password):
        return fault
    if password != again:
        return "The two passwords differ."
    if (step := codes.find_step(begun.secret, code, door.now())) is None:
        return "The code is not the one that the app shows now."
    enrolments.end(door.accounts(), begun.cookie)
    return Password(passwords.hash_password(password), begun.secret, step)


def read_passkey(purpose: str, body: dict[str, Any]) -> Passkey | None:
    """The passkey that a script sends, made in answer to a challenge for this purpose."""
    answer, label = body.get("answer"), str(body.get("label", ""))
    if not isinstance(answer, dict):
        return None
    return passkeys.read_new(door.site(), door.door().challenges, purpose, answer, label, door.now())


def refuse_passkey() -> Response:
    return door.refuse("bad-passkey", "That is no passkey made for this page: try again.")
