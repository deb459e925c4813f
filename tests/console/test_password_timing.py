"""The cost of an attempt at a password, which is the same for an unknown name."""

from __future__ import annotations

import math
import time

from console_installation import families, open_console_installation
from sign_in_helpers import PASSWORD, AnonymousBrowser, add_member_with_password

from ordws.console import authentication

WRONG = "quite another password"
ROUNDS = 9


def test_an_unknown_name_takes_as_long(tmp_path):
    """A hash is verified where there is no password too, so that the time does not tell whether a name exists."""
    with open_console_installation(tmp_path, families(1)) as installation:
        add_member_with_password(installation, "Ada")
        ada = AnonymousBrowser(installation)

        def cost(name: str) -> float:
            begun = time.process_time()
            ada.sign_in(name, WRONG)
            return time.process_time() - begun

        known = unknown = math.inf
        for _ in range(ROUNDS):  # the least of each, since other processes lengthen one or the other
            known, unknown = min(known, cost("Ada")), min(unknown, cost("Eve"))
            if 0.5 * known < unknown < 2 * known:
                return
        raise AssertionError(f"{unknown} s for an unknown name, {known} s for a known one")


def test_passwords_are_kept_as_argon2id():
    """Passwords are hashed by Argon2id with a salt and the parameters of RFC 9106."""
    one, other = authentication.hash_password(PASSWORD), authentication.hash_password(PASSWORD)
    assert one != other
    assert one.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert not authentication.HASHER.check_needs_rehash(authentication.DECOY), (
        "the check of an unknown name costs something else"
    )
