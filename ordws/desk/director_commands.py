"""The deeds of directors: forms and the line of the desk become commands, and commands facts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from flask import Blueprint, g, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from ordws.desk.access import allow, wants_json
from ordws.desk.context import actor, desk
from ordws.desk.deeds import Deed, describe_deed, plan_deed, plan_publication
from ordws.desk.director_pages import open_snapshot
from ordws.desk.events import Snapshot
from ordws.desk.fields import Fields, read_number
from ordws.desk.line import parse_line
from ordws.errors import BadInput
from ordws.rules.rulesets import RULE_SETS
from ordws.tournament.commands import Create
from ordws.tournament.history import describe_facts
from ordws.tournament.store import new_command_id

pages: Final = Blueprint("commands", __name__)
_SEED_BITS: Final = 48


@pages.post("/desk")
@allow("director")
def create() -> Response:
    """Begin an event in the folder; its chance is drawn here, and is a fact from then on."""
    form = request.form
    rules = form.get("rules", "")
    if rules not in RULE_SETS:
        raise BadInput(f'there is no rule set "{rules}"')
    command = Create(
        name=form.get("name", ""),
        rules=rules,
        rounds=read_number(form, "rounds"),
        games_a_round=read_number(form, "games_a_round", 1),
        seed=secrets.randbits(_SEED_BITS),
    )
    made = desk().events.create(command, actor=actor(), now=desk().clock())
    return _reply("The event is made.", url_for("desk.people", event=made.id))


@pages.post("/desk/<event>/do/<name>")
@allow("director")
def command(event: str, name: str) -> Response:
    """Carry out a deed of a form."""
    return _carry_out(open_snapshot(event), name, request.form)


@pages.post("/desk/<event>/line")
@allow("director")
def line(event: str) -> Response:
    """Carry out the line of the desk."""
    snapshot = open_snapshot(event)
    parsed = parse_line(snapshot.state, request.form.get("line", ""))
    fields = {**{name: request.form[name] for name in ("id", "seen", "sure") if name in request.form}, **parsed.fields}
    return _carry_out(snapshot, parsed.name, fields)


@pages.get("/desk/<event>/line")
@allow("director")
def explain(event: str) -> Response:
    """Return in words what a line would do, or what is wrong with it: most lines are asked about half typed."""
    snapshot = open_snapshot(event)
    try:
        parsed = parse_line(snapshot.state, request.args.get("line", ""))
        return jsonify(means=describe_deed(snapshot.state, parsed.name, parsed.fields))
    except BadInput as error:
        return jsonify(fault=f"{error}; {error.hint}" if error.hint else str(error))


def _carry_out(snapshot: Snapshot, name: str, fields: Fields) -> Response:
    """Carry out a deed, and say that it is done, or refuse it."""
    if name == "draft":
        return _reply("", url_for("desk.draft", event=g.event.id))
    if name == "who":
        return _reply(describe_deed(snapshot.state, name, fields))
    deed = _plan(snapshot, name, fields)
    made: list[int] = []
    said = deed.said
    if deed.commands:
        id = fields.get("id") or new_command_id()
        after = g.event.apply(*deed.commands, actor=actor(), now=desk().clock(), command_id=id)
        facts = [each for each in after.facts if each.command == id]
        made = [each.number for each in facts]
        if name == "undo" and facts:
            undone = "; ".join(describe_facts(facts, after.facts)).removeprefix("it was undone that ")
            said = f"Undone: {undone}."
    to = url_for(deed.to, event=g.event.id) if deed.to else ""
    return _reply(said, to, made, is_doubtful=deed.is_doubtful)


def _plan(snapshot: Snapshot, name: str, fields: Fields) -> Deed:
    """Return what a deed takes; `seen` is the newest fact on the director's page, which its commands expect."""
    state, seen = snapshot.state, read_number(fields, "seen", snapshot.state.version)
    if name == "publish":
        return plan_publication(state, snapshot.draft, seen)
    if name == "scan":
        entrant = desk().key.find_entrant(state, fields.get("code", ""))
        if entrant is None:
            raise BadInput("nobody here has the code of this card")
        name, fields = "check-in", {"entrant": str(entrant)}
    deed = plan_deed(state, name, fields)
    return deed._replace(commands=tuple(replace(each, expected=seen) for each in deed.commands))


def _reply(said: str, to: str = "", made: Sequence[int] = (), *, is_doubtful: bool = False) -> Response:
    """Answer a script; lead a browser without one back to a page.

    `before` and `after` are the versions around the facts that were made: a window knows its own.
    """
    if wants_json():
        own = {"before": made[0] - 1, "after": made[-1]} if made else {}
        return jsonify(said=said, **({"to": to} if to else {}), **own, doubtful=is_doubtful)
    return redirect(to or request.referrer or url_for("desk.events"), 303)
