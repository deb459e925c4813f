"""The changes that directors make on pages: deeds by forms and the line, entry cards, and files in and out.

An entry card shows the code of a player this once, with a picture of it for the player's phone.
"""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from flask import Blueprint, abort, g, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from ordws.desk.carry_out import Done, carry_out, foretell
from ordws.desk.context import actor, desk
from ordws.desk.director_pages import open_snapshot, render_page
from ordws.desk.events import NotTheirs, Snapshot
from ordws.desk.fields import Fields, read_number
from ordws.desk.line import parse_line
from ordws.desk.print_sheets import draw_code
from ordws.errors import BadInput
from ordws.frame.application import allow, takes_body, wants_json
from ordws.frame.sessions import new_code
from ordws.listeners import is_loopback
from ordws.rules.ruleset import RULE_SETS
from ordws.tournament.commands import Enter
from ordws.tournament.exchange.event_sheet import enter_players, enter_rounds, first_day, sheet_of, turn_names
from ordws.tournament.exchange.formats import FORMATS, format_of, read_text
from ordws.tournament.facts import CodeIssued, Created
from ordws.tournament.state import Entrant

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


card_pages: Final = Blueprint("cards", __name__)
MOST_CARDS: Final = 200
"""The cards of one page: each takes 12 ms, and a proxy does not wait for thousands."""


class EntryCard(NamedTuple):
    """A card of one player."""

    name: str
    code: str
    picture: str
    """A QR code of the address that signs the player in, as SVG."""


@card_pages.get("/desk/<event>/entry-cards")
@allow("director")
def show_cards(event: str) -> str:
    """Show for whom entry codes can be issued."""
    snapshot = open_snapshot(event)
    chosen = snapshot.state.entrants.get(request.args.get("entrant", 0, type=int))
    going = [each for each in snapshot.state.entrants.values() if each.status != "withdrawn"]
    without = len([each for each in going if not each.code_digest])
    address = request.host_url.rstrip("/") + url_for("players.event", event=event)
    return render_page(
        "entry_cards.html",
        snapshot,
        entrant=chosen,
        without=without,
        total=len(going),
        address=address,
        only_here=is_loopback(address),
        cards=None,
    )


@card_pages.post("/desk/<event>/entry-cards")
@allow("director")
def make_cards(event: str) -> str:
    """Issue codes and show them; nothing that could give them again is kept."""
    snapshot = open_snapshot(event)
    address = request.form.get("address", "").strip()
    if not address.startswith(("http://", "https://")):
        raise BadInput(f'"{address}" is no address of a page', hint="such as http://192.168.0.7:8020/tournament/open")
    entrants, one, is_anew = snapshot.state.entrants, read_number(request.form, "entrant", 0), "anew" in request.form
    if one:
        chosen = [entrants[one]] if one in entrants else []
    else:
        going = sorted([each for each in entrants.values() if each.status != "withdrawn"], key=lambda each: each.name)
        numbers, after = [each.number for each in going], read_number(request.form, "after", 0)
        rest = going[numbers.index(after) + 1 :] if after in numbers else going
        chosen = [each for each in rest if is_anew or not each.code_digest]
    more, chosen = len(chosen) - MOST_CARDS, chosen[:MOST_CARDS]
    codes = {each.number: new_code() for each in chosen}
    digests = {number: desk().key.code_digest(snapshot.state, code) for number, code in codes.items()}
    cards = [make_card(each, codes[each.number], address) for each in chosen]
    commands = [CodeIssued(entrant=number, digest=digest) for number, digest in digests.items()]
    if commands:
        snapshot = g.event.apply(*commands, actor=actor(), now=desk().clock())
    shown = {"cards": cards, "more": more, "is_anew": is_anew, "after": chosen[-1].number if chosen else 0}
    return render_page("entry_cards.html", snapshot, **shown, address=address, only_here=is_loopback(address))


def make_card(entrant: Entrant, code: str, address: str) -> EntryCard:
    """Return the card of a player; the code stands after the #, which no browser sends to a server."""
    return EntryCard(entrant.name, code, draw_code(f"{address}#code={code}", f"entry code of {entrant.name}"))


file_pages: Final = Blueprint("exchange", __name__)
MAX_FILE_BYTES: Final = 4 * 1024 * 1024


@file_pages.get("/desk/<event>/import")
@allow("director")
def show_import(event: str) -> str:
    """Show the form by which a file of another program is taken in."""
    snapshot = open_snapshot(event)
    return render_page("import.html", snapshot, formats=list(FORMATS), is_empty=not snapshot.state.entrants)


@file_pages.post("/desk/<event>/import")
@allow("director")
@takes_body(MAX_FILE_BYTES)
def take_in(event: str) -> Response:
    """Enter the players of a file, as `ordws tournament import` does: all of them, or none where a line is wrong."""
    snapshot = open_snapshot(event)
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        raise BadInput("no file was chosen")
    name = request.form.get("format") or format_of(sent.filename)
    if name not in FORMATS:
        raise BadInput(f'there is no format "{name}"')
    shown = f'the file "{sent.filename}"'
    sheet = FORMATS[name].read(read_text(sent.read()), file=shown)
    if request.form.get("turn"):
        sheet = turn_names(sheet)
    enter = enter_rounds if request.form.get("results") else enter_players
    commands = enter(snapshot.state, sheet, file=shown).commands
    if commands:
        g.event.apply(*commands, actor=actor(), now=desk().clock())
    entered = sum(isinstance(each, Enter) for each in commands)
    return redirect(url_for("desk.people", event=event, imported=entered), 303)


@file_pages.get("/desk/<event>/export/<format_name>")
@allow("director")
def export(event: str, format_name: str) -> Response:
    """Return the event as a file of another program, as `ordws tournament export` writes it."""
    if format_name not in FORMATS:
        abort(404)
    snapshot = open_snapshot(event)
    return Response(
        FORMATS[format_name].write(sheet_of(snapshot.state, date=first_day(snapshot.facts))),
        content_type=FORMATS[format_name].content_type,
        headers={"Content-Disposition": f'attachment; filename="{g.event.id}.{format_name}"'},
    )
