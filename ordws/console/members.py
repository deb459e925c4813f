"""The keepers' pages of members: accounts, invitations, and refused requests."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import auth_helpers, invitations
from ordws.console.access import current_member, valid_until
from ordws.console.application import account_site
from ordws.errors import BadInput
from ordws.frame.application import allow

pages: Final = Blueprint("members", __name__)
INCIDENT_TEXTS: Final = {
    "wrong-password": "wrong name, password or code",
    "locked": "password tried while the account was locked",
    "bad-passkey": "invalid passkey",
    "bad-link": "invitation used, expired or unknown",
    "forged": "change not sent by a page of the console",
    "not-allowed": "page of another role",
}
"""The kinds of refused requests, as the page calls them."""


@pages.get("/members")
@allow("keeper")
def page() -> str:
    return _page()


@pages.post("/members/invite")
@allow("keeper")
def invite() -> str:
    name, role = request.form.get("name", ""), request.form.get("role", "")
    roles = {known: known for known in account_site().roles}
    if role not in roles:
        raise BadInput(f'role: "{role}" is none of {", ".join(roles)}')
    token = invitations.invite(auth_helpers.accounts(), name, roles[role], current_member().name, auth_helpers.now())
    return _page(name, token)


@pages.post("/members/invite-again")
@allow("keeper")
def invite_again() -> str:
    name = request.form.get("name", "")
    return _page(
        name, invitations.invite_again(auth_helpers.accounts(), name, current_member().name, auth_helpers.now())
    )


@pages.post("/members/withdraw")
@allow("keeper")
def withdraw() -> AnyResponse:
    invitations.withdraw(auth_helpers.accounts(), request.form.get("name", ""), auth_helpers.now())
    return redirect("/members", 303)


@pages.post("/members/end")
@allow("keeper")
def end() -> AnyResponse:
    auth_helpers.accounts().end_account(_member_name(), auth_helpers.now())
    return redirect("/members", 303)


@pages.post("/members/sign-out")
@allow("keeper")
def sign_out() -> AnyResponse:
    auth_helpers.accounts().end_sessions(_member_name())
    return redirect("/members", 303)


@pages.post("/members/unlock")
@allow("keeper")
def unlock() -> AnyResponse:
    auth_helpers.accounts().unlock(_member_name())
    return redirect("/members", 303)


@pages.get("/members/incidents")
@allow("keeper")
def incidents() -> str:
    return render_template("incidents.html", incidents=auth_helpers.accounts().incident_counts(), kinds=INCIDENT_TEXTS)


def _member_name() -> str:
    return auth_helpers.accounts().find_member(request.form.get("name", "")).name


def _page(name: str = "", token: str = "") -> str:
    """Return the list of members; a new link is shown in the reply that made it, and never again."""
    link = f"{auth_helpers.site().origin}/invitation/{token}" if token else ""
    return render_template(
        "members.html",
        accounts=auth_helpers.accounts().all_accounts(),
        pending=invitations.pending(auth_helpers.accounts(), auth_helpers.now()),
        name=name,
        link=link,
        now=auth_helpers.now(),
        day=auth_helpers.iso_date,
        until=valid_until,
    )
