"""The pages of classes: what they would decide, how their audits go, what they decided, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ordws.console.access import allow, current_member
from ordws.console.state import ConsoleState, console_state
from ordws.curation import family_classes
from ordws.curation.acts import Act, ClassHeld, ClassProposed, ClassReleased, ClassVerdict, RecordedAct, kind_of
from ordws.curation.ballot import is_reason
from ordws.curation.family_classes import ClassAudit, ClassPreview, ClassProposal
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput

pages: Final = Blueprint("classes", __name__)

MAX_EXAMPLES: Final = 20
VERDICTS: Final[dict[str, ClassVerdict]] = {"in": "in", "out": "out"}
ACT_NAMES: Final = {
    "class-proposed": "proposed",
    "class-held": "objected",
    "class-released": "settled the objections",
    "class-adopted": "adopted",
    "class-reverted": "reverted",
}


@dataclass(frozen=True)
class ClassStatus:
    """A class as its page shows it. No sample, no vote: only counts, and what is decided.

    What depends on votes that are still blind, `audit.judged` and `obstacle`, is for keepers: a chair votes too, and
    could tell from the difference that his own vote makes how others voted.
    """

    now: ClassPreview
    proposal: ClassProposal | None
    audit: ClassAudit | None
    obstacle: str | None
    """Why it is not to be adopted; None where it is."""
    ruled: tuple[FamilyState, ...]
    """The families that it decided."""

    @property
    def state(self) -> str:
        """`reverted` reads like a class that was never proposed: it can be proposed."""
        return "free" if self.proposal is None or self.proposal.state == "reverted" else self.proposal.state

    @property
    def forms(self) -> int:
        """Those at stake in the families that it decided."""
        return sum([len(matter.forms) for matter in self.ruled])


@pages.get("/classes")
@allow("chair", "keeper")
def overview() -> str:
    """All classes worth a look."""
    here = console_state()
    with here.reading() as ledger:
        among = family_classes.class_members(here.derivations, here.matters)
        proposals = [each for each in _proposals(ledger, among).values() if each.state != "reverted"]
        alive = [
            _class_status(here, family_classes.preview_class(each.pattern, among[each.pattern]), each)
            for each in proposals
        ]
    patterns = {each.pattern for each in proposals}
    free = [each for each in family_classes.classes_worth_auditing(among) if each.pattern not in patterns]
    return render_template(
        "classes.html",
        alive=alive,
        free=free,
        useful=family_classes.MIN_OPEN_FAMILIES,
        sample=family_classes.SAMPLE_SIZE,
        bound=family_classes.MAX_ERROR_RATE,
    )


@pages.get("/classes/<name>")
@allow("chair", "keeper")
def page(name: str) -> str:
    """One class: counts in words, examples, and what can be done next."""
    here = console_state()
    with here.reading() as ledger:
        standing, history = _find_class(here, ledger, name)
        examples = _examples(here, standing, SystemRandom())
    return render_template(
        "classes_page.html",
        class_=standing,
        examples=examples,
        kinds=ACT_NAMES,
        kind_of=kind_of,
        useful=family_classes.MIN_OPEN_FAMILIES,
        history=history,
        bound=family_classes.MAX_ERROR_RATE,
        sample=min(family_classes.SAMPLE_SIZE, len(standing.now.open)),
    )


@pages.post("/classes/propose")
@allow("chair", "keeper")
def propose() -> Response:
    """Begin the audit of a class: its sample goes to the curators before other families."""
    name, verdict = request.form.get("class", ""), VERDICTS.get(request.form.get("verdict", ""))

    def proposed(standing: ClassStatus) -> Act:
        if verdict is None:
            raise BadInput("say whether the class is in or out")
        if standing.state != "free":
            raise BadInput("the class is proposed already")
        if len(standing.now.open) < family_classes.MIN_OPEN_FAMILIES:
            raise BadInput(f"the class has fewer than {family_classes.MIN_OPEN_FAMILIES} open families")
        sample = family_classes.draw_sample(standing.now, SystemRandom())
        return ClassProposed(pattern=standing.now.pattern, verdict=verdict, sample=sample)

    return _append_act(name, proposed)


@pages.post("/classes/<name>/hold")
@allow("chair", "keeper")
def hold(name: str) -> Response:
    """Object to a class that is being audited."""
    reason = _read_reason()

    def held(standing: ClassStatus) -> Act:
        if standing.state != "audited":
            raise BadInput("only a class that is being audited can be held")
        return ClassHeld(reason=reason)

    return _append_act(name, held)


@pages.post("/classes/<name>/release")
@allow("chair", "keeper")
def release(name: str) -> Response:
    """Settle the objections to a class."""
    reason = _read_reason()

    def released(standing: ClassStatus) -> Act:
        if standing.proposal is None or not standing.proposal.objections:
            raise BadInput("nobody objects to the class")
        return ClassReleased(reason=reason)

    return _append_act(name, released)


@pages.post("/classes/<name>/adopt")
@allow("keeper")
def adopt(name: str) -> Response:
    """Let a class decide its open families, no more of them than the keeper was told; twice is once."""
    here = console_state()
    with here.reading() as ledger:
        standing, _ = _find_class(here, ledger, name)
        if standing.proposal is None or standing.state == "adopted":
            return _redirect_to_class(name)
        if standing.obstacle is not None:
            raise BadInput(standing.obstacle)
        if len(standing.now.open) > request.form.get("families", 0, int):
            raise BadInput("the class has more open families than the page said", hint="look at it again")
        bases = family_classes.families_to_decide(standing.proposal, standing.now)
        with here.appending(bases):
            ledger.adopt_class(name, standing.proposal.verdict, bases, current_member().name, here.timestamp())
        _update_queue_priority(here, ledger)
    return _redirect_to_class(name)


@pages.post("/classes/<name>/revert")
@allow("chair", "keeper")
def revert(name: str) -> Response:
    """Put every family that a class decided back where it was, or give its audit up; twice is once."""
    here, reason = console_state(), _read_reason()
    with here.reading() as ledger:
        standing, _ = _find_class(here, ledger, name)
        if standing.state == "free":
            return _redirect_to_class(name)
        with here.appending([matter.base for matter in standing.ruled]):
            ledger.revert_class(name, current_member().name, reason, here.timestamp(), panel=here.panel_size())
        _update_queue_priority(here, ledger)
    return _redirect_to_class(name)


def _find_class(state: ConsoleState, ledger: Ledger, name: str) -> tuple[ClassStatus, list[RecordedAct]]:
    """A class and its history; 404 where there is none of that name."""
    among = family_classes.class_members(state.derivations, state.matters)
    history = ledger.acts([name]) if name.islower() else []
    proposal = family_classes.replay_proposals(history).get(name)
    pattern = proposal.pattern if proposal else {family_classes.class_name(each): each for each in among}.get(name)
    if pattern is None:
        abort(404)
    return _class_status(state, family_classes.preview_class(pattern, among.get(pattern, ())), proposal), history


def _class_status(state: ConsoleState, preview: ClassPreview, proposal: ClassProposal | None) -> ClassStatus:
    if proposal is None:
        return ClassStatus(preview, None, None, None, ())
    found = family_classes.audit_class(proposal, state.matters)
    ruled = tuple([matter for matter in state.matters.values() if matter.decided_by_class == proposal.name])
    return ClassStatus(preview, proposal, found, family_classes.adoption_obstacle(proposal, found), ruled)


def _proposals(ledger: Ledger, patterns: Iterable[str]) -> dict[str, ClassProposal]:
    return family_classes.replay_proposals(ledger.acts([family_classes.class_name(pattern) for pattern in patterns]))


def _examples(state: ConsoleState, status: ClassStatus, rng: Random) -> list[tuple[str, str]]:
    """Some heads with what they were made from: of those that the class decided, else of those that it would.

    Never of the open families of an adopted class: those are the ones that somebody has voted on.
    """
    among = status.ruled if status.state == "adopted" else status.now.open
    chosen = rng.sample(among, min(MAX_EXAMPLES, len(among)))
    return sorted(
        [(each.base, state.derivations[each.base][0].base) for each in chosen if state.derivations[each.base]]
    )


def _append_act(name: str, make_act: Callable[[ClassStatus], Act]) -> Response:
    """Append an act on a class, by what stands at that moment."""
    here = console_state()
    with here.appending(()) as ledger:
        standing, _ = _find_class(here, ledger, name)
        ledger.append_acts([(name, make_act(standing))], current_member().name, here.timestamp())
    with here.reading() as ledger:
        _update_queue_priority(here, ledger)
    return _redirect_to_class(name)


def _update_queue_priority(state: ConsoleState, ledger: Ledger) -> None:
    """Tell the queue which families audits wait for."""
    proposals = _proposals(ledger, family_classes.class_members(state.derivations, state.matters))
    state.queue.set_audited(family_classes.families_awaiting_audit(proposals.values(), state.matters))


def _read_reason() -> str:
    reason = request.form.get("reason", "").strip()
    if not reason or not is_reason(reason):
        raise BadInput("a reason is needed, of at most 4000 characters and without control characters")
    return reason


def _redirect_to_class(name: str) -> Response:
    return redirect(url_for("classes.page", name=name), 303)
