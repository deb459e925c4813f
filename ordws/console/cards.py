"""The queue's page and what its script asks: cards, votes, and what else a curator does with a card.

Every answer is the same for a card that is voted on and for one that checks a curator, and takes the same reads and
one append: which of them it was can be told neither from what is sent nor from how long it took.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, render_template

from ordws.console import evidence, pace
from ordws.console.access import VOTERS, Member, allow, asked_by_itself, me
from ordws.console.asked import Beating, Holding, Recusing, Skipping, TakingBack, Voting, read, refuse
from ordws.console.room import Room, room, withdraw
from ordws.curation.acts import Checked, ClassHeld, Recused, Unchecked
from ordws.curation.ballot import Ballot, is_reason, read_ballot
from ordws.curation.curator import Given
from ordws.curation.lease import Lease
from ordws.curation.ledger import Ledger
from ordws.errors import BadBallot

pages: Final = Blueprint("cards", __name__)

TAKEN_BACK: Final = 20
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
    with room().reading() as ledger:
        given = list(room().queue.curator(me().name).given.values())[-TAKEN_BACK:]
        return _answer(room(), ledger, given=[{"ballot": each.id, "head": each.base} for each in given])


@pages.post("/api/votes")
@allow(*VOTERS)
def vote() -> Response:
    """Take a vote; what is acknowledged is in the ledger."""
    here, asked = room(), read(Voting)
    lease = _lease(here, asked.card)
    ballot = _ballot(asked, lease, me(), here)
    with here.changing([lease.base]) as ledger:
        is_new = _is_new(here, ledger, lease, ballot)
        if is_new:
            _append(here, ledger, lease, ballot)
    with here.reading() as ledger:
        if is_new:
            here.queue.answer(me().name, lease, ballot.vote, asked.seconds, here.clock())
        elif not _is_due(here, lease):
            here.queue.lay_down(me().name, lease)
        reply = _answer(here, ledger)
    if is_new:
        pace.note(here.accounts, me().name, asked.seconds, here.clock())
    return reply


@pages.post("/api/skip")
@allow(*VOTERS)
def skip() -> Response:
    """Give a card back, until there is nothing else left."""
    here, lease = room(), _lease(room(), read(Skipping).card)
    with here.reading() as ledger:
        if _is_due(here, lease):
            here.queue.put_aside(me().name, lease)
        return _answer(here, ledger)


@pages.post("/api/recuse")
@allow(*VOTERS)
def recuse() -> Response:
    """A curator has an interest in a family."""
    here, asked = room(), read(Recusing)
    lease, reason = _lease(here, asked.card), _reason(asked.reason)
    withdraw(here, lease.base, me().name)
    with here.changing([lease.base]) as ledger:
        if me().name not in here.matters[lease.base].recused:
            ledger.note([(lease.base, Recused(reason=reason))], me().name, here.stamp())
    with here.reading() as ledger:
        here.queue.lay_down(me().name, lease)
        return _answer(here, ledger)


@pages.post("/api/hold")
@allow(*VOTERS)
def hold() -> Response:
    """Object to a class that a card's family falls under."""
    here, asked = room(), read(Holding)
    lease, reason = _lease(here, asked.card), _reason(asked.reason)
    with here.changing([]) as ledger:
        proposals = evidence.proposals_on(here.matters[lease.base], here.derivations[lease.base], ledger)
        found = next((each for each in proposals if each.name == asked.name), None)
        if found is None:
            refuse(409, "no-such-class", "no class of that name that can be held covers this family")
        if me().name not in [done.who for done in found.objections]:
            ledger.note([(found.name, ClassHeld(reason=reason))], me().name, here.stamp())
    with here.reading() as ledger:
        return _answer(here, ledger)


@pages.post("/api/undo")
@allow(*VOTERS)
def undo() -> Response:
    """Take a vote back while its family is undecided; its card comes back first."""
    here, asked, who = room(), read(TakingBack), me().name
    with here.reading():
        mine = here.queue.curator(who)
        given, is_done = mine.given.get(asked.ballot), asked.ballot in mine.undone
    if given is None and not is_done:
        refuse(404, "no-such-vote", "there is no such vote of yours")
    if given is not None:
        with here.changing([given.base]) as ledger:
            _take_back(here, ledger, given, who)
    with here.reading() as ledger:
        if given is not None:
            here.queue.give_back(who, given, here.clock())
        return _answer(here, ledger, undone=True)


@pages.post("/api/heartbeat")
@allow(*VOTERS)
@asked_by_itself
def heartbeat() -> Response:
    """Keep cards that a curator still looks at."""
    here, asked = room(), read(Beating)
    with here.reading():
        held = here.queue.renew(me().name, asked.cards, here.clock(), is_chair=me().role == "chair")
    return _json({"cards": held})


def _append(here: Room, ledger: Ledger, lease: Lease, ballot: Ballot) -> None:
    """The vote, or the answer to a check, as one link; refuses one that cannot be counted."""
    if not set(ballot.forms) <= set(here.matters[lease.base].forms):
        refuse(400, "bad-request", "forms: not all of them are forms at stake in this family")
    if here.matters[lease.base].round.number != lease.round:
        refuse(409, "round-over", "the round that this card was for is over")
    if not _is_due(here, lease):
        refuse(409, "voted", "you have voted on this card, or will not")
    match lease.purpose:
        case "vote":
            ledger.cast({"vote": ballot}, ballot.at, panel=here.panel(lease.base), rounds={lease.base: lease.round})
        case "repeat" | "known" as purpose:
            _spend_as_much(here, ledger, lease.base)
            act = Checked(id=ballot.id, purpose=purpose, vote=ballot.vote, forms=ballot.forms, reason=ballot.reason)
            ledger.note([(lease.base, act)], ballot.curator, ballot.at)


def _spend_as_much(here: Room, ledger: Ledger, base: str) -> None:
    """Read what a ballot is counted by, or the time that an answer takes would tell a check from a vote."""
    here.panel(base)
    ledger.matters([base])


def _is_due(here: Room, lease: Lease) -> bool:
    return here.queue.is_due(me().name, lease, here.clock(), is_chair=me().role == "chair")


def _is_new(here: Room, ledger: Ledger, lease: Lease, ballot: Ballot) -> bool:
    """Whether an answer was not given before; refuses another one under the same id."""
    cast, mine = ledger.ballot(ballot.id), here.queue.curator(ballot.curator)
    before = [replace(cast, at=ballot.at)] if cast else []
    before += [
        replace(ballot, curator=done.who, vote=done.act.vote, forms=done.act.forms, reason=done.act.reason)
        for done in ledger.acts([lease.base])
        if isinstance(done.act, Checked) and done.act.id == ballot.id
    ]
    is_known = ballot.id in mine.given or ballot.id in mine.undone
    if set(before) - {ballot} or (is_known and not before):
        refuse(409, "other-content", "a vote with this id and other content was taken before")
    return not before


def _take_back(here: Room, ledger: Ledger, given: Given, who: str) -> None:
    matter = ledger.matters([given.base])[given.base]
    if matter.round.is_decided:
        refuse(409, "decided", "the family is decided; it can be re-opened, with a reason")
    match given.purpose:
        case "vote":
            if given.id not in [ballot.id for ballot in matter.ballots]:
                refuse(409, "round-over", "the round of this vote is over")
            ledger.retract(given.id, who, here.stamp(), panel=here.panel(given.base))
        case "repeat" | "known":
            _spend_as_much(here, ledger, given.base)
            ledger.note([(given.base, Unchecked(id=given.id))], who, here.stamp())


def _ballot(asked: Voting, lease: Lease, who: Member, here: Room) -> Ballot:
    """The ballot that was sent; refuses one that is not well formed."""
    tag = asked.reason.partition(": ")[0]
    if asked.vote == "doubt" and tag not in REASON_TAGS:
        refuse(400, "bad-request", "reason: a doubt needs one of the listed reasons")
    try:
        return read_ballot(
            id=asked.ballot,
            family=lease.base,
            curator=who.name,
            vote=asked.vote,
            forms=asked.forms,
            reason=asked.reason,
            at=here.stamp(),
        )
    except BadBallot as error:
        refuse(400, "bad-request", str(error))


def _reason(text: str) -> str:
    reason = text.replace("\r\n", "\n").strip()
    return reason if is_reason(reason) else refuse(400, "bad-request", "reason: control characters among it")


def _lease(here: Room, id: str) -> Lease:
    """The lease of a card, also where its time is over or the console was started anew."""
    with here.reading():
        lease = here.queue.read(me().name, id)
    return lease if lease is not None else refuse(404, "no-such-card", "there is no such card of yours")


def _answer(here: Room, ledger: Ledger, **more: Any) -> Response:
    """The cards of whoever asks, and how far he and the panel are."""
    who, now = me(), here.clock()
    leases = here.queue.deal(who.name, now, is_chair=who.role == "chair")
    shown = [
        evidence.card(lease, here.matters[lease.base], here.derivations[lease.base], here.rulings, ledger)
        for lease in leases
    ]
    panel, mine = here.snapshot(), here.queue.curator(who.name)
    progress = {
        "mine": len(mine.given),
        "today": mine.on(here.stamp()[:10]),
        "decided": panel.decided,
        "families": panel.families,
        "sessions": panel.sessions,
        "sentence": pace.sentence(panel.sessions),
    }
    return _json({**more, "cards": shown, "progress": progress})


def _json(body: Any) -> Response:
    return Response(msgspec.json.encode(body), content_type="application/json")
