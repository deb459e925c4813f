"""The pages of classes: what they would decide, how their audits go, what they decided, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ordws.console.access import allow, me
from ordws.console.room import Room, room
from ordws.curation import classes
from ordws.curation.acts import Act, ClassHeld, ClassProposed, ClassReleased, Done, kind_of
from ordws.curation.ballot import is_reason
from ordws.curation.box import Verdict
from ordws.curation.classes import Audit, Preview, Proposal
from ordws.curation.ledger import Ledger
from ordws.curation.rounds import Matter
from ordws.errors import BadInput

pages: Final = Blueprint("classes", __name__)

EXAMPLES: Final = 20
VERDICTS: Final[dict[str, Verdict]] = {"in": "in", "out": "out"}
KINDS: Final = {
    "class-proposed": "proposed",
    "class-held": "objected",
    "class-released": "settled the objections",
    "class-adopted": "adopted",
    "class-reverted": "reverted",
}


@dataclass(frozen=True)
class Standing:
    """A class as its page shows it. No sample, no vote: only counts, and what is decided.

    What depends on votes that are still blind, `audit.judged` and `obstacle`, is for keepers: a chair votes too, and
    could tell from the difference that his own vote makes how others voted.
    """

    now: Preview
    proposal: Proposal | None
    audit: Audit | None
    obstacle: str | None
    """Why it is not to be adopted; None where it is."""
    ruled: tuple[Matter, ...]
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
    here = room()
    with here.reading() as ledger:
        among = classes.members(here.derivations, here.matters)
        proposals = [each for each in _proposals(ledger, among).values() if each.state != "reverted"]
        alive = [_standing(here, classes.preview(each.pattern, among[each.pattern]), each) for each in proposals]
    patterns = {each.pattern for each in proposals}
    free = [each for each in classes.propose(among) if each.pattern not in patterns]
    return render_template(
        "classes.html", alive=alive, free=free, useful=classes.USEFUL, sample=classes.SAMPLE, bound=classes.MOST_WRONG
    )


@pages.get("/classes/<name>")
@allow("chair", "keeper")
def page(name: str) -> str:
    """One class: counts in words, examples, and what can be done next."""
    here = room()
    with here.reading() as ledger:
        standing, history = _look(here, ledger, name)
        examples = _examples(here, standing, SystemRandom())
    return render_template(
        "classes_page.html",
        class_=standing,
        examples=examples,
        kinds=KINDS,
        kind_of=kind_of,
        useful=classes.USEFUL,
        history=history,
        bound=classes.MOST_WRONG,
        sample=min(classes.SAMPLE, len(standing.now.open)),
    )


@pages.post("/classes/propose")
@allow("chair", "keeper")
def propose() -> Response:
    """Begin the audit of a class: its sample goes to the curators before other families."""
    name, verdict = request.form.get("class", ""), VERDICTS.get(request.form.get("verdict", ""))

    def proposed(standing: Standing) -> Act:
        if verdict is None:
            raise BadInput("say whether the class is in or out")
        if standing.state != "free":
            raise BadInput("the class is proposed already")
        if len(standing.now.open) < classes.USEFUL:
            raise BadInput(f"the class has fewer than {classes.USEFUL} open families")
        sample = classes.draw_sample(standing.now, SystemRandom())
        return ClassProposed(pattern=standing.now.pattern, verdict=verdict, sample=sample)

    return _note(name, proposed)


@pages.post("/classes/<name>/hold")
@allow("chair", "keeper")
def hold(name: str) -> Response:
    """Object to a class that is being audited."""
    reason = _reason()

    def held(standing: Standing) -> Act:
        if standing.state != "audited":
            raise BadInput("only a class that is being audited can be held")
        return ClassHeld(reason=reason)

    return _note(name, held)


@pages.post("/classes/<name>/release")
@allow("chair", "keeper")
def release(name: str) -> Response:
    """Settle the objections to a class."""
    reason = _reason()

    def released(standing: Standing) -> Act:
        if standing.proposal is None or not standing.proposal.objections:
            raise BadInput("nobody objects to the class")
        return ClassReleased(reason=reason)

    return _note(name, released)


@pages.post("/classes/<name>/adopt")
@allow("keeper")
def adopt(name: str) -> Response:
    """Let a class decide its open families, no more of them than the keeper was told; twice is once."""
    here = room()
    with here.reading() as ledger:
        standing, _ = _look(here, ledger, name)
        if standing.proposal is None or standing.state == "adopted":
            return _back(name)
        if standing.obstacle is not None:
            raise BadInput(standing.obstacle)
        if len(standing.now.open) > request.form.get("families", 0, int):
            raise BadInput("the class has more open families than the page said", hint="look at it again")
        bases = classes.ruled(standing.proposal, standing.now)
        with here.changing(bases):
            ledger.adopt_class(name, standing.proposal.verdict, bases, me().name, here.stamp())
        _prefer(here, ledger)
    return _back(name)


@pages.post("/classes/<name>/revert")
@allow("chair", "keeper")
def revert(name: str) -> Response:
    """Put every family that a class decided back where it was, or give its audit up; twice is once."""
    here, reason = room(), _reason()
    with here.reading() as ledger:
        standing, _ = _look(here, ledger, name)
        if standing.state == "free":
            return _back(name)
        with here.changing([matter.base for matter in standing.ruled]):
            ledger.revert_class(name, me().name, reason, here.stamp(), panel=here.panel())
        _prefer(here, ledger)
    return _back(name)


def _look(here: Room, ledger: Ledger, name: str) -> tuple[Standing, list[Done]]:
    """A class and its history; 404 where there is none of that name."""
    among = classes.members(here.derivations, here.matters)
    history = ledger.acts([name]) if name.islower() else []
    proposal = classes.follow(history).get(name)
    pattern = proposal.pattern if proposal else {classes.name_of(each): each for each in among}.get(name)
    if pattern is None:
        abort(404)
    return _standing(here, classes.preview(pattern, among.get(pattern, ())), proposal), history


def _standing(here: Room, now: Preview, proposal: Proposal | None) -> Standing:
    if proposal is None:
        return Standing(now, None, None, None, ())
    found = classes.audit(proposal, here.matters)
    ruled = tuple([matter for matter in here.matters.values() if matter.ruled_by == proposal.name])
    return Standing(now, proposal, found, classes.obstacle(proposal, found), ruled)


def _proposals(ledger: Ledger, patterns: Iterable[str]) -> dict[str, Proposal]:
    return classes.follow(ledger.acts([classes.name_of(pattern) for pattern in patterns]))


def _examples(here: Room, standing: Standing, chance: Random) -> list[tuple[str, str]]:
    """Some heads with what they were made from: of those that the class decided, else of those that it would.

    Never of the open families of an adopted class: those are the ones that somebody has voted on.
    """
    among = standing.ruled if standing.state == "adopted" else standing.now.open
    chosen = chance.sample(among, min(EXAMPLES, len(among)))
    return sorted([(each.base, here.derivations[each.base][0].base) for each in chosen if here.derivations[each.base]])


def _note(name: str, act_on: Callable[[Standing], Act]) -> Response:
    """Append an act on a class, by what stands at that moment."""
    here = room()
    with here.changing(()) as ledger:
        standing, _ = _look(here, ledger, name)
        ledger.note([(name, act_on(standing))], me().name, here.stamp())
    with here.reading() as ledger:
        _prefer(here, ledger)
    return _back(name)


def _prefer(here: Room, ledger: Ledger) -> None:
    """Tell the queue which families audits wait for."""
    proposals = _proposals(ledger, classes.members(here.derivations, here.matters))
    here.queue.prefer(classes.wanted(proposals.values(), here.matters))


def _reason() -> str:
    reason = request.form.get("reason", "").strip()
    if not reason or not is_reason(reason):
        raise BadInput("a reason is needed, of at most 4000 characters and without control characters")
    return reason


def _back(name: str) -> Response:
    return redirect(url_for("classes.page", name=name), 303)
