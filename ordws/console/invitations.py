"""Invitations: a link for one person, which works once and for a week."""

from __future__ import annotations

import secrets
from dataclasses import astuple, dataclass

from ordws.console.access import Role
from ordws.console.accounts import Accounts, find_person, insert_member, is_name_taken, remove_credentials
from ordws.console.credentials import Credential, insert_credential
from ordws.console.member_names import fold_member_name, read_member_name
from ordws.errors import BadInput, Missing
from ordws.frame.sessions import Connection
from ordws.frame.tokens import digest, new_token
from ordws.retention import INVITATIONS


@dataclass(frozen=True)
class Invitation:
    """A person who may make an account, or replace their credentials, by a link."""

    name: str
    role: Role
    handle: str
    """The id by which the person's passkeys will know them: random, so that it reveals nothing."""
    by: str | None
    """The keeper who invited the person; None for a command on the machine itself."""
    ends: int


def invite(accounts: Accounts, name: str, role: Role, by: str | None, now: int) -> str:
    """Invite a new person and return the token of their link; raises BadInput where the name is taken or invited."""
    name = read_member_name(name)
    with accounts.transaction() as db:
        if is_name_taken(db, name):
            raise BadInput(f'there is or was an account "{name}"', hint="names are not reused")
        if _find_invited(db, name, now):
            raise BadInput(f'"{name}" is invited already', hint="make another link, and the first is void")
        return _insert_invitation(db, Invitation(name, role, secrets.token_hex(32), by, now + INVITATIONS.seconds))


def invite_again(accounts: Accounts, name: str, by: str | None, now: int) -> str:
    """Return the token of another link for an invited person, or for a member who has lost their credentials.

    An earlier link is void at once; a member's old credentials work until the new link is used.
    """
    with accounts.transaction() as db:
        person = find_person(db, name) or _find_invited(db, name, 0)  # from time 0 on: expired ones too
        if person is None:
            raise Missing(f'nobody is called "{name}"', hint="invite them by a name and a role")
        return _insert_invitation(db, Invitation(*person, by, now + INVITATIONS.seconds))


def withdraw(accounts: Accounts, name: str, now: int) -> None:
    """Make the link of an invited person void; raises Missing where nobody of that name is invited."""
    with accounts.transaction() as db:
        if not _find_invited(db, name, now):
            raise Missing(f'nobody called "{name}" is invited')
        db.execute("DELETE FROM invitations WHERE folded = ?", (fold_member_name(name),))


def find(accounts: Accounts, token: str, now: int) -> Invitation | None:
    """Return the invitation of a link; None where it is used, too old, or unknown."""
    with accounts.connection() as db:
        return _find(db, token, now)


def pending(accounts: Accounts, now: int) -> list[Invitation]:
    """Return the invitations that are good and unused, by name."""
    with accounts.connection() as db:
        rows = db.execute("SELECT name, role, handle, by, ends FROM invitations WHERE ? < ends ORDER BY name", (now,))
        return [Invitation(*row) for row in rows.fetchall()]


def accept(accounts: Accounts, token: str, credential: Credential, now: int) -> str | None:
    """Use a link up: give its person an account, if they have none, and this one credential.

    Returns the member's name, or None where the link is not good any more.
    """
    with accounts.transaction() as db:
        invitation = _find(db, token, now)
        if invitation is None:
            return None
        db.execute("DELETE FROM invitations WHERE digest = ?", (digest(token),))
        if find_person(db, invitation.name):
            remove_credentials(db, invitation.name)
        else:
            insert_member(db, invitation.name, invitation.role, invitation.handle, now)
        insert_credential(db, invitation.name, credential, now)
        return invitation.name


def _insert_invitation(db: Connection, invitation: Invitation) -> str:
    token = new_token()
    name, role, handle, by, ends = astuple(invitation)
    row = (digest(token), name, fold_member_name(name), role, handle, by, ends)
    # The folded name is unique, so that this replaces an earlier invitation of the same person.
    db.execute("INSERT OR REPLACE INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return token


def _find(db: Connection, token: str, now: int) -> Invitation | None:
    row = db.execute(
        "SELECT name, role, handle, by, ends FROM invitations WHERE digest = ? AND ? < ends", (digest(token), now)
    ).fetchone()
    return Invitation(*row) if row else None


def _find_invited(db: Connection, name: str, now: int) -> tuple[str, Role, str] | None:
    sql = "SELECT name, role, handle FROM invitations WHERE folded = ? AND ? < ends"
    row: tuple[str, Role, str] | None = db.execute(sql, (fold_member_name(name), now)).fetchone()
    return row
