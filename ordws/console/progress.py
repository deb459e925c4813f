"""How the panel agrees and how far it has come: a page of charts, each with a table of the same figures."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple

from flask import Blueprint, Response, abort, current_app, render_template
from flask.blueprints import BlueprintSetupState

from ordws.console.access import allow, me
from ordws.console.figures import Figures, Keep
from ordws.console.room import room
from ordws.curation.agreement import TRUSTED, Agreement, Pair, Share
from ordws.curation.forecast import FEWEST, LONGEST, Ahead
from ordws.curation.influence import MOVES_TOO_MUCH
from ordws.pictures.charts import BandChart, Bar, BarChart, MatrixCell, Chart, FanChart, MatrixChart, Point, draw_chart
from ordws.pictures.palette import style_sheet

pages: Final = Blueprint("progress", __name__)

MONTHS: Final = 24
PATTERNS: Final = 20
"""How many months, and patterns, a chart has at most; the table has all."""
_STYLE: Final = sha256(style_sheet().removeprefix("<style>").removesuffix("</style>").encode()).digest()
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{base64.b64encode(_STYLE).decode()}'; sandbox"
"""A chart may have the style that turns it dark on a dark screen, and nothing else."""


class Table(NamedTuple):
    """Rows of texts, each under the heads of its columns; the first cell of a row is its head."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Section(NamedTuple):
    """One subject of the page: what it is, a chart where one helps, and the figures."""

    name: str
    title: str
    says: str
    tables: Sequence[Table]
    chart: Chart | None = None
    warning: str = ""
    is_folded: bool = True
    """Whether the tables are folded away, since the chart says the same."""


@pages.record
def _keep(state: BlueprintSetupState) -> None:
    state.app.extensions["figures"] = Keep()


def _figures() -> Figures:
    keep: Keep = current_app.extensions["figures"]
    figures = keep.figures(room())
    if me().role == "keeper":
        return figures
    # How many cards somebody has answered tells who votes with him that he voted, and near the end on what.
    return replace(figures, efforts={name: each for name, each in figures.efforts.items() if not name})


@pages.get("/progress")
@allow("chair", "keeper")
def page() -> str:
    """All figures."""
    figures = _figures()
    outcomes = figures.outcomes
    counts = {
        "Decided in": outcomes["in"],
        "Decided out": outcomes["out"],
        "Contested": outcomes["contested"],
        "Open": outcomes["open"],
        "Of those decided, by class": figures.by_class,
    }
    sections = [make(figures) for make in SECTIONS.values()]
    return render_template("progress.html", counts=counts, sections=sections)


@pages.get("/progress/<name>.svg")
@allow("chair", "keeper")
def chart(name: str) -> Response:
    """One of the page's charts."""
    if name not in SECTIONS or (drawn := SECTIONS[name](_figures()).chart) is None:
        abort(404)
    headers = {"Content-Security-Policy": _POLICY}
    return Response(draw_chart(drawn, chart_id=f"progress-{name}"), content_type="image/svg+xml; charset=utf-8", headers=headers)


def left(figures: Figures) -> Section:
    """What is left, and for how long."""
    coming = figures.forecast
    days = [(day or "before the first", f"{count:,}") for day, count in figures.burned]
    tables = [Table("Families still open after each day", ("Day", "Open"), days)]
    says = f"A forecast begins after {FEWEST} evenings."
    if coming is not None:
        says = (
            f"At {coming.an_evening:.0f} decisions an evening, {coming.sentence}: {_evenings(coming.soonest)} at the"
            f" soonest, {_evenings(coming.latest)} at the latest, with 80 % confidence."
        )
        rows = [[str(each.evenings), *[f"{count:,.0f}" for count in each[1:]]] for each in _some(coming.fan)]
        tables.append(Table("Families expected to be open", ("More evenings", "Fewest", "Expected", "Most"), rows))
    past = [(day or "at first", count) for day, count in figures.burned]
    ahead = [each[1:] for each in _seen(coming.fan, coming.evenings)] if coming else []
    return Section("left", "What is left", says, tables, FanChart("Open families", past, ahead, "evening"))


def alpha(figures: Figures) -> Section:
    """Agreement as a whole, and by month."""
    groups = {"All families": figures.whole, "Calibration set": figures.calibration, **figures.months}
    columns = ("", "Families", "Pairs of votes", "Raw agreement", "Alpha", "95 % interval")
    table = Table(
        "Agreement of all, on the calibration set, and by month",
        columns,
        [
            (name, f"{each.families:,}", f"{each.pairs:,}", _part(each.raw), _alpha(each), _interval(each))
            for name, each in groups.items()
        ],
    )
    shown = list(figures.months.items())[-MONTHS:]
    points = [Point(month, each.alpha, each.low, each.high) for month, each in shown]
    low = figures.whole.alpha is not None and figures.whole.alpha < TRUSTED
    return Section(
        "alpha",
        "Agreement",
        "Raw agreement is the share of pairs of votes on the same family that are alike; Krippendorff's alpha is what"
        " of it is not chance. Doubtful families get more votes than clear ones, so that raw agreement looks worse than"
        " it is; on the calibration set everybody votes.",
        [table],
        BandChart("Krippendorff's alpha by month", points, TRUSTED),
        warning=f"Alpha is below {TRUSTED}: talk about what an ordinary dictionary holds." if low else "",
        is_folded=False,
    )


def drift(figures: Figures) -> Section:
    """What share each curator votes in, by month."""
    rows = [
        (month, *[_share(shares.get(curator, Share(0, 0))) for curator in figures.curators])
        for month, shares in figures.in_shares.items()
    ]
    says = "Somebody whose share moves while that of the others does not has come to judge otherwise."
    table = Table("Votes in, of all votes of a curator in a month", ("Month", *figures.curators), rows)
    return Section("drift", "Drift", says, [table], is_folded=False)


def kappa(figures: Figures) -> Section:
    """Cohen's kappa of every two."""
    names = figures.curators
    cells = {(names.index(b), names.index(a)): MatrixCell(pair.kappa, pair.units) for (a, b), pair in figures.pairs.items()}
    rows = [
        (f"{a} and {b}", f"{pair.units:,}", _part(pair.raw), _kappa(pair))
        for (a, b) in combinations(names, 2)
        if (pair := figures.pairs[a, b])
    ]
    columns = ("Curators", "Families of both", "Raw agreement", "Kappa")
    says = "Two who agree far better with each other than with the rest deserve a look, and one who agrees with nobody."
    table = Table("Every two curators, on the families that both have judged", columns, rows)
    return Section("kappa", "Curator by curator", says, [table], MatrixChart("Cohen's kappa of every two", names, cells))


def margins(figures: Figures) -> Section:
    """By how much decisions came about."""
    total = sum(figures.margins.values())
    named = {f"{ins} in, {outs} out": count for (ins, outs), count in figures.margins.items()}
    bars = [Bar(name, count, f"{count:,}, {_share(Share(count, total))}") for name, count in named.items()]
    rows = [(name, f"{count:,}", _share(Share(count, total))) for name, count in named.items()]
    table = Table("Decisions by their votes", ("Votes", "Decisions", "Share"), rows)
    votes = sum([(ins + outs) * count for (ins, outs), count in figures.margins.items()])
    says = "Of a family the form is counted where it was closest."
    if total:
        says = f"A decision took {votes / total:.2f} votes. {says}"
    return Section("margins", "Margins", says, [table], BarChart("Decisions by their votes", bars))


def moved(figures: Figures) -> Section:
    """Whose votes move how many decisions."""
    rows = [
        (curator, f"{share.counted:,} of {share.of:,}", _share(share), "to look at" if _is_much(share) else "")
        for curator, share in figures.influence.items()
    ]
    says = (
        "How many decisions would let in other forms without a curator's votes, all else as it was. Whoever moves more"
        f" than {MOVES_TOO_MUCH:.0%} is looked at by the others."
    )
    columns = ("Curator", "Decisions moved", "Share", "Note")
    table = Table("Decisions that rest on one curator", columns, rows)
    return Section("influence", "Influence", says, [table], is_folded=False)


def steady(figures: Figures) -> Section:
    """How curators answered cards that were checks."""
    rows = [
        (curator, f"{each.same.of:,}", _share(each.same), f"{each.right.of:,}", _share(each.right))
        for curator, each in figures.steadiness.items()
    ]
    says = "One card in twenty is a silent repeat and one a family that is decided. Families still open are left out."
    columns = ("Curator", "Repeats", "Answered as before", "Known", "Answered as decided")
    table = Table("Answers to repeats and known items", columns, rows)
    return Section("steadiness", "Steadiness", says, [table], is_folded=False)


def seconds(figures: Figures) -> Section:
    """How long a card takes."""
    named = {curator or "all": each for curator, each in figures.efforts.items()}
    bars = [Bar(name, each.seconds, f"{each.seconds:.1f} s, {each.cards:,} cards") for name, each in named.items()]
    rows = [(name, f"{each.cards:,}", f"{each.seconds:.1f}") for name, each in named.items()]
    table = Table("Seconds a card", ("Curator", "Cards", "Median seconds"), rows)
    says = f"The median; cards that took more than {LONGEST:.0f} seconds are left out."
    return Section("seconds", "Effort", says, [table], BarChart("Seconds a card, in the median", bars))


def contested(figures: Figures) -> Section:
    """Which kinds of families are contested."""
    by_number = sorted(figures.kinds.items(), key=lambda each: (-each[1].contested, each[0]))
    bars = [Bar(name, kind.contested, f"{kind.contested:,} of {kind.decided:,}") for name, kind in by_number[:PATTERNS]]
    rows = [
        (name, f"{kind.ins:,}", f"{kind.outs:,}", f"{kind.contested:,}", f"{kind.agreeing.of:,}", _share(kind.agreeing))
        for name, kind in by_number
    ]
    columns = ("Class", "In", "Out", "Contested", "Pairs of votes", "Raw agreement")
    says = "Families by how they may have been made, as far as votes decided them. Contested are those that ever were."
    table = Table("Decisions by class, as counts", columns, rows)
    return Section("contested", "Contested by class", says, [table], BarChart("Contested families by class", bars))


SECTIONS: Final = {
    "left": left,
    "alpha": alpha,
    "drift": drift,
    "kappa": kappa,
    "margins": margins,
    "influence": moved,
    "steadiness": steady,
    "seconds": seconds,
    "contested": contested,
}


def _some(fan: Sequence[Ahead]) -> list[Ahead]:
    """Some ten lines of a fan, its last among them."""
    step = max(1, len(fan) // 10)
    return [each for each in fan if each.evenings % step == 0 or each == fan[-1]]


def _seen(fan: Sequence[Ahead], evenings: int | None) -> Sequence[Ahead]:
    """As much of a fan as can be drawn: a late end may be ten times as far as the expected one."""
    return fan[: 3 * (evenings if evenings is not None else len(fan)) + 1]


def _evenings(count: int | None) -> str:
    return "nobody can say" if count is None else str(count)


def _part(part: float | None) -> str:
    return "undefined" if part is None else f"{part:.1%}"


def _share(share: Share) -> str:
    return "none" if share.part is None else f"{share.part:.1%}"


def _alpha(each: Agreement) -> str:
    return f"undefined: {each.why_undefined}" if each.alpha is None else f"{each.alpha:.3f}"


def _interval(each: Agreement) -> str:
    defined = each.low is not None and each.high is not None
    return f"{each.low:.3f} to {each.high:.3f}" if defined else "undefined: too little varies"


def _kappa(pair: Pair) -> str:
    if pair.kappa is not None:
        return f"{pair.kappa:.3f}"
    return "undefined: nothing varies" if pair.units else "undefined: no family in common"


def _is_much(share: Share) -> bool:
    return share.part is not None and share.part > MOVES_TOO_MUCH
