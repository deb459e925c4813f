"""The keepers' page of import and export: files of ballots, decisions and the queue, which hold words."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import PurePath
from typing import IO, Final, Literal, TypeAlias, cast, get_args

from flask import Blueprint, Flask, Request, Response, abort, render_template, request
from flask.blueprints import BlueprintSetupState

from ordws.console.state import console_state
from ordws.curation.family import Family
from ordws.curation.text_formats import TextFormat, read_ballots, write_decisions, write_queue, write_votes
from ordws.errors import BadBallot, BadInput
from ordws.frame.application import allow
from ordws.frame.turns import takes_body

pages: Final = Blueprint("exchange", __name__)
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
"""The limit for a panel's ballots in one file."""

ExportKind: TypeAlias = Literal["decisions", "ballots", "queue"]
_NOTATIONS: Final[Mapping[str, TextFormat]] = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}
_CONTENT_TYPES: Final[Mapping[TextFormat, str]] = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
_BATCH_SIZE: Final = 2_000
"""Families whose evidence is read while votes wait."""


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
def index() -> str:
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
