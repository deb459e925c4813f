"""Carrying out a deed on an event, for the pages of the desk and for `ordws tournament do` alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ordws.desk.deeds import Deed, describe_deed, plan_deed, plan_publication
from ordws.desk.events import DeskEvent, Snapshot
from ordws.desk.fields import Fields, read_number
from ordws.errors import BadInput
from ordws.tournament.facts import RecordedFact
from ordws.tournament.history import describe_facts
from ordws.tournament.store import new_command_id


class Done(NamedTuple):
    """A deed that was carried out: what is said of it, the page to go to, and the facts that it added."""

    said: str
    facts: Sequence[RecordedFact] = ()
    to: str = ""
    is_doubtful: bool = False
    """Something of it looks wrong, and was done all the same."""


def carry_out(event: DeskEvent, name: str, fields: Fields, *, actor: str, now: int) -> Done:
    """Carry out a deed; raise BadInput where it is refused.

    The fields `seen` and `id` are the newest fact that the director knew, which the commands expect, and the id under
    which the deed is carried out once.
    """
    snapshot, id = event.snapshot(), fields.get("id") or new_command_id()
    if name == "who":
        return Done(describe_deed(snapshot.state, name, fields))
    try:
        deed = _plan(snapshot, name, fields)
    except BadInput:
        # What was done already may be possible no more: a round that is published is not drawn again.
        known = [each for each in snapshot.facts if each.command == id]
        if not known:
            raise
        return Done(f"Done already: {'; '.join(describe_facts(known, snapshot.facts))}.", known)
    if not deed.commands:
        return Done(deed.said, (), deed.to, deed.is_doubtful)
    after = event.apply(*deed.commands, actor=actor, now=now, command_id=id)
    facts, said = [each for each in after.facts if each.command == id], deed.said
    if name == "undo" and facts:
        said = f"Undone: {'; '.join(describe_facts(facts, after.facts)).removeprefix('it was undone that ')}."
    return Done(said, facts, deed.to, deed.is_doubtful)


def _plan(snapshot: Snapshot, name: str, fields: Fields) -> Deed:
    state, seen = snapshot.state, read_number(fields, "seen", snapshot.state.version)
    if name == "publish":
        return plan_publication(state, snapshot.draft, seen)
    deed = plan_deed(state, name, fields)
    if name == "confirm" and not fields.get("seen"):
        return deed
    return deed._replace(commands=tuple(replace(each, expected=seen) for each in deed.commands))
