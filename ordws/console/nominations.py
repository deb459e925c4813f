"""Nominations of words by anybody, and the keepers' inbox of them: each word, its state, and what a keeper may do.

The reply to a nomination is the same whatever the word is. A curator's carries their name.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from flask import Blueprint, abort, current_app, g, make_response, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, Member, current_member
from ordws.console.state import ConsoleState, console_state, retract_votes
from ordws.curation.acts import Act, Nominated, NominationClosed, PriorityRaised, RecordedAct, Recused
from ordws.curation.decision import Override, is_reason
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH, find_fold
from ordws.frame.application import allow
from ordws.sender_limits import RateLimiter

pages: Final = Blueprint("nominations", __name__)

MAX_PENDING: Final = 1_000
"""The nominations that wait, beyond which strangers are asked to come later: twenty pages of the inbox."""
MAX_A_MINUTE: Final = 60
MAX_A_MINUTE_PER_ADDRESS: Final = 6
MAX_REASON_LENGTH: Final = 500
RETRY_WHEN_FULL_SECONDS: Final = 3_600
ANONYMOUS_NOMINATOR: Final = "outside"
"""The actor of a nomination, in the ledger, where nobody is signed in."""
InboxAction: TypeAlias = Literal["reopen", "raise", "add", "exclude", "dismiss"]
InboxAnswer: TypeAlias = Literal["reopened", "raised", "overridden", "dismissed"]
_ANSWER_BY_ACTION: Final[dict[InboxAction, InboxAnswer]] = {
    "reopen": "reopened",
    "raise": "raised",
    "add": "overridden",
    "exclude": "overridden",
    "dismiss": "dismissed",
}
PAGE_SIZE: Final = 50


class PendingNominations:
    """The nominations that wait for a keeper, by id; only for use inside `reading` or `appending`, which lock."""

    def __init__(self) -> None:
        self._pending: dict[str, RecordedAct] = {}
        self._last_row = 0

    def update(self, ledger: Ledger) -> dict[str, RecordedAct]:
        """Read the acts since the last call, and return the nominations that are pending now."""
        acts, self._last_row = ledger.nominations_since(self._last_row)
        for done in acts:
            if isinstance(done.act, Nominated):
                self._pending[done.act.id] = done
            elif isinstance(done.act, NominationClosed):
                self._pending.pop(done.act.id, None)
        return self._pending


@pages.record_once
def _open(state: BlueprintSetupState) -> None:
    rate_limiter = RateLimiter(MAX_A_MINUTE_PER_ADDRESS, total_limit=MAX_A_MINUTE, window_seconds=60)
    state.app.extensions.update(pending_nominations=PendingNominations(), nomination_rate_limiter=rate_limiter)


def pending_nominations() -> PendingNominations:
    """Return the pending nominations of the console that answers this request."""
    pending: PendingNominations = current_app.extensions["pending_nominations"]
    return pending


@pages.get("/nominate")
@allow()
def page() -> Response:
    """Show the form."""
    return _page(200)


@pages.post("/nominate")
@allow()
def nominate() -> Response:
    """Take a nomination; the reply is the same for every word, so that it reveals nothing of editions or the queue."""
    # The limit comes first, so that refused texts count towards it too. It is for strangers: they must not use up what
    # members may nominate, who answer for it by their names.
    rate_limiter: RateLimiter = current_app.extensions["nomination_rate_limiter"]
    if not g.session and (wait := rate_limiter.acquire(request.remote_addr or "", console_state().clock())):
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
    """Append a nomination and return True; return False for a stranger's where too many are pending.

    A curator who nominates a word is recused from its family, in the same link.
    """
    is_voter = member is not None and member.role in VOTERS
    nominator = member.name if member is not None else ANONYMOUS_NOMINATOR
    with state.reading():
        # A stranger's word is not looked up, so that the reply does not depend on the queue.
        base = find_bases(state.family_states, {word}).get(word) if is_voter else None
        with state.appending([] if base is None else [base]) as ledger:
            if member is None and len(pending_nominations().update(ledger)) >= MAX_PENDING:
                return False
            acts: list[tuple[str, Act]] = [(word, Nominated(id=str(uuid.uuid4()), reason=reason, is_curator=is_voter))]
            if base is not None:
                acts.append((base, Recused(reason="nominated it")))
            ledger.append_acts(acts, nominator, state.timestamp())
        if base is not None:
            retract_votes(state, base, nominator)
    return True


def find_bases(family_states: Mapping[str, FamilyState], words: Collection[str]) -> dict[str, str]:
    """Map each of these words to the base of its family in the queue; takes equally long for all words."""
    bases = {form: base for base, family_state in family_states.items() for form in family_state.forms if form in words}
    return bases | {word: word for word in words if word in family_states}


def _page(
    status: int, problem: str = "", *, is_taken: bool = False, retry_after_seconds: int | None = None
) -> Response:
    html = render_template("nominate.html", problem=problem, is_taken=is_taken, longest=MAX_REASON_LENGTH)
    response = make_response(html, status)
    if retry_after_seconds is not None:
        response.headers["Retry-After"] = str(retry_after_seconds)
    return response


class NominatedWord(NamedTuple):
    """A nominated word, with all that a keeper should know of it."""

    word: str
    nominations: list[RecordedAct]
    """The nominations that wait for an answer."""
    answers: list[RecordedAct]
    """The answers to earlier nominations."""
    family_state: FamilyState | None
    override: Override | None

    @property
    def status(self) -> str:
        """The state of the word in curation; the console does not know whether it is in an edition."""
        family_state = self.family_state
        if family_state is None:
            return "not in the queue"
        if family_state.is_open:
            return "open" if family_state.decision is None else "being voted on again"
        if family_state.is_contested:
            return "contested"
        return "decided in" if family_state.decision and family_state.decision.includes(self.word) else "decided out"

    @property
    def can_reopen(self) -> bool:
        return self.family_state is not None and not self.family_state.is_open and not self.family_state.is_contested

    @property
    def can_raise(self) -> bool:
        return self.family_state is not None and self.family_state.is_open and not self.family_state.is_raised


@pages.get("/keeping/nominations")
@allow("keeper")
def inbox() -> str:
    """Show the pending nominations: words that members nominated first, then those that were nominated most often."""
    text = request.args.get("page", "1")
    number = int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 5 else 1
    first, state = (max(number, 1) - 1) * PAGE_SIZE, console_state()
    with state.reading() as ledger:
        pending: dict[str, list[RecordedAct]] = {}
        for done in pending_nominations().update(ledger).values():
            pending.setdefault(done.subject, []).append(done)
        words = sorted(pending, key=lambda word: _rank(pending[word]))[first : first + PAGE_SIZE]
        bases, overrides = find_bases(state.family_states, set(words)), ledger.overrides()
        answers: dict[str, list[RecordedAct]] = {}
        for done in ledger.acts(words):
            if isinstance(done.act, NominationClosed):
                answers.setdefault(done.subject, []).append(done)
        families = {word: state.family_states[bases[word]] for word in words if word in bases}
    cases = [
        NominatedWord(word, pending[word], answers.get(word, []), families.get(word), overrides.get(word))
        for word in words
    ]
    count = len(pending)
    return render_template(
        "keeping_nominations.html", cases=cases, count=count, page=number, last=-(-count // PAGE_SIZE)
    )


@pages.post("/keeping/nominations")
@allow("keeper")
def answer() -> Response:
    """Carry out a keeper's decision on a word, and close its nominations; or close all of strangers."""
    if request.form.get("action") == "dismiss-strangers":
        dismiss_strangers(console_state(), current_member().name)
        return redirect("/keeping/nominations", 303)
    action = next((each for each in get_args(InboxAction) if each == request.form.get("action")), None)
    if action is None:
        abort(400)
    resolve(
        console_state(),
        request.form.get("word", ""),
        action,
        request.form.get("reason", "").strip(),
        current_member().name,
    )
    return redirect("/keeping/nominations", 303)


def dismiss_strangers(state: ConsoleState, keeper: str) -> None:
    """Close all pending nominations of strangers: who wants to can fill the inbox with them."""
    with state.appending([]) as ledger:
        ledger.append_acts(
            [
                (done.subject, NominationClosed(id=done.act.id, answer="dismissed"))
                for done in pending_nominations().update(ledger).values()
                if _is_strangers(done) and isinstance(done.act, Nominated)
            ],
            keeper,
            state.timestamp(),
        )


def _rank(nominations: Sequence[RecordedAct]) -> tuple[bool, int, int]:
    return all(map(_is_strangers, nominations)), -len(nominations), nominations[0].link


def _is_strangers(nomination: RecordedAct) -> bool:
    return nomination.actor == ANONYMOUS_NOMINATOR


def resolve(state: ConsoleState, word: str, action: InboxAction, reason: str, keeper: str) -> None:
    """Carry out an action on a nominated word, then close its nominations.

    Raises BadInput where the action is not possible, or no nomination of the word is pending.
    """
    with state.reading() as ledger:
        ids = [
            done.act.id
            for done in pending_nominations().update(ledger).values()
            if done.subject == word and isinstance(done.act, Nominated)
        ]
        if not ids:
            raise BadInput("this word has no open nominations any more")
        base = find_bases(state.family_states, {word}).get(word, word)
        family_state = state.family_states.get(base)
        with state.appending([base]) as ledger:
            match action:
                case "reopen":
                    if family_state is not None and family_state.is_contested:
                        raise BadInput("the family is contested: it is discussed, and then voted on again")
                    ledger.reopen(base, keeper, reason, state.timestamp())
                case "raise":
                    if family_state is None or not family_state.is_open:
                        raise BadInput("the family is not being voted on")
                    ledger.append_acts([(base, PriorityRaised())], keeper, state.timestamp())
                case "add" | "exclude":
                    ledger.override(action, word, reason=reason, keeper=keeper, at=state.timestamp())
                case "dismiss":
                    pass
        # In an append of its own: `appending` follows one link at a time.
        closed = [(word, NominationClosed(id=id, answer=_ANSWER_BY_ACTION[action], reason=reason)) for id in ids]
        with state.appending([]) as ledger:
            ledger.append_acts(closed, keeper, state.timestamp())
