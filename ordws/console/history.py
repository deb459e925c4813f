"""A curator's own votes, with the outcomes of their families once these are decided."""

from __future__ import annotations

import uuid
from typing import Final, NamedTuple

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, current_member
from ordws.console.state import console_state, eligible_voters
from ordws.curation.acts import Act, CheckAnswered, Nominated, Recused
from ordws.curation.ballot import is_reason
from ordws.curation.ledger_state import CuratorAnswer
from ordws.curation.voting_rounds import FamilyState
from ordws.frame.application import allow

pages: Final = Blueprint("history", __name__)
PAGE_SIZE: Final = 50
_MAX_LINK: Final = 2**53
"""More than any ledger's links."""


class HistoryEntry(NamedTuple):
    """An answer of the curator, with the outcome of its family, which is empty while the family is open."""

    answer: CuratorAnswer
    outcome: str
    is_told: bool
    """True if the state of the family may be shown."""
    is_up_again: bool
    """True if the family is up for another vote, and the curator may vote."""


@pages.get("/history")
@allow(*VOTERS)
def index() -> str:
    """Show the curator's own answers, the newest first."""
    text = request.args.get("before", "")
    # Numbers of fewer than 16 digits fit SQLite's integers; everything else shows the first page.
    before = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else _MAX_LINK
    state, member, entries = console_state(), current_member(), []
    with state.reading() as ledger:
        answers = ledger.answers(member.name, before=before, limit=PAGE_SIZE)
        today = state.timestamp()[:10]
        # The outcome of a family is told of none of its votes, also earlier ones, on a day on which the curator voted.
        answered_today = {each.base for each in state.queue.curator(member.name).answers.values() if each.day == today}
        for answer in answers:
            family_state = state.family_states.get(answer.family)
            is_told = is_from_earlier_day(answer.at) and answer.family not in answered_today
            # In a later round than that of the answer the member may vote once more.
            is_up_again = (
                is_told
                and family_state is not None
                and family_state.is_open
                and answer.link <= family_state.round.after_link
                and member.name in eligible_voters([member], family_state) - family_state.voters
            )
            outcome = outcome_text(family_state) if is_told else ""
            entries.append(HistoryEntry(answer, outcome, is_told, is_up_again))
    more = answers[-1].link if len(answers) == PAGE_SIZE else None
    return render_template("history.html", entries=entries, more=more)


@pages.post("/history/<base>/ask")
@allow(*VOTERS)
def ask(base: str) -> Response:
    """Ask the keepers to re-open a decided family, on which the curator who asks is recused from then on."""
    reason, name = request.form.get("reason", "").strip(), current_member().name
    with console_state().appending([base]) as ledger:
        family_state = console_state().family_states.get(base)
        answered_at = [ballot.at for ballot in ledger.ballots([base]) if ballot.curator == name]
        answered_at += [
            done.at for done in ledger.acts([base]) if isinstance(done.act, CheckAnswered) and done.actor == name
        ]
        may_ask = (
            family_state is not None
            and name not in family_state.recused
            and any(is_from_earlier_day(at) for at in answered_at)
        )
        if not (may_ask and outcome_text(family_state) and reason and is_reason(reason)):
            abort(400)
        nominated = Nominated(id=str(uuid.uuid4()), reason=reason, is_curator=True)
        acts: list[tuple[str, Act]] = [(base, nominated), (base, Recused(reason="asked for it"))]
        ledger.append_acts(acts, name, console_state().timestamp())
    return redirect("/history", 303)


def is_from_earlier_day(at: str) -> bool:
    """Return whether an answer was given on an earlier day, and its family's outcome may be shown.

    On the same day the outcome would give a check away: its family is decided already when its card is shown.
    """
    return at[:10] < console_state().timestamp()[:10]


def outcome_text(family_state: FamilyState | None) -> str:
    """Return the outcome of a family as the page says it; empty where it is open or was withdrawn."""
    if family_state is None or not family_state.round.is_decided or family_state.decision is None:
        return ""
    return "decided with its class" if family_state.decided_by_class else family_state.decision.outcome
