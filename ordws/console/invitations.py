"""Invitations: a link for one person, good once and for a week."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from ordws.console.access import Role
from ordws.console.accounts import Accounts, insert_member, is_name_taken
from ordws.console.credentials import Credential, insert_credential, remove_credentials
from ordws.console.member_names import fold_member_name, read_member_name
from ordws.console.tokens import digest, new_token
from ordws.curation.sqlcipher import Database
from ordws.errors import BadInput, Missing

VALID_SECONDS: Final = 7 * 86_400


@dataclass(frozen=True)
class Invitation:
    """Somebody who may come in by a link."""

    name: str
    role: Role
    handle: str
    """What his passkeys will know him by: random, so that it tells them nothing."""
    by: str | None
    """The keeper who invited him; None for whoever runs commands on the machine."""
    ends: int


def invite(accounts: Accounts, name: str, role: Role, by: str | None, now: int) -> str:
    """The token of a link for somebody new; raises BadInput where the name is taken or invited already."""
    name = read_member_name(name)
    with accounts.transaction() as db:
        if is_name_taken(db, name):
            raise BadInput(f'there is or was an account "{name}"', hint="names are not given again")
        if _find_named(db, name, now):
            raise BadInput(f'"{name}" is invited already', hint="make another link, and the first is void")
        return _insert_invitation(db, Invitation(name, role, secrets.token_hex(32), by, now + VALID_SECONDS))


def invite_again(accounts: Accounts, name: str, by: str | None, now: int) -> str:
    """The token of another link for somebody invited, or for a member who cannot get in any more.

    An earlier link of his is void at once. What let a member in goes on until he uses the new one.
    """
    with accounts.transaction() as db:
        old = _find_member(db, name) or _find_named(db, name, 0)
        if old is None:
            raise Missing(f'nobody is called "{name}"', hint="invite them by a name and a role")
        return _insert_invitation(db, Invitation(old[0], old[1], old[2], by, now + VALID_SECONDS))


def withdraw(accounts: Accounts, name: str, now: int) -> None:
    """Make the link of somebody invited void; raises Missing where nobody of that name waits to come in."""
    with accounts.transaction() as db:
        if not _find_named(db, name, now):
            raise Missing(f'nobody called "{name}" is invited')
        db.execute("DELETE FROM invitations WHERE folded = ?", (fold_member_name(name),))


def find(accounts: Accounts, token: str, now: int) -> Invitation | None:
    """What a link invites to; None where it is used, too old, or never was."""
    with accounts.connection() as db:
        return _find(db, token, now)


def pending(accounts: Accounts, now: int) -> list[Invitation]:
    """Who was invited and has not come."""
    with accounts.connection() as db:
        rows = db.execute("SELECT name, role, handle, by, ends FROM invitations WHERE ? < ends ORDER BY name", (now,))
        return [Invitation(*row) for row in rows.fetchall()]


def accept(accounts: Accounts, token: str, credential: Credential, now: int) -> str | None:
    """Use a link up: its member has this one way in; returns his name, or None where the link is not good any more."""
    with accounts.transaction() as db:
        invitation = _find(db, token, now)
        if invitation is None:
            return None
        db.execute("DELETE FROM invitations WHERE digest = ?", (digest(token),))
        if _find_member(db, invitation.name):
            remove_credentials(db, invitation.name)
        else:
            insert_member(db, invitation.name, invitation.role, invitation.handle, now)
        insert_credential(db, invitation.name, credential, now)
        return invitation.name


def _insert_invitation(db: Database, invitation: Invitation) -> str:
    token, each = new_token(), invitation
    row = (digest(token), each.name, fold_member_name(each.name), each.role, each.handle, each.by, each.ends)
    db.execute("INSERT OR REPLACE INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return token


def _find(db: Database, token: str, now: int) -> Invitation | None:
    row = db.execute(
        "SELECT name, role, handle, by, ends FROM invitations WHERE digest = ? AND ? < ends", (digest(token), now)
    ).fetchone()
    return Invitation(*row) if row else None


def _find_named(db: Database, name: str, now: int) -> tuple[str, Role, str] | None:
    sql = "SELECT name, role, handle FROM invitations WHERE folded = ? AND ? < ends"
    row: tuple[str, Role, str] | None = db.execute(sql, (fold_member_name(name), now)).fetchone()
    return row


def _find_member(db: Database, name: str) -> tuple[str, Role, str] | None:
    sql = "SELECT name, role, handle FROM members WHERE folded = ? AND ended IS NULL"
    row: tuple[str, Role, str] | None = db.execute(sql, (fold_member_name(name),)).fetchone()
    return row
