"""The page of the next edition: its preview as counts, and the builder that seals it or rolls the last one back.

The builder is a child process, one at a time.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from flask import Blueprint, current_app, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response

from ordws.console.access import current_member, does_not_extend_session
from ordws.console.state import console_state
from ordws.curation.acts import EditionRolledBack, EditionSealed, RecordedAct
from ordws.curation.decision import Decision, read_reason
from ordws.curation.family import Derivation
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput, Missing, OrdwsError
from ordws.frame.application import allow
from ordws.instance import Instance, Sources

BuildTask: TypeAlias = Literal["seal", "take-back"]
_ERROR_PREFIX: Final = "ordws: error: "
_TRACEBACK_HEADER: Final = "Traceback (most recent call last):"


class BuildOutcome(msgspec.Struct, frozen=True):
    """The builder's report on either task, in counts only."""

    edition: int
    name: str
    changed: bool = True
    counts: dict[str, int] = {}


@dataclass(frozen=True)
class BuildJob:
    """A task of the builder, with its progress."""

    task: BuildTask
    keeper: str
    since: int
    state: Literal["running", "done", "failed"] = "running"
    lines: tuple[str, ...] = ()
    """The builder's output so far, which holds counts only."""
    outcome: BuildOutcome | None = None
    error: str = ""
    folder: str = ""
    """The folder in which the builder runs, and the command, by which a keeper repeats at a terminal what failed."""
    command: str = ""


class BuilderProcess:
    """The builder as a child process, which a thread follows, so that votes do not wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._job: BuildJob | None = None
        self._thread: threading.Thread | None = None

    @property
    def job(self) -> BuildJob | None:
        """The latest job; None where there was none since the console was started."""
        return self._job

    def start(
        self, job: BuildJob, command: Sequence[str], *, stdin_text: str = "", on_success: Callable[[BuildOutcome], None]
    ) -> None:
        """Start the builder on a job; `stdin_text` goes to its standard input.

        `on_success` is called with the outcome once it has succeeded. Raises BadInput while another job runs, and
        Missing where the builder is not installed.
        """
        with self._lock:
            if self._job is not None and self._job.state == "running":
                raise BadInput("an edition is being sealed here", hint="repeat this when it is done")
            # The builder is installed beside this interpreter, if it is, or elsewhere on the path.
            beside = Path(sys.executable).with_name("ordws-build")
            executable = str(beside) if beside.exists() else shutil.which("ordws-build")
            if executable is None:
                raise Missing("ordws-build is not installed here", hint="pip install '.[build]'")
            child = subprocess.Popen(
                [executable, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C in the console's terminal does not end it half-way
            )
            words = [each for each in command if each != "--json"]
            self._job = replace(job, folder=str(Path.cwd()), command=shlex.join(["ordws-build", *words]))
            self._thread = threading.Thread(target=self._watch, args=(child, stdin_text, on_success), daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Wait until the builder has ended, where it runs."""
        if self._thread is not None:
            self._thread.join()

    def _watch(self, child: subprocess.Popen[str], stdin_text: str, on_success: Callable[[BuildOutcome], None]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        with child:
            with suppress(BrokenPipeError), child.stdin as stdin:
                stdin.write(stdin_text)
            # A traceback, which may show words among its values, is left out with all that follows it.
            is_plain = True
            for line in child.stderr:
                is_plain = is_plain and line.rstrip("\n") != _TRACEBACK_HEADER
                if is_plain and self._job is not None:
                    self._job = replace(self._job, lines=(*self._job.lines, line.rstrip("\n")))
            # Only now: the report is one line, which never fills its pipe while the progress is read.
            report = child.stdout.read()
        try:
            if child.returncode != 0:
                lines = self._job.lines if self._job else ()
                errors = [line.removeprefix(_ERROR_PREFIX) for line in lines if line.startswith(_ERROR_PREFIX)]
                error = errors[-1] if errors else "the builder stopped before it was done"
                self._finish(state="failed", error=error)
                return
            outcome = msgspec.json.decode(report, type=BuildOutcome)
            on_success(outcome)
            self._finish(state="done", outcome=outcome)
        except msgspec.MsgspecError:
            self._finish(state="failed", error="what the builder reported cannot be read")
        except OrdwsError as err:
            self._finish(state="failed", error=f"the edition is sealed, but that was not noted: {err}")

    def _finish(
        self, *, state: Literal["done", "failed"], outcome: BuildOutcome | None = None, error: str = ""
    ) -> None:
        if self._job is not None:
            self._job = replace(self._job, state=state, outcome=outcome, error=error)


FormStatus: TypeAlias = Literal["in", "out", "contested", "open", "overridden"]
FORM_STATUSES: Final[tuple[FormStatus, ...]] = get_args(FormStatus)
NOT_DERIVED: Final = "not derived"

FamilyStatesByBase: TypeAlias = Mapping[str, FamilyState]


class PreviewRow(NamedTuple):
    """The number of forms in each status, for one standing or pattern."""

    name: str
    counts: list[int]
    """In the order of FORM_STATUSES."""
    total: int


@dataclass(frozen=True)
class EditionPreview:
    """The forms at stake, and the changes since the current edition."""

    by_standing: list[PreviewRow]
    by_pattern: list[PreviewRow]
    decided: Counter[str]
    """Families decided since then, by outcome; `put back` where a class was reverted."""
    coming: int
    """The forms that these decisions bring in."""
    leaving: int
    """The forms that they take out."""
    again: int
    """The families that are voted on again: until that decides, their earlier decision holds."""


def preview_edition(
    family_states: FamilyStatesByBase,
    derivations: Mapping[str, tuple[Derivation, ...]],
    overridden: Container[str],
    previous: Mapping[str, Decision | None],
) -> EditionPreview:
    """Return the preview; `previous` maps each family decided since the current edition to the decision it follows."""
    counts: Counter[tuple[str, str, FormStatus]] = Counter()
    for base, family_state in family_states.items():
        pattern = next((each.pattern for each in derivations.get(base, ())), NOT_DERIVED)
        decision = family_state.decision
        for word in family_state.forms:
            status: FormStatus = "overridden" if word in overridden else "open"
            if status == "open" and decision is not None:
                status = "in" if decision.includes(word) else "out"
                # A form that is split after a second vote too is not contested any more: it follows its standing.
                if family_state.is_contested and decision.outcome_of(word) == "contested":
                    status = "contested"
            counts[family_state.standing or "", pattern, status] += 1
    decided, coming, leaving = Counter[str](), 0, 0
    for base, old_decision in previous.items():
        family_state = family_states[base]
        decision = family_state.decision
        decided["put back" if decision is None else decision.outcome] += 1
        for word in family_state.forms:
            if word not in overridden:
                was_in, is_in = _admits(family_state, old_decision, word), _admits(family_state, decision, word)
                coming += is_in and not was_in
                leaving += was_in and not is_in
    return EditionPreview(
        by_standing=_rows(counts, 0),
        by_pattern=_rows(counts, 1),
        decided=decided,
        coming=coming,
        leaving=leaving,
        again=sum([each.is_open and each.decision is not None for each in family_states.values()]),
    )


def _admits(family_state: FamilyState, decision: Decision | None, word: str) -> bool:
    """Return whether a form is in an edition under this decision; an undecided one follows its standing."""
    return family_state.standing == "flagged" if decision is None else decision.includes(word)


def _rows(counts: Counter[tuple[str, str, FormStatus]], by: Literal[0, 1]) -> list[PreviewRow]:
    """Sum the counts by standing (0) or by pattern (1), the largest first."""
    sums: dict[str, Counter[FormStatus]] = {}
    for key, count in counts.items():
        sums.setdefault(key[by], Counter())[key[2]] += count
    rows = [PreviewRow(name, [each[status] for status in FORM_STATUSES], each.total()) for name, each in sums.items()]
    return sorted(rows, key=lambda row: (-row.total, row.name))


pages: Final = Blueprint("sealing", __name__)


class BuildRecord(msgspec.Struct, frozen=True):
    """The part of `instance/build.json` that the console reads."""

    edition: int
    name: str
    counts: dict[str, int] = {}
    links: int = 0
    """The number of links in the ledger whose decisions the edition follows."""


class CurrentEdition(NamedTuple):
    """The edition in force, and the time from which it is."""

    number: int
    name: str
    since: str
    links: int
    counts: dict[str, int]


def find_current_edition(instance: Instance) -> CurrentEdition | None:
    """Return the newest edition built here; None before the first, or where its record cannot be read."""
    try:
        record = msgspec.json.decode(instance.build_record.read_bytes(), type=BuildRecord)
        since = datetime.fromtimestamp(int(instance.sealed_edition.stat().st_mtime), UTC)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
    return CurrentEdition(record.edition, record.name, f"{since:%Y-%m-%d %H:%M} UTC", record.links, record.counts)


def find_rollback(ledger: Ledger, edition: CurrentEdition | None) -> RecordedAct | None:
    """Return the act that made this edition where it rolled an earlier one back; None where it was built."""
    for done in reversed(ledger.acts([""])):
        if isinstance(done.act, EditionRolledBack):
            return done if edition is not None and done.act.number == edition.number else None
    return None


@pages.record_once
def _create_builder(state: BlueprintSetupState) -> None:
    state.app.extensions["builder"] = BuilderProcess()


def current_builder() -> BuilderProcess:
    """Return the builder of the console that answers this request."""
    builder: BuilderProcess = current_app.extensions["builder"]
    return builder


@pages.get("/keeping/sealing")
@allow("keeper")
def index() -> str:
    """Show the current edition, a preview of the next, the builder's progress, and the two buttons."""
    state, edition = console_state(), find_current_edition(console_state().instance)
    links = edition.links if edition else 0
    # Copies, so that the preview is computed after the lock is released, while votes go on.
    with state.reading() as ledger:
        family_states, derivations = dict(state.family_states), state.derivations
        overrides, previous = ledger.overrides(), ledger.decisions_at(links, family_states)
        override_counts, rollback = ledger.override_counts_since(links), find_rollback(ledger, edition)
    return render_template(
        "keeping_sealing.html",
        edition=edition,
        rollback=rollback,
        job=current_builder().job,
        preview=preview_edition(family_states, derivations, overrides, previous),
        statuses=FORM_STATUSES,
        override_counts=override_counts,
        seconds=_seconds_running(current_builder().job),
    )


@pages.post("/keeping/seal")
@allow("keeper")
def seal() -> Response:
    """Start the builder on the sources and decisions as they are now."""
    state, keeper = console_state(), current_member().name
    sources = Sources.locate(current_app.config.get("SOURCES"))

    def record(outcome: BuildOutcome) -> None:
        if outcome.changed:
            with state.appending([]) as ledger:
                ledger.append_acts([("", EditionSealed(number=outcome.edition))], keeper, state.timestamp())

    command = ["run", "--json", "--instance", str(state.instance.root), "--sources", str(sources.root)]
    current_builder().start(BuildJob("seal", keeper, state.clock()), command, on_success=record)
    return redirect("/keeping/sealing", 303)


@pages.post("/keeping/take-back")
@allow("keeper")
def take_back() -> Response:
    """Start the builder to roll the last edition back, which it records in the ledger itself."""
    state, keeper, reason = console_state(), current_member().name, read_reason(request.form.get("reason", ""))
    # The reason goes by standard input: it may name a word, and every user of the machine can read command lines.
    command = ["take-back", "--json", "--instance", str(state.instance.root), "--keeper", keeper, "--reason", "-"]
    current_builder().start(
        BuildJob("take-back", keeper, state.clock()), command, stdin_text=reason, on_success=lambda _: None
    )
    return redirect("/keeping/sealing", 303)


@pages.get("/api/sealing")
@allow("keeper")
@does_not_extend_session
def job_status() -> dict[str, Any]:
    """Return the builder's progress, for the script of a page that waits."""
    job = current_builder().job
    if job is None:
        return {"state": "idle"}
    fields: dict[str, Any] = msgspec.to_builtins(job)
    return {**fields, "seconds": _seconds_running(job)}


def _seconds_running(job: BuildJob | None) -> int:
    return console_state().clock() - job.since if job is not None else 0
