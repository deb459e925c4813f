"""The queue's page and the requests of its script: cards, votes, and whatever else a curator does with a card.

A card that checks a curator gets the same replies as one that is voted on, after the same reads and one append, so
that neither the content nor the time of a reply tells them apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from flask import Blueprint, Response, render_template

from ordws.console import card_json
from ordws.console.access import VOTERS, current_member, does_not_extend_session
from ordws.console.accounts import record_card_time
from ordws.console.application import abort_json, read_body
from ordws.console.state import ConsoleState, console_state, count_revotes, retract_votes
from ordws.curation.acts import CheckAnswered, CheckRetracted, ClassHeld, Recused
from ordws.curation.curator_cards import Lease
from ordws.curation.decision import Ballot, Vote, is_reason, read_ballot
from ordws.curation.ledger import Ledger
from ordws.errors import BadBallot
from ordws.frame.application import allow

MAX_CARD_SECONDS: Final = 3_600
_UUID: Final = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"

ReasonText: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
ClassName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
CardId: TypeAlias = Annotated[str, msgspec.Meta(max_length=128)]
BallotId: TypeAlias = Annotated[str, msgspec.Meta(pattern=_UUID)]
# A word has at most 21 letters.
FormWord: TypeAlias = Annotated[str, msgspec.Meta(max_length=21)]


class VoteRequest(msgspec.Struct, frozen=True):
    """A vote on a card."""

    card: CardId
    ballot: BallotId
    vote: Vote
    forms: Annotated[tuple[FormWord, ...], msgspec.Meta(max_length=200)] = ()
    reason: ReasonText = ""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=MAX_CARD_SECONDS)] = 0.0


class SkipRequest(msgspec.Struct, frozen=True):
    """A card given back without a vote."""

    card: CardId


class RecuseRequest(msgspec.Struct, frozen=True):
    """A curator's interest in the family of a card."""

    card: CardId
    reason: ReasonText = ""


class HoldRequest(msgspec.Struct, frozen=True):
    """An objection to a class that the family of a card falls under."""

    card: CardId
    name: ClassName = msgspec.field(name="class")
    reason: ReasonText = ""


class UndoRequest(msgspec.Struct, frozen=True):
    """A vote to take back."""

    ballot: BallotId


class HeartbeatRequest(msgspec.Struct, frozen=True):
    """The cards that a page still shows."""

    cards: Annotated[tuple[CardId, ...], msgspec.Meta(max_length=20)] = ()


pages: Final = Blueprint("cards", __name__)

UNDO_LIMIT: Final = 20
"""The latest answers of a curator that a newly opened page can take back."""
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
"""The reasons for a doubtful vote: a ballot carries one of them, alone or with a note, as `tag: note`."""


@pages.get("/queue")
@allow(*VOTERS)
def page() -> str:
    """Show the page, whose script fetches the cards."""
    return render_template("queue.html", reasons=REASON_TAGS)


@pages.post("/api/cards")
@allow(*VOTERS)
def cards() -> Response:
    """Return the cards leased to the curator, and the curator's latest answers, which can be taken back."""
    state = console_state()
    with state.reading() as ledger:
        day, answers = state.timestamp()[:10], state.queue.curator(current_member().name).answers.values()
        undoable = [each for each in list(answers)[-UNDO_LIMIT:] if each.day == day]
        return _cards_reply(state, ledger, given=[{"ballot": each.id, "head": each.base} for each in undoable])


@pages.post("/api/votes")
@allow(*VOTERS)
def vote() -> Response:
    """Take a vote; when it is acknowledged, it is in the ledger."""
    state, body, name = console_state(), read_body(VoteRequest), current_member().name
    lease = _find_lease(state, body.card)
    if body.vote == "doubt" and body.reason.partition(": ")[0] not in REASON_TAGS:
        abort_json(400, "bad-request", "reason: a doubt needs one of the listed reasons")
    try:
        ballot = read_ballot(
            id=body.ballot,
            family=lease.base,
            curator=name,
            vote=body.vote,
            forms=body.forms,
            reason=body.reason,
            at=state.timestamp(),
        )
    except BadBallot as error:
        abort_json(400, "bad-request", str(error))
    with state.appending([lease.base]) as ledger:
        # A page repeats a request whose reply was lost, under the same id: such an answer was taken before.
        cast, curator = ledger.ballot(ballot.id), state.queue.curator(ballot.curator)
        earlier = [replace(cast, at=ballot.at)] if cast else []
        earlier += [
            replace(ballot, curator=done.actor, vote=done.act.vote, forms=done.act.forms, reason=done.act.reason)
            for done in ledger.acts([lease.base])
            if isinstance(done.act, CheckAnswered) and done.act.id == ballot.id
        ]
        is_known = ballot.id in curator.answers or ballot.id in curator.undone_answers
        if set(earlier) - {ballot} or (is_known and not earlier):
            abort_json(409, "other-content", "a vote with this id and other content was taken before")
        is_new = not earlier
        if is_new:
            _append_answer(state, ledger, lease, ballot)
    # `appending` has brought the family's state up to date, by which the next cards are dealt.
    with state.reading() as ledger:
        if is_new:
            state.queue.answer(name, lease, ballot.vote, body.seconds, state.clock())
        elif not _can_answer(state, lease):
            # A repeated request, whose first reply was lost and whose card is done with.
            state.queue.release(name, lease)
        reply = _cards_reply(state, ledger)
    if is_new:
        record_card_time(state.accounts, name, body.seconds, state.clock())
    return reply


@pages.post("/api/skip")
@allow(*VOTERS)
def skip() -> Response:
    """Give a card back; it returns when nothing else is left."""
    state, lease = console_state(), _find_lease(console_state(), read_body(SkipRequest).card)
    with state.reading() as ledger:
        if _can_answer(state, lease):
            state.queue.skip(current_member().name, lease)
        return _cards_reply(state, ledger)


@pages.post("/api/recuse")
@allow(*VOTERS)
def recuse() -> Response:
    """Recuse a curator who has an interest in a family, for good; their votes on it are retracted."""
    state, body, name = console_state(), read_body(RecuseRequest), current_member().name
    lease, reason = _find_lease(state, body.card), _read_reason(body.reason)
    retract_votes(state, lease.base, name)
    with state.appending([lease.base]) as ledger:
        if name not in state.family_states[lease.base].recused:
            ledger.append_acts([(lease.base, Recused(reason=reason))], name, state.timestamp())
    with state.reading() as ledger:
        state.queue.release(name, lease)
        return _cards_reply(state, ledger)


@pages.post("/api/hold")
@allow(*VOTERS)
def hold() -> Response:
    """Object to a class that a card's family falls under."""
    state, body, name = console_state(), read_body(HoldRequest), current_member().name
    lease, reason = _find_lease(state, body.card), _read_reason(body.reason)
    with state.appending([]) as ledger:
        proposals = card_json.proposals_covering(state.family_states[lease.base], state.derivations[lease.base], ledger)
        proposal = next((each for each in proposals if each.name == body.name), None)
        if proposal is None:
            abort_json(409, "no-such-class", "no class of that name that can be held covers this family")
        if name not in [done.actor for done in proposal.objections]:
            ledger.append_acts([(proposal.name, ClassHeld(reason=reason))], name, state.timestamp())
    with state.reading() as ledger:
        return _cards_reply(state, ledger)


@pages.post("/api/undo")
@allow(*VOTERS)
def undo() -> Response:
    """Take a vote back on the day on which it was cast; its card comes back first.

    The outcome of a family is told from the next day on. Before, it makes no difference whether it is decided in or out
    or open, or a curator could find out by a vote and its undo how others have voted.
    """
    state, body, name = console_state(), read_body(UndoRequest), current_member().name
    with state.reading() as ledger:
        curator = state.queue.curator(name)
        answer = curator.answers.get(body.ballot)
        if answer is None:
            if body.ballot not in curator.undone_answers:
                abort_json(404, "no-such-vote", "you have no such vote")
            return _cards_reply(state, ledger, undone=True)
    if answer.day != state.timestamp()[:10]:
        abort_json(409, "too-late", "the vote is of an earlier day; the family can be re-opened, with a reason")
    with state.appending([answer.base]) as ledger:
        family_state = ledger.family_states([answer.base])[answer.base]
        if not family_state.can_lose_ballots:
            abort_json(409, "too-late", "the family is contested, or decided with its class")
        match answer.purpose:
            case "vote":
                if answer.id not in [ballot.id for ballot in family_state.ballots]:
                    abort_json(409, "round-over", "the round of this vote is over")
                ledger.retract(answer.id, name, state.timestamp(), panel=state.panel_size(answer.base))
            case "repeat" | "known":
                _equalize_timing(state, ledger, answer.base)
                ledger.append_acts([(answer.base, CheckRetracted(id=answer.id))], name, state.timestamp())
    with state.reading() as ledger:
        state.queue.restore(name, answer, state.clock())
        return _cards_reply(state, ledger, undone=True)


@pages.post("/api/heartbeat")
@allow(*VOTERS)
@does_not_extend_session
def heartbeat() -> Response:
    """Renew the leases of the cards that a page shows; return those that are still held."""
    state, body, member = console_state(), read_body(HeartbeatRequest), current_member()
    with state.reading():
        held = state.queue.renew(member.name, body.cards, state.clock(), is_chair=member.role == "chair")
    return _json_response({"cards": held})


def _append_answer(state: ConsoleState, ledger: Ledger, lease: Lease, ballot: Ballot) -> None:
    """Append a vote, or the answer to a check, as one link; refuse one that cannot be counted."""
    # Errors come in this order for votes and checks alike, so that none of them tells which a card was.
    if not set(ballot.forms) <= set(state.family_states[lease.base].forms):
        abort_json(400, "bad-request", "forms: not all of them are forms at stake in this family")
    if state.family_states[lease.base].round.number != lease.round:
        abort_json(409, "round-over", "the round that this card was for is over")
    if not _can_answer(state, lease):
        abort_json(409, "voted", "you have already voted on this card, or recused yourself")
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
    """Do the reads that counting a ballot needs, so that the time of a reply does not tell a check from a vote."""
    state.panel_size(base)
    ledger.family_states([base])


def _can_answer(state: ConsoleState, lease: Lease) -> bool:
    member = current_member()
    return state.queue.can_answer(member.name, lease, state.clock(), is_chair=member.role == "chair")


def _read_reason(text: str) -> str:
    reason = text.replace("\r\n", "\n").strip()
    return reason if is_reason(reason) else abort_json(400, "bad-request", "reason: it has control characters")


def _find_lease(state: ConsoleState, id: str) -> Lease:
    """Return the lease of a card, also one that has ended or was given before the console was restarted."""
    with state.reading():
        lease = state.queue.read(current_member().name, id)
    return lease if lease is not None else abort_json(404, "no-such-card", "you have no such card")


def _cards_reply(state: ConsoleState, ledger: Ledger, **extra: Any) -> Response:
    """Return the cards leased to the curator, and the progress of the curator and the panel."""
    member = current_member()
    leases = state.queue.deal(member.name, state.clock(), is_chair=member.role == "chair")
    cards = [
        card_json.card_to_json(
            lease, state.family_states[lease.base], state.derivations[lease.base], state.comparable, ledger
        )
        for lease in leases
    ]
    curator, families = state.queue.curator(member.name), len(state.midnight_states)
    progress = {
        "mine": len(curator.answers),
        "today": curator.answer_count_on(state.timestamp()[:10]),
        "decided": families - state.open_at_midnight,
        "families": families,
        "revotes": count_revotes(state, member),
        "sentence": state.forecast.sentence if state.forecast else "too early to say how many evenings",
    }
    return _json_response({**extra, "cards": cards, "progress": progress})


def _json_response(body: Any) -> Response:
    return Response(msgspec.json.encode(body), content_type="application/json")
