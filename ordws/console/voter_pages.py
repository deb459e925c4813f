"""The pages of those who vote, beside the queue: flagged families, discussions, and a curator's own votes.

All flagged families are in, unless members object to one. An objection is a vote, blind like any other. What that page
lists depends on the state at midnight and on the member's own votes, so that it does not tell how others have voted
since. A contested family is talked over with all reasons shown, and then voted on blind once more.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import VOTERS, current_member
from ordws.console.state import ConsoleState, console_state, eligible_voters
from ordws.curation.acts import Act, CheckAnswered, Nominated, Recused
from ordws.curation.curator_cards import Lease
from ordws.curation.decision import Ballot, is_reason
from ordws.curation.family import Candidate
from ordws.curation.ledger_state import CuratorAnswer
from ordws.curation.voting_rounds import FamilyState
from ordws.frame.application import allow

pages: Final = Blueprint("voters", __name__)
_MARKS: Final = ("offensive", "vulgar")
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


@pages.get("/flagged")
@allow(*VOTERS)
def flagged() -> str:
    """List the flagged families on which the member may vote, those whose words people write most often first."""
    with console_state().reading() as ledger:
        listed = find_listed(console_state())
        evidence = ledger.evidence(listed)
    labels = {base: tell_labels(evidence[base]) for base in listed}
    return render_template("flagged.html", listed=listed, evidence=evidence, labels=labels)


@pages.post("/flagged")
@allow(*VOTERS)
def object_to() -> Response:
    """Take the member's votes against the families that are marked; one that is not listed any more is passed over."""
    state, name = console_state(), current_member().name
    for base in dict.fromkeys(request.form.getlist("family")):
        with state.appending([base]) as ledger:
            if base in find_listed(state):
                ballot = Ballot(str(uuid.uuid4()), base, name, "out", (), "", state.timestamp())
                ledger.cast({"vote": ballot}, ballot.at, panel=state.panel_size(base))
    return redirect("/flagged", 303)


def find_listed(state: ConsoleState) -> list[str]:
    """Return the flagged families that were open at midnight, or are new since, and on which the member may vote."""
    member, now = current_member(), state.clock()
    listed = [
        base
        for base, family_state in state.family_states.items()
        if family_state.standing == "flagged"
        and state.midnight_states.get(base, family_state).is_open
        and state.queue.can_answer(
            member.name,
            Lease("", base, family_state.round.number, "vote", now),
            now,
            is_chair=member.role == "chair",
        )
    ]
    return sorted(listed, key=lambda base: (-state.everyday_use.get(base, 0.0), base))


def tell_labels(candidates: tuple[Candidate, ...]) -> str:
    """Return what the dictionaries label a family: vulgar (some senses) in GCIDE."""
    found: Mapping[str, None] = dict.fromkeys(
        f"{label} in {witness.title}"
        for each in candidates
        for witness in each.witnesses
        for label in witness.labels
        if label.startswith(_MARKS)
    )
    return ", ".join(found)


@pages.get("/discussions")
@allow("keeper", *VOTERS)
def discussions() -> str:
    """List the families under discussion; for chair and keepers also those that wait for one."""
    with console_state().reading():
        contested = [each for each in console_state().family_states.values() if each.is_contested]
    discussed = sorted([each.base for each in contested if each.is_discussed])
    waiting = sorted([each.base for each in contested if not each.is_discussed])
    is_curator = current_member().role == "curator"
    return render_template("discussions.html", discussed=discussed, waiting=None if is_curator else waiting)


@pages.get("/discussions/<base>")
@allow("keeper", *VOTERS)
def discussion(base: str) -> str:
    """Show a contested family with the votes and reasons of its first round, and the comments on it.

    It can be read in the second round too. It shows no names of voters or commenters: an argument reveals its
    author's vote, and the author will vote again.
    """
    with console_state().reading() as ledger:
        family_state = console_state().family_states.get(base)
        if family_state is None or not family_state.round.is_second:
            family_state = _find_contested(base)
        first_round = (
            ledger.ballots_before(base, family_state.round.after_link)
            if family_state.round.is_second
            else family_state.ballots
        )
        candidates, derivations = ledger.evidence([base])[base], console_state().derivations[base]
    # Sorted by content, so that the order of the votes does not reveal their voters.
    votes = sorted(first_round, key=lambda ballot: (ballot.vote, ballot.reason))
    return render_template(
        "discussion.html", family_state=family_state, candidates=candidates, derivations=derivations, votes=votes
    )


@pages.post("/discussions/<base>/open")
@allow("chair")
def open_discussion(base: str) -> Response:
    """Open the discussion of a contested family."""
    with console_state().appending([base]) as ledger:
        ledger.open_discussion(base, current_member().name, console_state().timestamp())
    return _redirect_to_discussion(base)


@pages.post("/discussions/<base>/say")
@allow(*VOTERS)
def say(base: str) -> Response:
    """Add a comment to a discussion; a curator who is recused may only read."""
    with console_state().appending([base]) as ledger:
        if current_member().name in _find_contested(base).recused:
            abort(403)
        ledger.add_comment(base, current_member().name, request.form.get("text", ""), console_state().timestamp())
    return _redirect_to_discussion(base)


@pages.post("/discussions/<base>/vote")
@allow("chair")
def vote_again(base: str) -> Response:
    """End a discussion and open a second blind round, in which all but the chair vote."""
    with console_state().appending([base]) as ledger:
        ledger.open_second_vote(base, current_member().name, console_state().timestamp())
    return redirect("/discussions", 303)


def _find_contested(base: str) -> FamilyState:
    """Return a contested family; 404 where there is none, or for a curator before the chair opens its discussion."""
    family_state = console_state().family_states.get(base)
    if (
        family_state is None
        or not family_state.is_contested
        or not (family_state.is_discussed or current_member().role != "curator")
    ):
        abort(404)
    return family_state


def _redirect_to_discussion(base: str) -> Response:
    return redirect(f"/discussions/{base}", 303)


@pages.get("/history")
@allow(*VOTERS)
def history() -> str:
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
def ask_to_reopen(base: str) -> Response:
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
