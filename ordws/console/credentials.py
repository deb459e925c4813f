"""Credentials (passkeys, and a password with a code), and the invitations by which people make their first.

No member can remove their last credential. An invitation is a link for one person, which works once and for a week.
"""

from __future__ import annotations

import secrets
from dataclasses import astuple, dataclass
from typing import Final, NamedTuple, TypeAlias

from ordws.console.access import Role
from ordws.console.accounts import (
    Accounts,
    find_person,
    fold_member_name,
    insert_member,
    is_name_taken,
    read_member_name,
    remove_credentials,
)
from ordws.errors import BadInput, Missing
from ordws.frame import sessions
from ordws.frame.sessions import Connection, digest, new_token
from ordws.retention import INVITATIONS

MAX_LABEL_LENGTH: Final = 60


@dataclass(frozen=True)
class Passkey:
    """A new passkey."""

    id: str
    public_key: str
    sign_count: int
    label: str


@dataclass(frozen=True)
class PasswordCredential:
    """A password's hash, the secret of its codes, and the time step of the code that proved the app."""

    hash: str
    totp_secret: str
    totp_step: int


class StoredPassword(NamedTuple):
    """A password as it is stored, with its member."""

    member: str
    hash: str
    totp_secret: str
    totp_step: int


class KnownPasskey(NamedTuple):
    """A passkey as it is stored, with its member and the id by which it knows them."""

    id: str
    public_key: str
    sign_count: int
    member: str
    handle: str


Credential: TypeAlias = Passkey | PasswordCredential


@dataclass(frozen=True)
class PasskeyInfo:
    """A passkey as the page of its member shows it."""

    id: str
    label: str
    since: int


def insert_credential(db: Connection, member: str, credential: Credential, now: int) -> None:
    """Add a credential of a member within a transaction of the caller; a second password replaces the first.

    Raises BadInput for a passkey that is known already, and for a label that is too long.
    """
    match credential:
        case Passkey(id, public_key, sign_count, label):
            row = (id, member, public_key, sign_count, read_passkey_label(label), now)
            # Ids are unique among all members, so that one passkey never opens two accounts.
            if not db.execute("INSERT OR IGNORE INTO passkeys VALUES (?, ?, ?, ?, ?, ?)", row).rowcount:
                raise BadInput("this passkey is known already", hint="make another")
        case PasswordCredential(hash, secret, step):
            db.execute(
                "UPDATE members SET password = ?, totp = ?, totp_step = ? WHERE name = ?", (hash, secret, step, member)
            )
            sessions.forgive_holder(db, member)


def add_credential(accounts: Accounts, member: str, credential: Credential, now: int) -> None:
    """Add a credential of a member; see `insert_credential`."""
    with accounts.transaction() as db:
        insert_credential(db, member, credential, now)


def find_user_handle(accounts: Accounts, member: str) -> str:
    """Return the random id by which a member's passkeys know them."""
    with accounts.connection() as db:
        return str(db.execute("SELECT handle FROM members WHERE name = ?", (member,)).fetchone()[0])


def list_passkeys(accounts: Accounts, member: str) -> list[PasskeyInfo]:
    """Return a member's passkeys, the oldest first."""
    with accounts.connection() as db:
        rows = db.execute("SELECT id, label, since FROM passkeys WHERE member = ? ORDER BY since, id", (member,))
        return [PasskeyInfo(*row) for row in rows.fetchall()]


def has_password(accounts: Accounts, member: str) -> bool:
    with accounts.connection() as db:
        return db.execute("SELECT password FROM members WHERE name = ?", (member,)).fetchone()[0] is not None


def rename_passkey(accounts: Accounts, member: str, id: str, label: str) -> None:
    with accounts.transaction() as db:
        db.execute("UPDATE passkeys SET label = ? WHERE id = ? AND member = ?", (read_passkey_label(label), id, member))


def remove_passkey(accounts: Accounts, member: str, id: str) -> None:
    """Remove a passkey; raises BadInput where it is the member's last credential."""
    with accounts.transaction() as db:
        db.execute("DELETE FROM passkeys WHERE id = ? AND member = ?", (id, member))
        _require_credential(db, member)


def remove_password(accounts: Accounts, member: str) -> None:
    """Remove a password and its codes; raises BadInput where they are the member's last credential."""
    with accounts.transaction() as db:
        db.execute("UPDATE members SET password = NULL, totp = NULL WHERE name = ?", (member,))
        _require_credential(db, member)


def find_passkey(accounts: Accounts, id: str) -> KnownPasskey | None:
    """Return a passkey and its member, unless their account has ended."""
    with accounts.connection() as db:
        row = db.execute(
            "SELECT id, public_key, uses, member, handle FROM passkeys JOIN members ON member = name"
            " WHERE id = ? AND ended IS NULL",
            (id,),
        ).fetchone()
    return KnownPasskey(*row) if row else None


def use_passkey(db: Connection, known: KnownPasskey, sign_count: int) -> bool:
    """Note a use of a passkey; return False where it was removed, or a copy of it used, in the meantime."""
    # Then no row has the old count any more.
    sql = "UPDATE passkeys SET uses = ? WHERE id = ? AND member = ? AND uses = ?"
    return bool(db.execute(sql, (sign_count, known.id, known.member, known.sign_count)).rowcount == 1)


def find_password(db: Connection, folded: str) -> StoredPassword | None:
    """Return the password of the member with a folded name, unless there is none or the account has ended."""
    sql = "SELECT name, password, totp, totp_step FROM members WHERE folded = ? AND password IS NOT NULL"
    row = db.execute(f"{sql} AND ended IS NULL", (folded,)).fetchone()
    return StoredPassword(*row) if row else None


def use_code(db: Connection, member: str, step: int) -> None:
    """Note the time step of a code, which is not good again."""
    db.execute("UPDATE members SET totp_step = ? WHERE name = ?", (step, member))


def read_passkey_label(text: str) -> str:
    """Return a member's name for a passkey without spare spaces; raises BadInput where it cannot be shown."""
    label = " ".join(text.split()) or "Passkey"
    if len(label) > MAX_LABEL_LENGTH or not label.isprintable():
        raise BadInput(f"a passkey's name has at most {MAX_LABEL_LENGTH} printable characters")
    return label


def _require_credential(db: Connection, member: str) -> None:
    """Raise BadInput, which rolls the transaction back, where a member has no credential left."""
    row = db.execute(
        "SELECT password IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE member = name) FROM members"
        " WHERE name = ?",
        (member,),
    ).fetchone()
    if not row[0]:
        raise BadInput("that is the last way into this account", hint="add another first")


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


def withdraw_invitation(accounts: Accounts, name: str, now: int) -> None:
    """Make the link of an invited person void; raises Missing where nobody of that name is invited."""
    with accounts.transaction() as db:
        if not _find_invited(db, name, now):
            raise Missing(f'nobody called "{name}" is invited')
        db.execute("DELETE FROM invitations WHERE folded = ?", (fold_member_name(name),))


def find_invitation(accounts: Accounts, token: str, now: int) -> Invitation | None:
    """Return the invitation of a link; None where it is used, too old, or unknown."""
    with accounts.connection() as db:
        return _find_open_invitation(db, token, now)


def pending_invitations(accounts: Accounts, now: int) -> list[Invitation]:
    """Return the invitations that are good and unused, by name."""
    with accounts.connection() as db:
        rows = db.execute("SELECT name, role, handle, by, ends FROM invitations WHERE ? < ends ORDER BY name", (now,))
        return [Invitation(*row) for row in rows.fetchall()]


def accept_invitation(accounts: Accounts, token: str, credential: Credential, now: int) -> str | None:
    """Use a link up: give its person an account, if they have none, and this one credential.

    Returns the member's name, or None where the link is not good any more.
    """
    with accounts.transaction() as db:
        invitation = _find_open_invitation(db, token, now)
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


def _find_open_invitation(db: Connection, token: str, now: int) -> Invitation | None:
    row = db.execute(
        "SELECT name, role, handle, by, ends FROM invitations WHERE digest = ? AND ? < ends", (digest(token), now)
    ).fetchone()
    return Invitation(*row) if row else None


def _find_invited(db: Connection, name: str, now: int) -> tuple[str, Role, str] | None:
    sql = "SELECT name, role, handle FROM invitations WHERE folded = ? AND ? < ends"
    row: tuple[str, Role, str] | None = db.execute(sql, (fold_member_name(name), now)).fetchone()
    return row
