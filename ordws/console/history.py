"""A curator's own votes, and what became of their families once these were decided."""

from __future__ import annotations

import uuid
from typing import Final, NamedTuple

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, allow, current_member
from ordws.console.state import console_state
from ordws.curation.acts import CheckAnswered, Nominated, Recused
from ordws.curation.ballot import is_reason
from ordws.curation.ledger_state import CuratorAnswer
from ordws.curation.voting_rounds import FamilyState

pages: Final = Blueprint("history", __name__)
PAGE_SIZE: Final = 50
_MAX_LINK: Final = 2**53


class HistoryEntry(NamedTuple):
    """An answer of one's own, and what the family came to; empty while it is being voted on."""

    answer: CuratorAnswer
    outcome: str
    is_past: bool


@pages.get("/history")
@allow(*VOTERS)
def index() -> str:
    """One's own answers, the newest first."""
    given = request.args.get("before", "")
    before = int(given) if given.isascii() and given.isdecimal() and len(given) < 16 else _MAX_LINK
    with console_state().reading() as ledger:
        answers = ledger.answers(current_member().name, before=before, limit=PAGE_SIZE)
        lines = [_history_entry(answer) for answer in answers]
    more = answers[-1].link if len(answers) == PAGE_SIZE else None
    return render_template("history.html", lines=lines, more=more)


@pages.post("/history/<base>/ask")
@allow(*VOTERS)
def ask(base: str) -> Response:
    """Ask the keepers to have a decided family voted on again; who asks does not vote on it then."""
    reason = request.form.get("reason", "").strip()
    with console_state().appending([base]) as ledger:
        matter = console_state().matters.get(base)
        mine = [ballot.at for ballot in ledger.ballots([base]) if ballot.curator == current_member().name]
        mine += [
            done.at
            for done in ledger.acts([base])
            if isinstance(done.act, CheckAnswered) and done.actor == current_member().name
        ]
        may = matter is not None and current_member().name not in matter.recused and any(map(is_from_earlier_day, mine))
        if not (may and outcome_text(matter) and reason and is_reason(reason)):
            abort(400)
        asked = Nominated(id=str(uuid.uuid4()), reason=reason, is_curator=True)
        ledger.append_acts(
            [(base, asked), (base, Recused(reason="asked for it"))], current_member().name, console_state().timestamp()
        )
    return redirect("/history", 303)


def _history_entry(answer: CuratorAnswer) -> HistoryEntry:
    told = is_from_earlier_day(answer.at)
    return HistoryEntry(answer, outcome_text(console_state().matters.get(answer.family)) if told else "", told)


def is_from_earlier_day(at: str) -> bool:
    """Whether an answer was given on an earlier day: what its family came to is told then, not while cards are shown.

    A check that is decided already would else be known for one.
    """
    return at[:10] < console_state().timestamp()[:10]


def outcome_text(matter: FamilyState | None) -> str:
    """What a family came to in words; empty while it is being voted on or was withdrawn."""
    if matter is None or not matter.round.is_decided or matter.decision is None:
        return ""
    return "decided with its class" if matter.decided_by_class else matter.decision.outcome
