"""The pages of classes: the decisions each would make, its audit, its adoption, and reverting it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ordws.console.access import current_member
from ordws.console.state import ConsoleState, console_state
from ordws.curation import family_classes
from ordws.curation.acts import Act, ClassHeld, ClassProposed, ClassReleased, ClassVerdict, RecordedAct, kind_of
from ordws.curation.decision import read_reason
from ordws.curation.family_classes import ClassAudit, ClassPreview, ClassProposal
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput
from ordws.frame.application import allow

pages: Final = Blueprint("classes", __name__)

MAX_EXAMPLES: Final = 20
"""Examples on the page of a class."""
JUDGED_STEP: Final = 30
"""The families judged in an audit are shown in such steps while it goes on."""
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
    """A class as its page shows it: counts and decisions, but neither the sample nor any vote.

    What depends on votes that are still blind, `audit.judged` and `obstacle`, is for keepers alone, and for them in
    steps of 30: a step of one would tell what the vote was that made it. The chair votes too, and could tell from the
    difference that the chair's own vote makes how others voted; so the chair sees families as they were at midnight.
    """

    now: ClassPreview
    proposal: ClassProposal | None
    audit: ClassAudit | None
    obstacle: str | None
    """The reason why the class cannot be adopted; None where it can."""
    ruled: tuple[FamilyState, ...]
    """The families that the class decided."""

    @property
    def state(self) -> str:
        """The state of the proposal; `free` for a class that can be proposed, for the first time or once more."""
        return "free" if self.proposal is None or self.proposal.state == "reverted" else self.proposal.state

    @property
    def forms(self) -> int:
        """The number of forms in the families that the class decided."""
        return sum([len(family_state.forms) for family_state in self.ruled])


@pages.get("/classes")
@allow("chair", "keeper")
def overview() -> str:
    """List the proposed and adopted classes, and those that are large enough to be proposed."""
    state = console_state()
    with state.reading() as ledger:
        families = _visible_families(state)
        members = family_classes.class_members(state.derivations, families)
        proposals = [each for each in _proposals(ledger, members).values() if each.state != "reverted"]
        active = [
            _class_status(families, family_classes.preview_class(each.pattern, members[each.pattern]), each)
            for each in proposals
        ]
    patterns = {each.pattern for each in proposals}
    free = [each for each in family_classes.classes_worth_auditing(members) if each.pattern not in patterns]
    return render_template(
        "classes.html",
        active=active,
        free=free,
        useful=family_classes.MIN_OPEN_FAMILIES,
        sample=family_classes.SAMPLE_SIZE,
        bound=family_classes.MAX_ERROR_RATE,
    )


@pages.get("/classes/<name>")
@allow("chair", "keeper")
def page(name: str) -> str:
    """Show one class: its counts, random examples, and the possible next steps."""
    state = console_state()
    with state.reading() as ledger:
        status, history = _find_class(state, ledger, name, _visible_families(state))
        # Never the open families of an adopted class: those stayed open because somebody has voted on them.
        members = status.ruled if status.state == "adopted" else status.now.open
        drawn = SystemRandom().sample(members, min(MAX_EXAMPLES, len(members)))
        examples = [(each.base, state.derivations[each.base][0].base) for each in drawn if state.derivations[each.base]]
    return render_template(
        "classes_page.html",
        class_=status,
        examples=sorted(examples),
        kinds=ACT_NAMES,
        kind_of=kind_of,
        useful=family_classes.MIN_OPEN_FAMILIES,
        history=history,
        bound=family_classes.MAX_ERROR_RATE,
        sample=min(family_classes.SAMPLE_SIZE, len(status.now.open)),
    )


@pages.post("/classes/propose")
@allow("chair", "keeper")
def propose() -> Response:
    """Begin the audit of a class: its sample goes to the curators before other families."""
    name, verdict = request.form.get("class", ""), VERDICTS.get(request.form.get("verdict", ""))

    def make_act(status: ClassStatus) -> Act:
        if verdict is None:
            raise BadInput("say whether the class is in or out")
        if status.state != "free":
            raise BadInput("the class is proposed already")
        if len(status.now.open) < family_classes.MIN_OPEN_FAMILIES:
            raise BadInput(f"the class has fewer than {family_classes.MIN_OPEN_FAMILIES} open families")
        sample = family_classes.draw_sample(status.now, SystemRandom())
        return ClassProposed(pattern=status.now.pattern, verdict=verdict, sample=sample)

    return _append_act(name, make_act)


@pages.post("/classes/<name>/hold")
@allow("chair", "keeper")
def hold(name: str) -> Response:
    """Object to a class that is being audited."""
    reason = read_reason(request.form.get("reason", ""))

    def make_act(status: ClassStatus) -> Act:
        if status.state != "audited":
            raise BadInput("only a class that is being audited can be held")
        return ClassHeld(reason=reason)

    return _append_act(name, make_act)


@pages.post("/classes/<name>/release")
@allow("chair", "keeper")
def release(name: str) -> Response:
    """Settle the objections to a class."""
    reason = read_reason(request.form.get("reason", ""))

    def make_act(status: ClassStatus) -> Act:
        if status.proposal is None or not status.proposal.objections:
            raise BadInput("nobody objects to the class")
        return ClassReleased(reason=reason)

    return _append_act(name, make_act)


@pages.post("/classes/<name>/adopt")
@allow("keeper")
def adopt(name: str) -> Response:
    """Adopt a class, which decides its open families; do nothing where it is adopted already.

    The form repeats how many families the page showed; where the class has more by now, it is refused.
    """
    state = console_state()
    # The lock is held from the checks to the append, so that no vote comes in between.
    with state.reading() as ledger:
        status, _ = _find_class(state, ledger, name)
        if status.proposal is None or status.state == "adopted":
            return _redirect_to_class(name)
        if status.obstacle is not None:
            raise BadInput(status.obstacle)
        if len(status.now.open) > request.form.get("families", 0, int):
            raise BadInput("the class has more open families than the page said", hint="look at it again")
        bases = family_classes.families_to_decide(status.proposal, status.now)
        with state.appending(bases):
            ledger.adopt_class(name, status.proposal.verdict, bases, current_member().name, state.timestamp())
        _update_queue_priority(state, ledger)
    return _redirect_to_class(name)


@pages.post("/classes/<name>/revert")
@allow("chair", "keeper")
def revert(name: str) -> Response:
    """Undo the decisions of an adopted class, or end its audit; do nothing where it is reverted already."""
    state, reason = console_state(), read_reason(request.form.get("reason", ""))
    with state.reading() as ledger:
        status, _ = _find_class(state, ledger, name)
        if status.state == "free":
            return _redirect_to_class(name)
        with state.appending([family_state.base for family_state in status.ruled]):
            ledger.revert_class(name, current_member().name, reason, state.timestamp(), panel=state.panel_size())
        _update_queue_priority(state, ledger)
    return _redirect_to_class(name)


def _visible_families(state: ConsoleState) -> Mapping[str, FamilyState]:
    """Return the families as the member who sent this request may see them."""
    return state.family_states if current_member().role == "keeper" else state.midnight_states


def _find_class(
    state: ConsoleState, ledger: Ledger, name: str, families: Mapping[str, FamilyState] | None = None
) -> tuple[ClassStatus, list[RecordedAct]]:
    """Return a class and the acts on it, its families as they are or as given; 404 where there is none of that name."""
    families = state.family_states if families is None else families
    members = family_classes.class_members(state.derivations, families)
    # Names of classes are lower-case; a family's base, whose acts the ledger would give as well, is upper-case.
    history = ledger.acts([name]) if name.islower() else []
    proposal = family_classes.replay_proposals(history).get(name)
    pattern = proposal.pattern if proposal else {family_classes.class_name(each): each for each in members}.get(name)
    if pattern is None:
        abort(404)
    return _class_status(families, family_classes.preview_class(pattern, members.get(pattern, ())), proposal), history


def _class_status(
    families: Mapping[str, FamilyState], preview: ClassPreview, proposal: ClassProposal | None
) -> ClassStatus:
    if proposal is None:
        return ClassStatus(preview, None, None, None, ())
    audit = family_classes.audit_class(proposal, families)
    ruled = tuple([each for each in families.values() if each.decided_by_class == proposal.name])
    obstacle = family_classes.adoption_obstacle(proposal, audit)
    if audit.judged < audit.size:
        shown = max(audit.decided, audit.judged - audit.judged % JUDGED_STEP)
        audit = audit._replace(judged=shown)
    return ClassStatus(preview, proposal, audit, obstacle, ruled)


def _proposals(ledger: Ledger, patterns: Iterable[str]) -> dict[str, ClassProposal]:
    return family_classes.replay_proposals(ledger.acts([family_classes.class_name(pattern) for pattern in patterns]))


def _append_act(name: str, make_act: Callable[[ClassStatus], Act]) -> Response:
    """Append the act that `make_act` returns for the present status of a class; it raises BadInput to refuse."""
    state = console_state()
    with state.appending(()) as ledger:
        status, _ = _find_class(state, ledger, name)
        ledger.append_acts([(name, make_act(status))], current_member().name, state.timestamp())
    with state.reading() as ledger:
        _update_queue_priority(state, ledger)
    return _redirect_to_class(name)


def _update_queue_priority(state: ConsoleState, ledger: Ledger) -> None:
    """Tell the queue which families audits wait for, so that they are dealt first."""
    proposals = _proposals(ledger, family_classes.class_members(state.derivations, state.family_states))
    state.queue.set_audited(family_classes.families_awaiting_audit(proposals.values(), state.family_states))


def _redirect_to_class(name: str) -> Response:
    return redirect(url_for("classes.page", name=name), 303)
