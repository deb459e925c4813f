"""The deeds of directors: forms and the line of the desk become commands, and commands facts."""

from __future__ import annotations

import secrets
from typing import Final

from flask import Blueprint, g, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from ordws.desk.carry_out import Done, carry_out, foretell
from ordws.desk.context import actor, desk
from ordws.desk.director_pages import open_snapshot
from ordws.desk.events import NotTheirs, Snapshot
from ordws.desk.fields import Fields, read_number
from ordws.desk.line import parse_line
from ordws.errors import BadInput
from ordws.frame.application import allow, wants_json
from ordws.frame.turns import takes_body
from ordws.rules.rulesets import RULE_SETS
from ordws.tournament.facts import Created

pages: Final = Blueprint("commands", __name__)
_PAGES: Final = {"draft": "desk.draft", "standings": "desk.standings", "help": "desk.now"}
"""The page that a line opens, by the name of its deed."""
_SEED_BITS: Final = 48
MOST_OPEN: Final = 200
"""The events of one operator that are not finished."""
MOST_OWNED: Final = 1_000
"""All events of one operator: each is an open file of the desk, and some memory, for as long as it is in the folder."""
MAX_NAMES_BYTES: Final = 500_000
"""The form with the names of the most players that an event takes."""


@pages.post("/desk")
@allow("director")
def create() -> Response:
    """Begin an event in the folder; its chance is drawn here, and is a fact from then on."""
    form = request.form
    rules = form.get("rules", "")
    if rules not in RULE_SETS:
        raise BadInput(f'there is no rule set "{rules}"')
    command = Created(
        name=form.get("name", ""),
        rules=rules,
        rounds=read_number(form, "rounds"),
        games_a_round=read_number(form, "games_a_round", 1),
        seed=secrets.randbits(_SEED_BITS),
        owner=g.operator,
    )
    unfinished, owned = desk().events.count_events(g.operator) if g.operator else (0, 0)
    if unfinished >= MOST_OPEN:
        raise BadInput(f"you have {MOST_OPEN} events that are not finished", hint="finish some of them first")
    if owned >= MOST_OWNED:
        raise BadInput(f"you have {MOST_OWNED} events", hint="ask the keeper to archive the oldest")
    g.event = desk().events.create(command, actor=actor(), now=desk().clock())
    return _reply(Done(f"The event is made, by the rules {rules}.", to="desk.people"))


@pages.post("/desk/<event>/do/<name>")
@allow("director")
@takes_body(MAX_NAMES_BYTES)
def command(event: str, name: str) -> Response:
    """Carry out a deed of a form."""
    return _carry_out(open_snapshot(event), name, request.form)


@pages.post("/desk/<event>/line")
@allow("director")
def line(event: str) -> Response:
    """Carry out the line of the desk, the field `line`."""
    snapshot = open_snapshot(event)
    parsed = parse_line(snapshot.state, request.form.get("line", ""))
    fields = {**{name: request.form[name] for name in ("id", "seen", "sure") if name in request.form}, **parsed.fields}
    return _carry_out(snapshot, parsed.name, fields)


@pages.get("/desk/<event>/line")
@allow("director")
def explain(event: str) -> Response:
    """Return what the line `line` would do, as `means`, or what is wrong with it, as `fault`: it may be half typed."""
    snapshot = open_snapshot(event)
    try:
        parsed = parse_line(snapshot.state, request.args.get("line", ""))
        _check_owner(parsed.name)
        fields = {"seen": str(snapshot.state.version), **parsed.fields}
        return jsonify(means=foretell(snapshot, parsed.name, fields))
    except (BadInput, NotTheirs) as error:
        return jsonify(fault=f"{error}; {error.hint}" if error.hint else str(error))


def _check_owner(name: str) -> None:
    if name in ("owner", "directors"):
        g.event.check_owner(name, g.operator)


def _carry_out(snapshot: Snapshot, name: str, fields: Fields) -> Response:
    """Carry out a deed, and say that it is done, or refuse it."""
    if name in _PAGES:
        return _reply(Done("", to=_PAGES[name]), anchor="line-help" if name == "help" else None)
    _check_owner(name)
    if name == "scan":
        entrant = desk().key.find_entrant(snapshot.state, fields.get("code", ""))
        if entrant is None:
            raise BadInput("nobody here has the code of this card")
        kept = {each: fields[each] for each in ("id", "seen") if each in fields}
        name, fields = "check-in", {**kept, "entrant": str(entrant)}
    return _reply(carry_out(g.event, name, fields, actor=actor(), now=desk().clock()))


def _reply(done: Done, anchor: str | None = None) -> Response:
    """Answer a script; lead a browser without one back to a page.

    `before` and `after` are the versions around the facts that were made: a window knows its own.
    """
    to = url_for(done.to, event=g.event.id, _anchor=anchor) if done.to else ""
    if wants_json():
        own = {"before": done.facts[0].number - 1, "after": done.facts[-1].number} if done.facts else {}
        return jsonify(said=done.said, **({"to": to} if to else {}), **own)
    return redirect(to or request.referrer or url_for("desk.events"), 303)
