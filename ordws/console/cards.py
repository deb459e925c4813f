"""The queue's page and what its script asks: cards, votes, and what else a curator does with a card.

Every answer is the same for a card that is voted on and for one that checks a curator, and takes the same reads and
one append: which of them it was can be told neither from what is sent nor from how long it took.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, render_template

from ordws.console import card_json, pace
from ordws.console.access import VOTERS, Member, allow, current_member, does_not_extend_session
from ordws.console.schemas import (
    HeartbeatRequest,
    HoldRequest,
    RecuseRequest,
    SkipRequest,
    UndoRequest,
    VoteRequest,
    abort_json,
    read_body,
)
from ordws.console.state import ConsoleState, console_state, retract_votes
from ordws.curation.acts import CheckAnswered, CheckRetracted, ClassHeld, Recused
from ordws.curation.ballot import Ballot, is_reason, read_ballot
from ordws.curation.curator import AnsweredCard
from ordws.curation.lease import Lease
from ordws.curation.ledger import Ledger
from ordws.errors import BadBallot

pages: Final = Blueprint("cards", __name__)

UNDO_LIMIT: Final = 20
"""So many answers a page that is opened again can take back."""
REASON_TAGS: Final = (
    "Not a word in my English",
    "Only slang",
    "Only a name",
    "Only in one sense",
    "The spelling is doubtful",
    "Too technical",
    "Not yet English",
    "The sources disagree",
    "Other",
)
"""Why a family can be doubtful: a ballot's reason is one of these, or one and a note: `tag: note`."""


@pages.get("/queue")
@allow(*VOTERS)
def page() -> str:
    """The page; its script fetches the cards."""
    return render_template("queue.html", reasons=REASON_TAGS)


@pages.post("/api/cards")
@allow(*VOTERS)
def cards() -> Response:
    """The cards that are leased to whoever asks, and his latest answers, which he may want to take back."""
    with console_state().reading() as ledger:
        given = list(console_state().queue.curator(current_member().name).answers.values())[-UNDO_LIMIT:]
        return _cards_reply(console_state(), ledger, given=[{"ballot": each.id, "head": each.base} for each in given])


@pages.post("/api/votes")
@allow(*VOTERS)
def vote() -> Response:
    """Take a vote; what is acknowledged is in the ledger."""
    here, asked = console_state(), read_body(VoteRequest)
    lease = _find_lease(here, asked.card)
    ballot = _read_ballot(asked, lease, current_member(), here)
    with here.appending([lease.base]) as ledger:
        is_new = _is_new_answer(here, ledger, lease, ballot)
        if is_new:
            _append_answer(here, ledger, lease, ballot)
    with here.reading() as ledger:
        if is_new:
            here.queue.answer(current_member().name, lease, ballot.vote, asked.seconds, here.clock())
        elif not _is_due(here, lease):
            here.queue.release(current_member().name, lease)
        reply = _cards_reply(here, ledger)
    if is_new:
        pace.record_card_time(here.accounts, current_member().name, asked.seconds, here.clock())
    return reply


@pages.post("/api/skip")
@allow(*VOTERS)
def skip() -> Response:
    """Give a card back, until there is nothing else left."""
    here, lease = console_state(), _find_lease(console_state(), read_body(SkipRequest).card)
    with here.reading() as ledger:
        if _is_due(here, lease):
            here.queue.skip(current_member().name, lease)
        return _cards_reply(here, ledger)


@pages.post("/api/recuse")
@allow(*VOTERS)
def recuse() -> Response:
    """A curator has an interest in a family."""
    here, asked = console_state(), read_body(RecuseRequest)
    lease, reason = _find_lease(here, asked.card), _read_reason(asked.reason)
    retract_votes(here, lease.base, current_member().name)
    with here.appending([lease.base]) as ledger:
        if current_member().name not in here.matters[lease.base].recused:
            ledger.append_acts([(lease.base, Recused(reason=reason))], current_member().name, here.timestamp())
    with here.reading() as ledger:
        here.queue.release(current_member().name, lease)
        return _cards_reply(here, ledger)


@pages.post("/api/hold")
@allow(*VOTERS)
def hold() -> Response:
    """Object to a class that a card's family falls under."""
    here, asked = console_state(), read_body(HoldRequest)
    lease, reason = _find_lease(here, asked.card), _read_reason(asked.reason)
    with here.appending([]) as ledger:
        proposals = card_json.proposals_covering(here.matters[lease.base], here.derivations[lease.base], ledger)
        found = next((each for each in proposals if each.name == asked.name), None)
        if found is None:
            abort_json(409, "no-such-class", "no class of that name that can be held covers this family")
        if current_member().name not in [done.actor for done in found.objections]:
            ledger.append_acts([(found.name, ClassHeld(reason=reason))], current_member().name, here.timestamp())
    with here.reading() as ledger:
        return _cards_reply(here, ledger)


@pages.post("/api/undo")
@allow(*VOTERS)
def undo() -> Response:
    """Take a vote back while its family is undecided; its card comes back first."""
    here, asked, who = console_state(), read_body(UndoRequest), current_member().name
    with here.reading():
        mine = here.queue.curator(who)
        given, is_done = mine.answers.get(asked.ballot), asked.ballot in mine.undone_answers
    if given is None and not is_done:
        abort_json(404, "no-such-vote", "there is no such vote of yours")
    if given is not None:
        with here.appending([given.base]) as ledger:
            _retract_answer(here, ledger, given, who)
    with here.reading() as ledger:
        if given is not None:
            here.queue.restore(who, given, here.clock())
        return _cards_reply(here, ledger, undone=True)


@pages.post("/api/heartbeat")
@allow(*VOTERS)
@does_not_extend_session
def heartbeat() -> Response:
    """Keep cards that a curator still looks at."""
    here, asked = console_state(), read_body(HeartbeatRequest)
    with here.reading():
        held = here.queue.renew(
            current_member().name, asked.cards, here.clock(), is_chair=current_member().role == "chair"
        )
    return _json_response({"cards": held})


def _append_answer(state: ConsoleState, ledger: Ledger, lease: Lease, ballot: Ballot) -> None:
    """The vote, or the answer to a check, as one link; refuses one that cannot be counted."""
    if not set(ballot.forms) <= set(state.matters[lease.base].forms):
        abort_json(400, "bad-request", "forms: not all of them are forms at stake in this family")
    if state.matters[lease.base].round.number != lease.round:
        abort_json(409, "round-over", "the round that this card was for is over")
    if not _is_due(state, lease):
        abort_json(409, "voted", "you have voted on this card, or will not")
    match lease.purpose:
        case "vote":
            ledger.cast(
                {"vote": ballot}, ballot.at, panel=state.panel_size(lease.base), rounds={lease.base: lease.round}
            )
        case "repeat" | "known" as purpose:
            _equalize_timing(state, ledger, lease.base)
            act = CheckAnswered(
                id=ballot.id, purpose=purpose, vote=ballot.vote, forms=ballot.forms, reason=ballot.reason
            )
            ledger.append_acts([(lease.base, act)], ballot.curator, ballot.at)


def _equalize_timing(state: ConsoleState, ledger: Ledger, base: str) -> None:
    """Read what a ballot is counted by, or the time that an answer takes would tell a check from a vote."""
    state.panel_size(base)
    ledger.family_states([base])


def _is_due(state: ConsoleState, lease: Lease) -> bool:
    return state.queue.can_answer(
        current_member().name, lease, state.clock(), is_chair=current_member().role == "chair"
    )


def _is_new_answer(state: ConsoleState, ledger: Ledger, lease: Lease, ballot: Ballot) -> bool:
    """Whether an answer was not given before; refuses another one under the same id."""
    cast, mine = ledger.ballot(ballot.id), state.queue.curator(ballot.curator)
    before = [replace(cast, at=ballot.at)] if cast else []
    before += [
        replace(ballot, curator=done.actor, vote=done.act.vote, forms=done.act.forms, reason=done.act.reason)
        for done in ledger.acts([lease.base])
        if isinstance(done.act, CheckAnswered) and done.act.id == ballot.id
    ]
    is_known = ballot.id in mine.answers or ballot.id in mine.undone_answers
    if set(before) - {ballot} or (is_known and not before):
        abort_json(409, "other-content", "a vote with this id and other content was taken before")
    return not before


def _retract_answer(state: ConsoleState, ledger: Ledger, answer: AnsweredCard, curator: str) -> None:
    matter = ledger.family_states([answer.base])[answer.base]
    if matter.round.is_decided:
        abort_json(409, "decided", "the family is decided; it can be re-opened, with a reason")
    match answer.purpose:
        case "vote":
            if answer.id not in [ballot.id for ballot in matter.ballots]:
                abort_json(409, "round-over", "the round of this vote is over")
            ledger.retract(answer.id, curator, state.timestamp(), panel=state.panel_size(answer.base))
        case "repeat" | "known":
            _equalize_timing(state, ledger, answer.base)
            ledger.append_acts([(answer.base, CheckRetracted(id=answer.id))], curator, state.timestamp())


def _read_ballot(vote_request: VoteRequest, lease: Lease, member: Member, state: ConsoleState) -> Ballot:
    """The ballot that was sent; refuses one that is not well formed."""
    tag = vote_request.reason.partition(": ")[0]
    if vote_request.vote == "doubt" and tag not in REASON_TAGS:
        abort_json(400, "bad-request", "reason: a doubt needs one of the listed reasons")
    try:
        return read_ballot(
            id=vote_request.ballot,
            family=lease.base,
            curator=member.name,
            vote=vote_request.vote,
            forms=vote_request.forms,
            reason=vote_request.reason,
            at=state.timestamp(),
        )
    except BadBallot as error:
        abort_json(400, "bad-request", str(error))


def _read_reason(text: str) -> str:
    reason = text.replace("\r\n", "\n").strip()
    return reason if is_reason(reason) else abort_json(400, "bad-request", "reason: control characters among it")


def _find_lease(state: ConsoleState, id: str) -> Lease:
    """The lease of a card, also where its time is over or the console was started anew."""
    with state.reading():
        lease = state.queue.read(current_member().name, id)
    return lease if lease is not None else abort_json(404, "no-such-card", "there is no such card of yours")


def _cards_reply(state: ConsoleState, ledger: Ledger, **extra: Any) -> Response:
    """The cards of whoever asks, and how far he and the panel are."""
    who, now = current_member(), state.clock()
    leases = state.queue.deal(who.name, now, is_chair=who.role == "chair")
    shown = [
        card_json.card_to_json(
            lease, state.matters[lease.base], state.derivations[lease.base], state.comparable, ledger
        )
        for lease in leases
    ]
    panel, mine = state.panel_progress(), state.queue.curator(who.name)
    progress = {
        "mine": len(mine.answers),
        "today": mine.answer_count_on(state.timestamp()[:10]),
        "decided": panel.decided,
        "families": panel.families,
        "sessions": panel.evenings_left,
        "sentence": pace.evenings_left_text(panel.evenings_left),
    }
    return _json_response({**extra, "cards": shown, "progress": progress})


def _json_response(body: Any) -> Response:
    return Response(msgspec.json.encode(body), content_type="application/json")
