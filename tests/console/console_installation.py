"""A console over a real ledger and real accounts, in process, and the requests of its members' browsers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined
from werkzeug.test import TestResponse

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.console.access import Role
from ordws.console.app import CONSOLE, create_app
from ordws.console.state import ConsoleState, open_console_state
from ordws.curation.family import Candidate, Derivation, Family, FamilyStanding, Witness
from ordws.curation.ledger import Ledger
from ordws.frame.application import CSRF_HEADER
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring

NOON = 1_795_262_400
"""2026-11-21, 12:00 UTC."""
AT = "2026-11-21T12:00:00Z"
HOST = "http://localhost:8010"
QUIET = (467).to_bytes(32)
"""A console key under which the first 25 cards of ann, and the first 12 of ben and cleo, are no checks."""


@dataclass
class Clock:
    now: int = NOON

    def __call__(self) -> int:
        return self.now


def make_family(
    base: str,
    *others: str,
    standing: FamilyStanding = "borderline",
    gloss: str = "to strike",
    pattern: str = "",
    of: str = "",
) -> Family:
    """Return a family of forms that one dictionary has; `pattern` and `of` give the derivation of its base."""
    derivations = (Derivation(pattern, of, is_settled=True),) if pattern else ()
    witness = Witness("gcide", "headword", "base", "verb", ("dialect",), gloss)
    head = Candidate(base, (witness,), 2.31, 60, derivations)
    rest = [Candidate(word, (Witness("gcide", "rule", "past", "verb"),)) for word in others]
    return Family(base, standing, (head, *rest))


def families(count: int) -> list[Family]:
    """Return so many families, with names made of letters alone: BAAA, BAAB ..."""
    letters = itertools.product("ABCDEFGHIJKLMNOPQRST", repeat=3)
    return [make_family("B" + "".join(each)) for each in itertools.islice(letters, count)]


class Browser:
    """The browser of a signed-in member."""

    def __init__(self, installation: ConsoleInstallation, name: str) -> None:
        self.installation, self.name = installation, name
        self.http = installation.app.test_client()
        cookie, self.session = installation.state.accounts.begin_session(name, installation.clock.now)
        self.http.set_cookie(CONSOLE.cookie, cookie, domain="localhost")

    @property
    def origin(self) -> str:
        """The origin of the console, also while it is served to real browsers."""
        origin: str = self.installation.app.config["ORIGIN"]
        return origin

    def get(self, path: str) -> TestResponse:
        return self.http.get(path, base_url=self.origin)

    def text(self, path: str) -> str:
        """Return a page without the token in it, whose random letters are a short name now and then."""
        return self.get(path).text.replace(self.session.csrf, "")

    def api(self, path: str, **body: Any) -> TestResponse:
        """POST JSON, as the pages' scripts do."""
        headers = {CSRF_HEADER: self.session.csrf, "Origin": self.origin}
        return self.http.post(path, json=body, base_url=self.origin, headers=headers)

    def form(self, path: str, **fields: Any) -> TestResponse:
        """POST a form of a page."""
        data = {"csrf": self.session.csrf, **fields}
        return self.http.post(path, data=data, base_url=self.origin, headers={"Origin": self.origin})


@dataclass
class ConsoleInstallation:
    """An installation with a console."""

    instance: Instance
    state: ConsoleState
    clock: Clock
    app: Any

    def browser(self, name: str) -> Browser:
        return Browser(self, name)

    def member(self, name: str, role: Role = "curator") -> Browser:
        """Add a member who has declared, and return their signed-in browser."""
        self.state.accounts.add_member(name, role, self.clock.now)
        self.state.accounts.record_declaration(name, self.clock.now)
        return Browser(self, name)


def make_installation(root: Path, queued: Iterable[Family]) -> tuple[Instance, Ledger]:
    """Make keys, and a ledger with these families in its queue."""
    instance = Instance(root)
    instance.make_folders()
    keyring = Keyring.create(instance.keys)
    write_atomically(instance.ledger_key, b"k" * 32, SECRET_MODE)
    ledger = Ledger.create(instance.ledger, instance.ledger_head, b"k" * 32, keyring)
    ledger.set_queue(queued, AT)
    return instance, ledger


@contextmanager
def open_console_installation(
    root: Path, queued: Iterable[Family], key: bytes = QUIET
) -> Iterator[ConsoleInstallation]:
    """Yield an installation with a console in process; everything is closed at the end."""
    instance, ledger = make_installation(root, queued)
    write_atomically(instance.console_key, key, SECRET_MODE)
    clock = Clock()
    state = open_console_state(instance, ledger, clock)
    app = create_app(state)
    # A template that names what no view gives it fails its test, where Jinja would write nothing.
    app.jinja_env.undefined = StrictUndefined
    installation = ConsoleInstallation(instance, state, clock, app)
    yield installation
    installation.state.close()


def restart(installation: ConsoleInstallation, browser: Browser) -> Browser:
    """Restart the console over the same installation; return the member's browser, signed in again."""
    installation.state.close()
    instance = installation.instance
    ledger = Ledger.open(instance.ledger, instance.ledger_head, b"k" * 32, Keyring.open(instance.keys))
    installation.state = open_console_state(instance, ledger, installation.clock)
    installation.app = create_app(installation.state)
    return installation.browser(browser.name)
