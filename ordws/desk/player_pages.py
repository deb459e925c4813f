"""The pages of the players, without an account: an entry code tells the event who is looking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response, g, json, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from ordws.desk.context import desk, event_or_404, online_rounds, version_reply
from ordws.desk.events import DeskEvent, Snapshot
from ordws.desk.fields import Fields, read_game, read_number, read_result
from ordws.desk.player_views import (
    describe_round,
    is_told_by_players,
    next_seat,
    view_my_games,
    view_pairings,
    view_wall_chart,
)
from ordws.desk.views import describe_counted, rank_changes, view_phase
from ordws.errors import BadInput
from ordws.frame.application import allow, wants_json
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.consent import check_consent, current_consent
from ordws.tournament.facts import actor_of
from ordws.tournament.personal_data import export_entrant
from ordws.tournament.prizes import describe_pending
from ordws.tournament.standings import SCREEN
from ordws.tournament.state import Entrant

pages: Final = Blueprint("players", __name__)
PACE_MILLISECONDS: Final = 6000
SECONDS_A_PAGE: Final = 12
_FEWEST_SECONDS, _MOST_SECONDS = 2, 120


@pages.get("/tournament/<event>")
@allow()
def event(event: str) -> str | AnyResponse:
    """Show a player their next table, anybody the pairings by name; `round` and `table` open the form of a table."""
    opened, snapshot = open_event(event)
    state = snapshot.state
    round_, table = (request.args.get(name, 0, type=int) for name in ("round", "table"))
    if g.director and round_ and table:  # a director has scanned the slip of a table
        return redirect(url_for("desk.rounds", event=event, _anchor=f"enter-{round_}-{table}-1"), 303)
    me = entrant_of(snapshot)
    online = online_rounds(event)
    return render_event(
        "player_event.html",
        opened,
        snapshot,
        me=me,
        # A link gives its seat to whoever has it, so that it is shown to the entrant of the session alone.
        seat_link=(lambda game: online and online.seat_link(me.number, game.sealed_game))
        if me and desk().online
        else None,
        begin_by=online.begin_by if online else None,
        seat=next_seat(snapshot, me.number) if me else None,
        games=view_my_games(state, me.number) if me else [],
        consent=current_consent() if me and state.settings.consent_required and not me.agreed else None,
        table=render_part("pairings", snapshot, me, _view_tables),
        round_text=describe_round(state),
        slip={"round": round_, "table": table},
    )


@pages.get("/tournament/<event>/version")
@allow()
def version(event: str) -> Response:
    """Return how far the event has come as players are shown it; a held prize is not told by it."""
    return version_reply(event_or_404(event).snapshot().players_version)


@pages.get("/tournament/<event>/standings")
@allow()
def standings(event: str) -> str:
    """Show the standings."""
    opened, snapshot = open_event(event)
    me = entrant_of(snapshot)
    return render_event(
        "player_standings.html",
        opened,
        snapshot,
        me=me,
        table=render_part("standings", snapshot, me, _view_standings),
        head=snapshot.played_digest,
        pending=describe_pending(snapshot.state),
        after=describe_counted(snapshot.state),
    )


@pages.get("/tournament/<event>/standings.json")
@allow()
def standings_json(event: str) -> Response:
    """Return the standings as `ordws tournament standings --json` prints them."""
    snapshot = open_event(event)[1]
    text = snapshot.render_once(
        "standings.json", lambda: json.dumps([line.to_json() for line in snapshot.lines], separators=(",", ":"))
    )
    return Response(text, content_type="application/json")


@pages.get("/tournament/<event>/wall-chart")
@allow()
def wall_chart(event: str) -> str:
    """Show the results of all rounds, an entrant a line."""
    opened, snapshot = open_event(event)
    me = entrant_of(snapshot)
    table = render_part("wall_chart", snapshot, me, _view_chart)
    return render_event("wall_chart.html", opened, snapshot, me=me, table=table)


@pages.get("/tournament/<event>/projector")
@allow()
def projector(event: str) -> str:
    """Show the pairings by name and the standings; `seconds`, 2 to 120, is the time for which a page stands."""
    opened, snapshot = open_event(event)
    seconds = request.args.get("seconds", SECONDS_A_PAGE, type=int)
    return render_event(
        "projector.html",
        opened,
        snapshot,
        sheets=render_part("projector", snapshot, None, _view_projector),
        seconds=min(max(seconds, _FEWEST_SECONDS), _MOST_SECONDS),
    )


@pages.get("/tournament/<event>/me.json")
@allow("player")
def my_data(event: str) -> Response:
    """Return everything that the event keeps about the player who is signed in."""
    _, snapshot = open_event(event)
    me = require_entrant(snapshot)
    return jsonify(export_entrant(snapshot.state, snapshot.facts, me.number))


@pages.post("/tournament/<event>/do/<name>")
@allow("player")
def command(event: str, name: str) -> AnyResponse:
    """Carry out what a player may do: check in, agree, tell a result, confirm one."""
    opened, snapshot = open_event(event)
    me = require_entrant(snapshot)
    fields = request.form
    # Players count the facts that their pages show, so that they learn of no others.
    seen = snapshot.fact_at(read_number(fields, "seen", snapshot.players_version))
    planned, said = _plan(snapshot, me.number, name, fields)
    # A confirmation without what the player has seen is refused: the opponent may have told something else since.
    expected = None if name == "confirm" and not fields.get("seen") else seen
    id, now = fields.get("id") or None, desk().clock()
    opened.apply(planned, actor=actor_of(me.number), now=now, command_id=id, expected=expected)
    if wants_json():
        return jsonify(said=said)
    return redirect(url_for("players.event", event=event), 303)


def _plan(snapshot: Snapshot, me: int, name: str, fields: Fields) -> tuple[c.Command, str]:
    match name:
        case "check-in":
            return f.CheckedIn(entrant=me), "You are checked in."
        case "agree":
            wording = check_consent(fields.get("version", ""), fields.get("digest", ""))
            return f.Agreed(entrant=me, version=wording.version, digest=wording.digest), "Thank you."
        case "claim":
            result = read_result(_sides(snapshot, me, fields))
            said = "Told. It counts once your opponent says the same."
            now = desk().clock()
            return c.ClaimResult(result=result, entrant=me, now=now, **read_game(fields)), said
        case "confirm":
            return c.ConfirmResult(entrant=me, **read_game(fields)), "Confirmed: the result counts."
    raise BadInput(f'a player cannot "{name}"')


def _sides(snapshot: Snapshot, me: int, fields: Fields) -> dict[str, str]:
    """Return the fields of a player's form, which say "mine" and "theirs", as those of first and second."""
    place = read_game(fields)
    played = snapshot.state.find_round(place["round"])
    pairing = played.at_table(place["table"]) if played else None
    if pairing is None or me not in pairing.entrants:
        raise BadInput("you do not play at this table")
    mine, theirs = ("first", "second") if pairing.first == me else ("second", "first")
    if not is_told_by_players(snapshot.state, pairing, place["game"]):
        raise BadInput(
            "this game is played on line and reports its result itself", hint="tell a director if it did not"
        )
    named = {"mine": mine, "theirs": theirs}
    sides = {f"{side}_{what}": fields.get(f"{who}_{what}", "") for who, side in named.items() for what in _FIGURES}
    return {**sides, "resigned": named.get(fields.get("resigned", ""), "")}


_FIGURES: Final = ("score", "points", "turns")


def open_event(event: str) -> tuple[DeskEvent, Snapshot]:
    """Return the event of this name, which the request keeps, and how it is now; raises NotFound."""
    g.event = event_or_404(event)
    return g.event, g.event.snapshot()


def entrant_of(snapshot: Snapshot) -> Entrant | None:
    """Return the entrant who is signed in, None for nobody: a code that was replaced has signed its player out."""
    if g.entrant is None:
        return None
    number, digest = g.entrant
    found = snapshot.state.entrants.get(number)
    return found if found is not None and digest and found.code_digest == digest else None


def require_entrant(snapshot: Snapshot) -> Entrant:
    """Return the entrant who is signed in; raise BadInput where their code was replaced."""
    me = entrant_of(snapshot)
    if me is None:
        raise BadInput("your entry code was replaced", hint="sign in with the code of your newer card")
    return me


def render_part(
    name: str, snapshot: Snapshot, me: Entrant | None, view: Callable[[Snapshot], dict[str, Any]]
) -> Markup:
    """Return a part of a page, rendered once from `view` for all who read it, with the row of an entrant marked."""
    part = snapshot.render_once(name, lambda: render_template(f"part_{name}.html", **view(snapshot)))
    return Markup(part.replace(f' data-entrant="{me.number}"', ' class="self"') if me else part)


def _view_tables(snapshot: Snapshot) -> dict[str, Any]:
    return {"rows": view_pairings(snapshot.state, snapshot.state.last_round)}


def _view_standings(snapshot: Snapshot) -> dict[str, Any]:
    changes = rank_changes(snapshot.state, snapshot.lines)
    return {"headings": SCREEN, "lines": snapshot.lines, "changes": changes}


def _view_projector(snapshot: Snapshot) -> dict[str, Any]:
    state = snapshot.state
    lines = snapshot.lines if state.live_rounds else []
    rows = [] if state.is_finished else view_pairings(state, state.last_round)
    ranks = "Final standings" if state.is_finished else "Standings"
    return {"rows": rows, "lines": lines, "round_text": describe_round(state), "ranks_text": ranks}


def _view_chart(snapshot: Snapshot) -> dict[str, Any]:
    rounds = [each.number for each in snapshot.state.live_rounds]
    return {"rounds": rounds, "rows": view_wall_chart(snapshot.state, snapshot.lines)}


def render_event(template: str, opened: DeskEvent, snapshot: Snapshot, **more: Any) -> str:
    """Return a page of the players, with what every template of theirs names."""
    return render_template(
        template,
        event=opened,
        state=snapshot.state,
        phase=view_phase(snapshot.state),
        pace=PACE_MILLISECONDS,
        version_shown=snapshot.players_version,
        **more,
    )
