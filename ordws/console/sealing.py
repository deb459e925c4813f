"""The next edition: its preview as counts, sealing it, and taking the last one back."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Blueprint, current_app, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response

from ordws.console.access import allow, asked_by_itself, me
from ordws.console.builder import Builder, Outcome, Work
from ordws.console.edition import find_edition, find_taken_back
from ordws.console.preview import STANDS, preview
from ordws.console.room import room
from ordws.curation.acts import EditionSealed
from ordws.curation.ballot import is_reason
from ordws.errors import BadInput
from ordws.instance import Sources

pages: Final = Blueprint("sealing", __name__)


@pages.record_once
def _open(state: BlueprintSetupState) -> None:
    state.app.extensions["builder"] = Builder()


def builder() -> Builder:
    """The builder of the console that answers this request."""
    found: Builder = current_app.extensions["builder"]
    return found


@pages.get("/keeping/sealing")
@allow("keeper")
def index() -> str:
    """What would be sealed, what is being done, and the two buttons."""
    here, edition = room(), find_edition(room().instance)
    links = edition.links if edition else 0
    with here.reading() as ledger:
        matters, derivations = dict(here.matters), here.derivations
        overridden, held = ledger.overrides(), ledger.held_at(links, matters)
        recorded, taken_back = ledger.overridden_since(links), find_taken_back(ledger, edition)
    found = preview(matters, derivations, overridden, held)
    return render_template(
        "keeping_sealing.html",
        edition=edition,
        taken_back=taken_back,
        work=builder().work,
        preview=found,
        stands=STANDS,
        recorded=recorded,
        seconds=_seconds(builder().work),
    )


@pages.post("/keeping/seal")
@allow("keeper")
def seal() -> Response:
    """Start the builder on sources and decisions as they are."""
    here, keeper = room(), me().name
    sources = Sources.locate(current_app.config.get("SOURCES"))

    def note(outcome: Outcome) -> None:
        if outcome.changed:
            with here.changing([]) as ledger:
                ledger.note([("", EditionSealed(number=outcome.edition))], keeper, here.stamp())

    command = ["run", "--json", "--instance", str(here.instance.root), "--sources", str(sources.root)]
    builder().start(Work("seal", keeper, here.clock()), command, done=note)
    return redirect("/keeping/sealing", 303)


@pages.post("/keeping/take-back")
@allow("keeper")
def take_back() -> Response:
    """Start the builder to take the last edition back; it notes that in the ledger itself."""
    here, keeper, reason = room(), me().name, request.form.get("reason", "").strip()
    if not reason or not is_reason(reason):
        raise BadInput("taking an edition back needs a reason, of at most 4000 characters")
    # The reason goes in by standard input: it may name a word, and command lines are there for all to read.
    command = ["take-back", "--json", "--instance", str(here.instance.root), "--keeper", keeper, "--reason", "-"]
    builder().start(Work("take-back", keeper, here.clock()), command, typed=reason, done=lambda _: None)
    return redirect("/keeping/sealing", 303)


@pages.get("/api/sealing")
@allow("keeper")
@asked_by_itself
def state() -> dict[str, Any]:
    """How far the builder is, for the page that waits."""
    work = builder().work
    if work is None:
        return {"state": "idle"}
    shown: dict[str, Any] = msgspec.to_builtins(work)
    return {**shown, "seconds": _seconds(work)}


def _seconds(work: Work | None) -> int:
    return room().clock() - work.since if work is not None else 0
