"""The keepers' home page, and their pages of overrides and of files of ballots, decisions and the queue, with words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from io import BytesIO
from pathlib import PurePath
from typing import IO, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from flask import Blueprint, Flask, Request, Response, abort, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import edition_pages
from ordws.console.access import current_member
from ordws.console.edition_pages import find_current_edition, find_rollback
from ordws.console.nominations import pending_nominations
from ordws.console.state import console_state, eligible_voters
from ordws.curation.decision import OverrideAct
from ordws.curation.family import Family
from ordws.curation.text_formats import TextFormat, read_ballots, write_decisions, write_queue, write_votes
from ordws.errors import BadBallot, BadInput
from ordws.fold import fold
from ordws.frame.application import allow, takes_body

pages: Final = Blueprint("keeping", __name__)
pages.register_blueprint(edition_pages.pages)
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
"""The limit for a panel's ballots in one file."""

ExportKind: TypeAlias = Literal["decisions", "ballots", "queue"]
_NOTATIONS: Final[Mapping[str, TextFormat]] = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}
_CONTENT_TYPES: Final[Mapping[TextFormat, str]] = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
_BATCH_SIZE: Final = 2_000
"""Families whose evidence is read while votes wait."""


class CurationProgress(NamedTuple):
    """The number of families in each state; it reveals nothing of the votes on open ones."""

    open: int
    decided_in: int
    decided_out: int
    contested: int
    """Families that wait for a discussion, or are under one."""
    again: int
    """Open families that were decided before."""
    alone: int
    """Open families on which all who may vote have voted: they wait for another curator."""


@pages.get("/keeping")
@allow("keeper")
def home() -> str:
    """Show the keepers' home page."""
    state, edition = console_state(), find_current_edition(console_state().instance)
    voters, counts = state.accounts.voters(), Counter[str]()
    with state.reading() as ledger:
        nominations, overrides = len(pending_nominations().update(ledger)), len(ledger.overrides())
        links, rollback = ledger.last_link_number(), find_rollback(ledger, edition)
        family_states = list(state.family_states.values())
    for each in family_states:
        if each.is_open or each.decision is None:
            counts["open"] += 1
            counts["again"] += each.is_open and each.decision is not None
            counts["alone"] += each.is_open and bool(voters) and eligible_voters(voters, each) <= each.voters
        elif each.is_contested:
            counts["contested"] += 1
        elif each.decision.outcome == "contested":  # split after a second vote too: the standing decides
            counts["in" if each.standing == "flagged" else "out"] += 1
        else:
            counts[each.decision.outcome] += 1
    progress = CurationProgress(
        counts["open"], counts["in"], counts["out"], counts["contested"], counts["again"], counts["alone"]
    )
    return render_template(
        "keeping.html",
        progress=progress,
        waiting=nominations,
        overrides=overrides,
        links=links,
        edition=edition,
        rollback=rollback,
    )


@pages.get("/keeping/overrides")
@allow("keeper")
def override_page() -> str:
    """Show the overrides in force, in alphabetical order."""
    with console_state().reading() as ledger:
        held = sorted(ledger.overrides().values(), key=lambda each: each.word)
    return render_template("keeping_overrides.html", overrides=held)


@pages.post("/keeping/overrides")
@allow("keeper")
def record_override() -> AnyResponse:
    """Append an override, or the lifting of one, which the next edition follows."""
    act = next((each for each in get_args(OverrideAct) if each == request.form.get("act")), None)
    if act is None:
        abort(400)
    word, reason = fold(request.form.get("word", "").strip()), request.form.get("reason", "")
    with console_state().appending([]) as ledger:
        ledger.override(act, word, reason=reason, keeper=current_member().name, at=console_state().timestamp())
    return redirect("/keeping/overrides", 303)


class InMemoryUploadRequest(Request):
    """A request that keeps uploads in memory, so that no word is written to a temporary file in plain text."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        return BytesIO()


@pages.record_once
def _use_in_memory_uploads(state: BlueprintSetupState) -> None:
    cast(Flask, state.app).request_class = InMemoryUploadRequest


@pages.get("/keeping/exchange")
@allow("keeper")
def exchange_page() -> str:
    """Show the page."""
    return render_template("keeping_exchange.html", cast=None, name="", downloads=get_args(ExportKind))


@pages.post("/keeping/exchange")
@allow("keeper")
@takes_body(MAX_FILE_BYTES)
def import_ballots() -> str:
    """Import a file of ballots, all or none, and show counts; raises BadBallot for a voter whom nobody knows."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise BadInput("a file of ballots is needed")
    name = PurePath(file.filename).name
    notation = _NOTATIONS.get(PurePath(name).suffix.lower())
    if notation is None:
        raise BadInput(f'"{name}" ends in none of {", ".join(_NOTATIONS)}')
    ballots = read_ballots(name, file.stream.read(), notation)
    voters = {member.name for member in console_state().accounts.voters()}
    for place, ballot in ballots.items():
        if ballot.curator not in voters:  # a misspelt name would count as another voter
            raise BadBallot(f"{place}: curator: nobody who may vote has this name", hint="Members shows the names")
    with console_state().appending({ballot.family for ballot in ballots.values()}) as ledger:
        counted = ledger.cast(ballots, console_state().timestamp(), panel=console_state().panel_size())
    return render_template("keeping_exchange.html", cast=counted, name=name, downloads=get_args(ExportKind))


@pages.get("/keeping/exchange/<what>.<notation>")
@allow("keeper")
def export(what: str, notation: str) -> Response:
    """Download the decisions, the votes on decided families without their voters, or the queue with its evidence."""
    text_format = next((each for each in get_args(TextFormat) if each == notation), None)
    if text_format is None or what not in get_args(ExportKind):
        abort(404)
    state = console_state()
    with state.reading():
        family_states = dict(state.family_states)
    if what == "ballots":
        with state.reading() as ledger:
            ballots = ledger.disclosed_ballots()
        text = write_votes(ballots, text_format)
    elif what == "queue":
        bases, queue = list(family_states), dict[str, Family]()
        # Read in batches, so that votes need not wait for the evidence of the whole queue.
        for start in range(0, len(bases), _BATCH_SIZE):
            with state.reading() as ledger:
                evidence = ledger.evidence(bases[start : start + _BATCH_SIZE])
            for base, candidates in evidence.items():
                standing = family_states[base].standing
                if standing is not None and candidates:
                    queue[base] = Family(base, standing, candidates)
        text = write_queue(queue, text_format)
    else:
        decisions = {base: each.decision for base, each in family_states.items() if each.decision is not None}
        text = write_decisions(decisions, text_format)
    headers = {"Content-Disposition": f'attachment; filename="{what}.{notation}"'}
    return Response(text, headers=headers, content_type=_CONTENT_TYPES[text_format])
