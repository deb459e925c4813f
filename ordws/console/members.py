"""Members, for keepers: who may sign in, invitations, and what was refused."""

from __future__ import annotations

from typing import Final, get_args

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import declared, door, invitations
from ordws.console.access import Role, allow, current_member
from ordws.errors import BadInput

pages: Final = Blueprint("members", __name__)
INCIDENT_TEXTS: Final = {
    "wrong-password": "name, password or code that did not fit",
    "locked": "password tried while the account was locked",
    "bad-passkey": "passkey that was not good",
    "bad-link": "invitation used, too old or unknown",
    "forged": "change that came from no page of ours",
    "not-allowed": "page of another role",
}
"""What was refused, in words."""
ROLES: Final[dict[str, Role]] = {role: role for role in get_args(Role)}


@pages.get("/members")
@allow("keeper")
def page() -> str:
    return _page()


@pages.post("/members/invite")
@allow("keeper")
def invite() -> str:
    name, role = request.form.get("name", ""), request.form.get("role", "")
    if role not in ROLES:
        raise BadInput(f'role: "{role}" is none of {", ".join(ROLES)}')
    token = invitations.invite(door.accounts(), name, ROLES[role], current_member().name, door.now())
    return _page(name, token)


@pages.post("/members/invite-again")
@allow("keeper")
def invite_again() -> str:
    name = request.form.get("name", "")
    return _page(name, invitations.invite_again(door.accounts(), name, current_member().name, door.now()))


@pages.post("/members/withdraw")
@allow("keeper")
def withdraw() -> AnyResponse:
    invitations.withdraw(door.accounts(), request.form.get("name", ""), door.now())
    return redirect("/members", 303)


@pages.post("/members/end")
@allow("keeper")
def end() -> AnyResponse:
    door.accounts().end_account(_member_name(), door.now())
    return redirect("/members", 303)


@pages.post("/members/sign-out")
@allow("keeper")
def sign_out() -> AnyResponse:
    door.accounts().end_sessions(_member_name())
    return redirect("/members", 303)


@pages.post("/members/unlock")
@allow("keeper")
def unlock() -> AnyResponse:
    door.accounts().unlock(_member_name())
    return redirect("/members", 303)


@pages.get("/members/incidents")
@allow("keeper")
def incidents() -> str:
    return render_template("incidents.html", incidents=door.accounts().incident_counts(), kinds=INCIDENT_TEXTS)


def _member_name() -> str:
    return door.accounts().find_member(request.form.get("name", "")).name


def _page(name: str = "", token: str = "") -> str:
    """The list; a link is shown in the answer that made it, and never again."""
    link = f"{door.site().origin}/invitation/{token}" if token else ""
    return render_template(
        "members.html",
        accounts=door.accounts().all_accounts(),
        pending=invitations.pending(door.accounts(), door.now()),
        roles=ROLES,
        name=name,
        link=link,
        now=door.now(),
        day=door.iso_date,
        until=declared.valid_until,
    )
