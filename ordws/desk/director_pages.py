"""The pages of the directors: they show an event and change nothing."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, abort, g, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ordws.desk.context import desk, event_or_404, online_rounds, version_reply
from ordws.desk.events import Snapshot
from ordws.desk.line import LINES
from ordws.desk.views import (
    count_entrants,
    describe_certificate,
    describe_counted,
    find_late,
    find_winner,
    rank_changes,
    side_fields,
    view_log,
    view_missing,
    view_phase,
    warn_of_rounds,
)
from ordws.errors import BadInput
from ordws.frame.application import allow
from ordws.rules.ruleset import DEFAULT_RULES_ID, RULE_SETS
from ordws.tournament.names import find_entrant
from ordws.tournament.pairing.problem import PAIRING_METHODS, DraftedPairing, explain, explain_bye, fill_names
from ordws.tournament.personal_data import export_entrant as everything_about
from ordws.tournament.results import format_result
from ordws.tournament.standings import SCREEN, SCREEN_SHORT
from ordws.tournament.state import RoundState

pages: Final = Blueprint("desk", __name__)
PACE_MILLISECONDS: Final = 1500
"""The pause between two looks of a director's page for what another director did."""
_RECENT: Final = 6
_LOG_PAGE: Final = 200
_SWITCHES: Final = (
    ("on_line", "On line", "games are played on this service"),
    ("automatic", "Automatic", "rounds close, are drawn and published by themselves when all results are in"),
    ("consent_required", "Players agree to the conditions", "before they are checked in"),
    ("unplayed_tiles_round", "Round for unplayed tiles", "after a game has ended, by rule 14"),
)


@pages.get("/desk")
@allow("director")
def events() -> str | Response:
    """Show all events; on a laptop, the one there is."""
    if not desk().events.is_folder:
        return redirect(url_for("desk.now", event=desk().events.only().id), 303)
    states = [(each.id, each.snapshot().state) for each in desk().events.of(g.operator)]
    rows = [{"id": id, "name": state.event.name, "phase": view_phase(state).title} for id, state in states]
    return render_template("events.html", listed=rows, rule_sets=list(RULE_SETS), default_rules=DEFAULT_RULES_ID)


@pages.get("/desk/<event>")
@allow("director")
def now(event: str) -> str:
    """Show the round being played: the line, what is missing, the standings, and what happened."""
    snapshot = open_snapshot(event)
    state = snapshot.state
    return render_page(
        "desk.html",
        snapshot,
        phase=view_phase(state),
        counts=count_entrants(state),
        warning=warn_of_rounds(state),
        headings=SCREEN_SHORT,
        lines=snapshot.lines if state.live_rounds else [],
        changes=rank_changes(state, snapshot.lines),
        missing=view_missing(state),
        late=find_late(state),
        recent=view_log(snapshot.facts, _RECENT),
        line_examples=LINES,
        **_show_round(snapshot, state.last_round),
    )


@pages.get("/desk/<event>/version")
@allow("director")
def version(event: str) -> Response:
    """Return the number of the newest fact, by which pages notice what others did."""
    return version_reply(event_or_404(event).snapshot().state.version)


@pages.get("/desk/<event>/players")
@allow("director")
def people(event: str) -> str:
    """Show the entrants, with what a director may change of each."""
    snapshot = open_snapshot(event)
    state = snapshot.state
    return render_page(
        "people.html",
        snapshot,
        people=sorted(state.entrants.values(), key=lambda each: (each.status == "withdrawn", each.name.casefold())),
        counts=count_entrants(state),
        warning=warn_of_rounds(state),
        imported=request.args.get("imported", type=int),
        needs_consent=state.settings.consent_required,
    )


@pages.get("/desk/<event>/draft")
@allow("director")
def draft(event: str) -> str:
    """Show the draft of the next round with an explanation of each pairing, or why there is none."""
    snapshot = open_snapshot(event)
    state, names = snapshot.state, snapshot.names
    here: dict[str, Any] = {"drafted": None, "fault": "", "rows": [], "notes": [], "unpaired": [], "bye_why": ""}
    try:
        drafted = snapshot.draft
        notes = [fill_names(note, names) for note in drafted.notes]
        rows = [_draft_row(snapshot, pairing) for pairing in drafted.pairings]
        unpaired = [each.name for each in state.entrants.values() if each.status == "entered"]
        bye_why = "" if drafted.bye is None else explain_bye(snapshot.problem, drafted.bye, names)
        here |= {"drafted": drafted, "rows": rows, "notes": notes, "unpaired": unpaired, "bye_why": bye_why}
    except BadInput as error:
        here["fault"] = f"{str(error)[:1].upper()}{str(error)[1:]}" + (f"; {error.hint}." if error.hint else ".")
    everybody = sorted(each.name for each in state.entrants.values() if each.status != "withdrawn")
    present = sorted(names[number] for number in state.present)
    return render_page("draft.html", snapshot, present=present, everybody=everybody, **here)


@pages.get("/desk/<event>/draft.json")
@allow("director")
def draft_json(event: str) -> Response:
    """Return the draft as `ordws tournament do EVENT draft --json` prints it."""
    return jsonify(open_snapshot(event).draft_as_json())


@pages.get("/desk/<event>/cost")
@allow("director")
def cost(event: str) -> Response:
    """Return what it costs to put two players, `a` and `b`, together by hand, as `means`, or why not, as `fault`."""
    from ordws.tournament.pairing.draft import cost_of_change

    snapshot = open_snapshot(event)
    try:
        a, b = (find_entrant(snapshot.state, request.args.get(name, "")) for name in "ab")
        for each in (a, b):
            if each.status != "present":
                raise BadInput(f"{each.name} is not checked in")
        change = cost_of_change(snapshot.problem, snapshot.draft, a.number, b.number)
    except BadInput as error:
        return jsonify(fault=f"{error}; {error.hint}" if error.hint else str(error))
    return jsonify(means=f"{a.name} and {b.name} together {change.in_words()}.")


@pages.get("/desk/<event>/rounds")
@allow("director")
def rounds(event: str) -> str:
    """Show one round, the last unless `at` names another by its place among all that were published."""
    snapshot = open_snapshot(event)
    all_rounds = snapshot.state.rounds
    at = request.args.get("at", len(all_rounds), type=int)
    played = all_rounds[at - 1] if 1 <= at <= len(all_rounds) else None
    return render_page("rounds.html", snapshot, at=at, **_show_round(snapshot, played))


@pages.get("/desk/<event>/standings")
@allow("director")
def standings(event: str) -> str:
    """Show the standings."""
    snapshot = open_snapshot(event)
    return render_page(
        "standings.html",
        snapshot,
        headings=SCREEN,
        lines=snapshot.lines,
        changes=rank_changes(snapshot.state, snapshot.lines),
        after=describe_counted(snapshot.state),
        certificate=describe_certificate(snapshot.certificate) if snapshot.certificate else None,
    )


@pages.get("/desk/<event>/certificate.json")
@allow("director")
def certificate_json(event: str) -> Response:
    """Return the certificate as `ordws tournament certificate --json` prints it."""
    certificate = open_snapshot(event).certificate
    if certificate is None:
        abort(404)
    return jsonify(certificate.as_json())


@pages.get("/desk/<event>/log")
@allow("director")
def log(event: str) -> str:
    """Show what happened, the newest entries, or all of them with `all`."""
    snapshot = open_snapshot(event)
    count = len(snapshot.facts)
    is_whole = "all" in request.args or count <= _LOG_PAGE
    entries = view_log(snapshot.facts, None if is_whole else _LOG_PAGE, undoable=True)
    return render_page("log.html", snapshot, entries=entries, older=0 if is_whole else count)


@pages.get("/desk/<event>/settings")
@allow("director")
def settings(event: str) -> str:
    """Show the settings of the event."""
    return render_page("settings.html", open_snapshot(event), switches=_SWITCHES, pairing_methods=PAIRING_METHODS)


@pages.get("/desk/<event>/players/<int:entrant>.json")
@allow("director")
def export_entrant(event: str, entrant: int) -> Response:
    """Return everything that the event keeps about one entrant."""
    snapshot = open_snapshot(event)
    if entrant not in snapshot.state.entrants:
        abort(404)
    return jsonify(everything_about(snapshot.state, snapshot.facts, entrant))


def open_snapshot(event: str) -> Snapshot:
    """Return the event of this name as it is now, and keep it for this request; raises NotFound."""
    g.event = event_or_404(event)
    return g.event.snapshot()  # type: ignore[no-any-return]


def render_page(template: str, snapshot: Snapshot, **more: Any) -> str:
    """Return a page of an event, with what every template of an event names."""
    online = online_rounds(g.event.id)
    return render_template(
        template,
        event=g.event,
        state=snapshot.state,
        pace=PACE_MILLISECONDS,
        winner_of=find_winner,
        format_result=format_result,
        side_fields=side_fields,
        remarks=online.remarks if online else [],
        amount=lambda hundredths: f"{hundredths / 100:.2f}" if hundredths else "",
        **more,
    )


def _show_round(snapshot: Snapshot, played: RoundState | None) -> dict[str, Any]:
    state = snapshot.state
    can_void = played is not None and played.status != "void" and played == state.last_round and not state.is_finished
    return {"played": played, "can_void": can_void}


def _draft_row(snapshot: Snapshot, pairing: DraftedPairing) -> dict[str, Any]:
    names = snapshot.names
    pair = (min(pairing.first, pairing.second), max(pairing.first, pairing.second))
    return {
        "first": names[pairing.first],
        "second": names[pairing.second],
        "is_repeat": pairing.is_repeat,
        "is_fixed": pair in snapshot.problem.together,
        "whys": [(names[number], _explain(snapshot, pairing, number)) for number in (pairing.first, pairing.second)],
        "cost": f"{pairing.cost:.2f}",
    }


def _explain(snapshot: Snapshot, pairing: DraftedPairing, entrant: int) -> str:
    return explain(snapshot.problem, pairing, entrant, snapshot.names)
