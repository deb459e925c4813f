"""Ballots in, decisions out: files that hold words, for keepers alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import PurePath
from typing import IO, Final, Literal, TypeAlias, cast, get_args

from flask import Blueprint, Flask, Request, Response, abort, render_template, request
from flask.blueprints import BlueprintSetupState

from ordws.console.access import allow
from ordws.console.state import ConsoleState, console_state
from ordws.curation.acts import BallotRetracted
from ordws.curation.ballot import Ballot
from ordws.curation.family import Family
from ordws.curation.text_formats import TextFormat, read_ballots, write_ballots, write_decisions, write_queue
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadBallot, BadInput

pages: Final = Blueprint("exchange", __name__)

ExportKind: TypeAlias = Literal["decisions", "ballots", "queue"]
_NOTATIONS: Final[Mapping[str, TextFormat]] = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}
_CONTENT_TYPES: Final[Mapping[TextFormat, str]] = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
_BATCH_SIZE: Final = 2_000


class InMemoryUploadRequest(Request):
    """Keeps an upload in memory: it holds words, and would else be written to a temporary file as it is."""

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
    """What can be taken in and out."""
    return render_template("keeping_exchange.html", cast=None, name="", downloads=get_args(ExportKind))


@pages.post("/keeping/exchange")
@allow("keeper")
def import_ballots() -> str:
    """Take in a file of ballots, whole or not at all; says counts."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise BadInput("a file of ballots is needed")
    name = PurePath(file.filename).name
    notation = _NOTATIONS.get(PurePath(name).suffix.lower())
    if notation is None:
        raise BadInput(f'"{name}" ends in none of {", ".join(_NOTATIONS)}')
    ballots = read_ballots(name, file.stream.read(), notation)
    check_voters(ballots, {member.name for member in console_state().accounts.voters()})
    with console_state().appending({ballot.family for ballot in ballots.values()}) as ledger:
        counted = ledger.cast(ballots, console_state().timestamp(), panel=console_state().panel_size())
    return render_template("keeping_exchange.html", cast=counted, name=name, downloads=get_args(ExportKind))


def check_voters(ballots: Mapping[str, Ballot], voters: Collection[str]) -> None:
    """Raise BadBallot where a ballot bears a name that no curator or chair has: a slip of the pen would be a voter."""
    for place, ballot in ballots.items():
        if ballot.curator not in voters:
            raise BadBallot(f"{place}: curator: nobody who may vote has this name", hint="Members shows the names")


@pages.get("/keeping/exchange/<what>.<notation>")
@allow("keeper")
def export(what: str, notation: str) -> Response:
    """A download of decisions, ballots or the queue."""
    chosen = next((each for each in get_args(TextFormat) if each == notation), None)
    if chosen is None or what not in get_args(ExportKind):
        abort(404)
    headers = {"Content-Disposition": f'attachment; filename="{what}.{notation}"'}
    return Response(write_export(console_state(), what, chosen), headers=headers, content_type=_CONTENT_TYPES[chosen])


def write_export(state: ConsoleState, kind: str, notation: TextFormat) -> str:
    """What a download of this kind says."""
    if kind == "ballots":
        return write_ballots(find_exportable_ballots(state), notation)
    with state.reading():
        matters = dict(state.matters)
    if kind == "queue":
        return write_queue(find_queued_families(state, matters), notation)
    decisions = {base: each.decision for base, each in matters.items() if each.decision is not None}
    return write_decisions(decisions, notation)


def find_exportable_ballots(state: ConsoleState) -> list[Ballot]:
    """The ballots on decided families that nobody took back: what is being voted on, or discussed, stays blind."""
    with state.reading() as ledger:
        back = {done.act.ballot for done in ledger.acts() if isinstance(done.act, BallotRetracted)}
        ballots, matters = ledger.ballots(), dict(state.matters)
    return [each for each in ballots if each.id not in back and is_decided_by_votes(matters.get(each.family))]


def is_decided_by_votes(matter: FamilyState | None) -> bool:
    """Whether votes decided a family of the queue; one decided with its class is open again if that is reverted."""
    return matter is not None and not matter.is_open and not matter.is_contested and not matter.decided_by_class


def find_queued_families(state: ConsoleState, matters: Mapping[str, FamilyState]) -> dict[str, Family]:
    """The queue with its evidence, read in parts, so that no vote waits for the whole of it."""
    bases, found = list(matters), dict[str, Family]()
    for start in range(0, len(bases), _BATCH_SIZE):
        with state.reading() as ledger:
            evidence = ledger.evidence(bases[start : start + _BATCH_SIZE])
        for base, candidates in evidence.items():
            standing = matters[base].standing
            if standing is not None and candidates:
                found[base] = Family(base, standing, candidates)
    return found
