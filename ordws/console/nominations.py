"""Nominations from outside: one word, one answer, whatever the word is. A curator's bears his name."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Final

from flask import Blueprint, current_app, g, make_response, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, Member, allow
from ordws.console.rate_limit import RateLimiter
from ordws.console.state import ConsoleState, console_state, retract_votes
from ordws.curation.acts import Act, Nominated, NominationClosed, RecordedAct, Recused
from ordws.curation.ballot import is_reason
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH, find_fold

pages: Final = Blueprint("nominations", __name__)

MOST_WAITING: Final = 10_000
MAX_A_MINUTE: Final = 60
MAX_A_MINUTE_PER_ADDRESS: Final = 6
MAX_REASON_LENGTH: Final = 500
MAX_BODY_BYTES: Final = 16 * 1024
RETRY_WHEN_FULL_SECONDS: Final = 3_600
ANONYMOUS_NOMINATOR: Final = "outside"
"""Who nominated, where nobody is signed in."""


class PendingNominations:
    """What waits for a keeper, by the id it was nominated under; used while the room is read or changed."""

    def __init__(self) -> None:
        self._waiting: dict[str, RecordedAct] = {}
        self._last_row = 0

    def update(self, ledger: Ledger) -> dict[str, RecordedAct]:
        """What waits by now."""
        acts, self._last_row = ledger.nominations_since(self._last_row)
        for done in acts:
            if isinstance(done.act, Nominated):
                self._waiting[done.act.id] = done
            elif isinstance(done.act, NominationClosed):
                self._waiting.pop(done.act.id, None)
        return self._waiting


@pages.record_once
def _open(state: BlueprintSetupState) -> None:
    flood = RateLimiter(MAX_A_MINUTE_PER_ADDRESS, total_limit=MAX_A_MINUTE, window_seconds=60)
    state.app.extensions.update({"inbox": PendingNominations(), "nominations flood": flood})


def pending_nominations() -> PendingNominations:
    """The inbox of the console that answers this request."""
    found: PendingNominations = current_app.extensions["inbox"]
    return found


@pages.get("/nominate")
@allow()
def page() -> Response:
    """One word, and why."""
    return _page(200)


@pages.post("/nominate")
@allow()
def nominate() -> Response:
    """The same answer for every word; only what is no word, by its letters alone, is told apart."""
    request.max_content_length = MAX_BODY_BYTES
    flood: RateLimiter = current_app.extensions["nominations flood"]
    if wait := flood.acquire(request.remote_addr or "", console_state().clock()):
        return _page(429, "Too many ask at the moment. Please try again in a minute.", retry_after_seconds=wait)
    word, reason = find_fold(request.form.get("word", "").strip()), request.form.get("reason", "").strip()
    if word is None:
        return _page(
            400,
            f"That is not one word of {MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters, A to Z with or without accents.",
        )
    if len(reason) > MAX_REASON_LENGTH or not is_reason(reason):
        return _page(400, f"A reason has at most {MAX_REASON_LENGTH} characters.")
    if not record_nomination(console_state(), word, reason, g.session.member if g.session else None):
        return _page(
            503, "Too many words are under review. Please try again later.", retry_after_seconds=RETRY_WHEN_FULL_SECONDS
        )
    return _page(202, is_taken=True)


def record_nomination(state: ConsoleState, word: str, reason: str, member: Member | None) -> bool:
    """Append a nomination; False where too many wait. A curator does not vote on what he nominates."""
    votes = member is not None and member.role in VOTERS
    who = member.name if member is not None else ANONYMOUS_NOMINATOR
    with state.reading():
        base = find_bases(state.matters, {word}).get(word) if votes else None
        with state.appending([] if base is None else [base]) as ledger:
            if len(pending_nominations().update(ledger)) >= MOST_WAITING:
                return False
            acts: list[tuple[str, Act]] = [(word, Nominated(id=str(uuid.uuid4()), reason=reason, is_curator=votes))]
            if base is not None:
                acts.append((base, Recused(reason="nominated it")))
            ledger.append_acts(acts, who, state.timestamp())
        if base is not None:
            retract_votes(state, base, who)
    return True


def find_bases(matters: Mapping[str, FamilyState], words: Collection[str]) -> dict[str, str]:
    """The families that words belong to, of those in the queue; takes as long whichever words these are."""
    found = {form: base for base, matter in matters.items() for form in matter.forms if form in words}
    return found | {word: word for word in words if word in matters}


def _page(
    status: int, problem: str = "", *, is_taken: bool = False, retry_after_seconds: int | None = None
) -> Response:
    shown = render_template("nominate.html", problem=problem, is_taken=is_taken, longest=MAX_REASON_LENGTH)
    response = make_response(shown, status)
    if retry_after_seconds is not None:
        response.headers["Retry-After"] = str(retry_after_seconds)
    return response
