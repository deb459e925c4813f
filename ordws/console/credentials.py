"""Credentials: passkeys, and a password with a code. No member can remove their last one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from ordws.console.accounts import Accounts
from ordws.errors import BadInput
from ordws.frame import devices
from ordws.frame.sessions import Connection

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
            devices.forgive_holder(db, member)


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
