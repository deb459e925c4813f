"""What everybody may know: no key, no charge."""

from __future__ import annotations

from ordws.desk import replies
from ordws.desk.replies import Entrance, Reply, State, TwoLetterWords
from ordws.desk.requests import Nothing, WhichRules
from ordws.desk.wiring import Desk
from ordws.desk.words import published_by


def enter(desk: Desk, asked: Nothing, now: int) -> Reply:
    """What this service is."""
    return replies.private(
        Entrance(service="ordws", edition=desk.shelf.current.name, reference="/docs", openapi="/openapi.json")
    )


def list_twos(desk: Desk, asked: WhichRules, now: int) -> Reply:
    """The two-letter words of a rule set, the only published part of the word set."""
    return replies.public(TwoLetterWords(asked.rules, sorted(published_by(asked.rules).twos)))


def be_up(desk: Desk, asked: Nothing, now: int) -> Reply:
    """That the process answers."""
    return replies.private(State("up"))


def be_ready(desk: Desk, asked: Nothing, now: int) -> Reply:
    """That questions are answered: an edition is open, and the register and the meters answer."""
    desk.register.check()
    desk.gate.check(now)
    return replies.private(State("ready"))
