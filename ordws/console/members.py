"""The keepers' pages of members: accounts, invitations, and refused requests."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import account_requests, credentials
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
    token = credentials.invite(
        account_requests.accounts(), name, roles[role], current_member().name, account_requests.now()
    )
    return _page(name, token)


@pages.post("/members/invite-again")
@allow("keeper")
def invite_again() -> str:
    name = request.form.get("name", "")
    return _page(
        name, credentials.invite_again(account_requests.accounts(), name, current_member().name, account_requests.now())
    )


@pages.post("/members/withdraw")
@allow("keeper")
def withdraw() -> AnyResponse:
    credentials.withdraw_invitation(account_requests.accounts(), request.form.get("name", ""), account_requests.now())
    return redirect("/members", 303)


@pages.post("/members/end")
@allow("keeper")
def end() -> AnyResponse:
    account_requests.accounts().end_account(_member_name(), account_requests.now())
    return redirect("/members", 303)


@pages.post("/members/sign-out")
@allow("keeper")
def sign_out() -> AnyResponse:
    account_requests.accounts().end_sessions(_member_name())
    return redirect("/members", 303)


@pages.post("/members/unlock")
@allow("keeper")
def unlock() -> AnyResponse:
    account_requests.accounts().unlock(_member_name())
    return redirect("/members", 303)


@pages.get("/members/incidents")
@allow("keeper")
def incidents() -> str:
    return render_template(
        "incidents.html", incidents=account_requests.accounts().incident_counts(), kinds=INCIDENT_TEXTS
    )


def _member_name() -> str:
    return account_requests.accounts().find_member(request.form.get("name", "")).name


def _page(name: str = "", token: str = "") -> str:
    """Return the list of members; a new link is shown in the reply that made it, and never again."""
    link = f"{account_requests.site().origin}/invitation/{token}" if token else ""
    return render_template(
        "members.html",
        accounts=account_requests.accounts().all_accounts(),
        pending=credentials.pending_invitations(account_requests.accounts(), account_requests.now()),
        name=name,
        link=link,
        now=account_requests.now(),
        day=account_requests.iso_date,
        until=valid_until,
    )
