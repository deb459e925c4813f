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

from ordws.console.access import allow, current_member
from ordws.console.panel_statistics import PanelStatistics, StatisticsCache
from ordws.console.state import console_state
from ordws.curation.agreement import MIN_RELIABLE_ALPHA, Agreement, PairAgreement, Share
from ordws.curation.forecast import MAX_CARD_SECONDS, MIN_EVENINGS, ForecastPoint
from ordws.curation.influence import MAX_INFLUENCE
from ordws.pictures.charts import BandChart, Bar, BarChart, Chart, FanChart, MatrixCell, MatrixChart, Point, draw_chart
from ordws.pictures.palette import style_sheet

pages: Final = Blueprint("progress", __name__)

MAX_MONTHS: Final = 24
MAX_PATTERNS: Final = 20
"""How many months, and patterns, a chart has at most; the table has all."""
_STYLE_HASH: Final = sha256(style_sheet().removeprefix("<style>").removesuffix("</style>").encode()).digest()
_CHART_CSP: Final = f"default-src 'none'; style-src 'sha256-{base64.b64encode(_STYLE_HASH).decode()}'; sandbox"
"""A chart may have the style that turns it dark on a dark screen, and nothing else."""


class DataTable(NamedTuple):
    """Rows of texts, each under the heads of its columns; the first cell of a row is its head."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class ProgressSection(NamedTuple):
    """One subject of the page: what it is, a chart where one helps, and the figures."""

    name: str
    title: str
    says: str
    tables: Sequence[DataTable]
    chart: Chart | None = None
    warning: str = ""
    is_folded: bool = True
    """Whether the tables are folded away, since the chart says the same."""


@pages.record
def _create_cache(state: BlueprintSetupState) -> None:
    state.app.extensions["figures"] = StatisticsCache()


def _visible_statistics() -> PanelStatistics:
    keep: StatisticsCache = current_app.extensions["figures"]
    figures = keep.get(console_state())
    if current_member().role == "keeper":
        return figures
    # How many cards somebody has answered tells who votes with him that he voted, and near the end on what.
    return replace(figures, efforts={name: each for name, each in figures.efforts.items() if not name})


@pages.get("/progress")
@allow("chair", "keeper")
def page() -> str:
    """All figures."""
    figures = _visible_statistics()
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
    if name not in SECTIONS or (drawn := SECTIONS[name](_visible_statistics()).chart) is None:
        abort(404)
    headers = {"Content-Security-Policy": _CHART_CSP}
    return Response(
        draw_chart(drawn, chart_id=f"progress-{name}"), content_type="image/svg+xml; charset=utf-8", headers=headers
    )


def remaining_section(stats: PanelStatistics) -> ProgressSection:
    """What is left, and for how long."""
    coming = stats.forecast
    days = [(day or "before the first", f"{count:,}") for day, count in stats.burned]
    tables = [DataTable("Families still open after each day", ("Day", "Open"), days)]
    says = f"A forecast begins after {MIN_EVENINGS} evenings."
    if coming is not None:
        says = (
            f"At {coming.families_per_evening:.0f} decisions an evening, {coming.sentence}: {_evenings_text(coming.earliest)} at the"
            f" soonest, {_evenings_text(coming.latest)} at the latest, with 80 % confidence."
        )
        rows = [[str(each.evenings), *[f"{count:,.0f}" for count in each[1:]]] for each in _sample_evenings(coming.fan)]
        tables.append(DataTable("Families expected to be open", ("More evenings", "Fewest", "Expected", "Most"), rows))
    past = [(day or "at first", count) for day, count in stats.burned]
    ahead = [each[1:] for each in _drawable_part(coming.fan, coming.evenings)] if coming else []
    return ProgressSection("left", "What is left", says, tables, FanChart("Open families", past, ahead, "evening"))


def agreement_section(stats: PanelStatistics) -> ProgressSection:
    """Agreement as a whole, and by month."""
    groups = {"All families": stats.whole, "Calibration set": stats.calibration, **stats.months}
    columns = ("", "Families", "Pairs of votes", "Raw agreement", "Alpha", "95 % interval")
    table = DataTable(
        "Agreement of all, on the calibration set, and by month",
        columns,
        [
            (
                name,
                f"{each.families:,}",
                f"{each.pairs:,}",
                _percent_text(each.raw),
                _alpha_text(each),
                _interval_text(each),
            )
            for name, each in groups.items()
        ],
    )
    shown = list(stats.months.items())[-MAX_MONTHS:]
    points = [Point(month, each.alpha, each.low, each.high) for month, each in shown]
    low = stats.whole.alpha is not None and stats.whole.alpha < MIN_RELIABLE_ALPHA
    return ProgressSection(
        "alpha",
        "Agreement",
        "Raw agreement is the share of pairs of votes on the same family that are alike; Krippendorff's alpha is what"
        " of it is not chance. Doubtful families get more votes than clear ones, so that raw agreement looks worse than"
        " it is; on the calibration set everybody votes.",
        [table],
        BandChart("Krippendorff's alpha by month", points, MIN_RELIABLE_ALPHA),
        warning=f"Alpha is below {MIN_RELIABLE_ALPHA}: talk about what an ordinary dictionary holds." if low else "",
        is_folded=False,
    )


def drift_section(stats: PanelStatistics) -> ProgressSection:
    """What share each curator votes in, by month."""
    rows = [
        (month, *[_share_text(shares.get(curator, Share(0, 0))) for curator in stats.curators])
        for month, shares in stats.in_shares.items()
    ]
    says = "Somebody whose share moves while that of the others does not has come to judge otherwise."
    table = DataTable("Votes in, of all votes of a curator in a month", ("Month", *stats.curators), rows)
    return ProgressSection("drift", "Drift", says, [table], is_folded=False)


def pairwise_section(stats: PanelStatistics) -> ProgressSection:
    """Cohen's kappa of every two."""
    names = stats.curators
    cells = {
        (names.index(b), names.index(a)): MatrixCell(pair.kappa, pair.units) for (a, b), pair in stats.pairs.items()
    }
    rows = [
        (f"{a} and {b}", f"{pair.units:,}", _percent_text(pair.raw), _kappa_text(pair))
        for (a, b) in combinations(names, 2)
        if (pair := stats.pairs[a, b])
    ]
    columns = ("Curators", "Families of both", "Raw agreement", "Kappa")
    says = "Two who agree far better with each other than with the rest deserve a look, and one who agrees with nobody."
    table = DataTable("Every two curators, on the families that both have judged", columns, rows)
    return ProgressSection(
        "kappa", "Curator by curator", says, [table], MatrixChart("Cohen's kappa of every two", names, cells)
    )


def margins_section(stats: PanelStatistics) -> ProgressSection:
    """By how much decisions came about."""
    total = sum(stats.margins.values())
    named = {f"{ins} in, {outs} out": count for (ins, outs), count in stats.margins.items()}
    bars = [Bar(name, count, f"{count:,}, {_share_text(Share(count, total))}") for name, count in named.items()]
    rows = [(name, f"{count:,}", _share_text(Share(count, total))) for name, count in named.items()]
    table = DataTable("Decisions by their votes", ("Votes", "Decisions", "Share"), rows)
    votes = sum([(ins + outs) * count for (ins, outs), count in stats.margins.items()])
    says = "Of a family the form is counted where it was closest."
    if total:
        says = f"A decision took {votes / total:.2f} votes. {says}"
    return ProgressSection("margins", "Margins", says, [table], BarChart("Decisions by their votes", bars))


def influence_section(stats: PanelStatistics) -> ProgressSection:
    """Whose votes move how many decisions."""
    rows = [
        (
            curator,
            f"{share.counted:,} of {share.total:,}",
            _share_text(share),
            "to look at" if _moves_too_much(share) else "",
        )
        for curator, share in stats.influence.items()
    ]
    says = (
        "How many decisions would let in other forms without a curator's votes, all else as it was. Whoever moves more"
        f" than {MAX_INFLUENCE:.0%} is looked at by the others."
    )
    columns = ("Curator", "Decisions moved", "Share", "Note")
    table = DataTable("Decisions that rest on one curator", columns, rows)
    return ProgressSection("influence", "Influence", says, [table], is_folded=False)


def steadiness_section(stats: PanelStatistics) -> ProgressSection:
    """How curators answered cards that were checks."""
    rows = [
        (
            curator,
            f"{each.repeats.total:,}",
            _share_text(each.repeats),
            f"{each.known_items.total:,}",
            _share_text(each.known_items),
        )
        for curator, each in stats.steadiness.items()
    ]
    says = "One card in twenty is a silent repeat and one a family that is decided. Families still open are left out."
    columns = ("Curator", "Repeats", "Answered as before", "Known", "Answered as decided")
    table = DataTable("Answers to repeats and known items", columns, rows)
    return ProgressSection("steadiness", "Steadiness", says, [table], is_folded=False)


def effort_section(stats: PanelStatistics) -> ProgressSection:
    """How long a card takes."""
    named = {curator or "all": each for curator, each in stats.efforts.items()}
    bars = [Bar(name, each.seconds, f"{each.seconds:.1f} s, {each.cards:,} cards") for name, each in named.items()]
    rows = [(name, f"{each.cards:,}", f"{each.seconds:.1f}") for name, each in named.items()]
    table = DataTable("Seconds a card", ("Curator", "Cards", "Median seconds"), rows)
    says = f"The median; cards that took more than {MAX_CARD_SECONDS:.0f} seconds are left out."
    return ProgressSection("seconds", "Effort", says, [table], BarChart("Seconds a card, in the median", bars))


def contested_section(stats: PanelStatistics) -> ProgressSection:
    """Which kinds of families are contested."""
    by_number = sorted(stats.kinds.items(), key=lambda each: (-each[1].contested, each[0]))
    bars = [
        Bar(name, kind.contested, f"{kind.contested:,} of {kind.decided:,}") for name, kind in by_number[:MAX_PATTERNS]
    ]
    rows = [
        (
            name,
            f"{kind.ins:,}",
            f"{kind.outs:,}",
            f"{kind.contested:,}",
            f"{kind.agreeing.total:,}",
            _share_text(kind.agreeing),
        )
        for name, kind in by_number
    ]
    columns = ("Class", "In", "Out", "Contested", "Pairs of votes", "Raw agreement")
    says = "Families by how they may have been made, as far as votes decided them. Contested are those that ever were."
    table = DataTable("Decisions by class, as counts", columns, rows)
    return ProgressSection(
        "contested", "Contested by class", says, [table], BarChart("Contested families by class", bars)
    )


SECTIONS: Final = {
    "left": remaining_section,
    "alpha": agreement_section,
    "drift": drift_section,
    "kappa": pairwise_section,
    "margins": margins_section,
    "influence": influence_section,
    "steadiness": steadiness_section,
    "seconds": effort_section,
    "contested": contested_section,
}


def _sample_evenings(fan: Sequence[ForecastPoint]) -> list[ForecastPoint]:
    """Some ten lines of a fan, its last among them."""
    step = max(1, len(fan) // 10)
    return [each for each in fan if each.evenings % step == 0 or each == fan[-1]]


def _drawable_part(fan: Sequence[ForecastPoint], evenings: int | None) -> Sequence[ForecastPoint]:
    """As much of a fan as can be drawn: a late end may be ten times as far as the expected one."""
    return fan[: 3 * (evenings if evenings is not None else len(fan)) + 1]


def _evenings_text(count: int | None) -> str:
    return "nobody can say" if count is None else str(count)


def _percent_text(fraction: float | None) -> str:
    return "undefined" if fraction is None else f"{fraction:.1%}"


def _share_text(share: Share) -> str:
    return "none" if share.ratio is None else f"{share.ratio:.1%}"


def _alpha_text(each: Agreement) -> str:
    return f"undefined: {each.undefined_reason}" if each.alpha is None else f"{each.alpha:.3f}"


def _interval_text(each: Agreement) -> str:
    defined = each.low is not None and each.high is not None
    return f"{each.low:.3f} to {each.high:.3f}" if defined else "undefined: too little varies"


def _kappa_text(pair: PairAgreement) -> str:
    if pair.kappa is not None:
        return f"{pair.kappa:.3f}"
    return "undefined: nothing varies" if pair.units else "undefined: no family in common"


def _moves_too_much(share: Share) -> bool:
    return share.ratio is not None and share.ratio > MAX_INFLUENCE
