"""The keepers' inbox of nominations: each nominated word, its state in curation, and what a keeper may do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import current_member
from ordws.console.nominations import ANONYMOUS_NOMINATOR, find_bases, pending_nominations
from ordws.console.state import ConsoleState, console_state
from ordws.curation.acts import Nominated, NominationClosed, PriorityRaised, RecordedAct
from ordws.curation.override import Override
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput
from ordws.frame.application import allow

pages: Final = Blueprint("nomination_inbox", __name__)

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
def index() -> str:
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
