"""What a view of the desk needs: the running desk, the event of its address, and who is asking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import abort, current_app, g, request

from ordws.desk.desk_key import DeskKey
from ordws.desk.events import DeskEvent, Events
from ordws.rate_limit import RateLimiter


@dataclass(frozen=True)
class Desk:
    """A running desk."""

    events: Events
    key: DeskKey
    clock: Callable[[], int]
    check_operator: Callable[[str], bool] | None = None
    """The check of an operator's key on a serving host; None on a laptop, where the desk's own key signs in."""

    rate_limiter: RateLimiter = field(default_factory=lambda: RateLimiter(limit=30))
    """The refused keys and codes of each address: 30 in ten minutes, for a hall shares one address."""


def desk() -> Desk:
    running: Desk = current_app.extensions["desk"]
    return running


def event_or_404(id: str) -> DeskEvent:
    """Return the event of this name in addresses; raises NotFound."""
    found = desk().events.find(id)
    if found is None:
        abort(404)
    return found


def actor() -> str:
    """Return the name of the director who is asking, as the log writes it."""
    return str(g.director)


def sender_address() -> str:
    return request.remote_addr or ""
