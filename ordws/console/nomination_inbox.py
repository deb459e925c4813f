"""The keepers' inbox: what was nominated, where it stands, and what a keeper does about it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import allow, current_member
from ordws.console.nominations import find_bases, pending_nominations
from ordws.console.state import ConsoleState, console_state
from ordws.curation.acts import Nominated, NominationClosed, PriorityRaised, RecordedAct
from ordws.curation.override import Override
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput

pages: Final = Blueprint("inbox", __name__)

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
    """A word that was nominated, with all that a keeper should know of it."""

    word: str
    asked: list[RecordedAct]
    """Those who wait for an answer."""
    answers: list[RecordedAct]
    """What was answered before."""
    matter: FamilyState | None
    override: Override | None

    @property
    def stands(self) -> str:
        """Where the word stands in curation; whether it is in an edition is not known here."""
        matter = self.matter
        if matter is None:
            return "not in the queue"
        if matter.is_open:
            return "open" if matter.decision is None else "being voted on again"
        if matter.is_contested:
            return "contested"
        return "decided in" if matter.decision and matter.decision.includes(self.word) else "decided out"

    @property
    def can_reopen(self) -> bool:
        return self.matter is not None and not self.matter.is_open and not self.matter.is_contested

    @property
    def can_raise(self) -> bool:
        return self.matter is not None and self.matter.is_open and not self.matter.is_raised


@pages.get("/keeping/nominations")
@allow("keeper")
def index() -> str:
    """What waits, the words that most ask for first."""
    given = request.args.get("page", "1")
    number = int(given) if given.isascii() and given.isdecimal() and 0 < len(given) < 5 else 1
    cases, count = find_nominated_words(console_state(), max(number, 1))
    return render_template(
        "keeping_nominations.html", cases=cases, count=count, page=number, last=-(-count // PAGE_SIZE)
    )


@pages.post("/keeping/nominations")
@allow("keeper")
def answer() -> Response:
    """Do what a keeper decided on a word, and close its nominations."""
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


def find_nominated_words(state: ConsoleState, page: int) -> tuple[list[NominatedWord], int]:
    """The cases of one page, and how many there are in all."""
    with state.reading() as ledger:
        asked: dict[str, list[RecordedAct]] = {}
        for done in pending_nominations().update(ledger).values():
            asked.setdefault(done.subject, []).append(done)
        words = sorted(asked, key=lambda word: (-len(asked[word]), asked[word][0].link))[(page - 1) * PAGE_SIZE :][
            :PAGE_SIZE
        ]
        bases, overrides = find_bases(state.matters, set(words)), ledger.overrides()
        answers: dict[str, list[RecordedAct]] = {}
        for done in ledger.acts(words):
            if isinstance(done.act, NominationClosed):
                answers.setdefault(done.subject, []).append(done)
        found = {word: state.matters[bases[word]] for word in words if word in bases}
    cases = [
        NominatedWord(word, asked[word], answers.get(word, []), found.get(word), overrides.get(word)) for word in words
    ]
    return cases, len(asked)


def resolve(state: ConsoleState, word: str, action: InboxAction, reason: str, keeper: str) -> None:
    """Do what was decided, then answer all who wait; raises BadInput where it cannot be done, or nobody waits."""
    with state.reading() as ledger:
        waiting = [
            done.act.id
            for done in pending_nominations().update(ledger).values()
            if done.subject == word and isinstance(done.act, Nominated)
        ]
        if not waiting:
            raise BadInput("nobody waits for an answer on this word any more")
        _apply_action(state, word, action, reason, keeper)
        closed = [(word, NominationClosed(id=id, answer=_ANSWER_BY_ACTION[action], reason=reason)) for id in waiting]
        with state.appending([]) as ledger:
            ledger.append_acts(closed, keeper, state.timestamp())


def _apply_action(state: ConsoleState, word: str, action: InboxAction, reason: str, keeper: str) -> None:
    base = find_bases(state.matters, {word}).get(word, word)
    matter = state.matters.get(base)
    with state.appending([base]) as ledger:
        match action:
            case "reopen":
                if matter is not None and matter.is_contested:
                    raise BadInput("the family is contested: it is discussed, and then voted on again")
                ledger.reopen(base, keeper, reason, state.timestamp())
            case "raise":
                if matter is None or not matter.is_open:
                    raise BadInput("the family is not being voted on")
                ledger.append_acts([(base, PriorityRaised())], keeper, state.timestamp())
            case "add" | "exclude":
                ledger.override(action, word, reason=reason, keeper=keeper, at=state.timestamp())
            case "dismiss":
                pass
