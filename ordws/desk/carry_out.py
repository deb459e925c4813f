"""Carrying out a deed on an event, for the pages of the desk and for `ordws tournament do` alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.desk.deeds import Deed, Doubtful, describe_place, plan_deed, plan_publication
from ordws.desk.events import DeskEvent, Snapshot
from ordws.desk.fields import Fields, read_number
from ordws.errors import BadInput
from ordws.tournament.decide import decide_all
from ordws.tournament.decide_rounds import check_may_draft
from ordws.tournament.facts import RecordedFact
from ordws.tournament.history import describe_facts
from ordws.tournament.store import new_command_id

_OPENED: Final = {
    "draft": "Open the draft.",
    "standings": "Open the standings.",
    "help": "Show what can be typed.",
    "scan": "Check in the player of this card.",
}
"""What a line does that changes nothing by itself, by the name of its deed."""


class Done(NamedTuple):
    """A deed that was carried out: what is said of it, the page to go to, and the facts that it added."""

    said: str
    facts: Sequence[RecordedFact] = ()
    to: str = ""


def carry_out(event: DeskEvent, name: str, fields: Fields, *, actor: str, now: int) -> Done:
    """Carry out a deed; raise BadInput where it is refused.

    The fields `seen` and `id` are the newest fact that the director knew, which the commands expect, and the id under
    which the deed is carried out once.
    """
    snapshot, id = event.snapshot(), fields.get("id") or new_command_id()
    if name == "who":
        return Done(describe_place(snapshot.state, fields))
    try:
        deed = _plan(snapshot, name, fields)
    except BadInput:
        # What was done already may be possible no more: a round that is published is not drawn again.
        known = [each for each in snapshot.facts if each.command == id]
        if not known:
            raise
        return Done(f"Done already: {'; '.join(describe_facts(known, snapshot.facts))}.", known)
    if not deed.commands:
        return Done(deed.said, (), deed.to)
    # A director confirms what they have read, or figures that they name.
    is_seen = name != "confirm" or bool(fields.get("seen"))
    seen = read_number(fields, "seen", snapshot.state.version) if is_seen else None
    after = event.apply(*deed.commands, actor=actor, now=now, command_id=id, expected=seen)
    facts = [each for each in after.facts if each.command == id]
    return Done(_say(name, deed, facts, after.facts), facts, deed.to)


def foretell(snapshot: Snapshot, name: str, fields: Fields) -> str:
    """Return what `carry_out` would say now; raise BadInput where it would refuse."""
    state = snapshot.state
    if name in _OPENED:
        return _OPENED[name]
    if name == "who":
        return describe_place(state, fields)
    if name == "publish":
        # The draft itself, which may take a while to draw, says nothing about whether it may be published.
        check_may_draft(state)
        return f"Publish round {state.next_round} as it is drafted."
    question = ""
    try:
        deed = _plan(snapshot, name, fields)
    except Doubtful as doubtful:
        question = f" Enter asks once more: {doubtful}."
        deed = _plan(snapshot, name, {**fields, "sure": "yes"})
    facts = decide_all(deed.commands, snapshot.facts, state, "", 0, "")
    return f"{_say(name, deed, facts, [*snapshot.facts, *facts])}{question}"


def _say(name: str, deed: Deed, facts: Sequence[RecordedFact], history: Sequence[RecordedFact]) -> str:
    """Return the sentence about a deed that added these facts, the last of the history; an undoing is told by them."""
    if name == "undo" and facts:
        return f"Undone: {'; '.join(describe_facts(facts, history)).removeprefix('it was undone that ')}."
    return deed.said


def _plan(snapshot: Snapshot, name: str, fields: Fields) -> Deed:
    if name == "publish":
        return plan_publication(snapshot.state, snapshot.draft)
    return plan_deed(snapshot.state, name, fields)
